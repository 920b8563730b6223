"""Comparisons in the window: keys that ask for them, and what the engine was asked for."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.app.window_fakes import CPU, BackendEntry

KEY = Qt.Key
LITERT = BackendEntry("litert-cpu", "cpu", True, device="XNNPACK")
GPU = BackendEntry("ort-webgpu", "gpu", True, device="Some GPU")
BOTH = (CPU, GPU, LITERT)


def press(one, key, modifier=Qt.KeyboardModifier.NoModifier):
    one.qtbot.keyClick(QApplication.focusWidget() or one.window, key, modifier)


def asked(one):
    """What the engine was asked for: mode and B's pipeline."""
    return [(mode.value, config.pipeline if config else None) for mode, config in one.engine.comparisons]


def wait_for(one, *newest):
    """Wait until this is what the engine was last asked for."""
    one.qtbot.waitUntil(lambda: asked(one)[-1:] == [newest])
