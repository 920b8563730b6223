"""The set-up behind `make`: what it installs, what it asks a user to type, and when it does nothing."""

import importlib.util
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def bootstrap(tmp_path, monkeypatch):
    """The module with its environment folder in `tmp_path` and every command recorded instead of run."""
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "tools" / "bootstrap.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "PYTHON", tmp_path / ".venv/bin/python")
    module.commands = []

    def record(*command):
        module.commands.append([str(part) for part in command])
        return 0

    monkeypatch.setattr(module, "call", record)
    return module


def make_venv(module):
    module.PYTHON.parent.mkdir(parents=True)
    module.PYTHON.touch()


def test_a_user_without_root_rights_is_told_the_line_to_type(bootstrap, monkeypatch):
    monkeypatch.setattr(bootstrap.ctypes.util, "find_library", lambda name: None if name == "xcb-cursor" else name)
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 1000)
    with pytest.raises(SystemExit, match="sudo apt-get install libxcb-cursor0"):
        bootstrap.system_packages()


def test_nothing_is_installed_when_nothing_is_missing(bootstrap, monkeypatch):
    monkeypatch.setattr(bootstrap.ctypes.util, "find_library", lambda name: name)
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(bootstrap.Path, "rglob", lambda self, pattern: [Path("a.ttf")])
    monkeypatch.setattr(bootstrap, "apt_install", lambda *_: pytest.fail("there was nothing to install"))
    bootstrap.system_packages(xvfb=True)


def test_root_installs_after_renewing_the_package_list(bootstrap, monkeypatch):
    ran = []

    def fake_run(command, **_):
        ran.append(command)
        return subprocess.CompletedProcess(command, 100 if len(ran) == 1 else 0)

    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(bootstrap.os, "geteuid", lambda: 0)
    monkeypatch.setattr(bootstrap.subprocess, "run", fake_run)
    bootstrap.apt_install(["libegl1"], "why")
    assert [command[1] for command in ran] == ["install", "update", "install"]
    assert ran[2][-1] == "libegl1"


def test_an_environment_is_filled_once_for_a_lock(bootstrap):
    make_venv(bootstrap)
    bootstrap.install("run")
    assert ["--require-hashes" in command for command in bootstrap.commands] == [True, False]
    bootstrap.install("run")
    assert len(bootstrap.commands) == 2


def test_a_changed_lock_is_installed_again(bootstrap):
    make_venv(bootstrap)
    bootstrap.install("run")
    (bootstrap.VENV / ".installed-run").write_text("another lock")
    bootstrap.install("run")
    assert len(bootstrap.commands) == 4


def test_without_a_display_the_demo_runs(bootstrap, monkeypatch, capsys):
    make_venv(bootstrap)
    monkeypatch.setattr(bootstrap, "has_display", lambda: False)
    assert bootstrap.run([]) == 0
    assert bootstrap.commands[-1][-3:] == ["-m", "app", "demo"]
    assert "No display" in capsys.readouterr().out


def test_with_a_display_the_window_opens(bootstrap, monkeypatch):
    make_venv(bootstrap)
    monkeypatch.setattr(bootstrap, "has_display", lambda: True)
    monkeypatch.setattr(bootstrap, "system_packages", lambda: None)
    assert bootstrap.run([]) == 0
    assert bootstrap.commands[-1][-2:] == ["-m", "app"]


@pytest.mark.parametrize("lock", ["run", "test", "dev"])
def test_locks_carry_hashes_and_no_addresses(lock):
    text = (ROOT / "requirements" / f"{lock}.lock").read_text()
    assert "--hash=sha256:" in text
    assert "://" not in text
    assert "opencv-python-headless==" in text
    assert "opencv-python==" not in text


@pytest.mark.parametrize(("cores", "expected"), [(1, []), (2, ["-n", "2"]), (32, ["-n", "4"])])
def test_the_whole_suite_is_shared_among_processes(bootstrap, monkeypatch, cores, expected):
    monkeypatch.setattr(bootstrap.os, "cpu_count", lambda: cores)
    assert bootstrap.in_parallel()[:2] == expected
