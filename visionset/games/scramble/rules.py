"""Scramble SET: all 42 dice at once, no turns, five rounds (rule D13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar, Self

from visionset.games.base import EVERYONE, Choice, Event, Finding, Form, Need, Prompt, State, has_twice, leaders, seat_findings, trios
from visionset.games.game import Game
from visionset.games.house import MOST_ROUNDS, check_ranges
from visionset.games.scramble import SPEC
from visionset.games.sets import DICE_COUNT, has_set, is_set, why_not
from visionset.messages import Message
from visionset.pieces import Piece, SetDie

MOST_LOST = 3
"""So many dice may be lost: as long as more are missing they are looked for."""


@dataclass(frozen=True, slots=True)
class ScrambleOptions:
    """House rules of Scramble SET."""

    rounds: int = 5

    def __post_init__(self) -> None:
        check_ranges(SPEC, self, rounds=(1, MOST_ROUNDS))


class Phase(Enum):
    """What the table waits for."""

    ROLL = "roll"
    OPEN = "open"
    TIE_ROLL = "tie_roll"
    TIE = "tie"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """The dice lie, none on top of another."""

    readings: ClassVar[tuple[str, ...]] = ("faces",)
    faces: tuple[SetDie, ...]


@dataclass(frozen=True, slots=True)
class Take(Event):
    """A player says SET and takes three dice."""

    player: int
    at: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScrambleState(State):
    """Where a game of Scramble SET stands."""

    game: ClassVar[str] = "scramble"
    events: ClassVar[tuple[type[Event], ...]] = (Rolled, Take)

    options: ScrambleOptions
    phase: Phase
    taken: tuple[tuple[SetDie, ...], ...]
    """Dice taken in this round, three for each SET, by player."""
    table: tuple[SetDie, ...] = ()
    """The dice that nobody has taken; they close up when three go."""
    row: tuple[int, ...] = ()
    """Which of the dice that were rolled each of these is."""
    finished: tuple[tuple[int, ...], ...] = ()
    """SETs of each player in the rounds that are over."""
    tied: tuple[int, ...] = ()
    """Players who roll off."""
    champion: int | None = None
    """Who won the roll-off."""
    lost: int = 0
    """Dice that are found nowhere, as people say: the game goes on without them."""

    @classmethod
    def begin(cls, options: ScrambleOptions, players: tuple[str, ...]) -> Self:
        """Return the first state: all dice are in the bag."""
        return cls(options, players, Phase.ROLL, ((),) * len(players))

    @property
    def round_scores(self) -> tuple[int, ...]:
        """SETs of this round."""
        return tuple(len(dice) // 3 for dice in self.taken)

    @property
    def scores(self) -> tuple[int, ...]:
        """SETs of all rounds."""
        running = (self.round_scores,) if self.phase is Phase.OPEN else ()
        return self._with_mended([sum(row) for row in zip((0,) * len(self.players), *self.finished, *running, strict=True)])

    @property
    def is_over(self) -> bool:
        """True when the rounds are played and a tie is settled."""
        return self.phase is Phase.OVER

    @property
    def winners(self) -> tuple[int, ...]:
        """The player with the most SETs, or the one who won the roll-off."""
        if not self.is_over:
            return ()
        return leaders(self.scores) if self.champion is None else (self.champion,)

    @property
    def dice(self) -> int:
        """Dice of the game, all that there are."""
        return DICE_COUNT - self.lost

    @property
    def to_roll(self) -> int:
        """Dice that are thrown together next."""
        return self.roll_off_dice if self.phase is Phase.TIE_ROLL else self.dice

    @property
    def roll_off_dice(self) -> int:
        """Dice for the roll-off: those left over, or all of them when fewer than three are left."""
        left = self.dice - sum(map(len, self.taken))
        return left if left >= 3 else self.dice

    @property
    def takers(self) -> tuple[int, ...]:
        """Who may say SET: everybody, in the roll-off those who are level."""
        return self.tied if self.phase is Phase.TIE else tuple(range(len(self.players)))

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What the players should do now."""
        match self.phase:
            case Phase.ROLL:
                return (Prompt(EVERYONE, Message("scramble.text.roll", number=len(self.finished) + 1, dice=self.dice)),)
            case Phase.OPEN:
                return (Prompt(EVERYONE, Message("scramble.do.open")),)
            case Phase.TIE_ROLL:
                return (Prompt(self.called(self.tied), Message("scramble.do.roll_off", roll_off_dice=self.roll_off_dice)),)
            case Phase.TIE:
                return tuple(Prompt(self.players[p], Message("scramble.do.tie")) for p in self.tied)
        won, points = self.winners, self.scores[self.winners[0]]
        words = Message("scramble.do.won", players=self.names_of(won), points=points)
        if self.champion is not None and self.tied:  # the points alone do not tell why
            level = self.names_of(self.tied)
            words = Message("scramble.do.won_roll_off", winner=self.players[self.champion], players=level, points=points)
        return (Prompt(EVERYONE, words),)

    @property
    def legal(self) -> tuple[Choice, ...]:
        """What may be done now."""
        if self.is_over:
            return ()
        if self.phase in (Phase.ROLL, Phase.TIE_ROLL):
            count = self.to_roll
            faces = Need.by_chance("faces", Message("scramble.need.faces"), count=count)
            return (Choice(Message("scramble.choice.roll_dice", count=count), "rolled", needs=(faces,)),)
        need = Need("at", Message("scramble.need.three"), tuple(range(len(self.table))), 3, Form.LIST)
        return tuple(Choice(Message("scramble.choice.set", player=self.players[p]), "take", p, (need,)) for p in self.takers)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What 42 dice cannot be (D13)."""
        seats = (*self.tied, *(() if self.champion is None else (self.champion,)))
        if misfits := seat_findings(self, (self.taken, *self.finished), seats):
            return misfits
        total = len(self.table) + sum(map(len, self.taken))
        rolls_off = self.phase in (Phase.TIE_ROLL, Phase.TIE)
        return Finding.where(
            (self.phase is Phase.OPEN and total != self.dice, "D13", Message("scramble.finding.dice", total=total, dice=self.dice)),
            (not 0 <= self.lost <= MOST_LOST, "D13", Message("scramble.finding.lost", lost=self.lost, most=MOST_LOST)),
            (
                any(len(three) < 3 or not is_set(*three) for dice in self.taken for three in trios(dice)),
                "D2",
                Message("scramble.finding.no_set"),
            ),
            ((rolls_off and len(set(self.tied)) < 2) or has_twice(self.tied), "D13", Message("scramble.finding.roll_off")),
            (self.champion is not None and not self.is_over, "D13", Message("scramble.finding.champion")),
        )

    def _taken_up(self) -> Self:
        if self.phase is Phase.TIE and not has_set(self.table):
            return replace(self, phase=Phase.TIE_ROLL)
        return self._round_end_if_done() if self.phase is Phase.OPEN else self

    def judged(self, event: Event) -> tuple[Piece, ...]:
        """The three dice that are taken."""
        taken = event.at if isinstance(event, Take) else ()
        return tuple(self.table[place] for place in taken if 0 <= place < len(self.table))

    def which(self, event: Event) -> tuple[int, ...] | None:
        """The dice that are taken, by their place in the roll; -1 beyond the end of the row."""
        if not isinstance(event, Take) or len(self.row) != len(self.table):
            return None
        return tuple(self.row[place] if 0 <= place < len(self.row) else -1 for place in event.at)

    def _take(self, event: Take) -> Self:
        if self.phase not in (Phase.OPEN, Phase.TIE):
            raise self.refusal("D13", "scramble.tried.early")
        name = self.players[event.player]
        if self.phase is Phase.TIE and event.player not in self.tied:
            raise self.refusal("D13", "scramble.tried.not_level", name=name)
        self.check_three("D13", event.at, self.table)
        three = tuple(self.table[place] for place in event.at)
        if not is_set(*three):
            return replace(self, notice=Message("scramble.notice.no_set", name=name, reasons=why_not(*three)))
        if self.phase is Phase.TIE:
            return replace(self, phase=Phase.OVER, champion=event.player, notice=Message("scramble.notice.first", name=name))
        table = tuple(die for place, die in enumerate(self.table) if place not in event.at)
        row = tuple(die for place, die in enumerate(self.row) if place not in event.at)
        taken = tuple(dice + (three if p == event.player else ()) for p, dice in enumerate(self.taken))
        return replace(self, table=table, row=row, taken=taken, notice=Message("scramble.notice.set", name=name))._round_end_if_done()

    def _rolled(self, event: Rolled) -> Self:
        if self.phase not in (Phase.ROLL, Phase.TIE_ROLL):
            raise self.refusal("D13", "scramble.tried.rolling")
        count = self.to_roll
        if len(event.faces) != count:
            raise self.refusal("D13", "scramble.tried.rolling_count", count=len(event.faces), wanted=count)
        row = tuple(range(count))
        if self.phase is Phase.TIE_ROLL:
            found = has_set(event.faces)
            notice = "" if found else Message("scramble.notice.roll_off_again")
            return replace(self, table=event.faces, row=row, phase=Phase.TIE if found else Phase.TIE_ROLL, notice=notice)
        return replace(self, table=event.faces, row=row, phase=Phase.OPEN, taken=((),) * len(self.players), notice="")._round_end_if_done()

    def with_mended(self, points: Sequence[int]) -> Self:
        """Add points that a reading gave or cost wrongly: after the last round they may call for a roll-off, or settle one."""
        state = State.with_mended(self, points)
        if len(state.finished) < self.options.rounds:
            return state
        tied = leaders(state.scores)
        if len(tied) == 1:
            return replace(state, phase=Phase.OVER, tied=(), champion=None)
        if self.champion in tied or (self.phase in (Phase.TIE_ROLL, Phase.TIE) and tied == self.tied):
            return state
        return replace(state, phase=Phase.TIE_ROLL, tied=tied, champion=None)

    def _round_end_if_done(self) -> Self:
        if has_set(self.table):
            return self
        finished = (*self.finished, self.round_scores)
        best = self.leading(self.round_scores)
        notice = Message("scramble.notice.round", number=len(finished), best=best, left=len(self.table))
        state = replace(self, finished=finished, phase=Phase.ROLL, notice=notice)
        if len(finished) < self.options.rounds:
            return state
        tied = leaders(self._with_mended([sum(points) for points in zip(*finished, strict=True)]))
        return replace(state, phase=Phase.TIE_ROLL, tied=tied) if len(tied) > 1 else replace(state, phase=Phase.OVER)


GAME = Game(
    SPEC,
    state=ScrambleState,
    options=ScrambleOptions,
    presets={"source": ScrambleOptions()},
    min_players=1,
    max_players=6,
)
