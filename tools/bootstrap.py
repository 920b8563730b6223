#!/usr/bin/env python3
"""Set everything up and run the application, its tests, its checks or its benchmarks.

    python3 tools/bootstrap.py run|test|lint|bench|setup [arguments handed on]

`make run` and `make test` call this; on Windows call it directly. It creates `.venv`, installs the locked
dependencies into it when the lock changed, and on Debian and Ubuntu sees to the system libraries that Qt needs: with
root rights it installs them, otherwise it prints the line to type. Needs nothing but Python 3.11 or newer.
"""

from __future__ import annotations

import ctypes.util
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")

# Shared library that Qt loads -> Debian package that holds it.
QT_LIBRARIES = {
    "EGL": "libegl1",
    "GL": "libgl1",
    "xkbcommon-x11": "libxkbcommon-x11-0",
    "xcb-cursor": "libxcb-cursor0",
    "xcb-icccm": "libxcb-icccm4",
    "xcb-keysyms": "libxcb-keysyms1",
    "xcb-image": "libxcb-image0",
    "xcb-render-util": "libxcb-render-util0",
    "xcb-shape": "libxcb-shape0",
    "xcb-xkb": "libxcb-xkb1",
    "dbus-1": "libdbus-1-3",
    "fontconfig": "libfontconfig1",
}


def main() -> int:
    """Do what the first argument says and return the exit status."""
    command, *rest = sys.argv[1:] or ["run"]
    if sys.version_info < (3, 11):
        return restart_with_newer_python()
    if command == "setup":
        install("run")
        return 0
    if command == "run":
        return run(rest)
    if command == "test":
        system_packages(xvfb=True)
        install("test")
        return call(PYTHON, "-m", "pytest", *(rest or in_parallel()))
    if command == "lint":
        install("dev")
        checks = (
            ["ruff", "check", "."],
            ["ruff", "format", "--check", "."],
            ["mypy"],
        )
        return max(call(PYTHON, "-m", *check) for check in checks)
    if command == "bench":
        install("test")
        return call(PYTHON, "-m", "benchmarks", *rest)
    sys.stderr.write(f"bootstrap: unknown command {command!r}: run, test, lint, bench or setup\n")
    return 2


def run(rest: list[str]) -> int:
    """Open the window, or without a display process the demo clip."""
    if has_display():
        system_packages()
        install("run")
        return call(PYTHON, "-m", "app", *rest)
    install("run")
    print("No display: processing the demo clip instead of opening the window.", flush=True)
    return call(PYTHON, "-m", "app", "demo", *rest)


def has_display() -> bool:
    """Whether a window can be shown."""
    if os.name == "nt" or sys.platform == "darwin":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def in_parallel() -> list[str]:
    """Return the arguments that share the whole suite among processes: no more than four, for tests watch the time."""
    workers = min(4, os.cpu_count() or 1)
    # A file's tests stay together: what they share is made once.
    return ["-n", str(workers), "--dist", "loadfile", "--no-loadscope-reorder"] if workers > 1 else []


def restart_with_newer_python() -> int:
    """Hand over to a newer interpreter if one is installed."""
    for minor in (14, 13, 12, 11):
        python = shutil.which(f"python3.{minor}")
        if python:
            return subprocess.call([python, *sys.argv])
    sys.stderr.write(f"Twinlens needs Python 3.11 or newer; this is {sys.version.split()[0]}.\n")
    return 1


def install(lock_name: str) -> None:
    """Create the environment and install the locked packages, unless that was done for this very lock."""
    lock = ROOT / "requirements" / f"{lock_name}.lock"
    digest = hashlib.sha256(lock.read_bytes() + (ROOT / "pyproject.toml").read_bytes()).hexdigest()
    stamp = VENV / f".installed-{lock_name}"
    if PYTHON.exists() and stamp.exists() and stamp.read_text() == digest:
        return
    if not PYTHON.exists():
        create_venv()
    print(f"Installing the packages of requirements/{lock_name}.lock into .venv", flush=True)
    pip = (PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    check(*pip, "--require-hashes", "-r", lock)
    check(*pip, "--no-deps", "--no-build-isolation", "--editable", ROOT)
    stamp.write_text(digest)


def create_venv() -> None:
    """Create `.venv`; Debian keeps what that needs in a package of its own."""
    made = subprocess.run([sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True, check=False)
    if made.returncode == 0:
        return
    shutil.rmtree(VENV, ignore_errors=True)
    if not shutil.which("apt-get"):
        raise SystemExit(f"cannot create .venv: {made.stdout}{made.stderr}")
    apt_install([f"python3.{sys.version_info.minor}-venv"], "Python's venv module is missing.")
    check(sys.executable, "-m", "venv", VENV)


def system_packages(xvfb: bool = False) -> None:
    """Install the system libraries that are missing, or say which."""
    if sys.platform != "linux":
        return
    missing = [package for library, package in QT_LIBRARIES.items() if not ctypes.util.find_library(library)]
    if not list(Path("/usr/share/fonts").rglob("*.ttf")):
        missing.append("fonts-dejavu-core")
    if xvfb and not shutil.which("Xvfb"):
        missing.append("xvfb")
    if missing:
        apt_install(missing, "Qt needs system libraries that are not installed.")


def apt_install(packages: list[str], why: str) -> None:
    """Install Debian packages when root; otherwise print the command and stop."""
    if not shutil.which("apt-get"):
        raise SystemExit(f"{why} Install what your system calls: {' '.join(packages)}")
    if os.geteuid() != 0:
        raise SystemExit(f"{why} Type this line and try again:\n  sudo apt-get install {' '.join(packages)}")
    print(f"{why} Installing: {' '.join(packages)}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = {"env": environment, "stdout": subprocess.DEVNULL}
    install_command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    if subprocess.run(install_command, check=False, stderr=subprocess.DEVNULL, **quiet).returncode != 0:
        # The package list of a fresh machine is empty or old.
        subprocess.run(["apt-get", "update", "-qq"], check=True, **quiet)
        subprocess.run(install_command, check=True, **quiet)


def call(*command: object) -> int:
    """Run a command in the project's root and return its exit status."""
    try:
        return subprocess.call([str(part) for part in command], cwd=ROOT)
    except KeyboardInterrupt:
        return 130


def check(*command: object) -> None:
    """Run a command and stop with its status if it failed."""
    status = call(*command)
    if status:
        raise SystemExit(status)


if __name__ == "__main__":
    raise SystemExit(main())
