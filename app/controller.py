"""Decides what happens: owns the engine, the background threads and the settings. The window only shows and asks."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.addresses import Logins
from app.background_trials import BackgroundTrials
from app.choices import DEFAULT_MODELS
from app.comparison_choice import ComparisonChoice
from app.dropped import SEVERAL
from app.effect_loader import EffectLoader
from app.engine import Engine, live_engine
from app.files import FileControl
from app.history import History
from app.i18n import noop
from app.inventory import BackendEntry, CameraEntry, Inventory
from app.notifications import NO_PICTURE, Notifications
from app.pictures import Picture
from app.pipeline_change import config_from
from app.pipeline_wishes import PipelineWishes
from app.playback import PlaybackControl
from app.qt_modules import load_in_background
from app.recording import RecordingControl
from app.settings import Settings
from app.settings_keeper import SettingsKeeper
from app.sources import is_address, is_camera, is_file, lasting, mode_options
from app.style import style_of
from app.troubles import Troubles
from app.virtual_camera import VirtualCameraControl
from app.workers import BackgroundJobs, PictureWorker, UpdateGate
from app.zoom import Zoom
from models.manifest import load_manifest
from pipelines.figures import Figures
from pipelines.machine import package_version

if TYPE_CHECKING:
    from pipelines.engine import EngineStatus, View
    from pipelines.overlay import Effect

TICK_MS: Final = 250
"""How often the figures are shown anew: faster than that nobody can read them."""
STOP_S: Final = 1.0
REFERENCE: Final = "ort-cpu"
"""Where everything runs until a picture says otherwise."""
ACTIVE: Final = ("opening", "running", "paused", "ended")


class Controller(QObject):
    """Connects engine, settings and window.

    Parameters
    ----------
    settings : Settings
        What the window starts with.
    notifications : Notifications
        Where errors go.
    inventory : Inventory
        Lists cameras and backends.
    write_settings : callable
        Writes settings; called in a background thread.
    engine_factory : callable
        Makes the engine from its `on_update`.
    """

    picture_changed = Signal()
    status_changed = Signal()
    figures_changed = Signal()
    history_changed = Signal()
    settings_changed = Signal()
    cameras_changed = Signal()
    backends_changed = Signal()
    address_wanted = Signal()
    """A network camera does not answer: its address, or the login, may be wrong."""

    def __init__(
        self,
        settings: Settings,
        notifications: Notifications,
        inventory: Inventory,
        write_settings: Callable[[Settings], None],
        engine_factory: Callable[[Callable[[], None]], Engine] = live_engine,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.settings = settings
        self.notifications = notifications
        self.history = History()
        self.figures = Figures()
        self.cameras: tuple[CameraEntry, ...] | None = None
        self.backends: tuple[BackendEntry, ...] | None = None
        self.status: EngineStatus | None = None
        self.picture: Picture | None = None
        self._inventory = inventory
        self._engine_factory = engine_factory
        self._engine: Engine | None = None
        self.ran_on: frozenset[str] = frozenset({REFERENCE})
        """What pipeline A ran on when it was last seen."""
        self._wants_first_camera = False
        self._closed = False
        self._is_clean = True
        self._logins = Logins()
        self._jobs = BackgroundJobs(self)
        self._troubles = Troubles(self, self._jobs)
        self._keeper = SettingsKeeper(settings, write_settings, self._jobs, notifications, self)
        self._wishes = PipelineWishes(self, self._troubles)
        self.files = FileControl(self, self._jobs)
        self.playback = PlaybackControl(self)
        self.recording = RecordingControl(
            lambda: self.settings.screenshot_folder(),  # noqa: PLW0108 - of the settings as they are by then
            self._recording_notes,
            notifications,
            self._jobs,
            self,
        )
        self.virtual_camera = VirtualCameraControl(self.recording.draw, notifications, self._jobs, self)
        self.cameras_changed.connect(self.virtual_camera.find)
        self.trials = BackgroundTrials(inventory, self._jobs, self._take_trials, self._trials_failed, self)
        self._effect = EffectLoader(self._jobs, self._use_effect, self._no_effect)
        self.comparison = ComparisonChoice(self)
        self._gate = UpdateGate(self)
        self._gate.opened.connect(self._look)
        self._scaling = PictureWorker(self._gate.knock)
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._on_tick)

    # -- life

    def begin(self, source: str = "") -> None:
        """Load the engine and play `source`, else the last source, else the first camera."""
        if self._closed or self._engine is not None:
            return
        from pipelines.engine import NOT_CHANGED, NOT_COMPARED

        self._troubles.refusal, self._troubles.no_comparison = NOT_CHANGED, NOT_COMPARED
        self._engine = self._engine_factory(self._on_engine_news)
        self.recording.recover()
        self.virtual_camera.find()
        self._engine.set_loop(self.settings.loop)
        self._scaling.start(self._engine)
        if self.settings.effect != "none":
            self._effect.load(self.settings.effect)
        self._tick.start()
        wanted = source or self.settings.source
        if wanted:
            self.open(wanted)
        else:
            self._wants_first_camera = True
        self.refresh_backends()
        self.refresh_cameras()
        self._look()

    def close(self) -> bool:
        """End everything within two seconds. Return whether all threads have ended."""
        if self._closed:
            return self._is_clean
        self._closed = True
        self._tick.stop()
        self._gate.close()
        self._keeper.flush()
        self.recording.close()
        self.virtual_camera.close()
        start_s = time.monotonic()
        clean = self._engine.stop(STOP_S) if self._engine is not None else True
        clean = self._scaling.close(0.3) and clean
        # It has been finishing its file all the while.
        clean = self.recording.join(max(0.1, 1.2 - (time.monotonic() - start_s))) and clean
        clean = self.virtual_camera.join(0.1) and clean
        self._is_clean = self._jobs.close(0.5) and clean
        return self._is_clean

    # -- source

    @property
    def engine(self) -> Engine | None:
        """The engine, once it is loaded."""
        return self._engine

    @property
    def state(self) -> str:
        """What the engine is doing: "idle", "opening", "running", "paused", "ended" or "failed"."""
        return self.status.state.value if self.status is not None else "idle"

    @property
    def is_active(self) -> bool:
        """Whether a source is open or being opened."""
        return self.state in ACTIVE

    def open(self, source: str) -> None:
        """Play another source; a network camera with the login that was given for it before."""
        source = lasting(self._logins.whole(source))
        settings = replace(self.settings, source=source)
        if source != self.settings.source:
            settings = replace(settings, camera_mode="")
        self._set(settings.with_recent(source) if is_file(source) or is_address(source) else settings)
        self.start()

    def start(self) -> None:
        """Play the source of the settings; without one, the first camera."""
        if self._engine is None:
            return
        self._wants_first_camera = False
        if not self.settings.source:
            if self.cameras:
                self.open(self.cameras[0].source)
            return
        for key in ("source", "pipeline", "comparison", SEVERAL, NO_PICTURE):
            self.notifications.dismiss(key)
        self.history.clear()
        options = mode_options(self.settings.camera_mode)
        mode, config_b = self._wishes.started(self.settings)
        self._engine.start(
            self.settings.source, options, config_from(self.settings), style_of(self.settings), mode, config_b
        )
        self._update_wish()
        self._look()

    def stop(self) -> None:
        """Stop; the last picture stays."""
        self._wants_first_camera = False
        engine = self._engine
        if engine is not None:
            # Stopping may wait up to a second for a driver: not here.
            self._jobs.run("stopping", lambda: engine.stop(STOP_S), lambda _: self._look())

    def toggle(self) -> None:
        """Start if stopped, stop if running."""
        if self.is_active:
            self.stop()
        else:
            self.start()

    def toggle_pause(self) -> None:
        """Hold the picture, or go on."""
        if self._engine is not None:
            self._engine.pause(self.state == "running")
            self._look()

    def refresh_cameras(self) -> None:
        """Look for cameras in the background."""
        self._jobs.run("cameras", self._inventory.cameras, self._take_cameras, self._cameras_failed)

    def refresh_backends(self) -> None:
        """Ask the backends in the background whether they can be used."""
        self._jobs.run("backends", self._inventory.backends, self._take_backends, self._backends_failed)

    def _take_cameras(self, cameras: tuple[CameraEntry, ...]) -> None:
        changed, self.cameras = cameras != self.cameras, cameras
        if changed:
            self.cameras_changed.emit()
        if self._wants_first_camera and cameras:
            self.open(cameras[0].source)

    def _cameras_failed(self, error: Exception) -> None:
        self.notifications.post_error("cameras", error, noop("Look again"), self.refresh_cameras)
        self._take_cameras(())

    def _take_backends(self, backends: tuple[BackendEntry, ...]) -> None:
        self.backends = backends
        self.backends_changed.emit()
        self.comparison.backends_known()

    def _backends_failed(self, error: Exception) -> None:
        self.notifications.post_error("backends", error, noop("Ask again"), self.refresh_backends)

    def _take_trials(self, tried: bool) -> None:
        if tried:
            self.refresh_backends()
            self._wishes.tried()

    def _trials_failed(self, error: Exception) -> None:
        self.notifications.post_error("backends", error)

    # -- settings

    def change(self, **changes: Any) -> None:
        """Change settings and do what they ask for."""
        before = self.settings
        self._set(replace(before, **changes))
        after = self.settings
        if self._engine is None or after == before:
            return
        self._wishes.settle()
        if style_of(before) != style_of(after):
            self._engine.set_style(style_of(after))
        if before.effect != after.effect:
            self._effect.load(after.effect)
        if before.loop != after.loop:
            self._engine.set_loop(after.loop)
        if before.camera_mode != after.camera_mode and self.is_active:
            self.start()
        self._update_wish()

    def restyle(self) -> None:
        """Draw anew what is said on the picture: the language is another one."""
        if self._engine is not None:
            self._engine.set_style(style_of(self.settings))
        self._update_wish()

    def set_divider(self, divider: float) -> None:
        """Let B's half of a split comparison begin at this share of the width."""
        if self._engine is not None:
            self._engine.set_divider(divider)

    def choose_pipeline(self, pipeline: str) -> None:
        """Change the pipeline, or say why it cannot be used here."""
        self._wishes.choose(pipeline)

    @property
    def is_building(self) -> bool:
        """Whether a pipeline is being built to take over."""
        return self._wishes.is_pending

    @property
    def is_building_b(self) -> bool:
        """Whether the second pipeline is being built."""
        return self._wishes.is_building_b

    def _use_effect(self, effect: Effect) -> None:
        if self._engine is not None:
            self._engine.set_effect(effect)
            self._scaling.wish_for(effect=effect)

    def _no_effect(self, error: Exception) -> None:
        self.notifications.post_error("effect", error)
        self.change(effect="none")

    def _set(self, settings: Settings) -> None:
        if settings != self.settings:
            self.settings = settings
            self._keeper.keep(settings)
            self.settings_changed.emit()

    # -- picture

    def set_room(self, room_wh: tuple[int, int]) -> None:
        """Tell how many device pixels there are for the picture."""
        self._scaling.wish_for(room_wh=room_wh)

    def set_look(self, zoom: Zoom, reads: bool, pin: int | None, face_px: int) -> None:
        """Tell which part of the picture is seen, and what is looked at closely (see `pictures.Wish`)."""
        self._scaling.wish_for(zoom=zoom, reads=reads, pin=pin, face_px=face_px)

    def _update_wish(self) -> None:
        mirrored = self.settings.mirror and is_camera(self.settings.source)
        self._scaling.wish_for(mirror=style_of(self.settings) if mirrored else None)
        if self._engine is not None:
            self._engine.set_mirror(mirrored)

    def _recording_notes(self, view: View) -> dict[str, str]:
        """Name the models that made what is recorded."""
        chosen = {**DEFAULT_MODELS, **self.settings.models}
        models = [name for name in chosen.values() if load_manifest(name).task in view.result.results]
        return {"models": ", ".join(models)} if models else {}

    def load_charts(self, done: Callable[[], None]) -> None:
        """Import the chart library in the background, then call `done`: in the GUI thread it would take a second."""

        def then() -> None:
            done()
            if self.picture is not None:
                # Before somebody wants to record and has to wait for it.
                self._jobs.run("recorder", lambda: importlib.import_module("pipelines.recording.recorder"))

        load_in_background(self._jobs, "charts", ["pyqtgraph"], then)

    def find_versions(self, packages: Iterable[str], done: Callable[[dict[str, str | None]], None]) -> None:
        """Look up the versions of packages in the background (they stand on the disk), then call `done`."""
        self._jobs.run("versions", lambda: {name: package_version(name) for name in packages}, done)

    # -- news from the engine

    def _on_engine_news(self) -> None:
        """Pass news on, in the engine's threads: every picture to who records it, the newest to the screen."""
        engine = self._engine
        if engine is not None and (self.recording.is_on or self.virtual_camera.is_on):
            view = engine.view()
            self.recording.see(view)
            self.virtual_camera.see(view)
        self._scaling.wake()

    @Slot()
    def _on_tick(self) -> None:
        self._look()
        # Trials cost the picture some of its rate: not while something is compared or recorded.
        is_free = self.settings.compare == "off" and not self.recording.is_on
        has_results = self.picture is not None and not self.picture.view.is_preview
        self.trials.consider(is_free and self.is_active and has_results)
        if self._engine is not None and self.state == "running":
            self.figures = self._engine.figures()
            has_sample = self.history.tick(self.figures)
            self.figures_changed.emit()
            if has_sample:
                self.history_changed.emit()

    @Slot()
    def _look(self) -> None:
        if self._engine is None or self._closed:
            return
        status = self._engine.status()
        if status != self.status:
            before, self.status = self.status, status
            self._troubles.tell(before, status)
            self.status_changed.emit()
        was_building = self._wishes.is_pending
        self._set(self._wishes.look(status))
        self._wishes.settle()
        if was_building and not self._wishes.is_pending:
            self.refresh_backends()  # one that was tried for the first time has a verdict now
        self.playback.look()
        picture = self._scaling.picture
        if picture is not None and picture.view.is_preview and self.settings.effect != "none":
            picture = None  # what stands behind the person is not to be seen, and nobody knows yet where that is
        if picture is not self.picture:
            if self.picture is None:
                self.notifications.dismiss(NO_PICTURE)
            is_new = picture is not None and (self.picture is None or picture.view is not self.picture.view)
            self.picture = picture
            if is_new and picture is not None and not picture.view.is_preview:
                view = picture.view
                self.history.add_frame(view.result, view.side, view.other)
                if view.side == "A":
                    self.ran_on = frozenset(view.result.backends.values())
            self.picture_changed.emit()
