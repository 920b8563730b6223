"""Closing at any moment, with the real engine: in time, without a crash, and nothing stays behind."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REMARK = "This plugin does not support"
"""What the platform "offscreen" says of things that only a screen has."""


@pytest.mark.parametrize("delay_ms", [0, 50, 500])
def test_a_window_that_is_closed_after_any_action_ends_in_time(delay_ms):
    command = [sys.executable, "-m", "tests.app.closed", str(delay_ms)]
    program = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=550, check=False)
    # A crash on the way out, with everything said, would only be seen here.
    assert program.returncode == 0, program.stderr
    told = [line for line in program.stderr.splitlines() if not line.startswith(REMARK)]
    assert not [line for line in told if "Traceback" in line or line.startswith("Q")], told
    report = json.loads(program.stdout)
    assert report["left"] == []
    assert len(report["reports"]) > 20
    for one in report["reports"]:
        assert one["played"], one
        assert one["took_s"] < 2.0, one
        assert one["clean"], one
        assert one["kept"] >= 1, one
