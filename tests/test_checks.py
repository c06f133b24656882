"""Style and types, so that one command tests everything."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "command",
    [("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",)],
    ids=" ".join,
)
def test_the_source_passes(command: tuple[str, ...], root: Path) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
