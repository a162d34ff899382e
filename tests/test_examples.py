"""What stands in `examples/` runs, and says what it should."""

from __future__ import annotations

import json
import random
import runpy
import sys
from pathlib import Path

import pytest

from tests.web.room import room
from tests.web.test_play import begin, play_out
from visionset.games.registry import GAMES

EXAMPLES = Path(__file__).parents[1] / "examples"
MOST_LINES = 24

SAYS = {
    "read_photo": ("12  ", "SET: "),
    "find_sets_in_names": (
        "SET: 1-red-open-oval, 2-red-open-oval, 3-red-open-oval",
        "two are red, one is green: color is neither all the same nor all different",
    ),
    "play_by_bots": ("Scramble SET after 68 events",),
    "follow_clip": ("appeared 3-green-striped-diamond", "appeared 2-red-open-squiggle"),
    "draw_table": ("12 pieces",),
    "referee_clip": ("call  ", "take Ann: SET, +1 {'Ann': 1, 'Bo': 0}", "deal  {'Ann': 1, 'Bo': 0}"),
}


def run(name: str, *arguments: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")


def test_every_example_is_run_and_short() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {*SAYS, "follow_page"}
    assert all(len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES for path in EXAMPLES.glob("*.py"))


def test_a_page_is_followed_to_the_end_of_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with room(tmp_path) as here, here.page() as page:
        begin(page, "sets-dice", 2, turns=1)
        play_out(here, page, random.Random(1))
        run("follow_page", f"http://127.0.0.1:{here.port}", monkeypatch=monkeypatch)
    assert capsys.readouterr().out.startswith("over Ann ")


def test_a_photo_is_drawn_beside_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("draw_table", str(EXAMPLES.parent / "samples" / "one-card.jpg"), monkeypatch=monkeypatch)
    assert [path.name for path in tmp_path.iterdir()] == ["one-card-sets.jpg"]


def test_photos_of_several_kinds_are_read_and_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = str(EXAMPLES.parent / "samples" / "mixed" / "everything.jpg")
    monkeypatch.chdir(tmp_path)
    for name in ("read_photo", "draw_table"):
        run(name, photo, monkeypatch=monkeypatch)
    said = capsys.readouterr().out
    assert "SET: 2-green-diamond, 3-red-oval, wild\n" in said
    assert said.splitlines()[-1].startswith("everything-sets.jpg: ")


def test_a_page_that_is_followed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="expected the address of a page"):
        run("follow_page", monkeypatch=monkeypatch)


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow if name == "follow_clip" else ()) for name in SAYS])
def test_example_says_what_it_should(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    run(name, *(["samples/table-12.jpg", str(tmp_path / "drawn.jpg")] if name == "draw_table" else []), monkeypatch=monkeypatch)
    said = capsys.readouterr().out
    for words in SAYS[name]:
        assert words in said


@pytest.mark.parametrize("game", GAMES)
def test_bots_play_every_game_of_the_example(game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run("play_by_bots", game, "2", monkeypatch=monkeypatch)
    assert f"{GAMES[game].title} after " in capsys.readouterr().out


def cells() -> list[str]:
    """The code of the notebook."""
    notebook = json.loads((EXAMPLES / "ask_an_archive.ipynb").read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    return ["".join(cell["source"]) for cell in code]


def test_the_notebook_is_one_and_its_cells_are_python() -> None:
    assert cells()
    for number, code in enumerate(cells()):
        compile(code, f"cell {number}", "exec")


@pytest.mark.slow
def test_the_notebook_asks_an_archive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(EXAMPLES.parent)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    known: dict[str, object] = {}
    for number, code in enumerate(cells()):
        exec(compile(code, f"cell {number}", "exec"), known)
    asked, _, found = capsys.readouterr().out.rpartition("┘")
    assert "samples/table-12.jpg" in asked
    assert "3-purple-solid" in found
