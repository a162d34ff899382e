"""The state of every game, with a camera and without, at set-up, in play and over, is one as the interface describes it.

What pages of other tests are told is held against the same types, message by message.
"""

from __future__ import annotations

import random
from itertools import count
from pathlib import Path
from threading import Event as Signal
from typing import Any

import msgspec
import pytest

from tests.builders import Clock
from tests.referee.scripted import Frames, Script
from tests.referee.tabletop import outline
from tests.referee.test_set_cards import spot
from tests.web.room import room
from tests.web.test_play import SHORT
from visionset.games.game import History
from visionset.games.registry import GAMES
from visionset.games.virtual.runner import next_event
from visionset.kinds import PIECE_TYPES
from visionset.pieces import Kind, Piece
from visionset.session import Snapshot
from visionset.store import Origin, Store
from visionset.table import Sighting, Table
from visionset.web.camera_table import CameraTable
from visionset.web.showing import EMPTY
from visionset.web.state_types import StateChange, TableState, VersionedState
from visionset.web.virtual_table import VirtualTable

LONG_S = 20.0
GAME_NAMES = sorted(SHORT)


def keys_of(kind: Any) -> list[str]:
    return [one.name for one in msgspec.structs.fields(kind)]


def histories(name: str) -> list[History]:
    """A match at set-up, in play and over."""
    game, rng = GAMES[name], random.Random(5)
    options = game.options(**{"turns": 2} if name == "sets-dice" else {"rounds": 1} if "rounds" in SHORT[name] else {})
    found = [History.begin(game, options, ("Ann", "Bo")[: game.max_players])]
    while not found[-1].state.is_over:
        found.append(found[-1].then(next_event(found[-1].state, rng)))
    return [found[0], found[len(found) // 2], found[-1]]


def lying(shown: dict[str, Any]) -> Table:
    """The pieces of the first spread of a page, before a camera."""
    pieces = next((part["pieces"] for part in shown["view"] if part["part"] == "spread"), [])
    there: list[Piece] = [PIECE_TYPES[Kind(one["kind"].replace("-", "_"))].parse(one["code"]) for one in pieces if one is not None]
    sightings = (Sighting(one.kind, outline(one.kind, spot(at)), one, 0.9, None, at) for at, one in enumerate(there))  # type: ignore[arg-type]
    return Table((1280, 720), tuple(sightings))


@pytest.mark.parametrize("name", GAME_NAMES)
def test_states_of_a_match_are_as_they_are_described(name: str, tmp_path: Path) -> None:
    pages = []
    for number, history in zip(count(), histories(name)):
        virtual = Store(tmp_path / "matches.sqlite3", Clock())
        table = VirtualTable(virtual, _kept(virtual, history, Origin.VIRTUAL), Clock(), 1)
        shown = table.showing()
        table.close()
        pages.append(msgspec.convert(shown, TableState).page)
        refereed = Store(tmp_path / "matches.sqlite3", Clock())
        over, seen = Signal(), lying(shown)

        def pace(snapshot: Snapshot, over: Signal = over) -> None:
            if snapshot.frame.index == 12:
                over.set()

        camera = CameraTable(
            refereed,
            _kept(refereed, history, Origin.CAMERA),
            Frames(12),
            tracker=lambda options, is_live, stack, seen=seen: Script({1: seen}),  # type: ignore[arg-type,return-value,misc]
            pace=pace,
        )
        msgspec.convert(camera.showing(), TableState)
        assert over.wait(LONG_S), number
        camera.close()
        told = msgspec.convert(camera.showing(), TableState)
        assert told.camera is not None
        assert told.is_camera
    assert pages == ["table", "table", "over"]


def _kept(store: Store, history: History, origin: Origin) -> Any:
    match = store.begin(History.begin(history.game, history.options, history.players), origin=origin)
    for event in history.standing:
        match = store.append(match, event)
    return match


def test_every_key_of_the_state_is_described_and_no_other() -> None:
    assert keys_of(TableState) == keys_of(StateChange)
    assert set(keys_of(TableState)) == set(EMPTY)
    msgspec.convert(dict(EMPTY), TableState)
    for wrong in ({**EMPTY, "more": 1}, {key: value for key, value in EMPTY.items() if key != "log"}, {**EMPTY, "players": [{}]}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, TableState)


def test_state_is_described_at_its_address_and_in_its_messages(tmp_path: Path) -> None:
    with room(tmp_path) as here:
        assert msgspec.json.decode(here.get("/state").body, type=VersionedState).page == "start"
        told = here.get("/openapi.json").json()
    schemas = told["components"]["schemas"]
    named = told["paths"]["/state"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
    assert set(schemas[named.rpartition("/")[2]]["required"]) == {*EMPTY, "version"}
    for message, key, kind in (("WholeState", "whole", "TableState"), ("ChangedState", "set", "StateChange")):
        assert schemas[message]["properties"][key]["$ref"] == f"#/components/schemas/{kind}"
        assert set(schemas[kind]["properties"]) == set(EMPTY)
