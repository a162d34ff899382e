"""A game of others: one folder outside visionset and its entry point are all that it takes to be played, refereed, kept and reported."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.builders import clip, deal
from tests.rendering import card_photo
from tests.web.hands import Hands, chromium, without_chromium
from tests.web.room import PATIENCE_S, Page, room
from tests.web.test_play import begin, check_end, play_out
from visionset.cli import main
from visionset.errors import GameError, RecordError
from visionset.games import registry, rulebook
from visionset.games.game import History
from visionset.games.registry import GAMES, SPECS
from visionset.games.virtual.undoing import brought_anew
from visionset.geometry import Frame
from visionset.messages import loaded_catalogue
from visionset.pieces import SET_DECK, SetCard
from visionset.referee.recognize_game import offer
from visionset.render.camera import Viewpoint
from visionset.render.layouts import Spot
from visionset.sources import Source
from visionset.web.cameras import Cameras
from visionset.web.offers import games_json

CARDS = tuple(
    SetCard.parse(name)
    for name in (
        "1-red-solid-oval",
        "2-green-solid-oval",
        "1-green-striped-squiggle",
        "3-purple-striped-diamond",
        "2-red-open-squiggle",
        "3-purple-open-diamond",
    )
)
"""Their third cards are three different ones that make a SET, in whatever pairs they lie: the six add up to nothing in each attribute."""

OTHERS = tuple(card for card in SET_DECK if card not in CARDS)[:6]
"""Six of no ghost: their third cards are not three different ones that make a SET."""

FRAMES, FPS = 30, 6.0
VIEW = Viewpoint((640, 480), 1.6, 8.0, 0.0, 900.0, (320.0, 240.0))


def photo(cards: Sequence[SetCard]) -> np.ndarray:
    """Cards in three rows of two."""
    spots = [Spot(100.0 * (place % 2) - 50, 75.0 * (place // 2) - 75, 0.0) for place in range(len(cards))]
    return np.array(card_photo(zip(cards, spots, strict=True), VIEW))


class Changing(Source):
    """A table before a camera, at which other cards lie when a test says so."""

    name, fps, size_px = "table", FPS, VIEW.size_px

    def __init__(self, *cards: SetCard) -> None:
        self._index = 0
        self.lay(*cards)

    def lay(self, *cards: SetCard) -> None:
        self._picture = photo(cards)

    def poll(self, timeout_s: float) -> Frame | None:
        self._index += 1
        return Frame(self._picture.copy(), self._index, self._index / FPS)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages with the game in it."""
    folder = tmp_path / "site"
    shutil.copytree(Path(__file__).parents[1] / "data" / "ghost_set", folder / "ghost_set", ignore=shutil.ignore_patterns("__pycache__"))
    info = folder / "ghost_set-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ghost-set\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[visionset.games]\nghost-set = ghost_set:SPEC\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("VISIONSET_DATA", str(tmp_path / "data"))
    registry.found.cache_clear()
    rulebook._read.cache_clear()
    yield folder
    registry.found.cache_clear()
    rulebook._read.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "ghost_set"]:
        del sys.modules[name]


def printed(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    assert main([str(word) for word in words]) == 0
    return capsys.readouterr().out


def test_it_is_found_and_complete(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert SPECS["ghost-set"].lacks == ()
    assert "ghost-set     Ghost SET, 1 to 4 players" in printed(capsys, "rules")
    told = printed(capsys, "rules", "ghost-set")
    assert "S2  Three cards are a SET" in told
    assert "G4  Where all see no ghost" in told
    assert "--house tables=...  tables of six cards that are played" in told
    for command in ("play", "watch", "rules", "advise"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert "ghost-set" in capsys.readouterr().out


def test_another_process_finds_it(site: Path) -> None:
    paths = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "visionset", "play", "--help"]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=True)
    assert "ghost-set" in done.stdout


def test_it_is_played_advised_about_and_kept(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, log = tmp_path / "end.json", tmp_path / "game.jsonl"
    assert "Bot 1" in printed(capsys, "play", "ghost-set", "--virtual", "--bots", "--house", "tables=2", "--seed", "1", "--save", saved)
    assert GAMES["ghost-set"].parse_state(json.loads(saved.read_text())).is_over
    assert "the game is over" in printed(capsys, "advise", "ghost-set", saved)
    begun = GAMES["ghost-set"].start().after(GAMES["ghost-set"].parse_event({"event": "deal", "cards": list(map(str, CARDS))}))
    saved.write_text(json.dumps(begun.to_json()))
    assert "a ghost SET" in printed(capsys, "advise", "ghost-set", saved)
    assert "ghost-set" in printed(capsys, "matches")
    assert "six cards are laid" in printed(capsys, "matches", "show", "1")
    printed(capsys, "matches", "export", "1", log)
    assert "Match 2, ghost-set" in printed(capsys, "matches", "import", log)


def test_a_state_that_says_no_type_of_its_options_is_read_with_them(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules, saved = site / "ghost_set" / "rules.py", tmp_path / "end.json"
    rules.write_text(rules.read_text().replace("    options: GhostOptions\n", ""))
    printed(capsys, "play", "ghost-set", "--virtual", "--bots", "--house", "tables=2", "--seed", "1", "--save", saved)
    assert GAMES["ghost-set"].parse_state(json.loads(saved.read_text())).options.tables == 2
    assert "the game is over" in printed(capsys, "advise", "ghost-set", saved)
    saved.write_text(saved.read_text().replace('{"tables": 2}', '{"chairs": 2}'))
    with pytest.raises(RecordError, match="expected only tables at GhostOptions, got chairs"):
        GAMES["ghost-set"].parse_state(json.loads(saved.read_text()))


def test_it_is_played_at_the_page(site: Path, tmp_path: Path) -> None:
    with room(tmp_path / "data") as here, here.page() as page:
        told = next(one for one in here.get("/games").json() if one["name"] == "ghost-set")
        assert (told["min_players"], told["house"][0]["name"], told["rules"][0]["number"]) == (1, "tables", "S1")
        begin(page, "ghost-set", 2, bots=1, tables=4)
        play_out(here, page, random.Random(1))
        check_end(tmp_path / "data", page)


def seen(page: Page, is_right: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """What a page is told, once it is so."""
    until_s = time.monotonic() + PATIENCE_S
    while not is_right(page.state):
        assert page.read()["type"] not in ("refused", "error"), page.others
        assert time.monotonic() < until_s, {key: page.state[key] for key in ("prompts", "notice", "differ", "players")}
    return page.state


@pytest.mark.slow
def test_it_is_refereed_at_the_page(site: Path, tmp_path: Path) -> None:
    filmed = Changing()
    cameras = Cameras("table", lambda source, game: filmed)
    with (
        room(tmp_path / "data", time.monotonic, cameras=cameras) as here,
        here.page() as host,
        here.page(code=here.host.seats.code, name="Ann") as phone,
    ):
        players = [{"name": "Ann"}, {"name": "Bo"}]
        host.send("begin", game="ghost-set", players=players, house={"tables": 2}, camera="given")
        told = seen(host, lambda state: state["game"] and state["camera"])
        assert (told["game"]["title"], told["is_camera"], told["page"]) == ("Ghost SET", True, "table")
        assert told["prompts"][0]["text"] == "lay six cards in three pairs"
        filmed.lay(*CARDS)
        told = seen(phone, lambda state: state["view"] and any(state["view"][0]["pieces"]))
        assert [one["code"] for one in told["view"][0]["pieces"]] == [str(card) for card in CARDS]
        assert told["prompts"][0]["text"] == "say ghost, or that you see none"
        assert {one["label"] for one in told["choices"] if one["is_said"]} >= {"Ann: ghost!", "Bo: none"}
        phone.send("say", what="set", t_ms=0.0)
        told = seen(host, lambda state: state["players"][0]["score"])
        assert [one["score"] for one in told["players"]] == [1, 0]
        assert [len(line["pictures"]) for line in told["log"] if line["pieces"]] == [6]
        filmed.lay()
        seen(host, lambda state: not state["camera"]["pieces"])
        filmed.lay(*OTHERS)
        seen(host, lambda state: state["view"] and any(state["view"][0]["pieces"]))
        host.send("say", what="set", player=1)
        told = seen(host, lambda state: state["page"] == "over")
        assert [one["score"] for one in told["players"]] == [1, -1]
        assert told["prompts"][0]["text"] == "Ann won"
        check_end(tmp_path / "data", host)


@pytest.mark.slow
@without_chromium
def test_it_is_refereed_in_a_browser(site: Path, tmp_path: Path) -> None:
    filmed = Changing()
    cameras = Cameras("table", lambda source, game: filmed)
    with room(tmp_path / "data", time.monotonic, cameras=cameras) as here, chromium() as browser:
        hands = Hands(browser, here)
        hands.page.get_by_role("button", name="Ghost SET").click()
        hands.page.get_by_label("tables of six cards that are played").fill("1")
        hands.page.get_by_label("On the table before table").check()
        hands.page.get_by_role("button", name="Begin", exact=True).click()
        expect(hands.page.locator(".prompt")).to_contain_text("lay six cards in three pairs")
        filmed.lay(*CARDS)
        expect(hands.page.locator(".prompt")).to_contain_text("say ghost")
        expect(hands.page.locator(".picture .seen")).to_have_count(6)
        expect(hands.page.locator(".spread .piece")).to_have_count(6)
        hands.page.get_by_role("button", name="ghost!").click()
        expect(hands.page.locator(".over-page .final .score")).to_have_text("1")
        assert hands.trouble == []


def test_it_is_refereed_recorded_and_reported(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    video = clip(tmp_path / "ghost.mp4", [photo(CARDS)] * FRAMES, FPS)
    said = tmp_path / "said.jsonl"
    said.write_text(json.dumps({"time_s": 4.0, "say": "call", "player": 0}))
    game = ("--players", "Ann", "--house", "tables=1", "--say", said, "--record", tmp_path / "evening")
    lines = [json.loads(line) for line in printed(capsys, "watch", video, "--json", "--game", "ghost-set", *game).splitlines()]
    assert [line["event"]["event"] for line in lines if "event" in line] == ["deal", "ghost"]
    assert (lines[-1]["is_over"], lines[-1]["scores"]) == (True, [1])
    assert "ghost-set" in printed(capsys, "matches")
    assert main(["watch", str(video), "--json", "--players", "Ann", "--house", "tables=1"]) == 0
    assert "this looks like ghost-set" in capsys.readouterr().err
    printed(capsys, "report", tmp_path / "evening", "--out", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Ghost SET" in page
    assert "Ann" in page


def test_what_it_lacks_is_said_in_one_line(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "ghost_set" / "bot.py").unlink()
    (site / "ghost_set" / "view.py").write_text("")
    (site / "ghost_set" / "advice.py").write_text("import nowhere\n")
    assert [line.split(", got")[0] for line in SPECS["ghost-set"].lacks] == [
        "game ghost-set: expected move in ghost_set.bot",
        "game ghost-set: expected ghost_set.advice to load",
        "game ghost-set: expected view in ghost_set.view",
    ]
    assert main(["play", "ghost-set", "--virtual", "--bots"]) == 1
    assert "game ghost-set: expected move in ghost_set.bot, got none; write there" in capsys.readouterr().err
    (site / "ghost_set" / "__init__.py").write_text("from nowhere import SPEC\n")
    for name in [name for name in sys.modules if name.partition(".")[0] == "ghost_set"]:
        del sys.modules[name]
    assert main(["rules", "ghost-set"]) == 1
    broken = "game ghost-set: expected a package that loads, got No module named 'nowhere'"
    assert broken in capsys.readouterr().err
    assert main(["rules"]) == 1  # and costs no other game
    told = capsys.readouterr()
    assert broken in told.err
    assert [line.split()[0] for line in told.out.splitlines()] == [name for name in GAMES if name != "ghost-set"]
    assert [game["name"] for game in games_json()] == [name for name in GAMES if name != "ghost-set"]
    (site / "ghost_set" / "__init__.py").write_text("SPEC = GameSpec(\n")
    assert [error.args[0].split(",")[0] for error in registry.sound()[1]] == ["game ghost-set: expected a package that loads"]


@pytest.mark.parametrize("part", ["chance", "bot", "view"])
def test_no_match_is_kept_of_a_game_that_cannot_be_played_yet(
    part: str, site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "ghost_set" / f"{part}.py").unlink()
    assert main(["play", "ghost-set", "--virtual", "--bots", "--data", str(tmp_path / "data")]) == 1
    assert f" in ghost_set.{part}, got none; write there " in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_its_own_fault_is_told_in_one_line_and_verbosely_as_it_came(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = site / "ghost_set" / "bot.py"
    bot.write_text(bot.read_text().replace("if is_ghost(", "if 1 / 0 or is_ghost("))
    play = ("play", "ghost-set", "--virtual", "--bots")
    assert main(play) == 1
    told = capsys.readouterr().err
    assert told.startswith("visionset: game ghost-set: expected ghost_set.bot to go on, got ZeroDivisionError (division by zero) in line 1")
    assert told.count("\n") == 1
    with pytest.raises(ZeroDivisionError):
        main([*play, "-v"])


def test_an_event_is_said_without_arguments(site: Path) -> None:
    words = site / "ghost_set" / "messages.en.toml"
    words.write_text(words.read_text().replace("six cards are laid", "{cards} are laid"))
    loaded_catalogue.cache_clear()
    (lacking,) = SPECS["ghost-set"].lacks
    loaded_catalogue.cache_clear()  # these words are no other test's
    assert lacking.startswith("game ghost-set: expected ghost-set.happened.deal without arguments")


def test_broken_words_cost_no_other_game(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "ghost_set" / "messages.de.toml").write_text("[ghost-set\n")
    points = site / "ghost_set-1.0.dist-info" / "entry_points.txt"
    points.write_text(points.read_text() + "left-over = nowhere.at_all:SPEC\n")
    assert main(["rules", "--language", "de"]) == 1
    told = capsys.readouterr()
    assert [line.split()[0] for line in told.out.splitlines()] == [name for name in GAMES if name not in ("ghost-set", "left-over")]
    assert "ghost_set: expected its messages in messages.de.toml, got Expected" in told.err
    (lacking,) = SPECS["ghost-set"].lacks
    assert lacking in told.err.replace("\n", " ")
    assert main(["play", "solitaire", "--virtual", "--bots", "--language", "de"]) == 0


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        ("\ntext = ", "\nsays = ", "a text for the rule G1, got none; write it in rules.toml"),
        ('"G1", ', '"G1", "G9", ', "a text for the rule G9, got none; write it in rules.toml"),
        ("[options]\ntables =", "options = 5 #", "its rules in rules.toml, got "),
        ("order = [", "order = 7 # [", "its rules in rules.toml, got "),
    ],
)
def test_rules_that_are_none_cost_no_other_game(site: Path, good: str, bad: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    book = site / "ghost_set" / "rules.toml"
    book.write_text(book.read_text().replace(good, bad))
    (lacking,) = SPECS["ghost-set"].lacks
    assert lacking.startswith(f"ghost_set: expected {expected}")
    assert [game["name"] for game in games_json()] == [name for name in GAMES if name != "ghost-set"]
    for words in (["rules"], ["rules", "ghost-set"]):
        assert main(words) == 1
        assert lacking in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("5", "Spread, Grid and Hand, got 5"),
        ("(5,)", "Spread, Grid and Hand, got 5"),
        ("None", "Spread, Grid and Hand, got None"),
        ("(Spread('x', SET_DECK[:3], 0),)", "a Spread of one column or more, got 0"),
        ("(Spread('x', ('y', 'z'), 2),)", "pieces and None in a Spread, got 'y'"),
        ("(Spread('x', 7, 2),)", "pieces and None in a Spread, got 7"),
        ("(Grid('x', ('a', 'b'), ((1, 2),)),)", "rows of GridEntry in a Grid, got 1"),
        ("(Grid('x', (), (5,)),)", "rows of GridEntry in a Grid, got 5"),
        ("(Grid('x', (1,), ()),)", "words as title and head of a Grid, got 1"),
        ("(Grid('x', (), ((GridEntry(3),),)),)", "words as text of a GridEntry, got 3"),
        ("(Hand('Ann', SET_DECK[:3], laid=(1,)),)", "rows of pieces laid in a Hand, got 1"),
        ("(Hand('Ann', (1,)),)", "pieces in a Hand, got 1"),
        ("(Hand(0, SET_DECK[:3]),)", "a name as player of a Hand, got 0"),
        ("(Hand('Ann', (), after=5),)", "words after a Hand, got 5"),
        ("(Grid('x', (), ((GridEntry('y', None, 'due'),),)),)", "a Stress in a GridEntry, got 'due'"),
    ],
)
def test_a_view_that_is_none_is_told_in_one_line(site: Path, given: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    names = "from visionset.games.view import Grid, GridEntry, Hand, Spread\nfrom visionset.pieces import SET_DECK\n"
    (site / "ghost_set" / "view.py").write_text(f"{names}\n\ndef view(state):\n    return {given}\n")
    assert main(["play", "ghost-set", "--virtual", "--bots"]) == 1
    line = f"visionset: game ghost-set: expected view(state) to give {told}; mend ghost_set.view"
    assert capsys.readouterr().err.splitlines() == [line]


@pytest.mark.parametrize(
    ("module", "part", "code", "got"),
    [
        ("view", "view(state)", "def view():\n    return ()\n", "view()"),
        ("chance", "chance(state, rng)", "def chance(state):\n    return None\n", "chance(state)"),
        ("bot", "move(state, player, rng)", "def move(state, player, rng, more):\n    return None\n", "move(state, player, rng, more)"),
        ("bot", "move(state, player, rng)", "def move(*, state, player, rng):\n    return None\n", "move(*, state, player, rng)"),
        ("bot", "move(state, player, rng)", "move = 5\n", "5"),
    ],
)
def test_a_part_that_takes_other_arguments_is_told_in_one_line(
    site: Path, module: str, part: str, code: str, got: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "ghost_set" / f"{module}.py").write_text(code)
    told = f"game ghost-set: expected {part} in ghost_set.{module}, got {got}; let it take these, by position"
    assert SPECS["ghost-set"].lacks == (told,)
    assert main(["play", "ghost-set", "--virtual", "--bots"]) == 1
    assert capsys.readouterr().err.splitlines() == [f"visionset: {told}"]


@pytest.mark.parametrize("given", ["5", "'x'", "()", "{'event': 'ghost', 'player': 0}", "Ghost('a')", "Event()"])
@pytest.mark.parametrize(("module", "part"), [("bot", "move(state, player, rng)"), ("chance", "chance(state, rng)")])
def test_a_move_that_is_none_is_told_in_one_line(
    site: Path, module: str, part: str, given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = f"from ghost_set.rules import Ghost\nfrom visionset.games.base import Event\ndef {part}:\n    return {given}\n"
    (site / "ghost_set" / f"{module}.py").write_text(code)
    assert main(["play", "ghost-set", "--virtual", "--bots"]) == 1
    (told,) = capsys.readouterr().err.splitlines()
    name = part.partition("(")[0]
    got = given if "(" not in given or given == "()" else given.partition("(")[0] + "("
    assert told.startswith(f"visionset: game ghost-set: expected {name} to give an event of the game or None, got {got}")
    assert told.endswith(f"; mend ghost_set.{module}")


@pytest.mark.parametrize(
    ("module", "part", "given", "is_wanted"),
    [
        ("chance", "deadline(state)", 5, "the `Deadline` of a player whose time runs, or None"),
        ("chance", "self_dealt(options)", None, "the options where no person need deal"),
        ("advice", "advice_words(state, player, cache)", None, "what to play, in one line"),
        ("advice", "graded_hint(state, player, level)", None, "a `Hint` that gives away more with each level from 1 on"),
        ("referee", "make_referee(cells_of, options, hints)", None, "the `GameReferee` before a camera"),
    ],
)
def test_a_part_that_gives_something_else_is_told_in_one_line(
    site: Path, module: str, part: str, given: object, is_wanted: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such as one that has a branch without a return."""
    file, name = site / "ghost_set" / f"{module}.py", part.partition("(")[0]
    file.write_text(f"{file.read_text()}\n\ndef {part}:\n    return {given}\n")
    answers = iter(("h", "q"))
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    play, watch = ("play", "ghost-set", "--new"), ("watch", "samples/deal-640x480.mp4", "--json", "--game", "ghost-set")
    assert main([*(watch if module == "referee" else play), "--players", "Ann"]) == 1
    (told,) = capsys.readouterr().err.splitlines()
    assert told == f"visionset: game ghost-set: expected {name} to give {is_wanted}, got {given}; mend ghost_set.{module}"


def test_what_chance_should_bring_and_does_not_is_told(site: Path) -> None:
    chance = site / "ghost_set" / "chance.py"
    chance.write_text(f"{chance.read_text()}\n\ndef brings(event, values, rng):\n    values['x'] = 1\n")
    game = GAMES["ghost-set"]
    dealt = game.parse_event({"event": "deal", "cards": [str(card) for card in CARDS]})
    with pytest.raises(GameError, match=r"expected brings to give the values of a player's event .*, got None; mend ghost_set"):
        brought_anew(History.begin(game), dealt, random.Random(1))


@pytest.mark.parametrize(
    ("good", "bad", "got"),
    [
        ("return glance.count == CARDS", "return 1 / 0", "ZeroDivisionError (division by zero)"),
        ("(glance: TableGlance)", "()", "TypeError (recognizes() takes 0 positional arguments but 1 was given)"),
    ],
)
def test_a_game_that_cannot_tell_its_table_costs_no_other_game(site: Path, good: str, bad: str, got: str) -> None:
    package = site / "ghost_set" / "__init__.py"
    package.write_text(package.read_text().replace(good, bad))
    assert offer(deal([str(card) for card in SET_DECK[:12]])) == "set"
    (told,) = SPECS["ghost-set"].lacks
    assert told.startswith("game ghost-set: expected recognizes to take TableGlance(count=12, ")
    assert told.endswith(f"got {got}; mend ghost_set")


def test_two_games_of_one_name_are_refused(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "ghost_set-1.0.dist-info" / "entry_points.txt").write_text("[visionset.games]\nset = ghost_set:SPEC\n")
    with pytest.raises(GameError, match=r"one game named set, got those of visionset\.games\.set_cards and ghost_set"):
        list(GAMES)
    for words in (["play", "solitaire"], ["play", "--help"], ["advise", "odds"]):
        assert main(words) == 1
        assert capsys.readouterr().err.endswith("remove one package\n")


def test_a_package_that_does_not_load_costs_the_advice_about_no_other_game(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "ghost_set" / "__init__.py").write_text("import nothing_of_this_name\n")
    assert "no SET in" in printed(capsys, "advise", "odds", "--rounds", "1")
    assert "odds" in printed(capsys, "completion", "bash")
    assert main(["advise", "ghost-set", "state.json"]) == 1
    assert capsys.readouterr().err.startswith("visionset: game ghost-set: expected a package that loads")
