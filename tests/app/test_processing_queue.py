"""The queue with a child that a test plays: order, pause, calling off, trying again, and children that die."""

from pathlib import Path

import pytest

from app.processing.items import Item, RateMeter, State
from app.processing.options import ProcessOptions, to_record
from app.processing.runner import Runner
from app.processing.wording import (
    facts_line,
    length_text,
    message_of,
    spoken,
    state_word,
    status_line,
    summary,
    tooltip,
)
from tests.app.processing_fakes import FakeChildren


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def children():
    return FakeChildren()


@pytest.fixture
def runner(qapp, children, clock):
    one = Runner(children, clock)
    yield one
    one.close()


def states(runner):
    return [item.state for item in runner.model]


def add(runner, children, *names):
    runner.add(names)
    children.find(*names)


def test_files_are_looked_at_and_wait(runner, children):
    refused = []
    runner.refused.connect(refused.append)
    runner.add(["/v/a.mp4", "/v/empty"])
    assert children.looker.orders == [{"do": "expand", "id": 1, "paths": ["/v/a.mp4", "/v/empty"]}]
    assert runner.is_looking
    children.looker.say("files", id=1, files=["/v/a.mp4", "/v/b.mp4"], problems=["/v/empty holds no video"])
    assert refused == ["/v/empty holds no video"]
    assert states(runner) == [State.LOOKING] * 2
    looker = children.looker
    children.show(1)
    looker.say("unreadable", id=2, message="/v/b.mp4 is empty (0 bytes)")
    assert states(runner) == [State.WAITING, State.FAILED]
    assert message_of(runner.model.items[1]) == "This file is empty (0 bytes)."
    assert not runner.is_looking
    assert looker.finished
    assert children.runs == []


def test_a_file_is_in_the_queue_only_once_until_it_is_done(runner, children):
    add(runner, children, "/v/a.mp4")
    runner.add(["/v/a.mp4"])
    children.looker.say("files", id=2, files=["/v/a.mp4"], problems=[])
    assert len(runner.model.items) == 1
    runner.start(ProcessOptions())
    children.done()
    runner.add(["/v/a.mp4"])
    children.looker.say("files", id=3, files=["/v/a.mp4"], problems=[])
    assert len(runner.model.items) == 2


def test_one_after_the_other_and_a_bad_one_does_not_stop_the_rest(runner, children, clock):
    finished = []
    runner.finished.connect(lambda: finished.append(True))
    add(runner, children, "/v/a.mp4", "/v/b.mp4", "/v/c.mp4")
    runner.start(ProcessOptions(results=".csv"))
    assert [order["path"] for order in children.runs] == ["/v/a.mp4"]
    assert children.runs[0]["options"]["results"] == ".csv"
    children.progress(0)
    clock.now += 1
    children.progress(150)
    assert runner.current.part == 0.5
    children.done(outputs=["/v/a.twinlens.mp4", "/v/a.twinlens.csv"])
    assert children.runs[1]["taken"] == ["/v/a.twinlens.csv", "/v/a.twinlens.mp4"]
    children.fail("/v/b.mp4: the disk is full")
    children.done(45, damage="/v/c.mp4: read 45 of about 90 frames; what could be read is kept")
    assert states(runner) == [State.DONE, State.FAILED, State.INCOMPLETE]
    assert finished == [True]
    assert not runner.is_running
    assert children.worker.finished
    said = summary(runner.model.items, False, False)
    assert said.split("  \N{MIDDLE DOT}  ") == ["3 files", "1 done", "1 incomplete", "1 failed"]


def test_the_list_may_be_cleared_at_the_very_end(runner, children):
    runner.finished.connect(runner.clear_done)
    add(runner, children, "/v/a.mp4")
    runner.start(ProcessOptions())
    children.done()
    assert runner.model.items == []


def test_files_that_come_while_it_runs_are_processed_too(runner, children):
    add(runner, children, "/v/a.mp4")
    runner.start(ProcessOptions())
    add(runner, children, "/v/b.mp4")
    children.done()
    assert children.runs[-1]["path"] == "/v/b.mp4"
    assert len([link for link in children.links if link.orders[0]["do"] == "run"]) == 1


def test_a_pause_holds_the_child_and_the_next_file(runner, children, clock):
    add(runner, children, "/v/a.mp4", "/v/b.mp4")
    runner.start(ProcessOptions())
    children.progress(0)
    runner.pause(True)
    assert children.worker.orders[-1] == {"do": "pause", "on": True}
    assert status_line(runner.current, True).startswith("Paused")
    clock.now += 5.0
    children.done()
    assert len(children.runs) == 1
    assert runner.is_running
    runner.pause(False)
    assert [order["do"] for order in children.worker.orders] == ["run", "pause", "pause", "run"]
    assert children.runs[-1]["path"] == "/v/b.mp4"


def test_time_that_was_paused_is_no_time_of_work(runner, children, clock):
    add(runner, children, "/v/a.mp4")
    runner.start(ProcessOptions())
    item = runner.current
    runner.pause(True)
    clock.now += 4.0
    runner.pause(False)
    children.done()  # says that it took 6.2 s
    assert item.work_s == pytest.approx(2.2)


def test_calling_one_off_goes_on_with_the_next(runner, children):
    add(runner, children, "/v/a.mp4", "/v/b.mp4", "/v/c.mp4")
    runner.start(ProcessOptions())
    runner.cancel([runner.current])
    assert children.worker.orders[-1] == {"do": "cancel", "id": 1}
    runner.cancel([runner.model.items[1]])
    assert states(runner) == [State.RUNNING, State.CANCELLED, State.WAITING]
    children.cancelled()
    assert states(runner) == [State.CANCELLED, State.CANCELLED, State.RUNNING]


@pytest.mark.parametrize("paused", [False, True])
def test_calling_everything_off(runner, children, paused):
    add(runner, children, "/v/a.mp4", "/v/b.mp4")
    runner.start(ProcessOptions())
    runner.pause(paused)
    runner.cancel_all()
    children.cancelled()
    assert states(runner) == [State.CANCELLED] * 2
    assert not runner.is_running
    assert not runner.is_paused
    assert children.worker.finished


def test_trying_again(runner, children):
    add(runner, children, "/v/a.mp4", "/v/b.mp4")
    runner.start(ProcessOptions())
    children.fail("no")
    children.cancelled()
    runner.retry(list(runner.model))
    assert states(runner) == [State.WAITING] * 2
    runner.start(ProcessOptions())
    assert runner.current.message == ""
    assert len([link for link in children.links if link.orders[0]["do"] == "run"]) == 2


def test_a_file_that_could_not_be_looked_at_is_looked_at_again(runner, children):
    runner.add(["/v/a.mp4"])
    children.looker.say("files", id=1, files=["/v/a.mp4"], problems=[])
    children.looker.say("unreadable", id=1, message="gone")
    runner.retry(list(runner.model))
    assert states(runner) == [State.LOOKING]
    children.show(1)
    assert states(runner) == [State.WAITING]


def test_what_is_taken_off_the_list_is_not_processed(runner, children):
    add(runner, children, "/v/a.mp4", "/v/b.mp4", "/v/c.mp4", "/v/d.mp4")
    runner.start(ProcessOptions())
    runner.remove(list(runner.model)[:3])  # the first one runs and stays
    assert [item.path.name for item in runner.model] == ["a.mp4", "d.mp4"]
    children.done()
    assert children.runs[-1]["path"] == "/v/d.mp4"
    runner.clear_done()
    assert [item.path.name for item in runner.model] == ["d.mp4"]


def test_a_child_that_dies_costs_one_file(runner, children):
    add(runner, children, "/v/a.mp4", "/v/b.mp4")
    runner.start(ProcessOptions())
    planned = {"video": "/v/a.twinlens.mp4", "results": None, "layers_dir": None}
    children.worker.say("planned", id=1, outputs=planned)
    children.worker.die()
    assert states(runner) == [State.FAILED, State.RUNNING]
    assert message_of(runner.model.items[0]) == ("This file could not be processed: its process crashed with SIGSEGV.")
    (sweep,) = children.looker.orders
    assert (sweep["do"], sweep["id"], sweep["outputs"], sweep["process"]) == ("sweep", 1, planned, 4242)
    assert sweep["options"] == to_record(ProcessOptions())  # what it has finished stays
    children.looker.say("swept", id=1, kept={"frames": 500, "difference": ""})
    assert runner.model.items[0].kept_frames == 500
    assert len([link for link in children.links if link.orders[0]["do"] == "run"]) == 2
    children.worker.say("planned", id=2, outputs=planned)
    children.worker.die()
    assert states(runner) == [State.FAILED, State.FAILED]
    assert runner.is_running
    children.looker.say("swept", id=2, kept=None)
    assert not runner.is_running


def test_a_child_that_dies_while_it_is_called_off_has_done_what_it_should(runner, children):
    add(runner, children, "/v/a.mp4")
    runner.start(ProcessOptions())
    children.worker.say("planned", id=1, outputs={"video": "/v/a.twinlens.mp4", "results": None, "layers_dir": None})
    runner.cancel([runner.current])
    children.worker.die()
    assert states(runner) == [State.CANCELLED]
    assert children.looker.orders[-1]["options"] is None  # nothing of it is left


def test_facts_are_said_in_the_language_of_the_window(monkeypatch):
    """Every piece that the preflight can give; what is new stays English."""
    monkeypatch.setattr("app.processing.facts.tr", lambda text: f"<{text}>")
    item = Item(1, Path("/v/a.mp4"))
    item.state = State.WAITING
    item.facts = (
        "1280x720",
        "23.976 frames/s",
        "variable rate",
        "300 frames",
        "10.01 s",
        "sound aac stereo and opus mono",
    )
    assert facts_line(item).replace("  \N{MIDDLE DOT}  ", "|") == (
        "1280 \N{MULTIPLICATION SIGN} 720|<23.976 fps>|<variable rate>|<300 frames>|<10.01 s>|"
        "<sound aac stereo and opus mono>"
    )
    for piece in ("rate unknown", "number of frames unknown", "no sound", "2 subtitles"):
        item.facts = ("1280x720", piece)
        assert facts_line(item).endswith(f"<{piece}>")
    item.facts = ("1280x720", "3 smells")
    assert facts_line(item).endswith("  3 smells")


def test_what_an_earlier_run_has_left_is_told_and_follows_the_options(runner, children):
    add(runner, children, "/v/a.mp4", "/v/b.mp4", "/v/c.mp4")
    one, two, three = runner.model
    one.take_kept({"kept": {"frames": 1500, "difference": ""}})
    two.take_kept({"kept": {"frames": 250, "difference": "its --crf was 20, not 23"}})
    assert (state_word(one, False), state_word(two, False)) == ("Resumes", "Waiting")
    assert status_line(one, False) == "1,500 frames were finished before a break: it resumes after them."
    assert "thrown away" in status_line(two, False)
    assert "--crf was 20" in tooltip(two)
    assert status_line(three, False) == ""
    options = ProcessOptions(crf=23)
    runner.prepare(options)
    asked = children.looker.orders
    assert [(order["do"], order["id"], order["options"]["crf"]) for order in asked] == [
        ("kept", 1, 23),
        ("kept", 2, 23),
    ]
    children.looker.say("kept", id=1, kept={"frames": 1500, "difference": "its --crf was 20, not 23"})
    children.looker.say("kept", id=2, kept=None)
    assert (one.kept_frames, two.kept) == (0, None)
    runner.start(options)
    children.fail("/v/a.mp4: the disk is full", kept={"frames": 2000, "difference": ""})
    assert one.kept_frames == 2000
    assert status_line(one, False) == "The disk is full. 2,000 frames are kept: Try again resumes after them."
    runner.retry([one])
    children.done(outputs=["/v/b.twinlens.mp4"])
    children.done(outputs=["/v/a.twinlens.mp4"], frames=3000, resumed=2000)
    assert status_line(one, False).endswith("3,000 frames in 6 s, 161.3 fps  \N{MIDDLE DOT}  resumed after frame 2,000")


def test_the_time_for_all_files_counts_their_sizes_and_what_is_done(runner, children, clock):
    add(runner, children, "/v/a.mp4", "/v/b.mp4", "/v/c.mp4")
    assert runner.left_s == (None, True)
    small, large, later = runner.model
    small.meter = RateMeter(clock)
    large.facts = ("2560x1440", *large.facts[1:])  # four times the pixels: 0.4 + 0.6 * 4 = 2.8 times the work
    later.take_kept({"kept": {"frames": 250, "difference": ""}})
    runner.start(ProcessOptions())
    children.progress(0)
    clock.now += 2
    children.progress(100)  # 50 a second
    left_s, is_all = runner.left_s
    assert left_s == pytest.approx((200 + 300 * 2.8 + 50) / 50)
    assert is_all
    said = summary(runner.model.items, True, False, (left_s, is_all))
    assert said == "File 1 of 3  \N{MIDDLE DOT}  22 s left for all"
    later.expected = None
    assert runner.left_s == (pytest.approx((200 + 300 * 2.8) / 50), False)
    assert "more than 21 s left for all" in summary(runner.model.items, True, False, runner.left_s)
    assert "left" not in summary(runner.model.items, True, True, runner.left_s)
    children.done()
    # Nothing is known of the next file yet: at the pace of the last one.
    assert runner.left_s[0] == pytest.approx(300 * 2.8 / 50)


def test_a_file_that_kills_whoever_looks_at_it_costs_only_itself(runner, children):
    refused = []
    runner.refused.connect(refused.append)
    runner.add(["/v"])
    children.looker.say("files", id=1, files=["/v/a.mp4", "/v/b.mp4"], problems=[])
    children.looker.die()
    assert [order["id"] for order in children.looker.orders] == [2]
    children.show(2)
    assert states(runner) == [State.FAILED, State.WAITING]
    runner.add(["/w"])
    children.looker.die()
    assert refused == ["The files cannot be listed: its process crashed with SIGSEGV."]
    assert not runner.is_looking


def test_what_is_called_off_is_cleared_up_before_anything_begins(runner, children, qtbot):
    add(runner, children, "/v/a.mp4")
    runner.start(ProcessOptions())
    first = children.worker
    runner.rest()
    assert first.finished
    assert not first.waited
    runner.retry(list(runner.model))
    runner.start(ProcessOptions())
    assert len(children.runs) == 1
    first.waited = True  # it has ended
    qtbot.waitUntil(lambda: len(children.runs) == 2)
    assert runner.is_running


def test_closing_ends_the_children_and_what_runs_can_be_tried_again(runner, children):
    add(runner, children, "/v/a.mp4")
    runner.start(ProcessOptions())
    runner.add(["/v/b.mp4"])
    runner.close()
    assert all(link.finished and link.waited for link in children.links[-2:])
    assert states(runner) == [State.CANCELLED]
    runner.retry(list(runner.model))
    runner.start(ProcessOptions())
    assert children.runs[-1]["path"] == "/v/a.mp4"


# -- figures and words


def test_the_rate_is_that_of_the_last_seconds(clock):
    meter = RateMeter(clock)
    assert meter.rate is None
    for second in range(11):
        meter.add(second * 10 if second <= 4 else 40 + (second - 4) * 30)
        clock.now += 1
    assert meter.rate == pytest.approx(30)
    assert meter.left_s(220, 280) == pytest.approx(2)
    assert meter.left_s(300, 280) is None
    assert meter.left_s(220, None) is None
    meter.reset()
    assert meter.rate is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "1 s"), (59.4, "59 s"), (60, "1 min 00 s"), (125, "2 min 05 s"), (3600, "1 h 00 min"), (7260, "2 h 01 min")],
)
def test_lengths_of_time(seconds, text):
    assert length_text(seconds) == text


def running(done, expected, clock=None):
    item = Item(1, Path("/v/a.mp4"), State.RUNNING, meter=RateMeter(clock or Clock()))
    item.started = True
    item.done, item.expected = done, expected
    return item


def test_a_count_that_is_unknown_or_too_low_is_no_promise():
    assert running(10, None).part is None
    assert running(301, 300).part is None
    assert "301 frames" in status_line(running(301, 300), False)
    assert state_word(running(301, 300), False) == "Running"
    assert state_word(running(75, 300), False) == "25 %"


def test_a_running_file_tells_rate_and_time_left(clock):
    item = running(0, 1200, clock)
    item.meter.add(0)
    clock.now += 2
    item.meter.add(100)
    item.done = 100
    assert status_line(item, False).replace("  \N{MIDDLE DOT}  ", "|") == "100 of 1,200 frames|50.0 fps|22 s left"
    assert spoken(item, False) == "a.mp4, 8 %, 100 of 1,200 frames, 50.0 fps, 22 s left, /v"


def test_special_things_are_marks_in_the_row_and_sentences_in_the_tooltip():
    item = Item(1, Path("/v/a.mp4"), State.WAITING)
    item.facts = ("1080x1920", "30 frames/s")
    item.notices = ("turned by 90 degrees clockwise as the file asks", "HDR (PQ) is shown tone-mapped")
    assert facts_line(item).replace("  \N{MIDDLE DOT}  ", "|") == (
        "1080 \N{MULTIPLICATION SIGN} 1920|30 fps|turned|HDR"
    )
    assert "Turned by 90 degrees clockwise as the file asks.\nHDR (PQ) is shown tone-mapped." in tooltip(item)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("/v/a.mp4 is empty (0 bytes)", "This file is empty (0 bytes)."),
        ("/v/a.mp4: read 3 of about 9 frames", "Read 3 of about 9 frames."),
        ("the disk is full", "The disk is full."),
    ],
)
def test_the_name_is_not_said_twice(message, shown):
    assert message_of(Item(1, Path("/v/a.mp4"), State.FAILED, message=message)) == shown
