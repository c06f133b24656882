"""What the tests in a browser take for a problem of the page."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.web.browsing import Table


@pytest.mark.parametrize("name", ["CONNECTION_REFUSED", "SOCKET_NOT_CONNECTED", "EMPTY_RESPONSE", "NETWORK_CHANGED"])
def test_a_lost_line_is_a_problem_unless_the_test_has_cut_it(name: str) -> None:
    nobody: Any = None
    table = Table(nobody, "http://127.0.0.1:1")
    said: Any = SimpleNamespace(type="error", text=f"Failed to load resource: net::ERR_{name}")
    table.hear(said)
    assert table.problems == [said.text]
    table.cut_off = True
    table.hear(said)
    assert table.problems == [said.text]


def test_where_the_line_is_cut_all_else_is_still_a_problem() -> None:
    nobody: Any = None
    table = Table(nobody, "http://127.0.0.1:1")
    table.cut_off = True
    said: Any = SimpleNamespace(type="error", text="Failed to load resource: the server responded with a status of 500")
    table.hear(said)
    assert table.problems == [said.text]
