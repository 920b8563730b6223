"""Trials of backends in child processes: does each model load there, and compute what the reference computes."""

from pipelines.qualify.trial import open_hosted, require, try_all, try_backend, untried

__all__ = ["open_hosted", "require", "try_all", "try_backend", "untried"]
