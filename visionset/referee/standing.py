"""What stands beside the state of a match: the table as people have settled it, what is waited for, and where events are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from visionset.games.base import Event
from visionset.pieces import Kind, Piece, PlayingCard, SetCard
from visionset.referee.game_referee import distance_px, in_reading_order, track_of
from visionset.referee.terms import Differ, Question, RefereeOptions, Ruling, Unsure, Wait
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


class Pending:
    """The ruling that stands, and since when in the time of the match."""

    def __init__(self, options: RefereeOptions, now_s: float) -> None:
        self._options = options
        self.ruling: Ruling = None
        self.since_s = now_s
        self._key: tuple[object, ...] = ()
        self._warned: tuple[object, ...] = ()

    def become(self, ruling: Ruling, now_s: float) -> None:
        """Take a ruling; the time of one that is the same as before goes on, and so it does where fewer pieces are unsure."""
        key = _key(ruling)
        fewer = isinstance(ruling, Unsure) and isinstance(self.ruling, Unsure) and set(ruling.tracks) < set(self.ruling.tracks)
        if fewer:
            self._key, self._warned = key, ()
        elif key != self._key:
            self._key, self.since_s, self._warned = key, now_s, ()
        self.ruling = ruling

    def start_again(self, now_s: float) -> None:
        """Let its time begin now."""
        self.since_s = now_s

    def differ_now(self, differ: Differ, now_s: float) -> None:
        """Take a difference that people are told at once."""
        self.become(differ, now_s)
        self.since_s = now_s - self._options.differ_s

    def ask_now(self, now_s: float) -> None:
        """Let what is to be asked be asked at once."""
        self.since_s = min(self.since_s, now_s - self._options.ask_s)

    def is_told_differ(self, now_s: float) -> bool:
        """Whether people see a difference: one that lasts only for a moment is not told."""
        return isinstance(self.ruling, Differ) and now_s - self.since_s >= self._options.differ_s

    def reminded_s(self, now_s: float) -> float | None:
        """For how long somebody has been waited for; None until that is long enough to be told."""
        waited_s = now_s - self.since_s
        is_told = isinstance(self.ruling, Wait) and self.ruling.until_s is None and waited_s >= self._options.remind_s
        return waited_s if is_told else None

    def is_due(self, now_s: float) -> bool:
        """Whether it is time for a question: most of what is unsure becomes sure by itself before."""
        return now_s - self.since_s >= self._options.ask_s

    def is_forgotten(self, now_s: float) -> bool:
        """Whether nobody has settled it for so long that it is settled without them."""
        return now_s - self.since_s >= self._options.settle_differ_s

    def is_warned(self) -> bool:
        """Whether people were told already what happens without an answer; from now on they were."""
        before, self._warned = self._warned, self._key
        return before == self._key

    def forget_warning(self) -> None:
        """What happens without an answer has happened."""
        self._warned = ()


def _key(ruling: Ruling) -> tuple[object, ...]:
    """What makes a ruling the same as the one before."""
    match ruling:
        case Wait():
            return "wait", ruling.to, ruling.message, ruling.until_s
        case Unsure():
            return ("unsure", *ruling.tracks)
        case Question():
            return ("question", *ruling.key)
        case Differ():
            return ("differ", ruling.message)
    return ("none",)


class Log:
    """Where events are kept before anybody is told of them; this one keeps nothing."""

    def append(self, event: Event) -> None:
        """Keep an event."""

    def undo(self) -> None:
        """Keep that the last event was taken back."""
