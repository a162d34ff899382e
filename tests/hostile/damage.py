"""Files as no program writes them: made from real ones, damaged in structure and in letters, the same each time."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Sequence
from typing import Any

RAW = "\0raw:"
"""Marks text that goes into the file as it stands, for what no value can say."""

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, -(2**64), 10**399, -1e12, 1e12, 0.5, -0.0, 1e-320, 1e308, math.nan, math.inf, -math.inf),
    *("", "x", "\0", "\x1b[31mred\x1b]0;title\a", "\ud800", "a" * 100_000, "é", "\u202egnp", "../../etc/passwd", "2024-01-01", "-"),
    *([], {}, [[]], [None], [1, 2], ["x"], {"x": 1}, {"": None}, [[[[[[0]]]]]], list(range(2000)), [[0, 0]] * 3),
)
DEEP_JSON = RAW + "[" * 100_000
DEEP_CLOSED = RAW + "[" * 3000 + "]" * 3000
TOML_ONLY = (RAW + "1979-05-27T07:32:00Z", RAW + "1979-05-27", RAW + "07:32:00", RAW + "0x" + "f" * 9000, RAW + "nan", RAW + "-inf")


def damaged(rng: random.Random, value: Any, odd: Sequence[Any] = ODD) -> Any:
    """Copy a value of JSON with one to three places of it changed."""
    for _ in range(rng.randint(1, 3)):
        value = _changed(rng, value, odd)
    return value


def _changed(rng: random.Random, value: Any, odd: Sequence[Any]) -> Any:
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice(list(value))
        what = rng.random()
        if what < 0.1:
            return {key: inner for key, inner in value.items() if key != name}
        if what < 0.15:
            return {**value, rng.choice(["more", "", "\x1b[2J", "event", "players"]): rng.choice(odd)}
        return {**value, name: _changed(rng, value[name], odd)}
    if isinstance(value, list) and value and rng.random() < 0.85:
        place = rng.randrange(len(value))
        what = rng.random()
        if what < 0.1:
            return value[:place] + value[place + 1 :]
        if what < 0.2:
            return [*value, value[place]]
        if what < 0.25:
            return value * rng.choice([0, 2, 50])
        return [*value[:place], _changed(rng, value[place], odd), *value[place + 1 :]]
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15 and rng.random() < 0.4:
        return rng.choice([-value, value + 1, value - 1, value * 1e9, float(value), str(value), value // 1 + 10**6])
    if isinstance(value, str) and value and rng.random() < 0.3:
        return rng.choice([value[:-1], value + value, value.upper(), value + "\0", "\x1b[31m" + value])
    return rng.choice(odd)


def torn(rng: random.Random, data: bytes) -> bytes:
    """Copy bytes with some flipped, cut out, doubled or put in."""
    made = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(made) + 1)
        what = rng.random()
        if what < 0.4 and at < len(made):
            made[at] ^= 1 << rng.randrange(8)
        elif what < 0.55:
            del made[at : at + rng.randint(1, 40)]
        elif what < 0.7:
            del made[at:]
        else:
            made[at:at] = rng.choice([b"\0", b"\xff", b"\xed\xa0\x80", b"\x1b[31m", b"\n", b"[" * 2000, b'"', b"{", b"NaN", b"1" * 5000])
    return bytes(made)


def as_json(value: Any) -> str:
    """JSON of a value, with what is marked as raw left as it is."""
    if isinstance(value, str) and value.startswith(RAW):
        return value[len(RAW) :]
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{as_json(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(as_json, value)) + "]"
    return json.dumps(value)


def as_toml(data: Any) -> str:
    """TOML of a table: tables in it as tables, all else in line; text that is no TOML for what is no table."""
    if not isinstance(data, dict):
        return _in_line(data)
    lines = [f"{json.dumps(name)} = {_in_line(value)}" for name, value in data.items() if not isinstance(value, dict)]
    for name, value in data.items():
        if isinstance(value, dict):
            lines += [f"[{json.dumps(name)}]", *(f"{json.dumps(key)} = {_in_line(inner)}" for key, inner in value.items())]
    return "\n".join(lines) + "\n"


def _in_line(value: Any) -> str:
    if isinstance(value, str) and value.startswith(RAW):
        return value[len(RAW) :]
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_in_line(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_in_line, value)) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return '"null"' if value is None else json.dumps(value)


def files(seed: int, count: int, value: Any, write: Callable[[Any], str], odd: Sequence[Any] = ODD) -> list[bytes]:
    """Damage a value `count` times: two thirds in structure, one third in letters."""
    rng = random.Random(seed)
    good = write(value).encode("utf-8", "surrogatepass")
    made = []
    for _ in range(count):
        if rng.random() < 0.67:
            made.append(write(damaged(rng, value, odd)).encode("utf-8", "surrogatepass"))
        else:
            made.append(torn(rng, good))
    return made
