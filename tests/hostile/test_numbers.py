"""Numbers that no command means: a line that says so, at once, and no file."""

from __future__ import annotations

from pathlib import Path

import pytest

import visionset
from tests.hostile.test_recordings import good_recording
from visionset.cli import main

TABLE = str(Path(visionset.__file__).parents[1] / "samples" / "table-12.jpg")
HUGE = "99999999999999999999"
GAME = ("--virtual", "--bots")

SIDES = (("nan", "88"), ("0", "0"), ("inf", "88"), ("-57", "87"), ("1e300", "1"))
SHEETS = ("-1,0,0,0,0,0", f"{HUGE},0,0,0,0,0", "1,2", "nan,1,1,1,1,1", "1,1,1,1,1,1e3")
SEEDS = (("advise", "set", "1-red-solid-oval", "--seed", HUGE), ("play", "scramble", *GAME, "--seed", f"-{HUGE}", "--new"))

WRONG = [
    *(("matches", action, HUGE) for action in ("show", "export", "finish", "delete")),
    *(("matches", "show", number) for number in ("-1", "0", "1.5", "nan", "x", "9" * 5000)),
    *(("play", "--resume", number) for number in (HUGE, "0", "-1", "²")),
    *(("watch", "--resume", number) for number in (HUGE, "-5")),
    *(("watch", "--camera", number) for number in ("99999999999999", HUGE, "-1", "nan", "9" * 5000)),
    *(("calibrate", action, "--camera", "99999999999999") for action in ("lens", "cards", "deck", "check")),
    *(("calibrate", "cards", "--card-mm", *sides, TABLE) for sides in SIDES),
    *(("calibrate", "check", "--frames", number, TABLE) for number in ("0", "-1", "1.5")),
    *(("bundle", "recording", "--seconds", number) for number in ("nan", "inf", "0", "-1", "x")),
    *(("render", "grid", "--size", size) for size in ("0x0", "1x1", "99999x99999", f"{HUGE}x1", "²x²", "-1x5")),
    *(("render", "grid", "--count", number) for number in ("-1", HUGE, "1000000")),
    *(("render", "grid", "--seed", number) for number in ("-1", "x")),
    *(("render", "grid", "--pictures", number) for number in ("0", "-1", HUGE)),
    *(("render", "roll", "--frames", number) for number in ("0", "-1", HUGE)),
    *(("read", TABLE, "--decks", number) for number in ("0", "-1", HUGE, "nan")),
    *(("read", TABLE, "--min-confidence", number) for number in ("nan", "inf", "-1", "2", "1e999")),
    *(("bench", "--live", number) for number in ("nan", "inf", "0", "-1", "1e300")),
    *(("bench", "--soak", number) for number in ("nan", "inf", "0", "-1", "1e300")),
    *(("advise", "odds", "--rounds", number) for number in ("0", "-1", HUGE)),
    *(("advise", "sets-dice", "--sheet", sheet) for sheet in SHEETS),
    *(("advise", "sets-dice", "--sheet", "1,1,1,1,1,1", "--closed", rows) for rows in ("0", "7", "-1", HUGE)),
    *(("advise", "sets-dice", "--turns-left", number) for number in ("0", "-1", "11", HUGE)),
    *(("advise", "sets-dice", "--games", number) for number in ("0", "-1", HUGE)),
    ("advise", "set", "1-red-solid-oval", "--level", "5"),
    *(("advise", "set", "1-red-solid-oval", option, "x") for option in ("--level", "--seed")),
    *(("play", "set", *GAME, "--seed", number) for number in ("x", "1.5", "9" * 5000)),
    *(("play", "set", *GAME, number) for number in (HUGE, "21", "-7")),
    ("play", "set", "--virtual", "--players", ",".join(str(number) for number in range(1000))),
]


@pytest.mark.parametrize("words", WRONG, ids=lambda words: " ".join(words)[:60])
def test_a_number_that_nobody_means_is_refused(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VISIONSET_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path / "config"))
    if "recording" in words:
        good_recording(tmp_path / "recording")
    try:
        code = main(list(words))
    except SystemExit as left:
        code = int(left.code or 0)
    err = capsys.readouterr().err
    assert code in (1, 2)
    told = [line for line in err.splitlines() if line.startswith("visionset")]
    assert len(told) == 1
    assert "invalid int value" not in told[0]  # words of Python
    assert code == 2 or len(err.splitlines()) == 1
    assert {path.name for path in tmp_path.iterdir()} <= {"data", "config", "recording"}


@pytest.mark.parametrize("words", SEEDS, ids=" ".join)
def test_any_seed_is_one(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISIONSET_DATA", str(tmp_path))
    assert main(list(words)) == 0
