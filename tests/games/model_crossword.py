"""Crossword SET from the rules D14 to D16 alone: one grid each, dice of guests, three rounds."""

from __future__ import annotations

from typing import Any

from tests.games.model_grid import WILD, Cell, Face, all_ways, allow, face_of, is_crossword, parts, set_patterns

DICE = 42
ROUNDS = 3

Die = tuple[int, int]
"""Whose it is, and which of that hand."""


class Crossword:
    """A game of some players; `do` changes it, or raises Illegal and leaves it as it was.

    Attributes
    ----------
    grids : list of dict
        What lies in each player's grid: which die, and what its player stated it to be, if anything.
    """

    def __init__(self, players: int, hand: int = 10, touching: bool = False) -> None:
        self.players, self.hand, self.touching = range(players), hand, touching
        self.points = [0] * players
        self.rounds = 0
        self._begin_round()

    def _begin_round(self) -> None:
        self.hands: list[list[Face | None]] = [[] for _ in self.players]
        self.grids: list[dict[Cell, tuple[Die, Face | None]]] = [{} for _ in self.players]
        self.stuck: set[int] = set()

    @property
    def is_over(self) -> bool:
        return self.rounds == ROUNDS

    @property
    def bag(self) -> int:
        return DICE - sum(map(len, self.hands))

    def faces(self, owner: int) -> dict[Cell, Face | None]:
        """What counts in each cell of a grid: the face, or what the WILD is stated to be (D3)."""
        return {cell: self.hands[p][die] or stated for cell, ((p, die), stated) in self.grids[owner].items()}

    def guests(self, owner: int) -> set[Cell]:
        """Where dice of others lie."""
        return {cell for cell, ((player, _), _) in self.grids[owner].items() if player != owner}

    def unused(self, player: int) -> int:
        """D16: dice of a player in no SET, or off the largest part of their grid; guests' dice stay used (D15)."""
        used = 0
        for owner in self.players:
            part = min(all_ways(self.faces(owner), self.touching, self.guests(owner)).parts, key=sorted)
            used += sum(cell in part for cell, ((p, _), _) in self.grids[owner].items() if p == player)
        return len(self.hands[player]) - used

    def do(self, event: dict[str, Any]) -> None:
        allow(not self.is_over and event.get("player", 0) in self.players)
        if event["event"] == "rolled":
            allow(not any(self.hands) and [len(hand) for hand in event["hands"]] == [self.hand] * len(self.players))
            self.hands = [[face_of(name) for name in hand] for hand in event["hands"]]
            return
        allow(any(self.hands))
        getattr(self, f"_{event['event']}")(event["player"], event)

    def _draw(self, player: int, event: dict[str, Any]) -> None:
        allow(self.bag > 0)
        self.hands[player].append(face_of(event["face"]))
        self.stuck.clear()

    def _placed(self, player: int, event: dict[str, Any]) -> dict[Cell, tuple[Die, Face | None]]:
        """The dice of a player that an event names, each once, and only WILDs with a statement (D3)."""
        named = [one["die"] for one in event["grid"]]
        allow(len(set(named)) == len(named) and all(0 <= die < len(self.hands[player]) for die in named))
        for one in event["grid"]:
            allow(one["stated"] is None or (self.hands[player][one["die"]] is WILD and one["stated"] != "wild"))
        placed = {(one["row"], one["col"]): ((player, one["die"]), one["stated"] and face_of(one["stated"])) for one in event["grid"]}
        allow(len(placed) == len(named))
        return placed

    def _elsewhere(self, player: int, owner: int | None = None) -> set[Die]:
        return {die for o in self.players if o != owner for die, _ in self.grids[o].values() if die[0] == player}

    def _lay(self, player: int, event: dict[str, Any]) -> None:
        placed = self._placed(player, event)
        allow(not {die for die, _ in placed.values()} & self._elsewhere(player, player))
        old = dict(self.grids[player])
        guests = {cell: old[cell] for cell in self.guests(player)}
        allow(not set(placed) & set(guests))
        if guests:
            # D15: the grid is no longer moved, and a WILD keeps the face that guests need.
            for cell, (die, stated) in old.items():
                if cell not in guests:
                    allow(cell in placed and placed[cell][0] == die and placed[cell][1] in (None, stated or placed[cell][1]))
                    placed[cell] = (die, stated or placed[cell][1])
            allow(self._grows(player, {**placed, **guests}, set()))
        self.grids[player] = {**placed, **guests}
        self.stuck.clear()

    def _add(self, player: int, event: dict[str, Any]) -> None:
        owner = event["owner"]
        allow(self.bag == 0 and len(self.players) > 2 and owner in self.players and owner != player)
        placed = self._placed(player, event)
        allow(bool(placed) and not {die for die, _ in placed.values()} & self._elsewhere(player))
        allow(not set(placed) & set(self.grids[owner]))
        allow(all_ways(self.faces(owner), self.touching).used > 0)
        grid = {**self.grids[owner], **placed}
        allow(self._grows(owner, grid, set(placed)))
        self.grids[owner] = grid
        self.stuck.clear()

    def _grows(self, owner: int, grid: dict[Cell, tuple[Die, Face | None]], new: set[Cell]) -> bool:
        """D3, D15: one face for each WILD, with which all that was used stays used, and the new dice are used with it."""
        old, guests = set(self.grids[owner]), self.guests(owner)
        ways = all_ways(self.faces(owner), self.touching, guests)
        faces = {cell: self.hands[p][die] or stated for cell, ((p, die), stated) in grid.items()}
        for sets in set_patterns(faces):
            before = parts([window for window in sets if old.issuperset(window)], self.touching)
            now = parts(sets, self.touching)
            best = [part for part in before if len(part) == ways.used and any(len(part & guests) == len(p & guests) for p in ways.parts)]
            if any(part | new <= whole for part in best for whole in now):
                return True
        return False

    def _done(self, player: int, event: dict[str, Any]) -> None:
        allow(self.unused(player) == 0 and is_crossword(self.faces(player), self.touching))
        self.points[player] += sum(self.unused(other) for other in self.players if other != player)
        self._end_round()

    def _stuck(self, player: int, event: dict[str, Any]) -> None:
        allow(self.bag == 0 and player not in self.stuck)
        self.stuck.add(player)
        if len(self.stuck) == len(self.players):
            self._end_round()

    def _end_round(self) -> None:
        self.rounds += 1
        if self.rounds < ROUNDS:
            self._begin_round()
