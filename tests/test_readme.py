"""What the README says is run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from visionset.cli import build_parser, main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


NEED_CAMERA = ("visionset watch", "visionset cameras", "visionset table --camera 0")
TESTED_ELSEWHERE = ("visionset bench", "visionset table")
"""The bench takes long; the page runs until Ctrl-C, see tests/web/test_command.py."""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def command_lines() -> list[str]:
    found = [line.partition("  #")[0].strip() for block in blocks("sh") for line in block.splitlines()]
    found += [part.strip().removeprefix(".venv/bin/") for line in found for part in line.split("&&")[1:]]
    return [line for line in found if line.startswith("visionset ")]


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the samples in it, in which commands may write."""
    if not (ROOT / "samples").is_dir():
        pytest.skip("no samples beside the tests")
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_readme_has_the_commands_that_matter() -> None:
    commands = {line.split()[1] for line in command_lines()}
    assert commands >= {"demo", "read", "watch", "cameras", "score", "bench", "doctor"}


@pytest.mark.parametrize("line", command_lines())
def test_command_lines_are_accepted(line: str) -> None:
    assert callable(build_parser().parse_args(shlex.split(line)[1:]).run)


@pytest.mark.parametrize("line", [line for line in command_lines() if line not in {*NEED_CAMERA, *TESTED_ELSEWHERE}])
def test_command_lines_work(line: str, clone: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """All but those that need a camera, and those that have tests of their own."""
    arguments = [name for word in shlex.split(line)[1:] for name in (sorted(map(str, Path().glob(word))) if "*" in word else [word])]
    assert main(arguments) == 0
    said = capfd.readouterr()
    assert said.out
    assert "Traceback" not in said.err


@pytest.mark.parametrize("line", NEED_CAMERA)
def test_without_a_camera_there_is_one_line(
    line: str, clone: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if any(Path("/dev").glob("video*")):
        pytest.skip("this machine has a camera")
    assert main(shlex.split(line)[1:]) == 1
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_library_example_runs(clone: Path) -> None:
    (code,) = blocks("python")
    assert len([line for line in code.splitlines() if line]) <= 6
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_ci_runs_the_test_command_of_the_readme() -> None:
    wanted = re.search(r"grep -m 1 '(.*?)' README.md", (ROOT / ".ci/run").read_text())
    assert wanted is not None
    found = [line for line in README.splitlines() if re.match(wanted[1], line)]
    assert len(found) == 1
    assert "pytest" in found[0]


def test_trademark_is_named_once() -> None:
    assert README.count("trademark") == 1


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)h][^)]*)\)", README):
        if target.split("/")[0] in {"docs", "samples"} and not (ROOT / target.split("/")[0]).is_dir():
            pytest.skip(f"no {target} yet")
        assert (ROOT / target).exists(), target


def test_shell_scripts_parse() -> None:
    for script in ("scripts/setup", "scripts/check", ".ci/run"):
        assert os.access(ROOT / script, os.X_OK)
        assert subprocess.run(["sh", "-n", str(ROOT / script)], check=False).returncode == 0
