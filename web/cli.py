"""The command line: says what was asked to the parts that do it. See the README for the contract.

Exit codes: 0 fine; 2 bad input or bad use, with one line on stderr; 1 only for a failure of our own. Parts
are imported where they are used, so that `dicescribe score` does not wait for networks nor `read` for a server.
"""

from __future__ import annotations

import argparse
import errno
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn, TextIO

from scorekeeper.dice import Roll, parse_roll
from scorekeeper.errors import BadRoll, RuleError, StoreError
from scorekeeper.rulebooks import GAMES, make_game
from web.errors import BadUse, one_line
from web.words.names import row_name

FINE, BAD = 0, 2
INTERRUPTED = 130  # what a shell expects after Ctrl-C
STDIN = "-"
# How writing fails without any fault of ours.
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        raise BadUse(f"{message[:1].upper()}{message[1:]}. See {self.prog} --help.")


class _Version(argparse.Action):
    """Prints the version; only then is it looked up, which takes as long as a whole `score`."""

    def __call__(self, *_: object) -> NoReturn:
        from importlib.metadata import version

        print("dicescribe", version("dicescribe"))
        sys.exit(FINE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    _prepare_streams()
    try:
        options = _parser().parse_args(arguments)
        run: Callable[[argparse.Namespace], int] = options.run
        code = run(options)
        sys.stdout.flush()
    except (BadUse, RuleError, StoreError) as problem:
        _say(str(problem))
        return BAD
    except BrokenPipeError:
        # Whoever read our lines has seen enough.
        _mute(sys.stdout)
        return FINE
    except OSError as problem:
        if problem.errno not in NO_ROOM:
            raise
        _mute(sys.stdout)
        _say(f"The output can't be written: {problem.strerror}.")
        return BAD
    except KeyboardInterrupt:
        return INTERRUPTED
    except ImportError as problem:
        # A library in C that was being loaded says that of a Ctrl-C.
        if not isinstance(problem.__cause__, KeyboardInterrupt):
            raise
        return INTERRUPTED
    return code


def _prepare_streams() -> None:
    """All three streams are there afterwards, and nothing that they carry makes them fail."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever called us
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a file's name may hold bytes that are no text
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):  # -sig: editors may mark a file as text at its beginning
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="backslashreplace")


def _mute(stream: TextIO) -> None:
    """Nothing more is written, at the exit neither."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _say(message: str) -> None:
    try:
        print(f"dicescribe: {one_line(message)}", file=sys.stderr)
    except OSError:  # nobody can be told; the exit code still says it
        _mute(sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser("dicescribe", description="Reads a throw of real dice from a photo and keeps the score.")
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)

    read = commands.add_parser("read", help="read the dice of photos")
    read.add_argument("photos", nargs="+", metavar="PHOTO", help="a JPEG, PNG, WebP or HEIC; - for stdin")
    read.add_argument("--json", action="store_true", help="a JSON object a line")
    read.add_argument("--annotate", type=Path, metavar="DIR", help="put the pictures there, dice outlined")
    read.add_argument("--expect", type=_whole(0, 100), metavar="N", help="how many dice were thrown")
    read.add_argument("--threads", type=_whole(1, 256), metavar="N", help="how many CPU cores to use")
    read.set_defaults(run=_read)

    score = commands.add_parser("score", help="what each box of an empty sheet would score")
    _game(score)
    score.add_argument("dice", nargs="+", metavar="DICE", help="five numbers; - reads a roll a line from stdin")
    score.set_defaults(run=_score)

    advise = commands.add_parser("advise", help="what to do under perfect play, and what it is worth")
    _game(advise)
    asked = advise.add_mutually_exclusive_group(required=True)
    asked.add_argument("--start", action="store_true", help="what a fresh game is worth to one player")
    asked.add_argument("position", nargs="?", metavar="POSITION", help="a JSON object; - reads one a line from stdin")
    advise.set_defaults(run=_advise)

    watch = commands.add_parser("watch", help="follow the dice in front of a camera or in a film, roll by roll")
    watch.add_argument(
        "source", metavar="SOURCE", help="a camera's number or name, a film's file, or a stream's address"
    )
    watch.add_argument("--json", action="store_true", help="a JSON object a line")
    watch.add_argument("--expect", type=_whole(1, 100), default=5, metavar="N", help="how many dice are thrown (5)")
    watch.add_argument("--record", type=Path, metavar="DIR", help="keep the pictures of each roll there")
    watch.set_defaults(run=_watch)

    cameras = commands.add_parser("cameras", help="the cameras of this computer")
    cameras.add_argument("--json", action="store_true", help="a JSON object a line")
    cameras.set_defaults(run=_cameras)

    serve = commands.add_parser("serve", help="the page for everybody at the table")
    serve.add_argument("--host", metavar="H", help="the address to listen on (all)")
    serve.add_argument("--port", type=_whole(0, 65535), default=8000, metavar="P", help="the port (8000)")
    serve.add_argument("--threads", type=_whole(1, 256), metavar="N", help="how many CPU cores to read a photo with")
    serve.add_argument("--camera", metavar="SOURCE", help="this computer's camera, by which games can be followed")
    serve.add_argument("--https", action="store_true", help="speak https, which phones want for their live camera")
    _database(serve)
    serve.set_defaults(run=_serve)

    games = commands.add_parser("games", help="the games of the database")
    kinds = games.add_subparsers(metavar="WHAT", required=True, parser_class=_Parser)
    listing = kinds.add_parser("list", help="all games, the one changed last first")
    listing.add_argument("--json", action="store_true", help="a JSON object a line")
    listing.set_defaults(run=_list)
    show = kinds.add_parser("show", help="the sheet of a game")
    show.add_argument("session", metavar="ID")
    show.add_argument("--json", action="store_true", help="its state as a JSON object")
    show.set_defaults(run=_show)
    stats = kinds.add_parser("stats", help="what all finished games add up to")
    stats.add_argument("--json", action="store_true", help="a JSON object")
    stats.set_defaults(run=_stats)
    export = kinds.add_parser("export", help="games as JSON (everything) or CSV (the scores), to stdout")
    export.add_argument("sessions", nargs="*", metavar="ID", help="which games (all)")
    export.add_argument("--format", choices=("json", "csv"), default="json", help="json")
    export.set_defaults(run=_export)
    importing = kinds.add_parser("import", help="put back games that were exported as JSON")
    importing.add_argument("file", metavar="FILE", help="- for stdin")
    importing.set_defaults(run=_import)
    delete = kinds.add_parser("delete", help="remove games for good")
    delete.add_argument("sessions", nargs="+", metavar="ID")
    delete.set_defaults(run=_delete)
    for kind in (listing, show, stats, export, importing, delete):
        _database(kind)

    bench = commands.add_parser("bench", help="how fast, and with labelled photos how well, this machine reads")
    bench.add_argument("--json", action="store_true", help="a JSON object")
    bench.add_argument("--photos", type=Path, metavar="INDEX", help="labelled photos: an index.jsonl")
    bench.add_argument("--split", metavar="NAME", help="only the photos of this split of the index")
    bench.add_argument("--beside", type=Path, metavar="ONNX", help="a network that takes 640 x 640, to compare with")
    bench.add_argument("--clips", type=Path, metavar="INDEX", help="instead: follow labelled films, an index.jsonl")
    bench.add_argument("--load", action="store_true", help="instead: a full table's phones, and photos in two sizes")
    bench.add_argument("--minutes", type=_whole(1, 6000), metavar="M", help="films over and over, or load, so long")
    bench.add_argument("--games", type=_whole(1, 100_000), metavar="N", help="instead: the pages of N finished games")
    bench.set_defaults(run=_bench)
    return parser


def _game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", required=True, metavar="ID", help=", ".join(GAMES))
    parser.add_argument(
        "--option", action="append", default=[], type=_setting, metavar="NAME=VALUE", help="may be repeated"
    )
    parser.add_argument("--json", action="store_true", help="a JSON object a line")


def _database(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--db", type=Path, metavar="FILE", help="the database (in your data folder)")


def _whole(least: int, most: int) -> Callable[[str], int]:
    def whole(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 9 and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")
        return int(text)

    return whole


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def _read(options: argparse.Namespace) -> int:
    from web.commands.read import read_photos

    problems = read_photos(
        options.photos,
        as_json=options.json,
        annotated=options.annotate,
        expect=options.expect,
        threads=options.threads,
    )
    if len(problems) > 1:
        _say(f"{len(problems)} of {len(options.photos)} photos were not read; the first: {problems[0]}")
    elif problems:
        _say(problems[0])
    return BAD if problems else FINE


def _score(options: argparse.Namespace) -> int:
    game = make_game(options.game, dict(options.option))
    word = "boxes" if game.stock(game.start(game.players[0])) is None else "chips"
    many = options.dice == [STDIN]
    for roll in _rolls(sys.stdin) if many else [parse_roll(" ".join(options.dice))]:
        points = game.points(roll)
        dice = " ".join(map(str, roll))
        if options.json:
            print(json.dumps({"dice": roll, word: points}))
        elif many:
            print(f"{dice}:", ", ".join(f"{row_name(box)} {n}" for box, n in points.items()) or "nothing")
        else:
            print(dice)
            for box, n in points.items():
                print(f"  {row_name(box):<16}{n:>4}")
            if not points:
                print("  wins no chip")
    return FINE


def _rolls(lines: Iterator[str]) -> Iterator[Roll]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield parse_roll(line)
            except BadRoll as problem:
                raise BadRoll(f"Line {number}: {problem}") from problem


def _advise(options: argparse.Namespace) -> int:
    from web.commands.advise import advise_lines, advise_one, advise_start

    chosen = dict(options.option)
    if options.start:
        advise_start(options.game, chosen, as_json=options.json)
    elif options.position != STDIN:
        advise_one(options.position, options.game, chosen, as_json=options.json)
    else:
        problems = advise_lines(sys.stdin, options.game, chosen, as_json=options.json)
        if problems:
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            _say(problems[0] + more)
            return BAD
    return FINE


def _watch(options: argparse.Namespace) -> int:
    from web.commands.watch import watch

    watch(options.source, as_json=options.json, expect=options.expect, record=options.record)
    return FINE


def _cameras(options: argparse.Namespace) -> int:
    from web.commands.watch import list_cameras

    list_cameras(sys.stdout, sys.stderr, as_json=options.json)
    return FINE


def _serve(options: argparse.Namespace) -> int:
    from web.serving.server import CannotServe, serve

    try:
        serve(options.host, options.port, options.db, options.threads, options.camera, https=options.https)
    except CannotServe as problem:
        raise BadUse(str(problem)) from problem
    return FINE


def _store(options: argparse.Namespace, *, must_exist: bool = True) -> Any:
    from web.commands.games import open_store
    from web.table import default_database

    return open_store(options.db or default_database(), must_exist=must_exist)


def _list(options: argparse.Namespace) -> int:
    from web.commands.games import list_games

    list_games(_store(options), sys.stdout, as_json=options.json)
    return FINE


def _show(options: argparse.Namespace) -> int:
    from web.commands.games import show_game

    show_game(_store(options), options.session, sys.stdout, as_json=options.json)
    return FINE


def _stats(options: argparse.Namespace) -> int:
    from web.commands.games import show_statistics

    show_statistics(_store(options), sys.stdout, as_json=options.json)
    return FINE


def _export(options: argparse.Namespace) -> int:
    from web.commands.games import export_csv, export_json

    export = export_csv if options.format == "csv" else export_json
    export(_store(options), options.sessions, sys.stdout)
    return FINE


def _import(options: argparse.Namespace) -> int:
    from web.commands.imports import import_games

    try:
        data = sys.stdin.buffer.read() if options.file == STDIN else Path(options.file).read_bytes()
    except OSError as problem:
        raise BadUse(f"{options.file} can't be read: {problem.strerror}.") from problem
    new, known = import_games(_store(options, must_exist=False), data)
    print(f"{len(new)} games put back, {len(known)} were here already.")
    return FINE


def _delete(options: argparse.Namespace) -> int:
    from web.commands.games import delete_games

    delete_games(_store(options), options.sessions)
    return FINE


def _bench(options: argparse.Namespace) -> int:
    instead = [other for other in (options.clips, options.load, options.games) if other]
    if len(instead) > 1 or (instead and (options.photos or options.beside)):
        raise BadUse("--clips, --load and --games each measure something else: name one of them alone.")
    if options.split is not None and options.photos is None:
        raise BadUse("--split goes with --photos: name the index that it is a part of.")
    if options.minutes is not None and options.clips is None and not options.load:
        raise BadUse("--minutes goes with --clips or --load: name the films to play, or the load.")
    if options.clips is not None:
        from web.commands.clips import bench_clips

        bench_clips(options.clips, options.minutes, as_json=options.json)
        return FINE
    if options.load:
        from web.commands.load import load

        load(options.minutes or 1, as_json=options.json)
        return FINE
    if options.games is not None:
        from web.commands.many_games import bench_games

        bench_games(options.games, as_json=options.json)
        return FINE
    from web.commands.bench import bench

    bench(options.photos, options.split, options.beside, as_json=options.json)
    return FINE


if __name__ == "__main__":
    sys.exit(main())
