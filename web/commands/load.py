"""`dicescribe bench --load`: a full table at a real server, and how long its answers take."""

from __future__ import annotations

import http.client
import json
import random
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import cv2
import numpy as np

from vision.types import Frame
from web.commands.bench import composed, throws

PHONES, TABLES, PLAYERS = 50, 5, 8
PHOTOS_A_SECOND = 10.0
SENDERS = 40  # photos under way at once, at the most
CHANGE_SECONDS = 2.0  # between two changes of a table's sheet: a roll, or a score
ASK_SECONDS = 1.5  # between two questions of a phone that is not told
PHOTO = (4000, 3000)
QUALITY, GRAIN = 88, 8  # of a phone's JPEG; a camera's noise, without which it would be far smaller
SENT, SENT_QUALITY = (2560, 1920), 90  # what the page makes of it before it sends it, see static/smaller.js
PHOTOS = 8  # different ones, over and over
SECONDS = 60.0  # to a minute
WARM = 5.0  # seconds that do not count: networks are opened, processes started
TIMEOUT = 60.0


def load(minutes: float, *, as_json: bool) -> None:
    """Measure and print: photos as the page sends them, and then the originals. Raises BadUse without the samples."""
    sent, originals = photos()
    figures = measured(minutes, sent, SENT)
    figures["originals"] = measured(minutes, originals, PHOTO)
    if as_json:
        print(json.dumps(figures))
    else:
        print("\n".join([*table(figures), "", *table(figures["originals"])]))


def photos() -> tuple[list[bytes], list[bytes]]:
    """JPEGs of the samples, as the page sends them, and as a phone's camera writes them.

    Raises BadUse where the samples are not here.
    """
    dice = np.random.default_rng(0)
    sent, originals = [], []
    for sample in throws()[:PHOTOS]:
        taken = _taken(composed(sample, *PHOTO), dice)
        originals.append(_jpeg(taken, QUALITY))
        sent.append(_jpeg(np.asarray(cv2.resize(taken, SENT, interpolation=cv2.INTER_AREA), np.uint8), SENT_QUALITY))
    return sent, originals


def _taken(frame: Frame, dice: np.random.Generator) -> Frame:
    grain = dice.integers(-GRAIN, GRAIN, frame.shape[:2], np.int16)[:, :, None]
    return np.asarray(np.clip(frame + grain, 0, 255), np.uint8)


def _jpeg(frame: Frame, quality: int) -> bytes:
    return cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


class Measured:
    """What all phones together have seen: seconds of answers of each kind, and what went wrong."""

    def __init__(self) -> None:
        self.counts = threading.Event()
        self.over = threading.Event()
        self.took: dict[str, list[float]] = {"pages": [], "photos": []}
        self.wrong: Counter[str] = Counter()
        self.listening = 0
        self._lock = threading.Lock()

    def took_so_long(self, kind: str, seconds: float) -> None:
        if self.counts.is_set():
            with self._lock:
                self.took[kind].append(seconds)

    def failed(self, what: str) -> None:
        if not self.over.is_set():
            with self._lock:
                self.wrong[what] += 1

    def listens(self, more: int) -> None:
        with self._lock:
            self.listening += more


class Phone:
    """One browser: a line that is kept open, and what it asks on it."""

    def __init__(self, port: int, seen: Measured) -> None:
        self._port, self._seen = port, seen
        self._line = self._open()

    def _open(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT)

    def ask(self, kind: str, method: str, path: str, body: bytes | None = None, since: float = 0.0) -> bytes:
        """The answer's body; `since`: when it was wanted, if that was earlier."""
        began = since or perf_counter()
        headers = {"X-Dicescribe": "1"}
        if body is not None:
            headers["Content-Type"] = "image/jpeg" if kind == "photos" else "application/json"
        try:
            self._line.request(method, path, body, headers)
            answer = self._line.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException) as problem:
            self._seen.failed(f"{kind}: {type(problem).__name__}")
            self._line.close()
            self._line = self._open()
            return b""
        if answer.status >= 400:
            self._seen.failed(f"{kind}: {answer.status}")
        else:
            self._seen.took_so_long(kind, perf_counter() - began)
        return data

    def close(self) -> None:
        self._line.close()

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        data = self.ask("pages", "POST", f"/api/v1{path}", json.dumps(body).encode())
        answer: dict[str, Any] = json.loads(data or b"{}")
        return answer


def measured(minutes: float, pictures: list[bytes], size: tuple[int, int]) -> dict[str, Any]:
    """Phones that listen, games that are played, photos (of this size) that come: the figures of so many minutes."""
    seen = Measured()
    with _server() as (process, port):
        starter, phones = Phone(port, seen), [Phone(port, seen) for _ in range(PHONES + TABLES + SENDERS)]
        names = ["Ana", "Bo", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo"][:PLAYERS]
        tables = [starter.post("/sessions", {"game": "yams", "players": names})["id"] for _ in range(TABLES)]
        free = iter(phones)
        threads = [
            *(_thread(_listen, next(free), port, tables[number % TABLES], seen) for number in range(PHONES)),
            *(_thread(_play, next(free), session, random.Random(session), seen) for session in tables),
            _thread(_send, list(free), pictures, seen),
        ]
        for thread in threads:
            thread.start()
        seen.over.wait(WARM)
        seen.counts.set()
        memory = [_memory(process.pid)]
        for _ in range(2):
            seen.over.wait(SECONDS * minutes / 2)
            memory.append(_memory(process.pid))
        listening = seen.listening
        seen.over.set()
    for thread in threads:  # the server has gone, and with it whatever they waited for
        thread.join(TIMEOUT)
    for phone in (starter, *phones):
        phone.close()
    return {
        "phones": PHONES,
        "listening": listening,
        "photo_px": size,
        "photo_mb": round(sum(map(len, pictures)) / len(pictures) / 1e6, 2),
        **{kind: _spread(took) for kind, took in seen.took.items()},
        "wrong": dict(seen.wrong),
        "memory_mb": memory,
    }


def table(figures: dict[str, Any]) -> list[str]:
    """The figures in words."""
    lines = [f"{figures['phones']} phones, of which {figures['listening']} are told of each change"]
    for kind in ("pages", "photos"):
        spread = figures[kind]
        each = " of {} x {} pixels, {} MB".format(*figures["photo_px"], figures["photo_mb"])
        of = each if kind == "photos" else ""
        times = "{answers} answers, {p50_ms} ms in the middle, {p95_ms} ms at 95 %, {most_ms} ms at most"
        lines.append(f"{kind}{of}: {times.format_map(spread) if spread['answers'] else 'no answers'}")
    if None not in figures["memory_mb"]:
        lines.append("memory of the server, all its processes, in MB: {} at first, {} halfway, {} at the end".format(
            *figures["memory_mb"]
        ))  # fmt: skip
    wrong = ", ".join(f"{count} x {what}" for what, count in figures["wrong"].items())
    lines.append(f"went wrong: {wrong or 'nothing'}")
    return lines


def _thread(what: Callable[..., None], *arguments: Any) -> threading.Thread:
    return threading.Thread(target=what, args=arguments, daemon=True)


def _listen(phone: Phone, port: int, session: str, seen: Measured) -> None:
    """Show the sheet, and show it again at each change; where there is no place to be told, ask now and then."""
    phone.ask("pages", "GET", f"/sessions/{session}")
    while not seen.over.is_set():
        with suppress(OSError, http.client.HTTPException, ValueError):
            for _ in _changes(port, session, seen):
                phone.ask("pages", "GET", f"/sessions/{session}/sheet?shown=0")
                if seen.over.is_set():
                    return
        seen.over.wait(ASK_SECONDS)
        phone.ask("pages", "GET", f"/sessions/{session}/sheet?shown=0")


def _changes(port: int, session: str, seen: Measured) -> Iterator[None]:
    """An item for each change that is told, until the line ends."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    try:
        line.request("GET", f"/api/v1/sessions/{session}/events")
        answer = line.getresponse()
        if answer.status != 200:
            return
        seen.listens(1)
        try:
            while said := answer.readline():
                if said.startswith(b"data:"):
                    yield
        finally:
            seen.listens(-1)
    finally:
        line.close()


def _play(phone: Phone, session: str, dice: random.Random, seen: Measured) -> None:
    """One change after the other, as players make them; undone at the game's end, so that it goes on."""
    path = f"/sessions/{session}"
    while not seen.over.wait(CHANGE_SECONDS * dice.uniform(0.5, 1.5)):
        state = json.loads(phone.ask("pages", "GET", f"/api/v1{path}") or b"{}")
        if "seq" not in state:
            continue
        turn, seq = state["turn"], state["seq"]
        if turn is None:
            phone.post(f"{path}/undo", {"seq": seq})
        elif turn["roll"] == 0:
            phone.post(f"{path}/rolls", {"seq": seq, "dice": [dice.randint(1, 6) for _ in range(5)]})
        elif turn["options"]:
            phone.post(f"{path}/scores", {"seq": seq, "box": dice.choice(turn["options"])["box"]})
        else:
            phone.post(f"{path}/scores", {"seq": seq, "box": dice.choice(turn["scratches"]), "scratch": True})


def _send(phones: list[Phone], pictures: list[bytes], seen: Measured) -> None:
    """Photos at a steady pace, however long they take: what waits here for a free line counts as waiting."""

    def send(picture: bytes, wanted: float) -> None:
        phone = phones.pop()
        phone.ask("photos", "POST", "/api/v1/read?expect=5", picture, wanted)
        phones.append(phone)

    with ThreadPoolExecutor(SENDERS) as pool:
        began, number = perf_counter(), 0
        while not seen.over.wait(max(0.0, began + number / PHOTOS_A_SECOND - perf_counter())):
            pool.submit(send, pictures[number % len(pictures)], began + number / PHOTOS_A_SECOND)
            number += 1
        pool.shutdown(cancel_futures=True)


@contextmanager
def _server() -> Iterator[tuple[subprocess.Popen[str], int]]:
    with tempfile.TemporaryDirectory() as folder:
        serve = [sys.executable, "-u", "-m", "web.cli", "serve", "--host", "127.0.0.1", "--port", "0"]
        command = [*serve, "--db", str(Path(folder, "load.db"))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                port = re.search(r":(\d+)/", process.stdout.readline())
                if port is None:
                    raise RuntimeError("the server did not start")
                yield process, int(port[1])
            finally:
                process.terminate()


def _spread(seconds: list[float]) -> dict[str, Any]:
    if not seconds:
        return {"answers": 0, "p50_ms": None, "p95_ms": None, "most_ms": None}
    middle, late, most = np.percentile(seconds, [50, 95, 100])
    return {
        "answers": len(seconds),
        "p50_ms": round(1000 * middle),
        "p95_ms": round(1000 * late),
        "most_ms": round(1000 * most),
    }


def _memory(process: int) -> int | None:
    """MB of a process and of all that it has started, what they share counted once; None where nobody says."""
    try:
        parents = {
            int(entry.parent.name): int(entry.read_text().rpartition(")")[2].split()[1])
            for entry in Path("/proc").glob("[0-9]*/stat")
        }
        family = {process}
        while more := {child for child, parent in parents.items() if parent in family} - family:
            family |= more
        kb = 0
        for one in family:
            rows = Path(f"/proc/{one}/smaps_rollup").read_text()
            kb += next(int(row.split()[1]) for row in rows.splitlines() if row.startswith("Pss:"))
        return round(kb / 1024)
    except OSError:
        return None
