"""Options of a tracker: when it reads, what it believes."""

from __future__ import annotations

from dataclasses import dataclass, field

from visionset.vision.options import ReadOptions


@dataclass(frozen=True, slots=True)
class MotionOptions:
    """What counts as motion."""

    long_side_px: int = 160
    """Long side of the small picture in which motion is seen, and in which the table is remembered: a finger is three of its pixels wide
    when the camera sees 70 cm of table."""
    least: float = 0.0012
    """Share of the picture that must change for something to move; a fingertip is more."""
    still_s: float = 0.13
    """A frame is compared with that of this long ago, too: slow hands do not show from one frame to the next."""
    drift_px: float = 0.3
    """Small pixels by which the picture must seem to have slid for the camera's motion to be looked for where nothing seems to move."""
    changed: float = 0.004
    """Share of the picture that is more than noise, and that an arm covers at least: that must have changed, without any motion, for it to
    be read again; that must be edges, steeper than `CONTRAST` a small pixel, for `drift_px` to be measured."""
    least_way_px: float = 0.12
    """Small pixels that every corner of the picture must move for the camera to have moved."""
    view_rest: float = 0.012
    """Share of the picture that may differ once the camera's motion is taken out: warping blurs, edges enter."""


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """How the camera's own motion is found."""

    points: int = 120
    """Most corners that are followed from picture to picture."""
    quality: float = 0.02
    """Least strength of a corner, as a share of the strongest."""
    apart_px: float = 4.0
    """Least distance of two corners in small pixels, so that one card does not take them all."""
    window_px: int = 13
    """Side of the window that is compared around each corner, in small pixels."""
    off_px: float = 1.0
    """Pixels by which a point may be off the homography to agree with it."""
    least_points: int = 10
    """Least number of points that must agree: fewer are chance."""
    found_share: float = 0.25
    """Share of matched features that must agree where the view is found again: many matches are wrong. Of corners that are followed half
    must agree: else a large thing moves and not the camera."""
    distinct: float = 0.8
    """Ratio test: a match counts if its distance is less than this times that of the second best."""


@dataclass(frozen=True, slots=True)
class BackgroundOptions:
    """When something lies or hovers over the table."""

    ring: float = 0.3
    """Width of the strip around a piece that is looked at, in its short sides."""
    margin_px: int = 3
    """Small pixels next to a piece that say nothing: its shadow, its edge."""
    least_px: int = 24
    """Least number of small pixels from which a strip, or the marks of the table, say anything."""
    hue: float = 0.15
    """Least change of a log colour ratio that no shadow makes."""
    of_light: float = 0.3
    """Change of log brightness, beyond that of the whole picture, up to which a pixel tells how the light changed."""
    few: float = 0.08
    """Least share: of the strip around a place that looks unlike before, for something to cross its edge; of a piece that differs from the
    table, for what is seen of it to say anything; of its place under others, for it to lie under them; of what lies near a pixel, for it to
    tell more of the light than the slope over the picture does."""
    part: float = 0.3
    """Share of a place from which it tells: looks unlike before, for it to have changed; of the strip around a new piece too, for a hand to
    be there; of the marks on a piece, or of its colours, that still show, for it to lie there, partly hidden."""
    with_shadow: float = 5.0
    """Where a piece is gone, what changed is no larger than its place by this factor: its shadow, and the side of a die. An arm is."""
    rest_s: float = 10.0
    """Time that something must lie still to be no arm that rests, but a part of the table."""


@dataclass(frozen=True, slots=True)
class CoverOptions:
    """When a place is hidden."""

    mostly: float = 0.8
    """Where something crosses the edge, the piece is gone only where at least this share of its place looks like the table around it, and
    this share of what crosses is table that did not show before: sleeves may have the colour of the table."""
    samples: int = 250
    """About how many pixels stand for the table, for a place or for what crosses its edge."""


UNLIKELY = 3.0
"""Log odds against what seldom happens at a table: one time in twenty."""


@dataclass(frozen=True, slots=True)
class NameOptions:
    """When a piece is named."""

    sure: float = ReadOptions().min_confidence
    """Pooled probability from which a piece is named; less is asked about."""
    keep: float = 0.25
    """A named piece keeps its name down to this probability."""
    strong: float = 0.95
    """Probability that another name needs to take its place."""
    excluded_log: float = -UNLIKELY
    """Log factor for a piece that cannot be there (won, or under a cup): strong readings still overrule it. Twice that for a card that
    already lies there as often as there are decks."""
    decks: int = 1
    """Copies of each card that may lie on the table."""


@dataclass(frozen=True, slots=True)
class PairOptions:
    """Costs of what may have happened to a piece, as negative log odds."""

    unlikely: float = UNLIKELY
    """Cost where it was moved or turned over, or misread though nothing moved. Twice that where it was moved though nothing moved in its
    place, or was swapped."""
    gone: float = 4.0
    """Cost where it left or came."""
    agree: float = 0.5
    """A card elsewhere is the same card when both readings agree with this probability. A die may have been rolled: where both
    agree by less, it counts as if they agreed by this."""
    view_share: float = 0.7
    """Share of all recognised pieces that must move alike for the camera to have moved."""
    view_least: int = 3
    """Fewer pieces that move alike were moved by a hand."""


@dataclass(frozen=True, slots=True)
class SettleOptions:
    """When what was read is believed."""

    most_weight: float = 6.0
    """Most looks that a belief remembers; older ones fade, so that strong evidence can still change it."""
    frozen: float = 0.035
    """Share of the long side by which each corner may be off while the outline stays as it is."""
    some_marks: float = 0.5
    """Least correlation of the marks in a place with those of before: of a piece that was touched and not read, for it to lie there still;
    of a card that is read as another one, but not surely, for it to be the same card."""
    off: float = 0.35
    """A pip die that lies off by this share of its side was thrown, even with the same value; something new that lies off a known piece
    by less is that piece, seen twice."""
    pairs: PairOptions = field(default_factory=PairOptions)
    names: NameOptions = field(default_factory=NameOptions)


@dataclass(frozen=True, slots=True)
class RemarkOptions:
    """When a remark is worth making."""

    dark: float = 35.0
    light: float = 45.0
    """`dark` and `light`: mean brightness (0 to 255) below which it is too dark, and above which it is light again."""
    lasts_s: float = 3.0
    """How long something must move or cover a piece before a hand is said to be in the way, how long a table must be empty before anybody
    wonders, and how long it is told that the table was found again."""
    soft: float = 0.1
    """Width of the sharpest edges on an unread piece, as a share of its short side, from which it is out of focus."""
    soft_px: float = 7.0
    """The same in pixels for a picture in which nothing was found."""


@dataclass(frozen=True, slots=True)
class TrackerOptions:
    """When a stream is read and believed."""

    readings: int = 2
    """Readings after which a table that is clear is settled: one could be a blink of the reader."""
    unsure_readings: int = 3
    """The same when a piece is not sure, or the camera moves: noise is averaged away. A glance pools as many, and follows a piece that is
    not read for as many."""
    most_readings: int = 5
    """The same when readings contradict each other or what is known."""
    reread_s: float = 0.3
    """Time from one reading to the next while something is still hidden, held or unclear, or the camera moves."""
    waiting_readings: int = 20
    """Readings that are spent while something is still hidden, held or unclear; then the next motion is waited for."""
    wait_s: float = 1.0
    """Time until a table that changed without motion is read again; until a new piece beside something foreign is in no hand, if nothing
    moves; and until the table is looked for elsewhere when the camera's motion is lost, as a large hand makes it seem."""
    patience_s: float = 2.0
    """Time that something may move until the rest of the table is read all the same."""
    blind: float = 0.4
    """Share of the settled table's brightness below which, where it is too dark as well, nothing can be said about the table."""
    far_long_px: int = 480
    """Long side of the picture in which the view is found again after a bump."""
    motion: MotionOptions = field(default_factory=MotionOptions)
    view: ViewOptions = field(default_factory=ViewOptions)
    background: BackgroundOptions = field(default_factory=BackgroundOptions)
    cover: CoverOptions = field(default_factory=CoverOptions)
    settle: SettleOptions = field(default_factory=SettleOptions)
    has_glance: bool = True
    """Whether labels are shown while the view moves; else they wait until it is quiet."""
    remarks: RemarkOptions = field(default_factory=RemarkOptions)
