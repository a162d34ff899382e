"""Drawings of pieces: every piece has two, none is like another, and each is well-formed and says what it is."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from visionset.errors import PieceError
from visionset.kinds import KIND_SPECS
from visionset.messages import at_table, speaking
from visionset.piece_svg import Plain, piece_svg


@pytest.mark.parametrize("plain", [None, Plain(), Plain(letters=False), Plain(patterns=False), Plain(False, False)])
def test_every_piece_is_drawn_and_told_from_every_other(plain: Plain | None) -> None:
    drawn: dict[str, object] = {}
    for kind, spec in KIND_SPECS.items():
        for face in spec.faces:
            text = piece_svg(kind.value.replace("_", "-"), str(face), plain)
            tree = ElementTree.fromstring(text)
            assert tree[0].text == at_table(face)
            assert text not in drawn
            drawn[text] = face
            assert len(text) < 12_000
            assert "style=" not in text  # the page's rules allow none
    assert len(drawn) == 81 + 28 + 6 + 52


def test_plain_drawings_tell_colours_by_letters() -> None:
    for name, letter in (("red", "R"), ("green", "G"), ("purple", "P")):
        assert f">{letter}□<" in piece_svg("set-card", f"1-{name}-open-oval", Plain())
        assert f">{letter}<" in piece_svg("set-die", f"1-{name}-oval", Plain())


def test_letters_and_patterns_are_had_one_without_the_other_and_letters_are_of_the_language() -> None:
    card, die = "1-green-solid-oval", "1-green-oval"
    for letters, patterns in ((True, False), (False, True), (False, False)):
        drawn = [piece_svg(kind, code, Plain(letters, patterns)) for kind, code in (("set-card", card), ("set-die", die))]
        assert ["<text" in one for one in drawn] == [letters] * 2
        assert ["dasharray" in one for one in drawn] == [patterns] * 2
    with speaking("de"):
        assert ">V<" in piece_svg("set-die", "1-purple-oval", Plain())
    assert ">P<" in piece_svg("set-die", "1-purple-oval", Plain())


def test_a_card_face_down_has_a_back() -> None:
    assert piece_svg("card-back", "anything") == piece_svg("card-back", "else", Plain())


@pytest.mark.parametrize(("kind", "code"), [("set-card", "x"), ("nothing", "1"), ("pip-die", "7"), ("set-die", "<script>")])
def test_what_is_no_piece_is_refused(kind: str, code: str) -> None:
    with pytest.raises(PieceError):
        piece_svg(kind, code)
