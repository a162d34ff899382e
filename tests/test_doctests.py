"""The examples in docstrings and on the pages of `docs/` say what the program says."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted(path for path in (ROOT / "visionset").rglob("*.py") if ">>> " in path.read_text(encoding="utf-8"))
PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if ">>> " in path.read_text(encoding="utf-8"))
LEAST = 40


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("name", [name_of(path) for path in MODULES])
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("page", [str(path.relative_to(ROOT)) for path in PAGES])
def test_examples_on_pages(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8").failed == 0


def test_there_are_examples_where_a_call_explains_more_than_prose() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [test for path in MODULES for test in finder.find(importlib.import_module(name_of(path))) if test.examples]
    assert len(found) >= LEAST
