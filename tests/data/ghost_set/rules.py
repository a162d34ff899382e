"""Ghost SET: events, state and what the rules allow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from ghost_set import CARDS, SPEC
from visionset.games.base import EVERYONE, Choice, Event, Finding, Need, Prompt, State, add_points, seat_findings
from visionset.games.game import Game
from visionset.games.sets import is_set, third
from visionset.messages import Message
from visionset.pieces import Piece, SetCard


@dataclass(frozen=True, slots=True)
class GhostOptions:
    """House rules: how many tables are played."""

    tables: int = 3

    def __post_init__(self) -> None:
        if self.tables < 1:
            raise ValueError(f"expected a table or more, got {self.tables}; play one at least")


@dataclass(frozen=True, slots=True)
class Deal(Event):
    """Six cards are laid."""

    name: ClassVar[str] = "deal"
    readings: ClassVar[tuple[str, ...]] = ("cards",)
    cards: tuple[SetCard, ...]


@dataclass(frozen=True, slots=True)
class Ghost(Event):
    """A player says that the third cards are a SET."""

    name: ClassVar[str] = "ghost"
    player: int


@dataclass(frozen=True, slots=True)
class Pass(Event):
    """A player sees no ghost."""

    name: ClassVar[str] = "pass"
    player: int


def thirds(cards: tuple[SetCard, ...]) -> tuple[SetCard, SetCard, SetCard]:
    """The cards that would make a SET with each pair."""
    first, second, last = (third(*cards[at : at + 2]) for at in (0, 2, 4))
    return first, second, last


def is_ghost(cards: tuple[SetCard, ...]) -> bool:
    """Whether the third cards are three different ones that make a SET."""
    ghosts = thirds(cards)
    return len(set(ghosts)) == len(ghosts) and is_set(*ghosts)


@dataclass(frozen=True, slots=True)
class GhostState(State):
    """Where a game stands; `table` is empty while cards are to be laid."""

    game: ClassVar[str] = SPEC.name
    events: ClassVar[tuple[type[Event], ...]] = (Deal, Ghost, Pass)

    options: GhostOptions
    points: tuple[int, ...]
    table: tuple[SetCard, ...] = ()
    played: int = 0
    passed: tuple[int, ...] = ()

    @classmethod
    def begin(cls, options: GhostOptions, players: tuple[str, ...]) -> Self:
        """Return the first state."""
        return cls(options, players, (0,) * len(players))

    @property
    def scores(self) -> tuple[int, ...]:
        """Ghosts found less those that were none."""
        return self._with_mended(self.points)

    @property
    def is_over(self) -> bool:
        """True when all tables are played."""
        return self.played >= self.options.tables

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What the players should do now."""
        if self.is_over:
            return (Prompt(EVERYONE, Message("ghost-set.do.won", names=tuple(self.players[p] for p in self.winners))),)
        return (Prompt(EVERYONE, Message("ghost-set.do.say" if self.table else "ghost-set.do.lay")),)

    @property
    def legal(self) -> tuple[Choice, ...]:
        """What may be done now."""
        if self.is_over:
            return ()
        if not self.table:
            return (
                Choice(Message("ghost-set.do.lay"), "deal", needs=(Need.by_chance("cards", Message("ghost-set.need.cards"), count=CARDS),)),
            )
        ghosts = tuple(Choice(Message("ghost-set.choice.ghost", name=name), "ghost", player) for player, name in enumerate(self.players))
        return ghosts + tuple(
            Choice(Message("ghost-set.choice.none", name=self.players[p]), "pass", p)
            for p in range(len(self.players))
            if p not in self.passed
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What three pairs cannot be (G1)."""
        if misfits := seat_findings(self, (self.points,), self.passed):
            return misfits
        if self.table and (len(self.table) != CARDS or len(set(self.table)) != CARDS):
            return (Finding("G1", Message("ghost-set.finding.pairs", count=len(self.table))),)
        return ()

    def judged(self, event: Event) -> tuple[Piece, ...]:
        """The six cards, where somebody says ghost."""
        return self.table if isinstance(event, Ghost) else ()

    def _apply(self, event: Event) -> Self:
        if isinstance(event, Deal):
            if self.table or len(set(event.cards)) != CARDS or len(event.cards) != CARDS:
                raise self.refusal("G1", "ghost-set.tried.laying", count=len(event.cards))
            return replace(self, table=event.cards, passed=(), notice="")
        if not self.table:
            raise self.refusal("G3", "ghost-set.tried.too_early", event=Message(f"event.{event.name}"))
        assert isinstance(event, Ghost | Pass)
        name = self.players[event.player]
        if isinstance(event, Ghost):
            found = is_ghost(self.table)
            points = add_points(self.points, event.player, 1 if found else -1)
            return replace(self, points=points, notice=Message(f"ghost-set.notice.{'ghost' if found else 'none'}", name=name))._cleared()
        passed = tuple(sorted({*self.passed, event.player}))
        state = replace(self, passed=passed, notice=Message("ghost-set.notice.passed", name=name))
        return state._cleared() if len(passed) == len(self.players) else state

    def _cleared(self) -> Self:
        return replace(self, table=(), passed=(), played=self.played + 1)


GAME = Game(
    SPEC,
    state=GhostState,
    options=GhostOptions,
    presets={"long": GhostOptions(tables=9)},
    min_players=1,
    max_players=4,
)
