"""Keeps the catalogues: `python -m web.translations.catalogues`, after any text was added or changed.

Each language has a file `messages.po`, which people edit. The command finds all texts in the code, takes new ones into
each catalogue (untranslated), lets go of those that are no longer used, and makes `messages.mo` for the server and
`web/static/words/fr.js` for the page's scripts. It says what is still to be translated, and then exits with 1.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from datetime import UTC, datetime
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent
SCRIPTS = "web/static"
PLURALS = {"fr": "(n > 1)", "es": "(n != 1)", "it": "(n != 1)"}
"""The languages, and in each which numbers take the second of two forms."""

Keywords = dict[str, tuple[int, ...] | None]
CALLS: Keywords = {"_": None, "gettext": None, "ngettext": (1, 2)}
# What is raised for players holds its text as the first argument.
RULES: Keywords = dict.fromkeys(("Sentence", "BadPlayers", "IllegalMove", "StoreError", "NoSession"))
SIGHT: Keywords = dict.fromkeys(("Sentence", "BadImage", "CameraError"))
SOURCES: tuple[tuple[str, str, Keywords], ...] = (
    ("web/**/*.py", "python", CALLS | RULES | {"lazy_gettext": None, "mark": None, "said": None, "said_of": (1, 2)}),
    ("scorekeeper/**/*.py", "python", RULES),
    ("vision/**/*.py", "python", SIGHT),
    ("web/templates/**/*.html", "jinja2.ext:babel_extract", CALLS),
    ("web/static/*.js", "javascript", {"t": None, "tn": (1, 2)}),
)
"""Where texts are: files, how they are read, and the calls that hold them."""

NOISE = tuple(f'"{name}:' for name in (
    "Project-Id-Version", "Report-Msgid-Bugs-To", "POT-Creation-Date", "PO-Revision-Date", "Last-Translator",
    "Language-Team", "Generated-By",
))  # fmt: skip
"""Lines of a catalogue's head that say nothing here, or change with every run."""

BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)

PLACE = re.compile(r"%\((\w+)\)[sd]|%%")


def extract(root: Path = ROOT) -> Catalog:
    """All texts of the code, in English."""
    catalog = Catalog(charset="utf-8", fuzzy=False)
    options = {"trimmed": "true", "silent": "false", "parse_template_string": True}
    for pattern, method, keywords in SOURCES:
        for file in sorted(root.glob(pattern)):
            if file.is_relative_to(FOLDER):
                continue
            # It complains about what only programs and the command line are told, in English.
            with redirect_stderr(io.StringIO()):
                texts = list(extract_from_file(method, file, keywords, options=options))
            for _, text, _, _ in texts:
                catalog.add(text, locations=[(file.relative_to(root).as_posix(), 0)])
    return catalog


def path_of(language: str, ending: str = "po") -> Path:
    """Where a language's catalogue is."""
    return FOLDER / language / "LC_MESSAGES" / f"messages.{ending}"


def script_of(language: str) -> Path:
    """Where the texts of the page's scripts are in a language."""
    return ROOT / SCRIPTS / "words" / f"{language}.js"


def load(language: str) -> Catalog:
    """The catalogue of a language as it is kept."""
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language, charset="utf-8")


def updated(language: str, template: Catalog) -> Catalog:
    """The catalogue of a language with just the texts of the template; new ones are not translated."""
    kept = load(language) if path_of(language).exists() else Catalog(language)
    fresh = Catalog(language, header_comment="# The texts of dicescribe.", charset="utf-8", fuzzy=False)
    fresh.creation_date = fresh.revision_date = BEGINNING  # the same texts make the same files
    fresh.mime_headers = [("Plural-Forms", f"nplurals=2; plural={PLURALS[language]};")]
    for message in template:
        if message.id:
            known = kept.get(_key(message))
            string = known.string if known is not None and known.pluralizable == message.pluralizable else None
            fresh.add(message.id, string, locations=message.locations, flags=message.flags)
    return fresh


def po_text(catalog: Catalog) -> bytes:
    """The catalogue as the file that people edit. Places carry no line numbers: they would change with every edit."""
    out = io.BytesIO()
    write_po(out, catalog, width=110, include_lineno=False)
    lines = out.getvalue().decode().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(NOISE)).encode()


def mo_data(catalog: Catalog) -> bytes:
    """The catalogue as the server reads it."""
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def script_text(catalog: Catalog) -> str:
    """The texts of the page's scripts, as a script that gives them by their English; plurals by that of one."""
    texts = {
        _key(message): message.string
        for message in catalog
        if message.id and _whole(message) and any(place.startswith(SCRIPTS) for place, _ in message.locations)
    }
    return f"export default {json.dumps(texts, ensure_ascii=False, indent=1)};\n"


def problems(catalog: Catalog) -> Iterator[str]:
    """What is wrong with a catalogue's translations: each with the text that it is about."""
    for message in catalog:
        if not message.id:
            continue
        strings, texts = _forms(message.string), _forms(message.id)
        places = set(PLACE.findall(texts[-1]))
        if not _whole(message):
            yield f"not translated: {texts[0]}"
        elif message.fuzzy:
            yield f"only guessed: {texts[0]}"
        elif set(PLACE.findall(strings[-1])) != places or not set(PLACE.findall(strings[0])) <= places:
            yield f"other places: {texts[0]}"


def _forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    return (text or "",) if text is None or isinstance(text, str) else tuple(text)


def _key(message: Message) -> str:
    return _forms(message.id)[0]


def _whole(message: Message) -> bool:
    return all(_forms(message.string))


def main() -> int:
    """Bring all catalogues up to date; 1 if something is not translated."""
    template = extract()
    wrong = 0
    for language in PLURALS:
        catalog = updated(language, template)
        path_of(language).parent.mkdir(parents=True, exist_ok=True)
        script_of(language).parent.mkdir(exist_ok=True)
        path_of(language).write_bytes(po_text(catalog))
        path_of(language, "mo").write_bytes(mo_data(catalog))
        script_of(language).write_text(script_text(catalog), encoding="utf-8")
        found = list(problems(catalog))
        sys.stdout.write("".join(f"{language}: {problem}\n" for problem in found))
        wrong += len(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
