"""Ghost SET: which cards belong to the pairs."""

from __future__ import annotations

from pathlib import Path

from ghost_set.rules import GhostState, is_ghost, thirds


def advice_words(state: GhostState, player: int = 0, cache: Path | None = None) -> str:
    """Name the third cards."""
    if not state.table:
        return "lay the cards first"
    return f"the third cards are {', '.join(map(str, thirds(state.table)))}: {'a ghost SET' if is_ghost(state.table) else 'no ghost'}"
