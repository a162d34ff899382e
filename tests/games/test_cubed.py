"""SET Cubed: opening, placing, points, WILDs, bonus squares, rounds, the end and the best placement (rules D5 to D12)."""

import random
from dataclasses import replace
from itertools import combinations, permutations

import pytest

from visionset.errors import RecordError, RuleError
from visionset.games.cubed.advice import best_move, best_placement
from visionset.games.cubed.board import Board, default_board, load_board
from visionset.games.cubed.rules import (
    GAME,
    CubedOptions,
    CubedState,
    Drawn,
    EndTurn,
    ExtraRoll,
    NobodyCan,
    Open,
    Phase,
    Place,
    Replace,
    Rolled,
    RollWild,
)
from visionset.games.cubed.view import view as cubed_view
from visionset.games.grid import Laid, Placing, face_indices, sets_in
from visionset.games.sets import third
from visionset.games.view import Grid, die_grid
from visionset.games.virtual.chance import roll_faces
from visionset.games.virtual.runner import play_out
from visionset.pieces import SET_DIE_FACES, SetDie

WILD = SetDie()
_WORDS = {"r": "red", "g": "green", "p": "purple", "o": "oval", "s": "squiggle", "d": "diamond"}


def die(word: str) -> SetDie:
    return WILD if word == "W" else SetDie.parse(f"{word[0]}-{_WORDS[word[1]]}-{_WORDS[word[2]]}")


def hand(text: str) -> tuple[SetDie, ...]:
    return tuple(die(word) for word in text.split())


def board_of(rows: dict[int, str], first_col: int = 6) -> tuple[Laid, ...]:
    laid = []
    for row, line in rows.items():
        laid += [Laid(row, first_col + col, die(word)) for col, word in enumerate(line.split()) if word != "."]
    return tuple(laid)


def table(grid: tuple[Laid, ...], mine: str, other: str = "1rd 1gd 2rd 2gd 3ps", **changes: object) -> CubedState:
    """A turn of player A with these dice on the board."""
    state: CubedState = GAME.start(players=("A", "B"))
    hands = (hand(mine), hand(other))
    return replace(state, phase=Phase.TURN, hands=hands, grid=grid, bag=42 - len(grid) - len(hands[0]) - len(hands[1]), **changes)


LINE = board_of({7: "1ro 2ro 3ro"})


def test_the_turn_of_12_points() -> None:
    """D12: the first die makes two SETs, the second one, the third one; the third fits in one direction only."""
    black = board_of({7: "1ro 2ro 3ro", 8: "1go 2go 3go", 9: "1po . 3po 2gd"})
    state = table(black, "2po 1ro 3ro 1gs 2gs")
    state = replace(state, grid=(*black[:-1], replace(black[-1], row=8, col=9, face=die("2gs"))))
    state = state.after(Place(0, (Placing(0, 9, 7),)))
    assert [made.points for made in state.made] == [3, 3]
    assert state.scores == (6, 0)
    state = state.after(Place(0, (Placing(0, 7, 9),)))
    assert state.scores == (9, 0)
    state = state.after(Place(0, (Placing(0, 7, 5),)))
    assert state.scores == (12, 0)
    assert len(state.made) == 4
    with pytest.raises(RuleError, match="rule D6: tried laying 4 dice in one turn where 3 are allowed; allowed now: A: end the turn"):
        state.after(Place(0, (Placing(0, 0, 0),)))


def test_best_placement_finds_at_least_the_12_points_of_the_example() -> None:
    black = board_of({7: "1ro 2ro 3ro", 8: "1go 2go 3go", 9: "1po . 3po"})
    move = best_move(black, hand("2po 1ro 3ro 1gs 2gs"), replace(default_board(), bonuses=()))
    assert move.points >= 12


def opened(hands: tuple[str, str]) -> CubedState:
    return GAME.start(players=("A", "B")).after(Rolled((hand(hands[0]), hand(hands[1]))))


def test_the_first_set_lies_on_the_logo_and_is_the_first_turn() -> None:
    """D5."""
    state = opened(("1ro 2ro 3ro 1gs 2gd", "1gs 2gd 3gd 1ro 2rs"))
    state = state.after(Open(0, (2, 0, 1)))
    assert [laid.cell for laid in state.grid] == list(default_board().logo)
    assert state.scores == (3, 0)
    assert state.hands[0] == hand("1gs 2gd")
    assert (state.first, state.current) == (0, 1)


def test_a_wild_in_the_first_set_brings_no_point() -> None:
    """D3, D7."""
    state = opened(("1ro W 3ro 1gs 2gd", "1gs 2gd 3gd 1ro 2rs"))
    with pytest.raises(RuleError, match="rule D3: tried laying a WILD"):
        state.after(Open(0, (0, 1, 2)))
    assert state.after(Open(0, (0, 1, 2), (None, die("2ro"), None))).scores == (2, 0)
    with pytest.raises(RuleError, match="rule D5: tried opening by A with no SET"):
        state.after(Open(0, (0, 1, 2), (None, die("2rs"), None)))


def test_nobody_has_a_set() -> None:
    """D5: all roll again, but not while somebody has one."""
    none = "1ro 1rs 2ro 2rs 1gd"
    state = opened((none, none))
    assert str(state.prompts[0]) == "All: nobody has a SET: roll all dice again"
    assert state.after(Rolled((hand(none), hand(none)))).phase is Phase.OPENING
    with pytest.raises(RuleError, match="rule D5: tried rolling all dice again; look again"):
        opened((none, "1ro 2ro 3ro 1gs 2gd")).after(Rolled((hand(none), hand(none))))


@pytest.mark.parametrize(
    ("placing", "why"),
    [
        (Placing(0, 7, 7), "which is taken"),
        (Placing(0, 7, 15), "which is off the board"),
        (Placing(1, 7, 9), "where it makes no SET with a die on the board"),
        (Placing(0, 8, 9), "where it makes no SET with a die on the board"),
        (Placing(7, 7, 9), "laying the dice 7 of 5"),
    ],
)
def test_dice_that_may_not_be_laid_there(placing: Placing, why: str) -> None:
    """D6: never diagonal, never around a corner."""
    with pytest.raises(RuleError, match=f"rule D6: .*{why}"):
        table(LINE, "1ro 3gd 2gs 1ps 2ps").after(Place(0, (placing,)))


def test_two_dice_at_once_beside_one() -> None:
    """D6: a SET with at least one die of the board; three new dice alone are none."""
    state = table(LINE, "1go 1po 2go 3go 2ps")
    after = state.after(Place(0, (Placing(0, 8, 6), Placing(1, 9, 6))))
    assert after.scores == (3, 0)
    with pytest.raises(RuleError, match="makes no SET with a die on the board"):
        state.after(Place(0, (Placing(0, 9, 6), Placing(2, 9, 7), Placing(3, 9, 8))))


def test_three_dice_at_once_are_as_good_as_one_after_another() -> None:
    """D6: the third is in a SET with the two that were laid with it, and these are in one with the board."""
    state = table(LINE, "1go 1po 1ro 3go 2ps")
    dice = (Placing(0, 8, 6), Placing(1, 9, 6), Placing(2, 10, 6))
    assert state.after(Place(0, dice)).scores == (6, 0)
    assert state.after(Place(0, dice[:2])).after(Place(0, (Placing(0, 10, 6),))).scores == (6, 0)


def test_nobody_is_asked_to_lay_one_die_where_only_two_would_do() -> None:
    """D6: with two dice laid, 3-green-squiggle and 3-purple-diamond would be a SET beside 3-red-oval, one too many for this turn."""
    state = table(LINE, "1go 1po 3gs 3pd 2ps").after(Place(0, (Placing(0, 8, 6), Placing(1, 9, 6))))
    assert [prompt.text for prompt in state.prompts] == ["end the turn"]


def test_a_die_in_two_new_sets_counts_twice() -> None:
    """D7."""
    grid = board_of({7: "1ro 2ro 3ro", 8: ". 3ro 1ro"})
    state = table(grid, "1ro 2ro 2gs 1ps 2ps").after(Place(0, (Placing(1, 8, 9),)))
    assert len(state.made) == 1
    # Row 8 becomes 3 1 2; column 9 holds two dice; then 1-red-oval below row 7's end makes a row and a column.
    state = state.after(Place(0, (Placing(0, 7, 9),)))
    assert {made.cells for made in state.made[1:]} == {((7, 7), (7, 8), (7, 9))}


def test_a_wild_scores_from_the_next_turn_on() -> None:
    """D7."""
    state = table(LINE, "W 2ro 2gs 1ps 2ps", other="2ro 1gd 2rd 2gd 3ps")
    with pytest.raises(RuleError, match="rule D3"):
        state.after(Place(0, (Placing(0, 7, 9),)))
    state = state.after(Place(0, (Placing(0, 7, 9, die("1ro")),)))
    assert state.scores == (2, 0)
    state = state.after(Place(0, (Placing(0, 7, 10),)))
    assert state.scores == (4, 0)
    grid = state.grid[:-1]
    later = replace(state, grid=grid, fresh=(), current=1, bag=state.bag + 1).after(Place(1, (Placing(0, 7, 10),)))
    assert later.scores == (4, 3)


def test_bonus_squares_count_once_and_for_a_wild_too() -> None:
    """D8."""
    board = replace(default_board(), bonuses=(*default_board().bonuses, replace(default_board().bonuses[0], row=7, col=9, points=4)))
    state = replace(table(LINE, "W 2ro 2gs 1ps 2ps"), options=CubedOptions(board=board))
    state = state.after(Place(0, (Placing(0, 7, 9, die("1ro")),)))
    assert state.scores == (2 + 4, 0)
    assert state.after(Place(0, (Placing(0, 7, 10),))).scores == (6 + 2, 0)
    swapped = replace(state, fresh=(), hands=(hand("1ro 2gs"), state.hands[1]))
    assert swapped.after(Replace(0, 0, 7, 9)).scores == state.scores


WILD_LINE = (Laid(7, 6, die("1ro")), Laid(7, 7, WILD, die("2ro")), Laid(7, 8, die("3ro")))


def test_replacing_a_wild() -> None:
    """D9: no points, none of the three dice, rolled before it is used."""
    state = table(WILD_LINE, "2ro 1ro 3ro 1ps 2ps")
    assert state.prompts[0].at == (1,)
    after = state.after(Replace(0, 0, 7, 7))
    assert after.scores == (0, 0)
    assert after.phase is Phase.WILD_ROLL
    with pytest.raises(RuleError, match="rule D6: tried place by A; allowed now: A: roll the WILD"):
        after.after(Place(0, (Placing(0, 7, 9),)))
    after = after.after(RollWild(0, die("2gs")))
    assert after.hands[0] == hand("1ro 3ro 1ps 2ps 2gs")
    assert after.grid[1] == Laid(7, 7, die("2ro"))
    for placing in (Placing(0, 7, 9), Placing(0, 7, 5)):
        after = after.after(Place(0, (placing,)))
    assert after.scores == (6, 0)


def test_replacing_by_another_face_or_too_late() -> None:
    """D9."""
    state = table(WILD_LINE, "2rs 1ro 3ro 1ps 2ps")
    with pytest.raises(RuleError, match="rule D9: tried replacing a WILD that stands for 2-red-oval by 2-red-squiggle"):
        state.after(Replace(0, 0, 7, 7))
    with pytest.raises(RuleError, match=r"rule D9: tried replacing in \(7, 6\) where no WILD lies"):
        state.after(Replace(0, 0, 7, 6))
    later = state.after(Place(0, (Placing(1, 7, 9),)))
    with pytest.raises(RuleError, match="at the start of the turn"):
        replace(later, hands=(hand("2ro"), later.hands[1])).after(Replace(0, 0, 7, 7))


def test_a_turn_may_be_skipped_and_nobody_plays_out_of_turn() -> None:
    """D6."""
    state = table(LINE, "1ro 2gs 3gd 1ps 2ps")
    assert state.after(EndTurn(0)).current == 1
    with pytest.raises(RuleError, match="rule D6: tried end turn by B"):
        state.after(EndTurn(1))


def test_drawing_and_the_extra_roll_between_rounds() -> None:
    """D10: a round ends when play is back at the first player."""
    state = table(LINE, "1ro 2gs 3gd", current=1, first=0).after(EndTurn(1))
    assert state.phase is Phase.DRAW
    assert state.due == (2, 0)
    with pytest.raises(RuleError, match="rule D10: tried drawing 1, 1 dice"):
        state.after(Drawn((hand("1ro"), hand("1ro"))))
    state = state.after(Drawn((hand("1ro W"), ()), at_s=100.0))
    assert state.phase is Phase.EXTRA
    with pytest.raises(RuleError, match="rule D10: tried an extra roll 31 s after it began, 30 are allowed"):
        state.after(ExtraRoll(0, (0,), hand("3po"), at_s=131.0))
    state = state.after(ExtraRoll(0, (0, 4), hand("3po 2rs"), at_s=130.0))
    assert state.hands[0] == hand("3po 2gs 3gd 1ro 2rs")
    with pytest.raises(RuleError, match="rule D10: tried an extra roll by A"):
        state.after(ExtraRoll(0, (0,), hand("3po"), at_s=130.0))
    state = state.after(ExtraRoll(1))
    assert (state.phase, state.current) == (Phase.TURN, 0)


def test_an_extra_roll_at_the_very_end_of_its_time_is_not_late_by_how_numbers_are_rounded() -> None:
    """D10: 130.04000000000002 less 100.04 is a little more than 30 in a computer."""
    state = table(LINE, "1ro 2gs 3gd 1rd 2rd", current=1, first=0).after(EndTurn(1, at_s=100.04))
    assert state.after(ExtraRoll(0, (0,), hand("3po"), at_s=100.04 + 30.0)).rolled_extra == (0,)


def test_the_extra_roll_counts_from_the_end_of_the_round_where_nobody_draws() -> None:
    """D10."""
    state = table(LINE, "1ro 2gs 3gd 1rd 2rd", current=1, first=0, clock_s=20.0).after(EndTurn(1, at_s=100.0))
    assert (state.phase, state.extra_from_s) == (Phase.EXTRA, 100.0)
    assert state.after(ExtraRoll(0, (0,), hand("3po"), at_s=130.0)).rolled_extra == (0,)
    with pytest.raises(RuleError, match="rule D10: tried an extra roll 31 s after it began"):
        state.after(ExtraRoll(0, (0,), hand("3po"), at_s=131.0))


def test_all_say_that_nobody_can_make_a_set_where_no_hand_is_seen() -> None:
    """D11."""
    state = table(LINE, "W W W", other="W W")
    assert "nobody can make a SET: roll all dice again" in [choice.label for choice in state.legal]
    again = state.after(NobodyCan())
    assert again.phase is Phase.ROLL_ALL
    assert again.after(Rolled((hand("W W W"), hand("W W")))).phase is Phase.TURN
    for refused in (table(LINE, "W 1ro", other="W"), table((*LINE, *board_of({7: "1ro"}, 9)), "W W", other="W", fresh=((7, 9),))):
        assert "nobody_can" not in [choice.event for choice in refused.legal]
        with pytest.raises(RuleError, match="rule D11: tried saying that nobody can make a SET"):
            refused.after(NobodyCan())


def test_the_last_draw_starts_with_the_first_player() -> None:
    """D10."""
    state = replace(table(LINE, "1ro", other="1go 2go"), bag=6, first=1, phase=Phase.DRAW)
    assert state.due == (3, 3)
    assert replace(state, bag=2).due == (0, 2)


def test_nobody_can_make_a_set() -> None:
    """D11: all roll again."""
    state = table(LINE, "1gs", other="2gd", current=0)
    assert not state.can_play(0)
    state = state.after(EndTurn(0))
    assert state.phase is Phase.ROLL_ALL
    with pytest.raises(RuleError, match="rule D5: tried hands of 2, 0 dice, not 1, 1"):
        state.after(Rolled((hand("1ro 2ro"), ())))
    assert state.after(Rolled((hand("1gs"), hand("1ro")))).phase is Phase.TURN


def test_the_round_in_which_somebody_runs_out_is_played_to_its_end() -> None:
    """D11."""
    state = replace(table(LINE, "1ro", other="2ro 1po 3ps"), bag=0, first=0)
    state = state.after(Place(0, (Placing(0, 7, 9),))).after(EndTurn(0))
    assert (state.phase, state.current) == (Phase.TURN, 1)
    state = state.after(EndTurn(1))
    assert state.is_over
    assert state.winners == (0,)


def test_who_draws_is_not_out_of_dice() -> None:
    """D10, D11, where a hand may be laid in one turn."""
    state = replace(table(LINE, "1ro", other="2ro 1po 3ps"), options=CubedOptions(hand=3), first=0)
    state = state.after(Place(0, (Placing(0, 7, 9),))).after(EndTurn(0)).after(EndTurn(1))
    assert (state.phase, state.due) == (Phase.DRAW, (3, 0))


def test_a_board_without_room_ends_the_game() -> None:
    tiny = Board("tiny", 1, 3, ((0, 0), (0, 1), (0, 2)))
    grid = tuple(replace(laid, row=0, col=laid.col - 6) for laid in LINE)
    state = replace(table(grid, "1ro 2ro"), options=CubedOptions(board=tiny)).after(EndTurn(0))
    assert state.is_over
    assert "no square is left" in str(state.notice)


def test_impossible_states_are_explained() -> None:
    odd = (*LINE, Laid(20, 20, WILD), Laid(7, 6, die("1ro")))
    state = replace(table(odd, "1ro 1ro 1ro 1ro 1ro 1ro"), bag=9, fresh=((7, 6),) * 4)
    rules = [finding.rule for finding in GAME.parse_state(state.to_json()).findings]
    assert rules == ["D5", "D6", "D3", "D14", "D6", "D10"]


def test_boards_are_data(tmp_path) -> None:  # type: ignore[no-untyped-def]
    board = default_board()
    assert Board.parse(str(board)) == board
    assert board.bonus_at((0, 0)) == 5
    assert board.bonus_at((7, 7)) == 0
    path = tmp_path / "board.toml"
    path.write_text(str(board))
    assert load_board(path) == board
    for text in (
        "rows = 3",
        "name = 'x'\nrows = 3\ncols = 3\nlogo = [[0, 0], [0, 1], [0, 5]]",
        "name = 'x'\nrows = 3\ncols = 3\nlogo = [[0, 0], [1, 1], [2, 2]]",
        "[",
        f'{board}"--5" = [[7, 7]]',
    ):
        path.write_text(text)
        with pytest.raises(RecordError, match="expected") as refused:
            load_board(path)
        assert " _" not in str(refused.value), "names of ours mean nothing to who writes a board"
        assert "`visionset print board --help` names" in str(refused.value), "where is a board that is one"
    with pytest.raises(RecordError, match="expected a file that can be read"):
        load_board(tmp_path / "none.toml")


def naive_best(grid: tuple[Laid, ...], mine: tuple[SetDie, ...], board: Board, most: int) -> int:
    """The most points of a turn that begins."""
    state: CubedState = GAME.start(CubedOptions(board=board), ("A", "B"))
    return naive_rest(replace(state, phase=Phase.TURN, hands=(mine, mine), grid=grid, bag=0), most)


def naive_rest(state: CubedState, most: int) -> int:
    """Lay every choice of dice in every order on every cell, two at once too, by the rules' own scoring, up to so many in the turn."""
    board = state.options.board
    cells = [(row, col) for row in range(board.rows) for col in range(board.cols)]
    seen: dict[object, int] = {}

    def best(now: CubedState) -> int:
        key = (frozenset(now.grid), now.hands[0])
        if key in seen:
            return seen[key]
        top = 0
        there = {laid.cell for laid in now.grid}
        free = [cell for cell in cells if cell not in there]
        room = most - len(now.fresh)
        for count in (1, 2):
            if count > room:
                continue
            for dice in permutations(range(len(now.hands[0])), count):
                for where in combinations(free, count):
                    options = [[None] if not now.hands[0][d].is_wild else list(SET_DIE_FACES[:-1]) for d in dice]
                    for stated in options[0]:
                        for other in options[1] if count == 2 else [None]:
                            laid = [Placing(dice[0], *where[0], stated)]
                            if count == 2:
                                laid.append(Placing(dice[1], *where[1], other))
                            if not _could(now, laid):
                                continue
                            after = now.after(Place(0, tuple(laid)))
                            top = max(top, after.scores[0] - now.scores[0] + best(after))
        seen[key] = top
        return top

    return best(state)


def _could(now: CubedState, placings: list[Placing]) -> bool:
    there = {laid.cell for laid in now.grid}
    laid = [Laid(p.row, p.col, now.hands[0][p.die], p.stated) for p in placings]
    joined = {c for w in sets_in(face_indices((*now.grid, *laid))) if there & set(w) for c in w}
    return all(one.cell in joined for one in laid)


SMALL = Board("small", 4, 4, ((1, 0), (1, 1), (1, 2)), default_board().bonuses[:0])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("wilds", [0, 1])
def test_best_move_is_exact_on_a_small_board(seed: int, wilds: int) -> None:
    """Against every way to lay the dice, scored by the rules."""
    rng = random.Random(seed)
    grid = tuple(replace(laid, row=1, col=laid.col - 6) for laid in LINE)
    board = replace(SMALL, bonuses=(replace(default_board().bonuses[0], row=1, col=3, points=2),))
    plain = [face for face in roll_faces(9, rng) if not face.is_wild][: 2 - wilds]
    mine = (*plain, die("1ro"), *[WILD] * wilds)
    assert best_move(grid, mine, board, 2 if wilds else 3).points == naive_best(grid, mine, board, 2 if wilds else 3)


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 12))])
@pytest.mark.parametrize("laid", [1, 2])
@pytest.mark.parametrize("wilds", [0, 1])
def test_in_the_middle_of_a_turn_best_placements_are_exact(seed: int, laid: int, wilds: int) -> None:
    """D7: a WILD brings no point in the turn in which it is laid, in a later SET of that turn either."""
    rng = random.Random(seed)
    board = replace(SMALL, bonuses=(replace(default_board().bonuses[0], row=3, col=3, points=2),))
    lying = tuple(replace(one, row=1, col=one.col - 6) for one in LINE)
    begun: CubedState = GAME.start(CubedOptions(board=board), ("A", "B"))
    begun = replace(begun, phase=Phase.TURN, hands=((WILD,) * laid, (WILD,)), grid=lying, bag=0)
    face = rng.choice([face for face in SET_DIE_FACES[:-1] if face != die("2ro")])
    in_row, in_column = (Placing(0, 1, 3, die("1ro")),), (Placing(0, 0, 1, face), Placing(1, 2, 1, third(face, die("2ro"))))
    state = begun.after(Place(0, in_row if laid == 1 else in_column))
    fitting = [third(old.value, new.value) for old in lying for new in state.grid[3:] if old.value != new.value]
    mine = (*rng.sample(fitting, 2), *[WILD] * wilds)
    state = replace(state, hands=(mine, mine))
    assert best_placement(state).points == naive_rest(state, 3)


def test_best_placements_are_legal_and_bring_what_they_say() -> None:
    rng = random.Random(5)
    tried = 0
    for _, state in play_out(GAME, rng, players=("A", "B", "C")):
        if state.phase is Phase.TURN and len(state.fresh) < state.options.per_turn and rng.random() < 0.3:
            move = best_placement(state)
            after, hand_now = state, list(range(len(state.hands[state.current])))
            for step in move.steps:
                placings = tuple(replace(placing, die=hand_now.index(placing.die)) for placing in step)
                after = after.after(Place(state.current, placings))
                hand_now = [place for place in hand_now if place not in {placing.die for placing in step}]
            assert after.scores[state.current] - state.scores[state.current] == move.points
            assert bool(move.steps) == state.can_play(state.current)
            tried += 1
    assert tried > 5


def test_a_board_is_shown_no_further_than_it_reaches() -> None:
    """D6: where no square is, nobody may lay a die."""
    size = default_board().rows, default_board().cols
    for rows in ({0: ". 1ro 2ro 3ro"}, {14: "1ro 2ro 3ro"}):
        for first_col in (0, 5, 11):
            state = table(board_of(rows, first_col), "1ro")
            (board, *_) = cubed_view(state)
            assert isinstance(board, Grid)
            shown = {(int(str(row[0].text)), int(str(col))) for row in board.rows for col in board.head[1:]}
            cells = {die.cell for die in state.grid}
            near = {(row + up, col + right) for row, col in cells for up in range(-2, 3) for right in range(-2, 3)}
            assert shown == {(row, col) for row, col in near if 0 <= row < size[0] and 0 <= col < size[1]}


def test_a_wild_that_lies_is_told_from_the_face_that_it_stands_for() -> None:
    """D9: it may be replaced, so that players must see which die it is."""
    face = SetDie.parse("1-red-oval")
    (board,) = die_grid((Laid(0, 0, SetDie(), face), Laid(0, 1, face), Laid(0, 2, SetDie())), "board")
    assert isinstance(board, Grid)
    shown = [(str(entry.piece), str(entry.text)) for row in board.rows for entry in row if entry.piece is not None]
    assert shown == [("1-red-oval", "wild"), ("1-red-oval", ""), ("wild", "")]
