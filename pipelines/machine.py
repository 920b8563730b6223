"""What machine this is: the context without which a figure means nothing."""

from __future__ import annotations

import functools
import os
import platform
import re
import sys
from pathlib import Path

from pipelines.version import __version__

APP = f"twinlens {__version__}"


@functools.cache
def cpu_name() -> str:
    """Trade name of the processor, or its architecture where the system does not tell."""
    name = ""
    if sys.platform == "linux":
        try:
            match = re.search(r"^(?:model name|Model)\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
        except OSError:
            match = None
        name = match.group(1) if match else ""
    elif sys.platform == "darwin":
        import subprocess

        try:
            name = subprocess.run(
                ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"],
                capture_output=True,
                text=True,
                timeout=5,
                check=False,
            ).stdout
        except (OSError, subprocess.TimeoutExpired):
            name = ""
    else:
        name = platform.processor()
    return name.strip() or platform.machine()


def cores() -> int:
    """Processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def package_version(distribution: str) -> str | None:
    """Version of an installed distribution, None when it is not installed."""
    from importlib import metadata  # it imports what the window does not need to open

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def installed(beginning: str) -> dict[str, str]:
    """Return the versions of what is installed, by normalised name ("onnxruntime-ep-webgpu").

    From the names of the folders that describe it (PyPA, "Recording installed projects"). To read what they hold, as
    `importlib.metadata` does to know a name, takes a tenth of the time in which the window opens.

    Parameters
    ----------
    beginning : str
        How the names begin.
    """
    found: dict[str, str] = {}
    for folder in sys.path:
        for path in Path(folder).glob("*.dist-info"):
            name, _, version = path.stem.rpartition("-")
            normal = re.sub(r"[-_.]+", "-", name).lower()
            if normal.startswith(beginning):
                found.setdefault(normal, version)
    return dict(sorted(found.items()))


def machine_info(gpu: str | None = None) -> dict[str, str | int | None]:
    """Describe the machine for reports, with the keys of the benchmark file."""
    return {
        "cpu": cpu_name(),
        "cores": cores(),
        "gpu": gpu,
        "os": platform.platform(),
        "python": platform.python_version(),
        "onnxruntime": package_version("onnxruntime"),
        "litert": package_version("ai-edge-litert"),
    }
