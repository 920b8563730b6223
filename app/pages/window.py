"""The window with the pages "Benchmark" and "Diagnostics"."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QCloseEvent, QIcon, Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.i18n import noop, tr
from app.icons import FOLDER
from app.pages.bench_page import BenchPage
from app.pages.diagnostics_page import DiagnosticsPage
from app.pages.work import StartLink, Work, start_child
from app.steps import Stepwise, ready_to_show
from app.theme import GRID, Theme, Type, font
from app.widgets.room import take_room

BENCHMARK = "benchmark"
DIAGNOSTICS = "diagnostics"
TITLES = {BENCHMARK: noop("Benchmark"), DIAGNOSTICS: noop("Diagnostics")}


class PagesWindow(QDialog):
    """Shows one of the pages.

    Parameters
    ----------
    theme : Theme
        How it looks.
    start : callable
        Starts children.
    furnished : bool
        Whether it is complete at once; else `furnish` completes it in steps.
    """

    write_wanted = Signal(str, bytes)

    def __init__(self, theme: Theme, start: StartLink = start_child, furnished: bool = True) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setObjectName("pagesWindow")
        theme.dress(self)
        self.setWindowIcon(QIcon(str(FOLDER / "twinlens.svg")))
        self._theme = theme
        self._works = (Work(start, self), Work(start, self))
        take_room(self, QSize(960, 720))
        if furnished:
            for _ in self._build():
                pass

    def furnish(self) -> Stepwise:
        """Put the pages into it, and style them, in steps."""
        yield from self._build()
        yield from ready_to_show(self)

    def _build(self) -> Stepwise:
        self.bench = BenchPage(self._theme, self._works[0], self)
        yield
        self.diagnostics = DiagnosticsPage(self._theme, self._works[1], self)
        yield
        self.stack = QStackedWidget(self)
        self.tabs: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        top = QHBoxLayout()
        top.setSpacing(GRID // 2)
        for name, picture, page in ((BENCHMARK, "gauge", self.bench), (DIAGNOSTICS, "info", self.diagnostics)):
            tab = QToolButton(self)
            tab.setObjectName("flat")
            tab.setCheckable(True)
            tab.setFont(font(Type.STRONG))
            tab.setIconSize(QSize(18, 18))
            tab.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            tab.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            tab.setProperty("picture", picture)
            tab.clicked.connect(lambda _checked=False, name=name: self.show_page(name))
            self._group.addButton(tab)
            self.tabs[name] = tab
            top.addWidget(tab)
            self.stack.addWidget(page)
            yield
        top.addStretch()
        self.said = QLabel(self)
        self.said.setProperty("muted", True)
        self.said.setFont(font(Type.CAPTION))
        top.addWidget(self.said)
        for page in (self.bench, self.diagnostics):
            page.said.connect(self.said.setText)
            page.write_wanted.connect(self.write_wanted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, int(1.5 * GRID), 2 * GRID, 2 * GRID)
        layout.setSpacing(2 * GRID)
        layout.addLayout(top)
        layout.addWidget(self.stack, 1)
        self._theme.changed.connect(self._apply_theme)
        yield
        self._apply_theme()
        yield

    def show_page(self, name: str) -> None:
        """Show a page above the other windows; the diagnosis is made when it is first looked at."""
        page: QWidget = self.bench if name == BENCHMARK else self.diagnostics
        self.tabs[name].setChecked(True)
        self.stack.setCurrentWidget(page)
        self.said.clear()
        self.setWindowTitle(tr(TITLES[name]))
        if not self.isVisible():
            # As in the main window: nothing is marked until the user takes the keyboard.
            self.setFocus()
        self.show()
        if self.isMinimized():
            self.showNormal()
        self.raise_()
        self.activateWindow()
        if name == DIAGNOSTICS:
            self.diagnostics.examine()

    def _apply_theme(self) -> None:
        # Also after another language was chosen.
        for name, tab in self.tabs.items():
            tab.setIcon(self._theme.icon(tab.property("picture")))
            tab.setAccessibleName(tr(TITLES[name]))
            # Qt leaves too little between an icon and its word.
            tab.setText(f" {tr(TITLES[name])}")

    def end(self) -> None:
        """Close for good, and wait until what was begun has ended."""
        self.close()
        for work in self._works:
            work.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        # A minute of measuring is no work that would be lost.
        if self.bench.is_running:
            self.bench.toggle()
        self.hide()
        # Not waited for: the live picture goes on.
        for work in self._works:
            work.stop()
        super().closeEvent(event)
