"""`twinlens doctor`: what this machine can do, and why not more."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from app.cli.base import COMMANDS
from app.cli.console import is_terminal


@COMMANDS.register("doctor")
class DoctorCommand:
    """Describe machine, backends, cameras and models."""

    help = "show the machine, the backends (and why one is missing), the cameras and the models"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
        parser.add_argument("--refresh", action="store_true", help="try the backends again, whatever is known of them")

    def run(self, args: argparse.Namespace) -> int:
        from pipelines.doctor import examine  # imports the runtimes: slow, and needed here only

        diagnosis = examine(_Progress(), args.refresh)
        if args.json:
            print(json.dumps(diagnosis, indent=2, ensure_ascii=False))
        else:
            print(as_text(diagnosis))
        return 0 if all(model["ok"] for model in diagnosis["models"]) else 1


class _Progress:
    """Shows on a terminal what is being examined, on one line that is gone at the end."""

    def __call__(self, what: str) -> None:
        if is_terminal(sys.stderr):
            sys.stderr.write(f"\r\x1b[K{'' if what == 'models' else f'examining {what}'}")
            sys.stderr.flush()


def as_text(diagnosis: dict[str, Any]) -> str:
    """Return the diagnosis for people."""
    lines = [diagnosis["app"], "", "Machine"]
    lines += [f"  {key:12} {value if value is not None else 'none'}" for key, value in diagnosis["machine"].items()]
    lines += ["", "Backends"]
    for backend in diagnosis["backends"]:
        if backend["available"]:
            label = f"{backend['device']}{' (software)' if backend['software'] else ''}"
            lines.append(f"  {backend['id']:14} ok           {label}")
            if len(backend["devices"]) > 1:
                lines += [f"    {backend['id']}:{number} is {name}" for number, name in enumerate(backend["devices"])]
        else:
            lines.append(f"  {backend['id']:14} not usable   {backend['reason']}")
        lines += [_model_line(model) for model in backend["models"] if model["verdict"] != "not tried"]
    pipelines = diagnosis["pipelines"]
    lines += ["", "Pipelines"]
    lines.append(f"  cpu   {pipelines['cpu'] or 'none'}")
    lines.append(f"  gpu   {pipelines['gpu'] or 'none'}")
    lines.append("  auto  " + ", ".join(f"{task} {backend or 'none'}" for task, backend in pipelines["auto"].items()))
    lines += ["", "Cameras"]
    if not diagnosis["cameras"]:
        lines.append("  no camera was found")
    for camera in diagnosis["cameras"]:
        lines.append(f"  {camera['index']}  {camera['name']} ({camera['backend']})")
        lines += [f"       {mode}" for mode in camera["modes"]]
    lines += ["", "Models"]
    for model in diagnosis["models"]:
        lines.append(f"  {'ok     ' if model['ok'] else 'DAMAGED'}  {model['name']:18} {model['file']}")
    return "\n".join(lines)


def _model_line(model: dict[str, Any]) -> str:
    """One model on one backend: verdict, and where its nodes are ("101 nodes on WebGPU, on the CPU: Resize x3")."""
    parts = [
        f"{count} nodes on {provider.removesuffix('ExecutionProvider')}"
        for provider, count in model["placement"].items()
    ]
    if model["on_cpu"]:
        left = ", ".join(f"{operator} x{count}" for operator, count in model["on_cpu"].items())
        copies = "" if model["crossings"] is None else f"; {model['crossings']} copies between devices a run"
        parts.append(f"left to the CPU: {left}{copies}")
    where = f" ({', '.join(parts)})" if parts else ""
    return f"    {model['model']:18} {model['verdict']}{where}"
