"""Files that travel with the application. Their origin and licence stand in README.md beside this file."""

from pathlib import Path


def asset_path(name: str) -> Path:
    """Return the path of an asset.

    Raises
    ------
    FileNotFoundError
        If the installation lacks it.
    """
    path = Path(__file__).resolve().parent / name
    if not path.exists():
        raise FileNotFoundError(f"the installation is incomplete: {path} is missing")
    return path
