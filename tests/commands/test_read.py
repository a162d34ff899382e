from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.builders import NINE, set_dice, thrown_set_dice
from visionset.cli import main
from visionset.commands.parts import card_text
from visionset.errors import RecordError
from visionset.pieces import Kind, PipDie
from visionset.table import Sighting, Table, Unread


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "table.jpg"), np.full((360, 640, 3), 90, np.uint8))
    return tmp_path / "table.jpg"


def test_cards_come_numbered_and_sets_refer_to_the_numbers(nine: Table, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(photo)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{photo}: 9 cards (1 not sure), 1 SET"
    assert lines[1] == "   1  one red solid oval"
    assert lines[9] == "   9  ? perhaps three purple striped diamonds: show it whole, sharp and in good light"
    assert lines[10:] == ["  SET A: 1 one red solid oval, 2 two red solid ovals, 3 three red solid ovals"]


def test_a_dash_is_no_file_to_keep_answers_in(
    nine: Table, photo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of other programs it is the standard output; a file of this name is hard to be rid of."""
    monkeypatch.chdir(photo.parent)
    with pytest.raises(SystemExit):
        main(["read", str(photo), "--out", "-", "--save", "drawn"])
    assert "expected --out with the name of a file, got -; --json alone prints the answers" in capsys.readouterr().err
    assert list(photo.parent.iterdir()) == [photo]


def test_json_has_the_form_that_others_rely_on(nine: Table, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--json", str(photo), str(photo)]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(answers) == 2
    assert list(answers[0]) == ["image", "width", "height", "pieces", "sets"]
    assert (answers[0]["image"], answers[0]["width"], answers[0]["height"]) == (str(photo), 640, 360)
    assert [piece["name"] for piece in answers[0]["pieces"]] == [*NINE[:8], None]
    assert answers[0]["sets"] == [[0, 1, 2]]
    piece = answers[0]["pieces"][0]
    assert list(piece) == ["kind", "name", "corners", "confidence"]
    assert (piece["kind"], piece["confidence"]) == ("set_card", 0.9)
    assert np.array(piece["corners"]).shape == (4, 2)


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> Callable[[tuple[Sighting, ...]], None]:
    """Let the command see these pieces in every picture."""

    def lay(sightings: tuple[Sighting, ...]) -> None:
        monkeypatch.setattr("visionset.vision.pipeline.read", lambda image, options=None, *, stages=None: Table((640, 360), sightings))

    return lay


GRID = {(0, 0): "1-red-oval", (0, 1): "2-red-oval", (0, 2): "wild", (1, 0): "?"}


def test_a_grid_of_dice_has_cells_and_sets_along_its_lines(
    dice: Callable[[tuple[Sighting, ...]], None], photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dice(set_dice(GRID))
    assert main(["read", "--json", str(photo)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == ["image", "width", "height", "pieces", "sets", "lattice", "set_count"]
    assert [(piece["kind"], piece["name"]) for piece in answer["pieces"]][2:] == [("set_die", "wild"), ("set_die", None)]
    assert (answer["lattice"], answer["sets"], answer["set_count"]) == ([[0, 0], [0, 1], [0, 2], [1, 0]], [[0, 1, 2]], 1)
    assert main(["read", str(photo)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{photo}: 4 SET dice (1 not sure), 1 SET",
        "      the dice form a grid of 2 rows and 3 columns: SETs are along its lines",
        "   1  row 1, column 1: one red oval",
        "   2  row 1, column 2: two red ovals",
        "   3  row 1, column 3: WILD",
        "   4  row 2, column 1: ? not sure: show it whole, sharp and in good light",
        "  SET A: 1 one red oval, 2 two red ovals, 3 WILD",
    ]


def test_scattered_dice_have_no_cells_and_a_count_of_their_sets(
    dice: Callable[[tuple[Sighting, ...]], None], photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dice(thrown_set_dice(["wild"] * 15))
    assert main(["read", "--json", str(photo)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["lattice"], len(answer["sets"]), answer["set_count"]) == ([None] * 15, 200, 455)
    assert main(["read", str(photo)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{photo}: 15 SET dice, 455 SETs"
    assert lines[1] == "      the dice are scattered: SETs are among all of them"
    assert lines[-1] == "  and 429 more SETs; --json lists the first 200"
    assert len(lines) == 2 + 15 + 26 + 1
    assert main(["read", "--language", "de", str(photo)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "      die Würfel liegen verstreut: SETs liegen unter allen"
    assert lines[-1] == "  und 429 weitere SETs; --json nennt die ersten 200"


def test_that_a_picture_is_gray_is_said_in_the_language_that_is_spoken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "gray.png"
    cv2.imwrite(str(path), np.full((120, 160), 128, np.uint8))
    assert main(["read", "--language", "de", str(path)]) == 0
    told = capsys.readouterr().out.splitlines()[1].strip()
    assert told == "keine Farbe im Bild: SET-Karten und SET-Würfel sind nicht zu erkennen"


def test_a_bad_photo_costs_one_line_and_the_rest_goes_on(nine: Table, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = photo.with_name("text.jpg")
    bad.write_text("hello")
    assert main(["read", "--json", str(bad), str(photo), str(photo.parent / "none")]) == 1
    out, err = capsys.readouterr()
    answers = [json.loads(line) for line in out.splitlines()]
    assert [len(answer["pieces"]) for answer in answers] == [0, 9, 0]
    assert "got text" in answers[0]["error"]
    assert len(Table.from_json(answers[1]).sightings) == 9
    with pytest.raises(RecordError, match=r"a picture that could not be read .*got text"):
        Table.from_json(answers[0])
    assert "error" not in answers[1]
    assert len(err.splitlines()) == 2
    assert all(line.startswith("visionset: ") for line in err.splitlines())


def test_it_is_said_where_pictures_are_written_and_what_they_leave_out(
    dice: Callable[[tuple[Sighting, ...]], None], photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dice(thrown_set_dice(["wild"] * 15))
    drawn = tmp_path / "out" / "table-sets.jpg"
    assert main(["read", str(photo), "--save", str(drawn.parent)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"      drawn in {drawn}: 455 SETs, 8 of them drawn"
    assert main(["read", "--json", str(photo), "--save", str(drawn.parent), "--stages", str(drawn.parent)]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1
    assert [line.split()[0] for line in err.splitlines()] == ["drawn", "steps"]
    assert main(["read", str(photo), "--save", str(drawn.parent), "--stages", str(drawn.parent), "--language", "de"]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f"      gezeichnet in {drawn}: 455 SETs, davon 8 gezeichnet",
        f"      die Schritte in {drawn.parent / photo.stem}-01-*.png und weiter",
    ]


def test_annotated_pictures_keep_their_size_and_the_photo_its_bytes(nine: Table, photo: Path, tmp_path: Path) -> None:
    before = photo.read_bytes()
    assert main(["read", str(photo), "--save", str(tmp_path / "new" / "drawn")]) == 0
    drawn = cv2.imread(str(tmp_path / "new" / "drawn" / "table-sets.jpg"))
    assert drawn.shape == (360, 640, 3)
    assert (np.abs(drawn.astype(int) - 90) > 40).any()
    assert photo.read_bytes() == before


def test_photos_of_the_same_name_do_not_overwrite_each_other(nine: Table, photo: Path, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    other = tmp_path / "b" / "table.jpg"
    other.write_bytes(photo.read_bytes())
    assert main(["read", str(photo), str(other), "--save", str(tmp_path / "out"), "--stages", str(tmp_path / "out")]) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "table-01-input.png",
        "table-02-card-edges.png",
        "table-2-01-input.png",
        "table-2-02-card-edges.png",
        "table-2-sets.jpg",
        "table-sets.jpg",
    ]


def test_what_was_drawn_below_a_folder_is_no_photo_of_it(nine: Table, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = photo.parent
    for _ in range(2):
        assert main(["read", str(folder), "--save", str(folder / "drawn"), "--stages", str(folder / "steps")]) == 0
    assert [path.name for path in (folder / "drawn").iterdir()] == ["table-sets.jpg"]
    assert main(["read", str(folder / "drawn"), "--save", str(folder / "again")]) == 0
    assert [path.name for path in (folder / "again").iterdir()] == ["table-sets-sets.jpg"]
    capsys.readouterr()
    assert main(["read", str(folder), "--save", f"{folder}/."]) == 1
    assert "expected another folder than the one that is read" in capsys.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == ["again", "drawn", "steps", "table.jpg"]


@pytest.mark.skipif(sys.platform == "win32", reason="names of files there have no end of a line")
def test_a_name_with_an_end_of_a_line_stays_in_one(nine: Table, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = photo.rename(photo.parent / "a\nb.jpg: 81 cards.jpg")
    assert main(["read", str(named), "--save", str(photo.parent / "drawn")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == rf"{photo.parent}/a\nb.jpg: 81 cards.jpg: 9 cards (1 not sure), 1 SET"
    assert rf"drawn in {photo.parent}/drawn/a\nb.jpg: 81 cards-sets.jpg" in lines[-1]


def test_the_standard_input_may_be_a_photo(
    nine: Table, photo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(photo.read_bytes())))
    assert main(["read", "-"]) == 0
    assert capsys.readouterr().out.startswith("-: 9 cards")


def test_a_picture_whose_cards_have_no_names_is_not_said_to_hold_no_set(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gray_bgr = cv2.cvtColor(
        cv2.imread(str(Path(__file__).parents[2] / "samples" / "table-12.jpg"), cv2.IMREAD_GRAYSCALE), cv2.COLOR_GRAY2BGR
    )
    cv2.imwrite(str(photo), gray_bgr)
    assert main(["read", str(photo)]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.endswith("12 cards (12 not sure)")


def test_who_stops_is_told_how_to_go_on(
    nine: Table, photo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("visionset.commands.read.json_line", stop)
    assert main(["read", str(photo), "--out", str(tmp_path / "kept.jsonl")]) == 130
    assert "kept.jsonl: what was read is kept; the same command with --resume goes on" in capsys.readouterr().err


def test_values_of_dice_are_told_from_their_numbers_in_the_list() -> None:
    die = Sighting(Kind.PIP_DIE, np.array([[0, 0], [9, 0], [9, 9], [0, 9]], np.float64), PipDie(5), 0.99)
    assert card_text(die) == "a 5"


def test_whole_card(nine: Table, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--whole-card", str(photo)]) == 0
    assert "1 card, no SET" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["read", "score"])
def test_a_whole_card_is_a_set_card(command: str, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (photo.parent / "truth.json").write_text('{"kind": "pip_die", "photos": {"table.jpg": {"pieces": ["5"]}}}')
    with pytest.raises(SystemExit) as caught:
        main([command, "--whole-card", "--pieces", "pip-dice", str(photo if command == "read" else photo.parent)])
    assert caught.value.code == 2
    assert "expected --whole-card with SET cards, got other --pieces" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--save", "--stages"])
def test_unwritable_output_is_said_before_anything_is_read(photo: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(photo), option, str(photo)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("options", [["--decks", "0"], ["--decks", "two"], ["--min-confidence", "1.5"], []])
def test_a_senseless_command_line_is_refused(options: list[str], photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["read", *options, *([str(photo)] if options else [])])
    assert caught.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_a_reader_that_leaves_early_is_no_error(photo: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "visionset", "read", *[str(photo)] * 5], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ}
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait()


def test_a_card_face_down_is_no_doubtful_card() -> None:
    square = np.array([[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]])
    assert card_text(Sighting(Kind.CARD_BACK, square, None, 0.9)) == "a card face down"
    assert card_text(Sighting(Kind.SET_CARD, square, None, 0.3)).startswith("? not sure")


def test_the_help_names_each_kind_and_each_reason(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["read", "--help"])
    told = capsys.readouterr().out
    assert all(kind.value in told for kind in Kind)
    assert all(f'"{reason.value}"' in told for reason in Unread)


def test_what_is_said_of_a_piece_without_a_name_is_what_to_do(nine: Table) -> None:
    told = {reason: card_text(replace(nine.sightings[8], guess=None, reason=reason)) for reason in Unread}
    assert told == {
        Unread.NO_COLOUR: "? not sure: take the picture in colour, and in more light if it is dark",
        Unread.CUT_OFF: "? not sure: lay it whole into the picture",
        Unread.TOO_SMALL: "? not sure: bring the camera closer",
        Unread.GLARE: "? not sure: turn the lamp or the piece, it is too bright",
        Unread.DOUBTFUL: "? not sure: show it whole, sharp and in good light",
    }


def test_folders_patterns_and_lists_name_photos_in_order(
    nine: Table, photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "evening"
    (folder / "b").mkdir(parents=True)
    names = ["a.jpg", "b/x.png", "c [1].JPG", "d.jfif", "e.avif"]
    for name in [*names, ".hidden.jpg"]:
        (folder / name).write_bytes(photo.read_bytes())
    (folder / "notes.txt").write_text("no photo")
    paths = [str(folder / name) for name in names]
    listed = tmp_path / "list.txt"
    listed.write_text("\n".join([paths[2], "", f"{folder}/b/*"]) + "\n")
    monkeypatch.setattr("sys.stdin", StringIO(f"{paths[1]}\n"))
    for arguments, expected in (
        ([str(folder)], paths),
        ([f"{folder}/**/*.[jp]*"], [paths[0], paths[1], paths[3]]),
        ([paths[2]], [paths[2]]),
        ([paths[0], f"@{listed}"], [paths[0], paths[2], paths[1]]),
        (["--list", str(listed), paths[0]], [paths[0], paths[2], paths[1]]),
        (["--list", "-"], [paths[1]]),
    ):
        assert main(["read", "--json", *arguments]) == 0
        assert [json.loads(line)["image"] for line in capsys.readouterr().out.splitlines()] == expected
    for arguments, told in (
        (["--list", str(tmp_path / "no")], "no such file"),
        (["@no"], "no such file"),
    ):
        assert main(["read", *arguments]) == 1
        assert told in capsys.readouterr().err


def test_a_photo_at_an_address_is_read_as_one_in_a_file(nine: Table, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    for name in ("/evening/1.jpg", "/evening/2.jpg", "/evening/3.txt"):
        system.pipe(name, photo.read_bytes())
    names = ["memory:///evening/1.jpg", "memory:///evening/2.jpg"]
    for asked in (names, ["memory://evening/"], ["memory://evening/*.jpg"]):
        assert main(["read", "--json", *asked, f"file://{photo}"]) == 0
        assert [json.loads(line)["image"] for line in capsys.readouterr().out.splitlines()] == [*names, f"file://{photo}"]
    (photo.parent / "empty").mkdir()
    assert main(["read", "memory://evening/4.jpg", "nowhere://x", f"file://{photo.parent}/empty/", f"file://{photo.parent}"]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 4
    assert "got nothing at this address" in errors[0]
    assert "nowhere://x: expected a file, or an address such as s3://bucket/table.jpg, got one of no known store; " in errors[1]
    assert errors[2].endswith("/empty/: expected a picture, got a folder; it holds none; name another")
    assert errors[3].endswith(": expected a picture, got a folder; all in it are read with a slash at the end")


def test_a_photo_that_breaks_the_reader_costs_one_line(
    photo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*_: object, **__: object) -> None:
        raise cv2.error("no\nway")

    monkeypatch.setattr("visionset.vision.pipeline.read", read)
    assert main(["read", "--json", str(photo), str(photo)]) == 1
    out, err = capsys.readouterr()
    assert ["got error: no" in json.loads(line)["error"] for line in out.splitlines()] == [True, True]
    assert len(err.splitlines()) == 2


def test_processes_print_the_same_bytes_in_the_same_order(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = photo.with_name("bad.jpg")
    bad.write_text("hello")
    photos = [str(Path("samples") / "one-card.jpg"), str(bad), str(photo), str(photo.with_name("none.jpg"))]
    told = []
    for jobs in ("1", "2"):
        assert main(["read", "--language", "de", "--jobs", jobs, *photos]) == 1
        told.append(capsys.readouterr())
    assert told[0] == told[1]
    assert "drei" in told[0].out
    assert len(told[0].err.splitlines()) == 2
