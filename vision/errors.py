"""What may go wrong while seeing. Each message is a sentence that tells a player what to do."""

from __future__ import annotations


class VisionError(Exception):
    """Anything that keeps a picture from being read."""


class BadImage(VisionError):
    """The bytes are no picture that can be read; `too_large`: they would be, were they fewer."""

    def __init__(self, message: str, *, too_large: bool = False) -> None:
        super().__init__(message)
        self.too_large = too_large


class CameraError(VisionError):
    """A camera, a film or a stream gives no pictures, or has stopped giving them."""
