"""``visionset advise``: hints, odds and best plays."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from visionset.commands.language import add_language_option, speak_as_wanted
from visionset.commands.parts import Subparsers, add_command, complain, say
from visionset.commands.terminal import Parser
from visionset.errors import GameError, RecordError, RuleError
from visionset.games.registry import SPECS
from visionset.pieces import Kind
from visionset.untrusted import json_of, text_of

if TYPE_CHECKING:
    from visionset.games.advice import AdviceCommand

_MORE = """\
examples
  visionset advise odds                                        how often there is no SET
  visionset advise set 1-red-solid-oval 2-red-solid-oval '?' 3-red-solid-oval --level 4
  visionset advise set table.jpg --level 2                     about the cards in a photo
  visionset advise sets-dice --sheet 1,2,1,2,1,1               the best play after the first roll, a 2 and a 4
  visionset advise scramble 1-red-oval 2-red-oval wild         the most SETs
  visionset advise cubed end.json                              for a state of any game that visionset play --save wrote
"""


class _Subjects:
    """What is advised about; games are looked for only where somebody asks."""

    def __iter__(self) -> Iterator[str]:
        return (about for about, _ in self.with_games())

    def with_games(self) -> Iterator[tuple[str, str]]:
        """Each with the game that advises about it; one that does not load says so when it is asked, and costs no other game."""
        for game in SPECS:
            yield game, game
            with suppress(GameError):
                yield from ((about, game) for about in SPECS[game].advises)


def add_parsers(subparsers: Subparsers) -> None:
    """Add ``visionset advise``."""
    advise = add_command(subparsers, "advise", run_advise, _MORE)
    advise.add_argument("about", choices=_Subjects(), metavar="GAME", help="%(choices)s")
    told = "a state that visionset play --save wrote, NAME.json, or what visionset advise GAME --help says"
    advise.add_argument("words", nargs=argparse.REMAINDER, metavar="...", help=told)


def run_advise(args: argparse.Namespace) -> int:
    """Print the advice of a game."""
    command = _command(args.about, args.words)
    about = command.about[0].upper() + command.about[1:] + "."
    parser = Parser(prog=f"visionset advise {args.about}", description=about)
    command.add_arguments(parser)
    add_language_option(parser)
    words = args.words if command.reads is None else [name for word in args.words for name in _read(word, command.reads)]
    told = parser.parse_args(words)
    if "language" in told:
        speak_as_wanted(told)
    for line in command.answer(told):
        say(line)
    return 0


def _command(about: str, words: Sequence[str]) -> AdviceCommand:
    """The game's own command, else, and where a file with a state is named, advice for a state of it."""
    from visionset.games.advice import AdviceCommand

    game = dict(_Subjects().with_games())[about]
    own = SPECS[game].find("command") or {}
    is_state = about == game and any(word.lower().endswith(".json") for word in words)
    return (None if is_state else own.get(about)) or AdviceCommand(
        f"advice for a state of {game}", _add_state, lambda args: _about_state(game, args.state)
    )


def _read(word: str, kind: Kind) -> list[str]:
    """The names of the pieces of a photo; ``?`` for a card that could not be read. What is no file names a piece, or is an option."""
    path = Path(word)
    if word.startswith("-") or not path.is_file():
        from visionset.sources.picture_file import PICTURE_ENDINGS

        if path.suffix.lower() in PICTURE_ENDINGS:
            raise RecordError(f"{word}: expected a photo or the name of a piece, got no such file; check the name")
        return [word if kind is Kind.PLAYING_CARD else word.lower()]  # a WILD is written so on its die
    from visionset.kinds import DICE, KIND_SPECS
    from visionset.sources.picture import read_picture
    from visionset.vision import pipeline
    from visionset.vision.options import ReadOptions

    seen = pipeline.read(read_picture(path), ReadOptions()).sightings
    there = [one for one in seen if one.kind is kind]
    if not there:
        wanted = KIND_SPECS[kind].choice.replace("-", " ").replace("set", "SET")
        raise RecordError(f"expected {wanted} in {word}, got none; name them instead, or take a closer picture")
    unread = sum(one.piece is None for one in there)
    if unread and kind in DICE:
        complain(f"{word}: {unread} of {len(there)} dice could not be read and are left out")
    names = ["?" if one.piece is None else str(one.piece) for one in there if one.piece is not None or kind not in DICE]
    say(f"{word}: {' '.join(names)}")
    return names


def _add_state(parser: argparse.ArgumentParser) -> None:
    told = "state as JSON, as visionset play --save writes it; - for standard input"
    parser.add_argument("state", type=Path, metavar="STATE", help=told)


def _about_state(game: str, path: Path) -> Iterator[str]:
    from visionset.games.advice import advice_words

    state = SPECS[game].part("game").parse_state(_read_json(path))
    for finding in state.findings:
        yield f"impossible: {finding}"
    if state.findings:
        raise RuleError("expected a state that the rules allow, got none, about which there is no advice; correct it")
    spec = SPECS[game]
    yield from spec.given("in_full", Iterable, state) if spec.find("in_full") else (str(advice_words(state, getattr(state, "current", 0))),)


def _read_json(path: Path) -> Any:
    text = text_of(path)
    try:
        return json_of(text)
    except RecordError as error:
        raise RecordError(f"expected a state as JSON in {path}, got something else; write one with `visionset play --save`") from error
