"""Recording what is shown: a thread of its own writes a file that can be played whatever happens to the program."""

from pipelines.recording.recorder import Recorder, RecordingPhase, RecordingState
from pipelines.recording.recovery import recover

__all__ = ["Recorder", "RecordingPhase", "RecordingState", "recover"]
