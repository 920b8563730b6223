"""Bring the translations up to date: `.venv/bin/python tools/translations.py`.

Finds the texts of the window (lupdate), keeps the translations there are, and compiles them (lrelease). Both tools come
with PySide6. What is new stands in `app/i18n/twinlens_*.ts` as unfinished, to be translated with Qt Linguist
(`pyside6-linguist`) or any editor; then run this again.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "app" / "i18n"
LANGUAGES = ("en", "zh_TW", "zh_CN")


def tool(name: str) -> str:
    """Return the path of a tool of PySide6."""
    import PySide6

    suffix = ".exe" if sys.platform == "win32" else ""
    return str(Path(PySide6.__file__).parent / f"{name}{suffix}")


def update(folder: Path = FOLDER) -> None:
    """Write the texts of the window into the .ts files in `folder`."""
    sys.path.insert(0, str(ROOT))
    from app.i18n.tables import table_texts

    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "app").rglob("*.py") if "cli" not in path.parts)
    with tempfile.TemporaryDirectory() as made:
        table = Path(made) / "tables.py"
        lines = (f"noop({json.dumps(text, ensure_ascii=False)})\n" for text in dict.fromkeys(table_texts()))
        table.write_text("".join(lines), encoding="utf-8")
        for code in LANGUAGES:
            # English needs no more than the forms of its plurals.
            more = ["-pluralonly"] if code == "en" else []
            target = ["-source-language", "en", "-target-language", code, "-ts", str(folder / f"twinlens_{code}.ts")]
            options = ["-silent", "-no-obsolete", "-locations", "none", "-tr-function-alias", "QT_TR_NOOP+=noop"]
            subprocess.run([tool("lupdate"), *options, *more, *files, str(table), *target], cwd=ROOT, check=True)


def compile_all(folder: Path = FOLDER) -> None:
    """Make a .qm of each .ts in `folder`."""
    for path in sorted(folder.glob("*.ts")):
        # Put in its place in one step: a program that runs has the old one mapped into its memory.
        fresh = path.with_suffix(".qm.new")
        subprocess.run([tool("lrelease"), "-silent", str(path), "-qm", str(fresh)], check=True)
        fresh.replace(path.with_suffix(".qm"))


if __name__ == "__main__":
    update()
    compile_all()
