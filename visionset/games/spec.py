"""GameSpec: one game as a folder, told without loading it; its parts are loaded when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from itertools import chain
from types import FunctionType, UnionType
from typing import TYPE_CHECKING, Any

from visionset.errors import GameError, VisionsetError
from visionset.messages import Message, has, in_words

if TYPE_CHECKING:
    from visionset.games.base import Event
    from visionset.games.rulebook import RuleBook
    from visionset.games.view import ViewPart

PARTS = {
    "game": ("rules", "GAME", "the `Game`: its states, options and events"),
    "chance": ("chance", "chance", "chance(state, rng), the event that pack, bag or dice bring now, or None"),
    "deadline": ("chance", "deadline", "deadline(state), the `Deadline` of a player whose time runs, or None"),
    "brings": ("chance", "brings", "brings(event, values, rng), the values of a player's event that nobody says, such as faces rolled"),
    "self_dealt": ("chance", "self_dealt", "self_dealt(options), the options where no person need deal"),
    "bot": ("bot", "move", "move(state, player, rng), what a simple player does now, or None"),
    "advice": ("advice", "advice_words", "advice_words(state, player, cache), what to play, in one line"),
    "hint": ("advice", "graded_hint", "graded_hint(state, player, level), a `Hint` that gives away more with each level from 1 on"),
    "in_full": ("advice", "in_full", "in_full(state), what to play, in as many lines as it takes"),
    "command": ("command", "COMMANDS", "by its name each `AdviceCommand`, where advice is given about more than a saved state"),
    "referee": ("referee", "make_referee", "make_referee(cells_of, options, hints), the `GameReferee` before a camera"),
    "view": ("view", "view", "view(state), what every surface shows of a state"),
}
"""Each part of a game: its module in the game's folder, its name there, and what it is."""

_OPTIONAL = frozenset({"brings", "deadline", "self_dealt", "hint", "in_full", "command"})
"""Parts that only some games need."""


def _takes(part: Any, count: int) -> bool:
    """Whether a part can be called with so many arguments."""
    if isinstance(part, FunctionType) and part.__code__.co_argcount == count and not part.__code__.co_kwonlyargcount:
        return True  # as nearly all do; to bind takes 30 µs, and parts are asked for at each move
    try:
        signature(part).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # a function in C need not say what it takes
        pass
    return True


@dataclass(frozen=True, slots=True)
class TableGlance:
    """What lies on a table, as far as it tells one game from another."""

    count: int
    """Pieces that the game is played with; no others lie there, but for cards face down."""
    grids: tuple[int, ...] = ()
    """Dice in each group of three and more that lie in one lattice."""

    @property
    def is_grid(self) -> bool:
        """At least half of the pieces lie in lattices."""
        return sum(self.grids) * 2 >= self.count


@dataclass(frozen=True)
class GameSpec:
    """A game that can be found, listed and recognized while nothing of it is loaded."""

    package: str
    """The game's folder as a package; its ``__init__`` says ``SPEC = GameSpec(__name__, ...)`` and imports nothing heavy."""
    name: str
    title: str
    """`name` and `title`: name on the command line and in the store, and name in English."""
    pieces: tuple[str, ...]
    """What is looked for on the table, as ``--pieces`` names it."""
    recognizes: Callable[[TableGlance], bool]
    """Tells from what lies on a table whether it may be this game."""
    advises: tuple[str, ...] = ()
    """Further names of ``visionset advise`` that this game's ``command.py`` answers."""
    picture_px: tuple[int, int] | None = None
    """Size of picture that a camera is asked for, where the print is too small in usual ones."""

    @property
    def book(self) -> RuleBook:
        """The rules in the words of the language that is spoken; raises `GameError` where they are missing or lack the text of a rule."""
        from visionset.games.rulebook import RuleBook

        return RuleBook.load(self.package, self.name)

    def find(self, name: str) -> Any:
        """Load one of `PARTS`; None where the game has it not.

        Raises `GameError`: its module does not load, it takes other arguments, or no game has such a part.
        """
        if name not in PARTS:
            raise GameError(f"game {self.name}: expected a part among {', '.join(PARTS)}, got {name!r:.40}; name one of them")
        module, attribute, what = PARTS[name]
        whole = f"{self.package}.{module}"
        try:
            found = getattr(import_module(whole), attribute, None)
        except (Exception, SystemExit) as error:  # whatever is wrong with a module of others
            if isinstance(error, ModuleNotFoundError) and error.name == whole:
                return None
            raise GameError(f"game {self.name}: expected {whole} to load, got {error}; mend or remove it") from error
        call = what.partition(")")[0]
        if found is not None and call.startswith(f"{attribute}(") and not _takes(found, call.count(",") + 1):
            got = f"{attribute}{signature(found)}" if callable(found) else f"{found!r:.40}"
            raise GameError(f"game {self.name}: expected {call}) in {whole}, got {got}; let it take these, by position")
        return found

    def part(self, name: str) -> Any:
        """Load one of `PARTS`; raises `GameError`, which says where it is looked for, where the game has no such part."""
        found = self.find(name)
        if found is None:
            module, attribute, what = PARTS[name]
            raise GameError(f"game {self.name}: expected {attribute} in {self.package}.{module}, got none; write there {what}")
        return found

    def given(self, name: str, kind: type | UnionType, *values: Any) -> Any:
        """What one of `PARTS` gives for some values; raises `GameError` where that is of another kind, or the game has no such part."""
        given = self.part(name)(*values)
        if not isinstance(given, kind):  # most often None, where a branch ends without a return
            module, attribute, what = PARTS[name]
            told = what.partition("), ")[2]
            raise GameError(f"game {self.name}: expected {attribute} to give {told}, got {given!r:.80}; mend {self.package}.{module}")
        return given

    def next_event(self, part: str, state: Any, *others: Any) -> Event | None:
        """What the part ``bot`` or ``chance`` does next; raises `GameError` where it gives no event of the game."""
        from visionset.codec import from_json, to_json

        given: Event | None = self.part(part)(state, *others)
        if given is None:
            return None
        got = f"{given!r:.80}"
        if type(given) in state.events:
            try:
                from_json(type(given), to_json(given))  # a field that holds no such value
                return given
            except VisionsetError as error:
                got += f" ({error!s:.120})"
        module, attribute, _ = PARTS[part]
        raise GameError(
            f"game {self.name}: expected {attribute} to give an event of the game or None, got {got}; mend {self.package}.{module}"
        )

    def shown(self, state: Any) -> tuple[ViewPart, ...]:
        """What every surface shows of a state; raises `GameError` where it is none of the game, or the game's view gives something else."""
        from visionset.games.view import faults_in

        if not isinstance(state, self.part("game").state):
            raise GameError(
                f"game {self.name}: expected a state of this game, got {state!r:.80}; such as that of GAMES[{self.name!r}].start()"
            )
        given = self.part("view")(state)
        parts = tuple(given) if isinstance(given, Iterable) else (given,)
        for what, got in chain.from_iterable(map(faults_in, parts)):
            raise GameError(f"game {self.name}: expected view(state) to give {what}, got {got!r:.80}; mend {self.package}.view")
        return parts

    @property
    def lacks(self) -> tuple[str, ...]:
        """What the game has not, a line each: empty for a game that is complete."""
        from visionset.kinds import CHOICES

        found = []
        if not set(self.pieces) <= set(CHOICES):  # a text too, where the comma of a tuple of one was left out
            found.append(f"game {self.name}: expected pieces among {', '.join(CHOICES)}, got {self.pieces!r}; name them as --pieces does")
        for glance in (TableGlance(12), TableGlance(12, (12,))):
            try:
                self.recognizes(glance)
            except Exception as error:  # whatever is wrong with a module of others
                got = f"{type(error).__name__} ({error!s:.80})"
                found.append(f"game {self.name}: expected recognizes to take {glance} and tell yes or no, got {got}; mend {self.package}")
                break
        for name in PARTS:
            if name in _OPTIONAL:
                continue
            try:
                self.part(name)
            except VisionsetError as error:
                found.append(str(error))
        try:
            _ = self.book
        except VisionsetError as error:
            found.append(str(error))
        try:
            state = self.part("game").state
            if state.game != self.name:
                found.append(f"game {self.name}: expected states of this name, got {state.game}; name both alike")
            codes = tuple(code for event in state.events for code in (f"{self.name}.happened.{event.name}", f"event.{event.name}"))
            found += [f"game {self.name}: expected {code} in messages.en.toml, got none; say it there" for code in codes if not has(code)]
            asking = (code for code in codes if has(code) and in_words(Message(code)) == str(Message(code).to_json()))
            found += [f"game {self.name}: expected {code} without arguments, got a template with some; say it without" for code in asking]
        except VisionsetError as error:
            found.append(str(error))
        return tuple(dict.fromkeys(found))
