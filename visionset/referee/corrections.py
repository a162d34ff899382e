"""The table as the game should see it: what people have settled stands above what the camera sees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from visionset.pieces import Kind, Piece, PlayingCard, SetCard
from visionset.referee.game_referee import distance_px, in_reading_order, track_of
from visionset.referee.terms import Differ
from visionset.table import Sighting, Table


class Eyes:
    """Corrections, pieces that are passed over, and pieces that are there although no camera sees them ("ghosts").

    A correction sticks to its track, and so does passing over, until the piece leaves or shows another side. A ghost goes when the piece is
    seen again, or something lies in its place. Pieces of other kinds than the game's are passed over; where cards lie face up, one that was
    turned over lies there still.
    """

    def __init__(self, kinds: frozenset[Kind], correct: Callable[[int, Piece], None], is_face_up: bool = False) -> None:
        self._is_face_up = is_face_up
        self._kinds = kinds
        self._faces: dict[int, Piece] = {}
        self._correct = correct
        self._last = Table((1, 1))
        self._corrected: dict[int, Piece] = {}
        self._passed_over: set[int] = set()
        self._ghosts: dict[int, Sighting] = {}
        self._misread: dict[Piece, Piece] = {}

    def look(self, table: Table, turned: frozenset[int] = frozenset()) -> None:
        """Take a new settled table; pieces that show another side since the last one are no longer what people said."""
        there = {track_of(one) for one in table.sightings} - turned
        self._last = table
        self._corrected = {track: piece for track, piece in self._corrected.items() if track in there}
        self._passed_over &= there
        named = {track_of(one): one.piece for one in table.sightings if one.piece is not None}
        self._faces = {track: piece for track, piece in self._faces.items() if track in {track_of(one) for one in table.sightings}} | named
        seen = [one for one in table.sightings if track_of(one) not in self._passed_over]
        self._ghosts = {track: ghost for track, ghost in self._ghosts.items() if not any(_is_back(ghost, one) for one in seen)}

    def misread(self, read: Piece, truth: Piece) -> None:
        """People say that a card was another one than it was read as: it will be read so again wherever it is laid."""
        if isinstance(read, SetCard | PlayingCard):
            self._misread = {was: now for was, now in self._misread.items() if was != truth} | {read: truth}

    def table(self, away: frozenset[Piece] = frozenset()) -> Table:
        """The table as the game should see it, in reading order; nothing is taken for pieces that are `away`."""
        seen = [one for one in self._last.sightings if one.kind in self._kinds and track_of(one) not in self._passed_over]
        seen += self.face_down
        told = [
            replace(one, piece=self._corrected[track], confidence=1.0) if (track := track_of(one)) in self._corrected else one
            for one in seen
        ]
        there = {one.piece for one in told} | away
        told = [
            replace(one, piece=truth) if one.piece and (truth := self._misread.get(one.piece)) and truth not in there else one
            for one in told
        ]
        return replace(self._last, sightings=in_reading_order([*told, *self._ghosts.values()]))

    @property
    def face_down(self) -> tuple[Sighting, ...]:
        """Cards that were turned face down where they lie, as they were: they have not left."""
        if not self._is_face_up:
            return ()
        backs = [(one, self._faces.get(track_of(one))) for one in self._last.sightings if one.kind is Kind.CARD_BACK]
        return tuple(
            Sighting(face.kind, one.outline_px, face, 1.0, None, one.track) for one, face in backs if face and face.kind in self._kinds
        )

    def settle(self, track: int, piece: Piece) -> None:
        """People say what a piece is."""
        self._corrected[track] = piece
        self._correct(track, piece)

    def overrule(self, differ: Differ) -> None:
        """The game is right: pass over what it does not know, keep what it has."""
        self.pass_over(differ.extra)
        for track, piece in differ.swapped:
            self.settle(track, piece)
        for ghost in differ.missing:
            track = -1 - len(self._ghosts) if not self._ghosts else min(self._ghosts) - 1
            self._ghosts[track] = replace(ghost, track=track)

    def pass_over(self, tracks: tuple[int, ...]) -> None:
        """Look past pieces until they leave."""
        self._passed_over |= {track for track in tracks if track >= 0}

    def forget_ghosts(self, extra: tuple[int, ...]) -> bool:
        """Drop ghosts that the game no longer wants; True where there were some."""
        mine = [track for track in extra if track in self._ghosts]
        for track in mine:
            del self._ghosts[track]
        return bool(mine)


def _is_back(ghost: Sighting, seen: Sighting) -> bool:
    if isinstance(ghost.piece, SetCard | PlayingCard) and seen.piece == ghost.piece:
        return True
    return distance_px(ghost.outline_px, seen.outline_px) < ghost.long_side_px / 2
