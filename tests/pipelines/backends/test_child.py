"""How the processes that we start end."""

import subprocess

import pytest

from pipelines.backends.child import spawn
from tests.patience import PATIENCE_S

MODULE = """
import sys, threading
from pipelines.backends.child import end_with_parent

sys.stdin.buffer.readline()
end_with_parent()
sys.stdout.write("begun")
sys.stdout.flush()
threading.Event().wait({seconds})
"""


@pytest.fixture
def start(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    started = []

    def begin(seconds):
        (tmp_path / "a_child.py").write_text(MODULE.format(seconds=seconds))
        process = spawn("a_child", subprocess.PIPE, subprocess.PIPE)
        started.append(process)
        process.stdin.write(b"an order\n")
        process.stdin.flush()
        assert process.stdout.read(5) == b"begun"
        return process

    yield begin
    for process in started:
        process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
        process.wait()


def test_a_child_that_is_done_ends_in_good_order(start):
    """It waits for the end of its input meanwhile, which made the interpreter abort."""
    child = start(0.1)
    assert (child.wait(PATIENCE_S), child.stderr.read()) == (0, b"")


def test_a_child_whose_parent_is_gone_ends(start):
    child = start(PATIENCE_S)
    child.stdin.close()
    assert child.wait(PATIENCE_S / 2) == 1


@pytest.mark.parametrize("module", ["pipelines.qualify.child", "pipelines.backends.host_child", "app.pages.child"])
def test_a_child_that_gets_no_order_says_nothing(module):
    child = spawn(module, subprocess.DEVNULL, subprocess.PIPE)
    child.stdin.close()
    with child.stderr:
        assert (child.stderr.read(), child.wait(PATIENCE_S)) == (b"", 1)
