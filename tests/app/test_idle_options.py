"""Options that have nothing to work on: the run tells of them. Each option is told of, or always does something."""

from pathlib import Path

import cv2
import pytest

from app.__main__ import build_parser, main, parse_arguments
from app.cli.base import COMMANDS
from app.cli.idle_options import without_output, without_task
from app.cli.parser import CommandParser
from app.cli.process import request_from
from app.cli.process_tools import shown_tasks
from pipelines.config import TASKS
from pipelines.offline.needs import needed_tasks
from pipelines.offline.plan import make_plan
from tests.app.clips import portrait

ONLY_RESULTS = ["clip.mp4", "--no-video", "--results", "r.jsonl"]
PROCESS = [
    (["clip.mp4", "--max-faces", "3", "--tasks", "depth"], ["--max-faces"]),
    (["clip.mp4", "--max-faces", "2"], []),
    (["clip.mp4", "--model", "depth_v2", "--tasks", "face"], ["--model depth_v2"]),
    (["clip.mp4", "--model", "depth_v2", "--tasks", "face,depth"], []),
    (["clip.mp4", "--pipeline", "depth=cpu,face=ort-cpu", "--tasks", "face"], ["--pipeline depth=cpu"]),
    (["clip.mp4", "--pipeline", "cpu", "--tasks", "face"], []),
    ([*ONLY_RESULTS, "--effect", "blur"], ["--effect"]),
    ([*ONLY_RESULTS, "--effect", "blur", "--layers", "overlay", "--layers-dir", "L"], []),
    (["clip.mp4", "--effect", "blur"], []),
    (["clip.mp4", "--effect", "blur", "--max-faces", "3"], ["--max-faces"]),
    (["clip.mp4", "--effect", "blur", "--model", "depth_v2", "--tasks", "segmentation"], ["--model depth_v2"]),
    (["clip.mp4", "--effect", "bokeh", "--model", "depth_v2", "--pipeline", "face=cpu"], ["--pipeline face=cpu"]),
    (["clip.mp4", "--alpha", "-o", "a.webm", "--model", "depth_v2"], ["--model depth_v2"]),
    ([*ONLY_RESULTS, "--compare", "cpu,gpu"], []),
    (["clip.mp4", "--no-video", "--compare", "cpu,gpu", "--layers", "mask", "--layers-dir", "L"], ["--compare"]),
    ([*ONLY_RESULTS, "--crf", "23", "--no-audio"], ["--crf", "--no-audio"]),
    (["clip.mp4", "--crf", "23", "--no-audio", "--no-smooth"], []),
    (["a.png", "--crf", "23", "--no-audio", "--no-smooth"], ["--crf", "--no-audio", "--no-smooth"]),
    (["a.png", "--start", "1", "--end", "2", "--max-frames", "3"], ["--start", "--end", "--max-frames"]),
    (["a.png", "clip.mp4", "--start", "1", "--crf", "23", "--no-audio", "--no-smooth", "--jobs", "3"], []),
    (["clip.mp4", "--jobs", "2"], ["--jobs"]),
]
ALWAYS_SOMETHING = {
    *("--help", "--debug", "--output", "--tasks", "--results", "--layers", "--layers-dir", "--alpha", "--no-video"),
    *("--report", "--resume", "--overwrite", "--at", "--pipelines", "--samples", "--threads", "--json", "--plot"),
    *("--profile", "--refresh"),
}
"""What asks for an output, says where, or allows something; what is refused is in test_plan.py."""


@pytest.mark.parametrize(("argv", "idle"), PROCESS)
def test_what_does_nothing_is_told(tmp_path, monkeypatch, argv, idle):
    monkeypatch.chdir(tmp_path)
    for name in ("clip.mp4", "a.png"):
        Path(name).write_bytes(b"x")
    args = build_parser().parse_args(["process", *argv])
    request = request_from(args)
    tasks = needed_tasks(request, shown_tasks(args.effect, args.tasks, args.alpha))
    told = [option for option, _ in (*without_task(args, tasks), *without_output(args, make_plan(request)))]
    assert told == idle


@pytest.mark.parametrize("command", ["screenshot clip.mp4 -o a.png", "bench"])
def test_other_commands_tell_of_tasks_that_are_off(command):
    args = build_parser().parse_args(
        [*command.split(), "--tasks", "face", "--model", "depth_v2", "--model", "face_mesh"]
    )
    assert list(without_task(args)) == [("--model depth_v2", "the task depth is off")]


def test_every_option_was_thought_of():
    thought_of = {option.split()[0] for _, idle in PROCESS for option in idle} | ALWAYS_SOMETHING
    for name, command in COMMANDS:
        if name == "models":
            continue  # `models add` refuses what contradicts the network or the task
        parser = CommandParser()
        command().configure(parser)
        options = {f"--{option.replace('_', '-')}" for option in parser.option_names}
        assert options <= thought_of, name


def test_the_command_says_it_and_does_its_work(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Path("a.png").write_bytes(cv2.imencode(".png", portrait((64, 48)))[1].tobytes())
    options = ["--tasks", "depth", "--pipeline", "cpu", "--max-faces", "3", "--start", "5", "--crf", "30"]
    assert main(["process", "a.png", *options]) == 0
    told = [line for line in capfd.readouterr().err.splitlines() if line.startswith("twinlens")]
    assert told == [
        "twinlens: --max-faces does nothing here: the task face is off",
        "twinlens: --crf does nothing here: no video is written",
        "twinlens: --start does nothing here: pictures have no time",
    ]
    assert Path("a.twinlens.png").is_file()


def test_options_of_the_window_before_a_command_are_the_commands_own(capsys):
    given = ["--tasks", "face", "--pipeline", "cpu", "--model", "a", "--max-faces", "5", "--compare", "a,b", "--debug"]
    args = parse_arguments([*given, "process", "clip.mp4", "--model", "b"])
    found = (args.tasks, args.pipeline, args.model, args.max_faces, args.compare, args.debug)
    assert found == (("face",), "cpu", ["a", "b"], 5, ("a", "b"), True)
    assert parse_arguments(["--tasks", "face", "process", "clip.mp4", "--tasks", "depth"]).tasks == ("depth",)
    assert parse_arguments(["process", "clip.mp4"]).tasks == TASKS
    # What is given counts also where it is what the window does anyway.
    told = parse_arguments(["--pipeline", "auto", "--tasks", ",".join(TASKS), "screenshot", "a.png", "-o", "b.png"])
    assert (told.tasks, told.pipeline, told.model) == (TASKS, "auto", [])
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("argv", "option"),
    [
        (["--source", "demo", "doctor"], "--source"),
        (["--source", "demo", "screenshot", "a.png", "-o", "b.png"], "--source"),
        (["--max-faces", "3", "bench"], "--max-faces"),
        (["--tasks", "face", "models", "list"], "--tasks"),
        (["--source", "", "models", "list"], "--source"),
        (["--pipeline", "auto", "models", "list"], "--pipeline"),
    ],
)
def test_other_options_of_the_window_before_a_command_are_told(capsys, argv, option):
    parse_arguments(argv)
    expected = f"twinlens: {option} does nothing here: it is for the window, not for {argv[2]}\n"
    assert capsys.readouterr().err == expected
