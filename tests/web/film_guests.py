"""People of a film who know of the game only what their pages show them, and say what they say by messages alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event as Signal
from typing import Any

import msgspec
import numpy as np

from tests.clips.film import Film
from tests.clips.keys import SeatKeys, press_seat_key
from tests.clips.sitting import UNCLEAR, holds, watching
from visionset.errors import VisionsetError
from visionset.games.game import History
from visionset.games.set_cards.rules import Take
from visionset.kinds import KIND_SPECS
from visionset.messages import Message, at_table
from visionset.referee.player_input import Answer, CallSet, Dispute, GameIsRight, Move, Next, NoSet, TableIsRight, Undo
from visionset.session import Snapshot
from visionset.store import Origin, Store
from visionset.web.camera_table import CameraTable
from visionset.web.showing import Json
from visionset.web.state_types import TableState
from visionset.web.wire import FromPage, MakeMove, SayWord

LONG_S = 600.0

_WORDS = {Dispute: "dispute", Undo: "undo", Next: "next", TableIsRight: "table", GameIsRight: "game"}


class Guests:
    """The people at the table of a film; called after each of its frames.

    Parameters
    ----------
    film : Film
        What they do with their hands, and when they say something.
    truth : History
        What happens, which they know of themselves.
    """

    def __init__(self, film: Film, truth: History) -> None:
        self.film = film
        self.table: CameraTable | None = None
        self.takers = [event.player for event in truth.standing if isinstance(event, Take)]
        self.begun, self.over = Signal(), Signal()
        self.asked: list[str] = []
        self.refused: list[str] = []
        self._keys = SeatKeys()
        film.is_awaited = self.is_awaited

    @property
    def shown(self) -> Json:
        assert self.table is not None
        shown = self.table.showing()
        msgspec.convert(shown, TableState)
        return shown

    def is_awaited(self) -> bool:
        """Nobody does the next thing while the referee does not understand."""
        if self.table is None or self.shown["camera"] is None:
            return False
        shown = self.shown
        is_unclear = any(words in one["text"] for one in shown["prompts"][:1] for words in UNCLEAR)
        return bool(shown["question"] or shown["differ"] or is_unclear or shown["camera"]["is_held"])

    def look(self, snapshot: Snapshot) -> None:
        """Look at the page after a frame, and say what there is to say."""
        self.begun.wait(LONG_S)
        moment = self.film.now
        if self.film.index + 1 == len(self.film.moments):
            self.over.set()
        if moment.key:
            self._press(moment.key)
        elif moment.hand is None and self.shown["differ"] and not moment.is_midway:
            self._settle()
        elif moment.hand is None and self.shown["question"]:
            self._answer(self.shown["question"])

    def say(self, player: int | None, message: FromPage) -> None:
        assert self.table is not None
        try:
            self.table.do(player, message)
        except VisionsetError as error:
            self.refused.append(str(error))

    def _press(self, key: str) -> None:
        """Say what a key of the script stands for."""
        assert self.table is not None
        history = self.table.match.history
        self._keys, said = press_seat_key(self._keys, ord(key), history.game, history.state)
        match said:
            case CallSet() | NoSet():
                self.say(said.player, SayWord("set" if isinstance(said, CallSet) else "no_set"))
            case Answer():
                self.say(None, SayWord("answer", number=said.number))
            case Move():
                self.say(None, self._chosen(said.event.to_json()))
            case None:
                return
            case _:
                self.say(None, SayWord(_WORDS[type(said)]))  # type: ignore[arg-type]

    def _chosen(self, event: Json) -> MakeMove:
        """The choice on the page that makes an event, filled in."""
        assert self.table is not None
        for choice in self.shown["choices"]:
            fixed = {"event": choice["event"], "player": choice["player"], **choice["fixed"]}
            if choice["is_said"] and all(event.get(name) == value for name, value in fixed.items()):
                values = {need["field"]: event[need["field"]] for need in choice["needs"]}
                return MakeMove(self.table.version, choice["id"], values)
        raise AssertionError(f"no choice for {event} among {self.shown['choices']}")

    def _told(self, text: str) -> bool:
        """Whether this is heard for the first time."""
        is_new = not self.asked or self.asked[-1] != text
        if is_new:
            self.asked.append(text)
        return is_new

    def _answer(self, question: Json) -> None:
        self._told(question["text"])
        numbers = [option["number"] for option in question["options"] if self._is_right(option)]
        more = [option["number"] for option in question["options"] if option["text"] == at_table(Message("referee.answer.more"))]
        self.say(None, SayWord("answer", number=(numbers or more or [0])[0]))

    def _is_right(self, option: Json) -> bool:
        code = option["piece"]["code"] if option["piece"] else ""
        misread = {str(card): at_table(read) for card, (read, _) in self.film.misread.items()}
        asked = [mark["outline"] for mark in self.shown["camera"]["marks"] if mark["tone"] == "asked"]
        on_top = [one for outline in asked for one in self._at(np.mean(outline, axis=0))[-1:]]
        lying = [one.says or one.piece for one in on_top if one.piece is not None]
        if code:
            return code in misread or code in map(str, lying)
        if any(option["text"].startswith(f"{text} (") for text in misread.values()):
            return True
        if any(option["text"] == at_table(getattr(one, name)) for one in lying for name in KIND_SPECS[one.kind].attributes):
            return True
        takes = sum(bool(line["pieces"]) for line in self.shown["log"])
        names = [one["name"] for one in self.shown["players"]]
        return takes < len(self.takers) and option["text"] == names[self.takers[takes]]

    def _settle(self) -> None:
        """The table is right where the camera sees what lies there, and where nothing lies that it misses."""
        is_first = self._told(self.shown["differ"])
        camera = self.shown["camera"]
        seen = [np.mean(one["outline"], axis=0) for one in camera["pieces"]]
        wrong = [mark["outline"] for mark in camera["marks"] if mark["tone"] == "wrong"]
        right = all(any(holds(np.array(one, float), spot) for spot in seen) == bool(self._at(np.mean(one, axis=0))) for one in wrong)
        self.say(None, SayWord("table" if right and is_first else "game"))

    def _at(self, spot_px: Any) -> list[Any]:
        return [one for one in self.film.now.lying if holds(self.film.stage.outline_px(one), spot_px)]


def play_film(film: Film, truth: History, folder: Path, resumed: int | None = None) -> tuple[CameraTable, Guests]:
    """Play a film at a page; the table after its end, closed, and who sat at it."""
    store = Store(folder / "matches.sqlite3", lambda: 0.0)
    if resumed is None:
        match = store.begin(History.begin(truth.game, truth.options, truth.players), origin=Origin.CAMERA)
    else:
        match = store.load(resumed)
    guests = Guests(film, truth)
    follow: Callable[..., Any] = lambda options, is_live, stack: watching(truth.game.name, film.misread)  # noqa: E731
    table = CameraTable(store, match, film, tracker=follow, pace=guests.look)
    guests.table = table
    guests.begun.set()
    try:
        assert guests.over.wait(LONG_S)
    finally:
        table.close()
    return table, guests
