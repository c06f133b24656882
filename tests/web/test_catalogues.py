"""Every text has its place in the catalogues, and every catalogue is complete."""

import ast
import gettext
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages import Catalog, Message

from web.translations.catalogues import PLURALS, extract, load, path_of, problems, script_of, script_text, updated

ROOT = Path(__file__).parents[2]
AGAIN = "run python -m web.translations.catalogues, and translate what it names"

CALLS = {"_", "gettext", "ngettext", "said", "said_of", "mark"}
RAISED = {"Sentence", "BadPlayers", "IllegalMove", "StoreError", "NoSession", "BadImage", "CameraError"}
JS_CALL = re.compile(r'\btn?\(\s*("(?:[^"\\]|\\.)*")')
JINJA_CALL = re.compile(r'\b(?:_|gettext|ngettext)\(\s*("(?:[^"\\]|\\.)*")')
NO_JS_TEXT = re.compile(r"\btn?\(\s*(?![\"\s)])(?!text\b|one\b)")


@pytest.fixture(scope="module")
def template() -> Catalog:
    return extract()


@pytest.fixture(scope="module")
def keys(template: Catalog) -> set[str]:
    return {_first(message) for message in template if message.id}


def _first(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _strings(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


@pytest.mark.parametrize("language", PLURALS)
def test_a_catalogue_holds_just_the_texts_of_the_code_each_translated(language: str, template: Catalog) -> None:
    kept = load(language)
    assert {message.id for message in kept if message.id} == {message.id for message in template if message.id}, AGAIN
    assert list(problems(kept)) == []


@pytest.mark.parametrize("language", PLURALS)
def test_what_the_server_and_the_scripts_read_is_made_of_the_catalogue(language: str) -> None:
    catalog = load(language)
    with path_of(language, "mo").open("rb") as file:
        made = gettext.GNUTranslations(file)
    for message in catalog:
        if isinstance(message.id, str) and message.id:
            assert made.gettext(message.id) == message.string, AGAIN
        elif message.id:
            one, many = message.id
            assert (made.ngettext(one, many, 1), made.ngettext(one, many, 7)) == message.string, AGAIN
    assert script_of(language).read_text(encoding="utf-8") == script_text(catalog), AGAIN


def test_the_places_of_texts_come_to_the_scripts(template: Catalog) -> None:
    texts = json.loads(script_text(updated("fr", template)).removeprefix("export default ").removesuffix(";\n"))
    assert texts["This is roll %(n)s"] == "C’est le lancer %(n)s"
    assert len(texts["%(n)s die is missing"]) == 2
    assert "Grand total" not in texts  # the server says it


@pytest.mark.parametrize(
    "string, wrong",
    [
        ("", "not translated"),
        ("%(nom)s a quitté la partie.", "other places"),
        ("Il a quitté la partie.", "other places"),
        ("%(name)s a quitté la partie.", None),
    ],
)
def test_a_bad_translation_is_named(string: str, wrong: str | None) -> None:
    catalog = Catalog("fr")
    catalog.add("%(name)s has left.", string)
    assert list(problems(catalog)) == ([f"{wrong}: %(name)s has left."] if wrong else [])


def test_plurals_need_both_forms() -> None:
    catalog = Catalog("fr")
    catalog.add(("%(num)s chip", "%(num)s chips"), ("%(num)s jeton", ""))
    assert list(problems(catalog)) == ["not translated: %(num)s chip"]


def test_french_signs_keep_their_distance_without_a_break() -> None:
    for message in load("fr"):
        for text in _strings(message) if message.id else ():
            plain = re.sub(r"https?:", "", text)
            assert not re.search(r"[^\u00a0 …?!][;!?:»]| [;!?:»]|« ", plain), text


@pytest.mark.parametrize("language", PLURALS)
def test_texts_begin_and_end_as_they_do_in_english(language: str) -> None:
    for message in load(language):
        if not message.id:
            continue
        english, other = _first(message), _strings(message)[0]
        assert english.endswith(".") == other.endswith("."), english
        assert english.endswith("?") == other.endswith("?"), english
        assert other == other.strip(), english


# ---- Nothing that is said is overlooked


def _calls(file: Path) -> Iterator[tuple[str, ast.expr]]:
    """The texts in Python's calls, by the names of what is called."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Call) and node.args:
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            yield name, node.args[0]


PYTHON = sorted(path for package in ("web", "scorekeeper", "vision") for path in (ROOT / package).rglob("*.py"))
COMMAND_LINE = {"web/commands/read.py"}  # it speaks English


@pytest.mark.parametrize("file", PYTHON, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_text_of_python_is_found(file: Path, keys: set[str]) -> None:
    here = file.relative_to(ROOT).as_posix()
    for name, text in _calls(file):
        if name in CALLS:
            assert not isinstance(text, ast.JoinedStr), ast.unparse(text)
        if name in CALLS | RAISED and isinstance(text, ast.Constant) and here not in COMMAND_LINE:
            assert text.value in keys, text.value


@pytest.mark.parametrize("file", sorted((ROOT / "web/static").glob("*.js")), ids=lambda path: path.name)
def test_every_text_of_a_script_is_found(file: Path, keys: set[str]) -> None:
    code = re.sub(r"^\s*//.*$", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for text in JS_CALL.findall(code):
        assert ast.literal_eval(text) in keys
    assert not NO_JS_TEXT.search(code), "t and tn take plain strings, or they are not found"


@pytest.mark.parametrize("file", sorted((ROOT / "web/templates").glob("*.html")), ids=lambda path: path.name)
def test_every_text_of_a_template_is_found(file: Path, keys: set[str]) -> None:
    for text in JINJA_CALL.findall(file.read_text(encoding="utf-8")):
        assert ast.literal_eval(text) in keys


# Words between the signs of a string: what is shown has them, what is looked for (selectors, kinds) has not.
WORDS = re.compile(r"^[A-Z][a-z’']*( [a-z’']+)+[.:…?!]?$|^[a-z’']+( [a-z’']+){2,}[.:…?!]?$")


@pytest.mark.parametrize("file", sorted((ROOT / "web/static").glob("*.js")), ids=lambda path: path.name)
def test_scripts_show_no_text_but_by_the_catalogues(file: Path) -> None:
    code = re.sub(r"^\s*(//|/?\*).*$| // .*$", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    code = JS_CALL.sub("", code)
    for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', code) + re.findall(r"`([^`]*)`", code):
        shown = re.sub(r"\$\{[^}]*\}", "", text).strip()
        assert not WORDS.search(shown), text
