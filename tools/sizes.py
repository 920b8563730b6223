"""Print what the packages of `docs/dependencies.md` take on the disk: `.venv/bin/python tools/sizes.py`."""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

TABLE = Path(__file__).resolve().parent.parent / "docs" / "dependencies.md"
NAMES = re.compile(r"^\| ([A-Za-z][\w-]+)(?: \(\w+\))? \|")
BESIDE = ("ml-dtypes", "ai-edge-litert", "pyvirtualcam")
"""What the text names beside the table."""


def named() -> list[str]:
    """Return the packages in the first column of the first table, and those beside it."""
    needed = TABLE.read_text(encoding="utf-8").split("## Needed to run")[1].split("## Needed to develop")[0]
    found = (NAMES.match(line) for line in needed.splitlines())
    return [match[1] for match in found if match and match[1] != "package"] + list(BESIDE)


def size_mb(package: str) -> float | None:
    """Return the size of a package's installed files in MB (10^6 bytes), None when it is not installed."""
    try:
        parts = files(package) or []
    except PackageNotFoundError:
        return None
    paths = (Path(str(part.locate())) for part in parts if part.suffix != ".pyc")
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


def main() -> int:
    """Print a line for each package."""
    for package in named():
        size = size_mb(package)
        said = "not installed" if size is None else f"{size:.1f} MB"
        sys.stdout.write(f"{package}: {said}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
