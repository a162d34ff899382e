"""The numbers of reader and tracker that somebody chose: what counts, how one is changed, and whether each has its figure."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import tuned_numbers

SCRIPTS = Path(__file__).parents[1] / "scripts"
ABLATING = runpy.run_path(str(SCRIPTS / "ablate_numbers"))

SOURCE = '''
"""A module of 3 words."""
NEAR = 0.25
_LOW, _HIGH = 2, 7.5
NONE: int = 0
NAMES = ("a", "b")


class Options:
    """Of 9 things."""

    size_px: int = 384
    is_new: bool = True
    shares: tuple[float, ...] = (0.5, 1, 3)


def size() -> int:
    return 42
'''


def test_numbers_are_what_constants_and_fields_are_made_of_but_0_and_1(tmp_path: Path) -> None:
    path = tmp_path / "some.py"
    path.write_text(SOURCE, encoding="utf-8")
    found = tuned_numbers.numbers(path)
    assert [(one.name, one.value, one.is_field) for one in found] == [
        ("NEAR", 0.25, False),
        ("(_LOW, _HIGH), 1 of 2", 2, False),
        ("(_LOW, _HIGH), 2 of 2", 7.5, False),
        ("Options.size_px", 384, True),
        ("Options.shares, 1 of 2", 0.5, True),
        ("Options.shares, 2 of 2", 3, True),
    ]
    lines = SOURCE.splitlines()
    assert all(lines[one.line - 1][one.column :].startswith(str(one.value)) for one in found)


@pytest.mark.parametrize("value", [2, 3, 8, 384, 0.05, 0.5, 0.9, 0.96, 1.4, 45.0, 1e-4])
def test_a_number_becomes_smaller_and_larger_and_stays_what_it_is(value: float) -> None:
    smaller, larger = (ABLATING["changed"](value, factor) for factor in (0.5, 2.0))
    assert smaller < value < larger
    assert type(smaller) is type(larger) is type(value)
    assert (0 < smaller < larger < 1) or not 0.5 < value < 1


def test_each_number_of_reader_and_tracker_has_its_figure() -> None:
    """Or the table is to be made anew: `scripts/ablate_numbers`."""
    rows = [
        line.split(" | ")
        for line in (SCRIPTS / "training" / "numbers.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| `")
    ]
    told = {(row[0].strip("| `"), float(row[1])) for row in rows}
    modules = [path for folder in ("VISION", "TRACKING") for path in ABLATING[folder].glob("*.py")]
    there = {(one.title, float(f"{one.value:g}")) for path in modules for one in tuned_numbers.numbers(path)}
    assert told == there


def test_what_a_change_did_is_told_by_names_labels_and_tests() -> None:
    before = {
        "names": {"SC": {"right": 9, "wrong": 1}, "PD": {"right": 4}},
        "said": {"SC 1.jpg ": [], "PD 1.jpg ": []},
        "labels": {"glued": 20, "missed": 1},
        "failed": ["a"],
    }
    told = ABLATING["told"]
    assert told(before, before) == "nothing"
    assert told(before, before | {"said": {"SC 1.jpg ": [1], "PD 1.jpg ": []}}) == "the same names (1)"
    worse = {"names": {"SC": {"right": 8, "wrong": 1}, "PD": {"right": 4, "wrong": 1}}, "labels": {"glued": 18, "wrong": 2, "missed": 1}}
    names, labels = "SC -1 right, +0 wrong; PD +0 right, +1 wrong", "-2 glued, +2 wrong"
    assert told(before, before | worse | {"failed": ["a", "b"]}) == f"{names}; {labels}; 1 test"
    assert told(before, {"error": "takes too long"}) == "cannot be read"


@pytest.mark.parametrize("words", [["--only", "engine.py", "--tests", "nowhere.py"], [".", "--tracker", "--only", "belief.py"]])
def test_where_nothing_can_be_measured_no_number_is_said_to_change_nothing(words: list[str], tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, SCRIPTS / "ablate_numbers", *words], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("ablate_numbers: ")
    assert "expected" in done.stderr
