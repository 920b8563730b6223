"""Annotated video: coded as its suffix says, every frame at its own time.

OpenCV's VideoWriter is not used: it drops frames of another size or channel count without a word, knows one constant
rate only, and its wheels have no H.264 encoder.

Pictures are encoded in segments, each by an encoder that begins anew, so that a run can be continued behind any of
them and still give the same file. Their packets go to a log (`packets`) and, when all are there, into the container
(`join`).
"""

from __future__ import annotations

import threading
from fractions import Fraction
from pathlib import Path

import av
import av.error
import cv2
import numpy as np
from numpy.typing import NDArray

from pipelines.errors import ExportError
from pipelines.offline.encoder import Encoder, even_size, pad_to
from pipelines.offline.formats import DEFAULT_CRF, FORMATS, GIF
from pipelines.offline.join import Sound, Target, join
from pipelines.offline.packets import PacketLog, StoredPacket, read_packets
from pipelines.offline.timeline import Timeline
from pipelines.offline.tracks import Tracks, check_tracks
from pipelines.state import State, take_float, take_state

FALLBACK_RATE = Fraction(30)
"""Assumed where the source does not know its rate; decides the last frame's duration only."""
LOG_SUFFIX = ".packets"


class VideoWriter:
    """Encode pictures into a file.

    Parameters
    ----------
    path : Path
        File to write; its name does not decide the format. The log lies beside it.
    name : str
        What to call the file in messages: the name it will have when it is complete.
    suffix : str
        Of `pipelines.offline.formats.FORMATS`, in any case.
    size_wh : tuple of int
        Size of the pictures. Odd sizes are padded to even ones by repeating the last column or row, where the coding
        needs it.
    rate : Fraction or None
        Nominal rate of the source; the true times are those given to `write`.
    tracks_from : Path or None
        File whose sound and subtitles are brought over.
    start_s : float
        Time in that file that is time 0 here.
    crf : int
        Quality: 1 = best, 51 = worst. Without effect where the coding has no such scale.
    transparent : bool
        The pictures have an alpha channel.

    Raises
    ------
    ExportError
        If the suffix is unknown or nothing can be written there.
    ConfigError
        If the format holds no transparency and the pictures have it.

    Attributes
    ----------
    size_wh, coded_wh : tuple of int
        Size of the pictures as given, and as in the file.
    timeline : Timeline
        Number and times of the pictures.
    coverage : float or None
        Mean of the first picture's alpha channel, in [0, 1]; None where there is none.
    tracks : Tracks or None
        What became of the sound; None before `finish`, and where there is none.
    """

    def __init__(
        self,
        path: Path,
        name: str,
        suffix: str,
        size_wh: tuple[int, int],
        rate: Fraction | None,
        tracks_from: Path | None = None,
        start_s: float = 0.0,
        crf: int = DEFAULT_CRF,
        transparent: bool = False,
    ) -> None:
        self._suffix = suffix.lower()
        kind = FORMATS.get(self._suffix)
        if kind is None:
            raise ExportError(f"no video format has the suffix {suffix!r} (known: {', '.join(FORMATS)})")
        coding = kind.coding_for(transparent)
        rate = rate or FALLBACK_RATE
        self.size_wh = size_wh
        self.coded_wh = even_size(size_wh) if coding.even else size_wh
        self.coverage: float | None = None
        self.tracks: Tracks | None = None
        # A GIF knows delays only: its first picture is at 0.
        self.timeline = Timeline(kind.time_base, rate, kind.least_ticks, from_zero=coding is GIF)
        self._sound_from = tracks_from if kind.sound else None
        self._start_s = start_s
        if self._sound_from is not None:
            check_tracks(self._sound_from, self._suffix)
        self._target = Target(path, name, kind, coding, self.coded_wh, rate, crf, transparent)
        self._log_path = path.with_name(path.name + LOG_SUFFIX)
        try:
            self._encoder = Encoder(coding, self.coded_wh, rate, kind.time_base, crf, transparent)
        except av.error.FFmpegError as error:
            raise self._target.error(error) from error
        self._log = PacketLog(self._log_path, name)

    @property
    def duration_s(self) -> float:
        """From the start of the first picture to the end of the last one, in seconds; 0 before there is one."""
        return self.timeline.end_s - self.timeline.first_s if self.timeline.frames else 0.0

    def write(self, image: NDArray[np.uint8], time_s: float) -> None:
        """Append a picture.

        Parameters
        ----------
        image : ndarray of uint8, shape (H, W, 3), with transparency (H, W, 4)
            BGR or BGRA, of the size given at the start; another size is scaled to it, never dropped.
        time_s : float
            Presentation time, not negative (see `Timeline.place`).

        Raises
        ------
        ExportError
            If it cannot be encoded or written.
        """
        if (image.shape[1], image.shape[0]) != self.size_wh:
            image = np.asarray(cv2.resize(image, self.size_wh, interpolation=cv2.INTER_AREA), np.uint8)
        if self.coverage is None and image.shape[2] == 4:
            self.coverage = float(image[:, :, 3].mean()) / 255
        pts = self.timeline.place(time_s)
        if pts is None:
            return
        try:
            packets = self._encoder.encode(pad_to(image, self.coded_wh), pts)
        except av.error.FFmpegError as error:
            raise self._target.error(error) from error
        self._keep(packets)

    def _keep(self, packets: list[av.Packet]) -> None:
        for packet in packets:
            self._log.add(StoredPacket.of(packet))

    def end_segment(self) -> int:
        """Bring everything so far to the disk, so that another writer can go on behind it; return the log's length.

        Raises
        ------
        ExportError
            If it cannot be encoded or written.
        """
        try:
            packets = self._encoder.flush()
        except av.error.FFmpegError as error:
            raise self._target.error(error) from error
        self._keep(packets)
        return self._log.sync()

    def state(self) -> State:
        """Return what another writer needs, beside the log, to go on behind the last segment (`pipelines.state`)."""
        return {"size_wh": self.size_wh, "timeline": self.timeline.state(), "coverage": self.coverage}

    def restore(self, state: State) -> None:
        """Go on behind a segment whose `state` this is, and whose packets are in the log.

        Raises
        ------
        ConfigError
            If it does not fit.
        """
        self.timeline.restore(take_state(state, "timeline"))
        self.coverage = None if state.get("coverage") is None else take_float(state, "coverage")

    def finish(self, cut_tracks: bool = False, cancel: threading.Event | None = None) -> None:
        """Encode what is left and complete the file. The log stays: it is needed until the file has its name.

        Parameters
        ----------
        cut_tracks : bool
            Sound and subtitles end with the last picture, not with their file.
        cancel : Event, optional
            Calls it off when set.

        Raises
        ------
        ExportError
            If it cannot be written.
        Cancelled
            If it was called off.
        """
        self.end_segment()
        self._log.close()
        sound = None
        if self._sound_from is not None:
            end_s = self.timeline.end_s if cut_tracks else None
            sound = Sound(self._sound_from, self._suffix, self._start_s, end_s)
        self.tracks = join(self._target, read_packets(self._log_path), self.timeline.last_ticks, sound, cancel)

    def abandon(self) -> None:
        """Close the log without caring about what follows; what is in it stays. Does nothing after `finish`."""
        self._log.abandon()
