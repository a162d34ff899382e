"""The window of a refereed game: outlines, scores and words over the picture, keys and clicks for what people say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from visionset.games.base import EVERYONE
from visionset.messages import Message, at_table
from visionset.overlay import paint, panel
from visionset.overlay.showing import ShownBoard, draw_showing
from visionset.referee.player_input import Answer, Said
from visionset.referee.terms import Mark, News, Showing, Told, Tone
from visionset.referee.zones import Zones
from visionset.session import Session, Snapshot
from visionset.session.snapshot import PieceCrops
from visionset.window.exhibits import lay_over
from visionset.window.seats import HELP, SeatKeys, press_seat_key
from visionset.window.window import Shown, Touched
from visionset.window.zone_drag import Dragging, Pull


class GamePresenter:
    """Shows the game of a session with a director, and passes on what people say; zones that were dragged are given to `keep_zones`."""

    def __init__(self, session: Session, keep_zones: Callable[[Zones], object] = lambda zones: None) -> None:
        self.seats = SeatKeys()
        self._session, self._keep_zones = session, keep_zones
        self._crops = PieceCrops()
        self._board: ShownBoard | None = None
        self._drawn: object = None
        self._dragging: Dragging | None = None
        session.listen(self._look)

    def _look(self, snapshot: Snapshot, news: tuple[News, ...]) -> None:
        if snapshot.is_fresh and snapshot.settled.changes:
            self._crops.look(snapshot.frame, snapshot.settled)

    @property
    def is_done(self) -> bool:
        """The person wants to leave."""
        return self.seats.done

    @property
    def wanted(self) -> object:
        """What the keys led to, and the zones that are dragged."""
        return self.seats, self._dragging

    def compose(self, snapshot: Snapshot, has_screen: bool) -> Shown:
        """Draw what is to be seen over a frame."""
        frame, history, showing = snapshot.frame, snapshot.history, snapshot.showing
        if history is None or showing is None:
            raise ValueError("expected the snapshot of a game, got one of a table; give the session a director")
        if self.seats.menu is not None:
            showing = replace(showing, question=self.seats.menu)
        if self._dragging is not None:
            showing = _with_zones(showing, self._dragging, frame.size_px)
        if snapshot.trouble:
            showing = replace(showing, remarks=(snapshot.trouble, *showing.remarks))
        wanted = showing, history.state.players, frame.size_px
        if self._board is None or wanted != self._drawn:  # most frames show what the one before showed
            self._board, self._drawn = draw_showing(*wanted), wanted
        drawing = self._board.drawing + panel([at_table(line) for line in HELP], frame.size_px) if self.seats.help else self._board.drawing
        picture: NDArray[np.uint8] = frame.image_bgr
        if showing.exhibits:
            picture = picture.copy()
            drawing = lay_over(self._crops, showing.exhibits, picture) + drawing
        picture = paint(drawing, picture)
        return Shown(picture, picture)

    def touched(self, touched: Touched, snapshot: Snapshot, shown: Shown) -> None:
        """Pass on what a key or a click says."""
        asked = self.seats.menu
        said = self._pressed(touched.key, snapshot)
        self._drag(touched.pull, snapshot)
        if self._dragging is None and said is None and touched.click is not None and self._board is not None:
            said = self._board.clicked(*touched.click)
            if asked is not None and isinstance(said, Answer):  # an answer to the menu, which the director does not know
                said = self._pressed(ord(str(said.number)), snapshot)
        if said is not None:
            self._session.say(said)

    def _pressed(self, key: int, snapshot: Snapshot) -> Said | None:
        if key < 0 or snapshot.history is None:
            return None
        self.seats, said = press_seat_key(self.seats, key, snapshot.history.game, snapshot.history.state)
        return said

    def _drag(self, pull: Pull | None, snapshot: Snapshot) -> None:
        """Begin, go on with, or end the dragging of zones; the game goes by them only when it has ended."""
        if snapshot.zones is None:
            if self.seats.zones:  # z was pressed in a game without
                self.seats = replace(self.seats, zones=False)
        elif self.seats.zones and self._dragging is None:
            self._dragging = Dragging(snapshot.zones, self._session.options.profile)
            self._session.rest(True)
        elif self._dragging is not None and not self.seats.zones:
            zones, self._dragging = self._dragging.zones, None
            self._session.rearrange(zones)
            self._session.rest(False)
            self._keep_zones(zones)
        elif self._dragging is not None and pull is not None:
            self._dragging = self._dragging.pulled(pull, snapshot.frame.size_px)


def _with_zones(showing: Showing, dragging: Dragging, size_px: tuple[int, int]) -> Showing:
    """What is shown while zones are dragged: the zones as they are now, and how to go on."""
    zones, held = dragging.zones, dragging.grip
    marks = tuple(
        Mark(
            zones.outline_px(zone.name, size_px, dragging.profile),
            Tone.GOOD if held is not None and held.zone.name == zone.name else Tone.ZONE,
            zone.name,
        )
        for zone in zones.zones
    )
    told = (Told(EVERYONE, Message("zone.drag")),)
    return Showing(told, marks=marks, status=showing.status)
