"""`twinlens models`: which networks there are, where they come from, whether they are undamaged; add more of them."""

from __future__ import annotations

import argparse
import sys

from app.cli.base import COMMANDS
from app.cli.models_add import add, configure_add
from models.errors import ModelError
from models.manifest import Manifest, is_users, load_manifest, manifest_names


@COMMANDS.register("models")
class ModelsCommand:
    """List, verify, describe, add and remove models."""

    help = "list, verify, describe, add or remove models"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
        actions.add_parser("list", help="one line a model")
        verify = actions.add_parser("verify", help="compare every file with its checksum")
        verify.add_argument("names", nargs="*", metavar="NAME", help="models to verify (default: all)")
        info = actions.add_parser("info", help="everything known about a model")
        info.add_argument("name", metavar="NAME")
        configure_add(actions.add_parser("add", help="add a network of yours, from an ONNX file"))
        gone = actions.add_parser("remove", help="remove a model that was added")
        gone.add_argument("name", metavar="NAME")

    def run(self, args: argparse.Namespace) -> int:
        if args.action == "list":
            return _list()
        if args.action == "add":
            add(args, lambda line: print(line, flush=True))
            return 0
        if args.action == "remove":
            from pipelines.adding import remove  # imports a runtime

            remove(args.name)
            print(f"{args.name} is removed")
            return 0
        if args.action == "info":
            _info(load_manifest(args.name))
            return 0
        return _verify(args.names or manifest_names())


def _list() -> int:
    rows = [("MODEL", "TASK", "ROLE", "SIZE", "LICENCE", "TITLE")]
    broken = []
    for name in manifest_names():
        try:
            manifest = load_manifest(name)
        except ModelError as error:
            if not is_users(name):
                raise
            broken.append(str(error))
            continue
        size = sum({file.path: file.size_bytes for file in manifest.files}.values())
        title = f"{manifest.title} (added)" if is_users(name) else manifest.title
        rows.append((name, manifest.task, manifest.role, f"{size / 1e6:.1f} MB", manifest.licence, title))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    for row in rows:
        print("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]))
    for sentence in broken:
        sys.stderr.write(f"twinlens: {sentence}\n")
    return 1 if broken else 0


def _info(manifest: Manifest) -> None:
    spec = manifest.input
    print(f"{manifest.name}: {manifest.title}")
    print(f"  {manifest.description}")
    print(f"  task      {manifest.task} ({manifest.role})")
    print(f"  licence   {manifest.licence}")
    origin = " ".join(part for part in (manifest.source.package, manifest.source.version) if part)
    print(f"  origin    {origin}: {manifest.source.file}")
    print(f"            sha256 {manifest.source.sha256}")
    if manifest.macs:
        print(f"  cost      {manifest.macs / 1e6:.1f} million multiply-adds a run")
    print(f"  input     {spec.name} {spec.dtype} {list(spec.shape)} {spec.layout} {spec.color}")
    for output in manifest.outputs:
        print(f"  output    {output.name} {output.dtype} {list(output.shape)}: {output.meaning}")
    for file in manifest.files:
        print(f"  file      {file.variant:7} {file.path.name} {file.size_bytes / 1e3:.0f} kB sha256 {file.sha256}")
    if manifest.litert_note:
        print(f"  LiteRT    {manifest.litert_note}")


def _verify(names: tuple[str, ...] | list[str]) -> int:
    failures = 0
    for name in names:
        try:
            files = load_manifest(name).files
        except ModelError as error:
            if not is_users(name):
                raise
            failures += 1
            sys.stderr.write(f"twinlens: {error}\n")
            continue
        for file in files:
            try:
                file.read_verified()
            except ModelError as error:
                failures += 1
                sys.stderr.write(f"twinlens: {error}\n")
            else:
                print(f"ok  {name:18} {file.variant:7} {file.path.name}")
    return 1 if failures else 0
