"""The few nouns that every game is made of: State, Event, Prompt, Choice, Finding, Rule.

A game is a fold: ``state = game.start(options, players)``, then ``state = state.after(event)`` again and again.
States and events are frozen values; undo is replaying one event fewer. Longer than most modules: each noun is short, and what they say
to each other is read in one place.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, ClassVar, Self

from visionset.codec import from_json, to_json
from visionset.errors import RecordError, RuleError
from visionset.pieces import Piece
from visionset.untrusted import json_of

DEALER = "Dealer"
EVERYONE = "All"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at the table.

    Attributes
    ----------
    at_s : float or None
        When, in seconds since the game began; None where the time does not matter.
    """

    name: ClassVar[str] = ""
    readings: ClassVar[tuple[str, ...]] = ()
    """Fields that hold pieces as they were read off the table."""
    at_s: float | None = field(default=None, kw_only=True)

    def to_json(self) -> dict[str, Any]:
        """Write as an object whose ``event`` names the type."""
        data = {"event": self.name, **to_json(self)}
        if self.at_s is None:
            del data["at_s"]
        return data


@dataclass(frozen=True, slots=True)
class Amend(Event):
    """Everybody agrees that the table is right and the game is not: fields of the state are set as the table has them.

    Every game knows this event; `State.after` refuses one that leads to a state with findings, or that ends the game outright.

    Attributes
    ----------
    changes : str
        JSON object of the fields that change, as the state writes them.
    reason : str
        What was agreed, in plain words.
    """

    name: ClassVar[str] = "amend"
    changes: str
    reason: str

    @classmethod
    def of(cls, reason: str, at_s: float | None = None, **changes: Any) -> Self:
        """Make the event from the new values of fields."""
        return cls(json.dumps({field: to_json(value) for field, value in changes.items()}), reason, at_s=at_s)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What somebody at the table should do now.

    Attributes
    ----------
    to : str
        A player's name, "Dealer" or "All".
    text : str
        What to do, in plain words.
    at : tuple of int
        Positions into the state's table that the words talk about; empty when they talk about none.
    """

    to: str
    text: str
    at: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.to}: {self.text}"


class Form(Enum):
    """How a value that an event wants is given."""

    VALUE = "one value"
    LIST = "several values"
    PLACINGS = "dice of a hand, each with the cell where it is laid, and with what a WILD stands for"
    WILDS = "a face for each WILD among the dice of the hand that were named before"
    CHANCE = "nobody says it: pack, bag or dice bring it"


@dataclass(frozen=True, slots=True)
class Need:
    """One value that an event still wants.

    Attributes
    ----------
    field : str
        Name of the event's field.
    text : str
        What to give, in plain words.
    values : tuple
        What it may be, as JSON; empty where any value of the field's type may come.
    count : int or None
        How many of them make the field's list; None for a single value or any number.
    form : Form
        How it is given.
    """

    field: str
    text: str
    values: tuple[int | str, ...] = ()
    count: int | None = None
    form: Form = Form.VALUE

    @classmethod
    def by_chance(cls, field: str, text: str, values: tuple[int | str, ...] = (), count: int | None = None) -> Self:
        """Make one that nobody is asked for."""
        return cls(field, text, values, count, Form.CHANCE)


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may be done now: enough for a page to draw a button.

    Attributes
    ----------
    label : str
        What the button says.
    event : str
        Name of the event that it makes.
    player : int or None
        Who may do it; None for the table: chance, the dealer, everyone.
    needs : tuple of Need
        What must be filled in first.
    fixed : tuple of (str, int or str)
        Fields that are settled already, the player among them.
    """

    label: str
    event: str
    player: int | None = None
    needs: tuple[Need, ...] = ()
    fixed: tuple[tuple[str, int | str], ...] = ()

    def filled(self, **values: Any) -> dict[str, Any]:
        """Give the JSON of the event, with the values that it still wanted."""
        player = {} if self.player is None else {"player": self.player}
        return {"event": self.event, **player, **dict(self.fixed), **values}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something on the table, or in a state, that the rules do not know.

    Attributes
    ----------
    rule : str
        Number of the rule, such as ``S1``.
    text : str
        What is wrong and what to do, in plain words.
    at : tuple of int
        Positions of the pieces concerned.
    """

    rule: str
    text: str
    at: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"rule {self.rule}: {self.text}"


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered rule as the program holds it.

    Attributes
    ----------
    number : str
        Such as ``S4``.
    text : str
        The rule in our own words.
    options : tuple of str
        Fields of the game's options that change it.
    """

    number: str
    text: str
    options: tuple[str, ...] = ()


_NOT_ON_THE_TABLE = frozenset({"game", "options", "players", "mended", "clock_s", "notice"})
"""Fields that no table shows: an amendment leaves them alone."""


class State(ABC):
    """Where a game stands. Subclasses are frozen dataclasses with at least the fields named here."""

    __slots__ = ()
    game: ClassVar[str]
    events: ClassVar[tuple[type[Event], ...]]
    players: tuple[str, ...]
    mended: tuple[int, ...]
    clock_s: float
    notice: str

    @property
    @abstractmethod
    def prompts(self) -> tuple[Prompt, ...]:
        """What the table should do now."""

    @property
    @abstractmethod
    def legal(self) -> tuple[Choice, ...]:
        """What may be done now."""

    @property
    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """Points of each player so far."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """True when nothing more can happen."""

    @property
    def winners(self) -> tuple[int, ...]:
        """Who won: all with the most points once the game is over, nobody before."""
        return leaders(self.scores) if self.is_over else ()

    @property
    @abstractmethod
    def findings(self) -> tuple[Finding, ...]:
        """What in this state the rules do not allow: always empty for a state that events led to."""

    def judged(self, event: Event) -> tuple[Piece, ...]:
        """Pieces whose readings give or cost points by this event; empty for an event that no reading decides."""
        return ()

    def with_mended(self, points: Sequence[int]) -> Self:
        """Add points that a reading gave or cost wrongly, by player, and leave all else as it is."""
        mended = tuple(map(sum, zip(points, self.mended or (0,) * len(self.players), strict=True)))
        return replace(self, mended=mended)  # type: ignore[type-var]

    def _with_mended(self, points: Sequence[int]) -> tuple[int, ...]:
        return tuple(map(sum, zip(points, self.mended, strict=True))) if self.mended else tuple(points)

    @abstractmethod
    def _apply(self, event: Any) -> Self:
        """Return the state after an event of this game."""

    def _taken_up(self) -> Self:
        """Return what the rules make of this state at once, where no event led to it: a round that is over ends."""
        return self

    def after(self, event: Event) -> Self:
        """Return the state after an event; this state stays as it is.

        Raises
        ------
        RuleError
            When the event is against the rules: names the rule, what was tried and what is allowed now.
        """
        if type(event) not in (*self.events, Amend):
            raise self.refusal("of the game", f"the event {event.name or type(event).__name__!r}, which {self.game} does not know")
        if self.is_over:
            raise self.refusal("of the game", f"the event {event.name!r} after the end")
        player = getattr(event, "player", None)
        if player is not None and not 0 <= player < len(self.players):
            raise self.refusal("of the game", f"player number {player} of {len(self.players)} (counted from 0)")
        if event.at_s is not None and not event.at_s >= self.clock_s:
            raise self.refusal("of the game", f"an event at {event.at_s:.3f} s after one at {self.clock_s:.3f} s")
        now = self if event.at_s is None else replace(self, clock_s=event.at_s)  # type: ignore[type-var]
        return now._amended(event) if isinstance(event, Amend) else now._apply(event)

    def _amended(self, event: Amend) -> Self:
        try:
            changes = json_of(event.changes)
            if not isinstance(changes, dict) or _NOT_ON_THE_TABLE & set(changes):
                raise RecordError(f"expected fields of the state, got {event.changes:.80}; name some that a table can show")
            state = from_json(type(self), {**to_json(self), **changes, "notice": event.reason})
        except ValueError as error:
            raise self.refusal("of the game", f"an amendment that cannot be read ({error})") from error
        if state.findings:
            raise self.refusal(state.findings[0].rule, f"an amendment after which {state.findings[0].text}")
        if state.is_over:
            raise self.refusal("of the game", "an amendment that ends the game; it ends by its rules alone")
        state = state._taken_up()
        if not (state.is_over or state.legal):
            raise self.refusal("of the game", "an amendment after which nobody could go on")
        return state

    def refusal(self, rule: str, tried: str) -> RuleError:
        """Make the error for an event against a rule."""
        allowed = tuple(dict.fromkeys(choice.label for choice in self.legal))
        told = "; ".join(allowed) or "nothing, the game is over"
        return RuleError(f"rule {rule}: tried {tried}; allowed now: {told}", rule=rule, tried=tried, allowed=allowed)

    def to_json(self) -> dict[str, Any]:
        """Write as an object whose ``game`` names the game; `visionset.games.game.Game.parse_state` reads it."""
        return {"game": self.game, **to_json(self)}


def seat_findings(state: State, each: Iterable[Sequence[Any]], seats: Iterable[int] = ()) -> tuple[Finding, ...]:
    """Find what does not fit the number of players; only without such a finding can the rest of a state be looked at.

    Parameters
    ----------
    state : State
        Where the game stands.
    each : iterable of sequence
        Values that are there once for each player.
    seats : iterable of int
        Numbers of players.
    """
    count = len(state.players)
    found = [
        Finding("of the game", f"{len(values)} players have what {count} should have; name each once")
        for values in each
        if len(values) != count
    ]
    found += [
        Finding("of the game", f"there is a player number {seat} of {count} (counted from 0); name one who plays")
        for seat in seats
        if not 0 <= seat < count
    ]
    return tuple(found)


def leaders(points: Sequence[int]) -> tuple[int, ...]:
    """Give the places of the largest value: more than one for a tie."""
    return tuple(place for place, value in enumerate(points) if value == max(points))


def swapped(values: Sequence[Any], place: int, value: Any) -> tuple[Any, ...]:
    """Copy a sequence with one value replaced."""
    return (*values[:place], value, *values[place + 1 :])


def add_points(points: Sequence[int], place: int, gain: int) -> tuple[int, ...]:
    """Copy a sequence of points with some added at one place.

    >>> add_points((3, 0, 1), 1, 2)
    (3, 2, 1)
    """
    return swapped(points, place, points[place] + gain)
