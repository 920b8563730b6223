"""The panel on the right: which tasks run, with which model, and how their results look."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.choices import EFFECTS, OPACITIES, REPLACE, STYLES, Choice, model_choices
from app.i18n import noop, tr
from app.i18n.families import sentence_words
from app.inventory import BackendEntry
from app.settings import Settings
from app.style import style_from
from app.theme import GRID, Theme, Type, font
from app.widgets.card import Card, Ground, Row, TaskCard, keep_width
from app.widgets.number_box import NumberBox
from app.words import backend_word, task_word
from pipelines.config import TASKS
from pipelines.pipeline import FrameResult

WIDTH = 36 * GRID
CONTROL_WIDTH = 19 * GRID
OPACITY_NAMES = {
    "face": noop("Face opacity"),
    "segmentation": noop("Person opacity"),
    "depth": noop("Depth opacity"),
}


class SidePanel(QScrollArea):
    """Cards for the tasks, for the picture, and for the backends of this machine.

    Parameters
    ----------
    theme : Theme
        For the colours of marks.
    """

    tasks_chosen = Signal(tuple)
    style_chosen = Signal(str, object)
    model_chosen = Signal(str, str)
    max_faces_chosen = Signal(int)
    smooth_chosen = Signal(bool)
    effect_chosen = Signal(str)
    background_wanted = Signal()
    """The user wants a picture as the background."""
    mirror_chosen = Signal(bool)
    fold_clicked = Signal(str)
    """Carries the task whose card is to be folded or unfolded."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidePanel")
        self.setFixedWidth(WIDTH)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        theme.dress(self.verticalScrollBar())
        self._theme = theme
        self.cards: dict[str, TaskCard] = {}
        self.styles: dict[str, QComboBox] = {}
        self.models: dict[str, QComboBox] = {}
        self.opacities: dict[str, QSlider] = {}
        self._known: tuple[BackendEntry, ...] | None = None
        self._has_backends = False
        self._shows_others = False
        self._inside = Ground(theme)
        self._layout = QVBoxLayout(self._inside)
        self._layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        self._layout.setSpacing(GRID)
        self._heading(tr("Tasks"))
        for name in TASKS:
            self._layout.addWidget(self._task_card(name))
        self._heading(tr("Picture"))
        self._layout.addWidget(self._picture_card())
        self._heading(tr("Backends"))
        self.trial = _muted("")
        theme.dress(self.trial)
        self.trial.hide()
        self._layout.addWidget(self.trial)
        self._backends = Card()
        theme.dress(self._backends)
        self._layout.addWidget(self._backends)
        self._layout.addStretch()
        self.setWidget(self._inside)
        keep_width(self, self._layout)

    # -- building

    def _heading(self, text: str) -> None:
        label = QLabel(text)
        label.setFont(font(Type.LABEL))
        label.setObjectName("muted")
        self._theme.dress(label)
        if self._layout.count():
            self._layout.addSpacing(GRID)
        self._layout.addWidget(label)

    def _task_card(self, name: str) -> QFrame:
        card = TaskCard(task_word(name), self._theme)
        self._theme.dress(card)
        card.switch.clicked.connect(self._tasks_clicked)
        card.fold_clicked.connect(lambda: self.fold_clicked.emit(name))
        self.cards[name] = card
        for index, choice in enumerate(STYLES.get(name, ())):
            # The style is what one plays with; the rest is a click away.
            (card.add_folded if index else card.add)(self._style_row(choice))
        for choice in model_choices(name):
            card.add_folded(self._model_row(choice))
        if name == "face":
            card.add_folded(self._faces_row())
        if name in OPACITIES:
            card.add_folded(self._opacity_row(OPACITIES[name], tr(OPACITY_NAMES[name])))
        return card

    def _model_row(self, choice: Choice) -> QWidget:
        combo = self._combo(choice)
        combo.activated.connect(lambda index: self.model_chosen.emit(choice.name, combo.itemData(index)))
        self.models[choice.name] = combo
        return Row(QLabel(tr(choice.label)), combo, CONTROL_WIDTH)

    def _faces_row(self) -> QWidget:
        self.max_faces = NumberBox(1, 100)
        self.max_faces.setAccessibleName(tr("Max faces"))
        self.max_faces.setToolTip(tr("Look for at most so many faces"))
        self.max_faces.valueChanged.connect(self.max_faces_chosen)
        return Row(QLabel(tr("Max faces")), self.max_faces, CONTROL_WIDTH)

    def _picture_card(self) -> QFrame:
        card = Card()
        self._theme.dress(card)
        self.effect = self._combo(EFFECTS)
        self.effect.activated.connect(self._effect_activated)
        card.add(Row(QLabel(tr(EFFECTS.label)), self.effect, CONTROL_WIDTH))
        self.smooth = QCheckBox(tr("Steady results over time"))
        self.smooth.setToolTip(tr("Smooth landmarks, masks and depth from frame to frame"))
        self.smooth.clicked.connect(self.smooth_chosen)
        self.mirror = QCheckBox(tr("Mirror cameras"))
        self.mirror.setToolTip(tr("Only what you see is mirrored; what is saved stays true (M)"))
        self.mirror.clicked.connect(self.mirror_chosen)
        for box in (self.smooth, self.mirror):
            box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            card.add(box)
        return card

    def _combo(self, choice: Choice) -> QComboBox:
        combo = QComboBox()
        combo.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        combo.setAccessibleName(tr(choice.accessible))
        for option in choice.options:
            combo.addItem(tr(option.label), option.value)
            combo.setItemData(combo.count() - 1, tr(option.tip), Qt.ItemDataRole.ToolTipRole)
        return combo

    def _style_row(self, choice: Choice) -> QWidget:
        combo = self._combo(choice)
        combo.activated.connect(lambda index: self.style_chosen.emit(choice.name, combo.itemData(index)))
        self.styles[choice.name] = combo
        return Row(QLabel(tr(choice.label)), combo, CONTROL_WIDTH)

    def _opacity_row(self, field: str, name: str) -> QWidget:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(0, 100)
        slider.setPageStep(10)
        slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        slider.setAccessibleName(name)
        slider.valueChanged.connect(lambda value: self.style_chosen.emit(field, value / 100))
        self.opacities[field] = slider
        return Row(QLabel(tr("Opacity")), slider, CONTROL_WIDTH)

    def _others(self, entries: list[BackendEntry]) -> QWidget:
        """The backends that cannot be used, folded: their number is news enough until somebody asks why."""
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        button = QPushButton()
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        fold = QWidget()
        inside = QVBoxLayout(fold)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(GRID)
        for entry in entries:
            inside.addWidget(_backend(entry))

        def show(shown: bool) -> None:
            self._shows_others = shown
            fold.setVisible(shown)
            button.setText(tr("Show fewer") if shown else tr("Show {count} not usable here").format(count=len(entries)))

        # The list is made anew with every verdict: who reads the reasons goes on reading.
        button.setChecked(self._shows_others)
        show(self._shows_others)
        button.toggled.connect(show)
        layout.addWidget(button)
        layout.addWidget(fold)
        return box

    # -- what the user does

    def _tasks_clicked(self) -> None:
        self.tasks_chosen.emit(tuple(name for name in TASKS if self.cards[name].switch.isChecked()))

    def _effect_activated(self, index: int) -> None:
        chosen = self.effect.itemData(index)
        if chosen == REPLACE:
            self.background_wanted.emit()
        else:
            self.effect_chosen.emit(chosen)

    # -- what the controller says

    def show_settings(self, settings: Settings) -> None:
        """Show the settings, without announcing them as wishes of the user."""
        only = len(settings.tasks) == 1
        for name, card in self.cards.items():
            card.switch.setChecked(name in settings.tasks)
            last = only and name in settings.tasks
            card.switch.setEnabled(not last)
            card.switch.setToolTip(tr("One task has to stay on") if last else "")
            card.show_open(name in settings.unfolded)
        style = style_from(settings.style)
        for name, control in self.styles.items():
            control.setCurrentIndex(control.findData(getattr(style, name).value))
        has_effect = settings.effect != "none"
        for idle in (self.styles["mask"], self.styles["mask_tint"], self.opacities["mask_opacity"]):
            idle.setEnabled(not has_effect)
            idle.setToolTip(tr("An effect shows the person already") if has_effect else "")
        person = "segmentation" in settings.tasks
        self.effect.setEnabled(person)
        replaces = settings.effect.startswith(REPLACE)
        picture = settings.effect.removeprefix(REPLACE) if replaces else ""
        self.effect.setToolTip(picture if person else tr("Needs the task Person"))
        self.effect.setCurrentIndex(max(0, self.effect.findData(REPLACE if replaces else settings.effect)))
        for name, slider in self.opacities.items():
            _set_silently(slider, round(100 * getattr(style, name)))
        for role, combo in self.models.items():
            index = combo.findData(settings.models[role]) if role in settings.models else 0
            combo.setCurrentIndex(max(0, index))
        _set_silently(self.max_faces, settings.max_faces)
        self.smooth.setChecked(settings.smooth)
        self.mirror.setChecked(settings.mirror)

    def show_ran(self, result: FrameResult) -> None:
        """Say on which backend each task really ran; a task that is off says nothing."""
        for name, card in self.cards.items():
            backend = result.backends.get(name, "")
            card.remark.setText(backend_word(backend, backend in result.software))

    def show_trial(self, backend: str) -> None:
        """Say which backend is being tried in the background, "" for none."""
        self.trial.setText(tr("Trying {backend}, so that Auto knows what is fastest here…").format(backend=backend))
        self.trial.setVisible(bool(backend))

    def forget_backends(self) -> None:
        """Say everything about the backends anew when they are shown next."""
        self._has_backends = False

    def show_backends(self, backends: tuple[BackendEntry, ...] | None) -> None:
        """List the backends of this machine, and why one cannot be used."""
        if backends == self._known and self._has_backends:
            return
        self._known, self._has_backends = backends, True
        self._backends.clear()
        if backends is None:
            self._backends.add(_muted(tr("Asking the backends…")))
            return
        others = [entry for entry in backends if not (entry.available or entry.untried)]
        for entry in backends:
            if entry not in others:
                self._backends.add(_backend(entry))
        if others:
            self._backends.add(self._others(others))
        # The list was shorter for a moment, and Qt may leave the cards above squeezed to that height: what is new is
        # shown by an event of its own, behind which the room is measured anew.
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        if self._inside.height() < self._inside.minimumSizeHint().height():
            QApplication.sendEvent(self, QEvent(QEvent.Type.LayoutRequest))


def _reason(entry: BackendEntry) -> str:
    return (
        tr("Not tried yet: choose it to try it")
        if entry.untried
        else tr("Not usable here: {reason}").format(reason=sentence_words(entry.reason))
    )


def _backend(entry: BackendEntry) -> QWidget:
    both = QWidget()
    layout = QVBoxLayout(both)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(GRID // 4)
    name = QLabel(backend_word(entry.id, entry.software))
    name.setEnabled(entry.available)
    layout.addWidget(name)
    about = _muted(entry.device if entry.available else _reason(entry))
    if not entry.available:
        about.setObjectName(f"reason of {entry.id}")
    layout.addWidget(about)
    return both


def _muted(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("muted", True)
    label.setFont(font(Type.CAPTION))
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def _set_silently(control: QSlider | QSpinBox, value: int) -> None:
    blocked = control.blockSignals(True)
    control.setValue(value)
    control.blockSignals(blocked)
