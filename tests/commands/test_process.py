"""The process that runs a command: its memory. Its streams and Ctrl-C are tried by `tests/hostile`."""

from __future__ import annotations

import subprocess
import sys

import pytest

PAGES_A_PICTURE = 1280 * 720 * 3 // 4096

PROGRAM = """
import resource
import numpy as np
from visionset.commands.process import keep_memory
keep_memory()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(50):
    pictures = [np.ones((720, 1280, 3), np.uint8) for _ in range(3)]
    del pictures
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="page faults of the GNU C library")
def test_pictures_that_are_let_go_leave_their_memory_to_the_next_ones() -> None:
    faults = int(subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True, text=True).stdout)
    assert faults < 4 * PAGES_A_PICTURE  # else each of the 150 would cost its own
