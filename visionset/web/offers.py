"""What a page offers before a match: the games with their house rules and rules, and the words of its own labels."""

from __future__ import annotations

from functools import cache
from typing import Any

from visionset.codec import to_json
from visionset.games.game import Game
from visionset.games.house import HouseRule, settable
from visionset.games.registry import sound
from visionset.games.rulebook import PresetWords
from visionset.messages import ENGLISH, Catalogue, Message, in_words, spoken
from visionset.piece_svg import piece_svg
from visionset.pieces import SetDie

_PAGE_WORDS = ("page.", "number.", "color.", "table.set_die.")


def games_json() -> list[dict[str, Any]]:
    """Every game that loads: players, house rules, rules."""
    told = []
    for game in sound()[0]:
        told.append(
            {
                "name": game.name,
                "title": game.title,
                "min_players": game.min_players,
                "max_players": game.max_players,
                "pieces": list(game.spec.pieces),
                "keeps_scores": game.keeps_scores,
                "presets": _presets(game),
                "house": [_house_rule(rule) for rule in settable(game).values()],
                "rules": [{"number": rule.number, "text": rule.text} for rule in game.rules],
            }
        )
    return told


def _house_rule(rule: HouseRule) -> dict[str, Any]:
    values = [{"value": value, "words": words} for value, words in rule.values.items()] or None
    return {
        "name": rule.name,
        "words": rule.words,
        "kind": rule.kind,
        "value": rule.value,
        "may_be_left": rule.may_be_left,
        "values": values,
    }


def _presets(game: Game) -> list[dict[str, Any]]:
    """What a game offers as a whole; the rules that it has by itself come first, under no name where no preset is the same."""
    usual, said = game.options(), game.spec.book.presets
    offered = [("", in_words(Message("page.start.usual")), "", usual)] if usual not in game.presets.values() else []
    for name, options in game.presets.items():
        words = said.get(name, PresetWords(name, ""))
        offered.append((name, words.name, words.means, options))
    offered.sort(key=lambda one: one[3] != usual)
    names = settable(game)
    return [
        {"name": name, "title": title, "means": means, "values": {rule: to_json(getattr(options, rule)) for rule in names}}
        for name, title, means, options in offered
    ]


@cache
def page_words(language: str = ENGLISH) -> dict[str, str]:
    """The page's own labels, by their codes, and the words for faces that a WILD may stand for; in English where others are missing."""
    catalogue = Catalogue.load(language)
    templates = {**(catalogue.otherwise or catalogue).templates, **catalogue.templates}
    return {code: template for code, template in templates.items() if code.startswith(_PAGE_WORDS)}


def load_offers() -> None:
    """Load what the first page asks for, while its browser still starts: the first of each takes a hundred times as long as the next."""
    games_json()
    page_words(spoken())
    piece_svg("set-die", str(SetDie()))
