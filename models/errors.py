"""Failures that a person reads. Each message is one sentence that names the thing and the cause."""


class VisionError(Exception):
    """Something the user can be told about; `str(error)` is one sentence for the user."""


class ModelError(VisionError):
    """A model is unknown, incomplete, damaged, or not what its manifest says."""
