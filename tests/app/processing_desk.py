"""A window "Process files" with a child that a test plays, and what a test does to it."""

from PySide6.QtCore import Qt

from app.processing.options import ProcessOptions
from app.processing.options_panel import OptionsPanel
from app.processing.runner import Runner
from app.processing.window import ProcessWindow
from tests.app.processing_fakes import FakeChildren

KEY = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton
NAMES = ("/v/a.mp4", "/v/b.mp4", "/v/c.mp4")


class Desk:
    """A window and what a test does to it."""

    def __init__(self, qtbot, theme, options=None):
        self.qtbot = qtbot
        self.children = FakeChildren()
        self.revealed = []
        self.runner = Runner(self.children)
        panel = OptionsPanel(theme, options or ProcessOptions())
        self.window = ProcessWindow(theme, self.runner, panel, self.revealed.append)
        with qtbot.waitExposed(self.window):
            self.window.show()
        self.window.activateWindow()

    def add(self, *names):
        self.window.add(list(names))
        self.children.find(*names)
        self.settle()

    def settle(self):
        """Wait until the window shows what is so."""
        self.qtbot.waitUntil(lambda: not self.window._timer.isActive())

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier):
        self.settle()
        self.qtbot.keyClick(self.window.list, key, modifier)
        self.settle()

    def click(self, name):
        self.settle()
        button = self.window.buttons[name]
        assert button.isVisible()
        assert button.isEnabled()
        self.qtbot.mouseClick(button, LEFT)
        self.settle()

    def mark(self, *rows):
        self.window.list.clearSelection()
        for row in rows:
            index = self.runner.model.index(row)
            self.window.list.selectionModel().select(index, self.window.list.selectionModel().SelectionFlag.Select)
        self.settle()

    def button_of(self, row):
        rect = self.window.list.visualRect(self.runner.model.index(row))
        return self.window.list.itemDelegate().button_rect(rect).center()

    def click_row(self, row):
        self.qtbot.mouseClick(self.window.list.viewport(), LEFT, pos=self.button_of(row))
        self.settle()

    def states(self):
        return [item.state for item in self.runner.model]

    def seen(self):
        return {name for name, button in self.window.buttons.items() if button.isVisible()}
