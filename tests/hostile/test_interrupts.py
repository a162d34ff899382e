"""Ctrl-C at any time: the program ends, without a traceback."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import visionset
from tests.hostile.test_recordings import good_recording

ROOT = Path(visionset.__file__).parents[1]
SAMPLES = ROOT / "samples"

MARKED = """
import sys
from visionset import cli
prepare = cli.prepare_streams
cli.prepare_streams = lambda: (prepare(), sys.stderr.write("main\\n"), sys.stderr.flush())
sys.exit(cli.main())
"""
"""Runs a command and says when its `main` has begun."""

COMMANDS = {
    "rules": ["rules", "set"],
    "read": ["read", *(str(SAMPLES / "table-12.jpg") for _ in range(30))],
    "watch": ["watch", str(SAMPLES / "round-1280x720.mp4"), "--save", "out.mp4"],
    "game": ["watch", str(SAMPLES / "round-1280x720.mp4"), "--game", "set", "--players", "A,B", "--json"],
    "record": ["watch", str(SAMPLES / "round-1280x720.mp4"), "--record", "evening"],
    "demo": ["demo"],
    "replay": ["replay", "recording"],
    "report": ["report", "recording"],
    "bundle": ["bundle", "recording", "--force"],
    "score": ["score", str(SAMPLES)],
    "render": ["render", "mixed", "--pictures", "20"],
    "clip": ["render", "throw", "--out", "clip.mp4"],
    "cameras": ["cameras"],
    "bench": ["bench"],
    "doctor": ["doctor"],
    "calibrate": ["calibrate", "cards", "--name", "a", str(SAMPLES / "table-12.jpg")],
    "sheet": ["calibrate", "sheet", "sheet.pdf"],
    "print": ["print", "deck", "--size", "full", "--backs", "long", "--force"],
    "play": ["play", "set", "--virtual", "--bots"],
    "matches": ["matches", "list"],
    "odds": ["advise", "odds", "--rounds", "3000"],
    "dice": ["advise", "sets-dice", "--cache", "cache"],
    "scramble": ["advise", "scramble", *(f"{n}-{c}-{s}" for n in (1, 2, 3) for c in ("red", "green") for s in ("oval", "diamond"))],
    "crossword": ["advise", "crossword", *(f"{n}-{c}-{s}" for n in (1, 2, 3) for c in ("red", "green") for s in ("oval", "diamond"))],
}


def interrupted(words: list[str], after_s: float, folder: Path, ends: signal.Signals = signal.SIGINT) -> tuple[int | None, str]:
    """Run a command and press Ctrl-C, or ask it to end otherwise.

    Its exit code (None when it had ended before), what it complained.
    """
    settings = {**os.environ, "VISIONSET_DATA": str(folder), "VISIONSET_CONFIG": str(folder), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", MARKED, *words]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    ignored = signal.signal(ends, signal.SIG_DFL)  # who runs the tests may have it ignored, as `nohup` does, and children would too
    process = subprocess.Popen(command, env=settings, cwd=folder, start_new_session=True, **pipes)
    signal.signal(ends, ignored)
    assert process.stderr is not None
    assert process.stderr.readline() == b"main\n"
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(after_s)
    ended = process.poll() is not None or not held(process.pid)
    if not ended:
        os.killpg(process.pid, ends)  # as a terminal does, to all of its processes
        os.killpg(process.pid, signal.SIGCONT)
    _, err = process.communicate(timeout=60)  # who does not end hangs, however busy the machine is
    return None if ended else process.returncode, err.decode(errors="replace")


def held(pid: int) -> bool:
    """Stop a process where it is; False where it had ended by itself, which may happen at any moment before.

    Its children go on: one that was stopped before it became another program would hold its parent where no signal reaches it.
    """
    os.kill(pid, signal.SIGSTOP)
    state = os.waitid(os.P_PID, pid, os.WEXITED | os.WSTOPPED | os.WNOWAIT)
    return state is not None and state.si_code == os.CLD_STOPPED


def check(name: str, times: int, folder: Path, longest_s: float = 4.0) -> None:
    rng = random.Random(name)
    good_recording(folder / "recording")
    for number in range(times):
        # half of them in the first second, when the program loads what it needs
        after_s = rng.uniform(0, 0.7) if number % 2 else rng.uniform(0, longest_s)
        code, err = interrupted(COMMANDS[name], after_s, folder)
        assert "Traceback" not in err, (after_s, err)
        assert "Error" not in err, (after_s, err)
        for left in ("out.mp4", "evening", "clip.mp4"):
            subprocess.run(["rm", "-rf", left], cwd=folder, check=True)
        if code is None:
            continue
        own_end = name in ("watch", "record", "game")  # there it is an ordinary way to stop
        assert code in ((0, 130, -signal.SIGINT) if own_end else (130, -signal.SIGINT)), (after_s, code, err)
        if code == 130:
            assert err.endswith("visionset: stopped\n"), (after_s, err)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_ctrl_c_at_forty_times(name: str, tmp_path: Path) -> None:
    check(name, 40, tmp_path)


PRESSED_WHILE_LOADED = """
import os, runpy, signal, sys
class Presses:
    def find_spec(self, name, path=None, target=None):
        if name == "visionset.commands.parts":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Presses())
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("visionset", run_name="__main__", alter_sys=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process there sends itself no Ctrl-C")
def test_ctrl_c_while_the_command_line_is_loaded_ends_it_quietly() -> None:
    command = [sys.executable, "-c", PRESSED_WHILE_LOADED, "--version"]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


@pytest.mark.skipif(sys.platform == "win32", reason="no process is sent a signal there")
def test_ctrl_c_is_passed_over_where_who_started_the_command_ignores_it(tmp_path: Path) -> None:
    """As of a job that a script began in the background."""
    settings = {**os.environ, "VISIONSET_DATA": str(tmp_path), "VISIONSET_CONFIG": str(tmp_path), "PYTHONPATH": str(ROOT)}
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    process = subprocess.Popen(
        [sys.executable, "-m", "visionset", "play", "solitaire", "--virtual"],
        env=settings,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    signal.signal(signal.SIGINT, heard)
    assert process.stdout is not None
    assert process.stdout.readline() == b"69 cards in the pack\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(b"q\n", timeout=60)
    assert (process.returncode, err) == (0, b"")


@pytest.mark.parametrize("name", ["rules", "read"])
def test_ctrl_c_in_the_first_second(name: str, tmp_path: Path) -> None:
    check(name, 2, tmp_path, 0.5)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["demo", "clip"])
def test_who_is_asked_to_end_leaves_nothing_half_written(name: str, tmp_path: Path) -> None:
    for after_s, end in ((1.0, signal.SIGTERM), (2.0, signal.SIGHUP)):  # the second where its terminal is closed
        code, err = interrupted(COMMANDS[name], after_s, tmp_path, end)
        assert code in (None, 128 + end, -end), err
        assert "Traceback" not in err
        assert not list(tmp_path.rglob(".*.part*")), (after_s, err)
