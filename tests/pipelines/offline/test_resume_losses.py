"""What a power cut leaves, and runs broken off at their very end: the same files all the same."""

import json
import shutil

import pytest

from pipelines.errors import ExportError
from pipelines.offline import stages as stages_module
from pipelines.offline.layers import LayerFolder
from pipelines.offline.place import KEPT_STATES
from pipelines.offline.sequence import PictureSequence
from pipelines.offline.table import ResultsTable
from tests.pipelines.offline.resume_helpers import COUNT, SEGMENT, MovingPool, Run, hidden, moving_clip


@pytest.fixture(autouse=True)
def short_segments(monkeypatch):
    monkeypatch.setattr(stages_module, "SEGMENT_FRAMES", SEGMENT)


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    return moving_clip(tmp_path_factory.mktemp("in") / "in.mp4")


class TestLosses:
    """What a power cut can do: the journal is there, what it speaks of is not, or only in part."""

    @pytest.fixture
    def runs(self, clip, tmp_path):
        whole, cut = (Run(clip, tmp_path / name) for name in ("whole", "cut"))
        whole(resume=False)
        cut.broken(22)
        return whole, cut, cut.place

    @pytest.mark.parametrize("name", ["rows", "packets"])
    @pytest.mark.parametrize("left", [0.0, 0.6])
    def test_a_file_that_ends_too_early(self, runs, name, left):
        whole, cut, place = runs
        path = getattr(place, name)
        data = path.read_bytes()
        path.write_bytes(data[: int(len(data) * left)])
        assert cut().resumed == (10 if left else 0)
        assert cut.files() == whole.files()

    @pytest.mark.parametrize(("number", "resumed"), [(17, 15), (4, 0), (19, 15)])
    def test_a_layer_that_is_gone_or_empty(self, runs, number, resumed):
        whole, cut, place = runs
        (place.layers / "mask" / f"{number:06d}.png").write_bytes(b"")
        assert cut().resumed == resumed
        assert cut.files() == whole.files()

    def test_bytes_that_changed(self, runs):
        whole, cut, place = runs
        data = bytearray(place.packets.read_bytes())
        data[-100] ^= 255
        place.packets.write_bytes(bytes(data))
        assert cut().resumed == 15
        assert cut.files() == whole.files()

    def test_states_that_are_gone(self, runs):
        whole, cut, place = runs
        place.state_path(3).unlink()
        place.state_path(2).write_bytes(b"\0" * 100)
        assert cut().resumed == 10
        assert cut.files() == whole.files()

    def test_no_state_at_all(self, runs):
        whole, cut, place = runs
        for number in range(4):
            place.state_path(number).unlink()
        assert cut().resumed == 0
        assert cut.files() == whole.files()

    @pytest.mark.parametrize("tail", [b"", b'{"segm', b"\0" * 4096, b"[]\n", b'{"segment": {}}\n', b"\xff\xfe\n"])
    def test_a_last_line_that_was_not_written_whole(self, runs, tail):
        whole, cut, place = runs
        lines = place.journal.read_bytes().splitlines(keepends=True)
        place.journal.write_bytes(b"".join(lines[:-1]) + tail)
        assert cut().resumed == 15
        assert cut.files() == whole.files()

    @pytest.mark.parametrize("data", [b"", b"\0" * 99, b'{"format": 0}\n', b"[]\n"])
    def test_a_journal_that_says_nothing(self, runs, data):
        whole, cut, place = runs
        place.journal.write_bytes(data)
        assert cut().resumed == 0
        assert cut.files() == whole.files()

    def test_segments_that_do_not_tell_their_place_in_the_source(self, runs):
        """As where that cannot be found but by counting."""
        whole, cut, place = runs
        lines = [json.loads(line) for line in place.journal.read_text().splitlines()]
        marks = [line["segment"].pop("mark") for line in lines if "segment" in line]
        assert [mark["read"] for mark in marks] == [5, 10, 15, 20]
        place.journal.write_text("".join(json.dumps(line) + "\n" for line in lines))
        assert cut().resumed == 20
        assert cut.files() == whole.files()

    def test_more_than_the_journal_tells(self, runs):
        """What was being written behind the last segment is written again."""
        whole, cut, place = runs
        for path in (place.rows, place.packets):
            with path.open("ab") as stream:
                stream.write(b"half a lin")
        assert cut().resumed == 20
        assert cut.files() == whole.files()


def test_old_states_are_removed(clip, tmp_path, monkeypatch):
    monkeypatch.setattr(stages_module, "SEGMENT_FRAMES", 2)
    run = Run(clip, tmp_path)
    run.broken(21, segments=10)
    states = sorted(path.name for path in run.place.path.glob("state-*"))
    assert states == sorted(f"state-{number}" for number in range(10 - KEPT_STATES, 10))


class TestTheEnd:
    """Broken off when all frames are through."""

    @pytest.fixture
    def runs(self, clip, tmp_path):
        return tuple(Run(clip, tmp_path / name) for name in ("whole", "cut"))

    def going_on(self, whole, cut):
        whole(resume=False)
        pool = MovingPool()
        report = cut(pool)
        assert pool.seen == []
        assert (report.frames, report.resumed) == (COUNT, COUNT)
        assert report.notices == whole_notices(whole)
        assert cut.files() == whole.files()
        assert hidden(cut.folder) == []

    def test_while_joining(self, runs, monkeypatch):
        whole, cut = runs
        with monkeypatch.context() as patch:
            patch.setattr("pipelines.offline.writer.join", raises(OSError))
            with pytest.raises(OSError, match="gone"):
                cut()
        self.going_on(whole, cut)

    def test_while_checking(self, runs, monkeypatch):
        whole, cut = runs
        with monkeypatch.context() as patch:
            patch.setattr(stages_module, "check_video", raises(ExportError))
            with pytest.raises(ExportError, match="gone"):
                cut()
        self.going_on(whole, cut)

    def test_before_the_first_name(self, runs, monkeypatch):
        whole, cut = runs
        with monkeypatch.context() as patch:
            patch.setattr(LayerFolder, "commit", raises(OSError))
            with pytest.raises(OSError, match="gone"):
                cut()
        self.going_on(whole, cut)

    def test_between_two_layers(self, runs, monkeypatch):
        whole, cut = runs
        publish = LayerFolder._publish

        def failing(self, part, final, moved):
            if part.name == "landmarks":
                raise RuntimeError("gone")
            publish(self, part, final, moved)

        with monkeypatch.context() as patch:
            patch.setattr(LayerFolder, "_publish", failing)
            with pytest.raises(RuntimeError, match="gone"):
                cut()
        assert (cut.folder / "L/mask").exists()
        self.going_on(whole, cut)

    def test_between_layers_and_video(self, runs, monkeypatch):
        whole, cut = runs
        with monkeypatch.context() as patch:
            patch.setattr("pipelines.offline.job.publish", raises(ExportError))
            with pytest.raises(ExportError, match="gone"):
                cut()
        self.going_on(whole, cut)

    def test_between_the_video_and_the_results(self, runs, monkeypatch):
        whole, cut = runs
        with monkeypatch.context() as patch:
            patch.setattr(ResultsTable, "commit", raises(ExportError))
            with pytest.raises(ExportError, match="gone"):
                cut()
        assert (cut.folder / "out.mp4").exists()
        assert not (cut.folder / "r.jsonl").exists()
        whole(resume=False)
        assert cut().was_done
        assert cut.files() == whole.files()
        assert hidden(cut.folder) == []

    def test_an_output_that_was_taken_away_meanwhile_is_made_again(self, runs, monkeypatch):
        whole, cut = runs
        with monkeypatch.context() as patch:
            patch.setattr(ResultsTable, "commit", raises(ExportError))
            with pytest.raises(ExportError, match="gone"):
                cut()
        (cut.folder / "out.mp4").unlink()
        whole(resume=False)
        with pytest.raises(ExportError, match="holds files already"):
            cut()
        shutil.rmtree(cut.folder / "L")
        assert cut().resumed == 0
        assert cut.files() == whole.files()

    def test_in_the_middle_of_numbered_pictures(self, clip, tmp_path, monkeypatch):
        whole, cut = (Run(clip, tmp_path / name, "P/%03d.png", layers=()) for name in ("whole", "cut"))
        commit = PictureSequence.commit

        def failing(self, moved=range(0)):
            for number in (0, 1, 2, 17):
                (self._part / f"{number:03d}.png").replace(self._pattern.with_name(f"{number:03d}.png"))
            raise RuntimeError("gone")

        with monkeypatch.context() as patch:
            patch.setattr(PictureSequence, "commit", failing)
            with pytest.raises(RuntimeError, match="gone"):
                cut()
        assert PictureSequence.commit is commit
        whole(resume=False)
        assert cut().resumed == COUNT
        assert cut.files() == whole.files()
        assert hidden(tmp_path) == []


def whole_notices(whole):
    return Run(whole.job.input, whole.folder.with_name("again"))(resume=False).notices


def raises(kind):
    def failing(*args, **kwargs):
        raise kind("gone")

    return failing
