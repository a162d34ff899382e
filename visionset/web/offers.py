"""What a page offers before a match: the games with their house rules and rules, and the words of its own labels."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from visionset.codec import to_json
from visionset.games.house import settable
from visionset.games.registry import GAMES
from visionset.messages import ENGLISH, Catalogue

_PAGE_WORDS = ("page.", "number.", "color.", "table.set_die.")


def games_json() -> list[dict[str, Any]]:
    """Every game: players, house rules, rules."""
    told = []
    for game in GAMES.values():
        defaults = game.options()
        told.append(
            {
                "name": game.name,
                "title": game.title,
                "min_players": game.min_players,
                "max_players": game.max_players,
                "pieces": list(game.spec.pieces),
                "keeps_scores": game.keeps_scores,
                "presets": list(game.presets),
                "house": [_house_rule(defaults, name, words) for name, words in settable(game).items()],
                "rules": [{"number": rule.number, "text": rule.text} for rule in game.rules],
            }
        )
    return told


def _house_rule(defaults: Any, name: str, words: str) -> dict[str, Any]:
    value = getattr(defaults, name)
    hint = next(str(one.type) for one in fields(defaults) if one.name == name)
    values = [member.value for member in type(value)] if hasattr(type(value), "__members__") else None
    kind = "choice" if values else "switch" if "bool" in hint else "number" if "int" in hint or "float" in hint else "text"
    if kind == "switch":  # a box to tick says that by itself
        words = words.replace(" (yes, no)", "").replace("(yes, no; ", "(")
    told = {"name": name, "words": words, "kind": kind, "value": to_json(value), "may_be_left": "None" in hint}
    return {**told, "values": values}


def page_words(language: str = ENGLISH) -> dict[str, str]:
    """The page's own labels, by their codes, and the words for faces that a WILD may stand for; in English where others are missing."""
    catalogue = Catalogue.load(language)
    templates = {**(catalogue.otherwise or catalogue).templates, **catalogue.templates}
    return {code: template for code, template in templates.items() if code.startswith(_PAGE_WORDS)}
