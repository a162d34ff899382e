"""Sets, with two pip dice and a sheet for each player (rules P1 to P6).

Longer than most modules: the sheet, the events and the state are read together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from visionset.games.base import EVERYONE, Choice, Event, Finding, Need, Prompt, State, add_points, has_twice, seat_findings, swapped
from visionset.games.game import Game
from visionset.games.house import MOST_ROUNDS, check_ranges
from visionset.games.pip_sets import SPEC
from visionset.messages import Message
from visionset.pieces import Piece, PipDie

ROWS = 6
"""Rows of a sheet, one for each value of a die."""


@dataclass(frozen=True, slots=True)
class PipSetsOptions:
    """House rules of the two-dice game."""

    starting_values: bool = True
    """True: each row starts with its own value written once. The source's picture of the sheet is lost; its text says that players write
    "starting numbers", and its example (P5) comes out in the first turn only with them. False: the rows start empty (P1)."""
    turns: int = 10
    """Length of the tracker (P1)."""

    def __post_init__(self) -> None:
        check_ranges(SPEC, self, turns=(1, MOST_ROUNDS))


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """One player's sheet."""

    written: tuple[int, ...]
    circled: tuple[int, ...] = (0,) * ROWS
    """`written` and `circled`: how many values stand in each row without and with a circle; row 1 first."""
    closed: tuple[int, ...] = ()
    """Rows circled in this turn."""
    has_ended: bool = False
    """True once the player has ended this turn."""
    due: int = 0
    """The row that was circled and whose bonus value is not written yet; 0 for none."""

    @property
    def score(self) -> int:
        """Sum of circled values less sum of the others (P4)."""
        return sum(row * (yes - no) for row, (yes, no) in enumerate(zip(self.circled, self.written, strict=True), 1))

    @property
    def ready(self) -> tuple[int, ...]:
        """Rows that may be circled now: those with the green button (P3, P6)."""
        if self.due or self.has_ended:
            return ()
        return tuple(row for row in range(1, ROWS + 1) if self.written[row - 1] >= row and row not in self.closed)

    def write(self, value: int) -> ScoreSheet:
        """Return the sheet with a value written in its row (P2)."""
        return replace(self, written=add_points(self.written, value - 1, 1))

    def circle(self, row: int, bonus: int | None) -> ScoreSheet:
        """Return the sheet with `row` values circled in that row, and a bonus written or due (P3)."""
        written, circled = add_points(self.written, row - 1, -row), add_points(self.circled, row - 1, row)
        sheet = replace(self, written=written, circled=circled, closed=(*self.closed, row), due=row)
        return sheet if bonus is None else sheet.pay(bonus)

    def pay(self, bonus: int) -> ScoreSheet:
        """Return the sheet with the bonus written that was due."""
        return replace(self.write(bonus), due=0)


@dataclass(frozen=True, slots=True)
class Roll(Event):
    """Two dice have come to rest; they serve all players."""

    readings: ClassVar[tuple[str, ...]] = ("values",)
    values: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Circle(Event):
    """A player circles a row and writes a bonus value; without one it is due, and nothing else may be done before."""

    player: int
    row: int
    bonus: int | None = None


@dataclass(frozen=True, slots=True)
class WriteBonus(Event):
    """A player writes the bonus value that is due."""

    player: int
    bonus: int


@dataclass(frozen=True, slots=True)
class EndTurn(Event):
    """A player crosses off the turn."""

    player: int


@dataclass(frozen=True, slots=True)
class PipSetsState(State):
    """Where a game with two dice stands."""

    game: ClassVar[str] = "sets-dice"
    events: ClassVar[tuple[type[Event], ...]] = (Roll, Circle, WriteBonus, EndTurn)

    options: PipSetsOptions
    tracker: int
    """The highest turn number not crossed off: `turns` down to 1, 0 at the end."""
    sheets: tuple[ScoreSheet, ...]
    """By player."""
    roll: tuple[int, int] | None = None
    """The values of this turn; None until the dice rest."""

    @classmethod
    def begin(cls, options: PipSetsOptions, players: tuple[str, ...]) -> Self:
        """Return the first state: fresh sheets, dice in the hand."""
        start = (int(options.starting_values),) * ROWS
        return cls(options, players, options.turns, (ScoreSheet(start),) * len(players))

    @property
    def scores(self) -> tuple[int, ...]:
        """Circled less uncircled values (P4)."""
        return self._with_mended([sheet.score for sheet in self.sheets])

    @property
    def ranks(self) -> tuple[int, ...]:
        """Place of each player, 1 for the best; equal scores share a place (P6)."""
        return tuple(1 + sum(other > score for other in self.scores) for score in self.scores)

    @property
    def is_over(self) -> bool:
        """True when the tracker is crossed off to the end."""
        return self.tracker == 0

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What the players should do now."""
        if self.is_over:
            places = zip(self.players, self.scores, self.ranks, strict=True)
            return tuple(Prompt(name, Message("sets-dice.do.points_place", points=score, rank=rank)) for name, score, rank in places)
        if self.roll is None:
            return (Prompt(EVERYONE, Message("sets-dice.do.roll", tracker=self.tracker)),)
        return tuple(_prompt(name, sheet) for name, sheet in zip(self.players, self.sheets, strict=True) if not sheet.has_ended)

    @property
    def legal(self) -> tuple[Choice, ...]:
        """What may be done now."""
        values = tuple(range(1, ROWS + 1))
        if self.is_over:
            return ()
        if self.roll is None:
            rolled = Need.by_chance("values", Message("sets-dice.need.values"), values, 2)
            return (Choice(Message("sets-dice.choice.roll_dice"), "roll", needs=(rolled,)),)
        choices: list[Choice] = []
        bonus = Need("bonus", Message("sets-dice.need.bonus"), values)
        for player, (name, sheet) in enumerate(zip(self.players, self.sheets, strict=True)):
            if sheet.due:
                choices += [
                    Choice(Message("sets-dice.choice.write", name=name, value=value), "write_bonus", player, (), (("bonus", value),))
                    for value in values
                ]
            elif not sheet.has_ended:
                choices += [
                    Choice(Message("sets-dice.choice.circle_row", name=name, row=row), "circle", player, (bonus,), (("row", row),))
                    for row in sheet.ready
                ]
                choices.append(Choice(Message("sets-dice.choice.end_turn", name=name), "end_turn", player))
        return tuple(choices)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What no sheet can hold (P1 to P3)."""
        if misfits := seat_findings(self, (self.sheets,)):
            return misfits
        if any(len(sheet.written) != ROWS or len(sheet.circled) != ROWS for sheet in self.sheets):
            return (Finding("P1", Message("sets-dice.finding.rows", rows=ROWS)),)
        roll, turns = self.roll or (), self.options.turns
        early = self.roll is None and any(sheet.has_ended or sheet.closed for sheet in self.sheets)
        of_the_turn = Finding.where(
            (not 0 <= self.tracker <= turns, "P1", Message("sets-dice.finding.tracker", tracker=self.tracker, turns=turns)),
            (early or all(sheet.has_ended for sheet in self.sheets), "P1", Message("sets-dice.finding.turn")),
            (
                not all(1 <= value <= ROWS for value in roll),
                "P1",
                Message("sets-dice.finding.die", points=max(roll, key=abs, default=0), rows=ROWS),
            ),
        )
        return of_the_turn + tuple(found for player in range(len(self.players)) for found in self._sheet_findings(player))

    def _sheet_findings(self, player: int) -> tuple[Finding, ...]:
        name, sheet = self.players[player], self.sheets[player]
        rolls = self.options.turns - self.tracker + (self.roll is not None)
        circlings = [count // row for row, count in enumerate(sheet.circled, 1)]
        in_parts = any(count % row or count < 0 for row, count in enumerate(sheet.circled, 1))
        written = ROWS * self.options.starting_values + 2 * rolls + sum(circlings) - bool(sheet.due)
        wrongly_due = sheet.due and (sheet.due not in sheet.closed or sheet.has_ended or not 1 <= sheet.due <= ROWS)
        return Finding.where(
            (in_parts or min(sheet.written) < 0, "P3", Message("sets-dice.finding.circles", name=name)),
            (sum(sheet.written) + sum(sheet.circled) != written, "P2", Message("sets-dice.finding.values", name=name)),
            (max(circlings) > rolls or has_twice(sheet.closed), "P3", Message("sets-dice.finding.twice", name=name)),
            (wrongly_due, "P3", Message("sets-dice.finding.bonus", name=name)),
        )

    def judged(self, event: Event) -> tuple[Piece, ...]:
        """The two dice of a roll."""
        return tuple(PipDie(value) for value in event.values if value in range(1, 7)) if isinstance(event, Roll) else ()

    def _apply(self, event: Event) -> Self:
        if isinstance(event, Roll):
            if self.roll is not None:
                raise self.refusal("P1", "sets-dice.tried.second_roll")
            if not all(1 <= value <= ROWS for value in event.values):
                raise self.refusal("P1", "sets-dice.tried.no_such_value", values=event.values, rows=ROWS)
            sheets = tuple(sheet.write(event.values[0]).write(event.values[1]) for sheet in self.sheets)
            return replace(self, roll=event.values, sheets=sheets, notice="")
        assert isinstance(event, Circle | WriteBonus | EndTurn)
        sheet = self.sheets[event.player]
        if self.roll is None or sheet.has_ended:
            raise self.refusal("P1", "sets-dice.tried.not_running", event=Message(f"event.{event.name}"), player=self.players[event.player])
        if bool(sheet.due) is not isinstance(event, WriteBonus):
            if sheet.due:
                raise self.refusal("P3", "sets-dice.tried.before_bonus", event=Message(f"event.{event.name}"), due=sheet.due)
            raise self.refusal("P3", "sets-dice.tried.bonus_not_due")
        if isinstance(event, EndTurn):
            return self._end_turn(event.player)
        if event.bonus is not None and not 1 <= event.bonus <= ROWS:
            if isinstance(event, WriteBonus):
                raise self.refusal("P3", "sets-dice.tried.writing_bonus", bonus=event.bonus)
            raise self.refusal("P3", "sets-dice.tried.circling_for_bonus", row=event.row, bonus=event.bonus)
        name = self.players[event.player]
        if isinstance(event, WriteBonus):
            paid, notice = sheet.pay(event.bonus), Message("sets-dice.notice.written", name=name, bonus=event.bonus)
            return replace(self, sheets=swapped(self.sheets, event.player, paid), notice=notice)
        if not 1 <= event.row <= ROWS:
            raise self.refusal("P3", "sets-dice.tried.no_such_row", row=event.row, rows=ROWS)
        if event.row in sheet.closed:
            raise self.refusal("P3", "sets-dice.tried.circling_twice", row=event.row)
        if event.row not in sheet.ready:
            raise self.refusal("P3", "sets-dice.tried.too_few", row=event.row, written=sheet.written[event.row - 1])
        bonus = (
            Message("sets-dice.notice.bonus_due") if event.bonus is None else Message("sets-dice.notice.bonus_written", bonus=event.bonus)
        )
        notice = Message("sets-dice.notice.row_circled", name=name, row=event.row, bonus=bonus)
        return replace(self, sheets=swapped(self.sheets, event.player, sheet.circle(event.row, event.bonus)), notice=notice)

    def _end_turn(self, player: int) -> Self:
        sheets = swapped(self.sheets, player, replace(self.sheets[player], has_ended=True))
        if not all(sheet.has_ended for sheet in sheets):
            return replace(self, sheets=sheets, notice="")
        sheets = tuple(replace(sheet, closed=(), has_ended=False) for sheet in sheets)
        return replace(self, sheets=sheets, roll=None, tracker=self.tracker - 1, notice="")


def _prompt(name: str, sheet: ScoreSheet) -> Prompt:
    if sheet.due:
        return Prompt(name, Message("sets-dice.do.bonus", due=sheet.due, rows=ROWS), (sheet.due,))
    return Prompt(
        name, Message("sets-dice.do.circle", ready=tuple(sheet.ready)) if sheet.ready else Message("sets-dice.do.end_turn"), sheet.ready
    )


GAME = Game(
    SPEC,
    state=PipSetsState,
    options=PipSetsOptions,
    presets={"source": PipSetsOptions(), "empty-sheet": PipSetsOptions(starting_values=False)},
    min_players=1,
    max_players=20,
    keeps_scores=True,
)
