"""A whole run that is killed: nothing is left running, and what goes on with it ends with the bytes of a run that was not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SAMPLES = sorted(str(path) for path in Path("samples").glob("*.jpg"))[:6]


@pytest.mark.slow
def test_a_run_that_was_killed_is_gone_on_with_to_the_same_bytes(tmp_path: Path) -> None:
    def asked(name: str, *more: str) -> list[str]:
        return [sys.executable, "-m", "visionset", "read", "--jobs", "2", "--out", str(tmp_path / name), *more, *SAMPLES]

    subprocess.run(asked("whole.jsonl"), check=True, stdout=subprocess.DEVNULL)
    killed = tmp_path / "killed.jsonl"
    with subprocess.Popen(asked(killed.name), stdout=subprocess.PIPE) as process:
        while process.poll() is None and not (killed.exists() and killed.stat().st_size):
            pass
        process.kill()
        assert process.stdout is not None
        assert process.stdout.read() == b""  # ends when the last worker is gone too
    assert 1 <= len(killed.read_bytes().splitlines()) < len(SAMPLES)
    subprocess.run(asked(killed.name, "--resume"), check=True, stdout=subprocess.DEVNULL)
    assert killed.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
