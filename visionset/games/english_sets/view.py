"""What is shown of English Sets: hands and graveyards."""

from __future__ import annotations

from visionset.games.english_sets.rules import EnglishSetsState
from visionset.games.view import Hand, ViewPart
from visionset.messages import Message


def view(state: EnglishSetsState) -> tuple[ViewPart, ...]:
    """The cards of each player, and what is laid beside them."""
    shown = []
    for name, hand, graves in zip(state.players, state.hands, state.graveyards, strict=True):
        said = tuple(Message(f"english-sets.view.{'complete' if one.is_complete else 'laid'}", cards=one.cards) for one in graves)
        after = Message("english-sets.view.graves", graves=said) if said else ""
        shown.append(Hand(name, hand, is_numbered=False, after=after, laid=tuple(one.cards for one in graves)))
    return tuple(shown)
