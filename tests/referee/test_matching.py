"""Dice of the game found again on the table: none twice, none lost, and what is read rightly keeps its name."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from tests.referee.tabletop import outline
from visionset.pieces import SET_DIE_FACES, Kind, SetDie
from visionset.referee.matching import Agreed, is_likely, matched, unlikeness
from visionset.table import Guess, Sighting

FACES = st.sampled_from(SET_DIE_FACES)


def die(track: int, face: SetDie | None, next_best: SetDie | None = None) -> Sighting:
    guess = Guess(face or next_best or SET_DIE_FACES[0], 0.9, next_best, 0.1) if face or next_best else None
    return Sighting(Kind.SET_DIE, outline(Kind.SET_DIE, (40.0 * track, 40.0)), face, 0.9, guess, track)


@given(st.lists(st.none() | FACES, max_size=12), st.lists(FACES, max_size=12), st.dictionaries(st.integers(0, 11), FACES))
def test_every_die_is_told_once(read: list[SetDie | None], faces: list[SetDie], known: dict[int, SetDie]) -> None:
    dice = [die(track, face) for track, face in enumerate(read)]
    match = matched(dice, faces, known)
    assert sorted(one.track or 0 for one in (*(one for one, _ in match.pairs), *match.extra)) == list(range(len(dice)))
    assert Counter([*(face for _, face in match.pairs), *match.missing]) == Counter(faces)
    assert not match.extra or not match.missing


@given(st.lists(FACES, max_size=12), st.data())
def test_what_is_read_rightly_matches_whatever_lies_first(faces: list[SetDie], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(faces))))
    match = matched([die(track, faces[track]) for track in order], faces, {})
    assert match.odd == match.extra == match.missing == ()


@given(st.lists(FACES, min_size=1, max_size=12), st.data())
def test_a_die_that_nobody_moved_stays_what_it_was(faces: list[SetDie], data: st.DataObject) -> None:
    wrong = data.draw(st.integers(0, len(faces) - 1))
    misread = data.draw(FACES)
    dice = [die(track, misread if track == wrong else face) for track, face in enumerate(faces)]
    match = matched(dice, faces, dict(enumerate(faces)))
    assert {one.track: face for one, face in match.pairs} == dict(enumerate(faces))


def test_a_misread_die_is_the_one_whose_face_nothing_else_shows() -> None:
    red, green, odd = (SetDie.parse(name) for name in ("1-red-oval", "2-green-oval", "2-green-squiggle"))
    match = matched([die(7, odd), die(8, red)], [red, green], {})
    assert [(one.track, face) for one, face in match.odd] == [(7, green)]
    assert is_likely(*match.odd[0])
    match = matched([die(7, odd), die(8, red), die(9, red)], [red, green], {8: red})
    assert [one.track for one in match.extra] == [9]


@given(st.lists(st.none() | FACES, min_size=1, max_size=4), st.lists(FACES, min_size=4, max_size=4))
def test_dice_that_are_nowhere_read_are_told_apart_with_as_little_unlikeness_as_can_be(
    read: list[SetDie | None], faces: list[SetDie]
) -> None:
    dice = [die(track, face) for track, face in enumerate(read) if face not in faces]
    match = matched(dice, faces, {})
    least = min(sum(map(unlikeness, dice, order)) for order in permutations(faces, len(dice)))
    assert sum(unlikeness(one, face) for one, face in match.pairs) == least


def test_readers_err_in_one_trait_or_name_the_right_face_next() -> None:
    red, far = SetDie.parse("1-red-oval"), SetDie.parse("3-green-diamond")
    assert unlikeness(die(1, red), red) == 0
    assert unlikeness(die(1, far), red) == 3
    assert unlikeness(die(1, far, red), red) == 0
    assert unlikeness(die(1, None), red) == 4
    assert is_likely(die(1, SetDie.parse("1-red-squiggle")), red)
    assert not is_likely(die(1, SetDie()), red)


def test_a_die_is_only_believed_to_be_there_while_no_hand_was() -> None:
    red, green = SetDie.parse("1-red-oval"), SetDie.parse("2-green-oval")
    agreed = Agreed()
    agreed.agree([matched([die(1, red), die(2, green)], [red, green], {})])
    seen = matched([die(1, red)], [red, green], agreed.known)
    assert seen.missing == (green,)
    assert [one.track for one, _ in agreed.overlooked(seen).pairs] == [1, 2]
    agreed.disturb()
    assert agreed.overlooked(seen) is seen
    assert [one.track for one in agreed.ghosts(seen.missing, [seen])] == [2]
