"""The measure of a full table: small, but against the real server."""

from __future__ import annotations

import json

import pytest

from web.cli import main
from web.commands import load


def test_a_small_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name, value in {
        "PHONES": 4,
        "TABLES": 2,
        "PHOTOS_A_SECOND": 2.0,
        "PHOTO": (640, 480),
        "CHANGE_SECONDS": 0.2,
        "WARM": 3.0,
        "SECONDS": 4.0,
    }.items():
        monkeypatch.setattr(load, name, value)
    assert main(["bench", "--load", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["phones"], figures["listening"], figures["wrong"]) == (4, 4, {})
    assert figures["photos"]["answers"] > 2
    assert figures["pages"]["answers"] > 10
    for kind in ("pages", "photos"):
        assert 0 < figures[kind]["p50_ms"] <= figures[kind]["p95_ms"] <= figures[kind]["most_ms"]
    assert all(memory is None or memory > 50 for memory in figures["memory_mb"])
    assert load.table(figures)[-1] == "went wrong: nothing"
    assert "4 phones, of which 4 are told" in load.table(figures)[0]


def test_what_went_wrong_is_told() -> None:
    seen = load.Measured()
    seen.failed("photos: 429")
    seen.failed("photos: 429")
    seen.took_so_long("pages", 1.0)  # before it counts
    seen.counts.set()
    for n in range(1, 101):
        seen.took_so_long("pages", n / 1000)
    figures = {
        "phones": 50,
        "listening": 49,
        "photo_mb": 2.5,
        "pages": load._spread(seen.took["pages"]),
        "photos": load._spread(seen.took["photos"]),
        "wrong": dict(seen.wrong),
        "memory_mb": [None] * 3,
    }
    assert load.table(figures) == [
        "50 phones, of which 49 are told of each change",
        "pages: 100 answers, 50 ms in the middle, 95 ms at 95 %, 100 ms at most",
        "photos of 2.5 MB: no answers",
        "went wrong: 2 x photos: 429",
    ]
