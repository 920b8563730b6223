"""The peak of memory is that of the program itself, and can be begun anew."""

import subprocess
import sys

import numpy as np
import pytest

from benchmarks.peak import PROC, forget_peak, peak_mb

pytestmark = pytest.mark.skipif(not PROC.is_dir(), reason="only Linux tells")


def test_a_program_does_not_begin_with_the_size_of_the_one_that_starts_it():
    held = np.ones(300 * 2**17)  # 300 MB
    command = [sys.executable, "-c", "from benchmarks.peak import peak_mb; print(peak_mb())"]
    found = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert found < 100
    assert peak_mb() > held.nbytes / 2**20


def test_what_was_before_is_forgotten():
    del_me = np.ones(300 * 2**17)
    del del_me
    before = peak_mb()
    forget_peak()
    after = peak_mb()
    if after == before:
        pytest.skip("this system does not let a program begin anew")
    assert after < before - 200
