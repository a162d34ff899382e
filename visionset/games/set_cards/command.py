"""``visionset advise set`` and ``odds``: hints about cards, and how often there is no SET."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from visionset.games.advice import AdviceCommand
from visionset.messages import Message
from visionset.numbers import integer, whole_number
from visionset.pieces import Kind

_LEAST_SHARE = 1e-6
"""A smaller share would be 0.00000%."""


def _add_cards(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "cards", nargs="+", metavar="CARD", help="such as 2-red-striped-oval, ? for one that was not read, or a photo of them"
    )
    parser.add_argument(
        "--level", type=integer, choices=(1, 2, 3, 4), default=1, help="1 how many SETs, 2 one card, 3 two cards, 4 a SET (default 1)"
    )
    parser.add_argument("--seed", type=integer, default=0, help="picks the SET (default 0)")


def _hint(args: argparse.Namespace) -> Iterator[str]:
    from visionset.games.card_table.hints import hint
    from visionset.pieces import SetCard

    cards = [None if text == "?" else SetCard.parse(text) for text in args.cards]
    yield hint(cards, args.level, args.seed).text


def _add_rounds(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", type=whole_number(1, 10_000_000), default=300, help="rounds to play for the odds in play (default 300)")
    parser.add_argument("--seed", type=integer, default=0, help="another seed is other rounds (default 0)")


_MOST_ERROR = 0.05
"""Of a share that is told; of six tables it would be 0 % +- 16 %."""


def _odds(args: argparse.Namespace) -> Iterator[str]:
    from visionset.games.set_cards.odds import QUOTED_ODDS, no_set_share, odds_to_one, simulate_play

    for cards in (12, 15, 18, 21):
        share = no_set_share(cards)
        quoted = Message("set.odds.quoted", odds=QUOTED_ODDS[cards]) if cards in QUOTED_ODDS else ""
        odds = odds_to_one(share)
        if share >= _LEAST_SHARE:
            told = Message("set.odds.exact", percent=100 * share, odds=odds, quoted=quoted)
        else:
            told = Message("set.odds.hardly_any", share=share, odds=odds) if share else Message("set.odds.always")
        yield str(Message("set.odds.fresh", cards=cards, told=told))
    for cards, found in simulate_play(args.rounds, args.seed).items():
        is_known = found.error <= _MOST_ERROR
        about = Message("set.odds.about", percent=100 * found.share, error=100 * found.error)
        told = about if is_known else Message("set.odds.too_few")
        yield str(Message("set.odds.in_play", cards=cards, looks=found.looks, rounds=args.rounds, told=told))


COMMANDS = {
    "set": AdviceCommand("hints about the cards on the table", _add_cards, _hint, Kind.SET_CARD),
    "odds": AdviceCommand("how often there is no SET, beside the odds on the box", _add_rounds, _odds),
}
