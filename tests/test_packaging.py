"""What is in the wheel, and what installing it brings along."""

import subprocess
import sys
import zipfile
from email.parser import BytesParser
from pathlib import Path

import pytest

import models
from scorekeeper.advice.ship import shipped, shipped_solo
from scorekeeper.advice.tables import file_name

PACKAGES = ("vision", "scorekeeper", "models", "web")


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, made from the source distribution as an installer would."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = folder.glob("*.whl")
    return zipfile.ZipFile(file)


def test_the_wheel_holds_the_packages_and_nothing_else(root: Path, wheel: zipfile.ZipFile) -> None:
    wanted = {
        file.relative_to(root).as_posix()
        for package in PACKAGES
        for file in (root / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert held == {name for name in wanted if not name.startswith("models/training/")}


@pytest.mark.parametrize(
    "part",
    [
        f"models/{models.DEFAULT}/config.json",
        "vision/palette.json",
        f"models/{models.DEFAULT}/README.md",
        f"models/{models.DEFAULT}/metrics.json",
        f"models/{models.DEFAULT}/locator.onnx",
        f"models/{models.DEFAULT}/reader.onnx",
        "models/CHANGELOG.md",
        "web/templates/sheet.html",
        "web/static/app.css",
        "web/static/words/fr.js",
        "web/translations/fr/LC_MESSAGES/messages.mo",
        "vision/py.typed",
        *(f"scorekeeper/advice/shipped/{file_name(key)}" for key in (*shipped(), shipped_solo()[0])),
    ],
)
def test_what_is_no_code_is_in_the_wheel_too(part: str, wheel: zipfile.ZipFile) -> None:
    """An ignored file would silently be left out."""
    assert wheel.getinfo(part).file_size > 0 or part.endswith("py.typed")


def test_installing_brings_no_training_and_no_test_tools(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    metadata = BytesParser().parsebytes(wheel.read(name))
    required = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    names = {line.split(">")[0].split("=")[0].split("<")[0].strip() for line in required}
    assert names == {
        "babel", "cryptography", "flask", "flask-babel",
        "numpy", "onnxruntime", "opencv-python", "pillow", "pillow-heif",
        "platformdirs", "segno", "tqdm", "waitress",
    }  # fmt: skip
    assert metadata["License-Expression"] == "MIT"


def test_the_command_is_there(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt"))
    assert "dicescribe = web.cli:main" in wheel.read(name).decode()
