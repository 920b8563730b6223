"""Runtimes on devices. The only room that imports onnxruntime or LiteRT."""

from pipelines.backends.base import BACKENDS, Availability, Backend, Kind, Session, SessionReport, Tensors
from pipelines.backends.select import available_backends, get_backend, resolve

__all__ = [
    "BACKENDS",
    "Availability",
    "Backend",
    "Kind",
    "Session",
    "SessionReport",
    "Tensors",
    "available_backends",
    "get_backend",
    "resolve",
]
