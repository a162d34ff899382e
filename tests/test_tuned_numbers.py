"""The numbers of the reader that somebody chose: what counts, how one is changed, and whether each has its figure."""

from __future__ import annotations

import runpy
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
        ("size_px", 384, True),
        ("shares, 1 of 2", 0.5, True),
        ("shares, 2 of 2", 3, True),
    ]
    lines = SOURCE.splitlines()
    assert all(lines[one.line - 1][one.column :].startswith(str(one.value)) for one in found)


@pytest.mark.parametrize("value", [2, 3, 8, 384, 0.05, 0.5, 0.9, 0.96, 1.4, 45.0, 1e-4])
def test_a_number_becomes_smaller_and_larger_and_stays_what_it_is(value: float) -> None:
    smaller, larger = (ABLATING["changed"](value, factor) for factor in (0.5, 2.0))
    assert smaller < value < larger
    assert type(smaller) is type(larger) is type(value)
    assert (0 < smaller < larger < 1) or not 0.5 < value < 1


def test_each_number_of_the_reader_has_its_figure() -> None:
    """Or the table is to be made anew: `scripts/ablate_numbers`."""
    rows = [
        line.split(" | ")
        for line in (SCRIPTS / "training" / "numbers.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| `")
    ]
    told = {(row[0].strip("| `"), float(row[1])) for row in rows}
    modules = [path for path in sorted(ABLATING["VISION"].glob("*.py")) if path.name not in ABLATING["NO_READING"]]
    there = {(f"{path.stem}.{one.name}", float(f"{one.value:g}")) for path in modules for one in tuned_numbers.numbers(path)}
    assert told == there
