"""An installed wheel works outside the checkout, with everything it needs on board."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Folder into which the project's wheel was unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(installed, tmp_path, *command):
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONWARNINGS": "error"}
    return subprocess.run(
        [sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )


def test_it_holds_the_four_rooms_and_nothing_else(installed):
    rooms = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert rooms == {"app", "pipelines", "models", "assets"}


def test_it_is_what_is_imported(installed, tmp_path):
    code = "import app, pipelines, models; print(app.__file__, pipelines.__file__, models.__file__)"
    done = run(installed, tmp_path, "-c", code)
    assert done.returncode == 0, done.stderr
    assert all(path.startswith(str(installed)) for path in done.stdout.split())


def test_its_models_are_on_board_and_intact(installed, tmp_path):
    done = run(installed, tmp_path, "-m", "app", "models", "verify")
    assert done.returncode == 0, done.stderr
    assert "face_mesh" in done.stdout


def test_it_analyses_the_demo_clip(installed, tmp_path):
    done = run(installed, tmp_path, "-m", "app", "screenshot", "demo", "-o", "shot.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "shot.png").stat().st_size > 100_000


def test_the_version_is_told(installed, tmp_path):
    done = run(installed, tmp_path, "-m", "app", "--version")
    assert done.stdout.startswith("twinlens 0.")


def test_licences_travel_with_the_weights(installed):
    (info,) = installed.glob("*.dist-info")
    names = {path.name for path in info.rglob("*") if path.is_file()}
    assert "LICENSE" in names
    assert (installed / "models" / "LICENSES.md").is_file()
