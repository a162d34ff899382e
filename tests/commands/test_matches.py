"""Matches that are kept, resumed, listed and deleted, as a person does it."""

import io
import json
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.builders import answers
from visionset.cli import main
from visionset.commands.match_log import told_entries
from visionset.errors import StoreError
from visionset.games.base import Amend
from visionset.games.game import History
from visionset.games.registry import GAMES
from visionset.games.solitaire.rules import Deal, Take
from visionset.messages import Message, at_table, in_words
from visionset.pieces import SET_DECK
from visionset.store import EntryKind, Match, Origin, Store, database
from visionset.store.file import MatchFile
from visionset.words import day_and_time


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("VISIONSET_DATA", str(folder))
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / "cache" / name)
    return folder


Person = Callable[..., list[str]]


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Person:
    """Somebody at the terminal: gives these answers, and the questions are listed."""

    def sits_down(*lines: str, terminal: bool = True) -> list[str]:
        asked: list[str] = []
        answer = answers(*lines)

        def ask(question: str) -> str:
            asked.append(question)
            return answer(question)

        monkeypatch.setattr("builtins.input", ask)
        monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: terminal))
        return asked

    return sits_down


def store(folder: Path) -> Store:
    return Store(folder / "matches.sqlite3", lambda: 0.0)


def match(folder: Path, number: int) -> Match:
    with store(folder) as opened:
        return opened.load(number)


def ids(folder: Path) -> list[int]:
    with store(folder) as opened:
        return [summary.id for summary in opened.summaries()]


def test_every_move_is_kept_and_the_match_is_offered(folder: Path, person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    person("1", "1 2 3")
    assert main(["play", "solitaire", "--virtual", "--players", "Ann", "--seed", "1"]) == 0  # of which the first three are no SET
    assert "stopped; `visionset play --resume 1` goes on" in capsys.readouterr().out
    before = match(folder, 1)
    assert [entry.kind for entry in before.entries] == [EntryKind.BEGIN, EntryKind.EVENT, EntryKind.EVENT]

    asked = person("", "2")
    assert main(["play", "solitaire", "--virtual"]) == 0
    assert asked[0].startswith("Match 1, solitaire, Ann ")
    assert asked[0].endswith(", goes on. Go on with it? Y/n: ")
    after = match(folder, 1)
    assert after.entries[: len(before.entries)] == before.entries
    assert len(after.entries) > len(before.entries)
    assert ids(folder) == [1]


@pytest.mark.parametrize(
    ("words", "resumes"),
    [
        (["solitaire", "--virtual"], True),
        (["solitaire", "--virtual", "--players", "Ann"], True),
        (["solitaire", "--virtual", "--preset", "source"], True),
        (["solitaire", "--virtual", "--players", "Bo"], False),
        (["solitaire", "--virtual", "--new"], False),
        (["sets-dice", "--virtual"], False),
        (["sets-dice", "--virtual", "--players", "Ann", "--bots", "1"], False),
    ],
)
def test_only_a_match_that_fits_is_offered(words: list[str], resumes: bool, folder: Path, person: Person) -> None:
    person("q")
    main(["play", "solitaire", "--virtual", "--players", "Ann"])
    main(["play", "sets-dice", "--virtual", "--bots"])
    asked = person("y", "q")
    assert main(["play", *words]) == 0
    assert asked[0].startswith("Match 1") is resumes
    assert len(ids(folder)) == (2 if resumes else 3)


def test_other_house_rules_are_another_match(folder: Path, person: Person) -> None:
    person("q")
    main(["play", "set", "--virtual", "--players", "Ann,Bo"])
    asked = person("q")
    main(["play", "set", "--virtual", "--preset", "house", "--players", "Ann,Bo"])
    assert not asked[0].startswith("Match")
    assert ids(folder) == [2, 1]


def test_where_matches_are_kept_is_said_again(tmp_path: Path, person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    there = tmp_path / "our evenings"
    for _ in range(2):
        person("q", terminal=False)
        assert main(["play", "solitaire", "--virtual", "--data", str(there)]) == 0
    told = capsys.readouterr()
    assert f"stopped; `visionset play --resume 1 --data '{there}'` goes on" in " ".join(told.out.split())
    assert f"`visionset play --resume 1 --data '{there}'` goes on with it" in told.err


@pytest.mark.parametrize("answers", [["n"], ["N"], ["no"], ["what", "no"]])
def test_who_does_not_want_it_begins_anew(answers: list[str], folder: Path, person: Person) -> None:
    person("q")
    main(["play", "solitaire", "--virtual"])
    person(*answers)
    assert main(["play", "solitaire", "--virtual"]) == 0
    assert ids(folder) == [2, 1]


@pytest.mark.parametrize("answers", [["q"], []])
def test_who_leaves_instead_of_an_answer_begins_none(answers: list[str], folder: Path, person: Person) -> None:
    person("q")
    main(["play", "solitaire", "--virtual"])
    person(*answers)
    assert main(["play", "solitaire", "--virtual"]) == 130
    assert ids(folder) == [1]


@pytest.mark.parametrize(("answer", "ids_then"), [("ja", [1]), ("j", [1]), ("nein", [2, 1])])
def test_yes_is_said_in_the_language_that_is_spoken(answer: str, ids_then: list[int], folder: Path, person: Person) -> None:
    person("q")
    main(["play", "solitaire", "--virtual"])
    person(answer, "q")
    assert main(["play", "solitaire", "--virtual", "--language", "de"]) == 0
    assert ids(folder) == ids_then


def test_matches_are_listed_and_put_away_in_the_language_that_is_spoken(
    folder: Path, person: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["matches", "--language", "de"]) == 0
    assert main(["play", "set", "--virtual", "--bots", "2", "--seed", "3", "--language", "de"]) == 0
    person("q", terminal=False)
    for _ in range(2):
        assert main(["play", "solitaire", "--virtual", "--language", "de"]) == 0
    offered = capsys.readouterr().err
    assert "Partie 2, solitaire, Spieler 1 0, begonnen " in offered
    assert "weiter geht es mit `visionset play --resume 2`" in offered
    file = str(folder / "game.jsonl")
    shown = (["list"], ["show", "1"], ["export", "1", file])
    for words in (*shown, ["finish", "2"], ["delete", "2"], ["delete", "2", "--yes"], ["tidy", "--yes"]):
        capsys.readouterr()
        asked = person("nein")
        assert main(["matches", *words, "--language", "de"]) == int(words == ["delete", "2"])
        said = capsys.readouterr().out + "".join(asked)
        assert said
        english = r"\b(?:id|game|players|points|begun|state|goes|match|finished|deleted|when|kept|nothing|entries)\b"
        assert not re.search(english, said.replace(file, "")), said


def test_nobody_is_asked_where_nobody_sits(folder: Path, person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    person("q", terminal=False)
    main(["play", "solitaire", "--virtual"])
    asked = person("q", terminal=False)
    assert main(["play", "solitaire", "--virtual"]) == 0
    assert len(asked) == 1
    assert "`visionset play --resume 1` goes on with it" in capsys.readouterr().err
    assert main(["play", "solitaire", "--virtual", "--bots"]) == 0
    assert len(asked) == 1
    assert ids(folder) == [3, 2, 1]


def test_a_resumed_match_is_played_to_its_end(folder: Path, person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    person("1", "1", "1")
    main(["play", "sets-dice", "--virtual", "--players", "Ann"])
    stopped = match(folder, 1)
    person(*["1"] * 60)
    while not match(folder, 1).summary.is_finished:
        assert main(["play", "--resume"]) == 0
        person(*["2", "1"] * 30)
    ended = match(folder, 1)
    assert ended.entries[: len(stopped.entries)] == stopped.entries
    assert ended.entries[-1].kind is EntryKind.FINISH
    assert "place 1 of 1" in capsys.readouterr().out
    assert main(["play", "--resume", "1"]) == 1
    assert "match 1, which is finished" in capsys.readouterr().err


def test_other_people_do_not_go_on_with_a_match(folder: Path, person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    person("q", "q")
    main(["play", "sets-dice", "--players", "Ann"])
    assert main(["play", "--resume", "1", "--players", "Zed"]) == 1
    assert "expected the players of match 1, Ann, got others" in capsys.readouterr().err
    assert main(["play", "--resume", "1", "--players", "Ann"]) == 0


def test_a_state_is_not_written_over_a_file_that_is_there(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("precious")
    bots = ["play", "sets-dice", "--bots", "--seed", "1", "--save", str(mine)]
    assert main(bots) == 1
    assert mine.read_text() == "precious"
    assert ids(folder) == [], "said before anything is played"
    assert main([*bots, "--force"]) == 0


def test_a_resumed_match_does_not_roll_the_same_dice_again(
    folder: Path, person: Person, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    person("q")
    main(["play", "sets-dice", "--virtual", "--players", "Ann"])
    for _ in range(16):
        asked: list[str] = []

        def roll_or_end_the_turn(question: str, asked: list[str] = asked) -> str:
            asked.append(question)
            moves = re.findall(r"^ +(\d+)  ", capsys.readouterr().out, re.MULTILINE)
            return moves[-1] if len(asked) == 1 else "q"

        monkeypatch.setattr("builtins.input", roll_or_end_the_turn)
        main(["play", "--resume", "1"])
    rolls = [entry.data for entry in match(folder, 1).entries if "roll" in entry.data and entry.kind is EntryKind.EVENT]
    assert len(rolls) == 8
    assert len(set(rolls)) > 4


def test_undo_is_a_move_of_its_own_and_goes_back_to_a_choice(folder: Path, person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    person("u", "2", "u")
    main(["play", "solitaire", "--virtual", "--seed", "1"])
    assert "there is nothing to take back\n" in capsys.readouterr().out
    log = match(folder, 1)
    assert log.entries[-1].kind is EntryKind.UNDO
    assert len(log.history.events) == 1  # the deal
    assert log.history == Match.replayed(1, log.entries[:2]).history
    assert main(["matches", "show", "1"]) == 0
    out = capsys.readouterr().out
    assert "(no SET is found)" in out  # struck out, and in brackets where nothing can be
    assert "the last move is taken back" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["play", "--resume"], "expected a match with a shuffled pack that is not finished, got none that fits"),
        (["play", "--resume", "9"], "expected the number of a match, got 9, which is not there"),
        (["play", "set", "--resume", "1"], "expected a match of set, got match 1 of solitaire"),
        (["play", "set", "--resume"], "got none that fits"),
        (["play"], "expected a game among crossword, cubed"),
        (["matches", "show", "9"], "got 9, which is not there; `visionset matches` lists them"),
        (["matches", "export", "9"], "got 9, which is not there"),
        (["matches", "finish", "9"], "got 9, which is not there"),
        (["matches", "finish", "1"], "which is closed"),
        (["matches", "delete", "9", "--yes"], "got 9, which is not there"),
        (["matches", "import", "none.jsonl"], "none.jsonl: expected a file that can be read, got no such file"),
        (["matches", "export", "1", "no/folder/x"], "expected a file to write to, got no such file"),
        (["matches", "--data", "pyproject.toml"], "expected matches that were kept, got a file"),
    ],
)
def test_what_makes_no_sense_is_one_line(words: list[str], says: str, person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    person("q")
    main(["play", "solitaire", "--virtual", "--bots"])
    capsys.readouterr()
    if "--data" in words:
        words = [*words[:-1], __file__]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert says in said
    assert len(said.splitlines()) == 1


def test_a_match_before_a_camera_is_not_played_with_a_shuffled_pack(
    folder: Path, person: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    with store(folder) as opened:
        opened.begin(History.begin(GAMES["solitaire"]), origin=Origin.CAMERA)
    assert main(["play", "--resume", "1"]) == 1
    assert "match 1, which is played before a camera" in capsys.readouterr().err
    asked = person("q")
    main(["play", "solitaire", "--virtual"])
    assert not asked[0].startswith("Match")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("play", "--resume", "set"), "name a game before --resume"),
        (("watch", "--resume", "set"), "name the video before --resume"),
        (("watch", "--resume", "0"), "`visionset matches` lists them"),
        (("matches", "show", "set"), "`visionset matches` lists them"),
    ],
)
def test_a_match_has_a_number(words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(list(words))
    assert f"expected the number of a match, got {words[-1]}; {says}" in capsys.readouterr().err


def test_the_list(folder: Path, person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matches"]) == 0
    assert "no matches yet" in capsys.readouterr().out
    person("q")
    main(["play", "set", "--virtual", "--players", "Ann,[bold]Bo"])
    main(["play", "sets-dice", "--virtual", "--bots"])
    capsys.readouterr()
    for words in (["matches"], ["matches", "list"], ["matches", "--data", str(folder)], ["matches", "list", "--data", str(folder)]):
        assert main(words) == 0
        first, second = [line.split("│") for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
        assert [cell.strip() for cell in first[1:4]] == ["2", "sets-dice", f"Bot 1 {match(folder, 2).summary.scores[0]}"]
        assert [cell.strip() for cell in second[1:4]] == ["1", "set", "Ann 0, [bold]Bo 0"]
        assert (first[-2].strip(), second[-2].strip()) == ("finished", "goes on")
        assert first[4].strip() == in_words(day_and_time(match(folder, 2).summary.begun_s))


def test_a_narrow_terminal_loses_nothing_of_a_match(
    folder: Path, person: Person, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    person("q")
    main(["play", "set", "--virtual", "--players", "Ann,Bo"])
    begun = in_words(day_and_time(match(folder, 1).summary.begun_s))
    monkeypatch.setenv("COLUMNS", "40")
    for words in (["matches"], ["matches", "show", "1"]):
        capsys.readouterr()
        assert main(words) == 0
        lines = [line.split("│") for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
        columns = ["".join(cell.strip() for cell in column) for column in zip(*(cells for cells in lines if len(cells) > 4), strict=False)]
        assert any(column.startswith(begun.replace(" ", "")) for column in columns), columns
        assert not any("…" in column for column in columns)


def told_in(out: str) -> list[str]:
    """The words of the column that says what happened."""
    return " ".join(cell for line in out.splitlines() for cell in line.split("│")[3:4]).split()


def is_within(some: list[str], words: list[str]) -> bool:
    return any(words[at : at + len(some)] == some for at in range(len(words)))


def test_an_amendment_says_what_went_and_what_came(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = History.begin(GAMES["set"], players=("Ann", "Bo")).then(Deal(SET_DECK[:12]))
    with store(folder) as opened:
        begun = opened.begin(History.begin(GAMES["set"], players=("Ann", "Bo")), origin=Origin.CAMERA)
        dealt = opened.append(begun, Deal(SET_DECK[:12]))
        swapped = SET_DECK[:11] + SET_DECK[20:21]
        opened.append(dealt, Amend.of(Message("game.agreed.table_right"), **{field_of(history.state): swapped}))
    assert main(["matches", "show", "1"]) == 0
    out = " ".join(told_in(capsys.readouterr().out))
    assert f"gone: {at_table(SET_DECK[11])}; there now: {at_table(SET_DECK[20])}" in out
    assert "{" not in out


def field_of(state: Any) -> str:
    """The field of the cards that lie there."""
    return next(name for name, value in state.to_json().items() if value == [str(card) for card in SET_DECK[:12]])


def filmed(folder: Path, *matches: int) -> Path:
    """Films of some matches, in two parts each."""
    films = folder / "films"
    for match, part in product(matches, (1, 2)):
        (films / f"match-{match}-{part}").mkdir(parents=True)
        (films / f"match-{match}-{part}" / "video-001.avi").touch()
    return films


def names(films: Path) -> set[str]:
    return {path.name for path in films.iterdir()}


@pytest.mark.parametrize("answer", ["y", "n"])
def test_tries_and_what_nobody_goes_on_with_are_put_away(
    answer: str, folder: Path, person: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    person("1", "1 2 3")
    main(["play", "solitaire", "--virtual", "--seed", "1"])  # 1: now, and without a move: not yet a try
    with store(folder) as opened:  # by its clock half a century ago
        played = opened.begin(History.begin(GAMES["solitaire"], players=("Ann",)))
        opened.append(opened.append(played, Deal(SET_DECK[:12])), Take((0, 1, 2)))
        for _ in range(2):
            opened.append(opened.begin(History.begin(GAMES["solitaire"], players=("Ann",))), Deal(SET_DECK[:12]))
    films = filmed(folder, 2, 3)
    person(answer, answer)
    capsys.readouterr()
    assert main(["matches", "tidy"]) == (answer == "n")
    out = capsys.readouterr().out
    assert [int(line.split()[1].strip(",")) for line in out.splitlines() if line.startswith("Match")] == [4, 3, 2]
    going = [number for number in ids(folder) if not match(folder, number).summary.is_finished]
    assert going == ([1] if answer == "y" else [4, 3, 2, 1])
    assert ids(folder) == ([2, 1] if answer == "y" else [4, 3, 2, 1])
    assert names(films) == {"match-2-1", "match-2-2"} | (set() if answer == "y" else {"match-3-1", "match-3-2"})


def test_yes_tidies_without_a_question_and_then_nothing_is_left(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with store(folder) as opened:
        for _ in range(5):
            opened.begin(History.begin(GAMES["solitaire"]))
    assert main(["matches"]) == 0
    assert "`visionset matches tidy`" in capsys.readouterr().out
    assert main(["matches", "tidy", "--yes"]) == 0
    assert ids(folder) == []
    assert main(["matches", "tidy"]) == 0
    assert "nothing to tidy" in capsys.readouterr().out


def test_a_match_that_cannot_be_read_keeps_no_other_from_being_tidied(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such as one of a game whose package is not installed any more."""
    with store(folder) as opened:
        for _ in range(3):
            opened.begin(History.begin(GAMES["solitaire"]))

    def load(store: Store, number: int) -> Match:
        if number == 2:
            raise StoreError("match 2: expected a game, got chess; install the package of the game")
        return whole(store, number)

    whole = Store.load
    monkeypatch.setattr(Store, "load", load)
    assert main(["matches", "tidy", "--yes"]) == 1
    assert capsys.readouterr().err == "visionset: match 2: expected a game, got chess; install the package of the game\n"
    assert ids(folder) == [2]


def test_tidying_is_offered_only_where_there_is_something_to_tidy(person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(5):
        person("q")
        main(["play", "solitaire", "--seed", str(seed), "--new"])
    capsys.readouterr()
    assert main(["matches"]) == 0
    assert "tidy" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [["matches"], ["matches", "list"], ["matches", "show", "1"], ["play", "--resume", "1"], ["report", "--match", "1"]]
)
def test_looking_for_matches_where_none_are_makes_no_folder(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "evenigns"
    assert main([*words, "--data", str(wrong)]) == 1
    assert f"{wrong}: expected matches that were kept, got no such folder" in capsys.readouterr().err
    assert not wrong.exists()


@pytest.mark.parametrize("is_there", [False, True])
def test_who_has_not_played_yet_is_told_how_to_begin(
    is_there: bool, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if is_there:
        folder.mkdir()
    assert main(["matches"]) == 0
    assert "no matches yet" in capsys.readouterr().out
    assert list(tmp_path.glob("data/*")) == []
    assert folder.exists() == is_there


@pytest.mark.parametrize("game", ["set", "cubed", "crossword", "scramble", "english-sets"])
def test_a_match_is_shown_move_by_move(game: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["play", game, "--virtual", "--bots"])
    capsys.readouterr()
    assert main(["matches", "show", "1"]) == 0
    out = capsys.readouterr().out
    log = match(folder, 1)
    assert f"│ {len(log.entries) - 1} " in out
    told = told_in(out)
    for entry, words, stands in told_entries(log):
        assert stands
        assert is_within(words.split(), told), words
        if entry.kind is EntryKind.EVENT:
            assert not set(json.loads(entry.data)) & set(words.split()) - {"cards", "dice", "card", "faces", "row", "bonus", "hand"}
    assert "Bot 1" in out
    assert "{" not in out


def test_export_and_import(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    main(["play", "sets-dice", "--virtual", "--bots"])
    capsys.readouterr()
    assert main(["matches", "export", "1"]) == 0
    printed = capsys.readouterr().out
    file = tmp_path / "game.jsonl"
    assert main(["matches", "export", "1", str(file)]) == 0
    assert file.read_text() == printed
    assert main(["matches", "export", "1", str(file)]) == 1  # never over a file that is there
    assert "got one that is there; name another" in capsys.readouterr().err
    assert main(["matches", "import", str(file)]) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO(printed))
    assert main(["matches", "import", "-"]) == 0
    assert "Match 3, sets-dice" in capsys.readouterr().out
    assert match(folder, 2).entries == match(folder, 3).entries == match(folder, 1).entries
    file.write_bytes(b"\xff\xfe")
    assert main(["matches", "import", str(file)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_what_is_no_match_makes_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.jsonl").write_text("hello\n")
    assert main(["matches", "import", str(tmp_path / "bad.jsonl"), "--data", str(tmp_path / "new")]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not (tmp_path / "new").exists()


def test_delete_asks(folder: Path, person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        main(["play", "sets-dice", "--virtual", "--bots"])
    for answer in ([""], ["n"], []):
        asked = person(*answer)
        assert main(["matches", "delete", "1"]) == 1
        assert asked[0].startswith("Match 1, sets-dice, Bot 1 ")
        assert ids(folder) == [2, 1]
    person("y")
    assert main(["matches", "delete", "1"]) == 0
    assert main(["matches", "delete", "2", "--yes"]) == 0
    assert ids(folder) == []
    assert "match 2 is deleted" in capsys.readouterr().out


def test_what_was_filmed_goes_with_its_match(folder: Path, person: Person) -> None:
    for _ in range(2):
        main(["play", "sets-dice", "--virtual", "--bots"])
    films = filmed(folder, 2, 22)
    (films / "match-2-1.zip").touch()  # what `visionset bundle` writes
    asked = person("n", "y")
    for code, left in ((1, {"match-2-1", "match-2-2"}), (0, set())):
        assert main(["matches", "delete", "2"]) == code
        assert "with its film" in asked[-1]
        assert names(films) == {"match-2-1.zip", "match-22-1", "match-22-2"} | left
    main(["matches", "delete", "1"])
    assert "film" not in asked[-1]


def test_a_match_whose_film_stays_stays_too(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    main(["play", "sets-dice", "--virtual", "--bots"])
    films = filmed(folder, 1)

    def refused(part: Path) -> None:
        raise PermissionError(13, "Permission denied", str(part))

    monkeypatch.setattr("shutil.rmtree", refused)
    assert main(["matches", "delete", "1", "--yes"]) == 1
    assert "match-1-1: expected a film that can be deleted, got permission denied" in capsys.readouterr().err
    assert ids(folder) == [1]
    assert names(films) == {"match-1-1", "match-1-2"}


def test_a_match_that_nobody_goes_on_with_is_closed(folder: Path, person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    person("q")
    main(["play", "solitaire", "--virtual"])
    assert main(["matches", "finish", "1"]) == 0
    assert "finished" in capsys.readouterr().out.splitlines()[-1]
    asked = person("q")
    main(["play", "solitaire", "--virtual"])
    assert not asked[0].startswith("Match")


def test_a_disk_that_fills_up_ends_the_game_in_one_line(
    folder: Path, person: Person, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Small(MatchFile):
        def __init__(self, *about: Any) -> None:
            super().__init__(*about)
            self.rows("PRAGMA max_page_count = 8")

    with monkeypatch.context() as patched:
        patched.setattr(database, "MatchFile", Small)
        assert main(["play", "set", "--virtual", "--bots"]) == 1
    said = capsys.readouterr().err
    assert "database or disk is full; make room" in said
    assert len(said.splitlines()) == 1
    kept = match(folder, 1)
    assert len(kept.entries) > 10
    assert main(["play", "--resume", "1"]) == 0  # with room again
    assert match(folder, 1).entries[: len(kept.entries)] == kept.entries
    assert match(folder, 1).summary.is_finished


def test_a_damaged_file_stops_the_game_before_it_begins(folder: Path, person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    folder.mkdir()
    (folder / "matches.sqlite3").write_bytes(b"a letter to a friend")
    for words in (["play", "solitaire", "--virtual"], ["matches"]):
        assert main(words) == 1
        assert "got a damaged one; it is left as it is" in capsys.readouterr().err
    assert (folder / "matches.sqlite3").read_bytes() == b"a letter to a friend"


def test_export_to_a_full_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    main(["play", "sets-dice", "--virtual", "--bots"])
    real = Path.open
    monkeypatch.setattr(Path, "open", lambda self, mode="r", **more: real(Path("/dev/full"), "w", **more))
    assert main(["matches", "export", "1", str(tmp_path / "x")]) == 1
    assert "no space left on device" in capsys.readouterr().err


def test_a_report_wants_the_number_of_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ("x", "0", "9" * 30):
        with pytest.raises(SystemExit):
            main(["report", "--match", wrong])
        assert f"expected the number of a match, got {wrong}; `visionset matches` lists them" in capsys.readouterr().err
