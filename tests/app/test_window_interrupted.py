"""Ctrl+C while the window is loaded."""

import os
import subprocess
import sys

PROGRAM = """
import signal, sys

class Interrupter:
    # Sees each import first. This one is in the middle of others whose failure makes Qt for Python abort the process.
    def find_spec(self, name, path=None, target=None):
        if name == "PySide6.support.deprecated":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupter())
from app.__main__ import main
sys.exit(main([]))
"""


def test_ctrl_c_in_the_middle_of_qt_ends_the_window_with_its_sentence(tmp_path):
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stderr == "twinlens: interrupted\n"
    assert done.returncode == 130
