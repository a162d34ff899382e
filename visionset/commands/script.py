"""What is said at a table and when, read from a file instead of keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from visionset.errors import RecordError

if TYPE_CHECKING:
    from visionset.window.referee import Timed


def read_script(path: Path | None) -> tuple[Timed, ...]:
    """Read what is said from a file: one JSON object a line, such as ``{"time_s": 12.5, "say": "call", "player": 0}``."""
    if path is None:
        return ()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"expected a file that can be read, got {path}: {error}; name another after --say") from error
    said = [_timed(line) for line in lines if line.strip()]
    return tuple(sorted(said, key=lambda one: one.time_s))


def _timed(line: str) -> Timed:
    from visionset.dealer.said import Answer, AskHint, Call, Dispute, GameIsRight, Move, Next, NoSet, TableIsRight, Undo
    from visionset.games.registry import GAMES
    from visionset.window.referee import Timed

    plain: dict[str, Callable[..., Any]] = {
        "call": Call,
        "no_set": NoSet,
        "answer": Answer,
        "table_is_right": TableIsRight,
        "game_is_right": GameIsRight,
        "next": Next,
        "undo": Undo,
        "hint": AskHint,
        "dispute": Dispute,
    }
    try:
        data = json.loads(line)
        time_s, word = float(data.pop("time_s")), data.pop("say")
        if word == "move":
            game = data.pop("game")
            return Timed(time_s, Move(GAMES[game].parse_event(data["event"])))
        return Timed(time_s, plain[word](**data))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        known = ", ".join(chain(plain, ("move",)))
        raise RecordError(f"expected time_s and say, one of {known}, got {line:.80} ({error}); see visionset watch --help") from error
