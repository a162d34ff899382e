"""A camera before any match: the live picture, what is read already, what could be better, and the game that lies there."""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np

from visionset.games.registry import GAMES
from visionset.kinds import DICE, KIND_SPECS
from visionset.messages import Message
from visionset.pieces import Kind
from visionset.referee.news import News
from visionset.referee.recognize_game import offer
from visionset.session import Session, SessionOptions, Snapshot, tracker_of
from visionset.session.refereed import calibrated, cells_of
from visionset.sources import Source
from visionset.table import Settled, Sighting
from visionset.tracking import TableTracker
from visionset.web.camera_showing import camera_json
from visionset.web.camera_view import CameraView, guarded
from visionset.web.in_languages import InLanguages
from visionset.web.showing import EMPTY, Json, game_json

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AdviceOptions:
    """What makes a good place for the camera."""

    good_card_px: float = 60.0
    """Long side of a card that is read well."""
    good_die_px: float = 24.0
    """Side of a die that is read well: its face is a third of a card's short side as wide, and has less to tell."""
    flat: float = 0.5
    """A piece far away that is smaller than this share of a near one of its kind is seen from too low."""
    room: float = 1.5
    """Pieces larger than good ones by this may be seen from farther away, where some are cut off."""
    edge_px: float = 3.0
    """So near to the edge of the picture a piece counts as cut off."""


def camera_advice(settled: Settled, options: AdviceOptions = AdviceOptions()) -> tuple[Message, ...]:
    """What people could change about the place of the camera, in plain words; nothing while all is well.

    Parameters
    ----------
    settled : Settled
        The table as it is known.
    options : AdviceOptions
        What is good.
    """
    by_kind: dict[Kind, list[Sighting]] = defaultdict(list)
    for one in settled.table.sightings:
        by_kind[one.kind].append(one)
    return tuple(dict.fromkeys(line for kind, alike in by_kind.items() for line in _about(kind, alike, settled.table.size_px, options)))


def _about(kind: Kind, alike: list[Sighting], size_px: tuple[int, int], options: AdviceOptions) -> Iterator[Message]:
    """What is to be said of the pieces of one kind."""
    sides_px = np.array([one.long_side_px for one in alike])
    good_px = options.good_die_px if kind in DICE else options.good_card_px
    usual_px = float(np.median(sides_px))
    is_cut = any(_is_cut(one, size_px, options.edge_px) for one in alike)
    pieces = Message(f"nouns.{KIND_SPECS[kind].noun}")
    if usual_px < good_px:
        yield Message("camera.closer", pieces=pieces, side_px=usual_px, good_px=good_px)
    elif is_cut and usual_px > options.room * good_px:
        yield Message("camera.back", pieces=pieces, side_px=usual_px, good_px=good_px)
    elif is_cut:
        yield Message("camera.cut_off")
    if sides_px.min() < options.flat * sides_px.max():
        yield Message("camera.higher", pieces=pieces)


def _is_cut(one: Sighting, size_px: tuple[int, int], edge_px: float) -> bool:
    """Whether a piece reaches to the edge of the picture."""
    return bool((one.outline_px < edge_px).any() or (one.outline_px > np.array(size_px) - 1 - edge_px).any())


class CameraStart(CameraView):
    """A camera that is tried before a match; the parameters are those of `CameraTable`."""

    def __init__(
        self,
        source: Source,
        options: SessionOptions = SessionOptions(),
        tracker: Callable[[SessionOptions, bool, ExitStack], TableTracker] = tracker_of,
        pace: Callable[[Snapshot], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(pace, clock)
        self._seen: tuple[object, ...] = ()
        with self._stack:
            self._stack.enter_context(source)
            wanted = calibrated(options, source, None, _LOG.info, _LOG.warning)
            follower = tracker(wanted, source.is_live, self._stack)
            session = Session(guarded(source), follower, None, wanted, _LOG.warning)
            self._stack = self._stack.pop_all()
        self._publish(InLanguages(lambda: {**EMPTY}))
        self._start(session)

    def _shown(self, snapshot: Snapshot, news: tuple[News, ...]) -> InLanguages:
        settled = snapshot.settled
        seen = settled.table, settled.held, settled.remarks, snapshot.trouble
        if seen == self._seen:
            return self._published[1]
        self._seen = seen
        name = None if settled.held or settled.passing else offer(settled.table, cells_of)

        def told() -> Json:
            camera = camera_json(snapshot, (), settled.remarks, camera_advice(settled))
            return {**EMPTY, "camera": {**camera, "offer": None if name is None else game_json(GAMES[name])}}

        return InLanguages(told)
