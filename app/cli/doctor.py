"""`twinlens doctor`: what this machine can do, and why not more."""

from __future__ import annotations

import argparse
import json
from typing import Any

from app.cli.base import COMMANDS


@COMMANDS.register("doctor")
class DoctorCommand:
    """Describe machine, backends, cameras and models."""

    help = "show the machine, the backends (and why one is missing), the cameras and the models"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")

    def run(self, args: argparse.Namespace) -> int:
        from pipelines.doctor import examine  # imports the runtimes and the camera library: slow, and only needed here

        diagnosis = examine()
        if args.json:
            print(json.dumps(diagnosis, indent=2, ensure_ascii=False))
        else:
            print(as_text(diagnosis))
        return 0 if all(model["ok"] for model in diagnosis["models"]) else 1


def as_text(diagnosis: dict[str, Any]) -> str:
    """Return the diagnosis for people."""
    lines = [diagnosis["app"], "", "Machine"]
    lines += [f"  {key:12} {value if value is not None else 'none'}" for key, value in diagnosis["machine"].items()]
    lines += ["", "Backends"]
    for backend in diagnosis["backends"]:
        if backend["available"]:
            label = f"{backend['device']}{' (software)' if backend['software'] else ''}"
            lines.append(f"  {backend['id']:14} ok           {label}")
        else:
            lines.append(f"  {backend['id']:14} not usable   {backend['reason']}")
        for model in backend["models"]:
            if model["verdict"] == "not tried":
                continue
            placement = ", ".join(f"{provider} {count} nodes" for provider, count in model["placement"].items())
            lines.append(f"    {model['model']:18} {model['verdict']}{f' ({placement})' if placement else ''}")
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
