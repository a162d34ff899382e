"""Numbers that people write: those that are meant, and a line for all others."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from visionset.errors import without_passwords

N = TypeVar("N", int, float)

_DIGITS = re.compile(r"-?\d{1,18}")
"""SQLite counts matches up to so many digits; of thousands Python makes no number at all."""


def int_or_none(text: str) -> int | None:
    """The whole number that a text is, by its digits alone; None for all else, and for more digits than anybody means.

    >>> int_or_none("12"), int_or_none("-1"), int_or_none("--1"), int_or_none("1_0"), int_or_none("9" * 5000)
    (12, -1, None, None, None)
    """
    return int(text) if _DIGITS.fullmatch(text) else None


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Read a whole number within limits.

    >>> whole_number(1, 9)("3")
    3
    >>> whole_number(1, 100_000)("0")
    Traceback (most recent call last):
        ...
    argparse.ArgumentTypeError: expected a whole number from 1 to 100000, got 0
    """

    return _within(int, "whole number", least, most)


def integer(text: str) -> int:
    """Read a whole number of which the command itself says later whether it makes sense."""
    with suppress(ValueError):
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number, got {text:.40}")


def real(least: float, most: float) -> Callable[[str], float]:
    """Read a number within limits."""
    return _within(float, "number", least, most)


def match_number(next_step: str) -> Callable[[str], int]:
    """Read the number of a match; what to do next is told to who gives something else."""

    def read(text: str) -> int:
        number = int_or_none(text)
        if number is None or number < 1:
            step = "`visionset matches` lists them" if text.isdecimal() else next_step
            raise argparse.ArgumentTypeError(f"expected the number of a match, got {text:.40}; {step}")
        return number

    return read


def _within(kind: Callable[[str], N], noun: str, least: N, most: N) -> Callable[[str], N]:
    def read(text: str) -> N:
        with suppress(ValueError):  # of thousands of digits too
            number = kind(text)
            if least <= number <= most:  # nan is not either
                return number
        raise argparse.ArgumentTypeError(f"expected a {noun} from {least} to {most}, got {without_passwords(text):.40}")

    return read
