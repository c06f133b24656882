"""What a browser needs to keep the page: the manifest, the icons as they are drawn, and the service worker's files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from web.serving import icons
from web.serving.install import STATIC, shell

TEMPLATES = Path(icons.__file__).parents[1] / "templates"


def _manifest(client: FlaskClient, **headers: str) -> dict[str, Any]:
    answer = client.get("/manifest.webmanifest", headers=headers)
    assert answer.mimetype == "application/manifest+json"
    manifest = answer.json
    assert isinstance(manifest, dict)
    return manifest


def test_the_manifest_says_what_is_needed_to_install_the_page(client: FlaskClient) -> None:
    manifest = _manifest(client)
    assert {"name", "short_name", "start_url", "scope", "theme_color", "background_color"} <= set(manifest)
    assert manifest["display"] == "standalone"
    purposes = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= purposes
    for icon in manifest["icons"]:
        answer = client.get(icon["src"], buffered=True)
        assert answer.mimetype == icon["type"]
        if icon["type"] == "image/png":
            picture = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_UNCHANGED)
            assert picture is not None
            assert "x".join(map(str, picture.shape[1::-1])) == icon["sizes"]


def test_the_manifest_speaks_the_language_that_is_asked_for(client: FlaskClient) -> None:
    assert [_manifest(client, **{"Accept-Language": tag})["lang"] for tag in ("fr-CH", "it", "xx")] == [
        "fr",
        "it",
        "en",
    ]


@pytest.mark.parametrize("name", icons.ICONS)
def test_the_icons_are_as_the_command_draws_them(name: str) -> None:
    side, full = icons.ICONS[name]
    kept = cv2.imread(str(icons.FOLDER / name), cv2.IMREAD_UNCHANGED)
    assert kept is not None, "run: python -m web.serving.icons"
    drawn = icons.draw(side, full)
    assert kept.shape == drawn.shape == (side, side, 4)
    assert np.abs(kept.astype(int) - drawn).max() <= 2, "run: python -m web.serving.icons"
    # A die: the felt's colour at its middle's side, a pip in its middle, nothing at the corner unless it is full.
    assert drawn[side // 2, side // 2, :3].tolist() == list(icons.PIP)
    assert drawn[side // 2, side // 4, :3].tolist() == list(icons.FELT)
    assert drawn[0, 0, 3] == (255 if full else 0)


def test_all_icons_are_in_the_folder(tmp_path: Path) -> None:
    icons.write(tmp_path / "icons")
    assert {file.name for file in (tmp_path / "icons").iterdir()} == {file.name for file in icons.FOLDER.iterdir()}


def _shell(client: FlaskClient) -> dict[str, Any]:
    answer = client.get("/sw.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    found = re.match(r"self\.SHELL = (\{.*?\});\n", answer.text)
    assert found is not None
    kept = json.loads(found[1])
    assert isinstance(kept, dict)
    return kept


def test_the_service_worker_keeps_every_file_that_a_page_may_need(client: FlaskClient) -> None:
    kept = _shell(client)
    for file in kept["files"]:
        assert client.get(file, buffered=True).status_code == 200, file
    named = {
        name
        for page in TEMPLATES.glob("*.html")
        for name in re.findall(r"/static/([\w./-]+\.\w+)|filename='([\w./-]+\.\w+)'", page.read_text(encoding="utf-8"))
    }
    assert {f"/static/{direct or asked}" for direct, asked in named} <= set(kept["files"])
    assert not any("/api/" in file or "sw.js" in file for file in kept["files"])


def test_another_content_of_any_file_is_another_version(tmp_path: Path, client: FlaskClient) -> None:
    assert _shell(client)["version"] == f"{shell(STATIC)[1]} en"
    versions = []
    for number, (name, text) in enumerate([("a.js", "1"), ("a.js", "2"), ("b.js", "2")]):
        folder = tmp_path / str(number)
        (folder / "deep").mkdir(parents=True)
        (folder / "sw.js").write_text(str(number))
        (folder / "deep" / name).write_text(text)
        assert shell(folder)[0] == (f"deep/{name}",)
        versions.append(shell(folder)[1])
    assert len(set(versions)) == 3


def test_only_who_has_joined_is_given_something_to_keep(client: FlaskClient) -> None:
    elsewhere: dict[str, Any] = {"REMOTE_ADDR": "192.0.2.7"}
    asked = client.get("/", environ_base=elsewhere)
    assert asked.status_code == 403
    assert "manifest" not in asked.text
    assert "install.js" not in asked.text
    assert 'rel="manifest"' in client.get("/").text
    assert client.get("/sw.js", environ_base=elsewhere).status_code == 403


def test_the_last_word_holds_no_secret_and_may_be_kept(client: FlaskClient) -> None:
    answer = client.get("/away")
    assert "does not answer" in answer.text
    assert "worker-src 'self'" in answer.headers["Content-Security-Policy"]
