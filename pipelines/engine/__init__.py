"""The live engine: capture, inference and drawing, each in a thread of its own.

::

    source -> [capture] -> LatestSlot -> [inference] -> LatestSlot -> [drawing] -> view

The newest frame wins at both slots, so that what is shown is never older than it has to be. Nobody waits for a
source or a model: `LiveEngine`'s methods return at once (`stop` within its time limit), and a thread that is stuck in
a driver is left behind with its own state, unable to touch the next run.
"""

from pipelines.engine.live import LiveEngine
from pipelines.engine.run import NOT_CHANGED, NOT_COMPARED
from pipelines.engine.state import EngineState, EngineStatus, View
from pipelines.playback import SPEEDS, Playback

__all__ = ["NOT_CHANGED", "NOT_COMPARED", "SPEEDS", "EngineState", "EngineStatus", "LiveEngine", "Playback", "View"]
