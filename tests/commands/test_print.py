from __future__ import annotations

import sys
from pathlib import Path

import pytest

from visionset.cli import main
from visionset.commands.parts import say_written
from visionset.errors import RecordError
from visionset.messages import Catalogue, Message, languages
from visionset.printing.prints import PRINTS, Printable


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_place_of_the_file_is_told_and_nothing_is_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "calibration-sheet"]) == 0
    assert capsys.readouterr().out.startswith("wrote calibration-sheet-a4.pdf: print it at 100 %")
    made = Path("calibration-sheet-a4.pdf").read_bytes()
    assert made.startswith(b"%PDF")
    Path("calibration-sheet-a4.pdf").write_bytes(b"mine")
    assert main(["print", "calibration-sheet"]) == 1
    assert "--force" in capsys.readouterr().err
    assert Path("calibration-sheet-a4.pdf").read_bytes() == b"mine"
    assert main(["print", "calibration-sheet", "--force", "--language", "de"]) == 0
    assert capsys.readouterr().out.startswith("calibration-sheet-a4.pdf geschrieben: mit 100 % drucken")
    assert main(["print", "calibration-sheet", "--force"]) == 0
    assert Path("calibration-sheet-a4.pdf").read_bytes() == made
    assert main(["print", "calibration-sheet", "--out", "nowhere/a.pdf"]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert [path.name for path in Path().iterdir()] == ["calibration-sheet-a4.pdf"]


def test_a_file_of_another_kind_is_refused_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["print", "board", "--out", "a.png"], ["calibrate", "sheet", "a.png"]):
        assert main(words) == 1
        assert capsys.readouterr().err == "visionset: a.png: expected a name that ends in .pdf, got .png; change the name\n"
    assert not list(Path().iterdir())
    assert main(["calibrate", "sheet", "a.PDF"]) == 0


def test_what_is_said_of_the_file_is_not_written_into_it_where_it_is_the_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As by ``--out /dev/stdout > board.pdf``: the link is one to that file."""
    Path("output").symlink_to("board.pdf")
    with open("board.pdf", "w", encoding="utf-8") as output:
        monkeypatch.setattr(sys, "stdout", output)
        say_written(Path("output"), "wrote it")
        assert main(["print", "board", "--force", "--out", "output"]) == 0
    assert capsys.readouterr().err.startswith("wrote it\n")
    assert Path("board.pdf").read_bytes().rstrip().endswith(b"%%EOF")
    assert Path("output").is_symlink()


@pytest.mark.parametrize("language", languages())
def test_of_each_thing_it_is_said_what_to_do_with_it(language: str) -> None:
    said = Catalogue.load(language)
    assert all(" " in said.say(Message(f"print.written.{name}")) for name in PRINTS)


@pytest.mark.parametrize("name", PRINTS)
def test_without_the_extra_one_line_says_what_to_install(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in [module for module in sys.modules if module.split(".")[0] == "reportlab"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "reportlab", None)
    assert main(["print", name]) == 1
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert "pip install 'visionset[print]'" in err
    assert not list(Path().iterdir())


def test_the_help_tells_how_a_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["print", "sheets", "--help"])
    assert "default: sheets-PAPER[-PLAYERS][-empty].pdf" in capsys.readouterr().out
    assert main(["print", "sheets", "--empty"]) == 0
    assert [path.name for path in Path().iterdir()] == ["sheets-a4-empty.pdf"]


@pytest.mark.slow
def test_the_examples_of_the_help_write_a_file_each() -> None:
    for words in (["deck"], ["deck", "--size", "full", "--backs", "long"], ["dice"], ["dice", "--form", "stickers", "--die-mm", "18"]):
        assert main(["print", *words]) == 0
    assert {path.name for path in Path().iterdir()} == {
        "deck-a4.pdf",
        "deck-a4-full-long.pdf",
        "dice-a4.pdf",
        "dice-a4-stickers-18.pdf",
    }


def test_a_size_of_cards_is_refused_for_a_mat_that_has_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "mat", "english-sets", "--size", "full"]) == 1
    assert "leave --size out" in capsys.readouterr().err
    assert not list(Path().iterdir())
    assert main(["print", "mat", "--size", "full"]) == 0


def test_without_a_thing_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in PRINTS)


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("deck", {"paper": "a3"}),
        ("deck", {"pages": "7"}),
        ("deck", {"colour-blind": "yes"}),
        ("dice", {"die-mm": "nan"}),
        ("dice", {"die-mm": "1e9"}),
        ("dice", {"die-mm": "x"}),
        ("sheets", {"players": "2.5"}),
    ],
)
def test_what_cannot_be_chosen_is_refused_in_one_line(name: str, chosen: dict[str, str]) -> None:
    with pytest.raises(RecordError, match=r"^expected .*, got .*; "):
        PRINTS[name].settled(chosen)


def test_an_option_that_there_is_not_is_told_the_ones_that_there_are() -> None:
    with pytest.raises(RecordError, match="out of paper, form, die-mm, colour-blind, got 'die_mm'; "):
        PRINTS["dice"].settled({"die_mm": "18"})


def test_there_is_no_half_player(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["print", "sheets", "--players", "2.5"])
    assert "expected a whole number from 1 to 20, got 2.5" in capsys.readouterr().err
    assert not list(Path().iterdir())
    assert PRINTS["sheets"].settled({"players": "3"})["players"] == 3
    assert [option.name for thing in PRINTS.values() for option in thing.options if option.is_whole] == ["players"]


@pytest.mark.parametrize(
    "thing", [pytest.param(thing, id=name, marks=[pytest.mark.slow] * (name == "dice")) for name, thing in PRINTS.items()]
)
def test_each_option_changes_what_is_drawn(thing: Printable) -> None:
    usual = thing.draw(thing.settled({}))
    for option in thing.options:
        others = [one for one in option.choices if one != option.usual] or ["1" if option.usual is False else f"{option.most:g}"]
        assert thing.draw(thing.settled({option.name: others[0]})) != usual, option.name


def test_what_is_chosen_holds() -> None:
    assert PRINTS["dice"].settled({"die-mm": "18", "colour-blind": "1"}) == {
        "paper": "a4",
        "form": "cubes",
        "die-mm": 18.0,
        "colour-blind": True,
    }
