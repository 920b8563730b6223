"""The performance strip read out, held and saved."""

import csv
import io
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from app.history import SERIES, Sample, recent_ms
from app.qimage import to_bgr
from app.strip_commands import to_csv


def samples(count=121, b=False):
    """A minute in which each stage takes as many milliseconds as seconds have gone by."""
    return [
        Sample(
            100 - (count - 1 - number) / 2,
            dict.fromkeys(SERIES, number / 2),
            2 if number == 60 else 0,
            15,
            {"inference": 5.0} if b else {},
        )
        for number in range(count)
    ]


@pytest.fixture
def strip(bench):
    one = bench().begin()
    one.window.resize(1280, 800)
    one.window.strip.build_plot()
    one.window.strip.show_samples(samples(), 100.0, 7)
    one.window.strip.bench = one
    one.qtbot.wait(50)
    # Drawn, so that it has its place and size.
    one.qtbot.waitUntil(lambda: not one.window.strip._plots["A"].widget.is_stale)
    return one.window.strip


def values(strip):
    return {name: label.text() for name, label in strip.legend.values.items()}


def at(strip, ago_s):
    """The point in the strip of a time so many seconds ago."""
    widget = strip._plots["A"].widget
    xs = [x for x in range(widget.width()) if (found := strip._plots["A"].ago_s(x)) is not None and found >= ago_s]
    return widget.mapTo(strip, QPoint(max(xs), widget.height() // 2))


def test_the_last_seconds_are_read_out_while_nobody_points(strip):
    # Ten samples, from 55.5 to 60 ms.
    assert values(strip) == {**dict.fromkeys(SERIES, "57.8 ms"), "dropped": "7"}
    assert strip.legend.title.text() == "Work per frame, last 5 s"


def test_what_is_said_of_now_does_not_jump_and_has_no_gaps():
    def sample(number, a, b):
        return Sample(number / 2, {"draw": a} if a else {}, 0, 1, {"draw": b} if b else {})

    old = [sample(number, 500.0, 500.0) for number in range(10)]
    new = [sample(10 + number, 9.0 if number % 2 else 0, 400.0 if number == 3 else 20.0) for number in range(10)]
    assert recent_ms(old + new, "A") == {"draw": 9.0}
    assert recent_ms(old + new, "B") == {"draw": 20.0}
    assert recent_ms([*old, *(sample(10 + number, 9.0, 0) for number in range(10))], "B") == {}
    assert recent_ms([], "A") == {}


def test_drops_of_a_time_without_b_are_not_bs(strip):
    both = [
        replace(sample, dropped=3, stages_b_ms={"inference": 5.0} if n > 60 else {})
        for n, sample in enumerate(samples())
    ]
    strip.show_samples(both, 100.0, 7)
    a, b = (list(strip._plots[side]._bars.opts["height"]) for side in "AB")
    assert all(a)
    assert not any(b[:61])
    assert all(b[61:])


def test_the_pointer_reads_out_its_moment(strip, qtbot):
    qtbot.mouseMove(strip, at(strip, 30.0))
    qtbot.waitUntil(lambda: strip.read_sample is not None)
    read = strip.read_sample
    assert abs(read.time_s - 70.0) <= 0.75
    assert values(strip)["inference"] == f"{read.stages_ms['inference']:.1f} ms"
    assert strip.legend.title.text().endswith(" s ago")
    assert "Inference 3" in strip.accessibleDescription()
    qtbot.mouseMove(strip, QPoint(3, 3))
    qtbot.waitUntil(lambda: strip.read_sample is None)
    assert values(strip)["inference"] == "57.8 ms"


def test_the_arrow_keys_go_from_moment_to_moment(strip, qtbot):
    strip.bench.window.activateWindow()
    strip.setFocus()
    for _ in range(3):
        qtbot.keyClick(strip, Qt.Key.Key_Left)
    assert strip.legend.title.text() == "1.0 s ago"
    assert values(strip)["inference"] == "59.0 ms" or values(strip)["inference"] == "59.5 ms"
    qtbot.keyClick(strip, Qt.Key.Key_Right)
    assert strip.legend.title.text() == "0.5 s ago"


def test_a_gap_reads_as_a_dash(strip):
    strip.show_samples(samples(3), 100.0, 0)
    strip.read_at(40.0)
    assert set(values(strip).values()) == {"\N{EN DASH}", "0"}


def test_what_is_held_stands_still(strip):
    one = strip.bench
    one.act("strip_hold")
    assert strip.is_held
    assert strip.legend.title.text() == "Paused"
    before = strip.samples
    strip.show_samples(samples(5), 200.0, 9)
    assert strip.samples is before
    assert values(strip)["dropped"] == "7"
    one.act("strip_hold")
    strip.show_samples(samples(5), 100.0, 9)
    assert values(strip)["dropped"] == "9"


def test_with_two_pipelines_each_has_a_plot_and_the_line_is_on_both(strip):
    strip.show_samples(samples(b=True), 100.0, 0)
    assert set(strip._plots) == {"A", "B"}
    assert not strip._plots["B"].widget.isHidden()
    assert strip.legend.values_b["inference"].text() == "5.0 ms"
    strip.read_at(10.0)
    assert [plot._line.isVisible() for plot in strip._plots.values()] == [True, True]
    strip.show_samples(samples(), 100.0, 0)
    assert strip._plots["B"].widget.isHidden()


def test_the_table_has_a_line_for_each_sample():
    rows = list(csv.DictReader(io.StringIO(to_csv(samples(3, b=True)))))
    assert [row["time_s"] for row in rows] == ["-1.0", "-0.5", "0.0"]
    assert [row["a_inference_ms"] for row in rows] == ["0.000", "0.500", "1.000"]
    assert [row["b_inference_ms"] for row in rows] == ["5.000"] * 3
    assert {row["b_capture_ms"] for row in rows} == {""}
    assert {row["frames"] for row in rows} == {"15"}


@pytest.mark.parametrize("kind", ["csv", "png"])
def test_figures_and_chart_are_saved(strip, qtbot, tmp_path, kind):
    one = strip.bench
    target = tmp_path / f"mine.{kind}"
    one.act(f"strip_{kind}")
    qtbot.waitUntil(lambda: one.window.findChild(QFileDialog) is not None)
    dialog = one.window.findChild(QFileDialog)
    dialog.fileSelected.emit(str(target))
    dialog.reject()
    qtbot.waitUntil(lambda: "saved" in one.window.toast.text)
    if kind == "csv":
        assert len(target.read_text().splitlines()) == 122
    else:
        image = cv2.imread(str(target))
        assert image.shape[:2] == (2 * strip.height(), 2 * strip.width())
        amber = np.abs(image.astype(int) - (0x24, 0xA5, 0xF5)).max(axis=2) < 12
        assert amber.mean() > 0.02


def test_a_place_that_cannot_be_written_is_named(strip, qtbot, tmp_path):
    one = strip.bench
    one.act("strip_csv")
    dialog = one.window.findChild(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "missing" / "mine.csv"))
    dialog.reject()
    qtbot.waitUntil(lambda: one.window.message_bar.text != "")
    assert "mine.csv" in one.window.message_bar.text


def test_without_figures_there_is_nothing_to_save(bench):
    one = bench().begin()
    one.act("strip_csv")
    assert "no figures" in one.window.toast.text
    assert one.window.findChild(QFileDialog) is None


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_menu_of_the_strip_holds_its_commands(strip, qtbot):
    assert [action.objectName() for action in strip.menu.actions()] == ["strip_hold", "strip_csv", "strip_png"]
    qtbot.mouseClick(strip._more, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(strip.menu.isVisible)
    strip.menu.close()


def test_the_plot_is_made_in_turns_and_once(bench):
    one = bench().play()
    strip = one.window.strip
    strip.build_plot_soon()
    strip.build_plot_soon()
    assert not strip._plots
    one.qtbot.waitUntil(lambda: bool(strip._plots))
    made = strip._plots["A"]
    for _ in range(5):
        QApplication.processEvents()
    assert strip._plots == {"A": made}
    assert set(made._axes) == {"left", "bottom"}


def test_the_plot_is_drawn_once_for_many_changes_and_not_when_the_window_is_painted(bench, monkeypatch):
    one = bench().play()
    one.controller._tick.stop()
    strip = one.window.strip
    strip.build_plot()
    plot = strip._plots["A"].widget
    one.qtbot.waitUntil(lambda: not plot.is_stale)
    drawn = []
    draw = plot.paint_scene
    monkeypatch.setattr(plot, "paint_scene", lambda painter: (drawn.append(plot.size()), draw(painter)))
    strip.repaint()
    one.window.repaint()
    assert not drawn
    strip.read_at(5.0)
    strip.read_at(6.0)
    one.window.resize(one.window.width() - 40, one.window.height())
    one.qtbot.waitUntil(lambda: not plot.is_stale and plot.size() in drawn)
    assert len(drawn) <= 2  # the size may come a turn later
    strip.hide()
    strip.read_at(None)
    for _ in range(3):
        QApplication.processEvents()
    assert plot.is_stale  # nobody sees it
    strip.show()
    one.qtbot.waitUntil(lambda: not plot.is_stale)


def test_the_saved_picture_is_sharper_than_the_screen(bench):
    one = bench().play()
    one.controller._tick.stop()
    strip = one.window.strip
    strip.build_plot()
    plot = strip._plots["A"].widget
    one.qtbot.waitUntil(lambda: not plot.is_stale)
    sharp = to_bgr(strip.picture(2)).astype(int)
    seen = to_bgr(strip.grab().toImage())
    assert sharp.shape[:2] == (2 * strip.height(), 2 * strip.width())
    larger = cv2.resize(seen, sharp.shape[1::-1], interpolation=cv2.INTER_LINEAR).astype(int)
    left, top = plot.mapTo(strip, QPoint()).toTuple()
    inside = np.s_[2 * top : 2 * (top + plot.height()), 2 * left : 2 * (left + plot.width())]
    # The same, and yet not the pixels of the screen made larger.
    assert np.abs(sharp[inside] - larger[inside]).mean() < 4
    assert np.abs(sharp[inside] - larger[inside]).max() > 30
