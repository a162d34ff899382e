"""Crossword SET: faults of a grid, drawing, adding, rounds, and the search for a grid (rules D4, D14 to D16)."""

import random
from dataclasses import replace
from itertools import permutations

import pytest

from visionset.errors import RuleError
from visionset.games.base import Amend
from visionset.games.crossword.advice import CrosswordSearch, best_grid
from visionset.games.crossword.rules import GAME, Add, CrosswordOptions, CrosswordState, Done, Draw, Lay, Placed, Rolled, Stuck
from visionset.games.crossword.view import view
from visionset.games.grid import Cell, Laid, Placing, faults, settle_wilds, used_cells, windows_of, windows_through
from visionset.games.view import Grid, Hand, Stress
from visionset.games.virtual.chance import roll_faces
from visionset.pieces import SET_DIE_FACES, SetDie

WILD = SetDie()


def die(text: str) -> SetDie:
    return SetDie.parse(text)


def grid(*rows: str) -> list[Laid]:
    """Draw a grid: words such as 1ro for 1-red-oval, W for WILD, a dot for nothing."""
    letters = {"r": "red", "g": "green", "p": "purple", "o": "oval", "s": "squiggle", "d": "diamond"}
    laid = []
    for row, line in enumerate(rows):
        for col, word in enumerate(line.split()):
            if word != ".":
                laid.append(Laid(row, col, WILD if word == "W" else die(f"{word[0]}-{letters[word[1]]}-{letters[word[2]]}")))
    return laid


def texts(*rows: str, touching: bool = False) -> list[str]:
    return [finding.text for finding in faults(grid(*rows), touching)]


def test_a_line_of_five_may_hold_three_sets() -> None:
    """D4."""
    assert len(windows_of([(0, column) for column in range(5)])) == 3
    assert windows_of([(0, 0), (1, 1), (2, 2)]) == ()
    assert windows_of([(0, 0), (0, 1), (1, 1)]) == ()


def test_a_grid_without_a_fault() -> None:
    """D14: a row and a column that share a die; the die at the side need not fit in both directions."""
    assert texts("1ro 2ro 3ro", ". . 3go", ". . 3po") == []
    assert texts("1ro 2ro 3ro", "1go 2go 3go") == ["3 dice are not connected with the rest; join them by a SET that shares a die"]
    assert texts("1ro 2ro 3ro", "1go 2go 3go", touching=True) == []


def test_a_die_in_no_set_is_named_and_located() -> None:
    """D14."""
    found = faults(grid("1ro 2ro 3ro", ". . 1gd"))
    assert [(finding.rule, finding.text, finding.at) for finding in found] == [
        ("D14", "1-green-diamond in row 1, column 2 is in no SET; move it", (3,))
    ]


def test_parts_that_are_not_connected_are_located() -> None:
    """D14."""
    found = faults(grid("1ro 2ro 3ro", ". . .", "1go 2go 3go"))
    assert [finding.at for finding in found] == [(3, 4, 5)]
    assert "not connected" in found[0].text


def test_a_wild_used_as_two_faces() -> None:
    """D14: the row needs 3-red-oval, the column 3-purple-oval."""
    found = faults(grid("1ro 2ro W", ". . 3go", ". . 3ro"))
    assert found[0].text == "the WILD is used as 3-purple-oval and as 3-red-oval; it keeps one face, so move a die"
    assert found[0].at == (2,)


def test_a_wild_takes_the_face_that_serves_both_lines() -> None:
    laid = grid("1ro 2ro W", ". . 3go", ". . 3po")
    assert faults(laid) == ()
    assert settle_wilds(laid)[2].stated == die("3-red-oval")


def test_a_wild_stands_for_what_holds_the_grid_together() -> None:
    """D14, D16: two faces put every die into a SET, one of them joins the SETs as well."""
    for line in ("1go 3rs 2pd 3gs W 1rs 1rd 2go 3ps", "3ps 2go 1rd 1rs W 3gs 2pd 3rs 1go"):
        laid = grid(line)
        assert settle_wilds(laid)[4].stated == die("1-red-oval")
        assert texts(line) == []
        assert len(used_cells(laid)) == 9


def test_a_stated_wild_keeps_its_face() -> None:
    laid = grid("1ro 2ro W")
    assert faults([laid[0], laid[1], replace(laid[2], stated=die("3-red-oval"))]) == ()
    assert len(faults([laid[0], laid[1], replace(laid[2], stated=die("3-red-diamond"))])) == 3
    assert faults([replace(laid[0], stated=die("1-red-oval")), *laid[1:]])[0].rule == "D3"


def test_two_dice_in_one_cell() -> None:
    laid = grid("1ro 2ro 3ro")
    assert "two dice are in one cell" in faults([*laid, laid[0]])[0].text


def test_dice_that_count_as_used() -> None:
    """D16: in a SET and in the largest part."""
    assert used_cells(grid("1ro 2ro 3ro 1gd", ". . .", "1go 2go 3go")) == {(0, 0), (0, 1), (0, 2)}
    assert used_cells(grid("1ro 2gd")) == frozenset()


SIX = tuple(die(text) for text in ("1-red-oval", "2-red-oval", "3-red-oval", "3-green-oval", "3-purple-oval", "1-green-diamond"))
FIVE_LAID = (Placing(0, 0, 0), Placing(1, 0, 1), Placing(2, 0, 2), Placing(3, 1, 2), Placing(4, 2, 2))


def begin(players: int = 2, hand: int = 5) -> CrosswordState:
    state: CrosswordState = GAME.start(CrosswordOptions(hand=hand), [f"P{number}" for number in range(players)])
    return state.after(Rolled((SIX[:hand],) * players))


def test_the_first_to_use_all_dice_scores_what_the_others_have_left() -> None:
    """D16."""
    state = begin(3).after(Lay(0, FIVE_LAID)).after(Lay(1, FIVE_LAID[:3]))
    state = state.after(Done(0))
    assert state.finished == ((2 + 5, 0, 0),)
    assert state.hands == ((), (), ())
    assert "P0 used all dice: 7 points" in str(state.notice)


def test_dice_in_no_set_count_as_left() -> None:
    """D16."""
    state = begin().after(Lay(1, (*FIVE_LAID[:3], Placing(3, 5, 5)))).after(Lay(0, FIVE_LAID)).after(Done(0))
    assert state.finished == ((2, 0),)


def test_a_first_die_is_no_fault() -> None:
    """One or two dice can make no SET yet: whoever lays them is told what comes next, not to move them."""
    said = [str(begin().after(Lay(0, FIVE_LAID[:count])).prompts[0].message) for count in (1, 2, 3)]
    assert said[:2] == ["go on: three dice in a line are to make a SET"] * 2
    assert said[2] == "2 dice to lay; if you are stuck, draw one"


def test_being_done_too_early() -> None:
    """D14."""
    with pytest.raises(RuleError, match="rule D14: tried being done while 2 dice are not used; allowed now: P0: lay the grid"):
        begin().after(Lay(0, FIVE_LAID[:3])).after(Done(0))
    with pytest.raises(RuleError, match="being done while 3-green-oval in row 5, column 5 is in no SET"):
        begin().after(Lay(0, (*FIVE_LAID[:3], Placing(3, 5, 5)))).after(Done(0))


def test_an_extra_die_must_be_used_too() -> None:
    """D15."""
    state = begin().after(Lay(0, FIVE_LAID)).after(Draw(0, SIX[5]))
    assert state.bag == 42 - 11
    assert state.unused(0) == (5,)
    with pytest.raises(RuleError, match="1 die is not used"):
        state.after(Done(0))


def test_a_grid_may_be_rearranged_but_no_die_lies_twice() -> None:
    """D14."""
    state = begin().after(Lay(0, FIVE_LAID)).after(Lay(0, tuple(replace(placing, row=placing.row + 3) for placing in FIVE_LAID)))
    assert state.faults(0) == ()
    for bad in ((Placing(0, 0, 0), Placing(0, 0, 1)), (Placing(9, 0, 0),), (Placing(0, 0, 0), Placing(1, 0, 0))):
        with pytest.raises(RuleError, match="rule D14"):
            state.after(Lay(0, bad))
    with pytest.raises(RuleError, match="rule D14: tried rolling again"):
        state.after(Rolled((SIX[:5],) * 2))


def empty_bag(players: int) -> CrosswordState:
    state = begin(players)
    while state.bag:
        state = state.after(Draw(players - 1, SIX[5]))
    return state


def test_adding_to_the_grids_of_others() -> None:
    """D15: empty bag, more than two players, forming SETs, and nothing is moved."""
    with pytest.raises(RuleError, match="rule D15: tried adding to another's grid"):
        begin(3).after(Lay(0, FIVE_LAID)).after(Add(1, 0, (Placing(2, 0, 3),)))
    with pytest.raises(RuleError, match="rule D15"):
        empty_bag(2).after(Lay(0, FIVE_LAID)).after(Add(1, 0, (Placing(0, 0, 3),)))
    state = empty_bag(3).after(Lay(0, FIVE_LAID))
    with pytest.raises(RuleError, match="rule D15: tried adding dice where 2-red-oval in row 0, column 3 is in no SET"):
        state.after(Add(1, 0, (Placing(1, 0, 3),)))
    state = state.after(Add(1, 0, (Placing(0, 0, 3),)))
    assert state.unused(1) == (1, 2, 3, 4)
    assert state.unused(0) == ()
    with pytest.raises(RuleError, match="rule D15: tried moving dice of a grid that others have added to"):
        state.after(Lay(0, FIVE_LAID[:3]))
    with pytest.raises(RuleError, match="rule D14"):
        state.after(Lay(1, (Placing(0, 0, 0),)))


def test_dice_that_others_have_added_are_shown_as_such() -> None:
    """They are in no hand of the one whose grid it is."""
    (own, *hands) = view(empty_bag(3).after(Lay(0, FIVE_LAID)).after(Add(1, 0, (Placing(0, 0, 3),))))
    assert [hand.lent for hand in hands if isinstance(hand, Hand)] == [(), (0,), ()]
    assert isinstance(own, Grid)
    columns = {str(name): at for at, name in enumerate(own.head)}
    shown = {(str(row[0].text), name): row[at].stress for row in own.rows for name, at in columns.items() if row[at].piece is not None}
    assert {cell for cell, stress in shown.items() if stress is Stress.FAINT} == {("0", "3")}
    assert len(shown) == len(FIVE_LAID) + 1


def with_wild(guest: str) -> CrosswordState:
    """P0 has laid 1-red-oval, 2-red-oval and a WILD in a row; the bag is empty, and P1 has these dice."""
    owner = (die("1-red-oval"), die("2-red-oval"), WILD, die("1-green-oval"), die("2-green-oval"))
    state: CrosswordState = GAME.start(CrosswordOptions(hand=5), ["P0", "P1", "P2"])
    state = state.after(Rolled((owner, tuple(one.face for one in grid(guest)), (SIX[5],) * 5)))
    while state.bag:
        state = state.after(Draw(2, SIX[5]))
    return state.after(Lay(0, FIVE_LAID[:3]))


def test_no_die_is_added_where_one_lies() -> None:
    """D15."""
    for cell in ((0, 1), (5, 5)):
        with pytest.raises(RuleError, match="rule D15: tried adding a die where one lies"):
            with_wild("3ro 2ro 3po 1gd 1gd").after(Add(1, 0, (Placing(0, *cell), Placing(1, *cell))))
    with pytest.raises(RuleError, match="rule D15: tried adding a die where one lies"):
        with_wild("2ro 2ro 3po 1gd 1gd").after(Add(1, 0, (Placing(0, 0, 1),)))


def test_a_guest_does_not_take_the_wild_of_the_owner_away() -> None:
    """D15: as 3-purple-squiggle the WILD would serve the guest, and the owner's dice would be in no SET."""
    state = with_wild("3po 3pd 3go 3po 1gd")
    with pytest.raises(RuleError, match="rule D15: tried adding dice where"):
        state.after(Add(1, 0, (Placing(0, 1, 2), Placing(1, 2, 2))))
    assert state.unused(0) == (3, 4)
    after = state.after(Add(1, 0, (Placing(2, 1, 2), Placing(3, 2, 2))))
    assert after.unused(0) == (3, 4)
    assert after.unused(1) == (0, 1, 4)


def test_two_dice_are_added_at_once() -> None:
    """D15: neither is in a SET without the other."""
    state = with_wild("1go 1po 3po 3po 1gd")
    for alone in (Placing(0, 1, 0), Placing(1, 2, 0)):
        with pytest.raises(RuleError, match="rule D15"):
            state.after(Add(1, 0, (alone,)))
    assert state.after(Add(1, 0, (Placing(0, 1, 0), Placing(1, 2, 0)))).unused(1) == (2, 3, 4)


def test_the_owner_does_not_take_the_wild_of_a_guest_away() -> None:
    """D15: the owner may state what the WILD stands for, and lay more, as long as the guest's dice keep their SET."""
    state = with_wild("3go 3po 3po 3po 1gd").after(Add(1, 0, (Placing(0, 1, 2), Placing(1, 2, 2))))
    for stated, is_right in (("3-red-oval", True), ("3-purple-squiggle", False)):
        lay = Lay(0, (*FIVE_LAID[:2], Placing(2, 0, 2, die(stated))))
        if is_right:
            again = state.after(lay).after(Lay(0, FIVE_LAID[:3]))
            assert again.grids[0][2].placing.stated == die("3-red-oval")
        else:
            with pytest.raises(RuleError, match="rule D15: tried stating a WILD otherwise than dice that were added need it"):
                state.after(lay)
    more = state.after(Lay(0, (*FIVE_LAID[:3], Placing(3, 0, 3), Placing(4, 0, 4))))
    assert more.unused(1) == (2, 3, 4)


def test_a_grid_without_a_set_takes_no_guests() -> None:
    """D15: dice are added to a grid, and one begins with a SET of its owner."""
    state = with_wild("1ro 2ro 3ro 1go 1po").after(Lay(0, FIVE_LAID[:2]))
    for added in ((Placing(2, 0, 2),), (Placing(0, 5, 0), Placing(1, 5, 1), Placing(2, 5, 2))):
        with pytest.raises(RuleError, match="rule D15: tried adding dice where P0 has no SET yet"):
            state.after(Add(1, 0, added))


def test_only_a_wild_is_laid_as_another_face() -> None:
    """D3: else dice in no SET would count as used."""
    for placing in (Placing(0, 0, 0, die("1-green-oval")), Placing(0, 0, 0, WILD)):
        with pytest.raises(RuleError, match="rule D3: tried stating that 1-red-oval stands for"):
            begin().after(Lay(0, (placing,)))
        with pytest.raises(RuleError, match="rule D3: tried an amendment after which a die is stated to be another face"):
            begin().after(Amend.of("as it lies", grids=((Placed(0, placing),), ())))


def test_all_stuck_with_an_empty_bag_ends_the_round_without_points() -> None:
    with pytest.raises(RuleError, match="rule D15: tried being stuck while the bag holds dice"):
        begin().after(Stuck(0))
    with pytest.raises(RuleError, match="rule D15: tried drawing from an empty bag"):
        empty_bag(2).after(Draw(0, SIX[0]))
    state = empty_bag(2).after(Stuck(0)).after(Stuck(1))
    assert state.finished == ((0, 0),)


def test_43_dice_are_explained() -> None:
    state = replace(begin(), hands=((SIX[0],) * 43, SIX[:5]))
    assert "48 dice are out and the box holds 42" in state.findings[0].text


@pytest.mark.slow
def test_the_search_answers_for_ten_dice() -> None:
    """Either a grid of all dice, or the largest there is, proven; every answer keeps the rules."""
    rng = random.Random(11)
    for _ in range(60):
        rolled = roll_faces(10, rng)
        answer = best_grid(rolled)
        assert faults(answer.grid) == ()
        assert len(set(answer.dice)) == len(answer.grid)
        assert [rolled[place] for place in answer.dice] == [laid.face for laid in answer.grid]
        assert answer.is_proven


@pytest.mark.parametrize("seed", range(6))
def test_the_search_finds_what_is_known_to_be_there(seed: int) -> None:
    """Dice of a grid that was grown at random, WILDs among them, always lie in a grid again."""
    rng = random.Random(seed)
    grown = best_grid(roll_faces(16, rng), CrosswordSearch(max_steps=300, max_wilds=1))
    faces = [laid.face for laid in grown.grid]
    rng.shuffle(faces)
    assert len(best_grid(faces).grid) == len(faces)


def test_the_search_of_nothing_and_of_dice_without_a_set() -> None:
    assert best_grid([]).grid == ()
    assert best_grid([die("1-red-oval"), die("2-red-oval"), die("2-red-diamond")]).grid == ()
    assert len(best_grid([WILD, WILD, WILD]).grid) == 3


def shapes(count: int) -> set[frozenset[Cell]]:
    """All ways in which so many cells lie in lines of three that hold together, shifted to the same place each."""
    found: set[frozenset[Cell]] = set()
    todo = [frozenset({(0, col) for col in range(3)}), frozenset({(row, 0) for row in range(3)})]
    while todo:
        cells = todo.pop()
        top, left = min(row for row, _ in cells), min(col for _, col in cells)
        cells = frozenset((row - top, col - left) for row, col in cells)
        if len(cells) <= count and cells not in found:
            found.add(cells)
            todo += [cells | set(window) for cell in cells for window in windows_through(cell)]
    return {cells for cells in found if len(cells) == count}


def most_laid(faces: list[SetDie]) -> int:
    """How many of the dice lie in one grid at the most: every order in every shape, by the rules' own judgement."""
    for count in range(len(faces), 2, -1):
        for order in set(permutations(faces, count)):
            for cells in shapes(count):
                laid = tuple(Laid(row, col, face) for (row, col), face in zip(sorted(cells), order, strict=True))
                if used_cells(laid) == cells:
                    return count
    return 0


@pytest.mark.parametrize("wilds", range(2, 6))
def test_the_search_lays_as_many_dice_as_can_be_where_most_are_wild(wilds: int) -> None:
    """D14: WILDs alone stand for one face."""
    rng = random.Random(wilds)
    for plain in range(6 - wilds):
        faces = [WILD] * wilds + rng.sample([face for face in SET_DIE_FACES if not face.is_wild], plain)
        answer = best_grid(faces)
        assert len(answer.grid) == most_laid(faces), faces
        assert faults(answer.grid) == ()
    assert len(best_grid([WILD] * 42).grid) == 42


def test_the_box_with_many_wilds_is_answered() -> None:
    """There are 170,000 choices of faces for five WILDs, and hundreds of millions for ten: a part of them is weighed, by lot."""
    for wilds in (4, 5, 10):
        rng = random.Random(wilds)
        faces = [WILD] * wilds + [face for face in roll_faces(60, rng) if not face.is_wild][: 42 - wilds]
        answer = best_grid(faces, CrosswordSearch(max_steps=2000, max_hands=100))
        assert answer == best_grid(faces, CrosswordSearch(max_steps=2000, max_hands=100))
        assert faults(answer.grid) == ()
        assert len(answer.grid) > 30
        assert answer.is_proven == (len(answer.grid) == 42)
    few = [WILD, WILD, *(die(name) for name in ("1-red-oval", "2-green-squiggle", "2-red-diamond"))]
    assert best_grid(few).is_proven
    assert not best_grid(few, CrosswordSearch(max_hands=1)).is_proven
