"""A state of play as JSON: what every page shows, made of a history alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from visionset.games.base import Choice, Form, Need, State, addressed
from visionset.games.game import Game, History
from visionset.games.high_scores import HighScores
from visionset.games.registry import SPECS
from visionset.games.sets import two_and_one
from visionset.games.telling import event_words
from visionset.games.view import Grid, GridEntry, Spread, ViewPart
from visionset.kinds import KIND_SPECS
from visionset.messages import Message, Words, at_table, in_words
from visionset.piece_svg import kind_code
from visionset.pieces import Piece, SetCard, SetDie
from visionset.web.places import places_kept

MOST_LOG = 60
"""Lines of the log that a page is given."""

MOST_RANKED = 200
"""Scores of a game that a page is given, the best."""

KEYS = "abcdefghijklmnopqrst"
"""Of the players, in the order of the seats."""

_FORMS = {Form.VALUE: "value", Form.LIST: "list", Form.PLACINGS: "placings", Form.WILDS: "wilds"}

Json = dict[str, Any]


def piece_json(piece: Piece) -> Json:
    """A piece as a page draws and says it."""
    said = at_table(piece)
    return {"kind": kind_code(piece), "code": str(piece), "text": said, "said": said}


def _maybe(piece: Piece | None) -> Json | None:
    return None if piece is None else piece_json(piece)


def _entry(entry: GridEntry) -> Json:
    return {"text": at_table(entry.text), "piece": _maybe(entry.piece), "stress": entry.stress.value}


def view_json(parts: Iterable[ViewPart], players: Sequence[str], kept: tuple[tuple[int, ...], int]) -> list[Json]:
    """What the view of a game shows; pieces of the table lie where `places_kept` has them."""
    shown: list[Json] = []
    for part in parts:
        if isinstance(part, Spread):
            pieces = [_maybe(piece) for piece in part.pieces]
            places, room = kept if len(kept[0]) == len(pieces) else (tuple(range(len(pieces))), len(pieces))
            where = {"places": list(places), "room": room}
            shown.append({"part": "spread", "title": at_table(part.title), "columns": part.columns, "pieces": pieces, **where})
        elif isinstance(part, Grid):
            rows = [[_entry(entry) for entry in row] for row in part.rows]
            shown.append({"part": "grid", "title": at_table(part.title), "head": [at_table(one) for one in part.head], "rows": rows})
        else:
            pieces = [piece_json(piece) for piece in part.pieces]
            whose = {"player": part.player, "number": players.index(part.player) if part.player in players else None}
            laid = [[piece_json(piece) for piece in one] for one in part.laid]
            beside = {"is_numbered": part.is_numbered, "after": at_table(part.after), "laid": laid, "lent": list(part.lent)}
            shown.append({"part": "hand", **whose, "pieces": pieces, **beside})
    return shown


def choices_by_id(choices: Iterable[Choice]) -> dict[str, Choice]:
    """What may be done now, each under a name that is its own: ``event:player:number``."""
    named: dict[str, Choice] = {}
    counts: dict[str, int] = {}
    for choice in choices:
        first = f"{choice.event}:{'' if choice.player is None else choice.player}"
        counts[first] = counts.get(first, -1) + 1
        named[f"{first}:{counts[first]}"] = choice
    return named


def _need(need: Need) -> Json:
    told = {"field": need.field, "text": at_table(need.message), "values": list(need.values), "count": need.count}
    return {**told, "form": _FORMS[need.form]}


def choice_json(name: str, choice: Choice) -> Json:
    """A choice as a page draws its button; what chance brings is not asked for."""
    needs = [_need(need) for need in choice.needs if need.form is not Form.CHANCE]
    told = {"id": name, "event": choice.event, "label": at_table(choice.message), "player": choice.player}
    return {**told, "needs": needs, "fixed": dict(choice.fixed), "is_said": True}


def explained(pieces: Sequence[Piece]) -> list[Json] | None:
    """Why three pieces are a SET or none, attribute by attribute; None for pieces that are not three of SET."""
    if len(pieces) != 3 or not all(isinstance(piece, SetCard | SetDie) for piece in pieces):
        return None
    if any(isinstance(piece, SetDie) and piece.is_wild for piece in pieces):
        return None
    lines = []
    for name in KIND_SPECS[pieces[0].kind].attributes:
        values = [getattr(piece, name) for piece in pieces]
        count = len(set(values))
        said = tuple(dict.fromkeys(values))
        how = {1: "same", 2: "two_and_one", 3: "different"}[count]
        if count == 2:
            two, one = sorted(set(values), key=values.count, reverse=True)
            words = two_and_one(name, two, one)
        elif count == 1:
            words = Message("web.explain.same", attribute=Message(f"attribute.{name}"), value=said[0])
        else:
            words = Message("web.explain.different", attribute=Message(f"attribute.{name}"), values=said)
        lines.append(
            {
                "attribute": in_words(Message(f"attribute.{name}")),
                "values": [in_words(value) for value in values],
                "is_right": how != "two_and_one",
                "words": in_words(words),
            }
        )
    return lines


def log_json(history: History) -> list[Json]:
    """The last events that stand, in words, with the pieces by which they were judged."""
    told = list(zip(history.standing, history.before, strict=True))
    lines = []
    for number, (event, before) in list(enumerate(told))[-MOST_LOG:]:
        pieces = before.judged(event)
        lines.append(
            {
                "n": number,
                "text": in_words(event_words(event, before)),
                "notice": in_words(history.after(number).notice),
                "at_s": event.at_s,
                "player": getattr(event, "player", None),
                "pieces": [piece_json(piece) for piece in pieces],
                "explain": explained(pieces),
                "pictures": [],
            }
        )
    return lines


def players_json(state: Any, bots: Sequence[str]) -> list[Json]:
    """The players with their scores; what only some games know of them is false elsewhere."""
    callers = getattr(state, "callers", None)
    called = {claim.player for claim in getattr(state, "claims", ())}
    due = {in_words(prompt.to) for prompt in state.prompts}
    return [
        {
            "name": name,
            "score": score,
            "key": KEYS[player] if player < len(KEYS) else "",
            "is_bot": name in bots,
            "is_connected": False,
            "sits_out": callers is not None and player not in callers,
            "is_due": name in due and not state.is_over,
            "has_called": player in called,
        }
        for player, (name, score) in enumerate(zip(state.players, state.scores, strict=True))
    ]


def game_json(game: Game) -> Json:
    """A game by its name."""
    return {"name": game.name, "title": game.title}


def prompt_json(to: Words, text: str, names: Sequence[str], at: Sequence[int] = ()) -> Json:
    """A prompt, with the players who are meant by name: none where all are, or the one who deals, whoever that is."""
    args = {"name": to} if isinstance(to, str) else dict(to.args)
    named = {args.get("name"), *cast(tuple[str, ...], args.get("names", ()))}
    is_except = isinstance(to, Message) and to.code == "to.all_but"
    players = [number for number, name in enumerate(names) if (name in named) is not is_except]
    return {"to": at_table(to), "players": players, "text": text, "at": list(at)}


def prompted(state: State) -> str:
    """All that is prompted, with the names of those to whom it is said alone."""
    return "; ".join(at_table(addressed(one.to, one.message) if one.to in state.players else one.message) for one in state.prompts)


def rank_json(earlier: HighScores, history: History, bots: Sequence[str] = ()) -> list[Json]:
    """All scores of a game, those of earlier matches and of this one, which are marked, the best first."""
    mine = [(name, score) for name, score in zip(history.players, history.state.scores, strict=True) if name not in bots]
    table = earlier.with_scores([name for name, _ in mine], [score for _, score in mine])
    return [
        {"place": table.rank(line.score), "name": line.player, "points": line.score, "is_mine": (line.player, line.score) in mine}
        for line in table.lines
    ][:MOST_RANKED]


def history_json(history: History, bots: Sequence[str] = ()) -> Json:
    """The keys of the state that follow from the game alone."""
    state = history.state
    people = {player for player, name in enumerate(history.players) if name not in bots}
    choices = {name: one for name, one in choices_by_id(state.legal).items() if one.player is None or one.player in people}
    prompts = [prompt_json(one.to, at_table(one.message), history.players, one.at) for one in state.prompts]
    over = {"winners": list(state.winners), "text": prompted(state), "rank": None} if state.is_over else None
    return {
        "page": "over" if state.is_over else "table",
        "game": game_json(history.game),
        "players": players_json(state, bots),
        "prompts": prompts,
        "notice": at_table(state.notice),
        "choices": [choice_json(name, choice) for name, choice in choices.items()],
        "view": view_json(SPECS[history.game.name].shown(state), history.players, places_kept(history)),
        "log": log_json(history),
        "over": over,
    }


EMPTY: Mapping[str, Any] = {
    "page": "start",
    "game": None,
    "match": None,
    "is_camera": False,
    "is_filmed": False,
    "heard": [],
    "players": [],
    "prompts": [],
    "notice": "",
    "is_round_over": False,
    "is_hurried": False,
    "question": None,
    "differ": "",
    "differ_id": None,
    "choices": [],
    "view": [],
    "clock": None,
    "round_clock": None,
    "log": [],
    "exhibits": [],
    "over": None,
    "standings": [],
    "camera": None,
    "asking_phone": None,
    "lacks_phone": False,
    "zones": None,
    "sheet": [],
    "status": [],
    "hints": None,
}
"""The state while nothing is played: every key is there."""
