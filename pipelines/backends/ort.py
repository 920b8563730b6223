"""What the ONNX Runtime backends share: options, sessions, errors in words, placement read back from the runtime."""

from __future__ import annotations

import contextlib
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as native

from models.manifest import Manifest
from pipelines.backends.base import SessionReport, Tensors
from pipelines.backends.words import one_line
from pipelines.errors import BackendError

Attach = Callable[[ort.SessionOptions], Sequence[Any]]
CPU_PROVIDER: Final = "CPUExecutionProvider"
RUNTIME_ERRORS: Final[tuple[type[Exception], ...]] = (
    RuntimeError,
    ValueError,
    *(item for item in vars(native).values() if isinstance(item, type) and issubclass(item, Exception)),
)
"""What ONNX Runtime raises: its own exceptions are children of `Exception` and of nothing narrower."""
_NO_FALLBACK: Final = "session.disable_cpu_ep_fallback"
_STATUS: Final = re.compile(r"\[ONNXRuntimeError\] : \d+ : \w+ : ")
_PLACE: Final = re.compile(r"^\S+\.(?:cc|h):\d+ .*?(?:was false\. ?|failed\. ?|(?<=\)) (?=[A-Z]))")


class NamedDevice:
    """A device of ONNX Runtime that prints as its name."""

    def __init__(self, device: ort.OrtEpDevice) -> None:
        self.device = device

    def __str__(self) -> str:
        hardware = self.device.device
        described = hardware.metadata.get("Description") or hardware.metadata.get("name")
        kind = hardware.type.name
        return described or f"{hardware.vendor or self.device.ep_vendor} {kind} {hardware.device_id:#06x}"

    @property
    def integrated(self) -> bool:
        """Part of the processor, as far as the system tells."""
        return bool(self.device.device.metadata.get("Discrete") == "0")


def sentence(error: BaseException) -> str:
    """Return the part of a runtime's message that a person can use, as one line.

    A message is a chain of statuses, the innermost last, each with a place in the source code, the name of a C++
    function and often the condition that was not met.
    """
    innermost = _STATUS.split(" ".join(str(error).split()))[-1]
    return one_line(_PLACE.sub("", innermost)) or type(error).__name__


def session_options(threads: int) -> ort.SessionOptions:
    """Options shared by the ONNX Runtime backends.

    Spinning is off: idle threads that spin keep a core at 100 % (docs/performance.md), and with two sessions on two
    cores they are several times slower than threads that sleep.
    """
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    # 4 = fatal only: what goes wrong is raised as well, and is told once, in our words.
    options.log_severity_level = 4
    return options


_profile: Final[ContextVar[Path | None]] = ContextVar("profile", default=None)


@contextlib.contextmanager
def profiling_to(prefix: Path) -> Iterator[None]:
    """Let the sessions that are opened inside write a profile to a file whose name starts with `prefix`.

    It is complete after `OrtSession.end_profile`.
    """
    token = _profile.set(prefix)
    try:
        yield
    finally:
        _profile.reset(token)


def _profiled(options: ort.SessionOptions) -> ort.SessionOptions:
    prefix = _profile.get()
    if prefix is not None:
        options.enable_profiling = True
        options.profile_file_prefix = str(prefix)
    return options


def read_placement(session: ort.InferenceSession) -> tuple[dict[str, int], dict[str, int]]:
    """Where the runtime put the graph's nodes.

    Returns
    -------
    placement : dict of str to int
        Number of nodes on each execution provider.
    on_cpu : dict of str to int
        Operators that the CPU provider runs, with their number.
    """
    placement: dict[str, int] = {}
    on_cpu: dict[str, int] = {}
    for subgraph in session.get_provider_graph_assignment_info():
        nodes = subgraph.get_nodes()
        placement[subgraph.ep_name] = placement.get(subgraph.ep_name, 0) + len(nodes)
        if subgraph.ep_name == CPU_PROVIDER:
            for node in nodes:
                on_cpu[node.op_type] = on_cpu.get(node.op_type, 0) + 1
    return placement, on_cpu


def count_crossings(data: bytes, attach: Attach, threads: int) -> int | None:
    """How many tensors a split graph copies between devices in a run; None where the runtime cannot tell.

    ONNX Runtime inserts a node for each copy. They are not in its placement report, but in the graph that it writes
    on request, where a node's operator is a text field with a known tag. A provider that compiles its part cannot
    write it.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "placed.onnx"
        options = session_options(threads)
        options.optimized_model_filepath = str(path)
        try:
            ort.InferenceSession(data, options, providers=list(attach(options)) or None)
            written = path.read_bytes()
        except RUNTIME_ERRORS:
            return None
        except OSError:
            return None  # no room for the file: the count is not worth a failure
    return sum(written.count(b"\x22" + bytes([len(name)]) + name) for name in (b"MemcpyFromHost", b"MemcpyToHost"))


class OrtSession:
    """One model in ONNX Runtime (see `Session`)."""

    def __init__(self, session: ort.InferenceSession, manifest: Manifest, report: SessionReport) -> None:
        self.report = report
        self._session: ort.InferenceSession | None = session
        self._outputs = [spec.name for spec in manifest.outputs]

    def run(self, image: NDArray[np.uint8]) -> Tensors:
        if self._session is None:
            raise BackendError(f"{self.report.model} on {self.report.backend} was closed")
        try:
            values = self._session.run(self._outputs, {"image": image})
        except RUNTIME_ERRORS as error:
            raise BackendError(f"{self.report.model} failed on {self.report.backend}: {sentence(error)}") from error
        return dict(zip(self._outputs, values, strict=True))

    def end_profile(self) -> Path:
        """Complete the profile of a session that was opened inside `profiling_to`, and return its file.

        Raises
        ------
        BackendError
            If the session keeps none.
        """
        written = self._session.end_profiling() if self._session is not None else ""
        if not written:
            raise BackendError(f"{self.report.model} on {self.report.backend} keeps no profile")
        return Path(written)

    def close(self) -> None:
        self._session = None


def create_session(data: bytes, attach: Attach, provider: str, threads: int) -> ort.InferenceSession:
    """Create a session on one provider and nothing else, if the provider takes the whole graph.

    Parameters
    ----------
    data : bytes
        The ONNX file.
    attach : callable
        Attaches devices to the options, or returns the list of providers to ask for.
    provider : str
        Name of the execution provider that has to come up.
    threads : int
        Threads for nodes on the CPU.

    Raises
    ------
    BackendError
        If the session came up on another provider than asked, or with no node on it.
    Exception
        One of `RUNTIME_ERRORS` if the runtime refuses the model.
    """
    session = None
    if provider != CPU_PROVIDER:
        # Alone first. Where the provider lacks an operator the runtime refuses, and only then the CPU may help out;
        # the split is in the session's report.
        options = _profiled(session_options(threads))
        options.add_session_config_entry(_NO_FALLBACK, "1")
        try:
            session = ort.InferenceSession(data, options, providers=list(attach(options)) or None)
        except RUNTIME_ERRORS as error:
            if "fallback to CPU EP has been explicitly disabled" not in str(error):
                raise
    if session is None:
        options = _profiled(session_options(threads))
        session = ort.InferenceSession(data, options, providers=list(attach(options)) or None)
    actual = session.get_providers()
    if actual[0] != provider:
        raise BackendError(f"{provider} was asked for and the session came up on {actual[0]}")
    if not read_placement(session)[0].get(provider):
        raise BackendError(f"{provider} took none of the graph's nodes")
    return session


def open_model(
    manifest: Manifest,
    variant: str,
    backend_id: str,
    provider: str,
    attach: Attach,
    device: str,
    threads: int,
    software: bool = False,
) -> OrtSession:
    """Load one file of a model on one provider and run it once on zeros.

    Raises
    ------
    ModelError
        If the file is missing or damaged.
    BackendError
        If the runtime refuses it, or came up on another provider than asked.
    """
    start = time.perf_counter()
    data = manifest.file(variant).read_verified()
    try:
        session = create_session(data, attach, provider, threads)
        session.run(None, {"image": np.zeros(manifest.input.shape, np.uint8)})
    except RUNTIME_ERRORS as error:
        raise BackendError(f"{manifest.name} does not load on {backend_id}: {sentence(error)}") from error
    placement, on_cpu = read_placement(session)
    split = len(placement) > 1
    report = SessionReport(
        model=manifest.name,
        backend=backend_id,
        variant=variant,
        device=device,
        precision="fp32",
        threads=threads,
        placement=placement,
        load_ms=(time.perf_counter() - start) * 1e3,
        software=software,
        on_cpu=on_cpu if provider != CPU_PROVIDER else {},
        crossings=count_crossings(data, attach, threads) if split else 0,
    )
    return OrtSession(session, manifest, report)
