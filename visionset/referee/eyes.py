"""What people have said of pieces that the camera sees.

Longer than most modules: what is named, taken for granted, passed over and imagined is taken back together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

from visionset.games.correction import Correct, decoded, piece_code, pieces_in, read_off
from visionset.games.game import History
from visionset.geometry import Floats, Quad
from visionset.pieces import Kind, Piece, PlayingCard, SetCard
from visionset.referee.rulings import Differ
from visionset.referee.sightings import distance_px, has_moved, in_reading_order, seen_from, track_of
from visionset.table import Sighting, Table


def is_fewer(piece: Piece, earlier: History, later: History) -> bool:
    """Whether a game holds fewer of a card than before, such as one that is known to be another one since."""
    before, after = (pieces_in(history.state.to_json()).count(piece_code(piece)) for history in (earlier, later))
    return after < before


@dataclass(frozen=True, slots=True)
class _Mending:
    """What a dispute has changed: how many events there were before, what a piece was read as and is, and what was misread before."""

    events: int
    read: Piece
    truth: Piece
    track: int | None
    """None in a match that went on since."""
    misreadings: dict[Piece, Piece]

    def called_otherwise(self, table: Table, lying: Sequence[Piece], named: Mapping[int, Piece]) -> list[Sighting]:
        """The piece on the table that people have called otherwise: its track is not known in a match that went on since.

        Those that were `named` by people there come first. A die that was thrown since has lost the name that it was given.
        """
        if self.track is not None:
            return [one for one in table.sightings if one.track == self.track and named.get(self.track) == self.truth]
        alike = sorted((one for one in table.sightings if one.piece == self.truth), key=lambda one: track_of(one) not in named)
        if isinstance(self.truth, SetCard | PlayingCard):  # the card that they meant has left, where none has that name from them
            return [one for one in alike if track_of(one) in named]
        # of dice that show the same it is one, and none where the die has been taken
        return alike[: max(0, len(alike) - lying.count(self.truth))]


class SaidOfPieces(NamedTuple):
    """What people have said of pieces that lie there, by track: what they are, which do not count, and which are there unseen."""

    corrected: dict[int, Piece]
    passed_over: frozenset[int]
    ghosts: dict[int, Sighting]
    guessed: dict[int, Sighting]
    """Those of which nobody has said anything, as they were seen: they were taken for what they look like, or passed over."""


class Eyes:
    """Corrections, pieces that are passed over, and pieces that are there although no camera sees them ("ghosts").

    In `misreadings` is what cards were read as, with what they are. A correction sticks to its track, and so does passing over, until the
    piece leaves or shows another side; what lay there too early may count again as the game goes on. A ghost goes when the piece is seen
    again, something lies in its place, or the game has it there no more. What nobody has named is what it looks like, or passed over, until
    the camera reads it otherwise. Pieces of other kinds than the game's are passed over; where cards lie face up, one that was turned over
    lies there still.
    """

    def __init__(self, kinds: frozenset[Kind], correct: Callable[[int, Piece | None], None], is_face_up: bool = False) -> None:
        self._is_face_up = is_face_up
        self._kinds = kinds
        self._faces: dict[int, Piece] = {}
        self._correct = correct
        self._last = Table((1, 1))
        self._corrected: dict[int, Piece] = {}
        self._guessed: dict[int, Sighting] = {}
        self._as_misread: dict[int, Piece] = {}
        self._passed_over: set[int] = set()
        self._not_yet: set[int] = set()  # those of them that are no part of the game as it stands
        self._counted_again: dict[int, Quad] = {}  # those that were so before, where they lie: another time it holds until they are moved
        self._ghosts: dict[int, Sighting] = {}
        self._went: dict[int, Sighting] = {}  # ghosts that went with the last event
        self._said: list[tuple[Piece, Piece]] = []
        self._unclear: list[tuple[Piece, Piece, set[int]]] = []  # what such dice were read as, what one of them is, and their tracks
        self._mended: list[_Mending] = []
        self.misreadings: dict[Piece, Piece] = {}

    def look(self, table: Table, turned: frozenset[int] = frozenset()) -> None:
        """Take a new settled table; pieces that show another side since the last one are no longer what people said."""
        there = {track_of(one) for one in table.sightings} - turned
        self._last = table
        reread = {track_of(one) for one in table.sightings if self._is_reread(one)}
        self._corrected = {track: piece for track, piece in self._corrected.items() if track in there - reread}
        self._passed_over -= reread
        self._guessed = {track: one for track, one in self._guessed.items() if track in there - reread}
        self._as_misread = {track: piece for track, piece in self._as_misread.items() if track in there}
        imagined = {ghost.piece for ghost in self._ghosts.values() if isinstance(ghost.piece, SetCard | PlayingCard)}
        self._unclear = [(read, truth, tracks & there) for read, truth, tracks in self._unclear]
        self._passed_over &= there - {track_of(one) for one in table.sightings if one.piece in imagined}
        stay = {track_of(one) for one in table.sightings if not has_moved(self._counted_again.get(track_of(one), one.outline_px), one)}
        self._passed_over -= self._counted_again.keys() - stay
        self._counted_again = {track: outline for track, outline in self._counted_again.items() if track in stay & there}
        named = {track_of(one): one.piece for one in table.sightings if one.piece is not None}
        self._faces = {track: piece for track, piece in self._faces.items() if track in {track_of(one) for one in table.sightings}} | named
        seen = [one for one in table.sightings if track_of(one) not in self._passed_over]
        self._ghosts = {track: ghost for track, ghost in self._ghosts.items() if not any(_is_back(ghost, one) for one in seen)}

    def follow_view(self, image_from_before: Floats) -> None:
        """The camera moved: what is remembered by its place is elsewhere in the picture."""
        self._counted_again = {track: seen_from(image_from_before, outline) for track, outline in self._counted_again.items()}
        self._ghosts, self._went = (
            {track: replace(one, outline_px=seen_from(image_from_before, one.outline_px)) for track, one in ghosts.items()}
            for ghosts in (self._ghosts, self._went)
        )

    def misread(self, read: Piece, truth: Piece) -> None:
        """People say that a card was another one than it was read as: it will be read so again wherever it is laid."""
        if isinstance(read, SetCard | PlayingCard):
            kept = {was: truth if now == read else now for was, now in self.misreadings.items() if was != truth}
            self.misreadings = kept if read in self.misreadings.values() else kept | {read: truth}

    def mend(self, events: int, read: Piece, truth: Piece, track: int | None) -> None:
        """Remember that a dispute called a piece otherwise after so many events; a card that was passed over for it counts from now on."""
        self._mended.append(_Mending(events, read, truth, track, self.misreadings))
        if isinstance(read, SetCard | PlayingCard):
            self._passed_over -= {track_of(one) for one in self._last.sightings if one.piece == read}

    def mended_before(self, events: int) -> None:
        """Take it that whatever was mended was so before the last of so many events, which has come in the place of others."""
        self._mended = [replace(one, events=min(one.events, events - 1)) for one in self._mended]

    def unmend(self, events: int, table: Table, lying: Sequence[Piece]) -> None:
        """Forget what was mended after so many events, where the game has these pieces `lying` on the table."""
        while self._mended and events <= self._mended[-1].events:
            self.unmend_last(table, lying)

    def unmend_last(self, table: Table, lying: Sequence[Piece]) -> None:
        """Read a piece again as it was read before people called it otherwise."""
        mended = self._mended.pop()
        self.misreadings = mended.misreadings
        for one in mended.called_otherwise(table, lying, self._corrected):
            self.settle(track_of(one), mended.read)

    def remember(self, history: History) -> None:
        """Take what people said of pieces in a match that goes on: the camera is likely to read them as before."""
        earlier = History.begin(history.game, history.options, history.players)
        for event in history.events:
            later = earlier.then(event)
            if isinstance(event, Correct):
                read, truth = (cast(Piece, decoded(code)) for code in (read_off(earlier.told[event.number])[event.place], event.piece))
                self.mend(len(earlier.events), read, truth, None)
                if is_fewer(read, earlier, later):
                    self.misread(read, truth)
            self.keep_misread(later)
            earlier = later
        self._said = [(one.read, one.truth) for one in self._mended]

    def recognize(self, lying: Iterable[Piece], won: Container[Piece], sure: float) -> None:
        """Find those pieces again where a match goes on: dice that lie there, and cards that a dispute has won and nobody has taken.

        Of dice that are read alike it is the one that may be the other by its reading, or is read with less than the confidence `sure`;
        where nothing tells them apart people are asked, see `unclear`.
        """
        table = self.table()
        left = Counter(lying)
        left.subtract(one.piece for one in table.sightings if one.piece is not None)
        for read, truth in self._said:
            alike = [one for one in table.sightings if one.piece == read and track_of(one) not in self._corrected]
            thought = [one for one in alike if one.guess is not None and one.guess.runner_up == truth]
            thought = thought or [one for one in alike if one.confidence < sure] or alike
            is_away = truth in won if isinstance(truth, SetCard | PlayingCard) else left[truth] > 0
            if not (thought and is_away and left[read] < 0):
                continue
            if -left[read] < len(thought) and len({one.confidence < sure for one in thought}) == 1:
                self._unclear.append((read, truth, {track_of(one) for one in thought}))
            else:
                self.settle(track_of(min(thought, key=lambda one: one.confidence)), truth)
            left.subtract({truth: 1, read: -1})

    def unclear(self, lying: Iterable[Piece]) -> tuple[Sighting, Piece, Piece] | None:
        """A die that people have called otherwise, or another one that is read like it: what it is read as, and what it would be then.

        The last one that it can be is it; None where nothing is to be asked.
        """
        for read, truth, tracks in self._unclear:
            seen, has = self.table().sightings, Counter(lying)
            shown = Counter(one.piece for one in seen)
            perhaps = [one for one in seen if one.piece == read and track_of(one) in tracks - self._corrected.keys()]
            if not perhaps or shown[truth] >= has[truth] or shown[read] <= has[read]:
                continue
            if len(perhaps) > shown[read] - has[read]:
                return perhaps[0], read, truth
            self.settle(track_of(perhaps[0]), truth)
        return None

    def keep_misread(self, history: History) -> None:
        """Forget cards that were misread and are not in the game any more: in the next round the one that they looked like may come."""
        if self.misreadings:
            there = pieces_in(history.state.to_json())
            self.misreadings = {was: truth for was, truth in self.misreadings.items() if piece_code(truth) in there}

    def take_away(self, gone: Container[Piece]) -> None:
        """Imagine pieces no longer that the game has there no more, such as those of a SET that was taken."""
        self._went = {track: ghost for track, ghost in self._ghosts.items() if ghost.piece in gone}
        self._ghosts = {track: ghost for track, ghost in self._ghosts.items() if ghost.piece not in gone}

    def bring_back(self, lying: Container[Piece]) -> None:
        """Imagine pieces again that the game has there again, as an event was taken back, unless they are seen."""
        went, self._went = self._went, {}
        for ghost in went.values():
            if ghost.piece not in lying or any(_is_back(ghost, one) for one in self._last.sightings):
                continue
            track = min(self._ghosts, default=0) - 1
            self._ghosts[track] = replace(ghost, track=track)

    def table(self, away: frozenset[Piece] = frozenset()) -> Table:
        """The table as the game should see it, in reading order; nothing is taken for pieces that are `away`."""
        seen = [one for one in self._last.sightings if one.kind in self._kinds and track_of(one) not in self._passed_over]
        seen += self.face_down
        told = [
            replace(one, piece=self._corrected[track], confidence=1.0) if (track := track_of(one)) in self._corrected else one
            for one in seen
        ]
        there = {one.piece for one in told} | {self._as_misread.get(track_of(one)) for one in told} | away
        for at, one in sorted(enumerate(told), key=lambda pair: pair[1].confidence):  # of two that read alike the less certain one
            track = track_of(one)
            if one.piece is None or track in self._corrected or (truth := self.misreadings.get(one.piece)) is None:
                continue
            before = self._as_misread.get(track)  # so it stays while it lies there, though a dispute may have won it, or the other is taken
            is_misread = before == truth or (truth not in there and before != one.piece)
            self._as_misread[track] = truth if is_misread else one.piece
            if is_misread:
                told[at] = replace(one, piece=truth)
                there.add(truth)
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
        self._corrected = {**self._corrected, track: piece}
        self._guessed.pop(track, None)
        self._correct(track, piece)

    def guess(self, seen: Sighting, piece: Piece | None) -> None:
        """Take a piece for what it most likely is, or look past it, since nobody says: the camera may read it yet."""
        track = track_of(seen)
        if piece is None:
            self.pass_over((track,))
        else:
            self._corrected = {**self._corrected, track: piece}
        self._guessed[track] = seen

    def _is_reread(self, one: Sighting) -> bool:
        """Whether a piece that was taken for what it looks like is read more surely now, and otherwise than it was then."""
        before = self._guessed.get(track_of(one))
        return before is not None and one.piece not in (None, before.piece) and one.confidence > before.confidence

    def as_looked(self, table: Table) -> Table:
        """The table of the game with pieces that nobody has named no more certain than they looked."""
        return replace(table, sightings=tuple(self._as_looked(one) for one in table.sightings))

    def _as_looked(self, one: Sighting) -> Sighting:
        seen = self._guessed.get(track_of(one))
        return one if seen is None else replace(one, confidence=seen.confidence)

    @property
    def said(self) -> SaidOfPieces:
        """What people have said of pieces so far."""
        return SaidOfPieces(self._corrected, frozenset(self._passed_over), dict(self._ghosts), dict(self._guessed))

    def unsay(self, before: SaidOfPieces) -> None:
        """Forget what people have said since; pieces that they named are unread until the camera has looked at them again."""
        there = {track_of(one) for one in self._last.sightings}
        unsaid = {track for track, piece in self._corrected.items() if before.corrected.get(track) != piece} & there
        for track in unsaid - self._guessed.keys():
            self._correct(track, None if track in before.guessed else before.corrected.get(track))
        seen = tuple(replace(one, piece=None, confidence=0.0) if track_of(one) in unsaid else one for one in self._last.sightings)
        # what was forgotten since, as of a die that was thrown, stays so
        self._corrected = {track: before.corrected[track] for track in self._corrected if track in before.corrected}
        self._guessed = {track: one for track, one in self._guessed.items() if track in before.guessed}
        self._passed_over &= before.passed_over
        self._ghosts = {track: ghost for track, ghost in self._ghosts.items() if track in before.ghosts}
        self.look(replace(self._last, sightings=seen))

    def overrule(self, differ: Differ) -> None:
        """The game is right: pass over what it does not know, keep what it has."""
        self.pass_over(differ.extra)
        self._not_yet |= set(differ.extra) - self._counted_again.keys()
        for track, piece in differ.swapped:
            self.settle(track, piece)
        for ghost in differ.missing:
            track = min(self._ghosts, default=0) - 1
            self._ghosts[track] = replace(ghost, track=track)

    def pass_over(self, tracks: tuple[int, ...]) -> None:
        """Look past pieces until they leave."""
        self._passed_over |= {track for track in tracks if track >= 0}

    def count_again(self) -> None:
        """Pass over no longer what was no part of the game as it stood; of each piece people are asked so once more, not for ever."""
        self._passed_over -= self._not_yet
        self._counted_again |= {track_of(one): one.outline_px for one in self._last.sightings if track_of(one) in self._not_yet}
        self._not_yet = set()

    def count_moved(self, track: int) -> None:
        """Pass over no longer a piece that lies where it may count."""
        self._passed_over.discard(track)

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
