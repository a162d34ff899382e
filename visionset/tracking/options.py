"""Options of a tracker: when it reads, what it believes."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class MotionOptions:
    """What counts as motion."""

    long_side_px: int = 160
    """Long side of the small picture: a finger is three of its pixels wide when the camera sees 70 cm of table."""
    neighbourhood: float = 0.16
    """Width over which brightness is evened out, as a share of the long side: wider than a hand, narrower than a lamp's light."""
    floor: float = 16.0
    """Brightness levels added before the logarithm, so that the noise of dark pixels is no contrast."""
    contrast: float = 0.1
    """Change of local contrast (log units, about 10 %) that is more than noise, compression and flicker."""
    least: float = 0.0012
    """Share of the picture that must change; a fingertip is more."""
    still_s: float = 0.13
    """The picture must be as it was this long ago: slow hands do not show from one frame to the next."""
    widespread: float = 0.3
    """Share of all pixels with contrast that must change before the camera is suspected of moving."""
    texture: float = 0.06
    """Local contrast from which a pixel counts as such."""
    drift_px: float = 0.3
    """Small pixels by which the picture must seem to have slid for a slow camera to be suspected where nothing seems to move."""
    edges: float = 0.005
    """Share of the picture that must be edges, steeper than `contrast` a small pixel, for that to be seen: fewer are noise."""
    least_way_px: float = 0.12
    """Small pixels that every corner of the picture must move for the camera to have moved."""
    view_rest: float = 0.012
    """Share of the picture that may differ when the camera's motion is taken out: warping blurs, edges enter."""


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """How the camera's own motion is found."""

    points: int = 120
    """Corners that are followed from picture to picture."""
    quality: float = 0.02
    """A corner counts from this share of the strongest."""
    apart_px: float = 4.0
    """Least distance of two of them, so that one card does not take them all."""
    window_px: int = 13
    """What is compared around each, in small pixels."""
    levels: int = 2
    """Times that the picture is halved: a corner may move by about half a window on the smallest."""
    off_px: float = 1.0
    """A followed point is right when it is off by less than this."""
    least_points: int = 10
    """Fewer agreeing points are chance."""
    least_share: float = 0.5
    """Share of all points that must agree: otherwise a large thing moves and not the camera."""
    stretch: float = 1.6
    """A camera does not come nearer or go away by more than this factor at once."""
    found_share: float = 0.25
    """The same for features of two pictures that were not taken one after the other: many are wrong."""
    features: int = 600
    """Features that are looked for when the view is to be found again."""
    distinct: float = 0.8
    """A feature counts when its best match is better than the next by this factor."""


@dataclass(frozen=True, slots=True)
class BackgroundOptions:
    """When something lies or hovers over the table."""

    long_side_px: int = 320
    """Long side of the small picture that is remembered: a finger is six of its pixels wide when the camera sees 70 cm of table."""
    ring: float = 0.3
    """Width of the strip around a piece that is looked at, in its short sides."""
    margin_px: int = 3
    """Small pixels next to a piece that say nothing: its shadow, its edge."""
    least_px: int = 24
    """A strip with fewer small pixels says nothing."""
    contrast: float = 0.1
    """Change of log brightness that is more than noise and compression."""
    hue: float = 0.15
    """Change of log colour ratio that no shadow makes."""
    of_light: tuple[float, ...] = (0.4, 0.3, 0.2)
    """Changes of log brightness up to which a pixel tells how the light changed, at first and at last."""
    neighbourhood: float = 0.25
    """Width over which light is evened out, as a share of the long side: wider than an arm."""
    dark: float = 30.0
    floor: float = 16.0
    """`dark` and `floor`: brightness levels below which colour and brightness say nothing."""
    inside: float = 0.6
    """A piece is in the picture while this share of it is."""
    share: float = 0.25
    """Share of the strip around a new piece that must look unlike before for a hand to be there."""
    same: float = 0.3
    """A place looks as before only while no more than this share of it looks unlike before."""
    arm: float = 0.004
    """Share of the picture that an arm covers at least."""
    rest_s: float = 10.0
    """What lies still for longer is no arm that rests, and belongs to the table."""


@dataclass(frozen=True, slots=True)
class CoverOptions:
    """When a place is hidden."""

    thick_px: int = 3
    """What is thinner is an edge that lies off by a little and hides no piece."""
    crosses: float = 0.08
    """Share of the strip around a place that must look unlike before for something to cross its edge."""
    bare: float = 0.8
    """Where something crosses the edge, the piece is gone only where at least this share of its place looks like the table around it, and
    one of the next three holds."""
    little: float = 0.3
    """At most this share of the place looks like what crosses its edge as well."""
    around: float = 0.15
    """Less than this share of the strip is crossed."""
    revealed: float = 0.8
    """At least this share of what crosses the edge is table that did not show before, since sleeves may have the colour of the table."""
    marks: float = 0.2
    piece: float = 0.3
    """`marks` and `piece`: share of the marks on a piece, or of its colours, that must still show for it to lie there, partly hidden."""
    telling: float = 0.03
    """Share of a piece that must differ from the table, if what is seen of it is to say anything."""
    shadow: float = 0.8
    """How much darker what hides a part of a piece makes the rest of it, in log brightness."""
    under: float = 0.08
    """A piece lies under another when at least this share of its place is taken."""
    same: tuple[float, float, float] = (0.12, 0.08, 0.08)
    """How far two looks of one thing are apart: log brightness and colour ratios."""
    samples: int = 250
    """Pixels that stand for the table or for what crosses the edge."""


@dataclass(frozen=True, slots=True)
class NameOptions:
    """When a piece is named."""

    sure: float = 0.6
    """Pooled probability from which a piece is named; less is asked about."""
    keep: float = 0.25
    """A named piece keeps its name down to this probability."""
    strong: float = 0.95
    """Probability that another name needs to take its place."""
    excluded_log: float = -3.0
    """Log factor for a piece that cannot be there (won, or under a cup): strong readings still overrule it."""
    taken_log: float = -6.0
    """The same for a card that already lies there as often as there are decks."""
    decks: int = 1
    """Copies of each card that may lie on the table."""


@dataclass(frozen=True, slots=True)
class PairOptions:
    """Costs of what may have happened, as negative log odds."""

    here: float = 0.5
    """A piece lies in its place while its middle is off by less than this share of its short side."""
    conflict: float = 6.0
    """In its place, and surely read as another piece: swapped or misread."""
    conflict_untouched: float = 3.0
    """The same where nothing moved: misread."""
    turned: float = 2.5
    """In its place, with its other side up."""
    moved: float = 3.0
    """Elsewhere: somebody moved it."""
    moved_untouched: float = 7.0
    """The same where nothing moved."""
    distance: float = 0.05
    """For each short side that it moved, up to `far`."""
    far: float = 10.0
    """Short sides beyond which distance says nothing more."""
    changed_face: float = 0.5
    """A die elsewhere with another face."""
    agree: float = 0.5
    """A card elsewhere is the same card when both readings agree with this probability."""
    gone: float = 4.0
    fresh: float = 4.0
    """`gone` and `fresh`: a piece that left, a piece that came."""
    view_share: float = 0.7
    """Share of all recognised pieces that must move alike for the camera to have moved."""
    view_least: int = 3
    """Fewer pieces that move alike were moved by a hand."""


@dataclass(frozen=True, slots=True)
class SettleOptions:
    """When what was read is believed."""

    most_weight: float = 6.0
    """Looks that a belief remembers; older ones fade, so that strong evidence can still change it."""
    frozen: float = 0.035
    """An outline stays as it is while no corner is off by more than this share of the long side."""
    swapped: float = 0.9
    """Probability of another face from which a touched piece was swapped, not misread."""
    alike: float = 0.75
    """A place whose straightened picture correlates by this much with that of before was not changed."""
    marks: float = 0.85
    """The same for the marks on a piece: another card with the same edges lies there when they correlate by less."""
    some_marks: float = 0.5
    """The same for a piece that was touched and not read: less is bare table, or what else lay under it."""
    rolled: float = 0.35
    """A pip die that lies off by this share of its side was thrown, even with the same value."""
    overlap: float = 0.35
    """Something new that lies off a known piece by less than this share of its short side is that piece, seen twice."""
    pairs: PairOptions = field(default_factory=PairOptions)
    names: NameOptions = field(default_factory=NameOptions)


@dataclass(frozen=True, slots=True)
class GlanceOptions:
    """What is shown while the view moves."""

    here: float = 0.5
    """A piece is the one of the reading before while it lies off by less than this share of its short side."""
    most_weight: float = 3.0
    """Readings that a belief remembers: another piece in the same place is believed after as many."""
    remembered: int = 3
    """Readings for which a piece that is not read is followed unseen."""


@dataclass(frozen=True, slots=True)
class RemarkOptions:
    """When a remark is worth making."""

    dark: float = 35.0
    light: float = 45.0
    """`dark` and `light`: mean brightness (0 to 255) below which it is too dark, and above which it is light again."""
    hand_s: float = 4.0
    """How long something must move, or cover a piece, before a hand is said to be in the way."""
    nothing_s: float = 3.0
    """How long a table must be empty before anybody wonders."""
    moved_s: float = 3.0
    """How long it is told that the table was found again."""
    lost_s: float = 1.0
    """How long the table is looked for before that is told."""
    glare: int = 250
    """Brightness of the darkest channel from which a pixel is blown out."""
    glare_share: float = 0.2
    """Share of a piece that glare must cover."""
    soft: float = 0.1
    """Width of the sharpest edges on an unread piece, as a share of its short side, from which it is out of focus."""
    soft_px: float = 7.0
    """The same in pixels for a picture in which nothing was found."""
    edge_px: float = 1.5
    """An outline that comes so near to the picture's edge is cut off."""


@dataclass(frozen=True, slots=True)
class TrackerOptions:
    """When a stream is read and believed."""

    readings: int = 2
    """Readings after which a table that is clear is settled: one could be a blink of the reader."""
    unsure_readings: int = 3
    """The same when a piece is not sure: noise is averaged away."""
    most_readings: int = 5
    """The same when readings contradict each other or what is known."""
    moving_readings: int = 4
    """The same while the camera moves."""
    reread_s: float = 0.3
    """Time from one reading to the next while something is still hidden, held or unclear, or the camera moves."""
    waiting_readings: int = 20
    """Readings that are spent on it; after that the next motion is waited for."""
    recheck_s: float = 1.0
    """Time from settling to looking again where the picture changed without any motion."""
    changed: float = 0.004
    """Share of the small picture that must have changed for that."""
    patience_s: float = 2.0
    """When something moves for longer, the rest of the table is read all the same."""
    held_s: float = 1.2
    """A new piece beside something foreign that does not move for longer is in no hand."""
    lost_s: float = 1.0
    """How long the camera's motion must be lost before the table is looked for elsewhere: a large hand looks like it."""
    blind: float = 0.4
    """When less than this share of the brightness is left and it is too dark, nothing can be said about the table."""
    far_long_px: int = 480
    """Long side of the picture in which the view is found again after a bump."""
    motion: MotionOptions = field(default_factory=MotionOptions)
    view: ViewOptions = field(default_factory=ViewOptions)
    background: BackgroundOptions = field(default_factory=BackgroundOptions)
    cover: CoverOptions = field(default_factory=CoverOptions)
    settle: SettleOptions = field(default_factory=SettleOptions)
    glance: GlanceOptions | None = field(default_factory=GlanceOptions)
    """None: labels wait until the view is quiet."""
    remarks: RemarkOptions = field(default_factory=RemarkOptions)
