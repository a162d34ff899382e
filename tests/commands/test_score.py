from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.builders import NINE, sighting
from visionset.cli import main
from visionset.commands.score import Tally
from visionset.pieces import SET_DECK, Kind, PipDie, PlayingCard, SetCard, SetDie
from visionset.table import Sighting, Table

SQUARE = [[0, 0], [9, 0], [9, 9], [0, 9]]


def folder(tmp_path: Path, photos: dict[str, object], **more: object) -> Path:
    for name in photos:
        cv2.imwrite(str(tmp_path / name), np.full((60, 90, 3), 90, np.uint8))
    (tmp_path / "truth.json").write_text(json.dumps({"kind": "set_card", "photos": photos} | more))
    return tmp_path


def cards(*names: str) -> list[SetCard]:
    return [SetCard.parse(name) for name in names]


def test_a_misread_card_counts_as_missed_and_as_wrong_and_is_confused_by_attribute() -> None:
    score = Tally()
    fault = score.add(cards("2-red-striped-oval", "1-green-open-diamond"), [], cards("2-red-open-oval", "1-green-open-diamond"), set())
    assert fault == "missed 2-red-striped-oval; wrong 2-red-open-oval"
    assert (score.hit, score.missed, score.wrong, score.perfect, score.sets_exact) == (1, 1, 1, 0, 1)
    assert (score.recall, score.precision, score.f1) == (0.5, 0.5, 0.5)
    assert {name: +counter for name, counter in score.confused.items() if +counter} == {"shading": {("striped", "open"): 1}}


def test_optional_cards_count_neither_way() -> None:
    score = Tally()
    assert (
        score.add(cards("2-red-striped-oval"), cards("1-green-open-diamond"), cards("2-red-striped-oval", "1-green-open-diamond"), set())
        == ""
    )
    assert (score.perfect, score.f1) == (1, 1.0)


def test_misreadings_are_matched_with_the_card_they_are_nearest_to() -> None:
    score = Tally()
    score.add(cards("1-red-solid-oval", "3-green-open-diamond"), [], cards("3-green-striped-diamond", "2-red-solid-oval"), set())
    found = {name: +counter for name, counter in score.confused.items() if +counter}
    assert found == {"number": {("1", "2"): 1}, "shading": {("open", "striped"): 1}}


def test_sets_are_exact_when_all_and_no_others_are_claimed() -> None:
    trio, other = cards(*NINE[:3]), frozenset(cards("1-green-open-diamond", *NINE[:2]))
    for claimed, exact in (({frozenset(trio)}, 1), (set(), 0), ({frozenset(trio), other}, 0)):
        score = Tally()
        score.add(trio, [], trio, claimed)
        assert score.sets_exact == exact


def test_no_cards_and_none_read_is_perfect() -> None:
    score = Tally()
    assert score.add([], [], [], set()) == ""
    assert (score.recall, score.precision, score.f1, score.perfect) == (1, 1, 1, 1)


def test_the_table(nine: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photos = {
        "good.png": {"pieces": list(NINE[:8]), "note": "daylight"},
        "bad.png": {"pieces": [*NINE[:7], "3-red-open-squiggle"]},
        "skip.png": {"pieces": None},
    }
    assert main(["score", str(folder(tmp_path, photos))]) == 0
    out = capsys.readouterr().out
    assert "bad.png: missed 3-red-open-squiggle; wrong 3-red-open-diamond" in out
    assert "good.png" not in out
    assert "0.9375" in out
    assert "1/2" in out
    assert "1 x squiggle as diamond" in out


def test_a_narrow_terminal_loses_no_figure(
    nine: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["score", str(folder(tmp_path, {"a.png": {"pieces": list(NINE[:8])}}))]) == 0
    rows = [line.split("│")[1:-1] for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    assert ["".join(cell.strip() for cell in column) for column in zip(*rows, strict=True)][:7] == ["1", "8", *["1.0000"] * 3, "1/1", "1/1"]


def test_a_photo_whose_pieces_nobody_wrote_down_is_passed_over_aloud(
    nine: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = {
        "good.png": {"pieces": list(NINE[:8]), "note": "day"},
        "typo.png": {"peices": [NINE[0]], "note": "day"},
        "night.png": {"pieces": None},
    }
    assert main(["score", str(folder(tmp_path, photos)), "--only", "day"]) == 0
    told = capsys.readouterr()
    assert told.err.splitlines() == ['passed over, without "pieces" in truth.json: typo.png']
    assert "1/1" in told.out


def test_only_photos_with_the_word(nine: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photos = {"good.png": {"pieces": list(NINE[:8]), "note": "daylight"}, "bad.png": {"pieces": [], "note": "evening"}}
    assert main(["score", str(folder(tmp_path, photos)), "--only", "daylight", "--show"]) == 0
    out = capsys.readouterr().out
    assert "good.png: perfect" in out
    assert "bad.png" not in out


def test_options_in_the_truth_choose_whole_cards(nine: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(folder(tmp_path, {"a.png": {"pieces": [NINE[0]]}}, options="--whole-card"))]) == 0
    assert "1.0000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("truth", "says"),
    [
        (None, "truth.json"),
        ("{", "JSON"),
        ('{"photos": {}}', "JSON"),
        ('{"kind": "dice", "photos": {"a": {}}}', "dice"),
        ('{"kind": "set_card", "photos": {}}', "none"),
    ],
)
def test_a_truth_that_says_nothing_is_said(tmp_path: Path, truth: str | None, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    if truth is not None:
        (tmp_path / "truth.json").write_text(truth)
    assert main(["score", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert says in err
    assert len(err.splitlines()) == 1


def test_bad_photos_and_names_cost_one_line_each(nine: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photos = {"good.png": {"pieces": list(NINE[:8])}, "typo.png": {"pieces": ["2-red-stripy-oval"]}}
    path = folder(tmp_path, photos)
    truth = json.loads((path / "truth.json").read_text())
    truth["photos"]["gone.png"] = {"pieces": []}
    (path / "truth.json").write_text(json.dumps(truth))
    assert main(["score", str(path)]) == 1
    out, err = capsys.readouterr()
    assert "typo.png: " in err
    assert "gone.png" in err
    assert "1/1" in out


def test_a_whole_deck_read_right_is_perfect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table((90, 60), tuple(sighting(str(card), SQUARE) for card in SET_DECK))
    monkeypatch.setattr("visionset.vision.pipeline.read", lambda image, options, *, stages=None: table)
    assert main(["score", str(folder(tmp_path, {"deck.png": {"pieces": [str(card) for card in SET_DECK]}}))]) == 0
    assert capsys.readouterr().out.count("1/1") == 2


def test_a_folder_of_dice_is_searched_for_dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "truth.json").write_text('{"kind": "pip_die", "photos": {"a.png": {"pieces": ["3"]}}}')
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((20, 20, 3), np.uint8))
    asked = []
    monkeypatch.setattr(
        "visionset.vision.pipeline.read", lambda image, options, *, stages=None: asked.append(options.kinds) or Table((20, 20))
    )
    assert main(["score", str(tmp_path)]) == 0
    assert main(["score", str(tmp_path), "--pieces", "pip-dice,set-cards"]) == 0
    assert asked == [{Kind.PIP_DIE}, {Kind.PIP_DIE, Kind.SET_CARD}]


def test_processes_score_as_this_one_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).write_bytes((Path("samples") / "one-card.jpg").read_bytes())
    photos = {name: {"pieces": ["3-purple-striped-squiggle"]} for name in ("a.jpg", "none.jpg", "b.jpg")}
    (tmp_path / "truth.json").write_text(json.dumps({"kind": "set_card", "photos": photos}))
    told = []
    for options in ([], ["--jobs", "2"]):
        assert main(["score", str(tmp_path), "--show", *options]) == 1
        out, err = capsys.readouterr()
        told.append((out.splitlines()[:2], err))
    assert told[0] == told[1]
    assert told[0][0] == ["a.jpg: perfect", "b.jpg: perfect"]


def test_pieces_of_any_kind_count_where_the_truth_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lying = ["2-red-open-oval", "wild", "2-red-oval", "5", "QH"]
    pieces = [SetCard.parse(lying[0]), SetDie(), SetDie.parse(lying[2]), PipDie(5), PlayingCard.parse("QH")]
    table = Table((90, 60), tuple(Sighting(piece.kind, np.array(SQUARE, float), piece, 0.9) for piece in pieces))
    asked = []
    monkeypatch.setattr("visionset.vision.pipeline.read", lambda image, options, *, stages=None: asked.append(options.kinds) or table)
    photos = {"right.png": {"pieces": lying}, "typo.png": {"pieces": ["2-red-stripy-oval"]}, "wrong.png": {"pieces": [*lying[:4], "QS"]}}
    assert main(["score", str(folder(tmp_path, photos, kind="any"))]) == 1
    out, err = capsys.readouterr()
    assert asked[0] == frozenset(Kind)
    assert "right.png" not in out
    assert "wrong.png: missed QS; wrong QH" in out
    assert "1/2" in out
    assert "typo.png: expected a piece, got '2-red-stripy-oval'" in err
