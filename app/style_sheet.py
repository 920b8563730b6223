"""The style sheet, made of a scheme's colours."""

from __future__ import annotations

from typing import Final

from app.colors import Colors
from app.icons import FOLDER

RADIUS: Final = 6
CONTROL_HEIGHT: Final = 32


def _url(name: str) -> str:
    return f'url("{(FOLDER / name).as_posix()}.svg")'


def style_sheet(c: Colors) -> str:
    """Return the style sheet of a scheme."""
    return f"""
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
    QToolTip {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; padding: 4px 8px; }}

    QMenuBar {{ background: {c.panel}; color: {c.text}; padding: 2px 8px; }}
    QMenuBar::item {{ padding: 4px 8px; border-radius: 4px; background: transparent; }}
    QMenuBar::item:selected {{ background: {c.hover}; }}
    QMenu {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; padding: 4px; }}
    QMenu::item {{ padding: 6px 24px 6px 12px; border-radius: 4px; }}
    QMenu::item:selected {{ background: {c.hover}; }}
    QMenu::item:disabled {{ color: {c.faint}; }}
    QMenu::separator {{ height: 1px; background: {c.line}; margin: 4px 8px; }}
    QMenu::icon {{ padding-left: 8px; }}
    QMenu::indicator {{ width: 16px; height: 16px; padding-left: 4px; }}
    QMenu::indicator:checked {{ image: {_url("tick-light" if c.tick == "tick-dark" else "tick-dark")}; }}

    #topBar, #strip, #messageBar, #transport {{ background: {c.panel}; }}
    #transport {{ border-top: 1px solid {c.line}; }}
    #topBar {{ border-bottom: 1px solid {c.line}; }}
    #messageBar {{ border-bottom: 1px solid {c.line}; }}
    #messageBar[severity="error"] {{ border-left: 4px solid {c.error}; }}
    #messageBar[severity="warning"] {{ border-left: 4px solid {c.warning}; }}
    #messageBar[severity="info"] {{ border-left: 4px solid {c.muted}; }}
    #strip {{ border-top: 1px solid {c.line}; padding-top: 1px; }}
    #strip:focus {{ border-top: 2px solid {c.focus}; padding-top: 0; }}
    #card {{ background: {c.raised}; border: 1px solid {c.line}; border-radius: {RADIUS + 2}px; }}
    #card QLabel, #card QCheckBox {{ background: transparent; }}
    #processList {{ background: {c.panel}; border: 1px solid {c.line}; border-radius: {RADIUS + 2}px; padding: 4px 0; }}
    #muted, QLabel[muted="true"] {{ color: {c.muted}; }}
    #keycap {{ background: {c.raised}; border: 1px solid {c.line}; border-bottom-width: 2px; border-radius: 4px;
               padding: 2px 6px; color: {c.text}; }}

    QPushButton, QToolButton, QComboBox, QSpinBox, QLineEdit {{
        background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; border-radius: {RADIUS}px;
        min-height: {CONTROL_HEIGHT - 10}px; padding: 4px 12px; }}
    QPushButton:hover, QToolButton:hover, QComboBox:hover {{ background: {c.hover}; }}
    QPushButton:pressed, QToolButton:pressed {{ background: {c.line}; }}
    QPushButton:disabled, QToolButton:disabled, QComboBox:disabled, QSpinBox:disabled {{ color: {c.faint}; }}
    QPushButton:focus, QToolButton:focus, QComboBox:focus, QSpinBox:focus, QLineEdit:focus {{
        border: 2px solid {c.focus}; padding: 3px 11px; }}
    QPushButton, QToolButton, QCheckBox {{ outline: none; }}
    QPushButton#primary {{ background: {c.ink}; color: {c.on_ink}; border-color: {c.ink}; padding: 4px 16px; }}
    QPushButton#primary:hover {{ background: {c.muted}; border-color: {c.muted}; }}
    QPushButton#primary:focus {{ border: 2px solid {c.focus}; padding: 3px 15px; }}
    QPushButton#primary:disabled {{ background: {c.hover}; border-color: {c.line}; color: {c.faint}; }}

    QToolButton {{ padding: 4px 8px; }}
    QToolButton:focus {{ padding: 3px 7px; }}
    QToolButton#flat {{ background: transparent; border: 1px solid transparent; padding: 4px 6px; }}
    QToolButton#flat:hover {{ background: {c.hover}; }}
    QToolButton#flat:checked {{ background: {c.line}; }}
    QToolButton#flat:focus {{ border: 2px solid {c.focus}; padding: 3px 5px; }}
    QToolButton::menu-indicator {{ image: {_url("chevron")}; width: 16px; height: 16px;
                                   subcontrol-origin: padding; subcontrol-position: center right; right: 6px; }}
    QToolButton#source {{ padding-right: 30px; padding-left: 10px; }}
    QToolButton#source:focus {{ padding: 3px 29px 3px 9px; }}
    QToolButton#onPicture {{ background: rgba(12, 14, 17, 178); border: 1px solid rgba(255, 255, 255, 36);
                             padding: 4px; }}
    QToolButton#onPicture:hover {{ background: rgba(44, 49, 56, 230); }}
    QToolButton#onPicture:focus {{ border: 2px solid #6aa5ff; padding: 3px; }}

    QComboBox {{ padding-right: 2px; combobox-popup: 0; }}
    QComboBox:focus {{ padding-right: 1px; }}
    QComboBox::drop-down {{ border: none; width: 26px; }}
    QComboBox::down-arrow {{ image: {_url("chevron")}; width: 16px; height: 16px; }}
    QComboBox QAbstractItemView {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line};
        outline: none; padding: 4px; selection-background-color: {c.hover}; selection-color: {c.text}; }}
    QComboBox QAbstractItemView::item {{ min-height: 26px; padding: 0 5px; border-radius: 4px; }}
    QComboBox QAbstractItemView::item:selected {{ background: {c.hover}; color: {c.text}; border: none; }}
    QComboBox QAbstractItemView::item:disabled {{ color: {c.faint}; }}
    QSpinBox {{ padding: 4px; }}
    QSpinBox:focus {{ padding: 3px; }}
    QSpinBox QLineEdit, QSpinBox QLineEdit:focus {{ border: none; background: transparent; padding: 0 8px;
                                                    min-height: 0; }}
    QSpinBox::up-button, QSpinBox::down-button {{ border: none; width: 20px; background: transparent; }}
    QSpinBox::up-arrow {{ image: {_url("chevron-up")}; width: 12px; height: 12px; }}
    QSpinBox::down-arrow {{ image: {_url("chevron")}; width: 12px; height: 12px; }}

    QCheckBox {{ spacing: 8px; color: {c.text}; background: transparent; padding: 2px 4px 2px 0;
                 border: 2px solid transparent; border-radius: 4px; }}
    QCheckBox:disabled {{ color: {c.muted}; }}
    QCheckBox:focus {{ border-color: {c.focus}; }}
    QCheckBox::indicator {{ width: 16px; height: 16px; border: 1px solid {c.faint}; border-radius: 4px;
                            background: {c.raised}; }}
    QCheckBox::indicator:hover {{ border-color: {c.muted}; }}
    QCheckBox::indicator:checked {{ background: {c.ink}; border-color: {c.ink}; image: {_url(c.tick)}; }}
    QCheckBox::indicator:checked:disabled {{ background: {c.faint}; border-color: {c.faint}; }}

    QSlider {{ min-height: 24px; background: transparent; border: 2px solid transparent; border-radius: 4px; }}
    QSlider:focus {{ border-color: {c.focus}; }}
    QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {c.line}; }}
    QSlider::sub-page:horizontal {{ height: 4px; border-radius: 2px; background: {c.ink}; }}
    QSlider::handle:horizontal {{ width: 14px; height: 14px; margin: -5px 0; border-radius: 7px; background: {c.ink}; }}
    QSlider::handle:horizontal:disabled, QSlider::sub-page:horizontal:disabled {{ background: {c.faint}; }}

    QProgressBar {{ border: none; background: {c.line}; border-radius: 2px; }}
    QProgressBar::chunk {{ background: {c.ink}; border-radius: 2px; }}
    QTreeView {{ background: {c.panel}; color: {c.text}; border: 1px solid {c.line}; border-radius: {RADIUS}px;
                 outline: none; padding: 1px; }}
    QTreeView::item {{ padding: 4px 8px; }}
    QTreeView::item:selected, QTreeView::item:hover {{ background: {c.hover}; color: {c.text}; }}
    QTreeView:focus {{ border: 2px solid {c.focus}; padding: 0; }}
    QHeaderView {{ background: {c.panel}; border: none; }}
    QHeaderView::section {{ background: {c.panel}; color: {c.muted}; border: none;
                            border-bottom: 1px solid {c.line}; padding: 6px 11px; }}

    QScrollArea {{ border: none; background: transparent; }}
    QScrollBar:vertical {{ width: 10px; background: transparent; margin: 0; }}
    #sidePanel QScrollBar:vertical {{ background: {c.panel}; }}
    QScrollBar::handle:vertical {{ background: {c.line}; border-radius: 4px; min-height: 24px; margin: 1px; }}
    QScrollBar::handle:vertical:hover {{ background: {c.faint}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QPlainTextEdit {{ background: {c.window}; color: {c.text}; border: 1px solid {c.line};
                      border-radius: {RADIUS}px; padding: 8px; }}
    """
