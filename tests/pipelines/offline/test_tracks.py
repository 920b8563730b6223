"""Sound and subtitles: the same packets where the container holds them, in step with the pictures."""

import shutil
import subprocess
from fractions import Fraction

import av
import numpy as np
import pytest

from pipelines.errors import ExportError
from pipelines.offline.priming import with_delay
from pipelines.offline.restarts import clock_origins_s
from pipelines.offline.verify import check_video
from pipelines.offline.writer import VideoWriter
from pipelines.sources.video import VideoSource

RATE = 48_000
SRT = "1\n00:00:00,200 --> 00:00:00,900\nHello\n\n2\n00:00:01,000 --> 00:00:01,500\nWorld\n"


def make_input(path, codec="aac", sound_s=2.0, frames=50, tracks=1):
    """Write `frames` pictures at 25 a second, and tracks with a tone that starts at 0.5 s."""
    with av.open(str(path), "w") as container:
        webm = path.suffix == ".webm"
        options = {"deadline": "realtime", "cpu-used": "8"} if webm else {"bf": "0"}
        video = container.add_stream("libvpx-vp9" if webm else "libx264", rate=25, options=options)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        sounds = [container.add_stream(codec, rate=RATE) for _ in range(tracks)]
        for number, sound in enumerate(sounds):
            sound.codec_context.layout = "stereo"
            sound.metadata["language"] = ("eng", "jpn")[number]
        for number in range(frames):
            picture = av.VideoFrame(64, 48, "yuv420p")
            picture.pts, picture.time_base = number, Fraction(1, 25)
            container.mux(video.encode(picture))
        for number, sound in enumerate(sounds):
            form = sound.codec_context.format.name
            resampler = av.AudioResampler(form, "stereo", RATE, frame_size=0 if codec.startswith("pcm") else 1024)
            times = np.arange(round(sound_s * RATE)) / RATE
            wave = np.where(times >= 0.5, np.sin(2 * np.pi * 440 * (number + 1) * times), 0.0).astype(np.float32)
            for start in range(0, len(wave), 1024):
                frame = av.AudioFrame.from_ndarray(np.tile(wave[start : start + 1024], (2, 1)), "fltp", "stereo")
                frame.sample_rate, frame.pts, frame.time_base = RATE, start, Fraction(1, RATE)
                for part in resampler.resample(frame):
                    container.mux(sound.encode(part))
            for part in resampler.resample(None):
                container.mux(sound.encode(part))
            container.mux(sound.encode(None))
        container.mux(video.encode(None))
    return path


def write(source, output, seconds=2.0, start_s=0.0, cut=False):
    writer = VideoWriter(output, output.name, output.suffix, (64, 48), Fraction(25), source, start_s)
    for number in range(round(seconds * 25)):
        writer.write(np.full((48, 64, 3), number, np.uint8), number / 25)
    writer.finish(cut)
    check_video(
        output,
        output.name,
        writer.timeline.frames,
        writer.timeline.first_s,
        writer.timeline.last_s,
        writer.tracks.sound_ends_s,
    )
    return writer


def packets(path, kind="audio", number=0):
    """Bytes of each packet of a track, and their times in seconds."""
    with av.open(str(path)) as container:
        stream = getattr(container.streams, kind)[number]
        found = [packet for packet in container.demux(stream) if packet.size]
        return [bytes(packet) for packet in found], [float(packet.pts * packet.time_base) for packet in found]


def loudness_begins(path):
    """Time at which a track becomes loud, in seconds."""
    with av.open(str(path)) as container:
        for frame in container.decode(audio=0):
            loud = np.abs(frame.to_ndarray().astype(np.float64)).max(axis=0)
            loud = loud.reshape(-1, 2).max(axis=1) if frame.format.is_packed else loud
            limit = 0.1 if loud.max() < 2 else 3000
            if loud.max() > limit:
                return float(frame.pts * frame.time_base) + int(np.argmax(loud > limit)) / frame.sample_rate
    return None


@pytest.mark.parametrize(
    ("codec", "container", "suffix"),
    [
        ("aac", ".mkv", ".mp4"),
        ("aac", ".mkv", ".mkv"),
        ("aac", ".mp4", ".mkv"),
        ("libmp3lame", ".mp4", ".mkv"),
        ("libmp3lame", ".mkv", ".mp4"),
        ("libmp3lame", ".mkv", ".mkv"),
        ("libopus", ".mkv", ".mkv"),
        ("libopus", ".mkv", ".webm"),
        ("libopus", ".webm", ".webm"),
        ("libopus", ".webm", ".mp4"),
        ("libopus", ".mp4", ".webm"),
        ("pcm_s16le", ".mkv", ".mkv"),
        ("flac", ".mkv", ".mp4"),
        ("aac", ".mkv", ".mov"),
        ("pcm_s16le", ".mkv", ".mov"),
    ],
)
def test_sound_is_copied_byte_for_byte(tmp_path, codec, container, suffix):
    """The first packet too, which begins before 0: Opus by 6.5 ms, AAC and MP3 by more than 20."""
    source = make_input(tmp_path / f"in{container}", codec)
    writer = write(source, tmp_path / f"out{suffix}")
    data, times = packets(source)
    copied, copied_times = packets(tmp_path / f"out{suffix}")
    if codec == "pcm_s16le" and suffix == ".mov":
        # QuickTime cuts raw samples into packets of its own.
        assert b"".join(copied) == b"".join(data)
        return
    assert copied == data
    assert copied_times == pytest.approx(times, abs=0.0015)
    assert packets(tmp_path / f"out{suffix}", "video")[1][0] == 0.0
    assert writer.tracks.notices == []
    if suffix in (".mkv", ".webm"):  # MP4 counts in samples, where the times of Matroska are rounded
        assert np.array_equal(samples(tmp_path / f"out{suffix}"), samples(source))


def samples(path):
    """All samples of a file's sound as decoders give them out, without the time before 0."""
    with av.open(str(path)) as container:
        parts = [frame.to_ndarray() for frame in container.decode(audio=0)]
    return np.concatenate(parts, axis=1)[:, : round(1.9 * RATE)]


@pytest.mark.parametrize("priming", [576, 2112])
def test_matroska_is_told_of_priming_that_mp4_cuts_off(tmp_path, priming):
    """AAC of Apple begins with 2112 samples that are not to be heard."""
    with av.open(str(make_input(tmp_path / "in.mp4", frames=2, sound_s=0.1))) as container:
        stream = container.streams.audio[0]
        with with_delay(stream, priming / RATE) as told:
            assert told.codec_context.delay == priming
            assert told.codec_context.extradata == stream.codec_context.extradata
            assert (told.codec_context.name, told.codec_context.sample_rate) == ("aac", RATE)


def test_aac_of_mp4_is_whole_in_matroska_from_a_cut_on(tmp_path):
    """From its first sample: a packet before the cut is there for the decoder alone."""
    source = make_input(tmp_path / "in.mp4", "aac")
    write(source, tmp_path / "out.mkv", seconds=1.0, start_s=0.6, cut=True)
    found, whole = samples(tmp_path / "out.mkv"), samples(source)
    with av.open(str(tmp_path / "out.mkv")) as container:
        begin_s = next(container.decode(audio=0)).time
    assert 0 <= begin_s < 1024 / RATE
    start = round((0.6 + begin_s) * RATE)
    # The times of Matroska are rounded to milliseconds: the place is found by the samples themselves.
    differences = [
        np.abs(found[:, :4096] - whole[:, place : place + 4096]).max() for place in range(start - 48, start + 49)
    ]
    assert min(differences) == 0.0


@pytest.mark.parametrize("suffix", [".webm", ".mp4"])
def test_copied_opus_begins_with_the_cut(tmp_path, suffix):
    """At most a packet is missing in front, less what a decoder leaves out of the first one."""
    source = make_input(tmp_path / "in.webm", "libopus")
    write(source, tmp_path / f"out{suffix}", seconds=1.0, start_s=0.6, cut=True)
    data, times = packets(source)
    kept = [item for item, time in zip(data, times, strict=True) if -0.0075 <= time - 0.6 < 1.0]
    assert packets(tmp_path / f"out{suffix}")[0] == kept
    assert packets(tmp_path / f"out{suffix}", "video")[1][0] == 0.0


@pytest.mark.parametrize(
    ("codec", "suffix", "coding", "name"),
    [
        ("pcm_s16le", ".mp4", "aac", "AAC, which MP4"),
        ("pcm_s16le", ".webm", "opus", "Opus, which WebM"),
        ("aac", ".webm", "opus", "Opus, which WebM"),
        ("libopus", ".mov", "aac", "AAC, which QuickTime"),
    ],
)
def test_sound_that_a_format_does_not_hold_is_encoded_and_stays_in_step(tmp_path, codec, suffix, coding, name):
    source = make_input(tmp_path / "in.mkv", codec)
    output = tmp_path / f"out{suffix}"
    writer = write(source, output)
    assert f"encoded anew as {name}" in " ".join(writer.tracks.notices)
    with av.open(str(output)) as container:
        assert container.streams.audio[0].codec_context.name == coding
        assert float(container.duration / av.time_base) == pytest.approx(2.0, abs=0.05)
    assert packets(output, "video")[1][0] == 0.0
    assert loudness_begins(source) == pytest.approx(0.5, abs=0.01)
    assert loudness_begins(output) == pytest.approx(0.5, abs=0.025)


def test_both_tracks_keep_their_languages(tmp_path):
    source = make_input(tmp_path / "in.mkv", "aac", tracks=2)
    write(source, tmp_path / "out.mp4")
    with av.open(str(tmp_path / "out.mp4")) as container:
        assert [stream.metadata.get("language") for stream in container.streams.audio] == ["eng", "jpn"]
    assert packets(source, number=1)[0] == packets(tmp_path / "out.mp4", number=1)[0]


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
@pytest.mark.parametrize("sound_s", [0.8, 4.0], ids=["shorter", "longer"])
def test_sound_shorter_or_longer_than_the_pictures_keeps_its_length(tmp_path, suffix, sound_s):
    source = make_input(tmp_path / "in.mkv", "aac", sound_s=sound_s)
    write(source, tmp_path / f"out{suffix}")
    with av.open(str(tmp_path / f"out{suffix}")) as container:
        assert float(container.duration / av.time_base) == pytest.approx(max(2.0, sound_s), abs=0.05)
    assert packets(tmp_path / f"out{suffix}")[1][-1] == pytest.approx(sound_s, abs=0.05)


@pytest.mark.parametrize(
    ("codec", "suffix"), [("aac", ".mp4"), ("aac", ".mkv"), ("pcm_s16le", ".mp4"), ("aac", ".webm"), ("aac", ".mov")]
)
def test_a_part_is_cut_at_both_ends_and_stays_in_step(tmp_path, codec, suffix):
    source = make_input(tmp_path / "in.mkv", codec, sound_s=4.0)
    write(source, tmp_path / f"out{suffix}", seconds=1.0, start_s=0.3, cut=True)
    times = packets(tmp_path / f"out{suffix}")[1]
    assert -0.03 < times[0] < 0.045  # two packets: a decoder swallows the first
    assert times[-1] == pytest.approx(1.0, abs=0.03)
    assert loudness_begins(tmp_path / f"out{suffix}") == pytest.approx(0.2, abs=0.03)


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="makes its input with ffmpeg")
@pytest.mark.parametrize(
    ("codec", "source", "suffix", "kept"),
    [
        ("subrip", "in.mkv", ".mkv", True),
        ("subrip", "in.mkv", ".mp4", False),
        ("mov_text", "in.mp4", ".mp4", True),
        ("mov_text", "in.mp4", ".mkv", False),
        ("mov_text", "in.mp4", ".mov", True),
        ("webvtt", "in.webm", ".webm", True),
        ("subrip", "in.mkv", ".webm", False),
    ],
)
def test_subtitles_are_copied_or_it_is_said_that_they_are_not(tmp_path, codec, source, suffix, kept):
    plain = make_input(tmp_path / "plain.mkv", "aac")
    (tmp_path / "s.srt").write_text(SRT)
    coding = ["-c", "copy"] if not source.endswith("webm") else ["-c:v", "libvpx-vp9", "-c:a", "libopus"]
    command = ["ffmpeg", "-v", "error", "-i", plain, "-i", tmp_path / "s.srt", "-map", "0", "-map", "1", *coding]
    subprocess.run([*command, "-c:s", codec, tmp_path / source], check=True)
    writer = write(tmp_path / source, tmp_path / f"out{suffix}")
    with av.open(str(tmp_path / f"out{suffix}")) as container:
        assert len(container.streams.subtitles) == kept
    if kept:
        data, times = packets(tmp_path / f"out{suffix}", "subtitles")
        texts = b"".join(data)
        assert b"Hello" in texts
        assert b"World" in texts
        shown = [time for time, text in zip(times, data, strict=True) if b"lo" in text or b"Wo" in text]
        # ffmpeg moves all of a WebM by the 7 ms that Opus begins before 0.
        assert shown == pytest.approx([0.2, 1.0] if suffix != ".webm" else [0.207, 1.007], abs=1e-6)
    else:
        assert f"its subtitles ({codec}) were left out" in " ".join(writer.tracks.notices)


def test_a_file_without_sound_gets_none(tmp_path):
    source = make_input(tmp_path / "in.mkv", tracks=0)
    writer = write(source, tmp_path / "out.mp4")
    assert writer.tracks.sound_ends_s == []


def test_lost_sound_does_not_pass_the_check(tmp_path):
    source = make_input(tmp_path / "in.mkv")
    writer = write(source, tmp_path / "out.mp4")
    with pytest.raises(ExportError, match="has sound up to"):
        check_video(
            tmp_path / "out.mp4",
            "x",
            writer.timeline.frames,
            writer.timeline.first_s,
            writer.timeline.last_s,
            [1.0, 2.0],
        )


def test_a_damaged_input_is_an_error_with_a_way_out(tmp_path):
    (tmp_path / "in.mkv").write_bytes(b"nothing")
    with pytest.raises(ExportError, match="--no-audio"):
        VideoWriter(tmp_path / "o.mp4", "o.mp4", ".mp4", (64, 48), Fraction(25), tmp_path / "in.mkv")


def onsets(path):
    """Times at which the sound of a file becomes loud after a quarter of a second of silence, in seconds."""
    found, quiet_since = [], 0.0
    with av.open(str(path)) as container:
        for frame in container.decode(audio=0):
            loud = np.flatnonzero(np.abs(frame.to_ndarray()[0]) > 0.1)
            if loud.size:
                if frame.time + loud[0] / RATE - quiet_since > 0.25:
                    found.append(frame.time + loud[0] / RATE)
                quiet_since = frame.time + loud[-1] / RATE
    return found


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".webm"])
def test_sound_of_joined_broadcast_recordings_goes_on_with_the_pictures(tmp_path, suffix):
    """Three recordings one behind the other, each with a clock that begins at the same time, each loud from 0.5 s."""
    part = make_input(tmp_path / "part.ts").read_bytes()
    (tmp_path / "in.ts").write_bytes(part * 3)
    expected = [frame.timestamp_s for frame in frames_of(tmp_path / "in.ts")]
    assert expected == pytest.approx([expected[0] + number / 25 for number in range(150)], abs=1e-6)
    write(tmp_path / "in.ts", tmp_path / f"out{suffix}", 6.0)
    assert onsets(tmp_path / f"out{suffix}") == pytest.approx([0.5, 2.5, 4.5], abs=0.05)
    assert packets(tmp_path / f"out{suffix}")[1][-1] == pytest.approx(6.0, abs=0.1)


@pytest.mark.parametrize(("start_s", "found"), [(0.0, [0.5, 2.5, 4.5]), (2.2, [0.3, 2.3]), (4.1, [0.4])])
def test_a_part_of_joined_broadcast_recordings(tmp_path, start_s, found):
    part = make_input(tmp_path / "part.ts").read_bytes()
    (tmp_path / "in.ts").write_bytes(part * 3)
    write(tmp_path / "in.ts", tmp_path / "out.mkv", 6.0 - start_s, start_s, cut=True)
    assert onsets(tmp_path / "out.mkv") == pytest.approx(found, abs=0.05)


def test_a_file_without_a_jump_has_one_clock(tmp_path):
    for suffix in (".mkv", ".mp4", ".ts"):
        path = make_input(tmp_path / f"in{suffix}", frames=4)
        with av.open(str(path)) as container:
            assert clock_origins_s(path) == [container.start_time / 1e6 if suffix == ".ts" else 0.0]


def frames_of(path):
    source = VideoSource(path)
    source.open()
    frames = list(iter(source.read, None))
    source.close()
    return frames
