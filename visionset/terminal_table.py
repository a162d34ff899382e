"""The virtual table in the terminal: asks people for their moves, and lets pack, dice and simple players go on."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console
from rich.text import Text

from visionset.errors import RecordError, RuleError, VisionsetError
from visionset.games.base import Choice, Event, Form, Need, State
from visionset.games.game import Game
from visionset.games.registry import SPECS
from visionset.games.virtual.bots import bot_move
from visionset.games.virtual.chance import chance, deadline
from visionset.games.virtual.undoing import SameChance, brought_anew, steps_back
from visionset.messages import Message, Words, at_table, in_words
from visionset.numbers import int_or_none
from visionset.pieces import SetDie
from visionset.store import Match, Store
from visionset.terminal_drawing import show


@dataclass(frozen=True, slots=True)
class TerminalTable:
    """A virtual table in the terminal."""

    store: Store
    console: Console
    ask: Callable[[str], str]
    """Gives the answer to a question; raises EOFError when there are no more."""
    advice: Callable[[State, int, int], Words]
    """Says what to play to a player who asks, at a state for the first, second or later time: from 1 on, more each time."""
    where: str = ""
    """Option with which the matches are found again, such as `` --data evenings``."""
    now_s: Callable[[], float] = time.monotonic
    """Seconds of a clock that never goes back: calls and takes are judged by it."""

    def play(self, match: Match, seed: int | str) -> Match:
        """Play a match to its end, or until the people stop; whatever happens is in the store before it is shown.

        Bots are simple players, in the last seats; pack, dice and bots follow from the seed.

        Raises
        ------
        OutputError
            The store cannot be written; the match is there as it was last shown.
        RuleError
            What pack, dice or a simple player do is against the rules of the game.
        StoreError
            Another program went on with the match.
        """
        chances, thoughts = SameChance(seed), random.Random(f"{seed} players {len(match.entries)}")
        game = match.history.game
        people = len(match.history.players) - len(match.summary.bots)
        began_s = self.now_s() - match.history.state.clock_s
        while not match.history.state.is_over or (people and self._takes_back_the_end(match)):
            if match.history.state.is_over:
                try:
                    match = self._taken_back(match, people, self.now_s() - began_s)
                except RuleError as error:  # nobody has had a choice
                    self.console.print(Text(str(error), style="red"))
                continue
            state, rng = match.history.state, chances.at(match.history)
            move: Event | str | None = chance(state, rng)
            is_asked = move is None and people > 0
            if move is not None and people and state.notice:  # else it is told with the table
                self.console.print(Text(at_table(state.notice)))
            if move is None:
                if people:
                    show(self.console, state)
                try:
                    move = self._next_move(state, game, people, rng, thoughts)
                    move = move if isinstance(move, str) else brought_anew(match.history, move, chances.at(match.history))
                except EOFError:
                    self._tell_stopped(match)
                    return match
                except KeyboardInterrupt:  # the line with the question is not ended
                    self.console.print()
                    self._tell_stopped(match)
                    raise
            try:
                if isinstance(move, Event):
                    for event in self._in_time(state, move, self.now_s() - began_s, people):
                        match = self.store.append(match, event)
                else:
                    match = self._taken_back(match, people, self.now_s() - began_s)
            except (RuleError, RecordError) as error:
                if not is_asked:  # a game whose chance or simple players break its rules: nobody can say anything else
                    raise
                self.console.print(Text(str(error), style="red"))
                continue
            if not people and match.history.state.notice and match.history.state.notice is not state.notice:  # what stands was told
                self.console.print(Text(at_table(match.history.state.notice)))
        if not people:
            show(self.console, match.history.state)
        return self.store.finish(match)

    def _takes_back_the_end(self, match: Match) -> bool:
        """Show how it has ended, and ask whether the last move was meant."""
        show(self.console, match.history.state)
        try:
            return self.ask(in_words(Message("play.at_the_end"))).strip().lower() == "u"
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            return False

    def _in_time(self, state: State, move: Event, now_s: float, people: int) -> tuple[Event, ...]:
        """The move with its time, after what happens where a person's time has run out: in its place, if it was that person's.

        Simple players move when people let them, at times of their own: none runs out of theirs meanwhile.
        """
        due = deadline(state)
        if move.at_s is not None:
            return (move,)
        at_s = max(now_s, state.clock_s)
        if due is None or now_s <= due.until_s:
            return (replace(move, at_s=at_s),)
        player = getattr(move, "player", None)
        if due.player >= people:
            return (replace(move, at_s=max(state.clock_s, min(at_s, due.until_s))),)
        if player in (None, due.player):
            self.console.print(Text(in_words(Message("play.too_late", player=state.players[due.player])), style="red"))
            return (due.event,)
        return due.event, replace(move, at_s=at_s)

    def _taken_back(self, match: Match, people: int, now_s: float) -> Match:
        for _ in range(steps_back(match.history, people=range(people), now_s=now_s)):
            match = self.store.undo(match)
        return match

    def _tell_stopped(self, match: Match) -> None:
        self.console.print(in_words(Message("play.stopped", match=f"{match.id}{self.where}")))

    def _next_move(self, state: State, game: Game, people: int, rng: random.Random, thoughts: random.Random) -> Event | str:
        """Give the next move, a person's where one has a choice, else a simple player's, who has thoughts; "undo" to take one back."""
        mine = [choice for choice in state.legal if choice.player is None or choice.player < people] if people else []
        # nobody types as fast as a tie of calls asks for
        mine = [choice for choice in mine if not (choice.event == "call" and bool(getattr(state, "claims", ())))]
        others = list(range(people, len(state.players)))
        hints = 0
        while mine:
            for number, choice in enumerate(mine, 1):
                self.console.print(Text(f"  {number}  {at_table(choice.message)}"))
            answer = self.ask(in_words(Message("play.which_move" if others else "play.which_move_alone"))).strip().lower()
            if answer == "q":
                raise EOFError
            if answer == "u":
                return "undo"
            if answer in ("?", "help"):
                self.console.print(in_words(Message("play.help" if others else "play.help_alone")))
            elif answer == "h":
                hints += 1
                self.console.print(Text(at_table(self._advised(state, mine, hints)), style="bold"))
            elif answer == "w" and others:
                move = _others_move(state, others, thoughts)
                if move is not None:
                    return move
                self.console.print(in_words(Message("play.others_wait")))
            elif (chosen := int_or_none(answer)) is not None and 1 <= chosen <= len(mine):
                try:
                    choice = mine[chosen - 1]
                    return game.parse_event(choice.filled(**self._values(state, choice, rng)))
                except _BackError:
                    continue
                except VisionsetError as error:
                    self.console.print(Text(str(error), style="red"))
            else:
                self.console.print(Text(in_words(Message("play.no_move", answer=answer)), style="red"))
        move = _others_move(state, others, thoughts)
        if move is None:
            raise EOFError
        return move

    def _advised(self, state: Any, mine: Sequence[Choice], hints: int) -> Words:
        """What to play, for the player whose turn it is; with the name where others play at this keyboard too."""
        movers = sorted({choice.player for choice in mine if choice.player is not None})
        current = getattr(state, "current", None)
        player = current if current in movers else movers[0] if movers else 0
        said, name = self.advice(state, player, hints), state.players[player]
        if not movers or len(state.players) == 1 or in_words(said).startswith(f"{name}: "):
            return said
        others = [other for other in movers if other != player]
        is_for_all = bool(others) and all(in_words(self.advice(state, other, hints)) == in_words(said) for other in others)
        return said if is_for_all else Message("play.advice", player=name, said=said)

    def _values(self, state: Any, choice: Choice, rng: random.Random) -> dict[str, Any]:
        """Ask for the values of an event, and let chance bring the others."""
        values: dict[str, Any] = {}
        for need in choice.needs:
            match need.form:
                case Form.PLACINGS:
                    words = self._answer(Message("play.placings", need=need.message)).split()
                    values[need.field] = _placings(words, len(state.hands[choice.player]))
                case Form.WILDS:
                    named = [place for given in values.values() for place in given]
                    values[need.field] = [self._wild(state.hands[choice.player], place, need) for place in named]
                case Form.VALUE | Form.LIST:
                    given = self._given(need, state.players)
                    values[need.field] = given if need.form is Form.LIST else (given[0] if given else None)
        if any(need.form is Form.CHANCE for need in choice.needs):
            values |= SPECS[state.game].given("brings", dict, choice.event, values, rng)
        return values

    def _given(self, need: Need, players: Sequence[str]) -> list[int | str]:
        """Ask for a value or several until they are some that the event may have."""
        question = Message("play.several", need=need.message, count=need.count) if need.count else Message("play.one", need=need.message)
        if need.field == "owner":
            people = tuple(f"{int(seat) + 1} {players[int(seat)]}" for seat in need.values)
            question = Message("play.whose", need=need.message, people=people)
        first = int(need.form is Form.LIST or need.field == "owner")  # events count pieces and seats from 0, people from 1
        allowed = tuple(value + first if isinstance(value, int) else value for value in need.values)
        while True:
            words = self._answer(question, is_empty_meant=need.form is Form.LIST and not need.count).replace(",", " ").split()
            given = [word if (number := int_or_none(word)) is None else number for word in words]
            is_known = not allowed or all(one in allowed for one in given)
            is_once = not first or len(set(given)) == len(given)
            if is_known and is_once and len(given) == (need.count or len(given)):
                return [one - first if isinstance(one, int) else one for one in given]
            values, answer = _listed(allowed), " ".join(words)
            wanted = Message("play.wanted", count=need.count or 1, values=values, answer=answer)
            if need.form is Form.LIST and need.count is None:
                wanted = Message("play.wanted_any", values=values, answer=answer)
            self.console.print(Text(in_words(wanted), style="red"))

    def _answer(self, question: Message, *, is_empty_meant: bool = False) -> str:
        """Ask for what a move still needs; raises `_BackError` where somebody thinks better of it, `EOFError` where the play stops."""
        while True:
            answer = self.ask(in_words(question)).strip()
            if answer == "q":
                raise EOFError
            if answer == "u" or not (answer or is_empty_meant):
                raise _BackError
            if answer not in ("?", "help", "h"):
                return answer
            self.console.print(in_words(Message("play.help_inside")))

    def _wild(self, hand: Sequence[SetDie], place: Any, need: Need) -> str | None:
        """Ask what a die stands for, where it is WILD."""
        is_wild = isinstance(place, int) and 0 <= place < len(hand) and hand[place].is_wild
        return _face(self._answer(Message("play.wild", place=place + 1, need=need.message))) if is_wild else None


class _BackError(Exception):
    """Somebody goes back to the list of moves."""


def _listed(values: Sequence[int | str]) -> str:
    """``0-11`` for numbers in a row, else all of them."""
    numbers = [value for value in values if isinstance(value, int)]
    is_row = len(numbers) == len(values) > 1 and numbers == list(range(numbers[0], numbers[-1] + 1))
    return f"{numbers[0]}-{numbers[-1]}" if is_row else ", ".join(map(str, values))


def _others_move(state: State, others: list[int], rng: random.Random) -> Event | None:
    moves = (bot_move(state, player, rng) for player in rng.sample(others, len(others)))
    return next((move for move in moves if move is not None), None)


def _face(text: str) -> str:
    """Name a face of a SET die, in any case; raises `PieceError` where the text names none."""
    return str(SetDie.parse(text.lower()))


def _placings(words: Sequence[str], most: int) -> list[dict[str, Any]]:
    """Read where dice of a hand go; raises `RuleError`: one that is not in the hand, or is named twice."""
    found: list[dict[str, Any]] = []
    for word in words:
        placing = _placing(word)
        if not 0 <= placing["die"] < most or any(placing["die"] == one["die"] for one in found):
            raise RuleError(Message("play.no_placing", word=word))
        found.append(placing)
    return found


def _placing(word: str) -> dict[str, Any]:
    """Read ``1@7,9`` or ``2@3,4=1-red-oval``: the first of these dice is 1 here and 0 in the event."""
    place, _, stated = word.partition("=")
    die, _, cell = place.partition("@")
    row, _, col = cell.partition(",")
    try:
        numbers = {"die": int(die) - 1, "row": int(row), "col": int(col)}
    except ValueError:
        raise RuleError(Message("play.no_placing", word=word)) from None
    return {**numbers, "stated": _face(stated) if stated else None}
