"""What docs/adding-a-game.md promises to games of other packages is there, and a game of another package needs no more than that."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

from visionset.games.base import State
from visionset.games.registry import SPECS
from visionset.games.spec import PARTS
from visionset.referee.game_referee import GameReferee

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
PROMISED = {
    module: re.findall(r"`(\w+)`", names) for module, names in re.findall(r"^\| `(visionset[\w.]*)` \| (.*) \|$", PAGE, flags=re.MULTILINE)
}
SIGNATURES = {
    f"{module}.{name}": [one.strip() for one in parameters.split(",")]
    for module, parts in re.findall(r"^\| `(\w+)\.py` \| (`\w+\(.*) \|$", PAGE, flags=re.MULTILINE)
    for name, parameters in re.findall(r"`(\w+)\(([^)]*)\)`", parts)
}


@pytest.mark.parametrize("module", sorted(PROMISED))
def test_what_is_promised_can_be_imported(module: str) -> None:
    there = vars(import_module(module))
    assert PROMISED[module]
    assert not [name for name in PROMISED[module] if name not in there]


@pytest.mark.parametrize("owner", [State, GameReferee])
def test_methods_that_are_promised_are_there_and_described(owner: type) -> None:
    (told,) = re.findall(rf"Of a `{owner.__name__}`[^:]*:(.*?)\.(?:\s|$)", PAGE, flags=re.DOTALL)
    names = re.findall(r"`(\w+)`", told)
    assert names
    assert not [name for name in names if not hasattr(owner, name) and name not in owner.__annotations__]
    own = {name for name, what in vars(owner).items() if callable(what) and not name.startswith("_")}
    if owner is GameReferee:
        assert not own - set(names), "every method that a game may answer is promised"


def test_every_part_that_is_called_has_its_signature_on_the_page() -> None:
    called = {f"{module}.{name}" for module, name, _ in PARTS.values() if name.islower()}
    assert set(SIGNATURES) == called
    for module, name, what in PARTS.values():
        if name.islower():
            assert what.startswith(f"{name}({', '.join(SIGNATURES[f'{module}.{name}'])})")


@pytest.mark.parametrize("game", sorted(SPECS))
def test_the_parts_of_a_game_take_what_is_promised(game: str) -> None:
    for part, (module, name, _) in PARTS.items():
        found = SPECS[game].find(part)
        if name.islower() and found is not None:
            assert list(inspect.signature(found).parameters) == SIGNATURES[f"{module}.{name}"], (game, part)


def test_a_game_of_another_package_needs_no_more() -> None:
    for path in sorted((ROOT / "tests" / "data" / "ghost_set").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("visionset"):
                assert {one.name for one in node.names} <= set(PROMISED.get(node.module or "", [])), (path.name, node.module)
