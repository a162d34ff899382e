"""SET Cubed from the rules D5 to D12 alone: five dice each, SETs on a board, bonus squares, rounds."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from tests.games.model_grid import WILD, Cell, Face, Window, allow, can_be_set, face_of, is_set

DICE = 42
HAND = 5
PER_TURN = 3
EXTRA_S = 30.0


class Cubed:
    """A game of some players; `do` changes it, or raises Illegal and leaves it as it was.

    Parameters
    ----------
    players : int
        How many.
    size : (int, int)
        Rows and columns of the board.
    logo : sequence of Cell
        Where the first SET lies.
    bonus : mapping of Cell to int
        What squares add.
    """

    def __init__(self, players: int, size: tuple[int, int], logo: list[Cell], bonus: Mapping[Cell, int]) -> None:
        self.players, self.size, self.logo, self.bonus = range(players), size, logo, bonus
        self.points = [0] * players
        self.hands: list[list[Face | None]] = [[] for _ in self.players]
        self.board: dict[Cell, Face] = {}
        self.wilds: set[Cell] = set()
        self.fresh: list[Cell] = []
        self.bag = DICE
        self.first = self.current = 0
        self.waits_for = "opening roll"
        self.extra_done: set[int] = set()
        self.extra_from_s = self.now_s = 0.0

    @property
    def is_over(self) -> bool:
        return self.waits_for == "nothing"

    def holds(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.size[0] and 0 <= cell[1] < self.size[1]

    def lines(self, cell: Cell) -> list[Window]:
        """D4: the lines of three through a square, on the board."""
        row, col = cell
        every = [[(row, col + step + back) for step in range(3)] for back in (-2, -1, 0)]
        every += [[(row + step + back, col) for step in range(3)] for back in (-2, -1, 0)]
        return [(a, b, c) for a, b, c in every if all(map(self.holds, (a, b, c)))]

    def can_play(self, player: int) -> bool:
        """D6: whether a die, or two at once, would make a SET with dice of the board."""
        hand = self.hands[player]
        for line in {line for cell in self.board for line in self.lines(cell)}:
            there = [self.board[cell] for cell in line if cell in self.board]
            missing = 3 - len(there)
            if missing and any(can_be_set(*there, *dice) for dice in combinations(hand, missing)):
                return True
        return False

    def has_room(self) -> bool:
        """Whether any dice could be laid at all by somebody with so many dice."""
        most = max(map(len, self.hands))
        lines = {line for cell in self.board for line in self.lines(cell)}
        return any(0 < sum(cell not in self.board for cell in line) <= most for line in lines)

    def do(self, event: dict[str, Any]) -> None:
        allow(not self.is_over)
        allow(event.get("player", 0) in self.players)
        at_s = self.now_s if event.get("at_s") is None else event["at_s"]
        allow(at_s >= self.now_s)
        if event["event"] in ("place", "replace", "end_turn"):
            allow(self.waits_for == "turn" and event["player"] == self.current)
        getattr(self, f"_{event['event']}")(event, at_s)
        self.now_s = at_s

    def _rolled(self, event: dict[str, Any], at_s: float) -> None:
        """D5, D11: all roll, at the beginning and when nobody can make a SET."""
        none = self.waits_for == "opening" and not any(self._holds_set(hand) for hand in self.hands)
        allow(none or self.waits_for in ("opening roll", "roll of all"))
        wanted = [HAND] * len(self.players) if self.waits_for == "opening roll" else list(map(len, self.hands))
        allow([len(hand) for hand in event["hands"]] == wanted)
        self.hands = [[face_of(name) for name in hand] for hand in event["hands"]]
        if self.waits_for == "roll of all":
            self._go_on()
        else:
            self.bag, self.waits_for = DICE - sum(wanted), "opening"

    def _holds_set(self, hand: list[Face | None]) -> bool:
        return any(can_be_set(*three) for three in combinations(hand, 3))

    def _open(self, event: dict[str, Any], at_s: float) -> None:
        """D5: the first SET lies on the logo and is a turn of its player."""
        player, dice = event["player"], event["dice"]
        allow(self.waits_for == "opening" and len(set(dice)) == 3 and all(0 <= die < HAND for die in dice))
        laid = self._stated(player, list(zip(dice, self.logo, event["stated"], strict=True)))
        allow(is_set(*(laid[cell] for cell in self.logo)))
        self.first = self.current = player
        self._lay(laid, dice)
        self._turn_over()

    def _stated(self, player: int, dice: list[tuple[int, Cell, str | None]]) -> dict[Cell, Face]:
        """D3: what each die counts as; of a WILD its player says it, of no other die."""
        laid = {}
        for die, cell, stated in dice:
            face = self.hands[player][die]
            allow((stated is None) == (face is not WILD) and stated != "wild")
            value = face if stated is None else face_of(stated)
            assert value is not WILD
            laid[cell] = value
        return laid

    def _sets(self, board: Mapping[Cell, Face]) -> set[frozenset[Cell]]:
        lines = (line for cell in board for line in self.lines(cell) if all(other in board for other in line))
        return {frozenset(line) for line in lines if is_set(*(board[cell] for cell in line))}

    def _place(self, event: dict[str, Any], at_s: float) -> None:
        """D6: up to three dice a turn; each makes a SET with a die that lies there, those laid just before among them."""
        hand, dice = self.hands[self.current], [one["die"] for one in event["dice"]]
        allow(0 < len(dice) <= PER_TURN - len(self.fresh) and len(set(dice)) == len(dice) and all(0 <= die < len(hand) for die in dice))
        cells = [(one["row"], one["col"]) for one in event["dice"]]
        allow(len(set(cells)) == len(cells) and all(self.holds(cell) and cell not in self.board for cell in cells))
        laid = self._stated(self.current, [(one["die"], (one["row"], one["col"]), one["stated"]) for one in event["dice"]])
        sets, there = self._sets({**self.board, **laid}), set(self.board)
        while joined := {cell for line in sets if line & there for cell in line} - there:
            there |= joined
        allow(set(cells) <= there)
        self._lay(laid, dice)

    def _lay(self, laid: dict[Cell, Face], dice: list[int]) -> None:
        """D7, D8: a point for each die in each new SET, none for WILDs of this turn; the bonus of each square once."""
        old = self._sets(self.board)
        hand = self.hands[self.current]
        self.fresh += laid
        self.board |= laid
        self.wilds |= {cell for cell, die in zip(laid, dice, strict=True) if hand[die] is WILD}
        free = self.wilds & set(self.fresh)
        self.points[self.current] += sum(len(line - free) for line in self._sets(self.board) - old)
        self.points[self.current] += sum(self.bonus.get(cell, 0) for cell in laid)
        self.hands[self.current] = [face for place, face in enumerate(hand) if place not in dice]

    def _replace(self, event: dict[str, Any], at_s: float) -> None:
        """D9: at the start of a turn, a die for a WILD that stands for just that face."""
        cell, hand = (event["row"], event["col"]), self.hands[self.current]
        allow(not self.fresh and cell in self.wilds and 0 <= event["die"] < len(hand) and hand[event["die"]] == self.board[cell])
        del hand[event["die"]]
        self.wilds.remove(cell)
        self.waits_for = "roll of the WILD"

    def _roll_wild(self, event: dict[str, Any], at_s: float) -> None:
        allow(self.waits_for == "roll of the WILD" and event["player"] == self.current)
        self.hands[self.current].append(face_of(event["face"]))
        self._go_on()

    def _end_turn(self, event: dict[str, Any], at_s: float) -> None:
        self._turn_over(at_s)

    def _turn_over(self, at_s: float = 0.0) -> None:
        """D10, D11: back at the first player the round ends; all draw, or the game is over where somebody has no dice and draws none."""
        self.current, self.fresh = (self.current + 1) % len(self.players), []
        if self.current != self.first:
            self._go_on()
        elif any(not hand and not due for hand, due in zip(self.hands, self.due(), strict=True)):
            self.waits_for = "nothing"
        elif any(self.due()):
            self.waits_for = "draw"
        else:
            self._extra_begins(at_s)

    def due(self) -> list[int]:
        """D10: the first player fills up first, then clockwise until the bag is empty."""
        left, due = self.bag, [0] * len(self.players)
        for step in self.players:
            player = (self.first + step) % len(self.players)
            due[player] = min(left, HAND - len(self.hands[player]))
            left -= due[player]
        return due

    def _drawn(self, event: dict[str, Any], at_s: float) -> None:
        allow(self.waits_for == "draw" and [len(faces) for faces in event["faces"]] == self.due())
        self.bag -= sum(self.due())
        for hand, faces in zip(self.hands, event["faces"], strict=True):
            hand += [face_of(name) for name in faces]
        self._extra_begins(at_s)

    def _extra_begins(self, at_s: float) -> None:
        self.waits_for, self.extra_done, self.extra_from_s = "extra roll", set(), at_s

    def _extra_roll(self, event: dict[str, Any], at_s: float) -> None:
        """D10: any dice once more, within half a minute."""
        player, dice = event["player"], event["dice"]
        allow(self.waits_for == "extra roll" and player not in self.extra_done)
        allow(not dice or at_s - self.extra_from_s <= EXTRA_S)
        allow(len(dice) == len(set(dice)) == len(event["faces"]) and all(0 <= die < len(self.hands[player]) for die in dice))
        for die, name in zip(dice, event["faces"], strict=True):
            self.hands[player][die] = face_of(name)
        self.extra_done.add(player)
        if len(self.extra_done) == len(self.players):
            self._go_on()

    def _go_on(self) -> None:
        """D11: all roll again where nobody can make a SET, unless no roll could help."""
        if any(map(self.can_play, self.players)):
            self.waits_for = "turn"
        else:
            self.waits_for = "roll of all" if self.has_room() else "nothing"
