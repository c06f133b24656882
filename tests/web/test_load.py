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
        "SENT": (400, 300),
        "CHANGE_SECONDS": 0.2,
        "WARM": 3.0,
        "SECONDS": 4.0,
    }.items():
        monkeypatch.setattr(load, name, value)
    assert main(["bench", "--load", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["photo_px"] == [400, 300]
    assert figures["originals"]["photo_px"] == [640, 480]
    assert figures["photo_mb"] < figures["originals"]["photo_mb"]
    for found in (figures, figures["originals"]):
        assert (found["phones"], found["listening"], found["wrong"]) == (4, 4, {})
        assert found["photos"]["answers"] > 0
        assert found["pages"]["answers"] > 10
        for kind in ("pages", "photos"):
            assert 0 < found[kind]["p50_ms"] <= found[kind]["p95_ms"] <= found[kind]["most_ms"]
        assert all(memory is None or memory > 50 for memory in found["memory_mb"])
        assert load.table(found)[-1] == "went wrong: nothing"
        assert "4 phones, of which 4 are told" in load.table(found)[0]


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
        "photo_px": (4000, 3000),
        "photo_mb": 2.5,
        "pages": load._spread(seen.took["pages"]),
        "photos": load._spread(seen.took["photos"]),
        "wrong": dict(seen.wrong),
        "memory_mb": [None] * 3,
    }
    assert load.table(figures) == [
        "50 phones, of which 49 are told of each change",
        "pages: 100 answers, 50 ms in the middle, 95 ms at 95 %, 100 ms at most",
        "photos of 4000 x 3000 pixels, 2.5 MB: no answers",
        "went wrong: 2 x photos: 429",
    ]
