"""What is shown of English Sets: hands and graveyards."""

from __future__ import annotations

from visionset.games.english_sets.rules import EnglishSetsState
from visionset.games.view import Hand, ViewPart


def view(state: EnglishSetsState) -> tuple[ViewPart, ...]:
    """The cards of each player, and what is laid beside them."""
    shown = []
    for name, hand, graves in zip(state.players, state.hands, state.graveyards, strict=True):
        laid = (f"[{' '.join(map(str, grave.cards))}]{' complete' if grave.is_complete else ''}" for grave in graves)
        shown.append(Hand(name, hand, is_numbered=False, after="  ".join(laid)))
    return tuple(shown)
