"""Overlay style between the settings, which hold plain values, and the overlay, which wants its own types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import Enum
from typing import Any

from app.i18n import tr
from app.settings import Settings
from pipelines.errors import ConfigError
from pipelines.overlay.style import MaskStyle, OverlayStyle


def style_of(settings: Settings) -> OverlayStyle:
    """Return how results are drawn, in the language of the window; the mask is not drawn over an effect of its own."""
    style = replace(style_from(settings.style), legend=(tr("far"), tr("near")))
    return style if settings.effect == "none" else replace(style, mask=MaskStyle.OFF)


def style_from(values: Mapping[str, str | float | bool]) -> OverlayStyle:
    """Return the style that the settings describe.

    Parameters
    ----------
    values : mapping
        Fields of `OverlayStyle`; enums by their value. A field or value that this version does not know (settings
        outlive versions) is left at its default.
    """
    defaults = OverlayStyle()
    known: dict[str, Any] = {}
    for item in fields(OverlayStyle):
        default = getattr(defaults, item.name)
        value = values.get(item.name)
        if value is None:
            continue
        if isinstance(default, Enum):
            if value in {member.value for member in type(default)}:
                known[item.name] = type(default)(value)
        elif type(value) is type(default) or (isinstance(default, float) and type(value) is int):
            known[item.name] = value
    try:
        return OverlayStyle(**known)
    except ConfigError:
        return defaults
