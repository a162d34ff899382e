"""The pages in `docs/` speak of what there is: the picture of the layers, the files that are named, the links."""

from __future__ import annotations

import ast
import builtins
import re
import runpy
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md")] + sorted((ROOT / "docs").rglob("*.md"))
FOLDERS = ("visionset", "scripts", "tests", "examples", ".github")


def test_the_picture_of_the_architecture_is_that_of_todays_imports() -> None:
    drawing = runpy.run_path(str(ROOT / "scripts" / "draw_architecture"))
    picture = (ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8")
    assert picture == drawing["drawn"](), "run scripts/draw_architecture"
    boxes = [(int(x), int(x) + int(width)) for x, width in re.findall(r'<rect x="(-?\d+)" y="\d+" width="(\d+)"', picture)]
    assert boxes
    assert all(left >= 0 and right <= drawing["WIDTH"] for left, right in boxes), "a row is wider than the picture: part its layer in two"


def test_every_layer_has_its_row() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    rows = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for name in (name.strip() for row in rows for name in row.split("|")):
        if not name.startswith("("):
            assert f"`{name}`" in page, f"docs/architecture.md says nothing of {name}"


@pytest.fixture(scope="module")
def names() -> set[str]:
    """All that the package defines or uses by name, fields and methods among them."""
    found = {"None", *dir(builtins)}
    for path in (ROOT / "visionset").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.Name(id=name) | ast.Attribute(attr=name):
                    found.add(name)
    return found


@cache
def modules() -> set[str]:
    return {path.name for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_a_page_names_is_there(page: Path, names: set[str]) -> None:
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / link).exists(), f"a link to {link}"
    for file in re.findall(r"`([\w/]+\.py)`", text):
        assert Path(file).name in modules(), f"a module {file}"
        if "/" in file:
            assert (ROOT / file).is_file() or (ROOT / "visionset" / file).is_file(), f"a file {file}"
    for dotted in re.findall(r"`([A-Z]\w*[a-z](?:\.\w+)*)`", text):
        assert set(dotted.split(".")) <= names, f"the name {dotted}"


def test_the_page_of_the_page_has_every_module() -> None:
    page = (ROOT / "docs" / "layers" / "web.md").read_text(encoding="utf-8")
    web = ROOT / "visionset" / "web"
    for path in (*web.glob("[!_]*.py"), *(web / "static").glob("*.js")):
        assert f"`{path.name}`" in page, f"docs/layers/web.md says nothing of {path.name}"
