"""A command run in this process: what it says, and that it neither breaks nor says it in more than a line."""

from __future__ import annotations

import resource
from collections import Counter

import pytest

from visionset.cli import main

MOST_KB = 1_000_000
"""Memory that a hostile file may take."""


class Runs:
    """Counts exit codes of commands; an exception that escapes one is a failure of the test."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.codes: Counter[int] = Counter()

    def __call__(self, *arguments: object) -> int:
        """Run a command and check what it says."""
        before_kb = _peak_kb()
        code = main([str(argument) for argument in arguments])
        out, err = self._capsys.readouterr()
        self.codes[code] += 1
        assert code in (0, 1)
        assert "Traceback" not in out + err
        assert "\x1b" not in out + err
        if code == 1 and not out:
            assert 0 < len(err.splitlines()) <= 4, err  # one for each photo
            assert len(err) < 2000
        assert _peak_kb() <= max(before_kb, MOST_KB)  # the tests before may have taken more
        return code


def _peak_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.fixture
def runs(capsys: pytest.CaptureFixture[str]) -> Runs:
    return Runs(capsys)
