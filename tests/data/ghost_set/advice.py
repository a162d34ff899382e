"""Ghost SET: which cards belong to the pairs."""

from __future__ import annotations

from pathlib import Path

from ghost_set.rules import GhostState, is_ghost, thirds
from visionset.messages import Message


def advice_words(state: GhostState, player: int = 0, cache: Path | None = None) -> Message:
    """Name the third cards."""
    if not state.table:
        return Message("ghost-set.advice.lay_first")
    return Message(f"ghost-set.advice.{'ghost' if is_ghost(state.table) else 'none'}", cards=thirds(state.table))
