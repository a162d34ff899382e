"""One meaning a name: no public class, alias of a type or function is called as one of another module that means something else.

A name may stand in several modules only where it means the same in each of them:

- every game's folder says in the same words what every game has (`Phase`, `Deal`, `advice_words`), and the module in `games/` that asks
  the folder of the game at hand has the name of what it asks for;
- `Cell` is a row and a column wherever cells are counted;
- every command describes and runs itself, and its actions are named alike: `add_parsers`, `run`, `run_list`.

Whatever else is found twice gets another name, or is one thing that moves to one place.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "visionset"

SAME_MEANING = (
    ("", re.compile(r"Cell")),
    ("games/", re.compile(r".*")),
    ("commands/", re.compile(r"add_parsers|run|run_(list|show|delete)")),
)
"""Where a name may stand more than once, and which names."""

GLOSSARY = Path(__file__).parents[1] / "docs" / "glossary.md"


@cache
def public_names() -> dict[str, list[str]]:
    """The modules in which each public class, alias of a type and function is defined."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if (name := defined(node)) and not name.startswith("_"):
                found[name].append(path.relative_to(PACKAGE).as_posix())
    return found


def defined(node: ast.stmt) -> str:
    """The class, the function or the alias of a type that this defines; empty for all else."""
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() | ast.BinOp()) | ast.AnnAssign(target=ast.Name(id=name)):
            return name if re.fullmatch(r"[A-Z][a-z]\w*", name) else ""
    return ""


def means_the_same(name: str, modules: list[str]) -> bool:
    return any(names.fullmatch(name) and all(module.startswith(folder) for module in modules) for folder, names in SAME_MEANING)


def test_no_public_name_has_two_meanings() -> None:
    twice = {name: modules for name, modules in public_names().items() if len(modules) > 1 and not means_the_same(name, modules)}
    assert not twice


def test_games_share_names_only_across_their_folders() -> None:
    """Within one game's folder, and among the modules that all games share, each name is there once."""
    for name, modules in public_names().items():
        places = [module.split("/")[1] for module in modules if module.startswith("games/")]
        folders = [place for place in places if not place.endswith(".py")]
        assert len(folders) == len(set(folders)), f"{name} stands twice in one game: {modules}"
        assert len(places) - len(folders) <= 1, f"{name} stands twice among what games share: {modules}"


def test_the_glossary_speaks_of_names_that_there_are() -> None:
    named = set(re.findall(r"`([A-Z]\w+)`", GLOSSARY.read_text(encoding="utf-8")))
    assert named
    unknown = named - set(public_names())
    for text in (path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")):
        if any(name in text for name in unknown):
            unknown -= {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    assert not unknown
