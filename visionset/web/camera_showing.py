"""What a camera and a referee show, as JSON for pages; pure, as `showing` is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from visionset.calibration import Calibration
from visionset.games.base import EVERYONE, Choice
from visionset.geometry import Quad
from visionset.messages import Message, Words, at_table
from visionset.pieces import Piece
from visionset.referee.player_input import SEEN_EVENTS
from visionset.referee.rulings import Exhibit, Question
from visionset.referee.shown import Mark, Showing
from visionset.referee.zones import Zones, zone_named
from visionset.session import Snapshot
from visionset.table import Sighting
from visionset.web.showing import Json, choice_json, choices_by_id, piece_json, prompt_json

SHARE_DIGITS = 4
"""Decimals of a share of the picture: less than a pixel of any."""


def corners(outline_px: Quad) -> list[list[int]]:
    """Corners as a page draws them: whole pixels, so that noise moves nothing."""
    return [[round(float(x)), round(float(y))] for x, y in outline_px]


def camera_json(snapshot: Snapshot, marks: Iterable[Mark] = (), remarks: Iterable[Words] = (), advice: Iterable[Words] = ()) -> Json:
    """The key `camera` of the state."""
    return {
        "size": list(snapshot.frame.size_px),
        "marks": [{"outline": corners(one.outline_px), "tone": one.tone.value, "text": at_table(one.text)} for one in marks],
        "pieces": [_piece(one) for one in snapshot.table.sightings],
        "remarks": [at_table(one) for one in remarks],
        "trouble": at_table(snapshot.trouble),
        "is_held": snapshot.settled.held,
        "advice": [at_table(one) for one in advice],
        "offer": None,
        "source": None,
    }


def _piece(one: Sighting) -> Json:
    told = {"track": one.track, "outline": corners(one.outline_px), "kind": one.kind.value}
    if one.piece is None:
        return {**told, "piece": None, "text": "?" if one.is_unread else ""}
    return {**told, "piece": piece_json(one.piece), "text": at_table(one.piece)}


def zones_json(
    zones: Zones | None, size_px: tuple[int, int], profile: Calibration | None, players: Sequence[str], optional: Sequence[str] = ()
) -> list[Json] | None:
    """The key `zones` of the state; `optional` are those that people put down and take away."""
    if zones is None:
        return None
    boxes: dict[str, list[float] | None] = dict.fromkeys(optional)
    boxes |= {one.name: _box(zones.outline_px(one.name, size_px, profile), size_px) for one in zones.zones}
    return [
        {"name": name, "text": at_table(zone_named(name, players)), "box": box, "is_optional": name in optional}
        for name, box in boxes.items()
    ]


def _box(outline_px: Quad, size_px: tuple[int, int]) -> list[float]:
    """Left, top, right and bottom in shares of the picture."""
    shares = outline_px / np.array(size_px, np.float64)
    return [round(float(side), SHARE_DIGITS) for side in (*shares.min(axis=0), *shares.max(axis=0))]


def question_json(question: Question | None, picture: str | None) -> Json | None:
    """The key `question` of the state, with the picture of the one piece that it is about; the answer 0 is always one."""
    if question is None:
        return None
    options = []
    for number, option in enumerate(question.options, 1):
        piece = piece_json(option.said) if isinstance(option.said, Piece) else None
        options.append({"number": number, "text": option.text, "piece": piece})
    none = at_table(question.none or Message("referee.answer.none_of_these"))
    return {"id": question.id, "text": question.text, "options": options, "none": none, "picture": picture}


def exhibit_json(one: Exhibit, picture: str | None) -> Json:
    """A piece that is in doubt or in dispute."""
    runner_up = None if one.runner_up is None else piece_json(one.runner_up)
    return {"piece": piece_json(one.piece), "confidence": one.confidence, "runner_up": runner_up, "picture": picture}


def _two_parts(lines: Iterable[Words]) -> list[list[str]]:
    return [list(at_table(line).partition("\t")[::2]) for line in lines]


def showing_json(showing: Showing, names: Sequence[str], picture: str | None = None) -> Json:
    """The keys of the state that a referee says otherwise than the game alone; `picture` is that of its question."""
    told = [(one.to, one.text) for one in showing.told]
    if showing.question is not None:  # nobody says SET, or deals, while a question is open
        told = [(EVERYONE, at_table(Message("web.answer_first")))]
    elif showing.differ:
        told = [(EVERYONE, at_table(Message("web.settle_first")))]
    return {
        "prompts": [prompt_json(to, text, names) for to, text in told],
        "notice": at_table(showing.notice),
        "question": question_json(showing.question, picture),
        "differ": at_table(showing.differ),
        "differ_id": showing.differ_id,
        "status": _two_parts(showing.status),
        "sheet": _two_parts(showing.sheet),
    }


def said_choices(choices: Iterable[Choice]) -> list[Json]:
    """What people may say now; what the camera sees is told, so that a page can name it, and is no button."""
    return [{**choice_json(name, one), "is_said": one.event not in SEEN_EVENTS} for name, one in choices_by_id(choices).items()]
