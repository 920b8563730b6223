"""Another colour scheme or language comes in steps, under a veil, and leaves nothing as it was."""

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QGraphicsScene,
    QGraphicsView,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.changeover import Change, Veil, changeover_of
from app.colors import DARK, LIGHT
from app.i18n.language import language_of
from app.settings import Settings
from app.widgets.plot_picture import AFTER_MS, PlotPicture


@pytest.fixture
def changeover(qapp):
    """The one of the program; back in English and in the scheme of the system at the end."""
    one = changeover_of(qapp)
    yield one
    one.finish()


@pytest.fixture
def one(bench, changeover):
    made = bench().play()
    yield made
    made.controller.change(theme="system", language="en")
    changeover.finish()


def choose(one, **wishes):
    """Change settings; nothing is done about it before the event loop goes on."""
    one.controller.change(**wishes)


def ground_of(widget):
    return widget.grab().toImage().pixelColor(widget.width() - 3, widget.height() - 3).name()


def test_the_picture_goes_on_while_all_else_is_veiled(one, changeover):
    theme, window = one.window.theme, one.window
    before = theme.colors
    choose(one, theme="light" if theme.is_dark else "dark")
    assert theme.colors is before
    veiled = set()
    while changeover.is_going_on:
        QApplication.processEvents()
        assert window.view.updatesEnabled()
        assert window.updatesEnabled()
        veiled |= {part for part in (window.top_bar, window.strip) if not part.updatesEnabled()}
    assert veiled == {window.top_bar, window.strip}
    assert window.top_bar.updatesEnabled()
    assert window.strip.updatesEnabled()
    assert theme.colors is not before


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_part_has_the_colours_of_the_scheme(one, changeover, scheme):
    choose(one, theme="dark" if scheme == "light" else "light")
    changeover.finish()
    choose(one, theme=scheme)
    changeover.finish()
    colors = {"light": LIGHT, "dark": DARK}[scheme]
    window = one.window
    for part in (window.top_bar, window.strip, window.panel, window.menuBar()):
        assert ground_of(part) == colors.panel
    card = window.panel.cards["face"]
    assert card.grab().toImage().pixelColor(card.width() // 2, card.height() - 4).name() == colors.raised
    # What is not seen too.
    # Windows have no sheet of their own: what lies behind their parts comes from the palette.
    dialog = QDialog(window)
    assert ground_of(dialog) == colors.window
    assert not window.message_bar.isVisible()
    assert ground_of(window.message_bar) == colors.panel


def test_the_newest_of_several_wishes_holds(one, changeover):
    for name in ("light", "dark", "light"):
        choose(one, theme=name)
        QApplication.processEvents()
    choose(one, language="zh_TW")
    choose(one, language="zh_CN")
    one.qtbot.waitUntil(lambda: not changeover.is_going_on)
    assert one.window.theme.colors is LIGHT
    assert language_of(QApplication.instance()).code == "zh_CN"
    assert one.window.actions_by_id["quit"].text() == "退出"


def test_a_part_that_goes_meanwhile_is_left_out(one, changeover, qtbot):
    theme = one.window.theme
    card = QFrame()
    QVBoxLayout(card).addWidget(QLabel("gone soon"))
    theme.dress(card)
    with qtbot.waitExposed(card):
        card.show()
    choose(one, theme="light" if theme.is_dark else "dark", language="zh_TW")
    QApplication.processEvents()
    card.deleteLater()
    one.qtbot.waitUntil(lambda: not changeover.is_going_on)
    assert language_of(QApplication.instance()).code == "zh_TW"


def test_what_is_asked_for_meanwhile_is_done_too(qtbot, changeover, theme):
    widget = QWidget()
    qtbot.addWidget(widget)
    theme.dress(widget)
    with qtbot.waitExposed(widget):
        widget.show()
    done = []

    def first():
        done.append("first")
        changeover.ask("second", Change(second))
        yield
        done.append("rest")
        yield

    def second():
        done.append("second")
        yield

    changeover.ask("first", Change(first))
    assert not done
    qtbot.waitUntil(lambda: not changeover.is_going_on)
    assert done == ["first", "rest", "second"]


def test_a_chart_is_not_lost_under_the_veil(qtbot):
    scene = QGraphicsScene(0, 0, 80, 60)
    scene.setBackgroundBrush(QColor("#ff0000"))
    holder = QWidget()
    qtbot.addWidget(holder)
    chart = PlotPicture(QGraphicsView(scene), holder)
    chart.resize(120, 90)
    with qtbot.waitExposed(holder):
        holder.show()
    qtbot.waitUntil(lambda: not chart.is_stale)
    scene.setBackgroundBrush(QColor("#00ff00"))
    holder.setUpdatesEnabled(False)
    chart.redraw()
    qtbot.wait(4 * AFTER_MS)
    holder.setUpdatesEnabled(True)
    qtbot.waitUntil(lambda: not chart.is_stale)
    assert chart.grab().toImage().pixelColor(60, 45).name() == "#00ff00"


def test_what_was_seen_is_seen_until_the_new_is_ready(one, changeover):
    """Of every part but the picture; and nothing of it lies over the window afterwards."""
    theme, window = one.window.theme, one.window
    places = [part.mapTo(window, part.rect().center()) for part in (window.menuBar(), window.top_bar, window.panel)]

    def seen():
        image = window.grab().toImage()
        return [image.pixelColor(x, 3 + y).name() for x, y in ((place.x(), place.y()) for place in places)]

    def veils():
        return [veil for veil in window.findChildren(Veil) if veil.isVisible()]

    before = seen()
    choose(one, theme="light" if theme.is_dark else "dark", language="zh_TW")
    count = 0
    while changeover.is_going_on:
        QApplication.processEvents()
        count += bool(veils())
        assert not veils() or seen() == before
    assert count > 3
    one.qtbot.waitUntil(lambda: not window.findChildren(Veil))
    assert all(new != old for new, old in zip(seen(), before, strict=True))


def test_what_fails_leaves_no_veil(qtbot, changeover, theme):
    button = QPushButton("Press")
    qtbot.addWidget(button)
    theme.dress(button)
    with qtbot.waitExposed(button):
        button.show()

    def fails():
        yield
        raise ValueError("no such colour")

    with qtbot.captureExceptions() as caught:
        changeover.ask("colours", Change(fails))
        qtbot.waitUntil(lambda: not changeover.is_going_on)
    assert [str(error) for _, error, _ in caught] == ["no such colour"]
    assert button.updatesEnabled()


def test_a_window_begins_in_its_scheme_and_language(bench, changeover):
    """Where nothing is seen yet, nothing waits for a turn of the event loop."""
    other = bench(Settings(theme="light", language="zh_TW"))
    assert other.window.theme.colors is LIGHT
    assert other.window.actions_by_id["quit"].text() == "結束"
    assert not changeover.is_going_on
    other.controller.change(theme="system", language="en")
