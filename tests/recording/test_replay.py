from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import NINE, ONE_SET
from tests.recording.makers import record, table_of
from visionset.cli import main
from visionset.errors import RecordError
from visionset.geometry import Frame
from visionset.pieces import Kind
from visionset.recording import Heading, Recording
from visionset.recording.replay import Difference, Verdict, compare_readings, replay
from visionset.table import Settled, Table
from visionset.vision.options import ReadOptions

OTHER = ("1-red-solid-oval", "2-purple-solid-oval", "?", "2-green-solid-oval")


def test_the_same_reader_finds_no_difference(tmp_path: Path) -> None:
    recording = Recording.open(record(tmp_path / "evening", [None, *[NINE] * 5, None]))
    outcome = replay(recording, lambda frame: Settled(table_of(NINE)))
    assert (outcome.frames, outcome.readings, outcome.differences) == (5, 45, ())
    assert outcome.counts[Verdict.SAME] == 45


def test_differences_are_told_once_for_a_run_of_frames(tmp_path: Path) -> None:
    recording = Recording.open(record(tmp_path / "evening", [*[ONE_SET] * 8]))
    steps: list[int] = []

    def see(frame: Frame) -> Settled:
        return Settled(table_of(OTHER[:3] if 2 <= frame.index <= 5 else ONE_SET))

    outcome = replay(recording, see, lambda: steps.append(1))
    assert [(d.first, d.last, d.was, d.now, d.verdict) for d in outcome.differences] == [
        (2, 5, "2-red-solid-oval", "2-purple-solid-oval", Verdict.OTHER),
        (2, 5, "3-red-solid-oval", "?", Verdict.UNSURE),
    ]
    assert outcome.counts == {**dict.fromkeys(Verdict, 0), Verdict.SAME: 16, Verdict.OTHER: 4, Verdict.UNSURE: 4}
    assert len(steps) == 8


def test_frames_that_are_not_settled_today_are_counted_and_not_compared(tmp_path: Path) -> None:
    recording = Recording.open(record(tmp_path / "evening", [*[ONE_SET] * 8]))
    outcome = replay(recording, lambda frame: Settled(table_of(() if frame.index < 3 else ONE_SET), held=frame.index < 3))
    assert (outcome.frames, outcome.unsettled, outcome.differences) == (5, 3, ())


@pytest.mark.parametrize(
    ("was", "now", "verdict"),
    [
        *(("a", "a", Verdict.SAME), ("a", "b", Verdict.OTHER), ("a", "?", Verdict.UNSURE), ("?", "a", Verdict.SURE)),
        *(("a", "", Verdict.GONE), ("", "?", Verdict.NEW), ("?", "?", Verdict.SAME), ("?", "", Verdict.GONE)),
    ],
)
def test_verdicts(was: str, now: str, verdict: Verdict) -> None:
    assert Difference(0, 0, 0.0, 0.0, (0, 0), was, now).verdict is verdict


def test_cards_are_paired_by_place_not_by_order() -> None:
    was = table_of(ONE_SET)
    now = Table(was.size_px, tuple(reversed(was.sightings[1:])))
    assert [(d.was, d.now) for d in compare_readings(was, now)] == [(ONE_SET[0], ""), (ONE_SET[1], ONE_SET[1]), (ONE_SET[2], ONE_SET[2])]


@pytest.mark.parametrize("as_json", [False, True])
def test_command_says_what_differs_and_its_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    folder = record(tmp_path / "evening", [ONE_SET] * 4)
    more = ["--json"] if as_json else []
    for names, code, says in (
        (ONE_SET, 0, '"same": 9' if as_json else "3 settled frames read again (1 more not settled today), 9 of 9 names the same\n"),
        (OTHER[:2], 1, '"other name": 3' if as_json else "3 of 9 names the same; 3 other name, 3 not found any more, in 2 places\n"),
    ):
        monkeypatch.setattr("visionset.vision.pipeline.read", lambda image, options, names=names: table_of(names))
        assert main(["replay", str(folder), *more]) == code
        assert says in capsys.readouterr().out


@pytest.mark.parametrize("lost", ["video-001.avi", "frames.jsonl", "layouts.jsonl"])
def test_a_recording_of_which_something_is_lost_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lost: str
) -> None:
    folder = record(tmp_path / "evening", [ONE_SET] * 4)
    names = sorted(path.name for path in folder.iterdir())
    assert lost in names
    (folder / lost).unlink()
    monkeypatch.setattr("visionset.vision.pipeline.read", lambda image, options: table_of(ONE_SET))
    assert main(["replay", str(folder)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("nothing to compare: no picture of a table that was settled then")
    assert ("4 pictures of the recording cannot be read any more" in out) is (lost == "video-001.avi")


def test_a_table_without_pieces_is_compared_without_a_count_of_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = record(tmp_path / "evening", [()] * 4)
    monkeypatch.setattr("visionset.vision.pipeline.read", lambda image, options: table_of(()))
    assert main(["replay", str(folder)]) == 0
    assert capsys.readouterr().out == "3 settled frames read again (1 more not settled today), no piece lay there\n"


def test_a_damaged_line_is_told_of_and_not_taken_for_a_misreading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = record(tmp_path / "evening", [ONE_SET, *[OTHER] * 5])
    lines = (folder / "layouts.jsonl").read_text().splitlines(keepends=True)
    (folder / "layouts.jsonl").write_text("".join(["garbage\n" if number == 1 else line for number, line in enumerate(lines)]))
    monkeypatch.setattr("visionset.vision.pipeline.read", lambda image, options: table_of(OTHER))
    assert main(["replay", str(folder)]) == 1
    told = capsys.readouterr().out
    assert "1 line of it cannot be read" in told
    for command in ("report", "bundle"):
        monkeypatch.setattr("visionset.commands.doctor.all_checks", lambda: iter(()))
        assert main([command, str(folder)]) == 0
        assert "1 line cannot be read, and what they told is missing" in capsys.readouterr().err


def test_recordings_are_read_one_after_the_other_and_a_bad_one_costs_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "a"), str(tmp_path / "b")]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 2


def test_one_recording_too_is_read_by_the_cluster_that_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(record(tmp_path / "evening", [ONE_SET] * 4)), "--cluster=nowhere"]) == 1
    assert "--cluster nowhere: expected a Dask scheduler" in capsys.readouterr().err


def test_command_tells_what_is_no_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In one line, for a bar that nobody sees leaves none."""
    assert main(["replay", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "visionset watch --record" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("pieces", [(), ("set_card",), ("card_back", "playing_card"), ("pip_die", "set_die")])
def test_a_recording_is_read_again_for_the_same_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pieces: tuple[str, ...]) -> None:
    asked: list[ReadOptions] = []

    def read(image: object, options: ReadOptions) -> Table:
        asked.append(options)
        return table_of(ONE_SET)

    monkeypatch.setattr("visionset.vision.pipeline.read", read)
    folder = record(tmp_path / "evening", [ONE_SET] * 3, Heading("camera 0", decks=2, min_confidence=0.8, pieces=pieces))
    assert main(["replay", str(folder)]) == 0
    kinds = frozenset(map(Kind, pieces)) or ReadOptions().kinds
    assert {(one.kinds, one.decks, one.min_confidence) for one in asked} == {(kinds, 2, 0.8)}


def test_old_recordings_open_and_those_of_unknown_pieces_say_so(tmp_path: Path) -> None:
    folder = record(tmp_path / "evening", [ONE_SET])
    path = folder / "recording.json"
    heading = json.loads(path.read_text())
    path.write_text(json.dumps({name: value for name, value in heading.items() if name != "pieces"}))
    assert Recording.open(folder).heading.pieces == ()
    path.write_text(json.dumps({**heading, "pieces": ["tile"]}))
    with pytest.raises(RecordError, match="got tile"):
        Recording.open(folder)
