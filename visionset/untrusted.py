"""Text that anybody may have written, read with limits.

What comes out is plain data that can be counted with and kept: no number that is no number or that loses digits, no nesting
that a recursive function does not survive. What the data means is up to `visionset.codec`.
"""

from __future__ import annotations

import json
import math
import os
import stat
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from visionset.errors import RecordError, reason

MOST_BYTES = 64_000_000
"""Of a file that is read whole. The log of the longest evening is a hundredth of it."""

MOST_BYTES_A_LINE = 4_000_000
"""Of one line of a file that is read line by line; a table of 162 cards takes 40 kB."""

_MOST_DEPTH = 40
"""Of lists and objects in each other. The states of games take 6."""

_LARGEST = float(2**53)
"""Beyond this a float does not hold each whole number; nothing at a table is so many, so far or so late."""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file to read its bytes.

    Raises `RecordError`: it is not there, may not be read, or is a folder, a pipe or a device: those never end, or wait for somebody.
    """
    try:
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise RecordError(f"{path}: expected a file, got something else of that name; name a file")
            yield file
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        if isinstance(error, RecordError):
            raise
        why = reason(error) if isinstance(error, OSError) else "a name that no file has"
        raise RecordError(f"{path}: expected a file that can be read, got {why}; name another") from None


def text_of(path: Path) -> str:
    """Read a file of text, or the standard input where the path is ``-``; raises `RecordError` where there is none."""
    if str(path) == "-":
        return _decoded(sys.stdin.buffer.read(MOST_BYTES + 1) if hasattr(sys.stdin, "buffer") else sys.stdin.read().encode(), path)
    with opened(path) as file:
        return _decoded(file.read(MOST_BYTES + 1), path)


def json_of(text: str | bytes) -> Any:
    """Read JSON; raises `RecordError` for what is none or is beyond the limits.

    >>> json_of('{"scores": [3, 4]}')
    {'scores': [3, 4]}
    >>> json_of("[1e999]")
    Traceback (most recent call last):
        ...
    visionset.errors.RecordError: expected numbers up to 2**53, got one that is larger or none; write it as the program prints it
    """
    with _refused("JSON"):
        return _checked(json.loads(text))


def toml_of(text: str) -> dict[str, Any]:
    """Read TOML; raises `RecordError` for what is none or is beyond the limits."""
    with _refused("TOML"):
        data: dict[str, Any] = _checked(tomllib.loads(text))
    return data


@contextmanager
def _refused(form: str) -> Iterator[None]:
    """Say in one line why a text is not of this form."""
    try:
        yield
    except RecordError:
        raise
    except (ValueError, RecursionError) as error:
        reason = "more nesting than is read" if isinstance(error, RecursionError) else f"{error!s:.100}".replace("\n", " ")
        raise RecordError(f"expected {form}, got {reason}; write it as the program prints it") from None


def _decoded(data: bytes, path: Path) -> str:
    if len(data) > MOST_BYTES:
        raise RecordError(f"{path}: expected {MOST_BYTES // 1_000_000} MB of text or less, got more; name another file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RecordError(f"{path}: expected text in UTF-8, got something else; name another file") from None


def _checked(value: Any, depth: int = 0) -> Any:
    if depth > _MOST_DEPTH:
        raise RecordError(f"expected lists and objects at most {_MOST_DEPTH} deep, got more; write it as the program prints it")
    if isinstance(value, dict):
        for key, inner in value.items():
            _checked(key, depth + 1)
            _checked(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _checked(inner, depth + 1)
    elif isinstance(value, int | float):
        if not abs(value) <= _LARGEST or not math.isfinite(value):
            raise RecordError("expected numbers up to 2**53, got one that is larger or none; write it as the program prints it")
    elif value is not None and not isinstance(value, str):
        raise RecordError(f"expected text, numbers, lists and tables, got {value!s:.40}; put dates in quotes")
    return value


def is_text(name: object) -> bool:
    """Whether a name of a file is text: the system allows any bytes, and OpenCV ends the program over some."""
    return not any("\ud800" <= letter <= "\udfff" for letter in str(name))
