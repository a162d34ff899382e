"""Settling: from the tracks of before and a few readings of now to the tracks of now and what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from visionset.changes import Appeared, Change, Moved, Reread, Rolled, Swapped, Taken, TurnedOver
from visionset.geometry import Floats, Quad
from visionset.pieces import Kind, Piece
from visionset.table import Sighting
from visionset.tracking.association import PairOptions, is_turned, offsets, pair
from visionset.tracking.belief import DICE, Belief
from visionset.tracking.observations import Place, aligned
from visionset.tracking.occlusion import Surroundings
from visionset.tracking.tracks import NameOptions, Track, name_all


@dataclass(frozen=True, slots=True)
class SettleOptions:
    """When what was read is believed.

    Attributes
    ----------
    most_weight : float
        Looks that a belief remembers; older ones fade, so that strong evidence can still change it.
    frozen : float
        An outline stays as it is while no corner is off by more than this share of the long side.
    swapped : float
        Probability of another face from which a touched piece was swapped, not misread.
    alike : float
        A place whose straightened picture correlates by this much with that of before was not changed.
    marks : float
        The same for the marks on a piece: another card with the same edges lies there when they correlate by less.
    some_marks : float
        The same for a piece that was touched and not read: less is bare table, or what else lay under it.
    rolled : float
        A pip die that lies off by this share of its side was thrown, even with the same value.
    overlap : float
        Something new that lies off a known piece by less than this share of its short side is that piece, seen twice.
    """

    most_weight: float = 6.0
    frozen: float = 0.035
    swapped: float = 0.9
    alike: float = 0.75
    marks: float = 0.85
    some_marks: float = 0.5
    rolled: float = 0.35
    overlap: float = 0.35
    pairs: PairOptions = field(default_factory=PairOptions)
    names: NameOptions = field(default_factory=NameOptions)


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The table after settling.

    Attributes
    ----------
    tracks : tuple of Track
        What lies there.
    changes : tuple of Change
        What happened.
    waiting : bool
        Something is still hidden, held or unclear: look again soon.
    hidden : tuple of Quad
        Outlines of pieces that are covered by something.
    covered : bool
        Some are covered by what is no piece.
    """

    tracks: tuple[Track, ...]
    changes: tuple[Change, ...]
    waiting: bool
    hidden: tuple[Quad, ...]
    covered: bool


def settle(
    tracks: tuple[Track, ...],
    places: Sequence[Place],
    around: Surroundings,
    excluded: frozenset[Piece],
    news: bool,
    lost: bool,
    number: Callable[[], int],
    options: SettleOptions,
) -> Outcome:
    """Decide what lies on the table and what changed.

    Parameters
    ----------
    tracks : tuple of Track
        Before.
    places : sequence of Place
        What was read now.
    around : Surroundings
        What the picture says about places.
    excluded : frozenset of Piece
        Pieces that cannot be there.
    news : bool
        Something moved or changed since the table was settled; otherwise this is the same look once more and proves nothing new.
    lost : bool
        The camera moved and could not be followed: what lies elsewhere was not moved, what is missing is perhaps out of the picture.
    number : callable
        Gives the number of a new track.
    options : SettleOptions
        Numbers.
    """
    return _Settling(tracks, places, around, news, lost, number, options).run(excluded)


@dataclass(slots=True)
class _Settling:
    before: tuple[Track, ...]
    places: Sequence[Place]
    around: Surroundings
    news: bool
    lost: bool
    number: Callable[[], int]
    options: SettleOptions
    kept: dict[int, Track] = field(default_factory=dict)
    happened: list[tuple[str, Track | None, int]] = field(default_factory=list)
    hidden: list[Quad] = field(default_factory=list)
    waiting: bool = False
    covered: bool = False

    def run(self, excluded: frozenset[Piece]) -> Outcome:
        off = offsets(self.before, self.places)
        rows = [row for row, track in enumerate(self.before) if not self._is_overlooked(track, off[row])]
        found = pair([self.before[row] for row in rows], self.places, self.around.touched, self.options.pairs)
        pairs = [(rows[at], column) for at, column in found]
        for row, column in pairs:
            self._again(self.before[row], self.places[column], float(off[row, column]))
        missing = [self.before[row] for row in sorted(set(range(len(self.before))) - {row for row, _ in pairs})]
        self.around.look_for(missing, [*self._disturbed(), *self._unpaired(pairs)])
        for track in missing:
            self._missing(track)
        for column in sorted(set(range(len(self.places))) - {column for _, column in pairs}):
            self._fresh(self.places[column])
        tracks = name_all(self.kept.values(), excluded, self.options.names)
        return Outcome(tracks, tuple(self._changes(tracks)), self.waiting, tuple(self.hidden), self.covered)

    def _disturbed(self) -> Iterator[Quad]:
        """Where pieces that were paired lay, and where they lie now, if that is not the same."""
        for what, before, number in self.happened:
            if before is not None and (what or self.kept[number].outline_px is not before.outline_px):
                yield before.outline_px
                yield self.kept[number].outline_px

    def _unpaired(self, pairs: Sequence[tuple[int, int]]) -> Iterator[Quad]:
        """What was read and was not there before."""
        paired = {column for _, column in pairs}
        return (place.outline_px for column, place in enumerate(self.places) if column not in paired)

    def _is_overlooked(self, track: Track, off: Floats) -> bool:
        """Its place looks as before although nothing was read there: it lies there, and what came elsewhere is another piece."""
        return bool((off >= self.options.pairs.here).all()) and self._looks_as_before(track)

    def _looks_as_before(self, track: Track) -> bool:
        """What is seen of its outline is there, and where something moved the marks on it too: a mat may have the size of a card."""
        if self.around.alike(track) < self.options.alike:
            return False
        return not self.around.touched(track) or self.around.bears_the_same(track) >= self.options.some_marks

    def _again(self, track: Track, place: Place, off: float) -> None:
        """A piece that was there is there again: in its place, elsewhere, turned, or another in its stead."""
        if not place.is_steady or self.around.busy(place.outline_px):
            self.waiting = True
            self._keep(track)
            return
        elsewhere = off >= self.options.pairs.here
        kind_before, kind = track.belief.kind, place.belief.kind
        face, share = place.belief.top
        touched = self.around.touched(track) or elsewhere
        known = track.face if track.corrected is None else track.belief.top[0]  # what a person says is no reading
        other = share >= self.options.swapped and known not in {face, None}
        if is_turned(kind_before, kind):
            self._put(track, place, place.belief, "turned")
        elif kind_before is not kind:
            self._stranger(track, place, touched)
        elif kind in DICE and touched and (other or (kind is Kind.PIP_DIE and off >= self.options.rolled)):
            self._put(track, place, place.belief, "rolled")
        elif kind not in DICE and not elsewhere and touched and other and self.around.bears_the_same(track) < self.options.marks:
            self._stranger(track, place, touched)
        else:
            pooled = Belief.pooled([track.belief, place.belief], self.options.most_weight) if self.news else track.belief
            moved = elsewhere and not self.lost and self.around.inside(track.outline_px)
            self._put(track, place, pooled, "moved" if moved else "", corrected=track.corrected)

    def _stranger(self, track: Track, place: Place, touched: bool) -> None:
        """Another piece in the same place; where nothing moved it was misread, and is kept."""
        if not touched:
            self._keep(track)
            return
        number = self._new(place)
        self.happened.append(("swapped", track, number))

    def _put(self, track: Track, place: Place, belief: Belief, what: str, corrected: Piece | None = None) -> None:
        outline = aligned(place.outline_px, track.outline_px)
        off = float(np.abs(outline - track.outline_px).max())
        long_side = track.sighting.long_side_px
        stays = not what and off < self.options.frozen * long_side
        now = track if stays else track.at(outline)
        if what in {"turned", "rolled"}:
            # its old name is no name of the face that shows now
            shown = now.sighting
            now = replace(now, sighting=Sighting(belief.kind, shown.outline_px, None, 0.0, None, track.number))
        now = replace(
            now,
            belief=belief,
            settled_s=self.around.time_s,
            ground=self.around.ground,
            portrait=self.around.portrait(now.outline_px),
            corrected=corrected,
        )
        self.kept[track.number] = now
        self.happened.append((what, track, track.number))

    def _keep(self, track: Track) -> None:
        self.kept[track.number] = track
        self.happened.append(("", track, track.number))

    def _missing(self, track: Track) -> None:
        """A piece that was not read: out of the picture, covered, overlooked, or gone."""
        outline = track.outline_px
        if self.lost or not self.around.inside(outline):
            self._keep(track)
        elif self.around.busy(outline):
            self.waiting = True
            self._keep(track)
        elif self._looks_as_before(track):
            self._keep(track)
        elif (covered := self.around.covered(track)) or self.around.lies_under(track, [place.outline_px for place in self.places]):
            self.covered |= covered
            self.hidden.append(outline)
            self._keep(track)
        else:
            self.happened.append(("taken", track, track.number))

    def _fresh(self, place: Place) -> None:
        """Something that was not there before."""
        if not place.is_steady or self.around.busy(place.outline_px) or self.around.held(place.outline_px):
            self.waiting = True
            return
        if (offsets(tuple(self.kept.values()), (place,)) < self.options.overlap).any():
            return
        self.happened.append(("appeared", None, self._new(place)))

    def _new(self, place: Place) -> int:
        number = self.number()
        shown = Sighting(place.belief.kind, place.outline_px, None, 0.0, None, number)
        portrait = self.around.portrait(place.outline_px)
        self.kept[number] = Track(number, place.belief, shown, self.around.time_s, portrait, self.around.ground)
        return number

    def _changes(self, tracks: Sequence[Track]) -> Iterator[Change]:
        named = {track.number: track for track in tracks}
        for what, before, number in self.happened:
            if before is None:
                yield Appeared(named[number].sighting)
            elif what == "taken":
                yield Taken(before.sighting)
            else:
                yield from _change(what, before.sighting, named[number])


def _change(what: str, before: Sighting, track: Track) -> Iterator[Change]:
    after = track.sighting
    if what == "swapped":
        yield Swapped(before, after)
    elif what == "turned":
        yield TurnedOver(before, after)
    elif what == "rolled":
        yield Rolled(before, after)
    elif what == "moved":
        yield Moved(before, after)
    elif before.piece != after.piece:
        yield Reread(before, after)
