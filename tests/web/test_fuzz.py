"""The described interface against the real one: made-up requests, right and wrong ones, to every operation."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from scorekeeper.session import new_game
from web import create_app
from web.api.openapi import describe
from web.api.sessions import OPERATIONS, PREFIX
from web.api.states import STATE
from web.table import Table


class Door:
    """What the requests are sent to: the app that a test has opened, asked from its own machine."""

    app: Flask

    def __call__(self, environ: dict[str, Any], respond: Any) -> Any:
        return self.app.wsgi_app({"REMOTE_ADDR": "127.0.0.1", **environ}, respond)


door = Door()
schema = schemathesis.openapi.from_dict(describe(OPERATIONS, PREFIX, STATE))
schema.app = door


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A game that is there, in an app of its own."""
    folder = tmp_path_factory.mktemp("fuzz")
    door.app = create_app({"DATABASE": folder / "games.db", "CACHE": folder / "cache"})
    table: Table = door.app.extensions["dicescribe"]
    yield table.store.create(new_game("yams", ["Ana", "Bo"]))
    table.photos.close()


def fits(case: Any, session: str) -> Any:
    """Most of the right requests made for a game that is there, and on its seq: else they would get no further."""
    wanted = zlib.crc32(repr((case.body, case.query)).encode()) % 8
    if case.meta.generation.mode.is_positive and "session_id" in case.path_parameters and wanted:
        if not case.path.endswith("/events"):  # which has no end
            case.path_parameters["session_id"] = session
        if isinstance(case.body, dict) and "seq" in case.body and wanted > 1:
            case.body["seq"] = door.app.extensions["dicescribe"].store.seq(session)
    return case


def check(case: Any, session: str) -> None:
    # The rules of the games refuse much that no schema can.
    fits(case, session).call_and_validate(excluded_checks=[positive_data_acceptance])


made_up = settings(derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))


@schema.parametrize()
@settings(made_up, max_examples=20)
def test_what_is_described_is_what_is_answered(case: Any, session: str) -> None:
    check(case, session)


@pytest.mark.long
@schema.parametrize()
@settings(made_up, max_examples=300)
def test_what_is_described_is_what_is_answered_at_length(case: Any, session: str) -> None:
    check(case, session)
