"""Memory of the size of pictures is used again instead of being handed back to the system."""

import subprocess
import sys

import pytest

from pipelines.memory import keep_freed_memory
from tests.patience import PATIENCE_S

COUNT_FAULTS = """
import resource, sys
import numpy as np
from pipelines.memory import keep_freed_memory

if "keep" in sys.argv:
    assert keep_freed_memory()

def frame():
    # A picture, a drawing and a mask of 1280x720, written and freed.
    arrays = [np.empty(size, np.uint8) for size in (2_764_800, 2_764_800, 921_600)]
    for array in arrays:
        array.fill(1)

for _ in range(5):
    frame()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    frame()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(*arguments: str) -> int:
    command = [sys.executable, "-c", COUNT_FAULTS, *arguments]
    return int(subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE_S).stdout)


@pytest.mark.skipif(not keep_freed_memory(), reason="the C library is not glibc")
def test_pictures_cost_no_page_faults_after_the_first():
    pages = 20 * (2 * 2_764_800 + 921_600) // 4096
    assert faults("keep") < pages / 100


def test_a_second_call_changes_nothing():
    assert keep_freed_memory() == keep_freed_memory()
    assert keep_freed_memory.cache_info().misses == 1
