"""Frozen values to JSON and back, led by their type hints: `to_json` and `from_json` are inverse."""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum
from functools import cache, partial
from operator import attrgetter
from typing import Any, ClassVar, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from visionset.errors import RecordError, VisionsetError
from visionset.kinds import PIECE_TYPES
from visionset.messages import Message
from visionset.pieces import PipDie

T = TypeVar("T")
_PIECES = tuple(PIECE_TYPES.values())
_BY_KIND = {kind.value: piece for kind, piece in PIECE_TYPES.items()}

_IN_WORDS = {int: "whole number", float: "number", bool: "truth value", str: "piece of text"}

_LARGEST = {int: 2**53, float: sys.float_info.max}
"""Integers beyond this are no points or counts of a game, and other readers of JSON round them; of other numbers all finite ones fit."""


def to_json(value: Any) -> Any:
    """Turn a value made of dataclasses, enums, pieces, tuples and scalars into what ``json.dumps`` takes.

    >>> from visionset.games.grid import Laid
    >>> from visionset.pieces import SetDie
    >>> to_json((Laid(0, 2, SetDie.parse("wild")), 1.5, None))
    [{'row': 0, 'col': 2, 'face': 'wild', 'stated': None}, 1.5, None]
    """
    kind: type = type(value)
    return _writer(kind)(value)


@cache
def _writer(kind: type) -> Callable[[Any], Any]:
    """What writes values of a type."""
    if issubclass(kind, PipDie):
        return lambda die: int(die.value)  # as events and corrections know it, see `games.correction.piece_code`
    if issubclass(kind, _PIECES):
        return str
    if issubclass(kind, Message):
        return Message.to_json
    if issubclass(kind, Enum):
        return attrgetter("value")
    if issubclass(kind, tuple):
        return lambda value: [to_json(item) for item in value]
    if is_dataclass(kind):
        names = [field.name for field in fields(kind)]
        return lambda value: {name: to_json(getattr(value, name)) for name in names}
    if issubclass(kind, bool | int | float | str | types.NoneType):
        return lambda value: value
    raise RecordError(f"expected a value of the games, got {kind.__name__}; games hold tuples and frozen dataclasses only")


def from_json(kind: type[T], data: Any) -> T:
    """Read a value of the given type from what ``json.loads`` gave.

    Raises `RecordError` where the data does not fit the type; the message names the place.

    Examples
    --------
    >>> from visionset.games.grid import Laid
    >>> from_json(Laid, {"row": 0, "col": 2, "face": "1-red-oval"}).face.color
    <Color.RED: 'red'>
    >>> from_json(Laid, {"row": "top", "col": 2, "face": "1-red-oval"})
    Traceback (most recent call last):
        ...
    visionset.errors.RecordError: expected a whole number at Laid.row, got 'top'; write it as the program prints it
    """
    result: T = _read(kind, data, kind.__name__.lstrip("_"))
    return result


def from_known_json(kind: type[T], data: Any) -> T:
    """The same, passing over what else an object says, such as what a later program has added to it."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    return from_json(kind, {key: value for key, value in data.items() if key in names} if isinstance(data, dict) else data)


def changed(value: T, data: dict[str, Any]) -> T:
    """A frozen value with some fields as JSON has them; raises `RecordError` as `from_json` does."""
    kind = type(value)
    result: T = replace(cast(Any, value), **_read_given(kind, data, kind.__name__))
    return result


def to_toml(value: Any) -> str:
    """Write a frozen value as TOML, with values in it as tables below; what is None is left out."""
    data = {name: part for name, part in to_json(value).items() if part is not None}
    tables = {name: part for name, part in data.items() if isinstance(part, dict)}
    lines = [f"{name} = {_toml_text(part)}" for name, part in data.items() if name not in tables]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {_toml_text(part)}" for key, part in table.items() if part is not None)]
    return "\n".join(lines) + "\n"


def _toml_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@cache
def _hints(kind: type) -> dict[str, Any]:
    return {name: hint for name, hint in get_type_hints(kind).items() if get_origin(hint) is not ClassVar}


def _wrong(where: str, expected: str, data: Any) -> RecordError:
    return RecordError(f"expected {expected} at {where}, got {data!r:.80}; write it as the program prints it")


def _read(kind: Any, data: Any, where: str) -> Any:
    if isinstance(kind, type):
        return _reader(kind)(data, where)
    origin = get_origin(kind)
    if origin is Union or origin is types.UnionType:
        return _read_union(get_args(kind), data, where)
    if origin is tuple:
        return _read_tuple(get_args(kind), data, where)
    return _read_dict(get_args(kind)[1], data, where)


@cache
def _reader(kind: type) -> Callable[[Any, str], Any]:
    """What reads values of a type, given the data and its place."""
    if kind is Any:
        return lambda data, where: data
    if kind is PipDie:
        return partial(_read_member, kind, lambda data: kind(data) if isinstance(data, int) else kind.parse(data))
    if kind in _PIECES:
        return partial(_read_member, kind, kind.parse)
    if issubclass(kind, Enum):
        return partial(_read_member, kind, kind)
    if kind is Message:
        return _read_message
    return partial(_read_fields if is_dataclass(kind) else _read_scalar, kind)


def _read_member(kind: type, made: Callable[[Any], Any], data: Any, where: str) -> Any:
    if isinstance(data, kind):  # as `brings` of a game may give it
        return data
    try:
        return made(data)
    except (VisionsetError, ValueError, AttributeError, TypeError) as error:
        raise _wrong(where, f"a {kind.__name__}", data) from error


def _read_scalar(kind: type, data: Any, where: str) -> Any:
    fits = isinstance(data, int | float) if kind is float else isinstance(data, kind)
    if not fits or (isinstance(data, bool) and kind is not bool):
        raise _wrong(where, f"a {_IN_WORDS.get(kind, kind.__name__)}", data)
    if kind in _LARGEST and not abs(data) <= _LARGEST[kind]:
        raise _wrong(where, f"a finite {_IN_WORDS[kind]} of at most {_LARGEST[kind]:.4g}", data)
    return float(data) if kind is float else data


def _read_message(data: Any, where: str) -> Message:
    if not isinstance(data, dict) or set(data) != {"code", "args"} or not isinstance(data["args"], dict):
        raise _wrong(where, "a message", data)
    return Message(_read(str, data["code"], where), **{name: _read_arg(value, where) for name, value in data["args"].items()})


def _read_arg(data: Any, where: str) -> object:
    """Read an argument of a message: a number or a name, a piece by its kind, a message, or several of these."""
    if isinstance(data, list):
        return tuple(_read_arg(item, where) for item in data)
    if not isinstance(data, dict):
        return _read(int | float | str, data, where)
    kinds = [name for name in data if name in _BY_KIND]
    return _read(_BY_KIND[kinds[0]], data[kinds[0]], where) if len(data) == len(kinds) == 1 else _read_message(data, where)


def _read_union(arms: tuple[Any, ...], data: Any, where: str) -> Any:
    if data is None and type(None) in arms:
        return None
    failure: RecordError | None = None
    for arm in arms:
        if arm is not type(None):
            try:
                return _read(arm, data, where)
            except RecordError as error:
                failure = error
    raise failure or _wrong(where, "null", data)


def _read_tuple(items: tuple[Any, ...], data: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(data, list | tuple):
        raise _wrong(where, "a list", data)
    if len(items) == 2 and items[1] is Ellipsis:
        items = (items[0],) * len(data)
    if len(items) != len(data):
        raise _wrong(where, f"{len(items)} values", data)
    return tuple(_read(kind, value, f"{where}[{place}]") for place, (kind, value) in enumerate(zip(items, data, strict=True)))


def _read_dict(kind: Any, data: Any, where: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise _wrong(where, "an object", data)
    return {name: _read(kind, value, f"{where}.{name:.40}") for name, value in data.items()}


def _read_fields(kind: Any, data: Any, where: str) -> Any:
    values = _read_given(kind, data, where)
    for name in _needed(kind):
        if name not in values:
            raise RecordError(f"expected {name} at {where}, got nothing; add it")
    return kind(**values)


@cache
def _needed(kind: type) -> tuple[str, ...]:
    """Names of fields without a default."""
    return tuple(field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING)


def _read_given(kind: type, data: Any, where: str) -> dict[str, Any]:
    """The fields that are given."""
    if not isinstance(data, dict):
        raise _wrong(where, "an object", data)
    hints = _hints(kind)
    unknown = sorted(set(data) - set(hints))
    if unknown:
        raise RecordError(f"expected only {', '.join(hints)} at {where}, got {', '.join(unknown)}; leave it out")
    return {name: _read(hint, data[name], f"{where}.{name}") for name, hint in hints.items() if name in data}
