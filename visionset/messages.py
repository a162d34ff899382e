"""What is said to people: a code with its arguments, put into words in one place, by a catalogue that another language replaces.

A message names no language. A `Catalogue` holds the words of one, from ``catalogue/LANGUAGE.toml`` and from ``messages.LANGUAGE.toml``
in the folder of each game. In its templates ``{name}`` stands for an argument, and what follows a colon says how it is written: a number
by the form that fits it (``{count} {count:card|cards}``) or in Python's own way (``{share:.0%}``), several values with what parts them
(``{names: and }``). At a table pieces and squares are called otherwise than in an exact refusal: what a template says there stands once
more under ``table``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path
from string import Formatter
from typing import Any, Protocol, Self, TypeAlias, runtime_checkable

_PACKAGE = Path(__file__).parent
"""Not by importlib.resources: every ``--help`` names the languages, and it takes 7 ms to import."""

ENGLISH = "en"
AT_TABLE = "table"
"""How people at a table are spoken to: pieces by their looks, squares by no numbers, since nobody sees any."""


@dataclass(frozen=True, slots=True, init=False)
class Message:
    """Something to be said, in no language.

    Attributes
    ----------
    code : str
        Names the template.
    args : tuple of (str, object)
        What it is about: numbers, names, pieces, messages, and tuples of these.

    Examples
    --------
    >>> print(Message("set.choice.deal", count=3))
    Deal 3 cards
    """

    code: str
    args: tuple[tuple[str, object], ...]

    def __init__(self, code: str, /, **args: object) -> None:
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "args", tuple(args.items()))

    def __str__(self) -> str:
        return in_words(self)

    def to_json(self) -> dict[str, Any]:
        """Write as an object; `visionset.codec.from_json` reads it."""
        return {"code": self.code, "args": {name: _json(value) for name, value in self.args}}


Words: TypeAlias = Message | str
"""What is said: a message, or words that people wrote themselves."""


class Worded:
    """Whatever has a `message`."""

    __slots__ = ()
    message: Words

    @property
    def text(self) -> str:
        """What it says, in words."""
        return in_words(self.message)


class WordedAtTable:
    """Whatever has a `message` for people at a table."""

    __slots__ = ()
    message: Words

    @property
    def text(self) -> str:
        """What it says, in words."""
        return at_table(self.message)


@runtime_checkable
class Sayable(Protocol):
    """What can be called by name, such as a piece."""

    @property
    def said(self) -> Message:
        """Its name."""


def _json(value: object) -> Any:
    if isinstance(value, Message):
        return value.to_json()
    if isinstance(value, Sayable):
        return {value.kind.value: str(value)} if hasattr(value, "kind") else value.said.to_json()
    return [_json(item) for item in value] if isinstance(value, tuple) else value


class Catalogue(Formatter):
    """The words of one language.

    Parameters
    ----------
    templates : mapping of str to str
        By code; how a code is said at the table under ``table.CODE``, where that differs.
    plural : str
        Number of the form for ``n``, as gettext writes it.
    language : str
        Under which other packages are asked for the words of their games.
    otherwise : Catalogue, optional
        Says what this one has no words for.
    decimal : str
        Mark between the whole and the decimals of a number.
    """

    def __init__(
        self,
        templates: Mapping[str, str],
        plural: str = "n != 1",
        language: str = ENGLISH,
        otherwise: Catalogue | None = None,
        decimal: str = ".",
    ) -> None:
        self.templates = dict(templates)
        self.language = language
        self.otherwise = otherwise
        self._form = c2py(plural)
        self._decimal = decimal
        self._asked_on: list[str] = []

    @classmethod
    def load(cls, language: str = ENGLISH) -> Self:
        """Read the words of a language, those of our games among them; what it has no words for is said in English."""
        games = sorted((folder for folder in (_PACKAGE / "games").iterdir() if folder.is_dir()), key=lambda folder: folder.name)
        sources = (_PACKAGE / "catalogue" / f"{language}.toml", *(folder / f"messages.{language}.toml" for folder in games))
        templates = {code: template for source in sources for code, template in _read(source).items()}
        otherwise = None if language == ENGLISH else _english()
        return cls(templates, templates.pop("plural", "n != 1"), language, otherwise, templates.pop("decimal", "."))

    def has(self, code: str) -> bool:
        """Whether there are words for a code; games of other packages are asked where there are none."""
        if code not in self.templates and self._asked_on != sys.path:  # looking for other packages takes 15 ms
            from importlib.metadata import entry_points
            from importlib.util import find_spec

            for entry in entry_points(group="visionset.games"):
                with suppress(Exception):  # whatever is wrong with a package of others: its rule book says so, and costs no other game
                    spec = find_spec(entry.module)
                    if spec is not None and spec.origin is not None:
                        words = _read(Path(spec.origin).parent / f"messages.{self.language}.toml")
                        self.templates = words | self.templates  # nobody takes our own words away
            self._asked_on = list(sys.path)  # set last: another thread asks too, rather than miss words
        return code in self.templates

    def _home(self, code: str) -> Catalogue | None:
        """The catalogue that has words for a code."""
        if self.has(code):
            return self
        return None if self.otherwise is None else self.otherwise._home(code)

    def say(self, what: object, register: str = "") -> str:
        """Put a message into words; what is none is written as it is.

        None is a piece that was not read. A code without a template, as of a game that is no longer installed, is said with its arguments.
        """
        if what is None:
            what = Message("piece.unread")
        if not isinstance(what, Message):
            said = getattr(what, "said", None)  # to ask whether it is a Sayable takes longer than to say it
            if not isinstance(said, Message):
                return str(what)
            what = said
        home = self._home(what.code)
        if home is None:
            return str(what.to_json())
        template = home.templates.get(f"{register}.{what.code}", home.templates[what.code])
        try:
            return "".join(self._parts(template, dict(what.args), register, home))
        except (KeyError, ValueError):
            return str(what.to_json())

    def _parts(self, template: str, args: Mapping[str, object], register: str, home: Catalogue) -> Iterable[str]:
        for text, name, spec, _ in self.parse(template):
            yield text
            if name is not None:
                yield self._said(args[name], spec or "", register, home)

    def _said(self, value: object, spec: str, register: str, home: Catalogue) -> str:
        if isinstance(value, tuple):
            return (spec or ", ").join(self.say(one, register) for one in value)
        if isinstance(value, int) and "|" in spec:
            return spec.split("|")[home._form(abs(value))]
        if isinstance(value, int | float):
            return format(value, spec).replace(".", self._decimal)
        return self.say(value, register)


def _flat(table: Mapping[str, Any], before: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in table.items():
        found |= _flat(value, f"{before}{name}.") if isinstance(value, dict) else {before + name: str(value)}
    return found


def _read(source: Path) -> dict[str, str]:
    import tomllib

    return _flat(tomllib.loads(source.read_text(encoding="utf-8"))) if source.is_file() else {}


def languages() -> tuple[str, ...]:
    """Those that there is a catalogue of, English first."""
    found = {path.stem for path in (_PACKAGE / "catalogue").glob("*.toml")}
    return (ENGLISH, *sorted(found - {ENGLISH}))


_spoken: Catalogue | None = None
_here: ContextVar[Catalogue | None] = ContextVar("the language of who is spoken to", default=None)


@cache
def loaded_catalogue(language: str) -> Catalogue:
    """The words of a language, read once."""
    return Catalogue.load(language)


def _english() -> Catalogue:
    return loaded_catalogue(ENGLISH)


def _now() -> Catalogue:
    """The catalogue of who is spoken to here, else of everybody."""
    return _here.get() or _spoken or _english()


def speak(catalogue: Catalogue | None) -> None:
    """Say everything in the words of this catalogue from now on; None for English."""
    global _spoken
    _spoken = catalogue


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say in a language what is said in this task, or on this thread; all others go on in theirs."""
    token = _here.set(None if language == (_spoken or _english()).language else loaded_catalogue(language))
    try:
        yield
    finally:
        _here.reset(token)


def is_language_chosen() -> bool:
    """Whether somebody has named the language that all are spoken to in."""
    return _spoken is not None


def spoken() -> str:
    """The language that is spoken here."""
    return _now().language


def in_words(what: object, register: str = "") -> str:
    """Put a message into the words that are spoken now; see `Catalogue.say`."""
    return _now().say(what, register)


def in_own_words(code: str, text: str) -> str:
    """What a code is called in the language that is spoken; `text`, which is English, where that has no words of its own for it."""
    home = _now()
    return text if home is _english() or not home.has(code) else home.say(Message(code))


def has(code: str) -> bool:
    """Whether there are words for a code, be they English."""
    return _now()._home(code) is not None


def at_table(what: object) -> str:
    """Say something to people who look at a table."""
    return in_words(what, AT_TABLE)
