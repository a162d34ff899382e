"""What is shown of English Sets: hands and graveyards."""

from __future__ import annotations

from visionset.games.english_sets.rules import EnglishSetsState
from visionset.games.view import Hand, ViewPart
from visionset.messages import Message


def view(state: EnglishSetsState) -> tuple[ViewPart, ...]:
    """The cards of each player, and what is laid beside them."""
    shown = []
    for name, hand, graves in zip(state.players, state.hands, state.graveyards, strict=True):
        laid = tuple(Message(f"english-sets.view.{'complete' if one.is_complete else 'laid'}", cards=one.cards) for one in graves)
        shown.append(Hand(name, hand, is_numbered=False, after=Message("english-sets.view.graves", graves=laid) if laid else ""))
    return tuple(shown)
