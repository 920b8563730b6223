"""Run the benchmarks: `python -m benchmarks [NAME ...]`, and print the table of what was measured."""

from __future__ import annotations

import importlib
import sys

from benchmarks.rows import Row, table
from pipelines.machine import APP, machine_info

BENCHMARKS = (
    "limits",
    "stages",
    "live",
    "schedule",
    "vs_litert",
    "vs_mediapipe",
    "window",
    "memory",
    "precision",
    "offline",
)
WHEN_NAMED = ("agreement", "memory_long")
"""They take minutes, or compare no speed."""


def main() -> int:
    """Run the named benchmarks, or all that are quick."""
    names = sys.argv[1:] or list(BENCHMARKS)
    known = (*BENCHMARKS, *WHEN_NAMED)
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.stderr.write(f"no benchmark is called {unknown[0]!r}; there are {', '.join(known)}\n")
        return 2
    machine = machine_info()
    print(
        f"{APP}, {machine['cpu']}, {machine['cores']} cores, Python {machine['python']}, "
        f"ONNX Runtime {machine['onnxruntime']}",
        flush=True,
    )
    rows: list[Row] = []
    for name in names:
        print(f"\n## {name}", flush=True)
        rows += importlib.import_module(f"benchmarks.{name}").main() or []
    if len(names) > 1:
        print(f"\n## All\n{table(rows)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
