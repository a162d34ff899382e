#!/usr/bin/env python3
"""Write into the pages of docs/ what the program knows better than we do: rules, what the referee says, odds, what a command answers.

scripts/docs_made.py            write it again
scripts/docs_made.py --quick    the same without what takes long to count (odds)
scripts/docs_made.py --check    say what is no longer true but for odds, and end with 1

A page holds `<!-- made: WHAT -->` and `<!-- end -->`; what stands between them is ours. A page that ends with .de.md is written in German.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import docs_odds

from visionset.cli import main as visionset
from visionset.games.game import Game
from visionset.games.house import settable
from visionset.games.registry import GAMES
from visionset.kinds import PIECE_TYPES
from visionset.messages import Message, at_table, speaking
from visionset.pieces import Kind

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
WORDS: dict[str, Any] = tomllib.loads((ROOT / "scripts" / "docs_words.toml").read_text(encoding="utf-8"))
MARK = re.compile(r"(?<=<!-- made: )([^\n]+?)( -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)


def say(name: str, language: str) -> str:
    """One of our own words."""
    return str(WORDS["page"][name][language])


def facts(game: Game, language: str) -> Iterator[str]:
    """Who plays and with what."""
    yield f"**{_seats(game)}** · {WORDS['with'][game.name][language]}"


def games(language: str) -> Iterator[str]:
    """All games, each with a link to its page."""
    yield f"| {say('game', language)} | {say('players', language)} | {say('with', language)} |"
    yield "|---|---|---|"
    for name, words in WORDS["with"].items():
        game = GAMES[name]
        yield f"| [{game.title}]({name}.md) | {_seats(game)} | {words[language]} |"


def _seats(game: Game) -> Message:
    least, most = game.min_players, game.max_players
    return Message("page.start.seats", count=least) if least == most else Message("page.start.seats_to", least=least, most=most)


def rules(game: Game, language: str) -> Iterator[str]:
    """The rules by number, each with its reason."""
    for rule in game.rules:
        lines = [f"**{rule.number}** {rule.text}"]
        if (why := WORDS["why"].get(rule.number)) is not None:
            lines.append(f"*{say('why', language)}* {why[language]}")
        if rule.options:
            lines.append(f"*{say('options', language)}* {', '.join(f'`{option}`' for option in rule.options)}")
        yield "<br>\n".join(lines)
        yield ""


def house(game: Game, language: str) -> Iterator[str]:
    """What people may agree on otherwise."""
    house_rules, presets = settable(game), game.spec.book.presets
    if house_rules:
        yield f"| {say('rule', language)} | {say('meaning', language)} | {say('usual', language)} |"
        yield "|---|---|---|"
        for one in house_rules.values():
            yield f"| `{one.name}` | {one.asked} | {one.called(one.value)} |"
        yield ""
    yield f"| {say('preset', language)} | {say('meaning', language)} |"
    yield "|---|---|"
    for name, words in presets.items():
        yield f"| `{name}`: {words.name} | {words.means} |"


def says(game: Game, language: str) -> Iterator[str]:
    """What the referee says when, in its own words."""
    yield f"| {say('when', language)} | {say('says', language)} |"
    yield "|---|---|"
    left, right = "„“" if language == "de" else "“”"
    for row in (*WORDS["says"][game.name], *WORDS["says"]["every-table"]):
        words = at_table(message(row))
        if "{'code':" in words:  # so a message is written whose words have no place for its arguments
            raise SystemExit(f"scripts/docs_words.toml: expected the arguments of {row['code']}, got others; see messages.en.toml")
        yield f"| {row[language]} | {left}{words}{right} |"


def message(row: dict[str, Any]) -> Message:
    """A message as the words file writes it: arguments as they are, pieces as `set-card:1-red-open-oval`, messages as tables."""
    return Message(row["code"], **{name: _argument(value) for name, value in row.get("args", {}).items()})


def _argument(value: Any) -> Any:
    match value:
        case dict():
            return message(value)
        case list():
            return tuple(map(_argument, value))
        case str() if (found := re.fullmatch(r"([a-z]+-[a-z]+):(.+)", value)) is not None:
            return PIECE_TYPES[Kind(found[1].replace("-", "_"))].parse(found[2])
    return value


def answered(words: str, language: str) -> Iterator[str]:
    """What a command answers."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        done = visionset([*shlex.split(words), "--language", language] if not words.startswith("advise") else shlex.split(words))
    if done:
        raise SystemExit(f"visionset {words} ended with {done}")
    yield "```text"
    yield from (line.rstrip() for line in out.getvalue().splitlines())
    yield "```"


OF_A_GAME: dict[str, Callable[[Game, str], Iterator[str]]] = {"facts": facts, "rules": rules, "house": house, "says": says}
SLOW = {"odds"}


def made(what: str, language: str) -> str:
    """What stands between the marks."""
    name, _, about = what.partition(" ")
    with speaking(language):
        if name == "run":
            lines = answered(about, language)
        elif name == "games":
            lines = games(language)
        elif name == "setless":
            lines = docs_odds.setless()
        elif name == "odds":
            lines = docs_odds.ODDS[about](language)
        else:
            lines = OF_A_GAME[name](GAMES[about], language)
        return "\n".join(lines).strip() + "\n"


def remade(path: Path, is_quick: bool = False) -> str:
    """The text of a page as it should be; with `is_quick`, what takes long to count stays as it stands."""
    language = "de" if path.name.endswith(".de.md") else "en"

    def new(found: re.Match[str]) -> str:
        is_kept = is_quick and found[1].split()[0] in SLOW
        return found[0] if is_kept else f"{found[1]}{found[2]}\n{made(found[1], language)}\n"

    return MARK.sub(new, path.read_text(encoding="utf-8"))


def pages() -> list[Path]:
    """All pages with something of ours."""
    return [path for path in sorted(DOCS.rglob("*.md")) if "<!-- made: " in path.read_text(encoding="utf-8")]


def main() -> int:
    """Write, or check, all pages."""
    is_checked = "--check" in sys.argv[1:]
    is_quick = is_checked or "--quick" in sys.argv[1:]
    stale = 0
    for path in pages():
        text = remade(path, is_quick)
        if text == path.read_text(encoding="utf-8"):
            continue
        stale += 1
        if is_checked:
            print(f"{path.relative_to(ROOT)}: expected what the program says today, got an earlier state; run scripts/docs_made.py")
        else:
            path.write_text(text, encoding="utf-8")
            print(path.relative_to(ROOT))
    return 1 if is_checked and stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
