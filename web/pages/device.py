"""How a device wants its pages: light or dark, in larger type, read aloud. Its cookies say so with every request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from flask import Flask, request

Theme = Literal["system", "light", "dark"]

THEME, TYPE, SPEECH = "dicescribe_theme", "dicescribe_type", "dicescribe_speech"
"""The cookies' names. The page's script `device.js` writes them."""


LIGHT_BAR, DARK_BAR = "#e6e0d1", "#121916"
"""The colour --table of app.css and of dark.css."""


@dataclass(frozen=True, slots=True)
class Device:
    """What was chosen on a device; whatever else its cookies hold counts as not chosen."""

    theme: Theme = "system"
    large: bool = False
    speech: bool = False

    @property
    def schemes(self) -> str:
        """The colour schemes that pages may take, as CSS lists them."""
        return "light dark" if self.theme == "system" else self.theme

    @property
    def bars(self) -> list[tuple[str, str]]:
        """Colours of the browser's own bar, each with the media query under which it holds."""
        named = {"light": LIGHT_BAR, "dark": DARK_BAR}
        if self.theme != "system":
            return [(named[self.theme], "all")]
        return [(colour, f"(prefers-color-scheme: {scheme})") for scheme, colour in named.items()]

    @property
    def dark_when(self) -> str:
        """The media query under which the dark colours hold."""
        return {"system": "(prefers-color-scheme: dark)", "dark": "all", "light": "not all"}[self.theme]


def this_device() -> Device:
    """What the device that asks has chosen."""
    cookies = request.cookies
    theme = cookies.get(THEME)
    return Device(
        theme=cast(Theme, theme) if theme in get_args(Theme) else "system",
        large=cookies.get(TYPE) == "large",
        speech=cookies.get(SPEECH) == "on",
    )


def set_up(app: Flask) -> None:
    """Have each template of the app know the device that it is for."""

    def shared() -> dict[str, Any]:
        return {"device": this_device()}

    app.context_processor(shared)
