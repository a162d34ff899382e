"""Game: how a game starts and reads its JSON; Record: a game so far as its events, with undo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from visionset.codec import from_json, to_json
from visionset.errors import RecordError, RuleError
from visionset.games.base import Amend, Event, Rule


@dataclass(frozen=True)
class Game:
    """A game that can be played.

    Attributes
    ----------
    name, title : str
        Name on the command line and name on the page.
    state : type of State
        Its states; ``state.begin(options, players)`` makes the first.
    options : type
        Frozen dataclass of its options; every default is a rule of the sources.
    presets : mapping
        Options by name, one for each source that differs.
    min_players, max_players : int
        How many may play.
    rules : tuple of Rule
        The rules as the program holds them.
    """

    name: str
    title: str
    state: Any
    options: Any
    presets: Mapping[str, Any]
    min_players: int
    max_players: int
    rules: tuple[Rule, ...]

    def start(self, options: Any = None, players: Sequence[str] = ()) -> Any:
        """Return the first state.

        Parameters
        ----------
        options : options of the game, optional
            The defaults when left out.
        players : sequence of str, optional
            Names, in the order of the seats clockwise; "Player 1" and so on for the smallest table when left out.

        Raises
        ------
        RuleError
            For too few or too many players, or a name that is there twice.
        """
        names = tuple(players) or tuple(f"Player {number}" for number in range(1, self.min_players + 1))
        if not self.min_players <= len(names) <= self.max_players:
            raise RuleError(f"expected {self.min_players} to {self.max_players} players for {self.name}, got {len(names)}; name as many")
        if len(set(names)) != len(names):
            raise RuleError(f"expected different names, got {', '.join(names)}; tell them apart")
        return self.state.begin(self.options() if options is None else options, names)

    def parse_event(self, data: Mapping[str, Any]) -> Event:
        """Read an event from its JSON; raises `RecordError` where it does not fit."""
        names = {kind.name: kind for kind in (*self.state.events, Amend)}
        kind = names.get(data.get("event", "")) if isinstance(data, Mapping) else None
        if kind is None:
            raise RecordError(f"expected an event named {', '.join(names)}, got {data!r:.80}; name one of them")
        event: Event = from_json(kind, {key: value for key, value in data.items() if key != "event"})
        return event

    def parse_state(self, data: Mapping[str, Any]) -> Any:
        """Read a state from its JSON, an impossible one too: its `findings` explain it."""
        if not isinstance(data, Mapping) or data.get("game") != self.name:
            raise RecordError(f"expected a state of {self.name}, got {data!r:.80}; pick the game that wrote it")
        return from_json(self.state, {key: value for key, value in data.items() if key != "game"})

    def replay(self, events: Iterable[Event], options: Any = None, players: Sequence[str] = ()) -> Any:
        """Return the state after all the events."""
        state = self.start(options, players)
        for event in events:
            state = state.after(event)
        return state


@dataclass(frozen=True, slots=True)
class _Names:
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A game so far, as the events that made it: what a store keeps, and what undo needs."""

    game: Game
    options: Any
    players: tuple[str, ...]
    events: tuple[Event, ...]
    state: Any

    @classmethod
    def begin(cls, game: Game, options: Any = None, players: Sequence[str] = ()) -> Self:
        """Start a game and its record."""
        state = game.start(options, players)
        return cls(game, state.options, state.players, (), state)

    def then(self, event: Event) -> Self:
        """Return the record with one more event; raises `RuleError` when it is against the rules."""
        return replace(self, events=(*self.events, event), state=self.state.after(event))

    def undone(self) -> Self:
        """Return the record with one event fewer; the first state stays."""
        events = self.events[:-1]
        return replace(self, events=events, state=self.game.replay(events, self.options, self.players))

    @classmethod
    def from_json(cls, game: Game, data: Mapping[str, Any]) -> Self:
        """Read a record and replay it; raises `RecordError` or `RuleError` for one that no game can have made."""
        if not isinstance(data, Mapping) or data.get("game") != game.name or not isinstance(data.get("events"), list):
            raise RecordError(f"expected a record of {game.name}, got {data!r:.80}; pick the game that wrote it")
        record = cls.begin(game, from_json(game.options, data.get("options")), from_json(_Names, {"names": data.get("players")}).names)
        for event in data["events"]:
            record = record.then(game.parse_event(event))
        return record

    def to_json(self) -> dict[str, Any]:
        """Write game, options, players and events; the state follows from them."""
        events = [event.to_json() for event in self.events]
        return {"game": self.game.name, "options": to_json(self.options), "players": list(self.players), "events": events}
