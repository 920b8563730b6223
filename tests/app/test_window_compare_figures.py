"""The figures of a comparison: two rows, a verdict, the agreement, and both pipelines in the strip."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor

from app.card_text import agreement_words, card_text, one_line
from app.history import BIN_S, SERIES, History, Sample
from app.qimage import to_bgr
from app.settings import Settings
from app.theme import AMBER, TEAL
from app.widgets.figures_card import draw_card
from pipelines.compare import Agreement, CompareMode
from pipelines.figures import PipelineFigures, TaskFigures
from tests.app.test_window_figures import FIGURES, pixels
from tests.app.window_fakes import result, stats

AGREED = Agreement(landmark_px=0.234, landmark_of_eyes=0.001, mask_iou=0.99812, depth_rank=0.99961)
BOTH = replace(
    FIGURES,
    mode=CompareMode.SPLIT,
    b=PipelineFigures(14.0, 322.6, stats(3.1), {"face": TaskFigures("ort-webgpu", stats(0.7), {})}, 50.0),
    speed_up=8.6 / 3.1,
    agreement=AGREED,
)


def test_two_rows_a_verdict_and_how_far_they_agree():
    tasks = {**BOTH.tasks, "segmentation": TaskFigures("ort-cpu", stats(1), {})}
    text = card_text(replace(BOTH, tasks=tasks), {"A": [8.0], "B": [3.0, 3.1]}, True)
    a, b = text.rows
    assert (b.letter, b.color, b.name, b.capacity, b.median, b.p95) == ("B", TEAL, "ort-webgpu", "323", "3.1", "5.1")
    assert (b.verdict, b.is_winner) == ("2.8\N{MULTIPLICATION SIGN} faster", True)
    assert (a.verdict, a.is_winner) == ("", False)
    assert (a.latencies_ms, b.latencies_ms) == ((8.0,), (3.0, 3.1))
    assert text.agreement == (("Landmarks", "0.23 px"), ("Mask IoU", "0.998"), ("Depth correlation", "1.000"))
    assert "B ort-webgpu: 323 fps, median 3.1 ms, p95 5.1 ms, Face 0.7 ms, 2.8" in one_line(text)
    assert "Mask IoU 0.998" in one_line(text)


@pytest.mark.parametrize(
    ("speed_up", "of_a", "of_b"),
    [
        (None, "", ""),
        (1.0, "", "as fast"),
        (1.04, "", "as fast"),
        (0.96, "", "as fast"),
        (1.3, "", "1.30x faster"),
        (0.5, "2.0x faster", ""),
        (12.4, "", "12x faster"),
    ],
)
def test_the_faster_one_gets_the_verdict(speed_up, of_a, of_b):
    rows = card_text(replace(BOTH, speed_up=speed_up), {}, True).rows
    assert [row.verdict.replace("\N{MULTIPLICATION SIGN}", "x") for row in rows] == [of_a, of_b]


@pytest.mark.parametrize(
    ("a", "b", "note"),
    [
        (True, False, "A runs its tasks side by side, B one by one"),
        (False, True, "B runs its tasks side by side, A one by one"),
        (True, True, "camera gives 30 fps"),
        (False, None, "camera gives 30 fps"),
    ],
)
def test_pipelines_that_share_the_cores_in_different_ways_say_so(a, b, note):
    """Each of B's tasks may be faster than A's then, and B as a whole slower."""
    figures = replace(BOTH, side_by_side=a, b=replace(BOTH.b, side_by_side=b))
    assert card_text(figures, {}, True).note == note
    assert card_text(figures, {}, False).note == "no new frames"


def test_who_takes_turns_cannot_agree():
    assert card_text(replace(BOTH, mode=CompareMode.ALTERNATE), {}, True).agreement == ()


def test_what_cannot_be_compared_keeps_its_place():
    nobody = replace(BOTH, agreement=Agreement(depth_rank=0.5))
    assert card_text(nobody, {}, True).agreement == (("Landmarks", "\N{EN DASH}"), ("Depth correlation", "0.500"))
    others = replace(BOTH, agreement=Agreement(faces_differ=True))
    assert card_text(others, {}, True).agreement[0] == ("Landmarks", "not the same faces")


def test_before_b_is_measured_nothing_is_said_about_it():
    text = card_text(replace(BOTH, b=PipelineFigures(), speed_up=None, agreement=None), {}, True)
    assert text.rows[1].median == "\N{EN DASH}"
    assert text.note == "measuring…"


def test_a_remark_goes_before_what_limits_the_rate():
    assert card_text(BOTH, {}, True, "trying litert-cpu…").note.startswith("trying litert-cpu")


@pytest.mark.parametrize("size", ["compact", "full"])
@pytest.mark.parametrize("speed_up", [0.3, 1.0, 2.8])
def test_nothing_moves_when_the_winner_changes(qapp, size, speed_up):
    before = draw_card(card_text(replace(BOTH, speed_up=None), {}, True), size)
    after = draw_card(card_text(replace(BOTH, speed_up=speed_up), {}, True), size)
    assert before.size() == after.size()


@pytest.mark.parametrize(("speed_up", "color", "other"), [(2.8, TEAL, AMBER), (0.3, AMBER, TEAL)])
@pytest.mark.parametrize("size", ["compact", "full"])
def test_the_badge_has_the_colour_of_the_winner(qapp, size, speed_up, color, other):
    image = pixels(draw_card(card_text(replace(BOTH, speed_up=speed_up), {}, True), size)).astype(int)
    corner = image[:, int(0.78 * image.shape[1]) :]

    def count(name):
        value = QColor(name)
        return (np.abs(corner - (value.blue(), value.green(), value.red())).max(axis=2) < 12).sum()

    assert count(color) > 500
    assert count(other) == 0


def test_the_tasks_of_two_stand_beside_each_other_in_their_colours(qapp):
    text = card_text(BOTH, {}, True)
    card = draw_card(text, "full")
    alone = draw_card(replace(text, rows=text.rows[:1], agreement=()), "full")
    chip_to_chip = draw_card(text, "compact").height() / 2
    assert card.height() < alone.height() + 2.5 * chip_to_chip
    image = pixels(card).astype(int)[int(0.5 * card.height()) :, 60 : int(0.7 * card.width())]
    for name in (AMBER, TEAL):
        value = QColor(name)
        assert (np.abs(image - (value.blue(), value.green(), value.red())).max(axis=2) < 40).sum() > 20


def test_the_card_of_two_has_room_in_the_usual_window(bench):
    one = bench().play()
    card = draw_card(card_text(BOTH, {}, True), "full")
    one.window.resize(1280, 800)
    one.qtbot.waitUntil(lambda: one.window.view.width() > 900)
    assert one.window.view.has_room_for(card)


def test_b_has_samples_of_its_own():
    moments = iter((100.0, 100.0, 100.0 + BIN_S, 100.0 + BIN_S))
    history = History(lambda: next(moments))
    slow, fast = result(tasks=("face", "depth")), result(tasks=("face",))
    history.add_frame(slow, "A", fast)
    history.add_frame(fast, "B")
    assert not history.tick(FIGURES)
    history.tick(FIGURES)
    (sample,) = history.samples
    assert sample.frames == 2
    assert sample.stages_ms["inference"] == 4.0
    assert sample.stages_b_ms == {"preprocess": 0.5, "inference": 2.0, "decode": 0.25, "capture": 0.5, "draw": 1.2}
    assert [list(history.latencies_ms[side]) for side in "AB"] == [[3.1], [3.1, 3.1]]


def test_the_strip_shows_b_in_teal_beside_a_while_two_are_compared(bench):
    one = bench().play()
    one.controller._tick.stop()  # it would show what was measured of the fake
    strip = one.window.strip
    strip.build_plot()
    stages = dict.fromkeys(SERIES, 3.0)
    samples = [Sample(40 + n / 2, stages, 0, 15, dict.fromkeys(SERIES, 1.0)) for n in range(121)]
    strip.show_samples(samples, 100.0, 0)
    plots = strip._plots
    assert plots["B"].widget.isVisible()
    one.qtbot.waitUntil(lambda: abs(plots["A"].widget.width() - plots["B"].widget.width()) <= 1)
    one.qtbot.waitUntil(lambda: not any(plot.widget.is_stale for plot in plots.values()))

    def area(side, color):
        value = QColor(color)
        image = to_bgr(plots[side].widget.grab().toImage()).astype(int)
        return (np.abs(image - (value.blue(), value.green(), value.red())).max(axis=2) < 12).mean()

    # Under one axis: what took three times as long is three times as high.
    assert area("A", AMBER) == pytest.approx(3 * area("B", TEAL), rel=0.2)
    assert area("B", TEAL) > 0.02
    assert area("A", TEAL) == area("B", AMBER) == 0
    strip.show_samples([Sample(100.0, stages, 0, 15)], 100.0, 0)
    assert not plots["B"].widget.isVisible()


def test_the_tooltip_says_on_how_many_frames_the_agreement_rests(bench):
    one = bench(Settings(compare="split", pipeline_b="litert-cpu")).play()
    one.window.view.figures.tell(agreement_words(replace(BOTH, mode=CompareMode.SPLIT, agree=0.9876, agree_frames=34)))
    assert one.window.view.figures.toolTip().splitlines() == [
        "Agreement, 1 is complete: 0.988, the median of 34 frames that were compared",
        "Capacity: what a pipeline could do if nothing else held it up. p95: 95 of 100 frames took less.",
        "Drag to another corner",
    ]
    assert agreement_words(replace(BOTH, agree=None, agree_frames=0)) == ""
