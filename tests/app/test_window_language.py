"""The window in three languages: nothing untranslated, nothing out of date, switched while it runs."""

import ast
import re
import string
import subprocess
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QLocale
from PySide6.QtGui import QAction, QImage, QPainter
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QWidget

from app.changeover import changeover_of
from app.i18n import tr
from app.i18n.language import LANGUAGES, has_letters, language_of, system_language
from app.qimage import to_bgr
from app.settings import LANGUAGES as CHOICES
from app.theme import Type, font
from tests.app.window_fakes import NO_GPU
from tools.translations import FOLDER, compile_all, tool, update

CHINESE = ("zh_TW", "zh_CN")
SOURCES = [path for path in (FOLDER.parent).rglob("*.py") if not {"cli", "i18n"} & set(path.parts)]


def messages(path):
    """What stands in a .ts file: texts, and for each its translations."""
    found = {}
    for message in ET.parse(path).iter("message"):
        translation = message.find("translation")
        assert translation.get("type") is None, f"{path.name}: {message.find('source').text!r} is not translated"
        forms = [form.text for form in translation.iter("numerusform")] or [translation.text]
        found[message.find("source").text, message.findtext("comment", "")] = forms
    return found


def placeholders(text):
    names = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
    return sorted(names), text.count("%n")


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_is_translated_with_all_that_is_put_into_it(code):
    found = messages(FOLDER / f"twinlens_{code}.ts")
    assert found
    for (source, _), forms in found.items():
        for form in forms:
            assert form, source
            assert placeholders(form) == placeholders(source), source
            assert source.endswith("…") == form.endswith("…"), source
            assert form == form.strip() or source != source.strip(), source


@pytest.mark.parametrize("code", CHINESE)
def test_the_chinese_texts_are_chinese(code):
    """Letters that only the other script writes are a sign of a text in the wrong file."""
    other = {"zh_TW": "体图后时间开关闭来车录处设视频测", "zh_CN": "體圖後時間開關閉來車錄處設視頻測"}[code]
    text = "".join(form for forms in messages(FOLDER / f"twinlens_{code}.ts").values() for form in forms)
    text = text.replace(LANGUAGES["zh_CN"], "").replace(LANGUAGES["zh_TW"], "")
    assert not set(other) & set(text)


def test_the_files_hold_the_texts_of_the_code(tmp_path):
    for path in FOLDER.glob("*.ts"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    update(tmp_path)
    for path in FOLDER.glob("*.ts"):
        assert set(messages(tmp_path / path.name)) == set(messages(path)), "run tools/translations.py"


def test_what_is_loaded_is_made_of_what_is_translated(tmp_path):
    for path in FOLDER.glob("*.ts"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    compile_all(tmp_path)
    for code in LANGUAGES:
        name = f"twinlens_{code}.qm"
        assert (FOLDER / name).read_bytes() == (tmp_path / name).read_bytes(), "run tools/translations.py"


SHOWING = {
    *("setText", "setToolTip", "setAccessibleName", "setAccessibleDescription", "setWindowTitle", "setPlaceholderText"),
    *("QLabel", "QPushButton", "QCheckBox", "QRadioButton", "QGroupBox", "addTab", "show_text", "QFileDialog"),
    *("addAction", "addMenu", "setTitle", "setHeaderLabels", "Notice"),
}
"""Calls whose arguments a person reads."""


def is_words(node):
    """Whether an argument is a text of words, or puts one together, without asking for its translation."""
    if isinstance(node, ast.JoinedStr):
        return any(is_words(part) for part in node.values)
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(re.search("[A-Za-z]{3}", node.value))


ALIKE = {"Twinlens", "PNG", "rtsp://", "ONNX Runtime"}
"""Names, the same in every language."""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(FOLDER.parent)))
def test_no_text_is_shown_without_its_translation(path):
    bare = []
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        name = getattr(getattr(call, "func", None), "attr", getattr(getattr(call, "func", None), "id", ""))
        if isinstance(call, ast.Call) and name in SHOWING:
            # The first argument of a notice says what it is about, to the program.
            arguments = call.args[1:] if name == "Notice" else call.args
            bare += [f"line {node.lineno}: {ast.unparse(node)}" for node in arguments if is_words(node)]
    bare = [text for text in bare if not any(name in text for name in ALIKE)]
    assert not bare


def test_every_text_that_is_asked_for_was_found():
    """The tool overlooks what stands within an f-string."""
    known = {source for source, _ in messages(FOLDER / "twinlens_zh_TW.ts")}
    for path in SOURCES:
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "tr":
                text = call.args[0]
                assert not isinstance(text, ast.Constant) or text.value in known, f"{path.name}: {text.value!r}"


# -- choosing


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (["zh-Hant-TW"], "zh_TW"),
        (["zh_TW"], "zh_TW"),
        (["zh-HK", "en-GB"], "zh_TW"),
        (["zh-Hans-CN"], "zh_CN"),
        (["zh_CN.UTF-8".partition(".")[0]], "zh_CN"),
        (["zh-Hans-HK"], "zh_CN"),
        (["zh"], "zh_CN"),
        (["de-DE", "zh-TW"], "zh_TW"),
        (["en-US", "zh-TW"], "en"),
        (["de-DE"], "en"),
        ([], "en"),
    ],
)
def test_the_language_of_the_system(wanted, code):
    assert system_language(wanted) == code


def test_the_settings_know_every_language():
    assert ("system", *LANGUAGES) == CHOICES
    assert system_language() == system_language(QLocale.system().uiLanguages())


def texts(window):
    """Everything that stands in a window, by the kind of the part."""
    found = {"title": window.windowTitle()}
    for number, thing in enumerate(window.findChildren(QAction)):
        found["action", number] = (thing.text(), thing.toolTip())
    for number, thing in enumerate(window.findChildren(QWidget)):
        found["widget", number] = (thing.toolTip(), thing.accessibleName(), thing.accessibleDescription())
        if isinstance(thing, QLabel | QAbstractButton):
            found["text", number] = thing.text()
        elif isinstance(thing, QComboBox):
            found["items", number] = [thing.itemText(index) for index in range(thing.count())]
    return found


@pytest.fixture
def english(qapp):
    yield language_of(qapp)
    language_of(qapp).choose("en")
    changeover_of(qapp).finish()


@pytest.mark.parametrize("code", CHINESE)
def test_the_language_is_switched_while_the_window_runs(bench, english, code):
    if not has_letters(code):
        pytest.skip("no font with Chinese letters")
    one = bench().play()
    window = one.window
    before = texts(window)
    one.act(f"language_{code}")
    assert one.settings.language == code
    assert window.actions_by_id["screenshot"].text() == {"zh_TW": "儲存截圖", "zh_CN": "保存截图"}[code]
    assert window.actions_by_id["screenshot"].toolTip().endswith("(S)")
    assert window.panel.cards["face"].switch.text() == {"zh_TW": "臉部", "zh_CN": "脸部"}[code]
    assert window.top_bar.start.text() == "停止"
    assert window.panel.styles["face"].itemText(0) == {"zh_TW": "輪廓", "zh_CN": "轮廓"}[code]
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    after = texts(window)
    known = {"Test processor", NO_GPU.reason}
    left = [text for text in _flat(after) if text in set(_flat(before)) and re.search("[a-z]{3} [a-z]{2}", text)]
    left = [text for text in left if text not in known and "pip install" not in text]
    assert not left, "still English"
    one.act("language_en")
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert texts(window) == before
    window.resize(900, 600)
    inside = window.panel.widget()
    one.qtbot.waitUntil(lambda: inside.height() >= inside.minimumSizeHint().height())


def _flat(found):
    for value in found.values():
        yield from [value] if isinstance(value, str) else value


def test_a_window_begins_in_the_language_that_was_chosen(bench, english):
    if not has_letters("zh_TW"):
        pytest.skip("no font with Chinese letters")
    from app.settings import Settings

    window = bench(Settings(language="zh_TW")).window
    assert window.actions_by_id["language_zh_TW"].isChecked()
    assert window.menuBar().actions()[0].text() == "檔案(&F)"
    assert window.empty.demo_button.text() == "播放示範"


@pytest.mark.parametrize("code", CHINESE)
def test_a_window_that_began_in_chinese_becomes_english(bench, english, code):
    """Two English texts may have one translation, such as "File" and "file"."""
    if not has_letters(code):
        pytest.skip("no font with Chinese letters")
    from app.settings import Settings

    other = bench(Settings(language="en")).window
    wanted = texts(other)
    one = bench(Settings(language=code))
    for word in ("file", "pictures", "camera", "effect"):
        tr(word)
    one.act("language_en")
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    found = texts(one.window)
    assert {key: text for key, text in found.items() if text != wanted[key]} == {}


def test_numbers_have_their_plural(qapp, english):
    english.choose("en")
    assert tr("%n picture(s)", "", 1) == "1 picture"
    assert tr("%n picture(s)", "", 2) == "2 pictures"
    if has_letters("zh_TW"):
        english.choose("zh_TW")
        assert tr("%n picture(s)", "", 2) == "2 張圖片"


def drawn(text):
    image = QImage(64, 64, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    which = font(Type.TITLE)
    painter.setFont(which)
    painter.setPen("#ffffff")
    painter.drawText(4, 48, text)
    painter.end()
    return to_bgr(image)


@pytest.mark.parametrize(("code", "letters"), [("zh_TW", "臉體遮"), ("zh_CN", "脸体遮")])
def test_chinese_letters_are_drawn(qapp, code, letters):
    """Different letters look different; boxes in their place would all be alike."""
    if not has_letters(code):
        pytest.skip("no font with Chinese letters")
    pictures = [drawn(letter) for letter in letters]
    assert all(picture.std() > 10 for picture in pictures)
    for first, second in pairwise(pictures):
        assert not np.array_equal(first, second)


def test_the_tools_come_with_pyside():
    for name in ("lupdate", "lrelease"):
        done = subprocess.run([tool(name), "-version"], capture_output=True, text=True, check=True)
        assert "version" in done.stdout


def test_the_folder_is_part_of_the_package():
    assert {path.suffix for path in Path(FOLDER).iterdir() if "twinlens" in path.name} == {".ts", ".qm"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(FOLDER.parent)))
def test_what_is_put_into_a_text_is_what_it_has_room_for(path):
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "format"):
            continue
        inner = call.func.value
        if not (isinstance(inner, ast.Call) and getattr(inner.func, "id", "") == "tr"):
            continue
        text, given = inner.args[0], {keyword.arg for keyword in call.keywords}
        if isinstance(text, ast.Constant) and None not in given:
            assert given == set(placeholders(text.value)[0]), f"line {call.lineno}"


def test_who_is_told_of_a_change_may_ask_for_another_language(qapp):
    """Two windows that want different languages must not call each other for ever."""
    language = language_of(qapp)
    before = language.code
    told = []

    def insist():
        told.append(language.code)
        language.choose("en" if language.code != "en" else "zh_TW")

    language.changed.connect(insist)
    try:
        language.choose("zh_TW" if before == "en" else "en")
        assert told == [language.code] != [before]
    finally:
        language.changed.disconnect(insist)
        language.choose(before)
