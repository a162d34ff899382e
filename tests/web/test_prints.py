"""The Print menu gives the files of `visionset print`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.room import Room, room
from visionset.printing.prints import PRINTS


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with room(tmp_path_factory.mktemp("room")) as served:
        yield served


@pytest.mark.slow
def test_the_menu_offers_the_same_files(here: Room) -> None:
    offered = here.get("/print").json()
    assert [thing["name"] for thing in offered] == list(PRINTS)
    assert [option["name"] for thing in offered for option in thing["options"] if option["whole"]] == ["players"]
    for thing in offered:
        usual = {option["name"]: option["usual"] for option in thing["options"]}
        query = "&".join(f"{name}={int(value) if isinstance(value, bool) else value}" for name, value in usual.items())
        answer = here.get(f"/print/{thing['name']}.pdf?{query}")
        assert answer.status == 200
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.body.startswith(b"%PDF")
        if thing["name"] in ("mat", "calibration-sheet"):
            assert answer.body == PRINTS[thing["name"]].draw(usual)


def test_what_there_is_not_is_refused(here: Room) -> None:
    assert here.get("/print/money.pdf").status == 404
    assert here.get("/print/deck.pdf?paper=a3").status == 400
    assert here.get("/print/dice.pdf?die-mm=nan").status == 400
    assert here.get("/print/deck.pdf?language=de&colour-blind=1").status == 200
