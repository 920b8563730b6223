"""Run the benchmarks: `python -m benchmarks [NAME ...]`."""

from __future__ import annotations

import importlib
import sys

BENCHMARKS = ("live", "offline")


def main() -> int:
    """Run the named benchmarks, or all."""
    names = sys.argv[1:] or list(BENCHMARKS)
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.stderr.write(f"no benchmark is called {unknown[0]!r}; there are {', '.join(BENCHMARKS)}\n")
        return 2
    for name in names:
        importlib.import_module(f"benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
