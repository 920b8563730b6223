"""A disk that is full, and a folder that goes away, for every kind of output: one sentence, nothing left, and with
`--resume` the run goes on when there is room again.

A limit on the size of files makes writing fail as a full disk does, in the middle of a file. It holds for a whole
process, hence the child.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.errors import ExportError
from pipelines.offline import stages as stages_module
from tests.pipelines.offline.resume_helpers import COUNT, SEGMENT, MovingPool, Run, hidden, moving_clip

pytestmark = pytest.mark.timeout(900)  # the child alone takes 9 s of the processor
ROOT = Path(__file__).parents[3]
OUTPUTS = ["out.mp4", "out.mkv", "out.webm", "out.mov", "out.gif", "alpha.webm", "alpha.mov", "P/%03d.png"]
OTHERS = ["rows.jsonl", "rows.csv", "layers"]
SHARES = (0.5, 0.97)
"""Of the size of the largest file that a whole run writes: in the middle of the pictures, and when the container is put
together."""


def run_for(name, clip, folder):
    """A run with one kind of output."""
    if name.startswith("rows"):
        return Run(clip, folder, None, rows=name, layers=())
    if name == "layers":
        return Run(clip, folder, None, rows=None, layers=("overlay", "depth"))
    return Run(clip, folder, name, rows=None, layers=(), alpha=name.startswith("alpha"))


def tried(clip, folder):
    """Run every kind of output under every limit, and then go on without; yield what became of each."""
    import resource

    def limit(size):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    for name in (*OUTPUTS, *OTHERS):
        whole = run_for(name, clip, folder / f"{name.partition('/')[0]} whole")
        whole(resume=False)
        largest = max(path.stat().st_size for path in whole.folder.rglob("*") if path.is_file())
        for share in SHARES:
            cut = run_for(name, clip, folder / f"{name.partition('/')[0]} {share}")
            messages, left = [], []
            for resume in (False, True) if share < 0.9 else (True,):
                limit(int(largest * share))
                try:
                    cut(resume=resume)
                except ExportError as error:
                    messages.append(str(error))
                finally:
                    limit(resource.RLIM_INFINITY)
                left.append([str(path) for path in cut.files() if ".twinlens-work-" not in path])
                if not resume:
                    left[-1] += hidden(cut.folder)
            cut()
            yield {
                "name": name,
                "share": share,
                "messages": messages,
                "left": left,
                "same": cut.files() == whole.files(),
                "hidden": hidden(cut.folder),
            }


if __name__ == "__main__":
    stages_module.SEGMENT_FRAMES = SEGMENT
    place = Path(sys.argv[1])
    sys.stdout.write(json.dumps(list(tried(moving_clip(place / "in.mp4"), place))))


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    if os.name != "posix":
        pytest.skip("limits of file sizes")
    child = [sys.executable, "-m", "tests.pipelines.offline.test_full_disk", str(tmp_path_factory.mktemp("full"))]
    done = subprocess.run(child, cwd=ROOT, capture_output=True, text=True, timeout=800, check=False)
    assert done.returncode == 0, done.stderr
    return {(item["name"], item["share"]): item for item in json.loads(done.stdout)}


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("name", [*OUTPUTS, *OTHERS])
def test_a_full_disk(outcomes, name, share):
    found = outcomes[name, share]
    for message in found["messages"]:
        assert message.endswith("cannot be written: file too large")
        assert "\n" not in message
    assert len(found["messages"]) == len(found["left"]) >= 1
    assert not any(found["left"])
    assert found["same"]
    assert found["hidden"] == []


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    return moving_clip(tmp_path_factory.mktemp("in") / "in.mp4")


@pytest.mark.parametrize("at", [2, 12, 21])
@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("name", ["out.mp4", "P/%03d.png", "rows.jsonl", "layers"])
def test_a_folder_that_goes_away(clip, tmp_path, monkeypatch, name, resume, at):
    monkeypatch.setattr(stages_module, "SEGMENT_FRAMES", SEGMENT)
    run = run_for(name, clip, tmp_path / "soon gone")

    class Removing(MovingPool):
        def process(self, frame):
            if frame.index == at:
                # A file may come into being meanwhile; whoever removes a folder tries again.
                while run.folder.exists():
                    with contextlib.suppress(OSError):
                        shutil.rmtree(run.folder)
            return super().process(frame)

    with pytest.raises(ExportError, match=r"soon gone.*cannot be written: no such file or directory"):
        run(Removing(), resume=resume)
    assert [path for path in run.folder.rglob("*") if path.is_file()] == []
    run.folder.mkdir(exist_ok=True)
    assert run().frames == COUNT
    assert hidden(tmp_path) == []
