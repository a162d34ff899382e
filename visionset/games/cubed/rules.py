"""SET Cubed: five dice each, SETs on a board, wilds, bonus squares and rounds (rules D5 to D12).

Longer than most modules: the state and what each event does to it are read together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from visionset.games.base import EVERYONE, Choice, Event, Finding, Form, Need, Prompt, State, add_points, has_twice, seat_findings, swapped
from visionset.games.cubed import SPEC
from visionset.games.cubed.board import load_board
from visionset.games.cubed.terms import (
    CubedOptions,
    Drawn,
    EndTurn,
    ExtraRoll,
    MadeSet,
    NobodyCan,
    Open,
    Phase,
    Place,
    Replace,
    Rolled,
    RollWild,
)
from visionset.games.game import Game
from visionset.games.grid import Cell, Laid, cell_named, face_indices, faults, open_windows, sets_in
from visionset.games.house import check_hands
from visionset.games.sets import DICE_COUNT, DIE_FACE_INDEX, DIE_THIRD, WILD_INDEX, has_set, is_set, why_not
from visionset.messages import Message
from visionset.pieces import Piece, SetDie


@dataclass(frozen=True, slots=True)
class CubedState(State):
    """Where a game of SET Cubed stands."""

    game: ClassVar[str] = "cubed"
    events: ClassVar[tuple[type[Event], ...]] = (Rolled, Open, Place, Replace, RollWild, EndTurn, NobodyCan, Drawn, ExtraRoll)

    options: CubedOptions
    phase: Phase
    hands: tuple[tuple[SetDie, ...], ...]
    """By player."""
    points: tuple[int, ...]
    """By player."""
    grid: tuple[Laid, ...] = ()
    """The dice on the board, in the order they were laid."""
    bag: int = DICE_COUNT
    first: int = 0
    current: int = 0
    """`first` and `current`: who opened, and whose turn it is."""
    fresh: tuple[Cell, ...] = ()
    """Cells that were filled in this turn."""
    made: tuple[MadeSet, ...] = ()
    """The SETs of this turn, or of the last one before anything is laid."""
    rolled_extra: tuple[int, ...] = ()
    """Players who are done with the extra roll."""
    extra_from_s: float = 0.0
    """When the extra roll began, in seconds of the match."""

    @classmethod
    def begin(cls, options: CubedOptions, players: tuple[str, ...]) -> Self:
        """Return the first state: everyone draws a hand of dice."""
        check_hands(options.hand, DICE_COUNT, len(players))
        return cls(options, players, Phase.OPENING_ROLL, ((),) * len(players), (0,) * len(players))

    @property
    def scores(self) -> tuple[int, ...]:
        """Points so far (D7, D8)."""
        return self._with_mended(self.points)

    @property
    def is_over(self) -> bool:
        """True after the round in which a player ran out of dice (D11)."""
        return self.phase is Phase.OVER

    @property
    def due(self) -> tuple[int, ...]:
        """How many dice each player draws: up to a full hand, in turn from the first player until the bag is empty (D10)."""
        left, due = self.bag, [0] * len(self.players)
        for step in range(len(self.players)):
            player = (self.first + step) % len(self.players)
            due[player] = min(max(self.options.hand - len(self.hands[player]), 0), left)
            left -= due[player]
        return tuple(due)

    @property
    def hides_hands(self) -> bool:
        """True where no die of a hand is seen: each stands there as a WILD until it is laid."""
        return all(face.is_wild for hand in self.hands for face in hand)

    @property
    def yet_to_roll(self) -> tuple[int, ...]:
        """Players who are not done with the extra roll."""
        return tuple(p for p in range(len(self.players)) if p not in self.rolled_extra)

    def can_play(self, player: int) -> bool:
        """Tell whether a player can make a SET with dice of the hand and dice on the board (D6)."""
        hand = sorted(DIE_FACE_INDEX[face] for face in self.hands[player])
        faces = face_indices(self.grid)
        for there, empty in open_windows(faces, self.options.board.holds):
            if len(empty) == 1:
                if hand and (hand[-1] == WILD_INDEX or DIE_THIRD[faces[there[0]]][faces[there[1]]] in hand):
                    return True
            elif len(hand) > 1 and self.options.per_turn - len(self.fresh) > 1:
                base = faces[there[0]]
                if hand[-1] == WILD_INDEX or any(DIE_THIRD[base][a] in hand[:i] + hand[i + 1 :] for i, a in enumerate(hand)):
                    return True
        return False

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """What the players should do now."""
        name = self.players[self.current]
        wilds = tuple(position for position, die in enumerate(self.grid) if die.face.is_wild and die.stated in self.hands[self.current])
        match self.phase:
            case Phase.OPENING_ROLL:
                return (Prompt(EVERYONE, Message("cubed.do.first_draw", hand=self.options.hand)),)
            case Phase.OPENING:
                has_one = any(has_set(hand) for hand in self.hands)
                return (Prompt(EVERYONE, Message("cubed.do.say_set" if has_one else "cubed.do.roll_again")),)
            case Phase.WILD_ROLL:
                return (Prompt(name, Message("cubed.do.roll_wild")),)
            case Phase.DRAW:
                return tuple(Prompt(n, Message("cubed.do.draw", due=due)) for n, due in zip(self.players, self.due, strict=True) if due)
            case Phase.EXTRA:
                return tuple(Prompt(self.players[p], Message("cubed.do.extra_roll")) for p in self.yet_to_roll)
            case Phase.ROLL_ALL:
                return (Prompt(EVERYONE, Message("cubed.do.roll_all")),)
            case Phase.OVER:
                return (Prompt(EVERYONE, Message("cubed.do.won", players=self.names_of(self.winners), points=max(self.scores))),)
        swap = (Prompt(name, Message("cubed.do.replace"), wilds),) if wilds and not self.fresh else ()
        left = self.options.per_turn - len(self.fresh)
        if left and self.can_play(self.current):
            return (*swap, Prompt(name, Message("cubed.do.lay", left=left)))
        return (*swap, Prompt(name, Message("cubed.do.end_turn") if self.fresh else Message("cubed.do.skip")))

    @property
    def legal(self) -> tuple[Choice, ...]:
        """What may be done now."""
        who, name = self.current, self.players[self.current]
        hands = Need.by_chance("hands", Message("cubed.need.hands"))
        match self.phase:
            case Phase.OPENING_ROLL | Phase.ROLL_ALL:
                return (Choice(Message("cubed.choice.roll"), "rolled", needs=(hands,)),)
            case Phase.OPENING:
                if not any(has_set(hand) for hand in self.hands):
                    return (Choice(Message("cubed.choice.roll_again"), "rolled", needs=(hands,)),)
                need = Need("dice", Message("cubed.need.three"), tuple(range(self.options.hand)), 3, Form.LIST)
                stated = Need("stated", Message("cubed.need.stated"), form=Form.WILDS)
                return tuple(
                    Choice(Message("cubed.choice.set", player=self.players[p]), "open", p, (need, stated)) for p in range(len(self.players))
                )
            case Phase.WILD_ROLL:
                face = Need.by_chance("face", Message("cubed.need.face"))
                return (Choice(Message("cubed.choice.roll_wild", name=name), "roll_wild", who, (face,)),)
            case Phase.DRAW:
                return (Choice(Message("cubed.choice.draw"), "drawn", needs=(Need.by_chance("faces", Message("cubed.need.drawn")),)),)
            case Phase.EXTRA:
                faces = Need.by_chance("faces", Message("cubed.need.faces"))
                dice = [Need("dice", Message("cubed.need.dice"), tuple(range(len(hand))), form=Form.LIST) for hand in self.hands]
                left = tuple((p, self.players[p]) for p in self.yet_to_roll)
                again = (Choice(Message("cubed.choice.extra_roll", player=name), "extra_roll", p, (dice[p], faces)) for p, name in left)
                return (*again, *(Choice(Message("cubed.choice.keep", player=player), "extra_roll", p) for p, player in left))
            case Phase.OVER:
                return ()
        choices: list[Choice] = []
        if not self.fresh:
            for wild in (die for die in self.grid if die.face.is_wild):
                text = Message("cubed.choice.replace", name=name, face=wild.value)
                fitting = (die for die, face in enumerate(self.hands[who]) if face == wild.stated)
                choices += [Choice(text, "replace", who, (), (("die", die), ("row", wild.row), ("col", wild.col))) for die in fitting]
        if len(self.fresh) < self.options.per_turn and self.hands[who]:
            placings = Need("dice", Message("cubed.need.placings"), form=Form.PLACINGS)
            choices.append(Choice(Message("cubed.choice.lay_dice", name=name), "place", who, (placings,)))
        choices.append(Choice(Message("cubed.choice.end_turn" if self.fresh else "cubed.choice.skip_turn", name=name), "end_turn", who))
        if self.hides_hands and not self.fresh:
            choices.append(Choice(Message("cubed.choice.nobody_can"), "nobody_can"))
        return tuple(choices)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What 42 dice, the board and the rules do not allow."""
        if misfits := seat_findings(self, (self.hands, self.points), (self.first, self.current, *self.rolled_extra)):
            return misfits
        total = self.bag + len(self.grid) + sum(map(len, self.hands)) + (self.phase is Phase.WILD_ROLL)
        off = tuple(position for position, die in enumerate(self.grid) if not self.options.board.holds(die.cell))
        unstated = tuple(position for position, die in enumerate(self.grid) if die.value.is_wild)
        on_the_board = Finding.where(
            (total != DICE_COUNT or self.bag < 0, "D5", Message("cubed.finding.dice", total=total, dice=DICE_COUNT)),
            (off, "D6", Message("cubed.finding.off_board"), off),
            (unstated, "D3", Message("cubed.finding.unstated"), unstated),
        )
        fresh, per_turn, most = len(self.fresh), self.options.per_turn, self.options.hand
        no_room_for_wild = self.phase is Phase.WILD_ROLL and len(self.hands[self.current]) >= most
        opening = self.phase in (Phase.OPENING_ROLL, Phase.OPENING)
        in_the_turn = Finding.where(
            (fresh > per_turn, "D6", Message("cubed.finding.per_turn", count=fresh, per_turn=per_turn)),
            (any(len(hand) > most for hand in self.hands), "D10", Message("cubed.finding.hand", hand=most)),
            (opening is bool(self.grid), "D5", Message("cubed.finding.logo")),
            (not set(self.fresh) <= {die.cell for die in self.grid}, "D6", Message("cubed.finding.fresh")),
            (no_room_for_wild, "D9", Message("cubed.finding.wild_roll", hand=most)),
            (has_twice(self.rolled_extra) or not self.yet_to_roll, "D10", Message("cubed.finding.extra_roll")),
        )
        return on_the_board + faults(self.grid) + in_the_turn

    def with_mended(self, points: Sequence[int]) -> Self:
        """Mend points; that the SETs of this turn brought theirs is told no more."""
        return replace(super(CubedState, self).with_mended(points), made=())

    def judged(self, event: Event) -> tuple[Piece, ...]:
        """The dice that a player lays."""
        match event:
            case Open():
                places: tuple[int, ...] = event.dice
            case Place():
                places = tuple(one.die for one in event.dice)
            case Replace():
                places = (event.die,)
            case _:
                return ()
        hand = self.hands[event.player]
        return tuple(hand[place] for place in places if 0 <= place < len(hand))

    def _apply(self, event: Event) -> Self:
        if isinstance(event, Place | Replace | RollWild | EndTurn):
            wanted, rule = (Phase.WILD_ROLL, "D9") if isinstance(event, RollWild) else (Phase.TURN, "D6")
            if self.phase is not wanted or event.player != self.current:
                raise self.refusal(rule, "cubed.tried.by", event=Message(f"event.{event.name}"), player=self.players[event.player])
        return State._apply(self, event)

    def _nobody_can(self, event: NobodyCan) -> Self:
        if self.phase is not Phase.TURN or self.fresh or not self.hides_hands:
            raise self.refusal("D11", "cubed.tried.nobody_can")
        return replace(self, phase=Phase.ROLL_ALL, notice=Message("cubed.notice.nobody_can"))

    def _roll_wild(self, event: RollWild) -> Self:
        hand = (*self.hands[event.player], event.face)
        return replace(self, hands=swapped(self.hands, event.player, hand), phase=Phase.TURN)._checked_for_play()

    def _rolled(self, event: Rolled) -> Self:
        again = self.phase is Phase.ROLL_ALL or (self.phase is Phase.OPENING and not any(has_set(hand) for hand in self.hands))
        if not again and self.phase is not Phase.OPENING_ROLL:
            raise self.refusal("D5", "cubed.tried.rolling_again" if self.phase is Phase.OPENING else "cubed.tried.rolling")
        wanted = [len(hand) for hand in self.hands] if again else [self.options.hand] * len(self.players)
        if [len(hand) for hand in event.hands] != wanted:
            raise self.refusal("D5", "cubed.tried.hands_dice_not", counts=tuple(len(hand) for hand in event.hands), wanted=tuple(wanted))
        if self.phase is Phase.ROLL_ALL:
            return replace(self, hands=event.hands, phase=Phase.TURN)._checked_for_play()
        return replace(self, hands=event.hands, phase=Phase.OPENING, bag=DICE_COUNT - sum(wanted))

    def _open(self, event: Open) -> Self:
        hand, name = self.hands[event.player], self.players[event.player]
        if self.phase is not Phase.OPENING or len(set(event.dice)) != 3 or not all(0 <= die < len(hand) for die in event.dice):
            raise self.refusal("D5", "cubed.tried.opening_dice", name=name, dice=tuple(event.dice))
        laid = tuple(
            Laid(row, col, hand[die], stated)
            for (row, col), die, stated in zip(self.options.board.logo, event.dice, event.stated, strict=True)
        )
        self._check_stated(laid)
        values = tuple(die.value for die in laid)
        if not is_set(*values):
            raise self.refusal("D5", "cubed.tried.opening_no_set", name=name, reasons=why_not(*values))
        state = replace(self, phase=Phase.TURN, first=event.player, current=event.player)
        return state._with_dice(laid, event.dice)._next_turn()

    def _check_stated(self, laid: tuple[Laid, ...]) -> None:
        for die in laid:
            if die.face.is_wild and (die.stated is None or die.stated.is_wild):
                raise self.refusal("D3", "cubed.tried.unstated", cell=cell_named(die.cell))
            if not die.face.is_wild and die.stated is not None:
                raise self.refusal("D3", "cubed.tried.stating", face=die.face, stated=die.stated)

    def _place(self, event: Place) -> Self:
        hand, dice = self.hands[self.current], [placing.die for placing in event.dice]
        if not dice or has_twice(dice) or not all(0 <= die < len(hand) for die in dice):
            raise self.refusal("D6", "cubed.tried.laying_dice", dice=tuple(dice) or (Message("none"),), count=len(hand))
        if len(self.fresh) + len(dice) > self.options.per_turn:
            raise self.refusal("D6", "cubed.tried.too_many", number=len(self.fresh) + len(dice), per_turn=self.options.per_turn)
        laid = tuple(Laid(placing.row, placing.col, hand[placing.die], placing.stated) for placing in event.dice)
        there = {die.cell for die in self.grid}
        cells = [die.cell for die in laid]
        for cell in cells:
            if not self.options.board.holds(cell) or cell in there or cells.count(cell) > 1:
                is_taken = cell in there or cells.count(cell) > 1
                raise self.refusal("D6", "cubed.tried.square_taken" if is_taken else "cubed.tried.off_the_board", cell=cell_named(cell))
        self._check_stated(laid)
        sets, joined = sets_in(face_indices((*self.grid, *laid))), there
        while more := {c for window in sets if joined & set(window) for c in window} - joined:
            joined = joined | more  # dice laid at once are right where they are so one after another
        if lonely := [cell for cell in cells if cell not in joined]:
            raise self.refusal("D6", "cubed.tried.lonely", cell=cell_named(lonely[0]))
        return self._with_dice(laid, tuple(dice))

    def _with_dice(self, laid: tuple[Laid, ...], dice: tuple[int, ...]) -> Self:
        """Lay dice of the hand and score what they make (D7, D8)."""
        before = set(sets_in(face_indices(self.grid)))
        grid = (*self.grid, *laid)
        fresh = (*self.fresh, *(die.cell for die in laid))
        worthless = {die.cell for die in grid if die.face.is_wild and die.cell in fresh}
        new = [window for window in sets_in(face_indices(grid)) if window not in before]
        made = tuple(MadeSet(window, sum(cell not in worthless for cell in window)) for window in new)
        bonus = sum(self.options.board.bonus_at(die.cell) for die in laid)
        gain = bonus + sum(one.points for one in made)
        hand = tuple(face for position, face in enumerate(self.hands[self.current]) if position not in dice)
        extra = Message("cubed.notice.bonus", bonus=bonus) if bonus else ""
        return replace(
            self,
            grid=grid,
            fresh=fresh,
            made=(*self.made, *made) if self.fresh else made,
            hands=swapped(self.hands, self.current, hand),
            points=add_points(self.points, self.current, gain),
            notice=Message("cubed.notice.new_sets", player=self.players[self.current], count=len(made), gain=gain, bonus=extra),
        )

    def _replace(self, event: Replace) -> Self:
        hand = self.hands[self.current]
        place = next((i for i, die in enumerate(self.grid) if die.cell == (event.row, event.col)), None)
        if self.fresh:
            raise self.refusal("D9", "cubed.tried.late_replacing")
        if place is None or not self.grid[place].face.is_wild or not 0 <= event.die < len(hand):
            raise self.refusal("D9", "cubed.tried.no_wild", cell=cell_named((event.row, event.col)))
        wild = self.grid[place]
        if hand[event.die] != wild.stated:
            raise self.refusal("D9", "cubed.tried.other_face", stated=wild.stated, hand=hand[event.die])
        grid = swapped(self.grid, place, Laid(wild.row, wild.col, hand[event.die]))
        rest = (*hand[: event.die], *hand[event.die + 1 :])
        notice = Message("cubed.notice.replaced_wild", player=self.players[self.current])
        return replace(self, grid=grid, hands=swapped(self.hands, self.current, rest), phase=Phase.WILD_ROLL, notice=notice)

    def _end_turn(self, event: EndTurn) -> Self:
        return self._next_turn()

    def _next_turn(self) -> Self:
        following = (self.current + 1) % len(self.players)
        state = replace(self, current=following, fresh=())
        if following != self.first:
            return state._checked_for_play()
        if not all(hand or due for hand, due in zip(self.hands, self.due, strict=True)):  # who draws is not out of dice
            return replace(state, phase=Phase.OVER)
        if any(self.due):
            return replace(state, phase=Phase.DRAW)
        return state._extra_begins()

    def _extra_begins(self) -> Self:
        if not self.options.extra_roll:
            return replace(self, phase=Phase.TURN)._checked_for_play()
        return replace(self, phase=Phase.EXTRA, rolled_extra=(), extra_from_s=self.clock_s)

    def _drawn(self, event: Drawn) -> Self:
        if self.phase is not Phase.DRAW or tuple(map(len, event.faces)) != self.due:
            raise self.refusal("D10", "cubed.tried.drawing_dice", counts=tuple(len(faces) for faces in event.faces))
        hands = tuple(hand + new for hand, new in zip(self.hands, event.faces, strict=True))
        return replace(self, hands=hands, bag=self.bag - sum(self.due))._extra_begins()

    def _extra_roll(self, event: ExtraRoll) -> Self:
        hand, since_s = self.hands[event.player], self.clock_s - self.extra_from_s
        if self.phase is not Phase.EXTRA or event.player in self.rolled_extra:
            raise self.refusal("D10", "cubed.tried.extra_roll", player=self.players[event.player])
        if event.dice and self.clock_s > self.extra_from_s + self.options.extra_roll_s:
            raise self.refusal("D10", "cubed.tried.late_extra_roll", since_s=since_s, extra_roll_s=self.options.extra_roll_s)
        if len(event.dice) != len(event.faces) or has_twice(event.dice) or not all(0 <= d < len(hand) for d in event.dice):
            raise self.refusal("D10", "cubed.tried.rolling_dice", dice=tuple(event.dice), count=len(hand))
        for die, face in zip(event.dice, event.faces, strict=True):
            hand = swapped(hand, die, face)
        state = replace(self, hands=swapped(self.hands, event.player, hand), rolled_extra=(*self.rolled_extra, event.player))
        if len(state.rolled_extra) < len(self.players):
            return state
        return replace(state, phase=Phase.TURN, rolled_extra=())._checked_for_play()

    def _checked_for_play(self) -> Self:
        """Let everyone roll again where nobody can make a SET (D11); end where no roll could help."""
        if self.fresh or any(self.can_play(player) for player in range(len(self.players))):
            return self
        room = any(self.hands) and any(
            len(empty) == 1 or max(map(len, self.hands)) > 1 for _, empty in open_windows(face_indices(self.grid), self.options.board.holds)
        )
        if not room:
            return replace(self, phase=Phase.OVER, notice=Message("cubed.notice.no_room"))
        return replace(self, phase=Phase.ROLL_ALL, notice=Message("cubed.notice.nobody_can"))


GAME = Game(
    SPEC,
    state=CubedState,
    options=CubedOptions,
    presets={"source": CubedOptions(), "no-extra-roll": CubedOptions(extra_roll=False)},
    min_players=2,
    max_players=4,
    from_file={"board": load_board},
)
