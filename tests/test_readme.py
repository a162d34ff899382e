"""What the README says; its command lines are run by tests/test_shown_commands.py."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


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
    return tmp_path


def test_readme_has_the_commands_that_matter() -> None:
    commands = {line.split()[1] for line in command_lines()}
    assert commands >= {"demo", "read", "watch", "cameras", "score", "bench", "doctor"}


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
