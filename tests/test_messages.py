"""Everything that is said has words, every word is said, and in another language no English is left at the table."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from tests.messages_in_code import CODE, messages_in, messages_in_page, texts_in_page
from tests.referee import test_crossword, test_cubed, test_director, test_dispute, test_english_sets, test_pip_sets, test_scramble
from visionset.codec import from_json
from visionset.commands.teller import Teller
from visionset.errors import RecordError, RuleError
from visionset.games.base import Amend
from visionset.games.registry import GAMES
from visionset.games.telling import event_words
from visionset.games.virtual.runner import next_event
from visionset.messages import Catalogue, Message, at_table, in_words, speak
from visionset.overlay import Reveal, View, caption_text
from visionset.overlay.painter import caption_of
from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Kind, PipDie, PlayingCard, SetCard
from visionset.referee.director import Director
from visionset.referee.news import Refused
from visionset.referee.phrasing import briefly
from visionset.referee.shown import Showing
from visionset.table import Settled, Sighting, Table
from visionset.terminal_drawing import show
from visionset.web.camera_showing import showing_json
from visionset.window import keys
from visionset.window.keys import WatchState, press_view_key
from visionset.words import label_lines

FOREIGN = str.maketrans({letter: chr(0x3B1 + place % 24) for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")})
"""A language in which all letters are Greek."""

_FORMAT = re.compile(r"[+]?(?:\.\d+)?[dfgs%]")
NAMES = re.compile(r"\b(?:Ann|Bo|Cy|Di|Ed|Fay|Player|[ABC])\b")
CODES = re.compile(
    r"\b[SDPE][1-9]\d*\b|" + "|".join(sorted(map(re.escape, map(str, (*SET_DECK, *SET_DIE_FACES, *PACK))), key=len, reverse=True))
)


def foreign(template: str) -> str:
    parts = []
    for text, name, spec, _ in Catalogue({}).parse(template):
        parts.append(text.lower().translate(FOREIGN).replace("{", "{{").replace("}", "}}"))
        if name is not None:
            written = spec if _FORMAT.fullmatch(spec or "") else (spec or "").lower().translate(FOREIGN)
            parts.append("{" + name + (f":{written}" if written else "") + "}")
    return "".join(parts)


@cache
def foreign_words() -> dict[str, str]:
    return {code: foreign(template) for code, template in Catalogue.load().templates.items()}


@pytest.fixture
def another_language() -> Iterator[None]:
    speak(Catalogue(foreign_words()))
    yield
    speak(None)


def is_foreign(text: str) -> bool:
    return not re.search("[A-Za-z]", NAMES.sub("", CODES.sub("", text)))


def arguments(template: str) -> set[str]:
    return {name for _, name, _, _ in Catalogue({}).parse(template) if name is not None}


def test_what_is_said_and_what_there_are_words_for_is_the_same() -> None:
    words = Catalogue.load().templates
    said = [found for path in sorted(CODE.rglob("*.py")) for found in messages_in(path)]

    def there_are_words(code: str) -> bool:
        return code in words or ("*" in code and any(fnmatch(known, code) for known in words))

    for code, args, where in said:
        assert there_are_words(code), (code, where)
        if args is not None and "*" not in code:
            assert arguments(words[code]) | arguments(words.get(f"table.{code}", "")) == args, (code, where)
    for code, where in messages_in_page():
        assert there_are_words(code), (code, where)
    codes = {code for code, _, _ in said} | {code for code, _ in messages_in_page()}
    patterns = [code for code in codes if "*" in code]
    rest = {code.removeprefix("table.") for code in words} - codes
    unsaid = [code for code in rest if not any(fnmatch(code, pattern) for pattern in patterns)]
    assert not unsaid
    assert all(code.removeprefix("table.") in words for code in words)


def test_the_page_says_nothing_that_is_not_in_the_catalogue() -> None:
    assert not [(text, where) for text, where in texts_in_page() if text != "visionset"]


def test_numbers_lists_and_pieces_are_written_as_a_template_wants_them() -> None:
    words = Catalogue(
        {"n": "{n} {n:card|cards}", "list": "{names: and }", "gain": "{gain:+d}", "of": "{what}!", "set_card.oval": "{code}"}, "n > 1"
    )
    assert [words.say(Message("n", n=n)) for n in (0, 1, 2)] == ["0 card", "1 card", "2 cards"]
    assert words.say(Message("list", names=("Ann", "Bo"))) == "Ann and Bo"
    assert words.say(Message("gain", gain=2)) == "+2"
    assert words.say(Message("of", what=Message("list", names=(SET_DECK[0],)))) == f"{SET_DECK[0]}!"
    assert words.say("as it is") == "as it is"


@pytest.mark.parametrize("message", [Message("gone.game", x=1), Message("set.choice.deal")])
def test_what_has_no_words_is_said_with_what_it_is_about(message: Message) -> None:
    assert message.code in str(message)


def test_a_message_is_read_back_from_its_json() -> None:
    dealt = Message("a", one=SetCard.parse("1-red-open-oval"), two=(PlayingCard.parse("QH"), "Ann", 3, 0.5), three=Message("b"))
    amend = Amend.of(dealt, points=(1, 2))
    assert GAMES["scramble"].parse_event(json.loads(json.dumps(amend.to_json()))) == amend
    assert from_json(Amend, {"changes": "{}", "reason": "as people wrote it"}).reason == "as people wrote it"
    for broken in ({"code": 1, "args": {}}, {"code": "a"}, {"code": "a", "args": {"x": {"set_card": "none"}}}, {"code": "a", "args": []}):
        with pytest.raises(RecordError):
            from_json(Amend, {"changes": "{}", "reason": broken})


@pytest.mark.usefixtures("another_language")
@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_rules_and_the_terminal_speak_another_language(name: str) -> None:
    rng, said = random.Random(1), []
    state: Any = GAMES[name].start(None, ("Ann", "Bo")[: GAMES[name].max_players])
    others = list(state.events)
    for _ in range(60):
        out = io.StringIO()
        show(Console(file=out, width=200), state)
        said += [out.getvalue(), *(in_words(choice.message) for choice in state.legal)]
        said += [in_words(need.message) for choice in state.legal for need in choice.needs]
        if state.is_over:
            break
        event = next_event(state, rng)
        after = state.after(event)
        said += [in_words(event_words(event, after)), at_table(event_words(event, after))]
        for wrong in (event, *(kind(0) for kind in others if tuple(kind.__dataclass_fields__)[:-1] == ("player",))):
            try:
                after.after(wrong)
            except RuleError as error:
                said += [str(error), at_table(briefly(error))]
        state = after
    assert not [text for text in said if not is_foreign(text)]


REFEREED = (
    test_director.test_a_wrong_call_costs_a_point_and_says_why_in_words,
    test_director.test_thirteen_cards_freeze_the_scores_until_it_is_settled,
    test_director.test_a_swapped_card_is_settled_by_two_keys,
    test_cubed.test_the_first_set_without_a_call_is_asked_for,
    test_cubed.test_a_new_set_is_outlined_with_its_points_and_a_fault_with_its_reason,
    test_crossword.test_a_die_that_was_turned_is_settled_by_two_keys,
    test_scramble.test_hints_are_given_when_asked_for_and_allowed,
    test_pip_sets.test_a_throw_before_the_turn_is_ended_is_settled_by_two_keys,
    test_pip_sets.test_a_bonus_that_is_due_is_written_before_an_early_throw_is_settled,
    test_english_sets.test_a_complete_set_is_turned_upright,
    test_dispute.test_only_the_points_are_mended_where_later_events_contradict_the_dispute,
)


@pytest.mark.parametrize("evening", REFEREED, ids=lambda evening: evening.__name__)
def test_a_refereed_game_speaks_another_language(
    evening: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    shown: list[Showing] = []
    refused: list[Refused] = []
    showing, hear = Director.showing, Director.hear

    def watched(director: Director) -> Showing:
        shown.append(showing.fget(director))  # type: ignore[attr-defined]
        return shown[-1]

    def heard(director: Director, said: Any, time_s: float) -> Any:
        done = hear(director, said, time_s)
        refused.extend(news for news in director._game.news if isinstance(news, Refused))
        watched(director)
        return done

    monkeypatch.setattr(Director, "showing", property(watched))
    monkeypatch.setattr(Director, "hear", heard)
    evening()
    request.getfixturevalue("another_language")
    capsys.readouterr()
    teller = Teller()
    assert shown
    for one in shown:
        shown_now = showing_json(one, ())
        lines = [*(line["text"] for line in shown_now["prompts"]), *(part for line in shown_now["status"] for part in line)]
        asked = shown_now["question"] or {"text": "", "none": "", "options": []}
        lines += [asked["text"], asked["none"], *(option["text"] for option in asked["options"]), shown_now["notice"]]
        assert not [line for line in lines if not is_foreign(line)]
        teller(SimpleNamespace(showing=one, frame=SimpleNamespace(time_s=0.0)), tuple(refused))  # type: ignore[arg-type]
    for line in map(json.loads, capsys.readouterr().out.splitlines()):
        texts = [line[name] for name in ("refused", "differ", "question") if name in line] + line.get("told", [])
        assert texts
        assert all(map(is_foreign, texts))
        assert all(one["code"] for one in line["said"])


@pytest.mark.usefixtures("another_language")
def test_remarks_speak_another_language() -> None:
    told = [Message(code) for code, args, _ in messages_in(CODE / "tracking" / "remarks.py") if code.startswith("remark.") and not args]
    assert told
    assert all(is_foreign(at_table(one)) for one in told)


@pytest.mark.usefixtures("another_language")
def test_a_watched_table_speaks_another_language() -> None:
    outline_px = np.array([[10, 10], [50, 10], [50, 70], [10, 70]], np.float64)
    deck = (*SET_DECK[:3], *SET_DIE_FACES[:1], *PACK[:2], PipDie(3), None)
    seen = tuple(Sighting(Kind.SET_CARD if piece is None else piece.kind, outline_px, piece, 0.9) for piece in deck)
    views = [View(hint, step) for hint in Reveal for step in (None, 0)]
    said = [
        at_table(caption_text(Table((90, 90), seen[:count]), sets, len(sets), view))
        for count in (0, 1, 3, 8)
        for sets in ((), ((0, 1, 2),), ((0, 1, 2),) * 9)
        for view in views
        if count > 2 or not sets
    ]
    said += [caption_of(Settled(Table((90, 90), seen)), (), 0, 9.0, View())[0]]
    said += [caption_of(Settled(Table((90, 90)), held=True), (), 0, 0.0, View())[0]]
    said += [line for piece in deck if piece is not None for lines in label_lines(piece) for line in lines]
    for key in "01234hnmmrll t":
        said.append(at_table(press_view_key(WatchState(), ord(key)).notice))
    said += [at_table(press_view_key(press_view_key(WatchState(), ord(key)), ord(key)).notice) for key in "ml"]
    assert not [text for text in said if not is_foreign(text)]
    assert not [line for line in map(at_table, keys.HELP) if not is_foreign(line.partition("\t")[2])]
