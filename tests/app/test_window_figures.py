"""The figures on the picture and in the strip: right, readable, and still."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from app.card_text import card_text, one_line
from app.history import BIN_S, SERIES, SPAN_S, History, Sample
from app.qimage import to_bgr
from app.settings import FIGURE_SIZES
from app.theme import AMBER
from app.widgets.figures_card import draw_card
from app.widgets.stage_plot import STAGE_COLORS, axis_top, stacked
from pipelines.figures import Figures, TaskFigures
from tests.app.window_fakes import result, stats

FIGURES = Figures(
    source_fps=30.0,
    processed_fps=29.6,
    capacity_fps=116.4,
    frames=100,
    dropped=3,
    pipeline=stats(8.6),
    draw=stats(1.2),
    capture=stats(0.5),
    tasks={"face": TaskFigures("ort-cpu", stats(2.14), {}), "depth": TaskFigures("ort-cpu", stats(3.3), {})},
    bottleneck="camera gives 30 fps",
)


# -- words


def test_the_card_says_what_was_measured():
    text = card_text(FIGURES, {"A": [8.0, 9.0]}, running=True)
    (row,) = text.rows
    assert (row.letter, row.color, row.name) == ("A", AMBER, "ort-cpu")
    assert (row.capacity, row.median, row.p95) == ("116", "8.6", "10.6")
    assert row.tasks == (("Face", "2.1"), ("Depth", "3.3"))
    assert text.shown == "shown 30 fps"
    assert text.note == "camera gives 30 fps"


def test_a_slow_pipeline_has_a_rate_and_no_needless_digits():
    text = card_text(replace(FIGURES, capacity_fps=0.22, processed_fps=0.34, pipeline=stats(4626.3)), {}, running=True)
    assert (text.rows[0].capacity, text.rows[0].median) == ("0.2", "4626")
    assert text.shown == "shown 0.3 fps"


def test_what_was_not_measured_is_a_dash():
    text = card_text(Figures(tasks={"face": TaskFigures("ort-cpu", None, {})}), {"A": []}, running=True)
    assert text.rows[0].median == text.rows[0].capacity == "\N{EN DASH}"
    assert text.rows[0].tasks == (("Face", "\N{EN DASH}"),)
    assert text.note == "measuring…"


def test_the_load_stands_beside_the_rate():
    text = card_text(replace(FIGURES, cpu_share=0.704), {}, True)
    assert text.last_line == ("shown 30 fps", "CPU 70%", "camera gives 30 fps")
    assert one_line(text).endswith("; shown 30 fps; CPU 70%; camera gives 30 fps")
    # Of a picture at rest it would be that of the window alone.
    assert card_text(replace(FIGURES, cpu_share=0.704), {}, False).last_line == ("no new frames",)


def test_tasks_have_the_same_names_everywhere():
    note = card_text(replace(FIGURES, bottleneck="segmentation is 36% of the work"), {"A": []}, True).note
    assert note == "Person is 36% of the work"


def test_a_picture_at_rest_has_no_rate():
    text = card_text(FIGURES, {"A": []}, running=False)
    assert (text.shown, text.note) == ("", "no new frames")


def test_two_backends_at_once_are_both_named():
    tasks = {"face": TaskFigures("ort-cpu", stats(2), {}), "depth": TaskFigures("ort-webgpu", stats(1), {})}
    assert card_text(replace(FIGURES, tasks=tasks), {"A": []}, True).rows[0].name == "ort-cpu + ort-webgpu"


def test_one_line_for_the_metadata():
    line = one_line(card_text(FIGURES, {"A": []}, True))
    assert line == (
        "A ort-cpu: 116 fps, median 8.6 ms, p95 10.6 ms, Face 2.1 ms, Depth 3.3 ms; shown 30 fps; camera gives 30 fps"
    )


# -- drawing


def pixels(card):
    ground = QImage(card.size(), QImage.Format.Format_RGB32)
    ground.fill(QColor("#000000"))
    painter = QPainter(ground)
    card.setDevicePixelRatio(1.0)
    painter.drawImage(0, 0, card)
    painter.end()
    return to_bgr(ground)


def test_off_draws_nothing(qapp):
    assert draw_card(card_text(FIGURES, {"A": []}, True), "off") is None


def test_compact_is_smaller_than_full(qapp):
    text = card_text(FIGURES, {"A": [8.0] * 20}, True)
    compact, full = draw_card(text, "compact"), draw_card(text, "full")
    assert compact.height() < 0.6 * full.height()


@pytest.mark.parametrize("size", ["compact", "full"])
def test_nothing_moves_when_figures_change(qapp, size):
    """The card keeps its size, and the units after the numbers stay where they are."""
    small = replace(FIGURES, capacity_fps=1.0, pipeline=stats(0.5), processed_fps=2.0)
    large = replace(FIGURES, capacity_fps=1999.0, pipeline=stats(897.0), processed_fps=999.0)
    cards = [draw_card(card_text(figures, {"A": []}, True), size) for figures in (small, large)]
    assert cards[0].size() == cards[1].size()
    units = []
    for card in cards:
        image = pixels(card)
        bright = image[:, :, 1] > 120
        columns = np.nonzero(bright[:, : image.shape[1] // 2].any(axis=0))[0]
        units.append(columns.max())
    assert abs(units[0] - units[1]) <= 1


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_the_card_is_sharp_on_any_screen(qapp, ratio):
    text = card_text(FIGURES, {"A": [8.0] * 20}, True)
    plain, dense = draw_card(text, "full"), draw_card(text, "full", ratio)
    assert dense.width() == pytest.approx(plain.width() * ratio, abs=2)
    assert dense.devicePixelRatio() == ratio


def test_the_chip_and_the_sparkline_are_amber(qapp):
    spiky = [5.0, 10.0] * 10
    image = pixels(draw_card(card_text(FIGURES, {"A": spiky}, True), "full"))
    amber = np.abs(image.astype(int) - (0x24, 0xA5, 0xF5)).max(axis=2) < 30
    columns = np.nonzero(amber.any(axis=0))[0]
    assert columns.min() < 0.1 * image.shape[1]
    assert columns.max() > 0.85 * image.shape[1]
    flat = pixels(draw_card(card_text(FIGURES, {"A": []}, True), "full"))
    amber = np.abs(flat.astype(int) - (0x24, 0xA5, 0xF5)).max(axis=2) < 30
    assert np.nonzero(amber.any(axis=0))[0].max() < 0.2 * image.shape[1]


# -- in the window


def test_h_shows_them_in_each_size(bench):
    one = bench().play()
    one.qtbot.waitUntil(lambda: one.window.view.figures.card is not None)
    heights = {}
    for _ in FIGURE_SIZES:
        one.act("figures")
        card = one.window.view.figures.card
        heights[one.settings.figures] = 0 if card is None else card.height()
    assert heights["off"] == 0 < heights["compact"] < heights["full"]
    one.controller.change(figures="full")
    corner = to_bgr(one.window.view.grab().toImage())[12:120, 12:420]
    one.controller.change(figures="off")
    without = to_bgr(one.window.view.grab().toImage())[12:120, 12:420]
    assert (corner != without).mean() > 0.5


def test_a_small_window_gets_the_small_card(bench):
    one = bench().play()
    one.qtbot.waitUntil(lambda: one.window.view.figures.card is not None)
    full = one.window.view.figures.card.height()
    one.window.resize(800, 500)
    one.qtbot.waitUntil(lambda: one.window.view.figures.card.height() < 0.6 * full)
    assert one.settings.figures == "full"


def test_painting_is_quick(bench):
    """Under 2 ms at 1080p is the goal; a shared test machine gets more, but not the 9 ms of scaling while painting."""
    import time

    one = bench().play()
    one.window.resize(1920 + one.window.panel.width(), 1400)
    one.deliver(result(1920, 1080, tasks=("segmentation",)))
    view = one.window.view
    assert view.picture.image.width() >= 1600
    target = QImage(view.size(), QImage.Format.Format_RGB32)
    times = []
    for _ in range(30):
        start = time.perf_counter()
        painter = QPainter(target)
        view._paint_picture(painter, view.picture)
        painter.end()
        times.append((time.perf_counter() - start) * 1e3)
    assert min(times) < 4.0


# -- history


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_frames_become_samples():
    clock = Clock()
    history = History(clock)
    for _ in range(3):
        history.add_frame(result(tasks=("face", "depth")))
    assert not history.tick(FIGURES)
    clock.now += BIN_S
    assert history.tick(FIGURES)
    (sample,) = history.samples
    assert sample.frames == 3
    assert sample.dropped == 3
    assert sample.stages_ms == {"preprocess": 1.0, "inference": 4.0, "decode": 0.5, "capture": 0.5, "draw": 1.2}
    assert list(history.latencies_ms["A"]) == [3.1, 3.1, 3.1]


def test_a_bin_without_frames_is_a_gap():
    clock = Clock()
    history = History(clock)
    clock.now += 1
    history.tick(replace(FIGURES, dropped=0))
    assert history.samples[0].stages_ms == {}
    assert history.samples[0].frames == 0


def test_only_the_last_minute_is_kept():
    clock = Clock()
    history = History(clock)
    for _ in range(500):
        clock.now += BIN_S
        history.tick(FIGURES)
    assert len(history.samples) == SPAN_S / BIN_S
    assert clock.now - history.samples[0].time_s < SPAN_S


def test_a_counter_that_starts_again_is_no_negative_drop():
    clock = Clock()
    history = History(clock)
    for dropped, expected in ((5, 5), (7, 2), (1, 0), (4, 3)):
        clock.now += BIN_S
        history.tick(replace(FIGURES, dropped=dropped))
        assert history.samples[-1].dropped == expected


def test_clear_forgets():
    clock = Clock()
    history = History(clock)
    history.add_frame(result())
    clock.now += BIN_S
    history.tick(FIGURES)
    history.clear()
    assert not history.samples
    assert not history.latencies_ms["A"]


# -- strip


def sample(time_s, dropped=0, frames=15, ms=1.0):
    return Sample(time_s, dict.fromkeys(SERIES, ms) if frames else {}, dropped, frames)


def test_areas_are_stacked_with_gaps():
    table = stacked([sample(1, ms=2.0), sample(2, frames=0), sample(3, ms=1.0)])
    np.testing.assert_allclose(table[:, 0], [0, 2, 4, 6, 8, 10])
    assert np.isnan(table[:, 1]).all()
    np.testing.assert_allclose(table[:, 2], [0, 1, 2, 3, 4, 5])


@pytest.mark.parametrize(("slowest", "top"), [(0, 5), (4.7, 5), (4.9, 10), (120, 200), (1e6, 5000)])
def test_the_axis_steps(slowest, top):
    assert axis_top([1.0, slowest]) == top


def test_the_strip_draws_areas_and_drops(bench):
    one = bench().play()
    one.controller._tick.stop()  # it would show what was measured of the fake
    one.window.strip.build_plot()
    strip = one.window.strip
    samples = [sample(40 + number / 2, dropped=2 if number == 60 else 0, ms=3.0) for number in range(121)]
    strip.show_samples(samples, 100.0, 2)
    plot = strip._plots["A"].widget
    one.qtbot.waitUntil(lambda: not plot.is_stale)
    image = to_bgr(plot.grab().toImage()).astype(int)

    def share(color):
        value = QColor(color)
        return (np.abs(image - (value.blue(), value.green(), value.red())).max(axis=2) < 12).mean()

    for name in SERIES:
        assert share(STAGE_COLORS["A"][name]) > 0.05, name
    assert 0 < share("#ff5d52") < 0.02
    texts = {name: label.text() for name, label in strip.legend.values.items()}
    assert texts == {**dict.fromkeys(SERIES, "3.0 ms"), "dropped": "2"}


def test_a_slow_run_is_drawn_where_it_was_measured(bench):
    one = bench().play()
    one.controller._tick.stop()  # it would show what was measured of the fake
    one.window.strip.build_plot()
    strip = one.window.strip
    times = [40 + number / 2 for number in range(121)]
    # Single samples between gaps, as of a pipeline that takes a second a frame; the right third is empty.
    samples = [sample(time, frames=int(number % 3 == 0 and time < 80), ms=3.0) for number, time in enumerate(times)]
    strip.show_samples(samples, 100.0, 0)
    plot = strip._plots["A"]
    one.qtbot.waitUntil(lambda: not plot.widget.is_stale)
    image = to_bgr(plot.widget.grab().toImage()).astype(int)
    inference = QColor(STAGE_COLORS["A"]["inference"])
    where = np.abs(image - (inference.blue(), inference.green(), inference.red())).max(axis=2) < 12
    seen = [plot.ago_s(int(column)) for column in np.flatnonzero(where.any(axis=0))]
    assert min(seen) > 19
    assert 0.2 < len(seen) / image.shape[1] < 0.35  # a third of two thirds


def test_the_strip_says_nothing_when_nothing_is_measured(bench):
    strip = bench().window.strip
    strip.show_samples([sample(1.0, frames=0)], 1.0, 0)
    assert {label.text() for name, label in strip.legend.values.items() if name != "dropped"} == {"\N{EN DASH}"}
