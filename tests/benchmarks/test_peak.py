"""The peak of memory is that of the program itself, and can be begun anew."""

import subprocess
import sys

import numpy as np
import pytest

from benchmarks.peak import PROC, peak_mb

pytestmark = pytest.mark.skipif(not PROC.is_dir(), reason="only Linux tells")


def run(code):
    # A program of its own: what the tests before have made of the memory's management is no part of this.
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_a_program_does_not_begin_with_the_size_of_the_one_that_starts_it():
    held = np.ones(300 * 2**17)  # 300 MB
    (found,) = run("from benchmarks.peak import peak_mb; print(peak_mb())")
    assert float(found) < 100
    assert peak_mb() > held.nbytes / 2**20


def test_what_was_before_is_forgotten():
    before, after = run(
        "from benchmarks.peak import forget_peak, peak_mb; held = b'x' * 300 * 2**20; del held;"
        "print(peak_mb()); forget_peak(); print(peak_mb())"
    )
    if after == before:
        pytest.skip("this system does not let a program begin anew")
    assert float(after) < float(before) - 200
