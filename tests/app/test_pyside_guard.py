"""A program that emits thousands of signals lives, whatever PySide does to the reference count of True."""

import subprocess
import sys

PROGRAM = """
import sys
from PySide6.QtCore import QObject, Signal
from app.pyside_guard import keep_true_alive

class Sender(QObject):
    sent = Signal()

keep_true_alive()
keep_true_alive()
sender = Sender()
for _ in range(5000):
    sender.sent.emit()
assert sys.getrefcount(True) > 0
print("alive")
"""


def test_five_thousand_signals_end_well():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "alive"), done.stderr
