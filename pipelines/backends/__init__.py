"""Runtimes on devices. The only room that imports onnxruntime or LiteRT."""

from pipelines.backends.base import BACKENDS, Availability, Backend, Kind, Session, SessionReport, Tensors
from pipelines.backends.select import REFERENCE, available_backends, backend_ids, get_backend, resolve

__all__ = [
    "BACKENDS",
    "REFERENCE",
    "Availability",
    "Backend",
    "Kind",
    "Session",
    "SessionReport",
    "Tensors",
    "available_backends",
    "backend_ids",
    "get_backend",
    "resolve",
]
