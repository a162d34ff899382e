"""Exports of matches that somebody else wrote: imported by the rules, or refused in one line."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.hostile.damage import as_json, damaged, torn
from tests.hostile.runs import Runs
from tests.hostile.test_recordings import ODD_JSON
from visionset.cli import main
from visionset.games.registry import GAMES


def exported(game: str, folder: Path, capsys: pytest.CaptureFixture[str], seed: int = 5) -> list[str]:
    """The log of a match of simple players."""
    assert main(["play", game, "--virtual", "--bots", "--seed", str(seed), "--data", str(folder)]) == 0
    capsys.readouterr()
    assert main(["matches", "export", "1", "--data", str(folder)]) == 0
    return capsys.readouterr().out.splitlines()


def import_all(count: int, game: str, seed: int, tmp_path: Path, runs: Runs, capsys: pytest.CaptureFixture[str]) -> None:
    lines = exported(game, tmp_path / game, capsys)[:40]
    rng = random.Random(seed)
    path, data = tmp_path / "bad.jsonl", tmp_path / "data"
    for number in range(count):
        # every line is damaged as often as every other, with what lies before it
        at = number % len(lines)
        spoilt: str | bytes = lines[at].encode()
        spoilt = torn(rng, lines[at].encode()) if rng.random() < 0.25 else as_json(damaged(rng, json.loads(lines[at]), ODD_JSON))
        text = spoilt if isinstance(spoilt, bytes) else spoilt.encode("utf-8", "surrogatepass")
        path.write_bytes(b"".join(line.encode() + b"\n" for line in lines[:at]) + text + b"\n")
        if runs("matches", "import", path, "--data", data) == 0:
            assert runs("matches", "show", "1", "--data", data) == 0
            assert runs("matches", "list", "--data", data) == 0
            assert runs("matches", "delete", "1", "--yes", "--data", data) == 0
            for file in data.iterdir():
                file.unlink()


@pytest.mark.parametrize("game", GAMES)
def test_hostile_imports(game: str, tmp_path: Path, runs: Runs, capsys: pytest.CaptureFixture[str]) -> None:
    import_all(8, game, 1, tmp_path, runs, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_three_thousand_hostile_imports(game: str, tmp_path: Path, runs: Runs, capsys: pytest.CaptureFixture[str]) -> None:
    import_all(430, game, 2, tmp_path, runs, capsys)


def test_scores_that_disagree_with_the_rules_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = exported("set", tmp_path / "set", capsys)
    changed = [json.loads(line) for line in lines]
    changed[4]["scores"] = [99, 0]
    changed[-1]["scores"] = [77, 3]
    (tmp_path / "changed.jsonl").write_text("".join(json.dumps(line) + "\n" for line in changed))
    assert main(["matches", "import", str(tmp_path / "changed.jsonl"), "--data", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert "2 of its entries" in err
    assert "entry 4" in err
    assert "99 0" in err
    assert "the rules" in err
    assert "77" not in out
    assert main(["matches", "export", "1", "--data", str(tmp_path)]) == 0
    assert [json.loads(line)["scores"] for line in capsys.readouterr().out.splitlines()] == [json.loads(line)["scores"] for line in lines]
    (tmp_path / "same.jsonl").write_text("\n".join(lines))
    assert main(["matches", "import", str(tmp_path / "same.jsonl"), "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("source", ["/dev/zero", ".", "a\0b", "nowhere"])
def test_what_is_no_file_is_not_imported(source: str, tmp_path: Path, runs: Runs) -> None:
    assert runs("matches", "import", source, "--data", tmp_path) == 1


def test_a_log_without_end_is_refused(tmp_path: Path, runs: Runs, capsys: pytest.CaptureFixture[str]) -> None:
    lines = exported("solitaire", tmp_path / "set", capsys)
    undo = json.dumps({"entry": "undo", "written_s": 1.0, "scores": [0], "is_over": False})
    (tmp_path / "long.jsonl").write_text("\n".join([*lines[:2], *[undo, lines[1]] * 3000]))
    assert runs("matches", "import", tmp_path / "long.jsonl", "--data", tmp_path) == 1
