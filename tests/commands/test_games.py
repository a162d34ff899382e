"""The commands of the games, as a person uses them."""

import argparse
import io
import json
import random
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.builders import answers
from visionset.cli import main
from visionset.commands import advise, rules
from visionset.commands import play as play_command
from visionset.commands.parts import say_places
from visionset.errors import VisionsetError
from visionset.games.advice import advice_words
from visionset.games.base import Need
from visionset.games.cubed import rules as cubed
from visionset.games.game import History
from visionset.games.pip_sets.rules import PipSetsOptions
from visionset.games.registry import GAMES
from visionset.games.view import Grid, GridEntry, Hand
from visionset.games.virtual.bots import bot_move
from visionset.games.virtual.chance import chance, self_dealt
from visionset.games.virtual.runner import play_out
from visionset.games.virtual.undoing import SameChance
from visionset.messages import Message, at_table, speak, speaking
from visionset.pieces import SET_DECK, SET_DIE_FACES, Kind, PlayingCard
from visionset.store import Store
from visionset.table_sets import sets_on_table
from visionset.terminal_drawing import draw_part, piece_text, show
from visionset.terminal_table import TerminalTable, _placings


def run(*words: object) -> int:
    parser = argparse.ArgumentParser()
    subparsers = parser.add_subparsers(required=True)
    for module in (play_command, advise, rules):
        module.add_parsers(subparsers)
    args = parser.parse_args([str(word) for word in words])
    code: int = args.run(args)
    return code


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISIONSET_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / "cache" / name)


@pytest.mark.parametrize("game", GAMES)
def test_bots_play_any_game_to_its_end(game: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    saved = tmp_path / "state.json"
    assert run("play", game, "--virtual", "--bots", "--seed", 1, "--save", saved) == 0
    assert "Bot 1" in capsys.readouterr().out
    assert GAMES[game].parse_state(json.loads(saved.read_text())).is_over


@pytest.mark.parametrize("broken", ["chance", "_others_move"])
def test_a_game_that_breaks_its_own_rules_ends_in_one_line(
    broken: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    again = iter([cubed.EndTurn(0)] * 3)
    monkeypatch.setattr(f"visionset.terminal_table.{broken}", lambda *asked: next(again))
    assert main(["play", "solitaire", "--virtual", "--bots"]) == 1
    assert "end_turn" in capsys.readouterr().err


def test_points_that_bots_are_told_to_have_made_are_their_scores(capsys: pytest.CaptureFixture[str]) -> None:
    """Each is told once, not again after an event that brings none."""
    assert run("play", "cubed", "--virtual", "--bots", "--seed", 1) == 0
    told, _, table = capsys.readouterr().out.rpartition("┏")
    scores = re.findall(r"(Bot \d) (\d+) ", table)
    assert len(scores) == 2
    for player, score in scores:
        made = re.findall(rf"^{player}: .*?(\d+) points?", told, re.MULTILINE)
        assert sum(map(int, made)) == int(score)


@pytest.mark.parametrize("width", [40, 80])
def test_everybody_is_shown_with_points_however_many_play(width: int) -> None:
    names = tuple(f"Player {number}" for number in range(1, 21))
    out = io.StringIO()
    state = GAMES["sets-dice"].start(players=names)
    show(Console(file=out, width=width), state)
    expected = [f"{name} {score}" for name, score in zip(names, state.scores, strict=True)]
    assert re.findall(r"Player \d+ -\d+(?= )", out.getvalue()) == expected


def test_pieces_are_told_apart_without_colours_and_in_few_places() -> None:
    assert len({piece_text(card).plain for card in SET_DECK}) == 81
    assert max(piece_text(card).cell_len for card in SET_DECK) <= 14  # three and their positions in 80 columns
    for is_short, most in ((False, 4), (True, 3)):
        shown = {piece_text(face, is_short=is_short).plain for face in SET_DIE_FACES}
        assert len(shown) == len(SET_DIE_FACES)
        assert max(map(len, shown)) == most


def test_the_widest_board_is_whole_in_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    faces = SET_DIE_FACES
    rows = tuple((GridEntry(str(row)), *(GridEntry(piece=faces[(row + col) % len(faces)]) for col in range(16))) for row in range(16))
    Console(width=80, force_terminal=False).print(draw_part(Grid("board", ("", *map(str, range(16))), rows)))
    out = capsys.readouterr().out
    assert "…" not in out
    assert len(out.splitlines()) == 16 + 5
    assert all(piece_text(face, is_short=True).plain in out for face in faces)


def test_a_die_of_a_hand_stands_behind_its_number() -> None:
    for width in range(20, 100):
        out = io.StringIO()
        Console(file=out, width=width).print(draw_part(Hand("Ann", SET_DIE_FACES[:10])))
        lines = out.getvalue().splitlines()
        assert lines[0].startswith("Ann: 1 ")
        assert [int(number) for line in lines for number in re.findall(r"(\d+) \S", line)] == list(range(1, 11))


@pytest.mark.parametrize("word", ["?", "help", "HELP"])
def test_help_lists_the_keys_and_the_moves_again(word: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", answers(word))
    run("play", "set", "--virtual", "--new", "--players", "Ann", "--bots", 2, "--preset", "house")
    out = capsys.readouterr().out
    assert "takes the last move back" in out
    assert out.count("Ann: SET!") == 2


def test_a_question_inside_a_move_says_what_fits_and_lets_go(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    said = iter(["?", "1", "?", "x y", "1 2", "1 2 99", "u", "1", "", "1", "q"])
    asked = list[str]()
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or next(said))
    assert run("play", "scramble", "--virtual", "--new", "--players", "Ann,Bo", "--seed", 5) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "w lets the others move" not in out  # both are people
    assert out.count("goes back to the moves, q stops") == 1
    for answer in ("x y", "1 2", "1 2 99"):
        assert f"expected 3 different values among 1-42, got '{answer}'; type them with spaces between, or u to go back" in out
    assert [question.startswith("which three dice") for question in asked] == [False, False, *[True] * 5, False, True, False, True]
    assert "stopped" in out


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_printed_with_numbers_and_options(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rules", game) == 0
    out = " ".join(capsys.readouterr().out.split())
    for rule in GAMES[game].rules:
        assert f"{rule.number} {rule.text[:20]}" in out
        for option in rule.options:
            assert option in out


def test_rules_without_a_game_lists_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rules") == 0
    assert len(capsys.readouterr().out.splitlines()) == len(GAMES)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("play", "set", "--virtual", "--players", "A,B", "--preset", "odd"), "expected a preset among house, family, source, got odd"),
        (("play", "solitaire", "--virtual", "--players", "A", "--bots", "1"), "expected 1 player for .*, got 2"),
        (("play", "set", "--virtual", "--players", "A"), "expected 2 to 20 players for SET with cards, got 1"),
        (("play", "scramble", "--virtual", "--bots", "--board", "x.toml"), "expected a board only for a game with one"),
        (("play", "cubed", "--virtual", "--bots", "--board", "none.toml"), "expected a file that can be read"),
        (("play", "solitaire", "--virtual", "--bots", "--save", "no/such/folder/x.json"), "expected a file to write to"),
        (("advise", "set", "1-red"), "expected number-color-shading-shape"),
        (("advise", "cubed", "none.json"), "none.json: expected a file that can be read"),
        (("advise", "cubed", "README.md"), "expected a state as JSON in README.md, got something else; write one"),
        (("advise", "sets-dice", "--preset", "empty-sheet", "--sheet", "1,2"), "expected six counts"),
        (("advise", "sets-dice", "--preset", "empty-sheet", "--sheet", "a"), "expected numbers with commas"),
        (("advise", "crossword", *["wild"] * 43), "expected 42 dice or fewer, as the box holds, got 43"),
        (("advise", "sets-dice", "--turns-left", "3"), "expected --turns-left with --sheet, got it without"),
        (("advise", "sets-dice", "--closed", "1"), "expected --closed with --sheet, got it without"),
    ],
)
def test_wrong_input_is_one_clear_error(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(VisionsetError, match=message):
        run(*words)


def test_a_state_that_cannot_be_saved_is_told_before_anybody_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda question: pytest.fail("somebody plays"))
    folder = tmp_path / "kept"
    with pytest.raises(VisionsetError, match="name a file in a folder that you may write to"):
        run("play", "solitaire", "--virtual", "--players", "Ann", "--data", folder, "--save", tmp_path / "none" / "end.json")
    assert not folder.exists()  # nor is there a match that nobody has played


def test_players_whose_names_look_alike_are_refused() -> None:
    with pytest.raises(VisionsetError, match="different names"):
        run("play", "set", "--virtual", "--players", "Bo B, Bo   B")


def test_a_seed_is_no_negative_number(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run("advise", "sets-dice", "--preset", "empty-sheet", "--games", 1, "--seed", -1)
    assert "--seed: expected a whole number from 0 to" in capsys.readouterr().err


def test_a_photo_may_stand_in_the_place_of_its_pieces(capsys: pytest.CaptureFixture[str]) -> None:
    run("advise", "set", "samples/table-12.jpg", "--level", 1)
    named, hint = capsys.readouterr().out.splitlines()
    assert named.startswith("samples/table-12.jpg: 3-purple-open-squiggle 3-purple-solid-diamond ")
    assert hint == "there are 2 SETs"
    run("advise", "scramble", "samples/set_dice/board.jpg")
    assert " SETs can be taken at most" in capsys.readouterr().out
    with pytest.raises(VisionsetError, match=r"expected SET dice in samples/table-12\.jpg, got none"):
        run("advise", "crossword", "samples/table-12.jpg")


def test_names_of_pieces_are_taken_as_they_are_written_elsewhere() -> None:
    """A WILD stands so on its die; cards of the pack have no small letters, which a game of others may be told of."""
    assert advise._read("WILD", Kind.SET_DIE) == ["wild"]
    assert advise._read("AS", Kind.PLAYING_CARD) == [str(PlayingCard.parse("AS"))]


def test_advice_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run("advise", "set", "1-red-solid-oval", "?", "2-red-solid-oval", "3-red-solid-oval", "--level", 4)
    run("advise", "odds", "--rounds", 2)
    run("advise", "scramble", "1-red-oval", "2-RED-oval", "WILD", "3-green-oval")
    run("advise", "crossword", "1-red-oval", "2-red-oval", "wild")
    run("advise", "sets-dice", "--preset", "empty-sheet", "--sheet", "1,2,0,2,0,0", "--turns-left", 8)
    run("advise", "sets-dice", "--preset", "empty-sheet", "--games", 100)
    saved = tmp_path / "state.json"
    run("play", "english-sets", "--virtual", "--bots", "--save", saved)
    run("advise", "english-sets", saved)
    run("advise", "sets-dice", "--preset", "empty-sheet", "--language", "de")
    out = capsys.readouterr().out
    for line in (
        "these three cards are a SET: 1-red-solid-oval, 2-red-solid-oval, 3-red-solid-oval",
        "12 cards, fresh deal, exact: no SET in 3.23020%, odds 30:1, quoted 33:1",
        "15 cards, fresh deal, exact: no SET in 0.03647%, odds 2741:1, quoted 2500:1",
        "1 SET can be taken at most",
        "3 of 3 dice",
        "row 1 column 3: die 3 wild as 3-red-oval",
        "circle row 1 and write a",
        "best play: 108.92 points to be expected, exactly",
        "best score quoted by the author: 133",
        "is ahead",
        "bestes Spiel: 108,92 Punkte sind zu erwarten, genau gerechnet",
        "höchster Punktestand, den der Autor nennt: 133",
    ):
        assert line in out, line


@pytest.mark.parametrize(("more", "plays"), [((), True), (("--house", "dealer_plays=no"), False)])
def test_nobody_sits_out_where_nobody_deals_by_hand(more: tuple[str, ...], plays: bool, tmp_path: Path) -> None:
    saved = tmp_path / "state.json"
    run("play", "set", "--virtual", "--bots", "3", *more, "--save", saved)
    assert json.loads(saved.read_text())["options"]["dealer_plays"] is plays


@pytest.fixture
def turn_of_cubed(tmp_path: Path) -> Path:
    """A saved state of SET Cubed in which something can be laid."""
    rng = random.Random(4)
    state = GAMES["cubed"].start(players=("A", "B"))
    while not (state.phase.value == "turn" and state.can_play(state.current)):
        event = chance(state, rng) or bot_move(state, 0, rng) or bot_move(state, 1, rng)
        assert event is not None
        state = state.after(event)
    path = tmp_path / "state.json"
    path.write_text(json.dumps(state.to_json()))
    return path


def test_advice_for_a_turn_of_cubed(capsys: pytest.CaptureFixture[str], turn_of_cubed: Path) -> None:
    run("advise", "cubed", turn_of_cubed)
    assert " points\nlay " in capsys.readouterr().out


def test_advice_is_given_in_the_language_that_is_spoken(capsys: pytest.CaptureFixture[str], turn_of_cubed: Path, tmp_path: Path) -> None:
    saved = tmp_path / "end.json"
    run("play", "english-sets", "--virtual", "--bots", "--seed", 5, "--save", saved)
    capsys.readouterr()
    with speaking("de"):
        run("advise", "scramble", "1-red-oval", "2-red-oval", "wild")
        run("advise", "crossword", "1-red-oval", "2-red-oval", "wild")
        run("advise", "sets-dice", "--preset", "empty-sheet", "--sheet", "1,2,0,2,0,0", "--turns-left", 8)
        run("advise", "cubed", turn_of_cubed)
        run("advise", "english-sets", saved)
    out = capsys.readouterr().out
    assert not re.search(r"\b(?:SETs? at|most|of|dice|row|column|die|as|circle|end|points|lay|and|dead|complete)\b", out), out


def played(
    game: str, names: tuple[str, ...], *lines: str, bots: tuple[str, ...] = (), seed: int = 1, clock: Callable[[], float] = float
) -> tuple[str, Any]:
    """What is shown and how it ends; the clock stands still unless another one is given."""
    out = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "matches.sqlite3", lambda: 0.0) as store:
        match = store.begin(History.begin(GAMES[game], players=(*names, *bots)), bots)
        match = TerminalTable(store, Console(file=out, width=120), answers(*lines), play_command._advice, now_s=clock).play(match, seed)
        assert store.load(match.id) == match
    return out.getvalue(), match.history.state


ONE, TWO = ("Ann",), ("Ann", "Bo")


def test_who_calls_and_types_no_cards_in_time_has_given_up() -> None:
    seconds = iter((0.0, 0.0, 1.0, *[7.0] * 9))  # the deal, Ann's call at 1 s, her cards at 7 s
    out, state = played("set", TWO, "1", "1", "1 2 3", "q", clock=lambda: next(seconds))
    assert "within 5 s" in out
    assert state.scores == (-1, 0)
    assert not state.claims


def test_who_calls_a_second_after_another_is_too_late_for_a_tie() -> None:
    out, state = played("set", TWO, "1", "3", "q")
    assert "Bo: SET too!" not in out  # nobody types as fast
    assert [claim.player for claim in state.claims] == [0]


@pytest.mark.parametrize(("game", "step"), [("sets-dice", "1"), ("solitaire", "2"), ("crossword", "2")])
def test_what_is_taken_back_brings_the_same_dice_and_cards_again(game: str, step: str) -> None:
    """Nobody takes back until the dice please."""
    people = TWO if game == "crossword" else ONE
    _, once = played(game, people, step, "q")
    _, again = played(game, people, step, "u", step, "u", step, "q")
    assert again == once


def test_the_time_of_a_simple_player_does_not_run_while_a_person_types() -> None:
    seconds = iter((0.0, *[float(20 * at) for at in range(40)]))
    _, state = played("set", ONE, "w", "2", "q", bots=("Bot 1",), clock=lambda: next(seconds), seed=3)
    assert state.scores == (0, 1)


def at_extra_roll() -> History:
    game = GAMES["cubed"]
    history = History.begin(game, self_dealt(game, game.options(extra_roll_s=4.0)), TWO)
    rng = random.Random(1)
    while history.state.phase is not cubed.Phase.EXTRA:
        event = chance(history.state, rng)
        if event is None and history.state.phase is cubed.Phase.TURN:
            event = cubed.EndTurn(history.state.current)
        history = history.then(event or next(move for player in (0, 1) if (move := bot_move(history.state, player, rng)) is not None))
    return history


def test_which_dice_are_rolled_again_is_asked_until_it_is_known() -> None:
    history, out = at_extra_roll(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "matches.sqlite3", lambda: 0.0) as store:
        lines = answers("1", "R2", "0 9", "1 2", "q")
        table = TerminalTable(store, Console(file=out, width=120), lines, play_command._advice, now_s=float)
        match = store.begin(History.begin(history.game, history.options, TWO))
        for event in history.events:
            match = store.append(match, event)
        match = table.play(match, 1)
    for answer in ("R2", "0 9"):
        assert f"expected different values among 1-5, got '{answer}'; type them with spaces between, or u to go back" in out.getvalue()
    assert match.history.events[-1].dice == (0, 1)  # type: ignore[attr-defined]


def test_who_is_too_late_is_told_and_takes_nothing_from_others(tmp_path: Path) -> None:
    """D10: Bo decides after the time of the extra roll; it is Ann's that is over."""
    history, out = at_extra_roll(), io.StringIO()
    late_s = history.state.clock_s + 60
    with Store(tmp_path / "matches.sqlite3", lambda: 0.0) as store:
        table = TerminalTable(store, Console(file=out), answers(), play_command._advice)
        told = table._in_time(history.state, cubed.ExtraRoll(1, (), ()), late_s, 2)
        (told_late,) = table._in_time(history.state, cubed.ExtraRoll(0, (0,), (SET_DIE_FACES[0],)), late_s, 2)
    assert [(event.player, event.at_s) for event in told] == [(0, history.state.extra_from_s + 4.0), (1, late_s)]
    assert told_late == cubed.ExtraRoll(0, (), (), at_s=history.state.extra_from_s + 4.0)
    assert "Ann: too late" in out.getvalue()


def test_cards_are_typed_so_that_there_is_more_time_for_them(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for said, wanted in (((), 15.0), (("--house", "take_limit_s=8"), 8.0), (("--preset", "family"), 15.0)):
        monkeypatch.setattr("builtins.input", answers("1", "q"))
        run("play", "set", "--virtual", "--players", "Ann,Bo", "--seed", 1, "--new", *said)
        assert f"within {wanted:g} s" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        run("play", "--help")
    assert "take_limit_s=15" in capsys.readouterr().out


def test_a_hint_says_more_each_time_and_begins_anew_at_another_table() -> None:
    out, _ = played("solitaire", ONE, "h", "h", "h", "h", "2", "h", "q")
    hints = re.findall("there are \\d SETs|this card|these two cards|these three cards", out)
    assert hints == ["there are 2 SETs", "this card", "these two cards", "these three cards", "there are 4 SETs"]


def test_a_hint_calls_pieces_as_the_table_does() -> None:
    out, _ = played("solitaire", ONE, "h", "h", "q")
    assert re.search("this card is part of a SET: (one|two|three) ", out)


@pytest.mark.slow
def test_a_hint_names_its_player_where_others_would_be_told_something_else() -> None:
    """P1: all circle at the same time, each on a sheet of their own."""
    out, _ = played("sets-dice", TWO, "1", "h", "1", "1", "h", "q", seed=2)
    assert "\ncircle row 1 and write a 1, end the turn" in out
    assert "\nAnn: end the turn" in out


@pytest.mark.slow
def test_a_hint_is_for_the_player_whose_turn_it_is() -> None:
    out, _ = played("sets-dice", TWO, "1", "2", "h", "q", seed=2)
    assert "Bo: circle row 1 and write a 1, end the turn" in out


@pytest.mark.parametrize("game", GAMES)
def test_a_state_of_any_game_that_was_saved_is_advised_about(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = "Ann" if GAMES[game].min_players == 1 else "Ann,Bo"
    history = History.begin(GAMES[game], self_dealt(GAMES[game], GAMES[game].options()), tuple(people.split(",")))
    rng = random.Random(1)
    while (event := chance(history.state, rng)) is not None:
        history = history.then(event)
    path = tmp_path / "state.json"
    path.write_text(json.dumps(history.state.to_json()))
    assert run("advise", game, path) == 0
    assert capsys.readouterr().out.strip()
    assert run("advise", game, path, "--language", "de") == 0
    speak(None)


def test_the_last_move_of_a_game_is_taken_back_too() -> None:
    """One mistaken key may end English Sets."""
    _, ended = played("english-sets", TWO, "2")
    assert ended.is_over
    _, back = played("english-sets", TWO, "2", "u", "q")
    assert not back.is_over


def test_pieces_have_the_names_that_the_page_gives_them() -> None:
    """A German terminal tells of no "2-green-diamond"."""
    game, out = GAMES["crossword"], io.StringIO()
    options = self_dealt(game, game.start(None, TWO).options)
    drawn = [state for _, state in play_out(game, random.Random(3), options, TWO) if state.notice and "drew" in state.notice.code]
    with speaking("de"):
        for state in drawn:
            show(Console(file=out, width=120), state)
        assert drawn
        assert all(at_table(state.notice) in out.getvalue() for state in drawn)
    assert not re.search("[1-3]-(red|green|purple)-", out.getvalue())


def test_ctrl_c_saves_what_was_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(question: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", stopped)
    saved = tmp_path / "end.json"
    with pytest.raises(KeyboardInterrupt):
        run("play", "solitaire", "--virtual", "--new", "--save", saved)
    assert len(GAMES["solitaire"].parse_state(json.loads(saved.read_text())).table) == 12


def test_what_the_pack_brings_hides_nothing_that_was_said() -> None:
    out, state = played("solitaire", ONE, "2", "q")
    assert "3 more cards; 1 owed" in out
    assert state.scores == (-1,)
    out, _ = played("english-sets", TWO, "q")
    assert out.count("equal cards lie with") > 10, "each draw is told, one after the other"


def test_a_person_plays_two_dice_and_takes_back() -> None:
    out, state = played("sets-dice", ONE, "1", "1", "9", "u", "1", "6", "u", "1", "x", "u", "2", "2", seed=4)
    assert "turn 10" in out
    for answer in ("9", "x"):
        assert f"expected 1 value among 1-6, got '{answer}'; type it, or u to go back to the moves" in out
    assert "stopped" in out
    assert state.sheets[0].circled == (0, 2, 0, 0, 0, 0)


def test_a_person_adds_to_the_grid_of_somebody_whose_seat_is_told() -> None:
    state = GAMES["crossword"].start(players=("Ann", "Bo", "Cy"))
    need = Need("owner", Message("crossword.need.owner"), (0, 2))
    asked, said = list[str](), answers("3")

    def ask(question: str) -> str:
        asked.append(question)
        return said(question)

    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "matches.sqlite3", lambda: 0.0) as store:
        table = TerminalTable(store, Console(file=io.StringIO()), ask, play_command._advice)
        assert table._given(need, state.players) == [2]
    assert asked == ["whose grid (1 Ann, 3 Cy): "]


def test_who_stops_at_a_question_is_told_how_to_go_on() -> None:
    def stop(question: str) -> str:
        raise KeyboardInterrupt

    out = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "matches.sqlite3", lambda: 0.0) as store:
        match = store.begin(History.begin(GAMES["solitaire"], players=ONE))
        with pytest.raises(KeyboardInterrupt):
            TerminalTable(store, Console(file=out, width=120), stop, play_command._advice, " --data evenings").play(match, 1)
        assert out.getvalue().endswith(f"\nstopped; `visionset play --resume {match.id} --data evenings` goes on\n")


def test_a_person_takes_cards_and_is_told_why_not() -> None:
    out, state = played("solitaire", ONE, "1", "1 2 3", "1", "1,2,99", "u", "2", "q")
    assert "no SET" in out or "SET; " in out
    assert "expected 3 different values among 1-12, got '1 2 99'" in out
    assert "stopped" in out
    assert state.penalty == 1


def test_a_key_that_is_no_move_is_explained() -> None:
    out, state = played("sets-dice", ONE, "x", "4", "q")
    assert [line for line in out.splitlines() if line.startswith("expected a number from the list")] == [
        f"expected a number from the list or one of the letters, got '{key}'; type it and press Enter" for key in ("x", "4")
    ]
    assert "turn 10; points: circled values less all others\n" in out
    assert state.roll is None


@pytest.mark.parametrize("typed", ["--5", "9" * 5000], ids=["two minuses", "a key that was leaned on"])
def test_what_is_no_number_is_asked_for_again_wherever_it_is_typed(typed: str) -> None:
    out, _ = played("solitaire", ONE, typed, "1", f"1 2 {typed}", "u", "q")
    assert "expected a number from the list" in out
    assert "expected 3 different values among 1-12" in out


def test_a_move_that_a_simple_player_has_answered_is_taken_back() -> None:
    """Ann rolls and ends her turn by mistake; what the simple player did since goes with it, who would do the same again."""
    _, answered = played("sets-dice", ONE, "1", "2", "q", bots=("Bot 1",))
    assert any(answered.sheets[1].circled)
    _, state = played("sets-dice", ONE, "1", "2", "u", "q", bots=("Bot 1",))
    assert state.roll is not None
    assert not any(state.sheets[1].circled)
    _, state = played("sets-dice", ONE, "1", "2", "u", "u", "q", bots=("Bot 1",))
    assert (state.roll, state.tracker) == (None, 10)


@pytest.mark.slow
def test_an_end_to_which_no_choice_led_is_taken_back_in_words() -> None:
    """English Sets may end as it is dealt."""
    out, state = played("english-sets", TWO, "u", "", seed=next(seed for seed in range(400) if dealt_out(seed)))
    assert state.is_over
    assert "\nthere is nothing to take back\n" in out


def dealt_out(seed: int) -> bool:
    """Whether English Sets is over before anybody has a choice."""
    history = History.begin(GAMES["english-sets"], players=TWO)
    while (event := chance(history.state, SameChance(seed).at(history))) is not None:
        history = history.then(event)
    return bool(history.state.is_over)


@pytest.mark.parametrize("named", [("--seed", "5"), ()])
def test_a_match_that_goes_on_brings_what_it_had_brought(
    named: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a seed that somebody named at first, and without."""
    rolled = []
    for words, lines in ((("sets-dice", "--players", "Ann", *named), ("", "1", "q")), (("--resume", "1"), ("u", "1", "q"))):
        monkeypatch.setattr("builtins.input", answers(*lines))
        assert main(["play", *words, "--virtual", "--data", str(tmp_path)]) == 0
        rolled.append(re.findall(r"roll (\d, \d)", capsys.readouterr().out))
    assert len({*rolled[0], *rolled[1]}) == 1


def test_the_time_of_who_takes_cards_anew_begins_anew() -> None:
    """S4: Ann mistypes a card, takes that back after her time, and calls again."""
    seconds = iter((0.0, 0.0, 1.0, 2.0, *[9.0] * 9))
    three = "1 2 3"
    out, state = played("set", TWO, "1", "1", three, "u", "q", clock=lambda: next(seconds))
    assert "-1" in out
    assert (state.scores, state.claims) == ((0, 0), ())


def test_people_and_bots_share_a_table() -> None:
    out, state = played("set", ONE, "w", "w", "w", "w", "w", "w", bots=("Bot 1", "Bot 2"))
    assert "1  Ann: SET!" in out
    assert state.clock_s > 0


def test_positions_are_counted_from_1_as_lists_are() -> None:
    """What stands before a card is what takes it, and no card is named twice."""
    out, dealt = played("solitaire", ONE, "q")
    assert list(map(int, re.findall(r"[│ ] ?(\d+) [○◇▱●◆▰◍◈▨]", out))) == list(range(1, 13))
    three = sets_on_table(dealt.table)[0]
    out, state = played("solitaire", ONE, "1", "1 1 2", " ".join(str(at + 1) for at in three), "q")
    assert "expected 3 different values among 1-12, got '1 1 2'" in out
    assert state.kept == tuple(dealt.table[at] for at in three)


def test_a_person_lays_a_grid_and_draws() -> None:
    out, state = played("crossword", ONE, "1", "1@0,0 2@0,1 3@0,2", "2", "1", "1@0", "1", "1@0,0 1@0,1", "1", "0@0,0", "1", "13@0,3")
    for none in ("1@0", "1@0,1", "0@0,0", "13@0,3"):  # no column, twice the same die, and dice that are not in the hand
        assert f"expected a die and its cell as 1@7,9, got '{none}'" in out
    assert len(state.hands[0]) == 11


def test_a_face_that_is_none_is_answered_as_everywhere() -> None:
    out, _ = played("crossword", ONE, "1", "1@0,0=xyz")
    assert "expected number-color-shape or wild, got 'xyz'; write it as 2-red-oval" in out
    assert _placings(["1@7,9=2-Red-OVAL"], 1)[0]["stated"] == "2-red-oval"


def test_a_person_plays_cubed_with_a_bot() -> None:
    for seed in range(40):
        out, state = played("cubed", ONE, "w", "w", "1", "1 2", "2", "w", "1", "1@7,9=1-red-oval", "1", "1", bots=("Bot 1",), seed=seed)
        if state.grid:
            assert "board," in out
            return
    raise AssertionError("expected an opening in one of 40 games")


@pytest.mark.parametrize("game", GAMES)
def test_help_at_the_table_in_any_state(game: str) -> None:
    rng = random.Random(2)
    state = GAMES[game].start(PipSetsOptions(turns=3) if game == "sets-dice" else None)
    said = set()
    for step in range(30):
        if step % 6 == 5 and not (game == "sets-dice" and state.roll is None):
            said.add(str(advice_words(state)))
        event = chance(state, rng) or next(move for player in range(len(state.players)) if (move := bot_move(state, player, rng)))
        state = state.after(event)
        if state.is_over:
            break
    assert said
    assert all(said)


def test_the_advice_for_a_hand_of_crossword_can_be_typed_as_it_is() -> None:
    game, rng = GAMES["crossword"], random.Random(4)
    state = game.start()
    state = state.after(chance(state, rng))
    count, _, cells = str(advice_words(state)).partition(" dice: ")
    grid = _placings(cells.split(), len(state.hands[0]))
    state = state.after(game.parse_event({"event": "lay", "player": 0, "grid": grid}))
    assert count == f"{len(grid)} of 10"
    assert len(state.grids[0]) == len(grid)


def test_help_is_printed() -> None:
    out, _ = played("solitaire", ONE, "h", "q")
    assert "SET" in out.split("3 more cards")[1]


def test_high_scores_are_kept(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """P6: the rank among all players so far."""
    for count in (1, 2, 3):
        monkeypatch.setattr("builtins.input", lambda question: question.split(",")[0].split("-")[1] if "-" in question else "1")
        assert run("play", "sets-dice", "--virtual", "--players", "Ann", "--seed", "0") == 0
        assert f"place 1 of {count} in all games so far" in capsys.readouterr().out
    assert run("play", "sets-dice", "--virtual", "--bots", "1") == 0
    assert "in all games" not in capsys.readouterr().out


def test_a_photo_that_is_not_there_is_called_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", "set", "nowhere.jpg"]) == 1
    assert capsys.readouterr().err == "visionset: nowhere.jpg: expected a photo or the name of a piece, got no such file; check the name\n"


@pytest.mark.parametrize(("score", "said"), [(1, "1 point"), (-1, "-1 points"), (0, "0 points"), (7, "7 points")])
def test_places_are_told_in_sentences(capsys: pytest.CaptureFixture[str], score: int, said: str) -> None:
    say_places([("Ann", score, 2, 5)])
    assert capsys.readouterr().out == f"Ann: {said}, place 2 of 5 in all games so far\n"
