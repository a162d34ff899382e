"""Game: how a game starts and reads its JSON; History: a game so far as its events, with undo.

A little longer than most modules: undo and correction are what a history is for, and read only together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import Any, Self

from visionset.codec import from_json, to_json
from visionset.errors import OptionError, RecordError, RuleError, check_type
from visionset.games.base import Amend, Event, Rule, together
from visionset.games.correction import Correct, Mended, decoded, piece_code, pieces_in, read_off, told_otherwise, with_piece
from visionset.games.spec import GameSpec
from visionset.games.telling import event_words, reason_or_event
from visionset.messages import Message, Words, in_own_words
from visionset.pieces import Piece


@dataclass(frozen=True)
class Game:
    """A game that can be played."""

    spec: GameSpec
    """The folder that it is part of, with its name and its other parts."""
    state: Any
    """Its states; ``state.begin(options, players)`` makes the first."""
    options: Any
    """Frozen dataclass of its options; every default is a rule of the sources."""
    presets: Mapping[str, Any]
    """Options by name, one for each source that differs."""
    min_players: int
    max_players: int
    from_file: Mapping[str, Callable[[Path], Any]] = field(default_factory=dict)
    """Options that are read from a file, by name: each takes a path."""
    keeps_scores: bool = False
    """Each player has a place among all who ever played it."""

    @property
    def name(self) -> str:
        """Name on the command line and in the store."""
        return self.spec.name

    @property
    def title(self) -> str:
        """Name in the language that is spoken."""
        return in_own_words(f"{self.name}.title", self.spec.title)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules as the program holds them."""
        return self.spec.book.rules

    def start(self, options: Any = None, players: Sequence[str] = ()) -> Any:
        """Return the first state, with the default options where none are given.

        Names come in the order of the seats clockwise: "Player 1" and so on, in the language that is spoken, for the smallest table when
        left out; one string is one name. Raises `RuleError` for too few or too many players, or a name that is there twice, and
        `OptionError` for options of another game, those of a subclass too, and for names that are no texts.
        """
        if options is not None and type(options) is not self.options:  # what a subclass adds, no game that is kept could be read with
            raise OptionError(f"expected {self.options.__name__}, got {options!r:.80}; visionset rules {self.name} names the house rules")
        check_type(players, Sequence, "players as a tuple of names", "write it as ('Ann', 'Bo')")
        given = (players,) if isinstance(players, str) else tuple(players)
        for name in given:
            check_type(name, str, "the name of a player", "write it as a text")
        names = given or tuple(str(Message("page.start.player", number=number)) for number in range(1, self.min_players + 1))
        self._check_seats(len(names))
        if len(set(names)) != len(names):
            raise RuleError(Message("game.refused.same_names", names=tuple(names)))
        return self.state.begin(self.options() if options is None else options, names)

    def _check_seats(self, count: int) -> None:
        """Raises `RuleError` for too few or too many players."""
        least, most = self.min_players, self.max_players
        if least <= count <= most:
            return
        if least == most:
            raise RuleError(Message("game.refused.so_many_players", number=least, name=self.title, count=count))
        raise RuleError(Message("game.refused.players", min_players=least, max_players=most, name=self.title, count=count))

    def parse_event(self, data: Mapping[str, Any]) -> Event:
        """Read an event from its JSON; raises `RecordError` where it does not fit."""
        names = {kind.name: kind for kind in (*self.state.events, Amend, Correct)}
        name = data.get("event") if isinstance(data, Mapping) else None
        kind = names.get(name) if isinstance(name, str) else None
        if kind is None:
            raise RecordError(f"expected an event named {', '.join(names)}, got {data!r:.80}; name one of them")
        event: Event = from_json(kind, {key: value for key, value in data.items() if key != "event"})
        return event

    def parse_state(self, data: Mapping[str, Any]) -> Any:
        """Read a state from its JSON, an impossible one too: its `findings` explain it; `RecordError` where it is none of this game's."""
        if not isinstance(data, Mapping) or data.get("game") != self.name:
            raise RecordError(f"expected a state of {self.name}, got {data!r:.80}; pick the game that wrote it")
        try:
            state = from_json(self.state, {key: value for key, value in data.items() if key != "game"})
            if type(state.options) is not self.options:  # a state may leave the type of its options to `State`
                state = replace(state, options=from_json(self.options, state.options))
            self._check_seats(len(state.players))
        except RuleError as error:  # house rules that nobody can play by, or players
            raise RecordError(str(error)) from error
        return state

    def replay(self, events: Iterable[Event], options: Any = None, players: Sequence[str] = ()) -> Any:
        """Return the state after all the events; raises as `start` does, and `RuleError` for an event that is against the rules."""
        check_type(events, Iterable, "events", "a History has them as history.events")
        return reduce(self.state.after, events, self.start(options, players))


def _check_game(game: object) -> None:
    check_type(game, Game, "a Game", "GAMES['set'] of visionset.games.registry is one")


class _OtherPieces(RuleError):
    """An event that names places would be about other pieces, such as those that have moved up."""


@dataclass(frozen=True, slots=True)
class History:
    """A game so far, as the events that made it: what a store keeps, and what undo needs.

    Examples
    --------
    >>> from visionset.games.solitaire.rules import GAME, Deal, Take
    >>> from visionset.pieces import SET_DECK
    >>> history = History.begin(GAME).then(Deal(SET_DECK[:12])).then(Take((0, 1, 2)))
    >>> len(history.events), history.undone().state == history.before[1]
    (2, True)
    """

    game: Game
    options: Any
    players: tuple[str, ...]
    events: tuple[Event, ...]
    state: Any
    standing: tuple[Event, ...] = ()
    """As they are told since the last correction; a `Correct` is not among them."""
    before: tuple[Any, ...] = ()
    """The state before each of `standing`."""
    told: tuple[Event, ...] = ()
    """The same events as `standing`, but where a correction is contradicted by what came later, so that only the points followed it."""

    @classmethod
    def begin(cls, game: Game, options: Any = None, players: Sequence[str] = ()) -> Self:
        """Start a game and its history; raises as `Game.start` does, and `OptionError` for what is no game."""
        _check_game(game)
        state = game.start(options, players)
        return cls(game, state.options, state.players, (), state)

    def then(self, event: Event) -> Self:
        """Return the history with one more event; raises `RuleError` when it is against the rules."""
        if isinstance(event, Correct):
            return replace(self._corrected(event), events=(*self.events, event))
        return replace(self._followed(event), events=(*self.events, event))

    def after(self, number: int) -> Any:
        """The state after one of the events that stand, counted from 0; after -1 it is the first."""
        return self.before[number + 1] if number + 1 < len(self.before) else self.state

    def undone(self) -> Self:
        """Return the history with one event fewer; the first state stays."""
        return reduce(type(self).then, self.events[:-1], self.begin(self.game, self.options, self.players))

    def _followed(self, event: Event) -> Self:
        state = self._mended(event) if isinstance(event, Mended) else self.state.after(event)
        return self._with(event, state)

    def _with(self, event: Event, state: Any) -> Self:
        return replace(self, state=state, standing=(*self.standing, event), before=(*self.before, self.state), told=(*self.told, event))

    def _otherwise(self, told: tuple[Event, ...], correct: Correct) -> tuple[Event, ...]:
        """Events as they are told, with one piece otherwise; raises RuleError where none read such a piece there."""
        if not 0 <= correct.number < len(told):
            raise RuleError(Message("game.refused.no_such_event", last=len(told) - 1, number=correct.number))
        wrong = told[correct.number]
        try:
            instead = self.game.parse_event(told_otherwise(wrong, correct.place, correct.piece))
        except RecordError as error:
            event = Message(f"event.{wrong.name}")
            raise RuleError(Message("game.refused.no_such_reading", event=event, piece=correct.piece, error=str(error))) from error
        return (*told[: correct.number], instead, *told[correct.number + 1 :])

    def _telling(self, number: int) -> tuple[tuple[Event, ...], bool]:
        """What happened as people tell it, so that it can be followed past an event at least, and whether points were mended in it.

        Where they contradict themselves before, it happened as it was read: the game went on from that, and points were mended. An event
        that would not have been allowed as they tell it is what they say that it was.
        """
        history, refused = self._follow(self.told)
        told, reached, needed = self.told, len(history.standing), min(number + 1, len(self.told))
        if reached == number < len(told) and not isinstance(refused, _OtherPieces):
            return told, False
        while reached < needed:
            told = (*self.standing[: reached + 1], *told[reached + 1 :])
            reached = len(self._follow(told, is_mended=True)[0].standing)
        return (told, False) if told is self.told else (self._said_too(told, needed), True)

    def _said_too(self, told: tuple[Event, ...], needed: int, besides: Correct | None = None) -> tuple[Event, ...]:
        """The same with what people have said, besides a piece, as far as so many events can be followed with it."""
        for at, (said, read) in enumerate(zip(map(read_off, self.told), map(read_off, told), strict=True)):
            for place in (place for place, (now, was) in enumerate(zip(said, read, strict=False)) if now != was):
                if besides is not None and (at, place) == (besides.number, besides.place):
                    continue
                also = self._otherwise(told, Correct(at, place, said[place]))
                told = also if len(self._follow(also, is_mended=True)[0].standing) >= needed else told
        return told

    def _follow(self, told: tuple[Event, ...], *, is_mended: bool = False) -> tuple[Self, RuleError | None]:
        """Follow events as far as the rules allow and the same pieces are judged; the refusal of the first where that ends.

        Points that were mended are left out, unless `is_mended`.
        """
        same = next((at for at, (one, event) in enumerate(zip(told, self.standing, strict=False)) if one is not event), len(told))
        history = self
        if same < len(self.standing):
            kept = self.standing[:same]
            history = replace(self, state=self.before[same], standing=kept, before=self.before[:same], told=kept)
        otherwise = {pair for pair in zip(self.standing, told, strict=False) if pair[0] is not pair[1]}
        renamed = {pair for was, now in otherwise for pair in zip(read_off(was), read_off(now), strict=False)}
        try:
            for at, event in enumerate(told[same:], same):
                if isinstance(event, Mended) and not is_mended:
                    history = history._with(event, history.state)
                    continue
                self._check_same_pieces(at, history.state, event, renamed)
                history = history._followed(event)
        except RuleError as error:
            return history, error
        return history, None

    def _check_same_pieces(self, number: int, state: Any, event: Event, renamed: Set[tuple[str | int, str | int]]) -> None:
        """Raises `_OtherPieces` where an event, as it is told, is about other pieces than when it was read."""
        was, read = self.before[number], self.standing[number]
        now, before = (Counter(map(piece_code, judged)) for judged in (state.judged(event), was.judged(read)))
        which = state.which(event)
        if which is not None:
            others = (now - before or now) if which != was.which(read) else Counter()
        else:
            others = Counter(code for code in now - before if not any((one, code) in renamed for one in before - now))
        for code in others:
            raise _OtherPieces(Message("game.refused.elsewhere", piece=decoded(code)))

    def _corrected(self, correct: Correct) -> Self:
        """Tell an event otherwise; where what came later contradicts that, only the points follow.

        What rests on the piece and would not have been allowed with it as it is brought nobody anything; nor did what came after an end
        to which it leads. Refused is what would change neither points nor pieces.
        """
        told, was = self._otherwise(self.told, correct), read_off(self.told[correct.number])[correct.place]
        history, refused = self._follow(told)
        if refused is None or (history.state.is_over and not self._rests_on(was, len(history.standing))):
            return self._as_told(told[: len(history.standing)], was, correct)
        points, reached, is_void = self._gained(self.told, told, correct.number, was)
        later, contradicted, (real, is_mended) = reached, len(self._follow(self.told)[0].standing), self._telling(len(self.told))
        if is_mended:  # from there on it happened as it was read, but for what was said of the same event
            more, later = self._gained_since(real, correct, contradicted)
            less, before = self._gained_since(real, replace(correct, piece=was), contradicted)  # by what it was said to be before
            later = max(later, before)
            points = tuple(now + a - b for now, a, b in zip(points, more, less, strict=True))
        if not isinstance(refused, _OtherPieces) and self._changed_nothing(len(history.standing), told):
            return self._as_told(told[: len(history.standing)], was, correct)
        mended = self._followed(Mended(points, correct.number, was, correct.piece))
        is_renamed = pieces_in(mended.state.to_json()) != pieces_in(self.state.to_json())
        if max(reached, later) <= correct.number or (self.told == self.standing and not any(points) and not is_renamed):
            raise refused
        event = event_words(self.standing[len(history.standing)], history.state)
        mended = replace(mended, told=(*told, mended.standing[-1]))
        void, kept = Message("game.notice.not_allowed_so", event=event), Message("game.notice.only_the_points", later=event)
        why = void if is_void else kept if any(points) else ""
        return mended._noting(together(self._mended_words(was, correct, mended.state), why))

    def _changed_nothing(self, since: int, told: tuple[Event, ...]) -> bool:
        """Whether all events since one are takes that changed neither points nor table, such as one that won a roll-off."""
        states = [(one, tuple(one.scores), getattr(one, "table", one)) for one in (*self.before, self.state)]
        return all(states[at][0].judged(told[at]) and states[at][1:] == states[at + 1][1:] for at in range(since, len(told)))

    def _as_told(self, told: tuple[Event, ...], was: str | int, correct: Correct) -> Self:
        """Everything as it is told now, from the beginning; points that were mended before follow by themselves."""
        history = self.begin(self.game, self.options, self.players)
        for event in (event for event in told if not isinstance(event, Mended)):
            history = history._followed(event)
        return history._noting(self._mended_words(was, correct, history.state))

    def _gained_since(self, real: tuple[Event, ...], correct: Correct, since: int) -> tuple[tuple[int, ...], int]:
        """Points that a piece makes since an event, beside what it was read as, and how far they can be told."""
        otherwise, read = self._otherwise(real, correct), read_off(real[correct.number])[correct.place]
        if read == correct.piece:
            return (0,) * len(self.players), since
        real = self._said_too(real, len(self._follow(otherwise, is_mended=True)[0].standing), correct)
        points, reached, _ = self._gained(real, self._otherwise(real, correct), correct.number, read, since)
        return points, reached

    def _gained(
        self, told: tuple[Event, ...], otherwise: tuple[Event, ...], number: int, was: str | int, since: int = 0
    ) -> tuple[tuple[int, ...], int, bool]:
        """Points that a piece makes since an event, how far they can be told, and whether the next event was not allowed with it."""
        (before, _), (now, refused) = (self._follow(events, is_mended=since > 0) for events in (told, otherwise))
        reached = min(len(now.standing), len(before.standing))
        is_void = reached > number and not isinstance(refused, _OtherPieces) and before._rests_on(was, reached)
        if reached < since:
            return (0,) * len(self.players), reached, False
        ends = now._scores(reached), before._scores(reached + is_void), now._scores(since), before._scores(since)
        return tuple(a - b - (c - d) for a, b, c, d in zip(*ends, strict=True)), reached, is_void

    def _rests_on(self, piece: str | int, number: int) -> bool:
        """Whether one of the events that stand rests on such a piece, as it is written."""
        if number >= len(self.standing):
            return False
        return piece in map(piece_code, self.before[number].grounds(self.standing[number]))

    def _scores(self, number: int) -> tuple[int, ...]:
        """Points before one of the events that stand, or after the last."""
        return tuple(self.after(number - 1).scores)

    def _mended(self, event: Mended) -> Any:
        """The state with other points, and with the piece as it is where there is one such piece and no rule against it.

        The value of a pip die is no name, since the same number may count what is circled: it is looked for where the last roll stands.
        """
        state = self.state.with_mended(event.points)
        shown = data = state.to_json()
        if not isinstance(event.was, str):
            is_last = not any(later.readings for later in self.standing[event.number + 1 :])
            roll = read_off(self.told[event.number])
            shown = {name: value for name, value in data.items() if is_last and isinstance(value, list) and pieces_in(value) == roll}
        if pieces_in(shown).count(event.was) != 1:
            return state
        renamed = self.game.parse_state({**data, **with_piece(shown, pieces_in(shown).index(event.was), event.piece)})
        return state if renamed.findings else renamed

    def _noting(self, notice: Words) -> Self:
        return replace(self, state=replace(self.state, notice=notice))

    def _mended_words(self, was: str | int, correct: Correct, state: Any) -> Message:
        """What a piece was, and who got or lost points by that since this history."""
        points = zip(self.players, state.scores, self.state.scores, strict=True)
        gained = tuple(Message("game.notice.gained", name=name, points=now - before) for name, now, before in points if now != before)
        told = gained or (Message("game.notice.no_points_change"),)
        return Message("game.notice.was", read=decoded(was), piece=decoded(correct.piece), gained=told)

    def correction(self, number: int, place: int, piece: Piece) -> Correct:
        """Find the reading to correct, so that a piece by which an event was judged becomes another one.

        `number` counts the events that stand, `place` the pieces of `State.judged`. Raises `RuleError` where no reading makes it that
        piece, because it is known to be elsewhere.
        """
        judged, (told, is_mended) = self.judged(number), self._telling(number)
        wanted = (*judged[:place], piece, *judged[place + 1 :])
        refused, known = RuleError(Message("game.refused.elsewhere", piece=piece)), pieces_in(self.before[number].to_json())
        for origin in range(number, -1, -1):
            for index, leaf in enumerate(read_off(told[origin])):
                if leaf == piece_code(judged[place]):
                    said, read = (read_off(events[origin])[index] for events in (self.told, self.standing))
                    if said == piece_code(piece) and said != read:  # its points are mended already
                        refused = RuleError(Message("game.refused.said_already", piece=decoded(said)))
                        continue
                    correct = Correct(origin, index, piece_code(piece))
                    try:
                        history, error = self._follow(self._otherwise(told, correct)[: number + 1], is_mended=is_mended)
                    except RuleError:
                        continue  # what is written alike, but is no such piece
                    is_void = error is not None and not isinstance(error, _OtherPieces) and origin < len(history.standing) <= number
                    is_void = is_void and history.state.judged(told[number]) == wanted
                    if is_void or (error is None and history.before[number].judged(history.standing[number]) == wanted):
                        return correct
                    if error is not None and piece_code(piece) not in known:  # else nobody asks which rule the piece breaks in its place
                        refused = error
        raise refused

    def judged(self, number: int) -> tuple[Piece, ...]:
        """Pieces by which one of the events that stand was judged, as people say that they are."""
        told, is_mended = self._telling(number)
        history, _ = self._follow(told, is_mended=is_mended)
        pieces: tuple[Piece, ...] = history.after(number - 1).judged(told[number])
        return pieces

    @classmethod
    def from_json(cls, game: Game, data: Mapping[str, Any]) -> Self:
        """Read a history and replay it; raises `RecordError` or `RuleError` for one that no game can have made."""
        _check_game(game)
        if not isinstance(data, Mapping) or data.get("game") != game.name or not isinstance(data.get("events"), list):
            raise RecordError(f"expected a history of {game.name} with its events, got {data!r:.80}; pick the game that wrote it")
        players: tuple[str, ...] = from_json(tuple[str, ...], data.get("players"))
        history = cls.begin(game, from_json(game.options, data.get("options")), players)
        return reduce(cls.then, map(game.parse_event, data["events"]), history)

    def to_json(self) -> dict[str, Any]:
        """Write game, options, players and events; the state follows from them."""
        events = [event.to_json() for event in self.events]
        return {"game": self.game.name, "options": to_json(self.options), "players": list(self.players), "events": events}


def undone_words(before: History, after: History) -> Message:
    """Say what was taken back between two histories of a match: ``taken back: Ann takes three (Ann -1)``; points as they had been given."""
    gone = list(zip(before.standing, before.before, strict=True))[len(after.standing) :]
    of_players = [(event, state) for event, state in gone if getattr(event, "player", None) is not None]
    what = tuple(reason_or_event(event, state) for event, state in of_players or gone) or (event_words(before.events[-1], after.state),)
    scores = zip(after.players, before.state.scores, after.state.scores, strict=True)
    points = tuple(Message("game.notice.gained", name=name, points=now - then) for name, now, then in scores if now != then)
    return Message("game.notice.undone_points", what=what, points=points) if points else Message("game.notice.undone", what=what)
