"""Every command of the window in one table: menus, keys and the shortcut sheet are made of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenuBar, QWidget

from app.i18n import tr


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    Parameters
    ----------
    id : str
        Name in the code.
    menu : str
        Menu it stands in, or submenu as "View/Appearance".
    text : str
        What the menu says.
    keys : tuple of str
        Shortcuts, the first is the one that is shown.
    icon : str
        Icon name, "" for none.
    checkable : bool
        It is switched on and off.
    group : str
        Only one of a group is on.
    separated : bool
        A line stands above it.
    """

    id: str
    menu: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    checkable: bool = False
    group: str = ""
    separated: bool = False


MENUS: Final = {"File": "F", "Edit": "E", "Run": "R", "Playback": "P", "View": "V", "Help": "H"}
"""Each with the letter that opens it together with Alt, in every language."""

COMMANDS: Final = (
    Command("open_file", "File", "Open file…", ("O", "Ctrl+O"), "film"),
    Command("open_folder", "File", "Open folder of pictures…", (), "folder"),
    Command("open_address", "File", "Open network camera…", (), "globe"),
    Command("open_demo", "File", "Play the demo", (), "demo"),
    Command("process", "File", "Process files…", ("Ctrl+P",), "queue", separated=True),
    Command("screenshot", "File", "Save screenshot", ("S",), "shot", separated=True),
    Command("screenshot_all", "File", "Save screenshot and all layers", ("Shift+S",), "layers"),
    Command("burst", "File", "Burst of screenshots…", ("B",), "burst"),
    Command("record", "File", "Record", ("R",), "record", separated=True),
    Command("record_plain", "File", "Record without drawings", checkable=True),
    Command("virtual_camera", "File", "Virtual camera", (), "webcam", checkable=True),
    Command("figures_on_screenshot", "File", "Figures on screenshots and recordings", checkable=True, separated=True),
    Command("screenshot_folder", "File", "Folder for screenshots and recordings…"),
    Command("quit", "File", "Quit", ("Ctrl+Q",), separated=True),
    Command("undo", "Edit", "Undo", ("Ctrl+Z",), "undo"),
    Command("redo", "Edit", "Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo"),
    Command("copy", "Edit", "Copy picture", ("Ctrl+C",), "copy", separated=True),
    Command("toggle", "Run", "Start", ("Space",), "play"),
    Command("pause", "Run", "Pause the picture", ("P", "K"), "pause", checkable=True),
    Command("step_back", "Playback", "One frame back", (",",), "step-back"),
    Command("step_on", "Playback", "One frame forward", (".",), "step-on"),
    Command("skip_back", "Playback", "10 seconds back", ("J",)),
    Command("skip_on", "Playback", "10 seconds forward", ("L",)),
    Command("slower", "Playback", "Slower", ("[",), separated=True),
    Command("faster", "Playback", "Faster", ("]",)),
    Command("loop", "Playback", "Loop", (), "loop", checkable=True),
    Command("auto", "Run", "Auto pipeline", ("0",), separated=True),
    Command("cpu", "Run", "CPU pipeline", ("1",)),
    Command("gpu", "Run", "GPU pipeline", ("2",)),
    Command("compare", "Run", "Compare: off, split, take turns", ("C",), "compare", separated=True),
    Command("benchmark", "Run", "Benchmark…", ("Shift+B",), "gauge", separated=True),
    Command("diagnostics", "Run", "Diagnostics…", ("Shift+D",), "info"),
    Command("refresh", "Run", "Look for cameras again", ("F5",), separated=True),
    Command("figures", "View", "Figures: off, compact, full", ("H",), "gauge"),
    Command("corner_top_left", "View/Corner of the figures", "Top left", checkable=True, group="corner"),
    Command("corner_top_right", "View/Corner of the figures", "Top right", checkable=True, group="corner"),
    Command("corner_bottom_left", "View/Corner of the figures", "Bottom left", checkable=True, group="corner"),
    Command("corner_bottom_right", "View/Corner of the figures", "Bottom right", checkable=True, group="corner"),
    Command("mirror", "View", "Mirror cameras", ("M",), "mirror", checkable=True),
    Command("panel", "View", "Side panel", ("Ctrl+B",), "panel", checkable=True, separated=True),
    Command("strip", "View", "Performance strip", ("Ctrl+J",), "strip", checkable=True),
    Command("strip_hold", "View/Strip options", "Pause the strip", ("Shift+P",), "pause", checkable=True),
    Command("strip_csv", "View/Strip options", "Save the figures as CSV…"),
    Command("strip_png", "View/Strip options", "Save the chart as PNG…"),
    Command("zoom_in", "View/Zoom", "Zoom in", ("+", "=")),
    Command("zoom_out", "View/Zoom", "Zoom out", ("-",)),
    Command("zoom_fit", "View/Zoom", "Fit the window", ("Ctrl+0",), separated=True),
    Command("zoom_fill", "View/Zoom", "Fill the window, edges cut off", ("Ctrl+9",)),
    Command("zoom_one", "View/Zoom", "Actual size", ("Ctrl+1",)),
    Command("turn_left", "View/Relief", "Turn the relief left", ("Alt+Left",)),
    Command("turn_right", "View/Relief", "Turn the relief right", ("Alt+Right",)),
    Command("turn_up", "View/Relief", "Turn the relief up", ("Alt+Up",)),
    Command("turn_down", "View/Relief", "Turn the relief down", ("Alt+Down",)),
    Command("turn_back", "View/Relief", "Reset the angle", separated=True),
    Command("look", "View", "Look closely at the next face", ("N",)),
    Command("full", "View", "Full screen", ("F", "F11"), "full", checkable=True),
    Command("theme_system", "View/Appearance", "Follow the system", checkable=True, group="theme"),
    Command("theme_light", "View/Appearance", "Light", checkable=True, group="theme"),
    Command("theme_dark", "View/Appearance", "Dark", checkable=True, group="theme"),
    Command("language_system", "View/Language", "System language", checkable=True, group="language"),
    Command("language_en", "View/Language", "English", checkable=True, group="language"),
    Command("language_zh_TW", "View/Language", "繁體中文", checkable=True, group="language"),
    Command("language_zh_CN", "View/Language", "简体中文", checkable=True, group="language"),
    Command("shortcuts", "Help", "Keyboard shortcuts", ("?", "F1"), "keyboard"),
    Command("about", "Help", "About Twinlens", (), "info"),
)


def make_actions(window: QWidget, handlers: dict[str, Callable[[], None]]) -> dict[str, QAction]:
    """Make an action for each command and connect it.

    Parameters
    ----------
    window : QWidget
        The shortcuts work anywhere in it.
    handlers : dict of str to callable
        What each command does, by its id.

    Raises
    ------
    KeyError
        If a command has no handler: no command may do nothing.
    """
    actions: dict[str, QAction] = {}
    for command in COMMANDS:
        action = QAction(window)
        action.setObjectName(command.id)
        keys = [QKeySequence(key) for key in command.keys]
        # On most keyboards the question mark is typed with Shift, and not every platform leaves that out.
        keys += [QKeySequence(f"Shift+{key}") for key in command.keys if key == "?"]
        action.setShortcuts(keys)
        action.setAutoRepeat(False)
        action.setCheckable(command.checkable)
        # An icon would stand where the mark is that says whether it is on.
        action.setIconVisibleInMenu(not command.checkable)
        handler = handlers[command.id]
        action.triggered.connect(lambda _checked=False, handler=handler: handler())
        window.addAction(action)
        actions[command.id] = action
    name_actions(actions)
    return actions


def name_actions(actions: dict[str, QAction]) -> None:
    """Give every action its text and its tip, in the language that is in use."""
    for command in COMMANDS:
        action = actions[command.id]
        text = tr(command.text)
        action.setText(text)
        if command.keys:
            action.setToolTip(f"{text} ({shown_key(command.keys[0])})")


def shown_key(key: str) -> str:
    """Return a key as this system writes it."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def menu_title(name: str) -> str:
    """Return the title of a menu with its letter marked: &File, 檔案(&F)."""
    text, letter = tr(name), MENUS[name]
    return text.replace(letter, f"&{letter}", 1) if letter in text else f"{text}(&{letter})"


def name_menus(bar: QMenuBar) -> None:
    """Give the menus of a bar their titles, in the language that is in use."""
    for action, name in zip(bar.actions(), MENUS, strict=True):
        action.setText(menu_title(name))


def fill_menus(bar: QMenuBar, actions: dict[str, QAction]) -> None:
    """Put every command into its menu."""
    menus = {name: bar.addMenu(menu_title(name)) for name in MENUS}
    groups: dict[str, QActionGroup] = {}
    for command in COMMANDS:
        if command.menu not in menus:
            parent, _, name = command.menu.partition("/")
            menus[command.menu] = menus[parent].addMenu(tr(name))
        action = actions[command.id]
        if command.separated:
            menus[command.menu].addSeparator()
        menus[command.menu].addAction(action)
        if command.group:
            groups.setdefault(command.group, QActionGroup(bar)).addAction(action)
