"""The test card: seven bars, a grey scale, and the source's icon on a disc."""

import pytest
from PySide6.QtGui import QColor

from app.test_card import BARS, draw_test_card
from app.widgets.empty_state import EmptyState


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_bars_and_greys_at_any_scale(qapp, scale):
    card = draw_test_card(256, "camera", scale)
    assert (card.width(), card.height()) == (256 * scale, 144 * scale)
    image = card.toImage()
    y = image.height() // 10
    found = [image.pixelColor(round((n + 0.5) * image.width() / 7), y).name() for n in range(7)]
    assert found == list(BARS)
    greys = [image.pixelColor(round((n + 0.5) * image.width() / 11), round(image.height() * 0.9)) for n in range(11)]
    assert [grey.red() for grey in greys] == pytest.approx([25.5 * n for n in range(11)], abs=0.6)
    assert all(grey.red() == grey.green() == grey.blue() for grey in greys)
    assert image.pixelColor(image.width() // 2, round(image.height() * 0.3)) == QColor("#16191f")
    assert image.pixelColor(0, 0).alpha() == 0


def test_it_stands_in_for_a_live_source_only(qtbot, theme):
    empty = EmptyState(theme)
    qtbot.addWidget(empty)

    def size():
        drawn = empty._drawing.pixmap()
        return drawn.width() / drawn.height()

    empty.opening("A camera", "camera", live=True)
    assert size() == pytest.approx(16 / 9)
    empty.opening("clip.mp4")
    assert size() == 1.0
    empty.opening("A camera", "camera", live=True)
    empty.no_camera()
    assert size() == 1.0
