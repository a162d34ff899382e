"""What is given wrongly to the public functions is said where it is given, in the errors that their docstrings name."""

from __future__ import annotations

import io
import json
import math
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

import visionset
from tests.builders import NINE, deal
from visionset.errors import ArrayError, GameError, OptionError, PictureError, PieceError, RecordError, RuleError
from visionset.games.game import History
from visionset.games.registry import GAMES, SPECS
from visionset.games.sets import is_set, third, why_not
from visionset.games.spec import GameSpec
from visionset.geometry import Frame
from visionset.pieces import Kind, PipDie, PlayingCard, SetCard, SetDie
from visionset.session import SessionOptions
from visionset.sources import read_picture
from visionset.table import Guess, Sighting, Table
from visionset.vision.inks import InkOptions
from visionset.vision.options import FindOptions

CARD, OTHER, DIE = SetCard.parse("1-red-open-oval"), SetCard.parse("2-red-open-oval"), SetDie.parse("1-red-oval")


@pytest.mark.parametrize(
    "make",
    [
        lambda: PlayingCard("Q", "H"),  # type: ignore[arg-type]
        lambda: PipDie(2.5),  # type: ignore[arg-type]
        lambda: PipDie(True),
        lambda: PipDie("3"),  # type: ignore[arg-type]
        lambda: SetCard(2.0, CARD.color, CARD.shading, CARD.shape),  # type: ignore[arg-type]
        lambda: third(CARD, DIE),  # type: ignore[type-var]
        lambda: third(DIE, CARD),  # type: ignore[type-var]
        lambda: third(CARD, None),  # type: ignore[type-var]
        lambda: is_set(CARD, OTHER, None),  # type: ignore[type-var]
        lambda: why_not(CARD, None, OTHER),  # type: ignore[type-var]
        lambda: why_not(CARD, DIE, OTHER),  # type: ignore[type-var]
        lambda: why_not(PipDie(1), PipDie(1), PipDie(2)),  # type: ignore[type-var]
        lambda: SetCard.parse(None),  # type: ignore[arg-type]
        lambda: SetDie.parse(None),  # type: ignore[arg-type]
        lambda: PipDie.parse(5),  # type: ignore[arg-type]
        lambda: PlayingCard.parse(None),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_piece_is_refused(make: Any) -> None:
    with pytest.raises(PieceError):
        make()


@pytest.mark.parametrize(("kind", "piece"), [("set_card", None), (Kind.SET_CARD, "1-red-open-oval"), (Kind.PIP_DIE, 3)])
def test_a_sighting_has_a_kind_and_a_piece(kind: Any, piece: Any) -> None:
    with pytest.raises(PieceError):
        Sighting(kind, np.array([[0, 0], [40, 0], [40, 60], [0, 60]]), piece, 0.9)


@pytest.mark.parametrize("confidence", [7, -0.1, math.nan, None, "0.9"])
def test_a_confidence_is_from_0_to_1(confidence: Any) -> None:
    corners = np.array([[0, 0], [40, 0], [40, 60], [0, 60]])
    for make in (
        lambda: Guess(CARD, confidence),
        lambda: Guess(CARD, 0.5, OTHER, confidence),
        lambda: Sighting(Kind.SET_CARD, corners, CARD, confidence),
    ):
        with pytest.raises(PieceError, match="expected a confidence from 0 to 1"):
            make()
    for sure in (0, 1, np.float32(0.5), 1 + 1e-9):  # a sum of probabilities may be rounded up
        assert Sighting(Kind.SET_CARD, corners, CARD, sure, Guess(CARD, sure)).confidence == sure  # type: ignore[arg-type]


def test_a_reason_is_one_of_those_that_there_are() -> None:
    with pytest.raises(PieceError, match="expected an Unread as reason"):
        Sighting(Kind.SET_CARD, np.array([[0, 0], [40, 0], [40, 60], [0, 60]]), None, 0.4, reason="glare")  # type: ignore[arg-type]


def test_a_guess_is_of_pieces() -> None:
    with pytest.raises(PieceError, match="expected a piece, got 'x'"):
        Guess("x", 0.5)  # type: ignore[arg-type]
    with pytest.raises(PieceError, match="expected a piece, got 'x'"):
        Guess(CARD, 0.5, "x", 0.1)  # type: ignore[arg-type]
    with pytest.raises(PieceError, match="expected a Guess"):
        Sighting(Kind.SET_CARD, np.array([[0, 0], [40, 0], [40, 60], [0, 60]]), CARD, 0.9, CARD)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [None, 5, b"table.jpg", ["table.jpg"], io.BytesIO(b"")])
def test_what_names_no_picture_is_refused(name: Any) -> None:
    with pytest.raises(PictureError, match="expected the name of a picture"):
        read_picture(name)


def test_who_gives_the_name_of_a_picture_is_told_what_reads_it() -> None:
    for given, way in (("table.jpg", "read the file by visionset.sources.read_picture"), ([[1]], "make an array of it")):
        with pytest.raises(ArrayError, match=f"; {way}$"):
            visionset.read(given)  # type: ignore[arg-type]


def test_who_gives_a_picture_of_pillow_is_told_how_its_colours_come_in_order() -> None:
    image = Image.new("P", (64, 36))
    image.putpalette([255, 0, 0])
    with pytest.raises(ArrayError) as caught:
        visionset.read(image)  # type: ignore[arg-type]
    way = str(caught.value).rpartition("; give ")[2]
    assert eval(way, {"np": np, "image": image})[0, 0].tolist() == [0, 0, 255]


@pytest.mark.parametrize(("parse", "name"), [(PlayingCard.parse, "qh"), (PlayingCard.parse, "QX"), (SetDie.parse, "4-red-oval")])
def test_what_is_said_of_a_wrong_name_is_true_of_its_kind(parse: Any, name: str) -> None:
    with pytest.raises(PieceError, match=name) as caught:
        parse(name)
    assert "lower case" not in str(caught.value)
    assert "open" not in str(caught.value)


def test_whole_numbers_of_numpy_make_pieces() -> None:
    assert str(PipDie(np.int64(3))) == "3"  # type: ignore[arg-type]
    assert SetCard(np.int64(1), CARD.color, CARD.shading, CARD.shape) == CARD  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"name": "foo"}, {"guess": ["a", 0.2]}, {"guess": ["1-red-open-oval", 7.5]}, {"confidence": 2}])
def test_a_damaged_table_is_a_record_error(wrong: dict[str, Any]) -> None:
    lines = deal(NINE, (640, 360), card_px=90, gap_px=20).to_json()
    lines["pieces"][0] |= wrong
    with pytest.raises(RecordError):
        Table.from_json(lines)


def test_options_and_pictures_of_another_kind_are_refused() -> None:
    photo = np.full((360, 640, 3), 200, np.uint8)
    with pytest.raises(OptionError, match="expected ReadOptions"):
        visionset.read(photo, visionset.Kind.SET_CARD)  # type: ignore[arg-type]
    table = deal(NINE, (640, 360), card_px=90, gap_px=20)
    assert visionset.draw(photo, table).shape == photo.shape
    with pytest.raises(ArrayError, match="of 640x360 pixels, got 640x100"):
        visionset.draw(photo[:100], table)


@pytest.mark.parametrize("decks", [0, "2", 1.5])
def test_drawing_refuses_decks_that_are_none(decks: Any) -> None:
    table = deal(NINE, (640, 360), card_px=90, gap_px=20)
    with pytest.raises(OptionError, match="expected decks"):
        visionset.draw(np.zeros((360, 640, 3), np.uint8), table, decks=decks)


def test_a_game_refuses_options_and_events_that_are_none_of_its_own() -> None:
    game = GAMES["set"]
    for options in (5, GAMES["cubed"].options()):
        with pytest.raises(OptionError, match=f"expected {game.options.__name__}"):
            game.start(options, players=("Ann", "Bo"))
    for event in ("call", None):
        with pytest.raises(RuleError):
            game.start().after(event)


@pytest.mark.parametrize("state", ["x", None, GAMES["cubed"].start(), GAMES["set"]])
def test_a_game_shows_no_states_but_its_own(state: Any) -> None:
    with pytest.raises(GameError, match="game set: expected a state of this game"):
        SPECS["set"].shown(state)


def test_a_game_of_no_package_lacks_its_parts() -> None:
    spec = GameSpec("no_such_package", "none", "None", ("set-cards",), lambda glance: False)
    assert any("rules.toml" in line for line in spec.lacks)


def test_drawing_says_what_is_no_table_and_no_view() -> None:
    photo, table = np.full((360, 640, 3), 200, np.uint8), deal(NINE, (640, 360), card_px=90, gap_px=20)
    with pytest.raises(ArrayError, match="got Table"):
        visionset.draw(table, photo)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="expected a Table, got "):
        visionset.draw(photo, table.pieces)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="expected a View, got <Reveal"):
        visionset.draw(photo, table, visionset.Reveal.COUNT)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="expected step as the number of a SET"):
        visionset.View(step=1.5)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="expected mirrored as True or False, got 'no'"):
        visionset.View(mirrored="no")  # type: ignore[arg-type]
    assert visionset.View(quarter_turns=np.int64(1)).turn_image(photo).shape == (640, 360, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("points", ["abcd", [[0, 0], [1], [1, 1], [0, 1]], [None] * 4, {}])
def test_what_is_no_outline_is_refused(points: Any) -> None:
    with pytest.raises(ArrayError, match="expected four"):
        visionset.Sighting(visionset.Kind.SET_CARD, points, None, 0.4)


def read_with_ink(**choice: Any) -> visionset.ReadOptions:
    return visionset.ReadOptions(ink=InkOptions(**choice))


MAKERS = (
    (visionset.ReadOptions, visionset.ReadOptions),
    (SessionOptions, SessionOptions),
    (FindOptions, FindOptions),
    (InkOptions, read_with_ink),
)
NUMBERS = [(make, one) for options, make in MAKERS for one in fields(options) if isinstance(one.default, (int, float, tuple))]


@pytest.mark.parametrize(
    ("make", "one"), [pair for pair in NUMBERS if pair[1].type != "bool"], ids=lambda given: getattr(given, "name", "")
)
def test_a_number_that_makes_no_sense_is_refused_by_name(make: Any, one: Any) -> None:
    """Each of every class of options, so that none that is added later is forgotten."""
    for wrong in (-500, math.nan, -math.inf, "3", None, True):
        for given in [(wrong,) * len(one.default), wrong, ()] if isinstance(one.default, tuple) else [wrong]:
            with pytest.raises(OptionError, match=rf"^expected {one.name} as .*, got .*$"):
                make(**{one.name: given})


def test_options_keep_what_is_unusual_and_makes_sense() -> None:
    """0 decides nothing, and what is endless never comes; numbers of NumPy are numbers."""
    options = visionset.ReadOptions(decks=np.int64(2), min_confidence=np.float32(0.5), settled_px=math.inf, find=FindOptions(few_hints=0))  # type: ignore[arg-type]
    assert (options.decks, options.settled_px) == (2, math.inf)
    with pytest.raises(OptionError, match="expected decks as a whole number from 1 to 100, got 101"):
        visionset.ReadOptions(decks=101)
    for wrong in ({"ink": None}, {"find": InkOptions()}):
        with pytest.raises(OptionError, match=f"^expected {next(iter(wrong))} as "):
            visionset.ReadOptions(**wrong)


def test_a_session_refuses_options_before_it_opens_anything() -> None:
    with pytest.raises(OptionError, match="expected SessionOptions, got ReadOptions"):
        visionset.Session.open("nowhere.mp4", visionset.ReadOptions())  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"expected a Source, got 'table\.mp4'; Session\.open takes the name"):
        visionset.Session("table.mp4", None)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="expected profile as Calibration"):
        SessionOptions(profile="desk.json")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="expected is_refereed as True or False"):
        SessionOptions(is_refereed="no")  # type: ignore[arg-type]


class _NoCamera:
    trouble, ended = "", False

    def poll(self, wait_s: float) -> None:
        return None


MISUSED: dict[str, Any] = {
    "expected a Sighting, got 'x'": lambda: Table((640, 360), ("x",)),  # type: ignore[arg-type]
    "expected sightings as a tuple": lambda: Table((640, 360), []),  # type: ignore[arg-type]
    "expected size_px as a tuple of width and height, got 'x'": lambda: Table("x", ()),  # type: ignore[arg-type]
    "expected size_px as a tuple of width and height, got .640, 360, 3": lambda: Table((640, 360, 3), ()),  # type: ignore[arg-type]
    "expected players as a tuple of names": lambda: GAMES["set"].start(players=5),  # type: ignore[arg-type]
    "expected the name of a player, got 2": lambda: GAMES["set"].start(players=("Ann", 2)),  # type: ignore[arg-type]
    "expected a Game, got 'set'": lambda: History.begin("set", players=("Ann", "Bo")),  # type: ignore[arg-type]
    "expected a Game, got 'solitaire'": lambda: History.from_json("solitaire", {}),  # type: ignore[arg-type]
    "expected events, got History": lambda: GAMES["set"].replay(History.begin(GAMES["set"])),  # type: ignore[arg-type]
    "expected a Frame, got array": lambda: visionset.Session(_NoCamera(), None).look(np.zeros((4, 4, 3), np.uint8)),  # type: ignore[arg-type]
    "expected a Director or None": lambda: visionset.Session(_NoCamera(), None, "x"),  # type: ignore[arg-type]
    "expected a hint as one of Reveal, got array": lambda: visionset.View(hint=np.zeros((40, 40))),  # type: ignore[arg-type]
    "expected SessionOptions": lambda: visionset.Session(_NoCamera(), None, options=5),  # type: ignore[arg-type]
    "expected kinds, some of .*, got frozenset..'set-cards'": lambda: visionset.ReadOptions(kinds="set-cards"),  # type: ignore[arg-type]
    "expected index as the number of the frame, got 0.04": lambda: Frame(np.zeros((4, 4, 3), np.uint8), 0.04),  # type: ignore[arg-type]
    "expected time_s in seconds since the source started, got None": lambda: Frame(np.zeros((4, 4, 3), np.uint8), 0, None),  # type: ignore[arg-type]
    "expected time_s in seconds since the source started, got nan": lambda: Frame(np.zeros((4, 4, 3), np.uint8), 0, math.nan),
    "expected the name of a camera": lambda: visionset.Session.open(np.zeros((360, 640, 3), np.uint8)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("said", MISUSED)
def test_what_is_of_another_kind_is_refused_in_one_line(said: str) -> None:
    with pytest.raises(OptionError, match=f"^{said}") as caught:
        MISUSED[said]()
    assert "\n" not in str(caught.value)


def test_a_game_refuses_options_that_could_not_be_read_back() -> None:
    @dataclass(frozen=True)
    class More(GAMES["set"].options):  # type: ignore[misc]
        handicap: int = 3

    with pytest.raises(OptionError, match=r"expected SetCardsOptions, got .*More"):
        GAMES["set"].start(More(), players=("Ann", "Bo"))


def test_a_part_that_no_game_has_is_refused() -> None:
    with pytest.raises(GameError, match=r"expected a part among game, chance, .*, got 'rules'"):
        SPECS["set"].part("rules")


def test_a_game_that_is_not_there_is_told_from_those_that_are() -> None:
    for games in (GAMES, SPECS):
        with pytest.raises(KeyError, match=r"expected a game among crossword, cubed, .*; got 'sett'"):
            games["sett"]
        assert games.get("sett") is None


def test_a_runner_up_is_no_likelier_than_the_piece() -> None:
    assert Guess(CARD, 0.5, OTHER, 0.5).runner_up == OTHER
    with pytest.raises(PieceError, match="expected a runner-up that is no likelier"):
        Guess(CARD, 0.3, OTHER, 0.6)


def test_sightings_for_pieces_and_a_text_for_its_json_are_told_what_to_give() -> None:
    table = deal(NINE, (640, 360), card_px=90, gap_px=20)
    with pytest.raises(PieceError, match=r"give those of a table as table\.pieces$") as caught:
        visionset.find_sets(table.sightings)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    with pytest.raises(RecordError, match=r"read the text by json\.loads first$"):
        Table.from_json(json.dumps(table.to_json()))


def test_one_name_is_one_player() -> None:
    assert GAMES["solitaire"].start(players="Ann").players == ("Ann",)


def test_a_table_that_is_turned_keeps_what_is_known_of_it() -> None:
    table = deal(NINE, (640, 360), card_px=90, gap_px=20)
    doubtful = replace(table.sightings[0], piece=None, guess=Guess(CARD, 0.5), reason=visionset.Unread.DOUBTFUL)
    table = replace(table, sightings=(doubtful, *table.sightings[1:]), lacks_colour=True)
    for view in (visionset.View(mirrored=True), visionset.View(quarter_turns=1, hint=visionset.Reveal.COUNT)):
        turned = view.turn_table(table)
        assert (turned.lacks_colour, turned.sightings[0].reason) == (True, visionset.Unread.DOUBTFUL)
        assert turned.pieces == table.pieces
