"""Options of a tracker: when it reads, what it believes.

Longer than most modules: each number has its unit and its reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class MotionOptions:
    """What counts as motion.

    Attributes
    ----------
    long_side_px : int
        Long side of the small picture: a finger is three of its pixels wide when the camera sees 70 cm of table.
    neighbourhood : float
        Width over which brightness is evened out, as a share of the long side: wider than a hand, narrower than a lamp's light.
    floor : float
        Brightness levels added before the logarithm, so that the noise of dark pixels is no contrast.
    contrast : float
        Change of local contrast (log units, about 10 %) that is more than noise, compression and flicker.
    least : float
        Share of the picture that must change; a fingertip is more.
    still_s : float
        The picture must be as it was this long ago: slow hands do not show from one frame to the next.
    widespread : float
        Share of all pixels with contrast that must change before the camera is suspected of moving.
    texture : float
        Local contrast from which a pixel counts as such.
    least_way_px : float
        Small pixels that every corner of the picture must move for the camera to have moved.
    view_rest : float
        Share of the picture that may differ when the camera's motion is taken out: warping blurs, edges enter.
    """

    long_side_px: int = 160
    neighbourhood: float = 0.16
    floor: float = 16.0
    contrast: float = 0.1
    least: float = 0.0012
    still_s: float = 0.13
    widespread: float = 0.3
    texture: float = 0.06
    least_way_px: float = 0.12
    view_rest: float = 0.012


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """How the camera's own motion is found.

    Attributes
    ----------
    points : int
        Corners that are followed from picture to picture.
    quality : float
        A corner counts from this share of the strongest.
    apart_px : float
        Least distance of two of them, so that one card does not take them all.
    window_px : int
        What is compared around each, in small pixels.
    levels : int
        Times that the picture is halved: a corner may move by about half a window on the smallest.
    off_px : float
        A followed point is right when it is off by less than this.
    least_points : int
        Fewer agreeing points are chance.
    least_share : float
        Share of all points that must agree: otherwise a large thing moves and not the camera.
    stretch : float
        A camera does not come nearer or go away by more than this factor at once.
    found_share : float
        The same for features of two pictures that were not taken one after the other: many are wrong.
    features : int
        Features that are looked for when the view is to be found again.
    distinct : float
        A feature counts when its best match is better than the next by this factor.
    """

    points: int = 120
    quality: float = 0.02
    apart_px: float = 4.0
    window_px: int = 13
    levels: int = 2
    off_px: float = 1.0
    least_points: int = 10
    least_share: float = 0.5
    stretch: float = 1.6
    found_share: float = 0.25
    features: int = 600
    distinct: float = 0.8


@dataclass(frozen=True, slots=True)
class BackgroundOptions:
    """When something lies or hovers over the table.

    Attributes
    ----------
    long_side_px : int
        Long side of the small picture that is remembered: a finger is six of its pixels wide when the camera sees 70 cm of table.
    ring : float
        Width of the strip around a piece that is looked at, in its short sides.
    margin_px : int
        Small pixels next to a piece that say nothing: its shadow, its edge.
    least_px : int
        A strip with fewer small pixels says nothing.
    contrast : float
        Change of log brightness that is more than noise and compression.
    hue : float
        Change of log colour ratio that no shadow makes.
    of_light : tuple of float
        Changes of log brightness up to which a pixel tells how the light changed, at first and at last.
    neighbourhood : float
        Width over which light is evened out, as a share of the long side: wider than an arm.
    dark, floor : float
        Brightness levels below which colour and brightness say nothing.
    inside : float
        A piece is in the picture while this share of it is.
    share : float
        Share of the strip around a new piece that must look unlike before for a hand to be there.
    same : float
        A place looks as before only while no more than this share of it looks unlike before.
    arm : float
        Share of the picture that an arm covers at least.
    rest_s : float
        What lies still for longer is no arm that rests, and belongs to the table.
    """

    long_side_px: int = 320
    ring: float = 0.3
    margin_px: int = 3
    least_px: int = 24
    contrast: float = 0.1
    hue: float = 0.15
    of_light: tuple[float, ...] = (0.4, 0.3, 0.2)
    neighbourhood: float = 0.25
    dark: float = 30.0
    floor: float = 16.0
    inside: float = 0.6
    share: float = 0.25
    same: float = 0.3
    arm: float = 0.004
    rest_s: float = 10.0


@dataclass(frozen=True, slots=True)
class CoverOptions:
    """When a place is hidden.

    Attributes
    ----------
    thick_px : int
        What is thinner is an edge that lies off by a little and hides no piece.
    crosses : float
        Share of the strip around a place that must look unlike before for something to cross its edge.
    bare : float
        Where something crosses the edge, the piece is gone only where at least `bare` of its place looks like the table around it,
    little, around, revealed : float
        and one of three holds: at most `little` of the place looks like what crosses its edge as well; less than `around` of the strip is
        crossed; or at least `revealed` of that is table which did not show before, since sleeves may have the colour of the table.
    marks, piece : float
        Share of the marks on a piece, or of its colours, that must still show for it to lie there, partly hidden.
    same : tuple of float
        How far two looks of one thing are apart: log brightness and colour ratios.
    telling : float
        Share of a piece that must differ from the table, if what is seen of it is to say anything.
    shadow : float
        How much darker what hides a part of a piece makes the rest of it, in log brightness.
    under : float
        A piece lies under another when at least this share of its place is taken.
    samples : int
        Pixels that stand for the table or for what crosses the edge.
    """

    thick_px: int = 3
    crosses: float = 0.08
    bare: float = 0.8
    little: float = 0.3
    around: float = 0.15
    revealed: float = 0.8
    marks: float = 0.2
    piece: float = 0.3
    telling: float = 0.03
    shadow: float = 0.8
    under: float = 0.08
    same: tuple[float, float, float] = (0.12, 0.08, 0.08)
    samples: int = 250


@dataclass(frozen=True, slots=True)
class NameOptions:
    """When a piece is named.

    Attributes
    ----------
    sure : float
        Pooled probability from which a piece is named; less is asked about.
    keep : float
        A named piece keeps its name down to this probability.
    strong : float
        Probability that another name needs to take its place.
    excluded_log : float
        Log factor for a piece that cannot be there (won, or under a cup): strong readings still overrule it.
    taken_log : float
        The same for a card that already lies there as often as there are decks.
    decks : int
        Copies of each card that may lie on the table.
    """

    sure: float = 0.6
    keep: float = 0.25
    strong: float = 0.95
    excluded_log: float = -3.0
    taken_log: float = -6.0
    decks: int = 1


@dataclass(frozen=True, slots=True)
class PairOptions:
    """Costs of what may have happened, as negative log odds.

    Attributes
    ----------
    here : float
        A piece lies in its place while its middle is off by less than this share of its short side.
    conflict : float
        In its place, and surely read as another piece: swapped or misread.
    conflict_untouched : float
        The same where nothing moved: misread.
    turned : float
        In its place, with its other side up.
    moved : float
        Elsewhere: somebody moved it.
    moved_untouched : float
        The same where nothing moved.
    distance : float
        For each short side that it moved, up to `far`.
    far : float
        Short sides beyond which distance says nothing more.
    changed_face : float
        A die elsewhere with another face.
    agree : float
        A card elsewhere is the same card when both readings agree with this probability.
    gone, fresh : float
        A piece that left, a piece that came.
    view_share : float
        Share of all recognised pieces that must move alike for the camera to have moved.
    view_least : int
        Fewer pieces that move alike were moved by a hand.
    """

    here: float = 0.5
    conflict: float = 6.0
    conflict_untouched: float = 3.0
    turned: float = 2.5
    moved: float = 3.0
    moved_untouched: float = 7.0
    distance: float = 0.05
    far: float = 10.0
    changed_face: float = 0.5
    agree: float = 0.5
    gone: float = 4.0
    fresh: float = 4.0
    view_share: float = 0.7
    view_least: int = 3


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


@dataclass(frozen=True, slots=True)
class RemarkOptions:
    """When a remark is worth making.

    Attributes
    ----------
    dark, light : float
        Mean brightness (0 to 255) below which it is too dark, and above which it is light again.
    hand_s : float
        How long something must move, or cover a piece, before a hand is said to be in the way.
    nothing_s : float
        How long a table must be empty before anybody wonders.
    moved_s : float
        How long it is told that the table was found again.
    lost_s : float
        How long the table is looked for before that is told.
    glare : int
        Brightness of the darkest channel from which a pixel is blown out.
    glare_share : float
        Share of a piece that glare must cover.
    soft : float
        Width of the sharpest edges on an unread piece, as a share of its short side, from which it is out of focus.
    soft_px : float
        The same in pixels for a picture in which nothing was found.
    edge_px : float
        An outline that comes so near to the picture's edge is cut off.
    """

    dark: float = 35.0
    light: float = 45.0
    hand_s: float = 4.0
    nothing_s: float = 3.0
    moved_s: float = 3.0
    lost_s: float = 1.0
    glare: int = 250
    glare_share: float = 0.2
    soft: float = 0.1
    soft_px: float = 7.0
    edge_px: float = 1.5


@dataclass(frozen=True, slots=True)
class TrackerOptions:
    """When a stream is read and believed.

    Attributes
    ----------
    readings : int
        AsyncReader after which a table that is clear is settled: one could be a blink of the reader.
    unsure_readings : int
        The same when a piece is not sure: noise is averaged away.
    most_readings : int
        The same when readings contradict each other or what is known.
    moving_readings : int
        The same while the camera moves.
    reread_s : float
        Time from one reading to the next while something is still hidden, held or unclear, or the camera moves.
    waiting_readings : int
        AsyncReader that are spent on it; after that the next motion is waited for.
    recheck_s : float
        Time from settling to looking again where the picture changed without any motion.
    changed : float
        Share of the small picture that must have changed for that.
    patience_s : float
        When something moves for longer, the rest of the table is read all the same.
    held_s : float
        A new piece beside something foreign that does not move for longer is in no hand.
    lost_s : float
        How long the camera's motion must be lost before the table is looked for elsewhere: a large hand looks like it.
    blind : float
        When less than this share of the brightness is left and it is too dark, nothing can be said about the table.
    far_long_px : int
        Long side of the picture in which the view is found again after a bump.
    motion, view, background, cover, settle, remarks
        Numbers of the stages.
    """

    readings: int = 2
    unsure_readings: int = 3
    most_readings: int = 5
    moving_readings: int = 4
    reread_s: float = 0.3
    waiting_readings: int = 20
    recheck_s: float = 1.0
    changed: float = 0.004
    patience_s: float = 2.0
    held_s: float = 1.2
    lost_s: float = 1.0
    blind: float = 0.4
    far_long_px: int = 480
    motion: MotionOptions = field(default_factory=MotionOptions)
    view: ViewOptions = field(default_factory=ViewOptions)
    background: BackgroundOptions = field(default_factory=BackgroundOptions)
    cover: CoverOptions = field(default_factory=CoverOptions)
    settle: SettleOptions = field(default_factory=SettleOptions)
    remarks: RemarkOptions = field(default_factory=RemarkOptions)
