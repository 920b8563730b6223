"""Times of a recording: those of the frames, without the gaps of jumps."""

from __future__ import annotations

from typing import Final

FIRST_STEP_S: Final = 1 / 30
"""How long a frame lasts before two of them tell."""
LEAST_STEP_S, LONGEST_STEP_S = 1 / 240, 0.5


class Timeline:
    """Turns the frames' own times into times of the recording, which begin at 0 and always increase.

    Frames keep their distance in time, also where it varies. A file that is held or wound, begins again, or is replaced
    by another source leaves no gap: the next frame follows the last one by a step.
    """

    def __init__(self) -> None:
        self._last_frame_s: float | None = None
        self._last_s = 0.0
        self._step_s = FIRST_STEP_S

    def time_s(self, frame_s: float, is_new_run: bool) -> float | None:
        """Return the time of a frame in the recording.

        Parameters
        ----------
        frame_s : float
            Its own time, in seconds.
        is_new_run : bool
            It is the first one of another source: its time has nothing to do with those before.

        Returns
        -------
        float or None
            Seconds; None for a frame that was there already and is only drawn again.
        """
        if self._last_frame_s is None:
            time_s = 0.0
        elif not is_new_run and frame_s == self._last_frame_s:
            return None
        elif is_new_run or frame_s < self._last_frame_s:
            time_s = self._last_s + self._step_s
        else:
            step_s = frame_s - self._last_frame_s
            time_s = self._last_s + step_s
            self._step_s = min(max(step_s, LEAST_STEP_S), LONGEST_STEP_S)
        self._last_frame_s, self._last_s = frame_s, time_s
        return time_s
