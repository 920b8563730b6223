"""Sentences from below the window in its language, and the words that are drawn on the picture."""

import re
import string

import pytest

from app.changeover import changeover_of
from app.i18n import noop
from app.i18n.families import _FAMILIES, full_stop, sentence_words
from app.i18n.language import has_letters, language_of
from app.notifications import ENDS, Notice, sentence_of
from app.settings import Settings
from models.errors import VisionError
from pipelines.atomic import write_file
from pipelines.backends.select import no_backend
from pipelines.sources import SourceOptions, make_source
from pipelines.sources.camera import CameraSource
from tests.app.window_fakes import CPU, NO_GPU, FakeInventory
from tests.pipelines.sources.mjpeg_server import Plan, serving


@pytest.fixture
def chinese(qapp):
    """The program in Traditional Chinese."""
    language = language_of(qapp)
    if not has_letters("zh_TW"):
        pytest.skip("no Chinese font is installed")
    language.choose("zh_TW")
    changeover_of(qapp).finish()
    yield language
    language.choose("en")
    changeover_of(qapp).finish()


def filled(template):
    """A sentence of a family, with something in each of its gaps."""
    names = [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]
    return template.format(**{name: f"X{name}" for name in names})


@pytest.mark.parametrize("template", _FAMILIES)
def test_english_stays_word_for_word(qapp, template):
    language_of(qapp)
    assert sentence_words(filled(template)) == filled(template)


@pytest.mark.parametrize("template", _FAMILIES)
def test_every_family_is_told_from_the_others(chinese, template):
    said = sentence_words(filled(template))
    assert said != filled(template)
    # Another family would have put the fixed words of this one into a gap of its own.
    left = said
    for _, name, _, _ in string.Formatter().parse(template):
        left = left.replace(f"X{name}", "") if name else left
    words = set(left.replace("(", " ").replace(")", " ").split())
    assert not {word for word in words if word.isascii() and word.isalpha() and word.islower()} - {"fps", "onnxruntime"}


def causes(folder):
    """What goes wrong most often, each by the code that finds out."""
    (folder / "empty.mp4").write_bytes(b"")
    (folder / "text.png").write_text("no picture")
    (folder / "noise.mp4").write_bytes(bytes(range(256)) * 40)
    (folder / "nothing").mkdir()
    yield from (make_source(str(folder / name)).open for name in ("missing.mp4", "empty.mp4", "text.png", "noise.mp4"))
    yield make_source(str(folder / "nothing")).open
    yield CameraSource("camera", SourceOptions(), lister=lambda: ()).open
    yield make_source("http://127.0.0.1:9/cam").open
    yield lambda: write_file(folder / "no" / "such" / "a.png", b"x")

    def no_gpu():
        raise no_backend("gpu", {"ort-webgpu": "no GPU: the Vulkan loader found no driver for one"})

    yield no_gpu


def test_what_goes_wrong_most_often_is_said_in_chinese(chinese, tmp_path):
    for cause in causes(tmp_path):
        with pytest.raises(VisionError) as caught:
            cause()
        assert sentence_words(str(caught.value)) != str(caught.value)
        assert sentence_of(str(caught.value))[-1] in ENDS


def test_a_login_is_asked_for_without_the_form_of_the_command_line(qapp):
    language_of(qapp)
    with serving(Plan(user="me:pw")) as host, pytest.raises(VisionError) as caught:
        make_source(f"http://{host}/cam").open()
    assert sentence_of(str(caught.value)) == f"http://{host}/cam wants a user name and password."


def test_a_sentence_within_another_keeps_its_full_stop(chinese):
    assert sentence_words("clip sends no video. Trying again…") == "clip 沒有傳送影像。正在重試…"
    assert sentence_of("Not changed: something new") == "未變更\N{FULLWIDTH COLON}something new."


def test_the_legend_of_depth_speaks_the_language(bench, chinese):
    one = bench().play()
    assert one.engine.style.legend == ("far", "near")  # "system" is English here
    one.act("language_zh_TW")
    assert one.engine.style.legend == ("遠", "近")
    one.act("language_en")
    assert one.engine.style.legend == ("far", "near")


def test_what_is_put_together_ends_with_one_full_stop(chinese, bench):
    one = bench(Settings(language="zh_TW"), inventory=FakeInventory(backends=(CPU, NO_GPU))).play()
    one.act("compare")
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert re.search("沒有可以比較的對象.*此處沒有其他可用的後端。$", one.window.message_bar.text)
    one.act("gpu")
    one.qtbot.waitUntil(lambda: "GPU" in one.window.message_bar.text)
    assert re.search("[^。.]。$", one.window.message_bar.text)


def test_what_is_shown_follows_the_language(bench):
    if not has_letters("zh_TW"):
        pytest.skip("no Chinese font is installed")
    one = bench(inventory=FakeInventory(backends=(CPU, NO_GPU))).play("/videos/clip.mp4")
    one.notifications.post(Notice("as it is", "Said by nobody we know."))
    one.act("gpu")
    one.act("gpu")
    one.engine.fail("clip.mp4 is empty (0 bytes)")
    one.notifications.post_error("own", ValueError("one"), noop("Try again"))
    one.qtbot.waitUntil(lambda: len(one.notifications.notices) == 4)
    english = one.notifications.notices
    bar = one.window.message_bar
    one.act("language_zh_TW")
    by_key = {notice.key: notice for notice in one.notifications.notices}
    assert tuple(by_key) == tuple(notice.key for notice in english)
    assert by_key["source"].text.startswith("Clip.mp4 是空的")
    assert by_key["source"].action == by_key["own"].action == "再試一次"
    assert by_key["pipeline"].text.startswith("此處無法使用 GPU")
    assert by_key["pipeline"].count == 2
    assert by_key["as it is"].text == "Said by nobody we know."
    assert bar.text == by_key[english[-1].key].text != english[-1].text
    assert bar.action_button.text() == "再試一次"
    one.act("language_en")
    texts = [(notice.text, notice.action, notice.count) for notice in english]
    assert [(notice.text, notice.action, notice.count) for notice in one.notifications.notices] == texts
    assert bar.text == english[-1].text


def test_verdicts_of_a_benchmark_are_translated(chinese):
    for verdict in (
        "depth_v2: ort-webgpu is the fastest here: 4.0x as fast as ort-cpu",
        "face_mesh: CPU is the fastest here: 2.5x as fast as ort-webgpu",
        "face_mesh: ort-cpu and litert-cpu are equally fast here",
        "ok",
    ):
        assert "fast" not in sentence_words(verdict)
        assert sentence_words(verdict) != verdict
        assert full_stop(sentence_words(verdict)) == "\N{IDEOGRAPHIC FULL STOP}"
