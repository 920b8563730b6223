"""The child process of `pipelines.backends.host`: holds sessions and runs them when told."""

from __future__ import annotations

import ast
import importlib
import mmap
from dataclasses import asdict
from multiprocessing.connection import Client, Connection
from pathlib import Path
from typing import Any

import numpy as np

from models.errors import VisionError
from models.manifest import read_manifest
from pipelines.backends.base import Session
from pipelines.backends.child import end_with_parent, first_line
from pipelines.backends.host import Layout, report_fields
from pipelines.backends.select import get_backend
from pipelines.qualify.verdict import judge


class _Slot:
    """A session with its block of shared memory."""

    def __init__(self, session: Session, layout: Layout, block: mmap.mmap) -> None:
        self.session = session
        self._input = layout.input(block)
        self._outputs = layout.outputs(block)

    def run(self) -> None:
        for name, value in self.session.run(self._input).items():
            np.copyto(self._outputs[name], value)


def main() -> None:
    """Serve until the parent closes the connection or dies."""
    address, key, backend_id, module = ast.literal_eval(first_line().decode())
    end_with_parent()
    importlib.import_module(module)
    backend = get_backend(backend_id)
    slots: list[_Slot | None] = []
    with Client(address, authkey=bytes.fromhex(key)) as connection:
        while (order := _next(connection)) is not None:
            try:
                match order:
                    case ("run", int(number)):
                        slot = slots[number]
                        if slot is not None:
                            slot.run()
                        value: Any = None
                    case ("open", str(path), int(threads), str(shared), bool(on_trial)):
                        manifest = read_manifest(Path(path))
                        layout = Layout(manifest)
                        with Path(shared).open("r+b") as file:
                            block = mmap.mmap(file.fileno(), layout.size)
                        session = backend.open(manifest, threads)
                        slots.append(_Slot(session, layout, block))
                        trial = asdict(judge(session, manifest)) if on_trial else {}
                        value = (len(slots) - 1, report_fields(session.report), trial)
                    case ("close", int(number)):
                        slot = slots[number]
                        if slot is not None:
                            slot.session.close()
                        slots[number] = None
                        value = None
                connection.send((True, value))
            except VisionError as error:
                connection.send((False, str(error)))
            except Exception as error:  # noqa: BLE001 - whatever a runtime throws belongs to the parent
                connection.send((False, f"{backend_id} failed: {error!r}"))


def _next(connection: Connection[Any, Any]) -> Any:
    try:
        return connection.recv()
    except (EOFError, OSError):
        return None


if __name__ == "__main__":
    main()
