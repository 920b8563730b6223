"""A copied picture outlives the interpreter: the program must still end well."""

import subprocess
import sys

CODE = """
import numpy as np
from PySide6.QtGui import QGuiApplication
from app.clipboard import put_picture
from app.qimage import owned, wrap_bgr
app = QGuiApplication(["x", "-platform", "offscreen"])
put_picture(owned(wrap_bgr(np.zeros((20, 30, 3), np.uint8))), b"PNG")
assert QGuiApplication.clipboard().mimeData().data("image/png").data() == b"PNG"
"""


def test_a_picture_on_the_clipboard_does_not_crash_the_exit():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
