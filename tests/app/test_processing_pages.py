"""The pages "Benchmark" and "Diagnostics": with a child that a test plays, and with the real one."""

import base64
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QFileDialog

from app.changeover import changeover_of
from app.i18n.language import has_letters, language_of
from app.pages import child as pages_child
from app.pages.chart import BenchChart, name_of, speed_words
from app.pages.report import issue_report, left_words, machine_line, placement_words, state_words
from app.pages.window import BENCHMARK, DIAGNOSTICS, PagesWindow
from app.pages.work import Work
from app.processing.link import ChildLink
from app.processing.teller import Teller
from app.qimage import to_bgr
from app.theme import AMBER, TEAL
from models.errors import ModelError
from tests.app.processing_fakes import FakeLink, Lines
from tests.patience import PATIENCE_S

LEFT = Qt.MouseButton.LeftButton
WAIT_MS = 120_000
MACHINE = {
    **{"cpu": "Some CPU", "cores": 8, "gpu": None, "os": "Linux", "python": "3.11"},
    **{"onnxruntime": "1.32.0", "litert": None},
}


def run(model="depth_v2", backend="ort-cpu", pipeline="cpu", p50=4.0, speedup=1.0, software=False):
    return {
        **{"task": "depth", "model": model, "pipeline": pipeline, "backend": backend, "software": software},
        **{"latency_ms": {"p50": p50, "p90": 5.0, "p99": 6.0, "mean": 4.2}, "speedup_vs_cpu": speedup},
    }


RUNS = [run(), run(backend="ort-webgpu", pipeline="gpu", p50=1.0, speedup=4.0)]
END = {"pipeline": "cpu", "frame_ms": {"p50": 12.5}, "fps": 80.0}


def finished_bench():
    return {
        "news": "finished",
        "record": {"app": "twinlens", "machine": MACHINE, "runs": RUNS, "end_to_end": [END], "failures": []},
        "verdicts": ["depth_v2: ort-webgpu is the fastest here: 4.0x as fast as ort-cpu"],
        "markdown": "# Twinlens: measured on this machine",
        "chart": base64.b64encode(b"a picture").decode(),
    }


def backend(name="ort-webgpu", **more):
    found = {"id": name, "available": True, "software": False, "device": "Some GPU", "reason": None, "models": []}
    return {**found, **more}


def model(verdict="ok", **more):
    placement = {"WebGpuExecutionProvider": 98, "CPUExecutionProvider": 3}
    return {
        **{"model": "face_mesh", "verdict": verdict, "placement": placement},
        **{"on_cpu": {"Resize": 3}, "crossings": 6, **more},
    }


def finished_diagnosis():
    backends = [
        backend(models=[model(), model("not tried", model="x"), model("failed: NaN", placement={}, on_cpu={})]),
        backend("ort-cuda", available=False, reason="not installed", models=[model("not tried")]),
    ]
    return {"news": "finished", "diagnosis": {"machine": MACHINE, "backends": backends}, "text": "twinlens 0.1.0\n"}


@pytest.fixture
def links():
    return []


@pytest.fixture
def window(qtbot, theme, links):
    def start(listen, ended):
        links.append(FakeLink(listen, ended))
        return links[-1]

    one = PagesWindow(theme, start)
    yield one
    one.close()
    one.deleteLater()


# -- benchmark


def test_measuring_is_followed_live(window, links, qtbot):
    window.show_page(BENCHMARK)
    page = window.bench
    events = []
    page.began.connect(lambda: events.append("began"))
    page.ended.connect(lambda: events.append("ended"))
    page.set_models({"mask": "selfie_square"})
    page.tasks["face"].click()
    qtbot.mouseClick(page.start_button, LEFT)
    assert links[0].orders == [{"do": "bench", "tasks": ["segmentation", "depth"], "models": {"mask": "selfie_square"}}]
    assert page.start_button.text() == "Stop"
    assert page.bar.isVisible()
    assert not page.hold.isEnabled()
    links[0].say("progress", step="depth_v2", runs=RUNS[:1])
    assert page.step.text() == "Measuring depth_v2…"
    assert len(page.chart.runs) == 1
    links[0].listen(finished_bench())
    assert [item["backend"] for item in page.chart.runs] == ["ort-cpu", "ort-webgpu"]
    assert page.verdicts.text().splitlines() == [
        "CPU: all tasks and the drawing take 12.5 ms a frame, 80 fps could be shown.",
        "",
        "depth_v2: ort-webgpu is the fastest here: 4.0\N{MULTIPLICATION SIGN} as fast as ort-cpu.",
    ]
    assert page.start_button.text() == "Measure"
    assert not page.bar.isVisible()
    assert links[0].finished
    assert events == ["began", "ended"]


def test_verdicts_are_said_again_in_another_language(window, links, qapp):
    if not has_letters("zh_TW"):
        pytest.skip("no font with Chinese letters")
    window.show_page(BENCHMARK)
    window.bench.toggle()
    links[0].listen(finished_bench())
    language = language_of(qapp)
    language.choose("zh_TW")
    changeover_of(qapp).finish()
    try:
        window._theme.changed.emit()  # as the main window does when the language changes
        assert "最快" in window.bench.verdicts.text()
        why = "three of its operators exist only inside MediaPipe, so plain LiteRT cannot load it"
        window.bench._work.finished.emit({**finished_bench(), "verdicts": [f"face_mesh has no litert file: {why}."]})
        assert window.bench.verdicts.text().endswith("無法載入。")
        assert "。。" not in window.bench.verdicts.text()
    finally:
        language.choose("en")
        changeover_of(qapp).finish()


def test_what_was_measured_is_saved_and_copied(window, links, qtbot):
    window.show_page(BENCHMARK)
    page = window.bench
    written = []
    window.write_wanted.connect(lambda path, data: written.append((path, bytes(data))))
    buttons = (page.copy, page.save_json, page.save_chart)
    assert not any(button.isEnabled() for button in buttons)
    qtbot.mouseClick(page.start_button, LEFT)
    links[0].listen(finished_bench())
    for button, path in ((page.save_json, "/x/b.json"), (page.save_chart, "/x/b.png")):
        qtbot.mouseClick(button, LEFT)
        dialog = window.findChild(QFileDialog)
        assert dialog.defaultSuffix() == path.rpartition(".")[2]
        dialog.fileSelected.emit(path)
        dialog.reject()
        qtbot.waitUntil(lambda: window.findChild(QFileDialog) is None)
    assert json.loads(written[0][1])["runs"] == RUNS
    assert written[1] == ("/x/b.png", b"a picture")
    qtbot.mouseClick(page.copy, LEFT)
    assert QGuiApplication.clipboard().text() == "# Twinlens: measured on this machine"
    assert window.said.text() == "Figures copied"


def test_measuring_can_be_stopped_and_may_fail(window, links, qtbot):
    window.show_page(BENCHMARK)
    page = window.bench
    qtbot.mouseClick(page.start_button, LEFT)
    qtbot.mouseClick(page.start_button, LEFT)
    assert links[0].finished
    assert page.step.text() == "Stopped."
    qtbot.mouseClick(page.start_button, LEFT)
    links[1].say("failed", message="the clip is missing")
    assert page.step.text() == "The clip is missing."
    qtbot.mouseClick(page.start_button, LEFT)
    links[2].die()
    assert page.step.text() == "It broke off: its process crashed with SIGSEGV."
    assert page.start_button.text() == "Measure"
    qtbot.mouseClick(page.start_button, LEFT)
    window.close()
    assert links[3].finished
    assert not links[3].waited  # the live picture goes on
    window.end()
    assert links[3].waited


def test_figures_that_may_not_be_saved_yet_survive_a_measurement_that_is_broken_off(window, links, qtbot):
    window.show_page(BENCHMARK)
    page = window.bench
    qtbot.mouseClick(page.start_button, LEFT)
    links[0].listen(finished_bench())
    said = page.verdicts.text()
    qtbot.mouseClick(page.start_button, LEFT)
    assert not page.save_json.isEnabled()
    links[1].say("progress", step="depth_v2", runs=RUNS[:1])
    qtbot.mouseClick(page.start_button, LEFT)
    assert page.step.text() == "Stopped. These are the figures from before."
    assert [item["backend"] for item in page.chart.runs] == ["ort-cpu", "ort-webgpu"]
    assert page.save_json.isEnabled()
    qtbot.mouseClick(page.start_button, LEFT)
    links[2].say("failed", message="the clip is missing")
    assert page.step.text() == "The clip is missing. These are the figures from before."
    assert page.verdicts.text() == said != ""
    assert page.copy.isEnabled()


def test_a_child_that_told_its_result_and_ended_has_not_broken_off(qtbot):
    heard = []
    link = ChildLink(
        lambda news: heard.append(news["news"]) or link.finish(), lambda *_: heard.append("lost"), "json.tool"
    )
    # Both were there before the window came to look.
    link._inbox += [{"news": "finished"}, {"news": "ended", "reason": "its process ended with status 0", "process": 1}]
    link._deliver()
    assert heard == ["finished"]
    link.wait(PATIENCE_S)


def test_one_task_has_to_stay(window):
    window.show_page(BENCHMARK)
    tasks = window.bench.tasks
    tasks["face"].click()
    tasks["depth"].click()
    assert not tasks["segmentation"].isEnabled()


@pytest.mark.parametrize(
    ("entry", "words", "name"),
    [
        (run(), "", "ort-cpu"),
        (run(pipeline="gpu", backend="ort-webgpu", speedup=2.84), "2.8\N{MULTIPLICATION SIGN} faster", "ort-webgpu"),
        (run(pipeline="gpu", speedup=0.5, software=True), "2.0\N{MULTIPLICATION SIGN} slower", "ort-cpu (software)"),
        (run(pipeline="litert-cpu", speedup=1.02), "as fast", "ort-cpu"),
        (run(pipeline="gpu", speedup=None), "", "ort-cpu"),
    ],
)
def test_words_of_a_bar(entry, words, name):
    assert (speed_words(entry), name_of(entry)) == (words, name)


def test_bars_are_as_long_as_the_latency(qtbot, theme):
    chart = BenchChart(theme)
    qtbot.addWidget(chart)
    chart.resize(800, 100)
    chart.show_runs(RUNS)
    chart.resize(800, chart.height())
    image = to_bgr(chart.grab().toImage())
    lengths = []
    for color in (AMBER, TEAL):
        bgr = np.array([int(color[at : at + 2], 16) for at in (5, 3, 1)])
        lengths.append(int((image == bgr).all(axis=2).sum(axis=1).max()))
    assert lengths[0] > 200
    assert lengths[0] / lengths[1] == pytest.approx(4.0, rel=0.05)
    assert "depth_v2 on ort-webgpu 1.00 ms" in chart.accessibleDescription()


# -- diagnostics


def test_the_machine_is_looked_at_once_and_again_when_asked(window, links, qtbot):
    window.show_page(DIAGNOSTICS)
    page = window.diagnostics
    assert links[0].orders == [{"do": "examine", "refresh": False}]
    assert not page.again.isEnabled()
    links[0].say("progress", step="ort-webgpu: face_mesh")
    assert page.step.text() == "Looking at ort-webgpu: face_mesh…"
    links[0].listen(finished_diagnosis())
    window.show_page(BENCHMARK)
    window.show_page(DIAGNOSTICS)
    assert len(links) == 1
    qtbot.mouseClick(page.again, LEFT)
    assert links[1].orders == [{"do": "examine", "refresh": True}]


def test_backends_and_placement_down_to_operations(window, links):
    window.show_page(DIAGNOSTICS)
    links[0].listen(finished_diagnosis())
    tree = window.diagnostics.tree
    gpu, cuda = tree.topLevelItem(0), tree.topLevelItem(1)
    assert gpu.text(0) == "ort-webgpu  \N{MIDDLE DOT}  Some GPU"
    assert cuda.text(0) == "ort-cuda  \N{MIDDLE DOT}  not installed"
    assert (gpu.childCount(), cuda.childCount()) == (2, 0)
    first, second = gpu.child(0), gpu.child(1)
    assert [first.text(column) for column in range(4)] == [
        *("face_mesh", "98 on WebGpu, 3 on CPU", "Resize \N{MULTIPLICATION SIGN}3; 6 copies a run", "ok")
    ]
    assert [first.child(number).text(0) for number in range(3)] == [*("WebGpu", "CPU", "Resize")]
    assert second.text(3) == "failed: NaN"
    assert "8 cores" in window.diagnostics.machine.text()


def test_the_report_is_copied_and_saved(window, links, qtbot):
    window.show_page(DIAGNOSTICS)
    page = window.diagnostics
    assert not page.copy.isEnabled()
    links[0].listen(finished_diagnosis())
    qtbot.mouseClick(page.copy, LEFT)
    assert "```text\ntwinlens 0.1.0\n```" in QGuiApplication.clipboard().text()
    written = []
    window.write_wanted.connect(lambda path, data: written.append(bytes(data)))
    qtbot.mouseClick(page.save, LEFT)
    dialog = window.findChild(QFileDialog)
    dialog.fileSelected.emit("/x/doctor.json")
    dialog.reject()
    assert json.loads(written[0])["machine"] == MACHINE


def test_a_machine_that_cannot_be_looked_at(window, links):
    window.show_page(DIAGNOSTICS)
    links[0].die("its process ended with status 1")
    assert window.diagnostics.step.isVisible()
    assert window.diagnostics.step.text() == "It broke off: its process ended with status 1."
    assert window.diagnostics.again.isEnabled()


def test_words_of_the_diagnosis():
    assert placement_words(model()) == "98 on WebGpu, 3 on CPU"
    assert left_words(model(on_cpu={})) == ""
    assert left_words(model(crossings=None)) == "Resize \N{MULTIPLICATION SIGN}3"
    assert state_words(backend(software=True)) == "Some GPU (software)"
    assert state_words(backend(available=False, reason="no driver")) == "no driver"
    assert machine_line({**MACHINE, "cores": 1}).split("  \N{MIDDLE DOT}  ")[1:3] == ["1 core", "no GPU"]
    assert "/home/ann" not in issue_report("/home/ann/models/x", Path("/home/ann"))


# -- both


def test_names_and_keys_of_the_pages(window, links):
    window.show_page(DIAGNOSTICS)
    links[0].listen(finished_diagnosis())
    window.show_page(BENCHMARK)
    for button in window.findChildren(QAbstractButton):
        if button.isVisible():
            assert button.accessibleName() or button.text()
            assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert window.windowTitle() == "Benchmark"


def test_the_main_window_opens_both_and_holds_the_picture_meanwhile(bench, links, tmp_path):
    def start(listen, ended):
        links.append(FakeLink(listen, ended))
        return links[-1]

    one = bench().play()
    pages = one.window.commands.pages
    pages.start = start
    one.act("benchmark")
    one.qtbot.waitUntil(lambda: pages.window is not None and pages.window.isVisible())
    window = pages.window
    window.bench.toggle()
    one.qtbot.waitUntil(lambda: one.controller.state == "idle")
    links[0].listen(finished_bench())
    assert one.controller.is_active
    window.bench.hold.setChecked(False)
    window.bench.toggle()
    assert one.controller.is_active
    window.bench.toggle()
    window.write_wanted.emit(str(tmp_path / "b.json"), b"{}")
    one.qtbot.waitUntil(lambda: window.said.text() == "b.json saved")
    assert (tmp_path / "b.json").read_bytes() == b"{}"
    window.write_wanted.emit(str(tmp_path / "no" / "b.json"), b"{}")
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    one.act("diagnostics")
    assert window.windowTitle() == "Diagnostics"
    one.window.close()
    assert pages.window is None
    assert all(link.finished for link in links)


def test_a_failure_in_the_child_is_a_sentence(monkeypatch):
    def fail(teller, order):
        raise ModelError("the weights are damaged")

    monkeypatch.setattr(pages_child, "bench", fail)
    lines = Lines()
    pages_child.serve(Teller(lines), {"do": "bench"})
    assert lines.news == [{"news": "failed", "message": "the weights are damaged"}]


def test_the_real_child_measures_and_ends(qtbot):
    work = Work(lambda listen, ended: ChildLink(listen, ended, "app.pages.child", gently=False))
    steps = []
    work.progressed.connect(lambda news: steps.append(news["step"]))
    with qtbot.waitSignal(work.finished, timeout=WAIT_MS) as finished:
        work.begin({"do": "bench", "tasks": ["depth"], "models": {}})
    (news,) = finished.args
    assert {item["model"] for item in news["record"]["runs"]} == {"depth_v2"}
    assert news["record"]["runs"][0]["pipeline"] == "cpu"
    chart = cv2.imdecode(np.frombuffer(base64.b64decode(news["chart"]), np.uint8), cv2.IMREAD_COLOR)
    assert chart.shape[1] == 1600
    assert "pipelines" in steps
    assert not work.is_running
    work.close()
