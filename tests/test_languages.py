"""Every language says what English says, of the same things, and a game that is played in it says nothing in English."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.messages_in_code import CODE
from visionset import messages
from visionset.cli import main
from visionset.games.registry import GAMES, SPECS
from visionset.messages import ENGLISH, Catalogue, Message, at_table, in_words, languages, speak, speaking, spoken
from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, PlayingCard, SetCard, SetDie
from visionset.sources import devices
from visionset.web.offers import games_json, page_words
from visionset.words import label_lines

OTHERS = [language for language in languages() if language != ENGLISH]
SOURCES = ["catalogue/{}.toml", *(f"games/{path.parent.name}/messages.{{}}.toml" for path in sorted(CODE.glob("games/*/messages.en.toml")))]

OF_THE_LANGUAGE = {"plural", "decimal"}
"""What a catalogue says of its language, in no words."""

SAME = {
    "SET",
    "SETs",
    "Letter",
    "mm",
    "x",
    "WILD",
    "Cubed",
    "Scramble",
    "Crossword",
    "Bonus",
    "Bot",
    "Name",
    "A",
    "T",
    "J",
    "Q",
    "K",
    "W",
    "R",
    "G",
    "He",
    "Ov",
    "ms",
    "s",
}
"""Words that a language may have in common with English."""

BOOK = ("title", "house", "value", "preset", "rule")
"""Parts of a catalogue that hold the book of rules of a game."""

FOREIGN_MARK = "\N{CURRENCY SIGN}"


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    """A command speaks as it was told from then on."""
    yield
    speak(None)


def templates(source: str, language: str) -> dict[str, str]:
    path = CODE / source.format(language)
    assert path.is_file(), f"{path} is missing"
    return messages._read(path)


def books(source: str) -> dict[str, str]:
    """What the books of rules say in English, by the codes under which the other languages say it."""
    if source.startswith("catalogue"):
        shared = tomllib.loads((CODE / "games" / "shared.toml").read_text(encoding="utf-8"))
        return {f"rule.{number}": rule["text"] for number, rule in shared["rules"].items()}
    spec = next(spec for spec in SPECS.values() if spec.package.rpartition(".")[2] == source.split("/")[1])
    own = tomllib.loads((CODE / source).with_name("rules.toml").read_text(encoding="utf-8"))
    said = {"title": spec.title, "house": own.get("options", {}), "value": own.get("values", {}), "preset": own["presets"]}
    return messages._flat({spec.name: {**said, "rule": {number: rule["text"] for number, rule in own["rules"].items()}}})


def arguments(template: str, *, choosing: bool) -> set[str]:
    """What a template names; `choosing`: also what only picks the form that fits a number, which not every language needs."""
    return {name for _, name, spec, _ in Catalogue({}).parse(template) if name is not None and (choosing or "|" not in (spec or ""))}


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("source", SOURCES)
def test_a_language_says_what_english_says_of_the_same_things(source: str, language: str) -> None:
    english, other = templates(source, ENGLISH) | books(source), templates(source, language)
    assert set(english) - set(other) == set(), f"say these in {source.format(language)}"
    assert set(other) - set(english) == set(), f"nothing says these of {source.format(language)}"
    for code, template in english.items():
        if code not in OF_THE_LANGUAGE:
            assert arguments(template, choosing=False) <= arguments(other[code], choosing=True) <= arguments(template, choosing=True), code


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("source", SOURCES)
def test_nothing_is_left_in_english(source: str, language: str) -> None:
    english, other = templates(source, ENGLISH) | books(source), templates(source, language)
    left = {code for code, template in english.items() if template == other.get(code) and code not in OF_THE_LANGUAGE}
    words = {code: set(re.findall(r"[^\W\d_]+", re.sub(r"{[^{}]*}", "", english[code]))) for code in left}
    assert not {code: found - SAME for code, found in words.items() if len(code.rpartition(".")[2]) > 1 and found - SAME}


@pytest.fixture
def marked_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """English of which each sentence bears a mark."""
    english = messages._english()
    marked = Catalogue({code: FOREIGN_MARK + template for code, template in english.templates.items()})
    monkeypatch.setattr(messages, "_english", lambda: marked)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_rules_of_a_game_are_read_in_each_language(name: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", name, "--language", language]) == 0
    told = " ".join(capsys.readouterr().out.split())
    own = {
        code: " ".join(text.split())
        for code, text in messages._read(CODE / f"games/{SPECS[name].package.rpartition('.')[2]}/messages.{language}.toml").items()
    }
    book = {code: text for code, text in own.items() if code.startswith(tuple(f"{name}.{part}" for part in BOOK))}
    assert not {code: text for code, text in book.items() if text not in told}


@pytest.mark.usefixtures("german")
def test_what_the_page_offers_is_said_in_its_language() -> None:
    games = {game["name"]: game for game in games_json()}
    shown = games["set"]
    assert shown["title"] == "SET mit Karten"
    assert shown["presets"][0]["title"] == "nach der Anleitung"
    penalty = next(rule for rule in shown["house"] if rule["name"] == "penalty")
    assert [one["words"] for one in penalty["values"]] == ["einen Punkt", "ein gewonnenes SET"]
    assert [one["values"]["penalty"] for one in shown["presets"]] == ["point", "heap", "point"]
    assert games["solitaire"]["rules"][0]["text"].startswith("81 verschiedene Karten")


@pytest.mark.usefixtures("marked_english")
@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_game_of_simple_players_says_nothing_in_english(name: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    players = GAMES[name].min_players
    assert main(["play", name, "--virtual", "--bots", str(players), "--seed", "5", "--language", language]) == 0
    told = capsys.readouterr().out
    assert told
    assert FOREIGN_MARK not in told
    assert not re.search(r"\b(?:the|and|is|are|no|cards|dice|with|won|turn|row|round)\b", told), told


@pytest.mark.usefixtures("marked_english")
def test_what_a_language_has_no_words_for_is_said_in_english_sentence_by_sentence() -> None:
    half = Catalogue({"addressed": "{to} soll: {what}", "to.everyone": "Alle"}, "n > 5", "xx", messages._english())
    message = Message("addressed", to=Message("to.everyone"), what=Message("set.do.deal", shuffle="", count=3))
    assert half.say(message) == f"Alle soll: {FOREIGN_MARK}deal 3 cards"
    assert half.say(Message("set.do.deal", shuffle="", count=1)).endswith("deal 1 card")


def test_no_line_of_the_odds_is_left_in_english(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for language in languages():
        assert main(["advise", "odds", "--rounds", "2", "--language", language]) == 0
        told.append(capsys.readouterr().out.splitlines())
    assert len(set(map(len, told))) == 1
    assert not set(told[0]).intersection(*told[1:])


@pytest.mark.usefixtures("german")
def test_players_without_names_are_called_so_in_the_language() -> None:
    assert GAMES["set"].start().players == ("Spieler 1", "Spieler 2")


@pytest.fixture
def german() -> object:
    speak(Catalogue.load("de"))
    yield
    speak(None)


@pytest.mark.usefixtures("german")
def test_numbers_have_the_decimal_mark_of_the_language() -> None:
    assert in_words(Message("set.do.pick_up", number=4.5)) == "nimm deine drei Karten innerhalb von 4,5 s auf"


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("code", ["set.wait.put_back", "scramble.wait.take_won"])
def test_what_is_said_to_all_as_to_one_alone_fits_both_in_german(code: str) -> None:
    """English has one imperative: "All: put back"; German has two, and "Alle: leg" is none of them."""
    words = at_table(Message(code, pieces=(SetCard.parse("1-green-solid-oval"),)))
    assert words.startswith("ein grünes gefülltes Oval")
    assert words.endswith(("zurücklegen", "nehmen"))


@pytest.mark.usefixtures("german")
def test_pieces_in_german() -> None:
    assert spoken() == "de"
    assert at_table(SetCard.parse("1-red-open-squiggle")) == "eine rote ungefüllte Welle"
    assert at_table(SetCard.parse("1-green-solid-oval")) == "ein grünes gefülltes Oval"
    assert at_table(SetCard.parse("3-purple-striped-diamond")) == "drei violette gestreifte Rauten"
    assert at_table(SetDie.parse("1-red-oval")) == "ein rotes Oval"
    assert [at_table(PlayingCard.parse(card)) for card in ("JS", "QD", "KH", "TC")] == ["Pik-Bube", "Karo-Dame", "Herz-König", "Kreuz-10"]
    assert label_lines(PlayingCard.parse("QD")) == (("Karo D",), ("Karo", "D"), ("Ka D",))


@pytest.mark.usefixtures("german")
def test_a_camera_without_a_name_is_called_so_in_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        devices, "open_capture", lambda number, options: SimpleNamespace(isOpened=lambda: number == 1, release=lambda: None)
    )
    assert devices._by_probing() == (devices.CameraName(1, "Kamera 1"),)


@pytest.mark.parametrize("language", languages())
def test_labels_tell_all_pieces_apart(language: str) -> None:
    speak(Catalogue.load(language))
    try:
        for pieces in (SET_DECK, SET_DIE_FACES, PACK):
            for form in (0, -1):
                assert len({label_lines(piece)[form] for piece in pieces}) == len(pieces)
    finally:
        speak(None)


@pytest.mark.parametrize("language", OTHERS)
def test_the_page_has_all_its_labels_in_each_language(language: str) -> None:
    english, other = page_words(), page_words(language)
    assert set(english) == set(other)
    assert english["page.start.begin"] != other["page.start.begin"]


@pytest.mark.parametrize("language", languages())
def test_what_the_page_may_show_of_a_table_is_called_neither_cards_nor_dice(language: str) -> None:
    """The same three views stand beside the dice of Sets and the cards of SET."""
    views = [words for code, words in page_words(language).items() if code.startswith("page.show.")]
    assert len(views) == 3
    assert re.search("card|dice|karte|würfel", " ".join(views), re.IGNORECASE) is None


def said_after(arguments: list[str]) -> str:
    assert main(arguments) == 0
    try:
        return in_words(Message("table.none")) and spoken()
    finally:
        speak(None)


def test_the_option_comes_first_then_the_environment_then_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path))
    monkeypatch.delenv("VISIONSET_LANGUAGE", raising=False)
    assert said_after(["rules", "set"]) == ENGLISH
    (tmp_path / "settings.toml").write_text('language = "de"\n', encoding="utf-8")
    assert said_after(["rules", "set"]) == "de"
    monkeypatch.setenv("VISIONSET_LANGUAGE", "en")
    assert said_after(["rules", "set"]) == ENGLISH
    assert said_after(["rules", "set", "--language", "de"]) == "de"
    assert said_after(["--language", "DE", "rules", "set"]) == "de"
    monkeypatch.setenv("VISIONSET_LANGUAGE", "DE")
    assert said_after(["rules", "set"]) == "de"
    capsys.readouterr()


@pytest.mark.parametrize(
    ("kept", "expected"), [('language = "xx"', "one of en"), ("language = 3", "one of en"), ("language =", "TOML"), ("\xff", "")]
)
def test_settings_that_name_no_language_are_refused_in_one_line(
    kept: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path))
    monkeypatch.delenv("VISIONSET_LANGUAGE", raising=False)
    (tmp_path / "settings.toml").write_bytes(kept.encode("latin-1"))
    assert main(["rules", "set"]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "settings.toml" in told
    assert expected in told


def test_who_is_spoken_to_in_a_language_of_their_own_changes_nobody_elses() -> None:
    refused = Message("web.refused.rate")
    english = in_words(refused)
    with speaking("de"):
        assert (spoken(), in_words(refused)) == ("de", "zu viel auf einmal; warte einen Augenblick")
        with ThreadPoolExecutor(1) as others:
            assert others.submit(in_words, refused).result() == english
        with speaking(ENGLISH):
            assert in_words(refused) == english
    assert in_words(refused) == english
