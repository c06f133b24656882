"""The README's commands do what it says."""

import doctest
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
SET_UP, TEST, *_ = re.findall(r"```sh\n(.*?)\n```", TEXT, re.S)


def examples() -> Iterator[tuple[str, str]]:
    """Each command shown with its output; an output that ends in three dots goes on."""
    for block in re.findall(r"```console\n(.*?)```", TEXT, re.S):
        yield from re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M)


@pytest.mark.parametrize(("command", "output"), list(examples()))
def test_an_example_prints_what_is_shown(command: str, output: str) -> None:
    """Run with the present environment's `dicescribe`."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command, shell=True, cwd=ROOT, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True
    )
    assert doctest.OutputChecker().check_output(output, done.stdout, doctest.ELLIPSIS), done.stdout


def test_there_are_examples() -> None:
    assert len(list(examples())) >= 3


@pytest.mark.parametrize("example", re.findall(r"```pycon\n(.*?)```", TEXT, re.S))
def test_a_python_example_does_what_is_shown(example: str) -> None:
    test = doctest.DocTestParser().get_doctest(example, {}, "README", "README.md", 0)
    assert test.examples
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


def test_ci_runs_the_test_command() -> None:
    assert f"    {TEST}\n" in (ROOT / ".ci/run").read_text(encoding="utf-8")


def test_every_command_is_described() -> None:
    from web.cli import _parser

    named = set(re.findall(r"^### `dicescribe (\w+)", TEXT, re.M))
    (choices,) = (action.choices for action in _parser()._actions if action.choices)
    assert named == set(choices)


@pytest.mark.skipif(not os.environ.get("CI"), reason="takes the packages from the registry: set CI=true to run it")
def test_the_set_up_command_from_nothing(tmp_path: Path) -> None:
    """A fresh copy and a fresh environment: the samples are read and the page is served."""
    copy = tmp_path / "dicescribe"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(copy)], check=True)
    environment = {name: value for name, value in os.environ.items() if name not in ("CI", "VIRTUAL_ENV", "PYTHONPATH")}
    first, serve = SET_UP.rsplit(" && ", 1)
    done = subprocess.run(first, shell=True, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    read = [line for line in done.stdout.splitlines() if line.startswith("samples/")]
    assert len(read) == len(list((ROOT / "samples").glob("*.jpg")))

    with subprocess.Popen(
        [*serve.split(), "--port", "0", "--db", str(tmp_path / "games.db")],
        cwd=copy,
        env={**environment, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address is not None
            with urllib.request.urlopen(address[0], timeout=20) as page:
                assert page.status == 200
                assert b"dicescribe" in page.read().lower()
        finally:
            server.terminate()
