"""All games by name: those in folders beside this module, and those that other packages declare as `visionset.games`.

A game is found by the entry point group of that name. Ours are declared there too, but found by their folders, so that a checkout that
was never installed has them; nothing names a game twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from visionset.errors import GameError
from visionset.games.spec import GameSpec

if TYPE_CHECKING:
    from visionset.games.game import Game

GROUP = "visionset.games"
"""Group of entry points, each ``name = "package:SPEC"``."""

T = TypeVar("T")


def _ours() -> Iterator[GameSpec]:
    import pkgutil

    import visionset.games as here

    for module in pkgutil.iter_modules(here.__path__, f"{GROUP}."):
        spec = getattr(import_module(module.name), "SPEC", None) if module.ispkg else None
        if spec is not None:
            yield spec


@cache
def found() -> Mapping[str, Callable[[], object]]:
    """Find all games: how the `GameSpec` of each is loaded, by name in the order of the alphabet.

    Raises `GameError` where two packages have a game of the same name.
    """
    from importlib.metadata import entry_points

    games: dict[str, tuple[str, Callable[[], object]]] = {spec.name: (spec.package, lambda spec=spec: spec) for spec in _ours()}  # type: ignore[misc]
    for point in entry_points(group=GROUP):
        if point.module.startswith(f"{GROUP}."):
            continue
        package, _ = games.setdefault(point.name, (point.module, point.load))
        if package != point.module:
            raise GameError(f"expected one game named {point.name}, got those of {package} and {point.module}; remove one package")
    return {name: load for name, (_, load) in sorted(games.items())}


def _spec(name: str) -> GameSpec:
    try:
        spec = found()[name]()
    except (Exception, SystemExit) as error:  # whatever is wrong with a package of others
        raise GameError(f"game {name}: expected a package that loads, got {error}; mend or remove it") from error
    if not isinstance(spec, GameSpec) or spec.name != name:
        raise GameError(f"game {name}: expected a GameSpec of this name, got {spec!r:.80}; mend or remove its package")
    return spec


def _game(name: str) -> Game:
    from visionset.games.game import Game

    game = SPECS[name].part("game")
    if not isinstance(game, Game):
        raise GameError(f"game {name}: expected GAME to be a Game, got {game!r:.80}; mend or remove its package")
    return game


class _ByName(Mapping[str, T]):
    """Something of each game, loaded when it is asked for."""

    def __init__(self, load: Callable[[str], T]) -> None:
        self._load = load

    def __getitem__(self, name: str) -> T:
        if name not in found():
            raise KeyError(f"expected a game among {', '.join(found())}; got {name!r:.80}")
        return self._load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(found())

    def __len__(self) -> int:
        return len(found())

    def __contains__(self, name: object) -> bool:
        return name in found()


SPECS: Mapping[str, GameSpec] = _ByName(_spec)
"""Every game as it is found, by the name that the command line uses."""

GAMES: Mapping[str, Game] = _ByName(_game)
"""The rules of every game, by the same names."""


def sound() -> tuple[tuple[Game, ...], tuple[GameError, ...]]:
    """Give the games that load with their rules, and what is wrong with the others: one package that is broken costs no other game."""
    games: list[Game] = []
    faults: list[GameError] = []
    for name in GAMES:
        try:
            game = GAMES[name]
            _ = game.rules
            games.append(game)
        except GameError as error:
            faults.append(error)
    return tuple(games), tuple(faults)
