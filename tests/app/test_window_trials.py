"""Backends are tried beside the first pictures, told in words, and never where it would disturb."""

import pytest

from app.background_trials import QUIET_S
from app.settings import Settings
from models.errors import VisionError
from tests.app.window_fakes import CPU, BackendEntry, FakeInventory

GPU = BackendEntry("ort-webgpu", "gpu", True, device="Some GPU")


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def watched(bench, clock):
    """A window with a picture and a backend that was never tried; `pass_time` makes it the good moment."""

    def make(settings=None):
        inventory = FakeInventory(backends=(CPU, GPU))
        inventory.to_try = ("ort-webgpu",)
        inventory.trials.clear()
        one = bench(settings or Settings(), inventory)
        one.controller.trials._clock = clock
        one.play()
        return one

    return make


def pass_time(one, clock):
    one.controller._on_tick()
    clock.now += QUIET_S
    one.controller._on_tick()


def card_text_of(one, monkeypatch):
    """The notes of the cards that are drawn from now on."""
    import app.window_news as module

    notes = []
    draw = module.draw_card
    monkeypatch.setattr(module, "draw_card", lambda text, *more: notes.append(text.note) or draw(text, *more))
    return notes


def test_they_begin_a_while_after_the_first_picture_and_say_so(watched, clock, monkeypatch):
    one = watched()
    one.controller._on_tick()
    clock.now += QUIET_S / 2
    one.controller._on_tick()
    assert not one.controller.trials._begun
    notes = card_text_of(one, monkeypatch)
    clock.now += QUIET_S / 2
    one.controller._on_tick()
    one.qtbot.waitUntil(one.window.panel.trial.isVisible)
    assert one.window.panel.trial.text().startswith("Trying ort-webgpu")
    assert notes[-1] == "trying ort-webgpu…"
    one.inventory.trials.set()
    one.qtbot.waitUntil(lambda: not one.window.panel.trial.isVisible())
    assert notes[-1] == "demo clip plays at 30 fps"


def test_auto_is_asked_again_when_something_was_tried(watched, clock):
    one = watched()
    pass_time(one, clock)
    one.inventory.trials.set()
    one.qtbot.waitUntil(lambda: len(one.engine.configs) == 2)
    assert one.engine.configs[0] == one.engine.configs[1]
    assert one.engine.calls[-1] == "set_config"


def test_who_chose_a_backend_keeps_it(watched, clock):
    one = watched(Settings(pipeline="ort-cpu"))
    pass_time(one, clock)
    one.qtbot.waitUntil(one.window.panel.trial.isVisible)
    one.inventory.trials.set()
    one.qtbot.waitUntil(lambda: not one.window.panel.trial.isVisible())
    assert len(one.engine.configs) == 1


def test_nothing_is_asked_again_when_all_was_known(bench, clock):
    one = bench(inventory=FakeInventory(backends=(CPU, GPU)))
    one.controller.trials._clock = clock
    done = []
    take = one.controller.trials._done
    one.controller.trials._done = lambda tried: done.append(tried) or take(tried)
    one.play()
    pass_time(one, clock)
    one.qtbot.waitUntil(lambda: done == [False])
    assert len(one.engine.configs) == 1
    # Once in the life of a window is enough.
    pass_time(one, clock)
    assert len(done) == 1


def test_they_wait_while_two_pipelines_are_compared(watched, clock):
    one = watched(Settings(compare="split", pipeline_b="ort-webgpu"))
    pass_time(one, clock)
    assert not one.controller.trials._begun
    one.controller.comparison.choose("off")
    pass_time(one, clock)
    one.qtbot.waitUntil(one.window.panel.trial.isVisible)


def test_they_wait_while_something_is_recorded(watched, clock, monkeypatch):
    one = watched()
    with monkeypatch.context() as recording:
        recording.setattr(type(one.controller.recording), "is_on", True)
        pass_time(one, clock)
        assert not one.controller.trials._begun
    pass_time(one, clock)
    one.qtbot.waitUntil(one.window.panel.trial.isVisible)


def test_they_wait_for_a_picture(bench, clock):
    one = bench()
    one.controller.trials._clock = clock
    one.begin("demo")
    pass_time(one, clock)
    assert not one.controller.trials._begun


def test_a_trial_that_breaks_is_reported(watched, clock):
    one = watched()

    def fail(_progress):
        raise VisionError("the verdicts cannot be kept: the disk is full")

    one.inventory.try_backends = fail
    pass_time(one, clock)
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text == "The verdicts cannot be kept: the disk is full."
    assert not one.window.panel.trial.isVisible()


def test_closing_does_not_wait_for_them(watched, clock):
    one = watched()
    pass_time(one, clock)
    one.qtbot.waitUntil(one.window.panel.trial.isVisible)
    one.window.close()
    assert one.controller.close()
