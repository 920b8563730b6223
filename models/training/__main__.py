"""Train the depth network: ``python -m models.training --help``."""

from __future__ import annotations

import argparse
from pathlib import Path

from models.training import command
from models.training.losses import Weights
from models.training.run import CONFIGURABLE, run
from models.training.train import Config


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = command.parser(
        "models.training",
        "Train the depth network to imitate a teacher. Views of the pictures are labelled once and kept in the cache; "
        "a stopped run goes on with --resume. See docs/depth.md.",
        images="folder with train/, heldout/ and perhaps masks/",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoint, log and the trained network")
    parser.add_argument("--cache", type=Path, help="folder for the labelled views (default: cache in --out)")
    parser.add_argument("--device", choices=("cpu", "cuda", "mps"), default="cpu")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch, on the CPU (default: %(default)s)")
    for name, text in CONFIGURABLE.items():
        default = getattr(Config, name)
        option = "--" + name.replace("_", "-")
        parser.add_argument(
            option, type=type(default), default=default, metavar="N", help=f"{text} (default: {default})"
        )
    parser.add_argument(
        "--half", action="store_true", help="compute in bfloat16 where that is safe: faster on a GPU that has it"
    )
    parser.add_argument(
        "--keep",
        type=float,
        default=0.0,
        metavar="N",
        help="share of the weights that it started from in the network that is written (default: %(default)s)",
    )
    parser.add_argument(
        "--fresh",
        type=float,
        default=0.0,
        metavar="N",
        help="share of the views that are made and labelled anew while it trains (default: %(default)s)",
    )
    parser.add_argument(
        "--only-coarse", action="store_true", help="train the middle of the network on maps of 40x24 and nothing else"
    )
    parser.add_argument(
        "--coarse",
        type=float,
        default=Weights.coarse,
        metavar="N",
        help="weight of a loss on maps of 40x24 beside that on the whole ones (default: %(default)s)",
    )
    parser.add_argument(
        "--replicas",
        type=int,
        default=1,
        metavar="N",
        help="processes that train one network together, on the CPU one for each core (default: %(default)s)",
    )
    parser.add_argument("--start-from", type=Path, metavar="ONNX", help="a trained network to go on from")
    parser.add_argument(
        "--composites", type=int, default=6000, help="views with people pasted in (default: %(default)s)"
    )
    parser.add_argument(
        "--views", type=int, metavar="N", help="how many views to label and keep at most (default: about ten a picture)"
    )
    parser.add_argument("--labels-only", action="store_true", help="fill the cache and stop")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --out")
    parser.add_argument(
        "--smoke", action="store_true", help="two minutes with few steps between two lines: does it run?"
    )
    options = parser.parse_args(arguments)
    if options.only_coarse and options.coarse:
        parser.error("--coarse adds to the loss on the whole maps, and with --only-coarse there is none")
    if not 0 <= options.fresh <= 1:
        parser.error("--fresh is a share, from 0 to 1")
    if options.replicas < 1:
        parser.error("--replicas is at least 1")
    return options


def main() -> int:
    """Run, and turn a failure into one line and the exit status 1."""
    return command.carry_out(lambda: run(parse_arguments()), "%(asctime)s %(message)s")


if __name__ == "__main__":
    raise SystemExit(main())
