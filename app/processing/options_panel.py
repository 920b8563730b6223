"""The panel beside the queue: what is written, where, and what is looked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.file_dialogs import BACKGROUND, OUTPUT, ask_file, ask_folder
from app.i18n import tr
from app.inventory import BackendEntry, why_not
from app.processing.choices import EFFECTS, EXISTING, FORMATS, LAYER_WORDS, PLACES, QUALITIES, RESULTS
from app.processing.options import ProcessOptions, has_quality, has_sound, holds_alpha
from app.sources import PICTURE_SUFFIXES
from app.steps import Stepwise, styled
from app.theme import GRID, Theme, Type, font
from app.widgets.card import Card, Ground, Row, keep_width
from app.widgets.number_box import NumberBox
from app.words import pipeline_word, task_word
from pipelines.config import TASKS
from pipelines.export import LAYER_TASK, LAYERS

WIDTH = 40 * GRID
CONTROL_WIDTH = 22 * GRID
CHOOSE = "choose"
REPLACE = "replace:"


class OptionsPanel(QScrollArea):
    """Shows the options and tells when the user changes them.

    Parameters
    ----------
    theme : Theme
        For the look.
    options : ProcessOptions
        What is shown first.
    furnished : bool
        Whether it is complete at once; else `furnish` completes it in steps.
    """

    changed = Signal()

    def __init__(
        self, theme: Theme, options: ProcessOptions, parent: QWidget | None = None, furnished: bool = True
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sidePanel")
        self.setFixedWidth(WIDTH)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        theme.dress(self.verticalScrollBar())
        self.options = options
        self._theme = theme
        self._backends: tuple[BackendEntry, ...] | None = None
        # Where it belongs from the beginning: to put it there with all that is in it is as much work as to make that.
        self._inside = inside = Ground(theme, self.viewport())
        self._layout = QVBoxLayout(inside)
        self._layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        self._layout.setSpacing(GRID)
        if furnished:
            for _ in self.furnish():
                pass

    # -- building

    def furnish(self) -> Stepwise:
        """Put everything into it, in steps."""
        self._heading(tr("Where to save"))
        yield from self._place_card()
        self._heading(tr("What to write"))
        yield from self._output_card()
        self._heading(tr("What to look for"))
        yield from self._task_card()
        self._layout.addStretch()
        yield from styled(self._inside)
        self.setWidget(self._inside)
        keep_width(self, self._layout)
        yield
        self._show()
        yield

    def _card(self) -> Card:
        card = Card(self._inside)
        self._theme.dress(card)
        self._layout.addWidget(card)
        return card

    def _heading(self, text: str) -> None:
        label = QLabel(text)
        label.setFont(font(Type.LABEL))
        label.setObjectName("muted")
        self._theme.dress(label)
        if self._layout.count():
            self._layout.addSpacing(GRID)
        self._layout.addWidget(label)

    def _combo(self, name: str, options: tuple[tuple[object, str, str], ...], field: str) -> QComboBox:
        combo = QComboBox()
        combo.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        combo.setAccessibleName(name)
        for value, label, tip in options:
            combo.addItem(tr(label), value)
            combo.setItemData(combo.count() - 1, tr(tip), Qt.ItemDataRole.ToolTipRole)
        combo.activated.connect(lambda index: self._set(**{field: combo.itemData(index)}))
        return combo

    def _check(self, text: str, tip: str = "") -> QCheckBox:
        box = QCheckBox(text)
        box.setToolTip(tip)
        box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return box

    def _place_card(self) -> Stepwise:
        card = self._card()
        self.folder = self._combo(tr("Output folder"), PLACES, "folder")
        self.folder.activated.disconnect()
        self.folder.activated.connect(self._folder_activated)
        card.add(Row(QLabel(tr("Folder")), self.folder, CONTROL_WIDTH))
        yield
        self.existing = self._combo(tr("Existing files"), EXISTING, "replace")
        card.add(Row(QLabel(tr("If it exists")), self.existing, CONTROL_WIDTH))
        yield

    def _output_card(self) -> Stepwise:
        card = self._card()
        self.video = self._check(
            tr("Annotated video or picture"), tr("The results drawn on every frame, or the effect")
        )
        self.video.clicked.connect(lambda on: self._set(video=on))
        card.add(self.video)
        yield
        self.format = self._combo(tr("Video format"), FORMATS, "format")
        card.add(Row(QLabel(tr("Format")), self.format, CONTROL_WIDTH))
        yield
        self.quality = self._combo(tr("Video quality"), QUALITIES, "crf")
        card.add(Row(QLabel(tr("Quality")), self.quality, CONTROL_WIDTH))
        yield
        self.effect = self._combo(tr("Effect"), EFFECTS, "effect")
        self.effect.activated.disconnect()
        self.effect.activated.connect(self._effect_activated)
        card.add(Row(QLabel(tr("Effect")), self.effect, CONTROL_WIDTH))
        yield
        self.sound = self._check(
            tr("Sound and subtitles"), tr("Brought over, without encoding them anew where that is possible")
        )
        self.sound.clicked.connect(lambda on: self._set(sound=on))
        card.add(self.sound)
        yield
        self.results = self._combo(tr("Results file"), RESULTS, "results")
        card.add(Row(QLabel(tr("Results")), self.results, CONTROL_WIDTH))
        yield
        layers = QLabel(tr("Layers, a picture for every frame"))
        layers.setProperty("muted", True)
        layers.setFont(font(Type.CAPTION))
        card.add(layers)
        self.layers: dict[str, QCheckBox] = {}
        for name in LAYERS:
            label, tip = (tr(text) for text in LAYER_WORDS[name])
            self.layers[name] = self._check(label, tip)
            self.layers[name].clicked.connect(self._layers_clicked)
        yield
        card.add(_columns(list(self.layers.values()), 2))
        yield

    def _task_card(self) -> Stepwise:
        card = self._card()
        self.tasks: dict[str, QCheckBox] = {}
        for name in TASKS:
            self.tasks[name] = self._check(task_word(name))
            self.tasks[name].clicked.connect(self._tasks_clicked)
        card.add(_columns(list(self.tasks.values()), len(TASKS)))
        yield
        self.pipeline = self._combo(tr("Pipeline"), (), "pipeline")
        card.add(Row(QLabel(tr("Pipeline")), self.pipeline, CONTROL_WIDTH))
        yield
        self.max_faces = NumberBox(1, 100)
        self.max_faces.setAccessibleName(tr("Max faces"))
        self.max_faces.valueChanged.connect(lambda count: self._set(max_faces=count))
        card.add(Row(QLabel(tr("Max faces")), self.max_faces, CONTROL_WIDTH))
        yield
        self.smooth = self._check(
            tr("Steady results over time"), tr("Smooth landmarks, masks and depth from frame to frame")
        )
        self.smooth.clicked.connect(lambda on: self._set(smooth=on))
        card.add(self.smooth)
        yield

    # -- what the user does

    def _set(self, **changes: object) -> None:
        options = replace(self.options, **changes)  # type: ignore[arg-type]
        if options.alpha and not holds_alpha(options.format):
            # The choice that was made last is the one that counts.
            options = replace(options, format=".webm") if "effect" in changes else replace(options, effect="none")
        if "segmentation" not in options.tasks and options.effect != "none":
            options = replace(options, effect="none")
        options = replace(options, layers=options.possible_layers())
        if options != self.options:
            self.options = options
            self.changed.emit()
        self._show()

    def _layers_clicked(self) -> None:
        self._set(layers=tuple(name for name in LAYERS if self.layers[name].isChecked()))

    def _tasks_clicked(self) -> None:
        self._set(tasks=tuple(name for name in TASKS if self.tasks[name].isChecked()))

    def _folder_activated(self, index: int) -> None:
        if self.folder.itemData(index) != CHOOSE:
            self._set(folder=self.folder.itemData(index))
            return
        take = lambda path: self._set(folder=str(Path(path)))  # noqa: E731
        title = tr("Folder for what is written")
        # Whoever changes their mind finds the choice as it was.
        ask_folder(self.window(), title, OUTPUT, take, self.options.folder).rejected.connect(self._show)

    def _effect_activated(self, index: int) -> None:
        if self.effect.itemData(index) != REPLACE:
            self._set(effect=self.effect.itemData(index))
            return
        patterns = " ".join(f"*{suffix}" for suffix in PICTURE_SUFFIXES)
        filters = [f"{tr('Pictures')} ({patterns})", f"{tr('All files')} (*)"]
        take = lambda path: self._set(effect=f"{REPLACE}{path}")  # noqa: E731
        title = tr("Picture for the background")
        ask_file(self.window(), title, BACKGROUND, filters, take).rejected.connect(self._show)

    # -- what is shown

    def show_backends(self, backends: tuple[BackendEntry, ...] | None) -> None:
        """Offer the backends that can be used here."""
        self._backends = backends
        self._show()

    def lock(self, locked: bool) -> None:
        """Let nothing be changed while the queue runs."""
        self._inside.setEnabled(not locked)

    def _show(self) -> None:
        options = self.options
        self._show_folder()
        self.existing.setCurrentIndex(self.existing.findData(options.replace))
        self.video.setChecked(options.video)
        self.format.setCurrentIndex(self.format.findData(options.format))
        self.format.setEnabled(options.video)
        scale = has_quality(options.format, options.alpha)
        self.quality.setEnabled(options.video and scale)
        self.quality.setToolTip("" if scale else tr("This format has no quality setting"))
        near = min(range(self.quality.count()), key=lambda i: abs(self.quality.itemData(i) - options.crf))
        self.quality.setCurrentIndex(near)
        person = "segmentation" in options.tasks
        self.effect.setEnabled(options.video and person)
        self.effect.setToolTip("" if person else tr("Needs the task Person"))
        replaces = options.effect.startswith(REPLACE)
        self.effect.setCurrentIndex(max(0, self.effect.findData(REPLACE if replaces else options.effect)))
        holds = has_sound(options.format)
        self.sound.setChecked(options.sound and holds)
        self.sound.setEnabled(options.video and holds)
        self.results.setCurrentIndex(self.results.findData(options.results))
        for name, box in self.layers.items():
            task = LAYER_TASK.get(name)
            possible = task is None or task in options.tasks
            box.setEnabled(possible)
            box.setChecked(possible and name in options.layers)
            box.setToolTip(
                tr(LAYER_WORDS[name][1]) if possible else tr("Needs the task {task}").format(task=task_word(task or ""))
            )
        for name, box in self.tasks.items():
            box.setChecked(name in options.tasks)
            last = options.tasks == (name,)
            box.setEnabled(not last)
            box.setToolTip(tr("One task has to stay on") if last else "")
        self._show_pipelines()
        blocked = self.max_faces.blockSignals(True)
        self.max_faces.setValue(options.max_faces)
        self.max_faces.blockSignals(blocked)
        self.max_faces.setEnabled("face" in options.tasks)
        self.smooth.setChecked(options.smooth)

    def _show_folder(self) -> None:
        folder = self.options.folder
        self.folder.clear()
        for value, label, tip in PLACES:
            if value == CHOOSE and folder:
                room = CONTROL_WIDTH - 6 * GRID
                name = QFontMetrics(self.folder.font()).elidedText(
                    Path(folder).name or folder, Qt.TextElideMode.ElideMiddle, room
                )
                self.folder.addItem(name, folder)
                self.folder.setItemData(self.folder.count() - 1, folder, Qt.ItemDataRole.ToolTipRole)
            self.folder.addItem(tr(label), value)
            self.folder.setItemData(self.folder.count() - 1, tr(tip), Qt.ItemDataRole.ToolTipRole)
        self.folder.setCurrentIndex(self.folder.findData(folder))
        self.folder.setToolTip(folder)

    def _show_pipelines(self) -> None:
        names = ["auto", "cpu", "gpu", *(entry.id for entry in self._backends or ())]
        offered = [name for name in names if not why_not(name, self._backends)]
        if self.options.pipeline not in offered:
            offered.append(self.options.pipeline)
        self.pipeline.clear()
        for name in offered:
            self.pipeline.addItem(pipeline_word(name), name)
        self.pipeline.setCurrentIndex(self.pipeline.findData(self.options.pipeline))


def _columns(widgets: list[QCheckBox], columns: int) -> QWidget:
    """Put switches beside each other."""
    box = QWidget()
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(GRID)
    grid.setVerticalSpacing(GRID // 2)
    for number, widget in enumerate(widgets):
        grid.addWidget(widget, number // columns, number % columns)
    return box
