"""What a device has chosen is how it is served; what it can't have chosen is not."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from web.pages.device import SPEECH, THEME, TYPE

DARK = re.compile(r'id="dark-colours" media="([^"]*)"')
SCHEMES = re.compile(r'name="color-scheme" content="([^"]*)"')
BARS = re.compile(r'name="theme-color" content="([^"]*)" media="([^"]*)"')


def _home(client: FlaskClient, **cookies: str) -> str:
    for name, value in cookies.items():
        client.set_cookie(name, value)
    return client.get("/").get_data(as_text=True)


@pytest.mark.parametrize(
    "chosen, dark, schemes, bars",
    [
        ("system", "(prefers-color-scheme: dark)", "light dark", 2),
        ("light", "not all", "light", 1),
        ("dark", "all", "dark", 1),
        ('"><script>', "(prefers-color-scheme: dark)", "light dark", 2),
    ],
)
def test_the_colours_come_as_chosen(client: FlaskClient, chosen: str, dark: str, schemes: str, bars: int) -> None:
    page = _home(client, **{THEME: chosen})
    assert DARK.findall(page) == [dark]
    assert SCHEMES.findall(page) == [schemes]
    assert len(BARS.findall(page)) == bars


def test_larger_type_and_speech_are_off_unless_chosen(client: FlaskClient) -> None:
    state = client.post("/api/v1/sessions", json={"game": "yams", "players": ["Ana"]}, headers={"X-Dicescribe": "1"})
    screen = f"/sessions/{(state.json or {})['id']}/screen"
    assert 'class="large"' not in _home(client, **{TYPE: "huge"})
    assert re.search(r'data-choice="speech">', client.get(screen).get_data(as_text=True))
    assert 'class="large"' in _home(client, **{TYPE: "large", SPEECH: "on"})
    assert re.search(r'data-choice="speech" checked', client.get(screen).get_data(as_text=True))
