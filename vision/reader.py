"""What a pipeline is to whoever has pictures read."""

from __future__ import annotations

from typing import Protocol

from vision.images import Picture
from vision.types import Reading


class Reader(Protocol):
    """Turns a picture into a reading. Safe to use from several threads."""

    def read(self, picture: Picture, /) -> Reading: ...
