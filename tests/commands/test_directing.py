"""``visionset watch --game`` on a clip, without a window."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders import clip
from tests.referee.scripted import CARDS, TRIO, Script, table
from tests.referee.tabletop import outline
from tests.report.reader import Report
from visionset.calibration import Calibration, Lens, save
from visionset.cli import build_parser, main
from visionset.commands import watching
from visionset.commands.parts import complain, say
from visionset.games.game import History
from visionset.games.pip_sets import rules as pip_sets
from visionset.games.pip_sets.rules import EndTurn, PipSetsOptions, Roll
from visionset.games.registry import GAMES, SPECS
from visionset.geometry import Frame
from visionset.kinds import kinds_of
from visionset.pieces import PACK, Kind, SetCard
from visionset.recording import Recording
from visionset.referee.director import Director
from visionset.referee.zones import ENGLISH_ZONES, Zone, Zones, ZoneUnits
from visionset.report.story import Judgement, story_of
from visionset.sample_files import samples_folder
from visionset.session import refereed, tracker_of
from visionset.session.refereed import director_of
from visionset.sources import Photos
from visionset.store import Origin, Store
from visionset.table import Sighting, Table


@pytest.fixture
def video(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rest = tuple(card for place, card in enumerate(CARDS) if place not in TRIO)
    monkeypatch.setattr("visionset.session.tracker_of", lambda options, is_live, stack: Script({0: table(CARDS), 12: table(rest)}))
    monkeypatch.setattr(refereed, "cells_of", lambda seen: (None,) * len(seen.sightings))
    return clip(tmp_path / "game.mp4", [np.full((72, 128, 3), 90, np.uint8)] * 24, fps=4.0)


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def watch(video: Path, *more: str) -> int:
    return main(["watch", str(video), "--json", "--data", str(video.parent / "data"), *more])


def script(video: Path, *said: dict[str, Any]) -> str:
    path = video.with_name("said.jsonl")
    path.write_text("\n".join(json.dumps(one) for one in said), encoding="utf-8")
    return str(path)


def test_a_clip_is_refereed_and_kept(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = script(video, {"time_s": 2.0, "say": "call", "player": 1})
    assert watch(video, "--game", "set", "--players", "Ann,Bo", "--say", said) == 0
    told = lines(capsys.readouterr().out)
    assert [one["event"]["event"] for one in told if "event" in one] == ["deal", "call", "take"]
    assert told[-1]["scores"] == [0, 1]
    assert told[-1]["is_over"] is False
    assert main(["matches", "--data", str(video.parent / "data")]) == 0
    assert "set" in capsys.readouterr().out


def test_what_was_taken_back_and_refused_is_told_as_json(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever follows the lines knows the scores at every moment, and what people are to do."""
    call = {"say": "call", "player": 1}
    said = script(
        video, {"time_s": 2.0, **call}, {"time_s": 2.1, **call, "say": "no_set"}, {"time_s": 4.9, "say": "undo"}, {"time_s": 5.2, **call}
    )
    assert watch(video, "--game", "set", "--players", "Ann,Bo", "--say", said) == 0
    told = lines(capsys.readouterr().out)
    assert [one["scores"] for one in told if "undone" in one] == [[0, 0]]
    assert any("say SET" in text for one in told for text in one.get("told", ()))
    refused = [one["refused"] for one in told if "refused" in one]
    assert "not allowed: agreement by Bo" in refused[0]
    assert told[-1]["scores"] == [0, 0]


def test_a_match_goes_on_where_it_stopped(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert watch(video, "--game", "set", "--players", "Ann,Bo") == 0
    first = lines(capsys.readouterr().out)
    assert any("Who took" in one.get("question", "") for one in first)
    assert watch(video, "--resume", "--say", script(video, {"time_s": 2.0, "say": "call", "player": 1})) == 0
    again = lines(capsys.readouterr().out)
    assert again[-1]["match"] == first[-1]["match"]
    assert [one["event"]["event"] for one in again if "event" in one] == ["call", "take"]


def test_one_player_before_set_cards_plays_solitaire(
    video: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From then on nothing is shown that nothing may follow from."""
    trackers = []

    def noted(kept: Any, earlier: Any, game_referee: Any, tracker: Any, complain: Any) -> Director:
        trackers.append(tracker)
        return director_of(kept, earlier, game_referee, tracker, complain)

    monkeypatch.setattr(refereed, "director_of", noted)
    assert watch(video, "--players", "Ann") == 0
    assert [one.options.has_glance for one in trackers] == [False]
    out, err = capsys.readouterr()
    assert "this looks like solitaire" in err
    assert [one["event"]["event"] for one in lines(out) if "event" in one] == ["deal", "take"]


def test_what_the_help_lets_players_say_is_allowed_and_complete(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["watch", "--help"])
    told = capsys.readouterr().out
    said, event = (json.loads(found) for found in re.findall(r"\{\"(?:time_s|event)\".*?\}", told))
    move = {"time_s": 2.0, "say": "move", "game": "set", "event": event}
    for one in ({**said, "time_s": 2.0}, move):
        assert watch(video, "--game", "set", "--players", "Ann,Bo,Cy", "--say", script(video, one)) == 0
        out = lines(capsys.readouterr().out)
        assert [line["event"]["event"] for line in out if "event" in line][:2] == ["deal", "agree"]
        assert all(f'"{key}"' in told for line in out for key in line)
    assert watch(video, "--game", "set", "--players", "Ann,Bo,Cy", "--say", script(video, {"say": "sing"})) == 1
    words = re.search(r"one of ([a-z_, ]+), got", capsys.readouterr().err)
    assert words is not None
    assert all(re.search(rf"^  (\w+, )*{word}\b", told, re.MULTILINE) for word in words[1].split(", "))


@pytest.mark.parametrize(("arguments", "says"), [([], "visionset table"), (["--json", "--save", "o.mp4"], "--record")])
def test_people_are_told_of_the_page(video: Path, arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(video), "--game", "solitaire", "--players", "Ann", *arguments]) == 1
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert says in error


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--hints"], "--game"),
        (["--game", "set", "--players", "Ann"], "2 to 20 players"),
        (["--game", "set", "--players", "Ann,Bo", "--preset", "none"], "a preset among"),
        (["--game", "set", "--players", "Ann,Bo", "--board", "x.toml"], "only for a game with one"),
        (["--game", "set", "--players", "Ann,Bo", "--say", "none.jsonl"], "can be read"),
        (["--resume"], "got none"),
    ],
)
def test_mistakes_cost_one_line(video: Path, arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert watch(video, *arguments) == 1
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert says in error


def test_a_script_that_makes_no_sense_is_refused(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for said in ({"time_s": 1.0, "say": "sing"}, {"say": "next"}, {"time_s": 1.0, "say": "call", "who": 1}):
        assert watch(video, "--game", "set", "--players", "Ann,Bo", "--say", script(video, said)) == 1
        assert "one of call" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--game", "cubed", "--resume"], "got none that fits"),
        (["--game", "cubed", "--resume", "1"], "expected a match of cubed, got match 1 of set"),
        (["--players", "Bo,Ann", "--resume"], "got none that fits"),
        (["--players", "Xy,Zz", "--resume", "1"], "expected the players of match 1, Ann and Bo"),
    ],
)
def test_a_match_of_another_game_or_other_people_is_not_gone_on_with(
    video: Path, arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert watch(video, "--game", "set", "--players", "Ann,Bo") == 0
    capsys.readouterr()
    assert watch(video, *arguments) == 1
    assert says in capsys.readouterr().err
    for fitting in (["--resume"], ["--resume", "1", "--game", "set", "--players", "Ann,Bo"]):
        assert watch(video, *fitting) == 0


def test_a_match_with_a_shuffled_pack_is_not_gone_on_with_before_a_camera(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = video.parent / "data"
    folder.mkdir()
    with Store(folder / "matches.sqlite3", lambda: 0.0) as store:
        match = store.begin(History.begin(GAMES["set"], None, ("Ann", "Bo")))
        assert watch(video, "--resume", "1") == 1
        assert "match 1, which is played with a shuffled pack" in capsys.readouterr().err
        store.finish(match)
    assert watch(video, "--resume", "1") == 1
    assert "match 1, which is finished" in capsys.readouterr().err


def test_every_line_of_the_output_is_json(video: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What looks like a game, which profile fits, where zones were written and that somebody stopped it is said beside it."""
    from visionset.calibration import Calibration, save

    monkeypatch.setenv("VISIONSET_CONFIG", str(video.parent))
    save(Calibration("attic", video.name, (128, 72)))
    stopping = video.with_name("stopping.toml")
    for arguments in (["--players", "Ann,Bo"], ["--game", "english-sets", "--players", "Ann,Bo", "--zones", str(stopping)]):
        assert watch(video, *arguments) == 0
        out, err = capsys.readouterr()
        assert [json.loads(line) for line in out.splitlines()]
        assert "calibrated by profile attic" in err

    def stopped(session: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("visionset.session.Session.run", stopped)
    assert watch(video, "--game", "set", "--players", "Ann,Bo") == 0
    out, err = capsys.readouterr()
    assert [json.loads(line) for line in out.splitlines()]
    assert "stopped" in err


def test_zones_are_written_once_to_be_edited(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = video.with_name("zones.toml")
    for _ in range(2):
        assert watch(video, "--game", "english-sets", "--players", "Ann,Bo", "--zones", str(path)) == 0
    assert capsys.readouterr().err.count("usual zones") == 1
    assert all(isinstance(card, SetCard) for card in CARDS)


def test_where_no_zone_is_usual_it_is_said_which_there_may_be(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = video.with_name("zones.toml")
    assert watch(video, "--game", "solitaire", "--players", "Ann", "--zones", str(path)) == 0
    told = capsys.readouterr().err
    assert "usual zones" not in told
    assert "pack or heap" in told
    shown = re.search(r"such as (pack = [^:]+):", told)
    assert shown is not None
    path.write_text(path.read_text(encoding="utf-8") + shown[1], encoding="utf-8")
    assert watch(video, "--game", "solitaire", "--players", "Ann", "--zones", str(path)) == 0
    assert Zones.load(path).zones == (Zone("pack", 0.0, 0.8, 0.3, 1.0),)


@pytest.mark.parametrize(
    ("game", "zones", "says"),
    [
        ("english-sets", '[zones]\n"hand 1" = [0, 0, 1, 1]', "expected zones named hand 2, graveyard 2, "),
        ("english-sets", str(ENGLISH_ZONES).replace("hand 2", "Hand 2"), "expected zones named hand 2, got Hand 2, "),
        ("english-sets", str(ENGLISH_ZONES.moved("pack", 50, 50, 100, 100)), "got pack from 50.0, 50.0 to 100.0, 100.0, beside it"),
        ("set", "[zones]\npack = [-2, 0, -1, 1]", "got pack from -2.0, 0.0 to -1.0, 1.0, beside it"),
        ("set", str(ENGLISH_ZONES), "got hand 2, graveyard 2, starter, graveyard 1, hand 1 of another; name another file"),
        ("cubed", str(ENGLISH_ZONES), "expected a game with zones for --zones, got cubed; leave --zones out"),
    ],
    ids=["missing", "misspelt", "in percent", "beside the picture", "of another game", "of a game without"],
)
def test_zones_by_which_no_game_can_be_followed_are_refused(
    game: str, zones: str, says: str, video: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = video.with_name("zones.toml")
    path.write_text(zones, encoding="utf-8")
    assert watch(video, "--game", game, "--players", "Ann,Bo", "--zones", str(path)) == 1
    refused = capsys.readouterr().err
    assert says in refused
    assert refused.count("\n") == 1
    assert main(["matches", "--data", str(video.parent / "data")]) == 0
    assert "Ann" not in capsys.readouterr().out


def test_where_nothing_can_be_recorded_no_match_is_begun(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert watch(video, "--game", "set", "--players", "Ann,Bo", "--record", str(video)) == 1
    assert "expected a folder to write to, got a file" in capsys.readouterr().err
    assert main(["matches", "--data", str(video.parent / "data")]) == 0
    assert "Ann" not in capsys.readouterr().out


def test_zones_that_people_name_themselves_are_theirs(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = video.with_name("zones.toml")
    ENGLISH_ZONES.moved("beer mats", 0.9, 0.45, 1.2, 0.55).save(path)
    assert watch(video, "--game", "english-sets", "--players", "Ann,Bo", "--zones", str(path)) == 0


PLANE = (0.5, 0.0, 640.0, 0.0, 0.5, 360.0, 0.0, 0.0, 1.0)
"""Two millimetres of the table a pixel, its middle in the middle of the picture."""


def hands_of_four(upper_mm: float, lower_mm: float) -> Table:
    """Two hands of cards, so far below the middle of the table."""
    rows = enumerate((upper_mm, lower_mm))
    places = [(4 * row + place, (640.0 + 80 * (place - 1.5), 360.0 + mm / 2)) for row, mm in rows for place in range(4)]
    kind = Kind.PLAYING_CARD
    seen = tuple(Sighting(kind, outline(kind, at), PACK[5 * number], 1.0, None, number) for number, at in places)
    return Table((1280, 720), seen)


def test_zones_in_millimetres_lie_where_the_profile_of_the_camera_has_the_table(
    video: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The hands lie 300 mm above and below the middle, in the zones that the file draws there; no shares of a picture fit."""
    monkeypatch.setenv("VISIONSET_CONFIG", str(video.parent))
    monkeypatch.setattr("visionset.session.tracker_of", lambda options, is_live, stack: Script({0: hands_of_four(-300.0, 300.0)}))
    boxes = {"hand 2": (-900, -400, 900, -200), "graveyard 2": (-900, -200, 900, -100), "pack": (-900, -100, -400, 100)}
    boxes |= {"starter": (-400, -100, 900, 100), "graveyard 1": (-900, 100, 900, 200), "hand 1": (-900, 200, 900, 400)}
    zones = video.with_name("zones.toml")
    Zones(tuple(Zone(name, *map(float, box)) for name, box in boxes.items()), ZoneUnits.TABLE).save(zones)
    told = ("--game", "english-sets", "--players", "Ann,Bo", "--zones", str(zones))
    assert watch(video, *told) == 1
    assert "expected a calibrated camera" in capsys.readouterr().err
    lens = Lens((900.0, 900.0), (640.0, 360.0))
    save(Calibration("table", "game.mp4", (128, 72), lens=lens, image_from_table=PLANE), video.parent)
    assert watch(video, *told) == 0
    assert [one["event"]["event"] for one in lines(capsys.readouterr().out) if "event" in one] == ["deal"]


@pytest.mark.parametrize("game", SPECS)
def test_a_game_looks_for_the_pieces_it_is_played_with(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr("visionset.vision.pipeline.read", lambda image, options: asked.append(options.kinds) or Table((64, 48)))
    args = build_parser().parse_args(["watch", "--game", game, "--players", "Ann,Bo"])
    source = Photos([samples_folder() / "one-card.jpg"])
    for name in (game, None):
        options = refereed.for_game(refereed.calibrated(watching.watch_options(args).session, source, None, say, complain), name)
        with ExitStack() as stack:
            tracker = tracker_of(options, False, stack)
            tracker.see(Frame(np.zeros((48, 64, 3), np.uint8)))
        assert tracker.options.has_glance == (name is None), "what a referee judges by is no glance"
    assert asked[0] == kinds_of(SPECS[game].pieces)
    assert asked[-1] == frozenset(Kind)


def test_a_recorded_game_is_reported_with_its_scores(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, page = video.with_name("evening"), video.with_name("page.html")
    said = script(video, {"time_s": 2.0, "say": "call", "player": 1})
    assert watch(video, "--game", "set", "--players", "Ann,Bo", "--say", said, "--record", str(folder)) == 0
    told = [one["event"] for one in lines(capsys.readouterr().out) if "event" in one]
    recording = Recording.open(folder)
    assert [one.event for one in recording.events] == told
    assert [one.scores for one in recording.events] == [(0, 0), (0, 0), (0, 1)]
    assert (recording.heading.game, recording.heading.players, recording.heading.pieces) == ("set", ("Ann", "Bo"), ("set_card",))
    assert len(recording.pictures) == 24
    story = story_of(recording)
    assert story.trouble == ""
    assert [(taking.player, taking.judgement) for taking in story.takings] == [(1, Judgement.KEPT)]
    assert main(["report", str(folder), "--out", str(page)]) == 0
    assert Report(page.read_text(encoding="utf-8")).rows("score") == [["Bo", "1", "1", "0"], ["Ann", "0", "0", "0"]]


def test_the_recording_of_a_match_that_goes_on_begins_with_what_happened_before(video: Path) -> None:
    folder = video.with_name("evening")
    assert watch(video, "--game", "set", "--players", "Ann,Bo") == 0
    said = script(video, {"time_s": 2.0, "say": "call", "player": 1})
    assert watch(video, "--resume", "--say", said, "--record", str(folder)) == 0
    story = story_of(Recording.open(folder))
    assert (story.trouble, story.scores[-1][1]) == ("", (0, 1))


def test_how_a_match_stands_is_told_however_it_ends(
    video: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from visionset.errors import SourceError
    from visionset.session import Session

    def lost(self: Session) -> None:
        raise SourceError("expected a camera, got none")

    monkeypatch.setattr(Session, "step", lost)
    assert watch(video, "--game", "set", "--players", "Ann,Bo") == 1
    said = capsys.readouterr()
    assert lines(said.out)[-1]["match"] == 1
    assert "expected a camera" in said.err.splitlines()[-1]


def test_the_place_among_all_games_is_told_before_a_camera_too(
    video: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """P6: of all games in the store, with a shuffled pack or before a camera; those of simple players and broken off ones do not count."""
    options, end = PipSetsOptions(turns=1), EndTurn(0)
    with Store(video.parent / "data" / "matches.sqlite3", lambda: 0.0) as store:
        for names, bots, origin, values, is_whole in (
            (("Cy",), (), Origin.VIRTUAL, (1, 1), True),
            (("Bot 1",), ("Bot 1",), Origin.VIRTUAL, (1, 1), True),
            (("Di",), (), Origin.CAMERA, (6, 6), True),
            (("Ann",), (), Origin.CAMERA, (5, 6), False),
            (("Ann",), (), Origin.CAMERA, (5, 6), False),
        ):
            match = store.begin(History.begin(pip_sets.GAME, options, names), bots, origin)
            match = store.append(match, Roll(values))
            if is_whole:
                store.append(match, end)
    said = script(video, {"time_s": 1.0, "say": "move", "game": "sets-dice", "event": end.to_json()})
    assert watch(video, "--resume", "5", "--say", said) == 0
    assert lines(capsys.readouterr().out)[-1]["places"] == [2]
