"""Progress of long work: lines in a log, a bar on a terminal, and what is said at the end."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from app.cli.console import Bar, FileProgress, progress_line, summary
from pipelines.offline.job import JobReport
from pipelines.offline.jobs import Job


class TestProgress:
    @pytest.mark.parametrize(
        ("done", "expected", "seconds_", "line"),
        [
            (120, 300, 4.0, "120 of about 300 frames, 30.0 frames/s, 6 s left"),
            (120, None, 4.0, "120 frames, 30.0 frames/s"),
            (120, 31, 4.0, "120 frames, 30.0 frames/s"),
            (0, 300, 0.0, "0 of about 300 frames, 0.0 frames/s"),
        ],
    )
    def test_lines(self, done, expected, seconds_, line):
        assert progress_line(done, expected, seconds_) == line

    def test_a_line_every_few_seconds_without_a_terminal(self):
        now = [0.0]
        out, err = io.StringIO(), io.StringIO()
        with FileProgress(out, err, lambda: now[0]) as progress:
            job = Job(Path("clip.mp4"), output=Path("o.mp4"))
            progress.begin(job, 1, 1)
            progress.opened(job, "320x240")
            for second in range(12):
                now[0] = float(second)
                progress.update(job, second * 10, 200)
            progress.done(JobReport(job, 200, 8.0, 20.0, notices=("it was turned",)))
        lines = err.getvalue().splitlines()
        assert lines == [
            "clip.mp4: 320x240",
            "clip.mp4: 50 of about 200 frames, 10.0 frames/s, 15 s left",
            "clip.mp4: 100 of about 200 frames, 10.0 frames/s, 10 s left",
            "clip.mp4: it was turned",
        ]
        assert out.getvalue() == "o.mp4: 200 frames, 8.00 s, 20.0 s of work (10.0 frames/s)\n"

    def test_a_bar_on_a_terminal(self, monkeypatch):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        err = Terminal()
        monkeypatch.setenv("TERM", "xterm")
        with FileProgress(io.StringIO(), err) as progress:
            job = Job(Path("a [1].mp4"), output=Path("o.mp4"))
            progress.begin(job, 1, 2)
            progress.update(job, 10, None)
            progress.update(job, 50, 31)
            progress.update(job, 60, 100)
            progress.done(JobReport(job, 100, 4.0, 2.0))
        assert "[1/2] a [1].mp4" in err.getvalue()
        assert "60/100" in err.getvalue()
        err = Terminal()
        monkeypatch.setenv("TERM", "dumb")  # of an editor, or of a machine that builds: no line can be drawn anew
        with FileProgress(io.StringIO(), err) as progress:
            progress.begin(job, 1, 2)
            progress.opened(job, "320x240")
            progress.done(JobReport(job, 100, 4.0, 2.0))
        assert err.getvalue() == "a [1].mp4: 320x240\n"

    @pytest.mark.parametrize("width", [10, 20, 44, 45, 69, 70, 200])
    def test_a_line_for_each_file_on_a_terminal_of_any_width(self, width):
        bar = Bar(
            Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None, legacy_windows=False)
        )
        now = [0.0]
        bar.get_time = lambda: now[0]
        for name in ("[1/2] a film with a long name.mp4", "[2/2] another.mp4"):
            task = bar.add_task(name, total=5000)
            for second in range(3):
                now[0] += second
                bar.update(task, completed=400 * second)
        bar.console.print(bar.get_renderable())
        lines = bar.console.file.getvalue().splitlines()
        assert len(lines) == 2
        for line in lines:
            assert len(line) <= width
            assert " 800/5000" in line
            assert ("frames/s" in line) == (width >= 45)
            assert ("0:" in line) == (width >= 70)

    @pytest.mark.parametrize(
        ("report", "line"),
        [
            ((1, 0.04, 0.5), "o.mp4: 1 frame, 0.04 s, 0.5 s of work (2.0 frames/s)"),
            ((9, 0.75, 0.1, "", (), "", 9), "o.mp4: 9 frames (9 of them by an earlier run), 0.75 s, 0.1 s of work"),
        ],
    )
    def test_what_was_done(self, report, line):
        assert summary(JobReport(Job(Path("a.mp4"), output=Path("o.mp4")), *report)) == line
