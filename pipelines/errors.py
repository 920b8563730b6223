"""Failures that a person reads. Each carries one sentence that names the thing and the cause."""

from models.errors import VisionError


class SourceError(VisionError):
    """A camera, file, folder or stream cannot be opened or read."""


class BackendError(VisionError):
    """A runtime or device is missing, refuses a model, or failed while running."""


class ExportError(VisionError):
    """A result cannot be written."""


class ConfigError(VisionError):
    """An option has a value that cannot be used."""
