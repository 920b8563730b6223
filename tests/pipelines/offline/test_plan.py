"""What becomes of what the user names, and what is refused before any work."""

from pathlib import Path

import pytest

from pipelines.errors import ConfigError, ExportError, SourceError
from pipelines.offline.jobs import Request
from pipelines.offline.plan import make_plan


@pytest.fixture
def files(tmp_path):
    """Return a function that makes files of the given names and returns their paths."""

    def make(*names):
        paths = []
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"x")
            paths.append(path)
        return tuple(paths)

    return make


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("clip.mp4", "clip.twinlens.mp4"),
        ("clip.MKV", "clip.twinlens.mp4"),
        ("anim.gif", "anim.twinlens.mp4"),
        ("photo.png", "photo.twinlens.png"),
        ("photo.JPG", "photo.twinlens.jpg"),
        ("photo.webp", "photo.twinlens.png"),
        (" a (1).v2 .mp4", " a (1).v2 .twinlens.mp4"),
        ("кино 🎬.mov", "кино 🎬.twinlens.mp4"),
        ("no_suffix", "no_suffix.twinlens.mp4"),
    ],
)
def test_default_output_is_beside_the_input(files, name, expected):
    (path,) = files(name)
    (job,) = make_plan(Request((path,)))
    assert job.output == path.with_name(expected)
    assert job.still == name.lower().endswith(("png", "jpg", "webp"))


def test_output_into_an_existing_folder(files, tmp_path):
    (path,) = files("in/clip.mp4")
    (tmp_path / "out").mkdir()
    (job,) = make_plan(Request((path,), out=tmp_path / "out"))
    assert job.output == tmp_path / "out/clip.twinlens.mp4"


def test_a_separator_at_the_end_means_a_folder_that_need_not_exist(files, tmp_path):
    (path,) = files("clip.mp4")
    (job,) = make_plan(Request((path,), out=tmp_path / "new", out_is_folder=True))
    assert job.output == tmp_path / "new/clip.twinlens.mp4"


def test_several_inputs_go_to_one_folder_and_keep_their_names(files, tmp_path):
    inputs = files("a/clip.mp4", "a/clip.mkv", "a/photo.jpg")
    jobs = make_plan(Request(inputs, out=tmp_path / "out"))
    assert [job.output.name for job in jobs] == [
        "clip.mp4.twinlens.mp4",
        "clip.mkv.twinlens.mp4",
        "photo.twinlens.jpg",
    ]


def test_inputs_of_the_same_name_cannot_share_a_folder(files, tmp_path):
    inputs = files("a/clip.mp4", "b/clip.mp4")
    with pytest.raises(ExportError, match="two inputs"):
        make_plan(Request(inputs, out=tmp_path / "out"))
    assert [job.output.parent.name for job in make_plan(Request(inputs))] == ["a", "b"]


def test_a_folder_is_searched_in_order_without_our_own_outputs(files, tmp_path):
    files("in/b.mp4", "in/a.jpg", "in/notes.txt", "in/a.twinlens.jpg", "in/.hidden.png", "in/sub/c.mp4")
    jobs = make_plan(Request((tmp_path / "in",)))
    assert [job.input.name for job in jobs] == ["a.jpg", "b.mp4"]
    assert {job.output.parent for job in jobs} == {tmp_path / "in.twinlens"}


def test_a_pattern_is_expanded_where_the_shell_did_not(files, tmp_path):
    files("a.jpg", "b.jpg", "c.png", "old.twinlens.jpg")
    jobs = make_plan(Request((tmp_path / "*.jpg",)))
    assert [job.input.name for job in jobs] == ["a.jpg", "b.jpg"]
    (odd,) = files("x[1].jpg")
    assert make_plan(Request((odd,)))[0].input == odd


def test_an_input_named_twice_is_processed_once(files):
    (path,) = files("clip.mp4")
    assert len(make_plan(Request((path, path)))) == 1


def test_a_part_is_one_of_videos_for_pictures_have_no_time(files):
    video, picture = make_plan(Request(files("a.mp4", "b.png"), start_s=1.0, end_s=2.0, max_frames=3))
    assert (video.start_s, video.end_s, video.max_frames) == (1.0, 2.0, 3)
    assert (picture.start_s, picture.end_s, picture.max_frames) == (None, None, None)


def test_layers_of_several_inputs_do_not_mix(files, tmp_path):
    inputs = files("a.mp4", "b.mp4")
    jobs = make_plan(Request(inputs, layers=("mask",), layers_dir=tmp_path / "L"))
    assert [job.layers_dir for job in jobs] == [tmp_path / "L/a.mp4", tmp_path / "L/b.mp4"]
    (job,) = make_plan(Request(inputs[:1], layers=("mask",), layers_dir=tmp_path / "L"))
    assert job.layers_dir == tmp_path / "L"


WRONG = [
    ({"video": False}, "nothing to write"),
    ({"video": False, "results": Path("r.csv"), "out": Path("x.mp4")}, "no meaning"),
    ({"layers": ("mask",)}, "belong together"),
    ({"layers_dir": Path("L")}, "belong together"),
    ({"layers": ("mask",), "layers_dir": Path("L"), "tasks": ("face",)}, "needs the task segmentation"),
    ({"layers": ("halo",), "layers_dir": Path("L")}, "unknown layer 'halo'"),
    ({"results": Path("r.txt")}, ".jsonl or .csv"),
    ({"start_s": 2.0, "end_s": 2.0}, "must come after"),
    ({"end_s": 0.0}, "must come after"),
    ({"out": Path("x.png")}, "a video is written as .mp4, .mkv"),
    ({"out": Path("nofolder")}, "or into a folder"),
]


@pytest.mark.parametrize(("options", "message"), WRONG, ids=[message for _, message in WRONG])
def test_contradicting_options_are_wrong_usage(files, options, message):
    with pytest.raises(ConfigError) as caught:
        make_plan(Request(files("clip.mp4"), **options))
    assert message in str(caught.value)


def test_a_picture_is_not_written_as_video(files, tmp_path):
    with pytest.raises(ConfigError, match=r"a picture is written as \.png"):
        make_plan(Request(files("a.png"), out=tmp_path / "x.mp4"))


def test_a_picture_is_the_first_of_numbered_pictures(files, tmp_path):
    """As with a video their folder is made."""
    (job,) = make_plan(Request(files("a.jpg"), out=tmp_path / "new/a-%04d.png"))
    assert job.output == tmp_path / "new/a-0000.png"
    assert not job.is_sequence


def test_several_inputs_need_a_folder(files, tmp_path):
    with pytest.raises(ConfigError, match="several inputs need a folder"):
        make_plan(Request(files("a.mp4", "b.mp4"), out=tmp_path / "x.mp4"))


class TestRefusals:
    def test_an_existing_output(self, files):
        path, _ = files("clip.mp4", "clip.twinlens.mp4")
        with pytest.raises(ExportError, match="exists already"):
            make_plan(Request((path,)))
        assert make_plan(Request((path,), overwrite=True))

    def test_a_dangling_link_counts_as_existing(self, files, tmp_path):
        (path,) = files("clip.mp4")
        (tmp_path / "out.mp4").symlink_to(tmp_path / "nowhere")
        with pytest.raises(ExportError, match="exists already"):
            make_plan(Request((path,), out=tmp_path / "out.mp4"))

    @pytest.mark.parametrize("link", ["same", "symbolic", "hard"])
    def test_the_input_itself_even_with_overwrite(self, files, tmp_path, link):
        (path,) = files("clip.mp4")
        out = path
        if link == "symbolic":
            out = tmp_path / "other.mp4"
            out.symlink_to(path)
        elif link == "hard":
            out = tmp_path / "other.mp4"
            out.hardlink_to(path)
        with pytest.raises(ExportError, match="is the input itself"):
            make_plan(Request((path,), out=out, overwrite=True))

    def test_another_input_of_the_same_run(self, files, tmp_path):
        a, b = files("a.mp4", "r.jsonl")
        with pytest.raises(ExportError, match="is the input itself"):
            make_plan(Request((a, b), results=b, overwrite=True))

    def test_existing_results(self, files, tmp_path):
        path, results = files("clip.mp4", "r.jsonl")
        with pytest.raises(ExportError, match="exists already"):
            make_plan(Request((path,), results=results))

    def test_existing_layers(self, files, tmp_path):
        path, _ = files("clip.mp4", "L/mask/000000.png")
        request = Request((path,), layers=("mask",), layers_dir=tmp_path / "L")
        with pytest.raises(ExportError, match="holds files already"):
            make_plan(request)
        assert make_plan(Request((path,), layers=("depth",), layers_dir=tmp_path / "L"))

    @pytest.mark.parametrize("option", ["out", "results"])
    def test_a_missing_folder(self, files, tmp_path, option):
        target = tmp_path / "nowhere" / ("x.mp4" if option == "out" else "x.csv")
        with pytest.raises(ExportError, match="nowhere does not exist"):
            make_plan(Request(files("clip.mp4"), **{option: target}))

    def test_a_file_where_a_folder_should_be(self, files, tmp_path):
        path, file = files("clip.mp4", "file")
        with pytest.raises(ExportError, match="cannot be written"):
            make_plan(Request((path,), out=file / "x.mp4"))
        with pytest.raises(ExportError, match=r"x\.csv cannot be written: .*file is not a folder"):
            make_plan(Request((path,), results=file / "x.csv"))

    def test_a_folder_without_anything_to_do(self, files, tmp_path):
        files("in/notes.txt")
        with pytest.raises(SourceError, match="no video and no picture"):
            make_plan(Request((tmp_path / "in",)))

    def test_a_pattern_without_matches(self, tmp_path):
        with pytest.raises(SourceError, match="no such file"):
            make_plan(Request((tmp_path / "*.mp4",)))


class TestTransparency:
    @pytest.mark.parametrize(
        ("name", "expected"), [("a.mp4", "a.twinlens.webm"), ("a.jpg", "a.twinlens.png"), ("a.png", "a.twinlens.png")]
    )
    def test_names(self, files, name, expected):
        (path,) = files(name)
        (job,) = make_plan(Request((path,), alpha=True))
        assert job.output == path.with_name(expected)
        assert job.alpha

    @pytest.mark.parametrize("out", ["o.webm", "o.MOV", "%04d.png"])
    def test_formats_that_hold_it(self, files, tmp_path, out):
        (job,) = make_plan(Request(files("a.mp4"), out=tmp_path / out, alpha=True))
        assert job.output == tmp_path / out

    @pytest.mark.parametrize(
        ("name", "out", "message"),
        [
            ("a.mp4", "o.mp4", "o.mp4: MP4 holds no transparency"),
            ("a.mp4", "o.mkv", "o.mkv: Matroska holds no transparency"),
            ("a.mp4", "o.gif", "o.gif: GIF holds no transparency"),
            ("a.png", "o.jpg", "o.jpg: JPEG holds no transparency"),
        ],
    )
    def test_formats_that_do_not(self, files, tmp_path, name, out, message):
        with pytest.raises(ConfigError, match=message):
            make_plan(Request(files(name), out=tmp_path / out, alpha=True))

    def test_it_needs_the_mask_and_a_picture(self, files, tmp_path):
        paths = files("a.mp4")
        with pytest.raises(ConfigError, match="needs the task segmentation"):
            make_plan(Request(paths, alpha=True, tasks=("face",)))
        with pytest.raises(ConfigError, match="--no-video"):
            make_plan(Request(paths, alpha=True, video=False, results=tmp_path / "r.csv"))


class TestNumberedPictures:
    def test_a_folder_that_need_not_exist(self, files, tmp_path):
        (job,) = make_plan(Request(files("a.mp4"), out=tmp_path / "new" / "%06d.png"))
        assert job.output == tmp_path / "new" / "%06d.png"

    def test_earlier_ones_are_not_replaced_unasked(self, files, tmp_path):
        paths = files("a.mp4")
        (tmp_path / "000001.png").write_bytes(b"x")
        with pytest.raises(ExportError, match=r"000001\.png exists already"):
            make_plan(Request(paths, out=tmp_path / "%06d.png"))
        make_plan(Request(paths, out=tmp_path / "%06d.png", overwrite=True))

    def test_a_video_is_not_one_picture(self, files, tmp_path):
        with pytest.raises(ConfigError, match=r"numbered pictures \(%06d.png\)"):
            make_plan(Request(files("a.mp4"), out=tmp_path / "one.png"))


@pytest.mark.parametrize(("out", "alpha"), [("o.gif", False), ("%04d.png", False), ("o.mov", True)])
def test_quality_is_refused_where_there_is_no_such_scale(files, tmp_path, out, alpha):
    paths = files("a.mp4")
    with pytest.raises(ConfigError, match="--crf has no meaning"):
        make_plan(Request(paths, out=tmp_path / out, alpha=alpha, crf=20))
    (job,) = make_plan(Request(paths, out=tmp_path / out, alpha=alpha))
    assert job.crf == 20
