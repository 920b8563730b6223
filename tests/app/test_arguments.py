"""The window's command line is read without the commands, and means the same."""

import argparse
import subprocess
import sys

import pytest

from app.__main__ import build_parser, parse_arguments
from app.cli.base import whole_number
from app.cli.values import seconds
from tests.patience import PATIENCE_S

OF_THE_WINDOW = [
    [],
    ["--source", "demo"],
    ["--source=process"],
    ["--debug", "--tasks", "face,depth", "--pipeline", "cpu", "--max-faces", "3"],
]


@pytest.mark.parametrize("argv", OF_THE_WINDOW)
def test_both_parsers_agree_on_the_window(argv):
    assert vars(parse_arguments(argv)) == vars(build_parser().parse_args(argv))


@pytest.mark.parametrize("argv", [["doctor"], ["--debug", "doctor", "--json"], ["models", "list"], ["demo", "--debug"]])
def test_commands_are_found(argv):
    command = next(word for word in argv if not word.startswith("-"))
    assert type(parse_arguments(argv).command).__module__.startswith(f"app.cli.{command}")


@pytest.mark.parametrize("argv", [["--max-faces", "many"], ["--sauce", "demo"], ["frobnicate"], ["--tasks"]])
def test_a_wrong_line_ends_with_the_whole_usage(argv, capsys):
    with pytest.raises(SystemExit) as caught:
        parse_arguments(argv)
    assert caught.value.code == 2
    assert "COMMAND" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "most"), [("1", None), ("51", 51), ("007", 7)])
def test_whole_numbers(text, most):
    assert whole_number(most)(text) == int(text)


@pytest.mark.parametrize(
    ("text", "most", "told"),
    [
        *[("0", None, "from 1"), ("-3", None, "from 1"), (" 2", None, "from 1"), ("two", None, "from 1")],
        *[("52", 51, "from 1 to 51"), ("1.5", 9, "from 1 to 9"), ("", 9, "from 1 to 9"), ("\u0663", 9, "from 1 to 9")],
    ],
)
def test_other_texts_are_no_whole_numbers(text, most, told):
    with pytest.raises(argparse.ArgumentTypeError, match=f"is not a number {told}$"):
        whole_number(most)(text)


@pytest.mark.parametrize(("text", "value"), [("0", 0.0), ("1.5", 1.5), ("1:30", 90.0), ("1:02:03.5", 3723.5)])
def test_times(text, value):
    assert seconds(text) == value


def test_help_lists_the_commands(capsys):
    with pytest.raises(SystemExit) as caught:
        parse_arguments(["--help"])
    assert caught.value.code == 0
    assert "screenshot" in capsys.readouterr().out


def test_the_window_does_not_wait_for_the_commands():
    """Their imports (writers of video, charts) are of no use to it."""
    code = (
        "import sys; from app.__main__ import parse_arguments; parse_arguments(['--source', 'demo']);"
        "print(sorted(name for name in sys.modules if name.startswith('app.cli.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    assert done.stdout.strip() == "['app.cli.base', 'app.cli.loading', 'app.cli.streams']"


IMPORT = """
import os, signal, sys
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == "{name}":
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt:
                raise ImportError("initialization failed")  # as libraries do that are not written in Python
sys.meta_path.insert(0, Interrupts())
from app.__main__ import main
sys.exit(main(["models", "list"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends a process there")
@pytest.mark.parametrize("name", ["models.manifest", "app.cli.bench"], ids=["at the start", "reading the line"])
def test_ctrl_c_while_the_program_is_loaded(name):
    command = [sys.executable, "-c", IMPORT.format(name=name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "twinlens: interrupted\n")
