"""The few nouns that every game is made of: State, Event, Prompt, Choice, Finding, Hint, Rule.

A game is a fold: ``state = game.start(options, players)``, then ``state = state.after(event)`` again and again.
States and events are frozen values; undo is replaying one event fewer. Longer than most modules: each noun is short, and what they say
to each other is read in one place.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, ClassVar, Self, TypeVar

from visionset.codec import changed, to_json
from visionset.errors import RecordError, RuleError
from visionset.messages import Message, Worded, Words, in_words
from visionset.pieces import Piece
from visionset.untrusted import json_of

P = TypeVar("P", bound=Piece)

DEALER = Message("to.dealer")
EVERYONE = Message("to.everyone")

OF_THE_GAME = "of the game"
"""In place of the number of a rule: what holds for every game."""


def as_name(text: str) -> str:
    """The name of a player as somebody wrote it, but for spaces that nobody sees: two that look alike are one."""
    return " ".join(text.split())


def addressed(to: Words, what: Words) -> Message:
    """Say something to somebody at the table."""
    return Message("addressed", to=to, what=what)


def by_rule(rule: str, why: Words) -> Message:
    """Say something with the rule that it rests on."""
    return Message("by_rule", rule=Message("rule.of_the_game") if rule == OF_THE_GAME else rule, why=why)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at the table."""

    name: ClassVar[str] = ""
    """How records call it: as its class, in small letters with underscores, where it does not say otherwise."""
    readings: ClassVar[tuple[str, ...]] = ()
    """Fields that hold pieces as they were read off the table."""
    stays: ClassVar[bool] = False
    """It is not taken back, as what comes before it may be: what was seen stays seen."""
    at_s: float | None = field(default=None, kw_only=True)
    """When, in seconds since the game began; None where the time does not matter."""

    def __init_subclass__(cls) -> None:
        if "name" not in vars(cls):
            cls.name = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()

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
    """

    changes: str
    """JSON object of the fields that change, as the state writes them."""
    reason: Words

    @classmethod
    def of(cls, reason: Words, at_s: float | None = None, **changes: Any) -> Self:
        """Make the event from the new values of fields."""
        return cls(json.dumps({field: to_json(value) for field, value in changes.items()}), reason, at_s=at_s)


@dataclass(frozen=True, slots=True)
class Prompt(Worded):
    """What somebody at the table should do now."""

    to: Words
    """A player's name, "Dealer" or "All"."""
    message: Message
    at: tuple[int, ...] = ()
    """Positions into the state's table that the words talk about; empty when they talk about none."""

    def __str__(self) -> str:
        return in_words(addressed(self.to, self.message))


class Form(Enum):
    """How a value that an event wants is given."""

    VALUE = "one value"
    LIST = "several pieces by their positions from 0, which people count from 1 or click at"
    PLACINGS = "dice of a hand, each with the cell where it is laid, and with what a WILD stands for"
    WILDS = "a face for each WILD among the dice of the hand that were named before"
    CHANCE = "nobody says it: pack, bag or dice bring it"


@dataclass(frozen=True, slots=True)
class Need(Worded):
    """One value that an event still wants."""

    field: str
    """Name of the event's field."""
    message: Message
    values: tuple[int | str, ...] = ()
    """What it may be, as JSON; empty where any value of the field's type may come."""
    count: int | None = None
    """How many of them make the field's list; None for a single value or any number."""
    form: Form = Form.VALUE

    @classmethod
    def by_chance(cls, field: str, message: Message, values: tuple[int | str, ...] = (), count: int | None = None) -> Self:
        """Make one that nobody is asked for."""
        return cls(field, message, values, count, Form.CHANCE)


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may be done now: enough for a page to draw a button."""

    message: Message
    event: str
    """Name of the event that it makes."""
    player: int | None = None
    """Who may do it; None for the table: chance, the dealer, everyone."""
    needs: tuple[Need, ...] = ()
    """What must be filled in first."""
    fixed: tuple[tuple[str, int | str], ...] = ()
    """Fields that are settled already, the player among them."""

    @property
    def label(self) -> str:
        """What the button says, in words."""
        return in_words(self.message)

    def filled(self, **values: Any) -> dict[str, Any]:
        """Give the JSON of the event, with the values that it still wanted."""
        player = {} if self.player is None else {"player": self.player}
        return {"event": self.event, **player, **dict(self.fixed), **values}


@dataclass(frozen=True, slots=True)
class Hint(Worded):
    """A hint."""

    message: Message
    at: tuple[int, ...] = ()
    """Positions that it gives away."""


@dataclass(frozen=True, slots=True)
class Finding(Worded):
    """Something on the table, or in a state, that the rules do not know."""

    rule: str
    """Number of the rule, such as ``S1``."""
    message: Message
    at: tuple[int, ...] = ()
    """Positions of the pieces concerned."""

    @classmethod
    def where(cls, *cases: tuple[object, str, Message] | tuple[object, str, Message, tuple[int, ...]]) -> tuple[Self, ...]:
        """Make those whose case holds, each told as whether it holds, rule, message and positions."""
        return tuple(cls(*finding) for holds, *finding in cases if holds)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return in_words(by_rule(self.rule, self.message))


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered rule as the program holds it."""

    number: str
    """Such as ``S4``."""
    text: str
    options: tuple[str, ...] = ()
    """Fields of the game's options that change it."""


_NOT_ON_THE_TABLE = frozenset({"game", "options", "players", "mended", "clock_s", "notice"})
"""Fields that no table shows: an amendment leaves them alone."""


@dataclass(frozen=True, slots=True)
class State(ABC):
    """Where a game stands. Subclasses are frozen dataclasses too, with fields for what lies on the table."""

    game: ClassVar[str]
    events: ClassVar[tuple[type[Event], ...]]
    options: Any
    players: tuple[str, ...]
    mended: tuple[int, ...] = field(default=(), kw_only=True)
    """Points by player that readings gave or cost wrongly; empty where none did."""
    clock_s: float = field(default=0.0, kw_only=True)
    """When the last event happened, in seconds since the game began."""
    notice: Words = field(default="", kw_only=True)
    """What the last event brought about."""

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

    def names_of(self, seats: Iterable[int]) -> tuple[str, ...]:
        """Names of some players."""
        return tuple(self.players[seat] for seat in seats)

    def leading(self, points: Sequence[int]) -> tuple[str, ...]:
        """Names of those with the most points, of these by player."""
        return self.names_of(leaders(points))

    def called(self, seats: Iterable[int]) -> Words:
        """How some players are spoken to at once."""
        names = self.names_of(seats)
        return names[0] if len(names) == 1 else Message("to.several", names=names)

    @property
    @abstractmethod
    def findings(self) -> tuple[Finding, ...]:
        """What in this state the rules do not allow: always empty for a state that events led to."""

    def judged(self, event: Event) -> tuple[Piece, ...]:
        """Pieces whose readings give or cost points by this event; empty for an event that no reading decides."""
        return ()

    def grounds(self, event: Event) -> tuple[Piece, ...]:
        """Pieces without which this event would not have been allowed: those by which it is judged, and others where it rests on them."""
        return self.judged(event)

    def which(self, event: Event) -> tuple[int, ...] | None:
        """Which of the pieces that were thrown an event is about, where others move up; None where a place always holds the same piece."""
        return None

    def with_mended(self, points: Sequence[int]) -> Self:
        """Add points that a reading gave or cost wrongly, by player, and leave all else as it is."""
        mended = tuple(map(sum, zip(points, self.mended or (0,) * len(self.players), strict=True)))
        return replace(self, mended=mended)

    def _with_mended(self, points: Sequence[int]) -> tuple[int, ...]:
        return tuple(map(sum, zip(points, self.mended, strict=True))) if self.mended else tuple(points)

    def _apply(self, event: Any) -> Self:
        """Return the state after an event of this game: by the method of the event's name, ``_take`` for a ``take``."""
        state: Self = getattr(self, f"_{event.name}")(event)
        return state

    def _taken_up(self) -> Self:
        """Return what the rules make of this state at once, where no event led to it: a round that is over ends."""
        return self

    def after(self, event: Event) -> Self:
        """Return the state after an event, or raise `RuleError`, which names the rule, what was tried and what is allowed."""
        if type(event) not in (*self.events, Amend):
            tried = getattr(event, "name", "") or type(event).__name__
            raise self.refusal(OF_THE_GAME, "game.tried.unknown_event", event=tried, game=self.game)
        if self.is_over:
            raise self.refusal(OF_THE_GAME, "game.tried.after_end", event=Message(f"event.{event.name}"))
        player = getattr(event, "player", None)
        if player is not None and not 0 <= player < len(self.players):
            raise self.refusal(OF_THE_GAME, "game.tried.no_such_player", player=player, count=len(self.players))
        if event.at_s is not None and not event.at_s >= self.clock_s:
            raise self.refusal(OF_THE_GAME, "game.tried.earlier_event", at_s=event.at_s, clock_s=self.clock_s)
        now = self if event.at_s is None else replace(self, clock_s=event.at_s)
        return now._amended(event) if isinstance(event, Amend) else now._apply(event)

    def _amended(self, event: Amend) -> Self:
        try:
            changes = json_of(event.changes)
            if not isinstance(changes, dict) or _NOT_ON_THE_TABLE & set(changes):
                raise RecordError(f"expected fields of the state, got {event.changes:.80}; name some that a table can show")
            state = changed(self, {**changes, "notice": to_json(event.reason)})
        except ValueError as error:
            raise self.refusal(OF_THE_GAME, "game.tried.broken_amendment", error=str(error)) from error
        if state.findings:
            raise self.refusal(state.findings[0].rule, "game.tried.wrong_amendment", finding=state.findings[0].message)
        if state.is_over:
            raise self.refusal(OF_THE_GAME, "game.tried.ending_amendment")
        state = state._taken_up()
        if not (state.is_over or state.legal):
            raise self.refusal(OF_THE_GAME, "game.tried.dead_amendment")
        return state

    def refusal(self, rule: str, code: str, /, **args: object) -> RuleError:
        """Make the error for an event against a rule; code and arguments are those of the message that says what was tried."""
        tried = Message(code, **args)
        allowed = tuple(dict.fromkeys(choice.message for choice in self.legal))
        return RuleError(by_rule(rule, refused(tried, allowed)), rule=rule, tried=tried, allowed=allowed)

    def check_three(self, rule: str, at: Sequence[int], table: Sequence[Piece | None]) -> None:
        """Refuse to take anything but three different positions of a table at which a piece lies."""
        if len(at) != 3 or has_twice(at) or not all(0 <= place < len(table) and table[place] is not None for place in at):
            raise self.refusal(rule, "game.tried.taking", at=tuple(at) or (Message("none"),), count=len(table))

    def to_json(self) -> dict[str, Any]:
        """Write as an object whose ``game`` names the game; `visionset.games.game.Game.parse_state` reads it."""
        return {"game": self.game, **to_json(self), "notice": in_words(self.notice)}


def refused(tried: Words, allowed: Sequence[Words]) -> Message:
    """Say what is not allowed, and what is instead."""
    return Message("refused", tried=tried, allowed=tuple(allowed) or (Message("nothing_is_allowed"),))


def seat_findings(state: State, each: Iterable[Sequence[Any]], seats: Iterable[int] = ()) -> tuple[Finding, ...]:
    """Find what does not fit the number of players; only without such a finding can the rest of a state be looked at.

    `each` are values that are there once for each player, `seats` are numbers of players.
    """
    count = len(state.players)
    counts = [len(values) for values in each]
    return Finding.where(
        *((had != count, OF_THE_GAME, Message("game.finding.players", count=had, wanted=count)) for had in counts),
        *((not 0 <= seat < count, OF_THE_GAME, Message("game.finding.no_such_player", seat=seat, count=count)) for seat in seats),
    )


def has_twice(values: Sequence[Hashable]) -> bool:
    """Tell whether a value is there more than once."""
    return len(set(values)) < len(values)


def together(*several: Words) -> Words:
    """Say several things that belong together; empty ones are left out."""
    said = tuple(one for one in several if one)
    return said[0] if len(said) == 1 else Message("together", several=said) if said else ""


def sentences(*several: Words) -> Words:
    """Say several things one after the other; empty ones are left out."""
    said = tuple(one for one in several if one)
    return said[0] if len(said) == 1 else Message("sentences", several=said) if said else ""


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


def trios(pieces: Sequence[P]) -> tuple[tuple[P, ...], ...]:
    """Part pieces into threes, in their order; the last are fewer where some are left over."""
    return tuple(tuple(pieces[start : start + 3]) for start in range(0, len(pieces), 3))
