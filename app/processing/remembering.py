"""What the window "Process files" begins with, and what the settings keep of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from app.processing.options import ProcessOptions, from_record, to_record
from app.settings import Settings
from pipelines.errors import ConfigError

REMEMBERED: Final = ("folder", "video", "format", "crf", "sound", "results", "layers", "replace")
"""Options that the settings keep. Tasks, models and effect are at first those of the live picture."""


def options_from(settings: Settings) -> ProcessOptions:
    """Return what is wanted of files at first: what was chosen last time, and the tasks of the live picture."""
    try:
        options = from_record(settings.processing)
        if options.problem():
            options = ProcessOptions()
    except (ConfigError, KeyError):
        options = ProcessOptions()  # settings outlive versions
    person = "segmentation" in settings.tasks
    options = replace(
        options,
        tasks=settings.tasks,
        pipeline=settings.pipeline,
        models=dict(settings.models),
        max_faces=settings.max_faces,
        smooth=settings.smooth,
        style=dict(settings.style),
        effect=settings.effect if person else "none",
    )
    return replace(options, layers=options.possible_layers())


def remembered(options: ProcessOptions) -> dict[str, Any]:
    """Return what the settings keep of the options."""
    record = to_record(options)
    return {name: list(value) if isinstance(value := record[name], tuple) else value for name in REMEMBERED}
