"""The process that runs a command: its memory. Its streams and Ctrl-C are tried by `tests/hostile`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import visionset
from visionset.commands import process

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


CODES = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}


@pytest.mark.parametrize(("number", "code"), [(getattr(signal, name), code) for name, code in CODES.items() if hasattr(signal, name)])
def test_a_library_that_does_not_let_go_is_ended_with_the_code_of_the_signal(
    number: signal.Signals, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[int] = []
    monkeypatch.setattr(process, "end_now", lambda code: ended.append(code))
    monkeypatch.setattr(process, "_GRACE_S", 0.0)
    ear, mouth = os.pipe()
    os.write(mouth, bytes([number]))
    process.Interrupts()._wait(ear)
    assert ended == [code]
    os.close(ear)
    os.close(mouth)


HELD = """
import sys
from pathlib import Path
from visionset.commands import process
from visionset.saving import saved
with saved(Path("page.html")) as part:
    part.write_text("half")
    process.end_now(143)
"""


def test_who_is_ended_by_force_leaves_no_half_file(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("before")
    settings = {**os.environ, "PYTHONPATH": str(Path(visionset.__file__).parents[1])}
    assert subprocess.run([sys.executable, "-c", HELD], cwd=tmp_path, env=settings, check=False).returncode == 143
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("page.html", "before")]


DRAWS = """
import os, random, signal, sys, time
import numpy as np
from visionset import lettering
from visionset.commands import process
times, rng = int(sys.argv[1]), random.Random(1)
process._SOON_S = 0.001
interrupts, drawer = process.Interrupts(), os.getpid()
signal.signal(signal.SIGINT, interrupts._raise)
to_sender, from_drawer = os.pipe()
if os.fork() == 0:  # a thread of the drawer would never send while OpenCV is at work
    os.close(from_drawer)
    while os.read(to_sender, 1) == b"d":
        time.sleep(rng.uniform(0, 0.001))
        os.kill(drawer, signal.SIGINT)
    os._exit(0)
started = process._thread.start_new_thread

def late(*args):  # on a busy machine Ctrl-C is still being heard when it is to be raised
    started(*args)
    time.sleep(0.005)

canvas, heard = np.zeros((60, 200, 3), np.uint8), 0
for at in range(times):
    process._thread.start_new_thread = late if at < 20 else started
    interrupts.asked = False
    try:
        os.write(from_drawer, b"d")
        while True:
            lettering.put_text(canvas, "SET", (10, 50), (255, 255, 255), 20, 500)
    except KeyboardInterrupt:
        heard += 1
os.write(from_drawer, b"e")
print(heard)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_ctrl_c_while_letters_are_drawn_ends_the_drawing_and_not_the_process() -> None:
    settings = {**os.environ, "PYTHONPATH": str(Path(visionset.__file__).parents[1])}
    ended = subprocess.run([sys.executable, "-c", DRAWS, "400"], env=settings, capture_output=True, check=False, text=True)
    assert (ended.returncode, ended.stdout) == (0, "400\n"), ended.stderr
