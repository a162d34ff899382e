"""What is said at a table and when, read from a file instead of keys."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from visionset.codec import from_json
from visionset.errors import RecordError
from visionset.untrusted import json_of, text_of

if TYPE_CHECKING:
    from visionset.referee.player_input import Timed


def read_script(path: Path | None) -> tuple[Timed, ...]:
    """Read what is said from a file: one JSON object a line, such as ``{"time_s": 12.5, "say": "call", "player": 0}``."""
    if path is None:
        return ()
    lines = text_of(path).splitlines()
    said = [_timed(line) for line in lines if line.strip()]
    return tuple(sorted(said, key=lambda one: one.time_s))


def _timed(line: str) -> Timed:
    from visionset.games.registry import GAMES
    from visionset.referee.player_input import Answer, AskHint, CallSet, Dispute, GameIsRight, Move, Next, NoSet, TableIsRight, Timed, Undo

    plain: dict[str, type[Any]] = {
        "call": CallSet,
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
        data = json_of(line)
        if not isinstance(data, dict) or not isinstance(data.get("say"), str):
            raise RecordError("no object that says")
        time_s, word = from_json(_Moment, {"time_s": data.pop("time_s", None)}).time_s, data.pop("say")
        if word == "move":
            move = from_json(_Move, data)
            if move.game not in GAMES:
                raise RecordError(f"no game {move.game}")
            return Timed(time_s, Move(GAMES[move.game].parse_event(move.event)))
        if word not in plain:
            raise RecordError(f"{word!r:.40}")
        return Timed(time_s, from_json(plain[word], data))
    except RecordError as error:
        known = ", ".join(chain(plain, ("move",)))
        raise RecordError(f"expected time_s and say, one of {known}, got {line:.80} ({error!s:.160}); see visionset watch --help") from None


@dataclass(frozen=True, slots=True)
class _Moment:
    time_s: float


@dataclass(frozen=True, slots=True)
class _Move:
    game: str
    event: Any
