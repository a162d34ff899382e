"""Killed at any moment, the store opens again and holds every entry that it acknowledged."""

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import pytest

from visionset.store import Store

ROOT = Path(__file__).parents[2]


class Player:
    """A player in a program of its own, loaded and waiting."""

    def __init__(self, path: Path, *words: object) -> None:
        command = [sys.executable, "-m", "tests.store.player", str(path), *map(str, words)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)

    @property
    def stdout(self) -> IO[str]:
        assert self.process.stdout is not None
        return self.process.stdout

    def go(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def rest(self) -> str:
        """What else it says before it ends; not `communicate`, which forgets what `readline` has read ahead."""
        with self.process:
            return self.stdout.read()

    def killed(self) -> str:
        """Kill it, as `kill -9` does, and give what else it had said."""
        self.process.kill()
        return self.rest()


@contextmanager
def player(path: Path, *words: object) -> Iterator[Player]:
    started = Player(path, *words)
    try:
        yield started
    finally:
        if started.process.returncode is None:
            started.killed()


def heard(text: str) -> dict[tuple[int, int], str]:
    """What a player acknowledged: by match and place, the line. A last line that was cut off is none."""
    whole = text[: text.rfind("\n") + 1].splitlines()
    parts = [line.split(" ", 2) for line in whole if line != "ready"]
    return {(int(match), int(place)): line for match, place, line in parts}


def kept(store: Store) -> dict[tuple[int, int], str]:
    return {(summary.id, place): line for summary in store.summaries() for place, line in enumerate(store.export_lines(summary.id))}


def killed_again_and_again(path: Path, kills: int, seed: int) -> tuple[int, int]:
    """Kill one player after the other, on one file; give how many entries were acknowledged, and how many more are there."""
    rng = random.Random(seed)
    acknowledged: dict[tuple[int, int], str] = {}
    with ExitStack() as stack:
        coming = stack.enter_context(player(path, 0))
        for kill in range(1, kills + 1):
            now, coming = coming, stack.enter_context(player(path, kill))  # the next one loads meanwhile
            now.go()
            said = "".join(now.stdout.readline() for _ in range(rng.randint(0, 30)))
            said += now.killed()  # at once, whatever it does just then
            acknowledged |= heard(said)
            with Store(path, lambda: 0.0) as store:
                there = kept(store)
                lost = {key for key, line in acknowledged.items() if there.get(key) != line}
                assert not lost, f"kill {kill}: {len(lost)} of {len(acknowledged)} acknowledged entries are lost"
                for summary in store.summaries()[:2]:
                    assert store.load(summary.id).summary == summary
    return len(acknowledged), len(there) - len(acknowledged)


def test_10_kills_lose_nothing(tmp_path: Path) -> None:
    acknowledged, more = killed_again_and_again(tmp_path / "matches.sqlite3", 10, seed=1)
    assert acknowledged > 50
    assert 0 <= more <= 10  # one at most for each kill: written, and killed before it could say so


@pytest.mark.slow
def test_200_kills_lose_nothing(tmp_path: Path) -> None:
    acknowledged, more = killed_again_and_again(tmp_path / "matches.sqlite3", 200, seed=2)
    assert acknowledged > 1000
    assert 0 <= more <= 200


def test_kills_while_the_file_is_made(tmp_path: Path) -> None:
    """Before the first word: whatever part of the file is there, the next start makes it whole."""
    for number in range(3):
        path = tmp_path / f"{number}.sqlite3"
        with player(path, 1) as made:
            made.go()
            while not path.exists():
                assert made.process.poll() is None
            said = heard(made.killed())
        with Store(path, lambda: 0.0) as store:
            assert kept(store).items() >= said.items()
            assert len(kept(store)) <= len(said) + 1


def test_three_programs_at_once_all_keep_everything(tmp_path: Path) -> None:
    """They also make the file at the same time."""
    path = tmp_path / "matches.sqlite3"
    with player(path, 1, 60) as first, player(path, 2, 60) as second, player(path, 3, 60) as third:
        for each in (first, second, third):
            each.go()
        said = [heard(each.rest()) for each in (first, second, third)]
        assert [each.process.returncode for each in (first, second, third)] == [0, 0, 0]
    with Store(path, lambda: 0.0) as store:
        assert kept(store) == said[0] | said[1] | said[2]
    assert [len(part) for part in said] == [60, 60, 60]
