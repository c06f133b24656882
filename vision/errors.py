"""What may go wrong while seeing. Each message is a sentence that tells a player what to do."""

from __future__ import annotations

from vision.sentences import Sentence


class VisionError(Exception):
    """Anything that keeps a picture from being read. `sentence` says it, as `str(error)` does in English."""

    def __init__(self, sentence: str, /, **values: object) -> None:
        self.sentence = sentence if isinstance(sentence, Sentence) else Sentence(sentence, **values)
        super().__init__(self.sentence)


class BadImage(VisionError):
    """The bytes are no picture that can be read; `too_large`: they would be, were they fewer."""

    def __init__(self, sentence: str, /, *, too_large: bool = False, **values: object) -> None:
        super().__init__(sentence, **values)
        self.too_large = too_large


class CameraError(VisionError):
    """A camera, a film or a stream gives no pictures, or has stopped giving them."""
