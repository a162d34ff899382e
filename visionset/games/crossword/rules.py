"""Crossword SET: ten dice each, one connected grid of SETs, three rounds (rules D14 to D16).

Longer than most modules: the events, the state and what they do to each other are read together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from visionset.games.base import EVERYONE, Choice, Event, Finding, Form, Need, Prompt, State, has_twice, seat_findings, swapped
from visionset.games.crossword import SPEC
from visionset.games.game import Game
from visionset.games.grid import Cell, Laid, Placing, faults, grows, used_cells
from visionset.games.house import MOST_ROUNDS, check_hands, check_ranges
from visionset.games.sets import DICE_COUNT
from visionset.messages import Message
from visionset.pieces import Piece, SetDie


@dataclass(frozen=True, slots=True)
class CrosswordOptions:
    """House rules of Crossword SET."""

    hand: int = 10
    """Dice that each player begins a round with."""
    rounds: int = 3
    touching_joins: bool = False
    """False: a grid holds together by SETs that share a die. True: dice that touch are enough."""

    def __post_init__(self) -> None:
        check_ranges(SPEC, self, hand=(1, DICE_COUNT), rounds=(1, MOST_ROUNDS))


@dataclass(frozen=True, slots=True)
class Placed:
    """A die in a grid, and whose it is."""

    player: int
    placing: Placing

    @property
    def cell(self) -> Cell:
        """Row and column."""
        return self.placing.cell


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """All players roll their dice together: one hand for each."""

    readings: ClassVar[tuple[str, ...]] = ("hands",)
    hands: tuple[tuple[SetDie, ...], ...]


@dataclass(frozen=True, slots=True)
class Draw(Event):
    """A player who is stuck takes one more die from the bag and rolls it."""

    readings: ClassVar[tuple[str, ...]] = ("face",)
    player: int
    face: SetDie


@dataclass(frozen=True, slots=True)
class Lay(Event):
    """A player's grid as it lies now; it replaces what lay before."""

    player: int
    grid: tuple[Placing, ...]


@dataclass(frozen=True, slots=True)
class Add(Event):
    """A player lays dice onto the grid of another."""

    player: int
    owner: int
    grid: tuple[Placing, ...]


@dataclass(frozen=True, slots=True)
class Done(Event):
    """A player says that all dice are used."""

    player: int


@dataclass(frozen=True, slots=True)
class Stuck(Event):
    """A player cannot go on and the bag is empty."""

    player: int


@dataclass(frozen=True, slots=True)
class CrosswordState(State):
    """Where a game of Crossword SET stands."""

    game: ClassVar[str] = "crossword"
    events: ClassVar[tuple[type[Event], ...]] = (Rolled, Draw, Lay, Add, Done, Stuck)

    options: CrosswordOptions
    hands: tuple[tuple[SetDie, ...], ...]
    """All dice that a player got in this round, laid or not; empty before the roll."""
    grids: tuple[tuple[Placed, ...], ...]
    """What lies in each player's grid, dice of others included."""
    finished: tuple[tuple[int, ...], ...] = ()
    """Points of the rounds that are over."""
    stuck: tuple[int, ...] = ()
    """Players who cannot go on."""

    @classmethod
    def begin(cls, options: CrosswordOptions, players: tuple[str, ...]) -> Self:
        """Return the first state: everyone takes the first dice."""
        check_hands(options.hand, DICE_COUNT, len(players))
        empty = ((),) * len(players)
        return cls(options, players, empty, empty)

    @property
    def bag(self) -> int:
        """Dice left in the bag."""
        return DICE_COUNT - sum(map(len, self.hands))

    @property
    def _is_rolled(self) -> bool:
        return any(self.hands)

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of the rounds that are over (D16)."""
        return self._with_mended(list(map(sum, zip((0,) * len(self.players), *self.finished, strict=True))))

    @property
    def is_over(self) -> bool:
        """True when all rounds are played."""
        return len(self.finished) >= self.options.rounds

    def laid(self, owner: int, grid: tuple[Placed, ...] | None = None) -> tuple[Laid, ...]:
        """Give a player's grid as dice in cells."""
        dice = self.grids[owner] if grid is None else grid
        return tuple(
            Laid(p.placing.row, p.placing.col, self.hands[p.player][p.placing.die], p.placing.stated)
            for p in dice
            if 0 <= p.player < len(self.hands) and 0 <= p.placing.die < len(self.hands[p.player])
        )

    def faults(self, player: int) -> tuple[Finding, ...]:
        """Give the faults of a player's grid, with positions into ``grids[player]`` (D14)."""
        return faults(self.laid(player), self.options.touching_joins, self.of_guests(player))

    def of_guests(self, owner: int) -> frozenset[Cell]:
        """Give the cells of dice that others have added: these keep their SETs, whatever the owner lays later (D15)."""
        return frozenset(p.cell for p in self.grids[owner] if p.player != owner)

    def unused(self, player: int) -> tuple[int, ...]:
        """Give the positions in a hand of the dice that are in no grid, or not rightly so (D16)."""
        used = set()
        for owner, grid in enumerate(self.grids):
            cells = used_cells(self.laid(owner), self.options.touching_joins, self.of_guests(owner))
            used |= {p.placing.die for p in grid if p.player == player and p.cell in cells}
        return tuple(die for die in range(len(self.hands[player])) if die not in used)

    def spare(self, player: int) -> tuple[int, ...]:
        """Give the positions in a hand of the dice that lie in no grid."""
        laid = {p.placing.die for grid in self.grids for p in grid if p.player == player}
        return tuple(die for die in range(len(self.hands[player])) if die not in laid)

    def lent(self, player: int) -> set[int]:
        """Give the positions in a hand of the dice that lie in grids of others (D15)."""
        return {p.placing.die for owner, grid in enumerate(self.grids) if owner != player for p in grid if p.player == player}

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What the players should do now."""
        if self.is_over:
            return (Prompt(EVERYONE, Message("crossword.do.won", players=self.names_of(self.winners), points=max(self.scores))),)
        if not self._is_rolled:
            return (Prompt(EVERYONE, Message("crossword.do.roll", number=len(self.finished) + 1, hand=self.options.hand)),)
        said = []
        for player, name in enumerate(self.players):
            wrong, unused = self.faults(player), self.unused(player)
            if len(self.grids[player]) in (1, 2):
                said.append(Prompt(name, Message("crossword.do.first_set")))
            elif wrong:
                said.append(Prompt(name, wrong[0].message, wrong[0].at))
            elif unused:
                said.append(Prompt(name, Message("crossword.do.stuck_draw" if self.bag else "crossword.do.stuck_say", count=len(unused))))
            else:
                said.append(Prompt(name, Message("crossword.do.say_done")))
        return tuple(said)

    @property
    def legal(self) -> tuple[Choice, ...]:
        """What may be done now."""
        if self.is_over:
            return ()
        if not self._is_rolled:
            hands = Need.by_chance("hands", Message("crossword.need.hands"))
            return (Choice(Message("crossword.choice.roll", hand=self.options.hand), "rolled", needs=(hands,)),)
        choices: list[Choice] = []
        grid = Need("grid", Message("crossword.need.placings"), form=Form.PLACINGS)
        face = Need.by_chance("face", Message("crossword.need.face"))
        for player, name in enumerate(self.players):
            choices.append(Choice(Message("crossword.choice.lay", name=name), "lay", player, (grid,)))
            if self.bag:
                choices.append(Choice(Message("crossword.choice.draw", name=name), "draw", player, (face,)))
            else:
                if len(self.players) > 2:
                    others = tuple(p for p in range(len(self.players)) if p != player)
                    owner = Need("owner", Message("crossword.need.owner"), others)
                    choices.append(Choice(Message("crossword.choice.add", name=name), "add", player, (owner, grid)))
                if player not in self.stuck:
                    choices.append(Choice(Message("crossword.choice.stuck", name=name), "stuck", player))
            if not self.unused(player) and not self.faults(player):
                choices.append(Choice(Message("crossword.choice.done", name=name), "done", player))
        return tuple(choices)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What 42 dice and the rules do not allow."""
        if misfits := seat_findings(self, (self.hands, self.grids, *self.finished), self.stuck):
            return misfits
        placed = [(p.player, p.placing.die) for grid in self.grids for p in grid]
        laid = [die for owner in range(len(self.grids)) for die in self.laid(owner)]
        no_hand = any(not 0 <= player < len(self.hands) or not 0 <= die < len(self.hands[player]) for player, die in placed)
        return Finding.where(
            (self.bag < 0, "D14", Message("crossword.finding.dice", number=DICE_COUNT - self.bag, dice=DICE_COUNT)),
            (has_twice(placed), "D14", Message("crossword.finding.two_places")),
            (no_hand, "D14", Message("crossword.finding.no_hand")),
            (any(has_twice([p.cell for p in grid]) for grid in self.grids), "D14", Message("crossword.finding.one_cell")),
            (any(die.is_misstated for die in laid), "D3", Message("crossword.finding.stated")),
            (self._is_rolled and not all(self.hands), "D14", Message("crossword.finding.no_dice")),
            (has_twice(self.stuck) or len(self.stuck) == len(self.players), "D15", Message("crossword.finding.all_stuck")),
        )

    def judged(self, event: Event) -> tuple[Piece, ...]:
        """The dice that a player lays."""
        if not isinstance(event, Lay | Add):
            return ()
        hand = self.hands[event.player]
        return tuple(hand[one.die] for one in event.grid if 0 <= one.die < len(hand))

    def grounds(self, event: Event) -> tuple[Piece, ...]:
        """Being done rests on the whole grid."""
        if isinstance(event, Done):
            return tuple(die.face for die in self.laid(event.player))
        return self.judged(event)

    def _apply(self, event: Event) -> Self:
        if not self._is_rolled and not isinstance(event, Rolled):
            raise self.refusal("D14", "crossword.tried.before_roll", event=Message(f"event.{event.name}"))
        return State._apply(self, event)

    def _rolled(self, event: Rolled) -> Self:
        if self._is_rolled:
            raise self.refusal("D14", "crossword.tried.rolling_again")
        if len(event.hands) != len(self.players) or any(len(hand) != self.options.hand for hand in event.hands):
            raise self.refusal("D14", "crossword.tried.hands_dice", counts=tuple(len(hand) for hand in event.hands))
        return replace(self, hands=event.hands, notice="")

    def _draw(self, event: Draw) -> Self:
        if not self.bag:
            raise self.refusal("D15", "crossword.tried.empty_bag")
        hands = swapped(self.hands, event.player, (*self.hands[event.player], event.face))
        notice = Message("crossword.notice.drew", player=self.players[event.player], face=event.face)
        return replace(self, hands=hands, stuck=(), notice=notice)

    def _check(self, player: int, grid: tuple[Placing, ...], taken: set[int]) -> None:
        dice = [placing.die for placing in grid]
        if has_twice(dice) or not all(0 <= die < len(self.hands[player]) and die not in taken for die in dice):
            raise self.refusal("D14", "crossword.tried.laying", dice=tuple(dice), count=len(self.hands[player]))
        for placing in grid:
            face = self.hands[player][placing.die]
            if placing.stated is not None and (placing.stated.is_wild or not face.is_wild):
                raise self.refusal("D3", "crossword.tried.stating", face=face, stated=placing.stated)

    def _lay(self, event: Lay) -> Self:
        player, old = event.player, self.grids[event.player]
        self._check(player, event.grid, self.lent(player))
        guests = tuple(p for p in old if p.player != player)
        lay = event.grid
        if guests:
            lay = self._left_in_place({p.placing.die: p.placing for p in old if p.player == player}, lay)
        grid = (*(Placed(player, placing) for placing in lay), *guests)
        if has_twice([p.cell for p in grid]):
            raise self.refusal("D14", "crossword.tried.one_cell")
        if guests and not grows(self.laid(player), self.laid(player, grid), (), self.options.touching_joins, self.of_guests(player)):
            raise self.refusal("D15", "crossword.tried.stating_anew")
        return replace(self, grids=swapped(self.grids, player, grid), stuck=(), notice="")

    def _left_in_place(self, before: dict[int, Placing], lay: tuple[Placing, ...]) -> tuple[Placing, ...]:
        """Give what is laid with what was stated before, where every die is left where it was."""
        kept = tuple(
            replace(placing, stated=before[placing.die].stated) if placing.die in before and placing.stated is None else placing
            for placing in lay
        )
        now = {placing.die: placing for placing in kept}
        if not all(die in now and was in (now[die], replace(now[die], stated=None)) for die, was in before.items()):
            raise self.refusal("D15", "crossword.tried.moving")
        return kept

    def _add(self, event: Add) -> Self:
        player, owner = event.player, event.owner
        if self.bag or len(self.players) <= 2 or owner == player or not 0 <= owner < len(self.players):
            raise self.refusal("D15", "crossword.tried.adding")
        used = {p.placing.die for grid in self.grids for p in grid if p.player == player}
        self._check(player, event.grid, used)
        grid = (*self.grids[owner], *(Placed(player, placing) for placing in event.grid))
        cells = [p.cell for p in grid]
        if not event.grid or has_twice(cells):
            raise self.refusal("D15", "crossword.tried.adding_on_a_die" if event.grid else "crossword.tried.adding_none")
        before, after, added = self.laid(owner), self.laid(owner, grid), cells[len(self.grids[owner]) :]
        joins, guests = self.options.touching_joins, self.of_guests(owner)
        if not used_cells(before, joins, guests):
            raise self.refusal("D15", "crossword.tried.adding_without_set", player=self.players[owner])
        if not grows(before, after, added, joins, guests):
            places = set(range(len(self.grids[owner]), len(grid)))
            wrong = (fault.message for fault in faults(after, joins, guests) if places & set(fault.at))
            raise self.refusal("D15", "crossword.tried.adding_dice_where", why=next(wrong, Message("crossword.tried.changing_wild")))
        return replace(self, grids=swapped(self.grids, owner, grid), stuck=(), notice="")

    def _done(self, event: Done) -> Self:
        player = event.player
        wrong, unused = self.faults(player), self.unused(player)
        if wrong or unused:
            why = wrong[0].message if wrong else Message("crossword.tried.dice_not_used", count=len(unused))
            raise self.refusal("D14", "crossword.tried.done", why=why)
        gain = sum(len(self.unused(other)) for other in range(len(self.players)) if other != player)
        points = swapped((0,) * len(self.players), player, gain)
        return self._next_round(points, Message("crossword.notice.used_all", player=self.players[player], gain=gain))

    def _stuck(self, event: Stuck) -> Self:
        player = event.player
        if self.bag or player in self.stuck:
            raise self.refusal("D15", "crossword.tried.stuck_with_bag" if self.bag else "crossword.tried.stuck_twice")
        stuck = (*self.stuck, player)
        if len(stuck) < len(self.players):
            return replace(self, stuck=stuck)
        return self._next_round((0,) * len(self.players), Message("crossword.notice.all_stuck"))

    def _next_round(self, points: tuple[int, ...], notice: Message) -> Self:
        finished = (*self.finished, points)
        if len(finished) >= self.options.rounds:
            names = self.leading(self._with_mended([sum(points) for points in zip(*finished, strict=True)]))
            return replace(self, finished=finished, stuck=(), notice=Message("crossword.notice.won", notice=notice, names=names))
        empty = ((),) * len(self.players)
        return replace(self, hands=empty, grids=empty, finished=finished, stuck=(), notice=notice)


GAME = Game(
    SPEC,
    state=CrosswordState,
    options=CrosswordOptions,
    presets={"source": CrosswordOptions(), "touching": CrosswordOptions(touching_joins=True)},
    min_players=1,
    max_players=4,
)
