"""Who may import whom, and what may be in the repository at all."""

import ast
import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("vision", "scorekeeper", "models", "web")
LARGEST = 20 * 2**20

PICTURES = {"PIL", "pillow_heif"}
MAY_IMPORT = {
    "scorekeeper": {"numpy"},
    "models": set[str](),
    "vision": {"models", "numpy", "cv2", "onnxruntime"} | PICTURES,
    "web": {
        "vision", "scorekeeper", "models", "numpy", "cv2",
        "flask", "flask_babel", "babel",
        "jinja2", "markupsafe", "werkzeug", "waitress", "cryptography", "segno", "platformdirs", "tqdm",
    },
    "models.training": {"vision", "numpy", "cv2", "torch", "onnx", "tqdm", "bpy", "mathutils", "pybullet"},
}  # fmt: skip
"""Beside itself and the standard library. Training is in none of them: nobody imports it."""

ONLY_IN = {
    "onnxruntime": {"vision/network.py"},
    "sqlite3": {"scorekeeper/store.py", "scorekeeper/migrations.py"},
    "PIL": {"vision/codecs.py", "vision/png.py"},
    "pillow_heif": {"vision/codecs.py"},
    "waitress": {"web/serving/server.py", "web/serving/tls.py"},
    "cryptography": {"web/serving/certificate.py"},
    "babel": {"web/words/languages.py", "web/words/__init__.py", "web/translations/catalogues.py"},
    "bpy": {"models/training/render/cycles.py"},
    "pybullet": {"models/training/render/clips/physics.py"},
}


def tracked() -> list[Path]:
    """The files of the repository, relative to its root."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [Path(name) for name in listed.stdout.decode().split("\0") if name and (ROOT / name).exists()]


def sources() -> Iterator[Path]:
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            yield file.relative_to(ROOT)


def owner(module: str) -> str:
    """The part of the house that a module belongs to; for a foreign one, its outermost package."""
    return "models.training" if f"{module}.".startswith("models.training.") else module.split(".")[0]


def imports(file: Path) -> Iterator[str]:
    """All modules that a file imports, those of its functions too; `from a import b` may mean the module a.b."""
    package = list(file.with_suffix("").parts[:-1])
    for node in ast.walk(ast.parse((ROOT / file).read_bytes())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{name.name}" for name in node.names)


@pytest.mark.parametrize("file", list(sources()), ids=str)
def test_imports_go_one_way(file: Path) -> None:
    here = owner(".".join(file.with_suffix("").parts))
    for module in imports(file):
        there = owner(module)
        # The renderer runs in an environment of its own, beside modules of its own folder.
        beside = (ROOT / file.parent / f"{there}.py").exists() and here == "models.training"
        if there == here or there in sys.stdlib_module_names or beside:
            continue
        assert there in MAY_IMPORT[here] or (here == "models.training" and there == "models"), (
            f"{file} imports {module}"
        )


@pytest.mark.parametrize("library", ONLY_IN)
def test_some_libraries_have_one_user(library: str) -> None:
    users = {file.as_posix() for file in sources() if any(owner(name) == library for name in imports(file))}
    assert users == ONLY_IN[library]


def test_cameras_have_one_user() -> None:
    """`VideoCapture` is named nowhere else but in the tool that renders films, which looks at what it has written."""
    users = {file.as_posix() for file in sources() if "cv2.VideoCapture" in (ROOT / file).read_text(encoding="utf-8")}
    assert {user for user in users if not user.startswith("models/training/")} == {"vision/camera.py"}


def test_an_import_is_seen_wherever_it_hides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "vision").mkdir()
    (tmp_path / "vision/odd.py").write_text(
        "from . import types\nfrom .read import crop\ndef f():\n    import sqlite3\n    from models import training\n"
    )
    found = set(imports(Path("vision/odd.py")))
    assert found == {"vision.types", "vision.read.crop", "sqlite3", "models.training"}
    assert owner("models.training") == "models.training"


def test_no_file_is_large() -> None:
    large = [str(file) for file in tracked() if (ROOT / file).stat().st_size > LARGEST]
    assert large == []


def test_no_path_of_somebodys_machine() -> None:
    folders = "|".join(("wo" + "rk", "ro" + "ot", "farm", "home/[a-z]+", "Users/[A-Za-z]+"))
    path = re.compile(rf"(?<![\w.~/])/(?:{folders})/")
    found = []
    for file in tracked():
        data = (ROOT / file).read_bytes()
        if b"\0" not in data:
            for number, line in enumerate(data.decode().splitlines(), 1):
                if path.search(line):
                    found.append(f"{file}:{number}: {line.strip()}")
    assert found == []


def test_no_labelled_photo_is_committed(shared: Path) -> None:
    """They are for measuring and training; most have no licence to be passed on."""
    photos = {_sum(photo) for photo in (shared / "photos").rglob("*.jpg")}
    assert len(photos) > 1000
    pictures = [file for file in tracked() if file.suffix.lower() in {".jpg", ".jpeg", ".png", ".webp", ".heic"}]
    assert [str(file) for file in pictures if _sum(ROOT / file) in photos] == []


def _sum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
