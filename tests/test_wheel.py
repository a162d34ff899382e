"""What is built for others: its metadata, its contents, and that it works where no checkout is near."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST_BYTES = 25 << 20
MOST_BYTES_OF_SOURCE = 40 << 20
"""The sdist holds the samples, the pictures of the docs and the recordings of the tests too."""

pytestmark = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="built from a checkout")


def build(kind: str, folder: Path) -> Path:
    """A wheel or an sdist of the checkout."""
    pytest.importorskip("uv", reason="needs uv")
    from uv import find_uv_bin

    subprocess.run([find_uv_bin(), "build", "--quiet", f"--{kind}", "--out-dir", str(folder), str(ROOT)], check=True)
    (built,) = (path for path in folder.iterdir() if path.suffix in (".whl", ".gz"))
    return built


def test_metadata_is_complete() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {"description", "readme", "license", "license-files", "requires-python", "authors", "keywords", "classifiers"} <= set(project)
    assert project["authors"] == [{"name": "the visionset authors"}]
    versions = {line.rpartition(" ")[2] for line in project["classifiers"] if re.search(r"Python :: 3\.\d+$", line)}
    assert versions == {"3.11", "3.12", "3.13", "3.14"}
    for line in (*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)):
        assert ">=" in line or line.startswith("visionset["), line  # a lower bound that somebody has tried
    assert len(project["description"]) <= 120


SAID = """# Changes

## 0.1.0, not yet released

- What is new.
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository of its own with the script in it; its checks and its build leave a file each, or fail where `broken` names them."""
    files = {
        ".gitignore": "/.venv\n/dist\n/broken\n",
        "CHANGELOG.md": SAID,
        "visionset/__init__.py": '__version__ = "0.1.0"\n',
        "scripts/release": (ROOT / "scripts" / "release").read_text(encoding="utf-8"),
        "scripts/check": "#!/bin/sh\n! grep -q check broken\n",
        ".venv/bin/uv": "#!/bin/sh\n! grep -q build broken && mkdir dist && cp visionset/__init__.py dist\n",
        "broken": "",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
    for words in (["init"], ["config", "user.name", "A"], ["config", "user.email", "a@b.c"], ["add", "."], ["commit", "-m", "Begin"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def release(repository: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, repository / "scripts" / "release", *words], capture_output=True, text=True, check=False)


def of_git(repository: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=repository, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")
def test_a_release_is_whole_or_nothing_is_changed(repository: Path) -> None:
    done = release(repository, "0.2.0", "--dry-run")
    assert (done.returncode, done.stderr) == (0, "")
    assert [word for word in ("check --all", "git commit", "build", "git tag") if word not in done.stdout] == []
    assert "CHANGELOG.md: ## 0.2.0, " in done.stdout
    for version in ("0.0.1", "1.0", "v1.0.0"):
        refused = release(repository, version)
        assert (refused.returncode, refused.stderr[:27]) == (1, "release: expected a version")
    for step in ("check", "build"):
        (repository / "broken").write_text(step)
        assert release(repository, "0.2.0").returncode == 1
        assert of_git(repository, "status", "--porcelain") + of_git(repository, "tag") == ""
        assert (repository / "CHANGELOG.md").read_text() == SAID
    (repository / "broken").write_text("")
    assert (release(repository, "0.2.0").returncode, of_git(repository, "tag")) == (0, "v0.2.0\n")
    assert of_git(repository, "log", "--format=%s", "v0.2.0") == "Release 0.2.0\nBegin\n"
    assert (repository / "dist" / "__init__.py").read_text() == '__version__ = "0.2.0"\n'
    assert "## 0.2.0, 20" in (repository / "CHANGELOG.md").read_text()
    assert "not yet released" in release(repository, "0.3.0").stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an empty environment with the wheel and its extra ``web`` alone."""
    from uv import find_uv_bin

    place = tmp_path_factory.mktemp("fresh") / "venv"
    subprocess.run([find_uv_bin(), "venv", "--quiet", "--python", sys.executable, str(place)], check=True)
    subprocess.run([find_uv_bin(), "pip", "install", "--quiet", "--python", str(place), f"{wheel}[web]"], check=True)
    return place / ("Scripts" if sys.platform == "win32" else "bin")


def run(program: Path, *words: str, cwd: Path, **kwargs: object) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VISIONSET"))}
    env |= {"VISIONSET_DATA": str(cwd / "data"), "VISIONSET_CONFIG": str(cwd / "config")}
    return subprocess.run([program, *words], cwd=cwd, env=env, capture_output=True, text=True, check=False, **kwargs)  # type: ignore[call-overload, no-any-return]


@pytest.mark.slow
def test_wheel_is_small_and_holds_what_the_first_command_needs(wheel: Path) -> None:
    assert wheel.stat().st_size < MOST_BYTES
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = Parser().parsestr(archive.read(next(name for name in names if name.endswith("METADATA"))).decode())
    assert {"visionset/samples/round-1280x720.mp4", "visionset/web/static/index.html", "visionset/py.typed"} <= set(names)
    assert not [name for name in names if name.startswith(("tests/", "docs/", "scripts/"))]
    assert metadata["Name"] == "visionset"
    assert set(metadata.get_all("Provides-Extra")) >= {"web", "print", "render", "cameras"}
    assert metadata["Description-Content-Type"] == "text/markdown"


@pytest.mark.slow
def test_sdist_can_be_built_from_again(tmp_path: Path) -> None:
    sdist = build("sdist", tmp_path / "sdist")
    assert sdist.stat().st_size < MOST_BYTES_OF_SOURCE
    from uv import find_uv_bin

    subprocess.run([find_uv_bin(), "build", "--quiet", "--wheel", "--out-dir", str(tmp_path / "again"), str(sdist)], check=True)
    assert list((tmp_path / "again").glob("*.whl"))


@pytest.mark.slow
def test_wheel_works_where_no_checkout_is_near(installed: Path, tmp_path: Path) -> None:
    visionset = installed / "visionset"
    demo = run(visionset, "demo", cwd=tmp_path)
    assert (demo.returncode, demo.stderr) == (0, "")
    assert (tmp_path / "visionset-demo" / "demo.mp4").exists()
    found = run(installed / "python", "-c", "from visionset.sample_files import *; print(samples_folder())", cwd=tmp_path).stdout.strip()
    assert not Path(found).is_relative_to(ROOT)
    read = run(visionset, "read", "--json", f"{found}/table-12.jpg", cwd=tmp_path)
    assert [len(json.loads(read.stdout)[key]) for key in ("pieces", "sets")] == [12, 2]
    play = run(visionset, "play", "solitaire", "--virtual", "--bots", cwd=tmp_path)
    assert (play.returncode, play.stderr) == (0, "")
    assert run(visionset, "doctor", cwd=tmp_path).returncode == 0
    missing = run(visionset, "print", "deck", cwd=tmp_path)
    assert missing.returncode == 1
    assert "visionset[print]" in missing.stderr
    assert len(missing.stderr.splitlines()) == 1


@pytest.mark.slow
def test_page_of_the_wheel_answers(installed: Path, tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VISIONSET"))}
    env |= {"VISIONSET_DATA": str(tmp_path / "data"), "VISIONSET_CONFIG": str(tmp_path / "config")}
    words = [str(installed / "visionset"), "table", "--no-browser"]
    with subprocess.Popen(words, cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True) as table:
        try:
            assert table.stdout is not None
            address = next(found[0] for line in table.stdout if (found := re.search(r"http://[\d.:]+", line)))
            with urllib.request.urlopen(address, timeout=30) as answer:
                assert b"visionset" in answer.read().lower()
        finally:
            table.terminate()
