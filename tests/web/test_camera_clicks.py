"""Whatever goes wrong at a filmed table is put right by clicks alone: the page shows it, and the store has it."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.clips.film import taken_for
from tests.referee.scripted import Frames
from tests.web.filmed_table import SHOWN_MS, FilmedTable, Sitting, kept, served, sitting
from tests.web.hands import Hands, without_chromium
from tests.web.room import room
from visionset.messages import at_table
from visionset.pieces import SetCard
from visionset.vision import pipeline
from visionset.web.cameras import Cameras

BO, CY = 1, 2
SEED = 1
"""Of a deal with a SET among the first twelve cards."""

SURE = 0.97
"""A reading that nobody is asked about before a SET is refused."""

DIFFER_S = 3.0
"""So long a card lies there that does not belong: a difference is told by then."""

CROPS = ":is(.exhibits, .exhibit) img[src^='/exhibit']"
"""What the camera saw of the pieces that were judged."""

CROP_PX = 40
"""A crop that is drawn at all is wider."""

ATTRIBUTES = ("number", "color", "shading", "shape")

pytestmark = without_chromium


def names(folder: Path) -> list[str]:
    """What happened and stands."""
    return [event.name for event in kept(folder).history.standing]


def forget_a_call(sits: Sitting) -> tuple[SetCard, ...]:
    """Three cards leave, and nobody has called."""
    _, cards = sits.table.people.chosen()
    sits.take(cards)
    return cards


def call_and_take(sits: Sitting, player: int) -> tuple[SetCard, ...]:
    """A SET is called by a click and picked up."""
    people = sits.table.people
    people.player = player
    places, cards = people.chosen()
    sits.call(player)
    sits.take(cards)
    people.took(places, cards)
    return cards


def deal(sits: Sitting) -> None:
    sits.table.people.deal()
    sits.show()


@pytest.mark.slow
def test_who_is_eager_presses_twice_and_gives_nothing_up(browser: Browser, tmp_path: Path) -> None:
    """ "Give up" stands where "SET!" did; who wants that presses it once the call has been seen."""
    with sitting(browser, tmp_path, FilmedTable(SEED)) as sits:
        sits.says("say SET")
        sits.page.evaluate("() => { performance.now = () => 0; }")
        box = sits.player(BO).get_by_role("button", name="SET!").bounding_box()
        assert box is not None
        for _ in range(2):
            sits.page.mouse.click(box["x"] + 9, box["y"] + box["height"] / 2)
            expect(sits.player(BO).get_by_role("button", name="Give up")).to_be_visible()
        sits.page.keyboard.press("b")
        sits.show()
        sits.scores(0, 0, 0)
        expect(sits.player(BO).get_by_role("button", name="Give up")).to_be_visible()
        sits.page.evaluate("() => { performance.now = () => 1000; }")
        sits.player(BO).get_by_role("button", name="Give up").click()
        sits.scores(0, -1, 0)
    assert names(tmp_path) == ["deal", "call", "give_up"]


def test_who_took_cards_without_a_call_is_answered_by_a_click(browser: Browser, tmp_path: Path) -> None:
    with sitting(browser, tmp_path, FilmedTable(SEED)) as sits:
        cards = forget_a_call(sits)
        card = sits.asks("Who took", "Bo", "Cy", "nobody")
        for one in cards:
            expect(card.locator(".ask-title")).to_contain_text(at_table(one))
        sits.says_no_more("say SET")
        sits.player(BO).get_by_role("button", name="SET!").click()  # who sees the next SET has not taken this one
        sits.says("first say who took")
        sits.scores(0, 0, 0)
        card.get_by_role("button", name="Cy").click()
        sits.asks_nothing()
        sits.scores(0, 0, 1)
        sits.says("deal 3")
        expect(sits.page.locator(".status")).to_contain_text("69")
        sits.told("Cy", "Cy", "deal")
    assert names(tmp_path) == ["deal", "call", "take"]
    assert kept(tmp_path).history.state.scores == (0, 0, 1)


@pytest.mark.slow
def test_nobody_took_the_cards_and_they_lie_again(browser: Browser, tmp_path: Path) -> None:
    with sitting(browser, tmp_path, FilmedTable(SEED)) as sits:
        cards = forget_a_call(sits)
        sits.asks("Who took").get_by_role("button", name="nobody").click()
        sits.asks_nothing()
        sits.scores(0, 0, 0)
        sits.table.reel.put_back(cards)
        sits.show()
        sits.says("say SET")
        sits.told("deal")
    assert names(tmp_path) == ["deal"]


def misread_a_card(table: FilmedTable, monkeypatch: pytest.MonkeyPatch) -> tuple[tuple[SetCard, ...], SetCard]:
    """A SET whose second card is surely read as another one, unlike it in one attribute alone, as soon as the camera sees it again."""
    people = table.people
    _, cards = people.chosen()
    others = [card for card in people.reel.pack if sum(getattr(card, name) != getattr(cards[1], name) for name in ATTRIBUTES) == 1]
    read, misread = pipeline.read, {cards[1]: (others[0], SURE)}
    monkeypatch.setattr(pipeline, "read", lambda *given: taken_for(read(*given), misread))
    return cards, others[0]


@pytest.mark.slow  # by words it is told in tests/referee
def test_a_card_that_was_misread_is_corrected_by_one_press_and_the_take_is_judged_again(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = FilmedTable(SEED)
    cards, wrong = misread_a_card(table, monkeypatch)
    with sitting(browser, tmp_path, table) as sits:
        sits.call(BO)
        sits.take(cards)
        sits.scores(0, -1, 0)
        sits.told("Bo", "Bo", "deal")
        sits.click("Dispute")
        read = [at_table(wrong if card == cards[1] else card) for card in cards]
        card = sits.asks("read wrongly")
        expect(card.locator(CROPS)).to_have_count(3)
        for words in read:  # each piece is seen in the answer that means it
            expect(card.get_by_role("button", name=words).locator(CROPS)).to_have_count(1)
        for crop in card.locator(CROPS).all():
            assert crop.evaluate("one => one.decode().then(() => one.naturalWidth)") >= CROP_PX
        card.get_by_role("button", name=at_table(wrong)).click()
        card = sits.asks(at_table(wrong))
        expect(card.locator(CROPS)).to_have_count(1)
        card.get_by_role("button", name=at_table(cards[1])).click()
        sits.asks_nothing()
        sits.scores(0, 1, 0)
        sits.says("deal 3")
    assert names(tmp_path) == ["deal", "call", "take"]
    assert [event.name for event in kept(tmp_path).history.events][-1] == "correct"
    assert kept(tmp_path).history.state.scores == (0, 1, 0)


@pytest.mark.slow
def test_a_dispute_that_is_left_leaves_all_as_it_was(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = FilmedTable(SEED)
    cards, _ = misread_a_card(table, monkeypatch)
    with sitting(browser, tmp_path, table) as sits:
        sits.call(BO)
        sits.take(cards)
        sits.scores(0, -1, 0)
        sits.click("Dispute")
        sits.asks("read wrongly").get_by_role("button").last.click()
        sits.asks_nothing()
        sits.scores(0, -1, 0)
    assert names(tmp_path) == ["deal", "call", "take"]


def lay_one_more(sits: Sitting) -> SetCard:
    """The dealer lays a card too many."""
    reel = sits.table.reel
    card = reel.pack.pop(0)
    reel.spots[card] = reel.free.pop(0)
    reel.sweep(lay=[reel.lie(card)])
    reel.rest(DIFFER_S)
    sits.show()
    return card


@pytest.mark.slow  # by words it is settled in tests/referee
@pytest.mark.parametrize(("answer", "lying"), [("The table is right", 13), ("The game is right", 12)])
def test_a_difference_is_settled_by_a_click(browser: Browser, tmp_path: Path, answer: str, lying: int) -> None:
    with sitting(browser, tmp_path, FilmedTable(SEED)) as sits:
        card = lay_one_more(sits)
        asked = sits.asks("13 cards lie where 12 belong", "The table is right", "The game is right")
        expect(asked).to_contain_text(at_table(card))
        sits.says("say which is right")
        asked.get_by_role("button", name=answer).click()
        sits.asks_nothing()
        expect(sits.page.locator(".spread .piece:visible img")).to_have_count(lying, timeout=SHOWN_MS)
        if lying == 12:  # the card goes back, and the game goes on
            sits.take((card,))
        sits.asks_nothing()
        sits.says("say SET")
        call_and_take(sits, CY)
        sits.scores(0, 0, 1)
    state = kept(tmp_path).history.state
    assert (card in state.seen, state.scores) == (lying == 13, (0, 0, 1))


@pytest.mark.slow
def test_a_phone_has_no_button_that_is_refused_to_its_player(browser: Browser, tmp_path: Path) -> None:
    """Ann deals and sits out; a difference is settled at the table's page alone."""
    with sitting(browser, tmp_path, FilmedTable(SEED)) as sits:
        phones = [Hands(browser, sits.hands.room, f"/join/{sits.hands.room.host.seats.code}") for _ in "ab"]
        for phone, name in zip(phones, ("Ann", "Bo"), strict=True):
            phone.page.get_by_role("button", name=name).click()
        dealer, caller = (phone.page for phone in phones)
        expect(caller.locator("button.set")).to_be_enabled(timeout=SHOWN_MS)
        expect(caller.locator(".prompt")).not_to_contain_text("Bo and Cy", timeout=SHOWN_MS)
        expect(dealer.locator(".prompt")).to_contain_text("Bo and Cy", timeout=SHOWN_MS)
        expect(dealer.locator(".me")).to_contain_text("sits out")
        expect(dealer.locator("button.set")).to_have_count(0)
        lay_one_more(sits)
        expect(caller.locator(".ask")).to_contain_text("The page at the table settles this", timeout=SHOWN_MS)
        expect(caller.locator(".ask button")).to_have_count(0)
        for phone in phones:
            phone.context.close()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "words"), [("english-sets", []), ("cubed", ["SET!"])])
def test_a_phone_has_buttons_for_what_is_said_in_its_game_alone(game: str, words: list[str], browser: Browser, tmp_path: Path) -> None:
    cameras = Cameras("clip", lambda source, game: Frames(1))
    with room(tmp_path, time.monotonic, cameras=cameras) as here, here.page() as host:
        host.send("begin", game=game, players=[{"name": "Ann"}, {"name": "Bo"}], camera="given")
        while not host.state["is_camera"]:
            host.read()
        phone = Hands(browser, here, f"/join/{here.host.seats.code}")
        phone.page.get_by_role("button", name="Ann").click()
        expect(phone.page.locator(".me")).to_contain_text("Ann")
        expect(phone.page.locator(".buzzer button")).to_have_text(words)
        if not words:
            host.send("say", what="set", player=0)
            while not host.state["notice"]:
                host.read()
            assert "no use for that" in host.state["notice"]
        phone.context.close()


@pytest.mark.slow
def test_undo_of_a_take_takes_its_call_back_too(browser: Browser, tmp_path: Path) -> None:
    with sitting(browser, tmp_path, FilmedTable(SEED)) as sits:
        _, cards = sits.table.people.chosen()
        sits.call(BO)
        sits.take(cards)
        sits.scores(0, 1, 0)
        sits.told("Bo", "Bo", "deal")
        sits.click("Undo")
        sits.scores(0, 0, 0)
        sits.told("deal")
        expect(sits.page.locator(".player.has-called")).to_have_count(0)
        expect(sits.page.locator(".ring")).to_have_count(0)
        assert names(tmp_path) == ["deal"]
        sits.says("lay the table as it was")
        sits.table.reel.put_back(cards)
        sits.show()
        sits.says("say SET")
        sits.says_no_more("lay the table as it was")
        sits.call(CY)
        sits.take(cards)
        sits.scores(0, 0, 1)
    assert [(event.player, event.name) for event in kept(tmp_path).history.standing[1:]] == [(CY, "call"), (CY, "take")]


@pytest.mark.slow
def test_a_server_that_was_away_goes_on_by_itself_and_clicks_with_it(browser: Browser, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    table = FilmedTable(SEED)
    with served(table, tmp_path, port) as here:
        sits = Sitting(table, Hands(browser, here))
        sits.begin()
        call_and_take(sits, BO)
        sits.scores(0, 1, 0)
    expect(sits.page.locator(".line.is-lost")).to_be_visible(timeout=SHOWN_MS)
    sits.scores(0, 1, 0)  # what was told stays to be read
    with served(table, tmp_path, port) as here:
        sits.hands.room = here
        expect(sits.page.locator(".line.is-open")).to_be_visible(timeout=SHOWN_MS)
        sits.show()
        sits.scores(0, 1, 0)
        sits.told("Bo", "Bo", "deal")
        crops = sits.page.locator(".log li").first.locator("img.crop")
        expect(crops).to_have_count(3)
        for crop in crops.all():
            assert crop.evaluate("one => one.decode().then(() => one.naturalWidth)") >= CROP_PX
        sits.says("deal 3")
        sits.says_no_more("lay the table as it was")
        deal(sits)
        sits.says("say SET")
        call_and_take(sits, CY)
        sits.scores(0, 1, 1)
        sits.hands.context.close()
    assert names(tmp_path) == ["deal", "call", "take", "deal", "call", "take"]
    assert kept(tmp_path).history.state.scores == (0, 1, 1)


@pytest.mark.slow
def test_a_match_that_was_left_goes_on_from_the_start_page(browser: Browser, tmp_path: Path) -> None:
    with sitting(browser, tmp_path, FilmedTable(SEED)) as sits:
        call_and_take(sits, BO)
        deal(sits)
        sits.scores(0, 1, 0)
        sits.click("Stop playing")
        sits.click("Stop and go to the start page")
        going = sits.page.locator(".going button")
        expect(going).to_have_count(1, timeout=SHOWN_MS)
        expect(going).to_contain_text("Ann 0, Bo 1, Cy 0")
        going.click()
        sits.page.wait_for_selector(".table-page")
        sits.show()
        sits.scores(0, 1, 0)
        sits.told("deal", "Bo", "Bo", "deal")
        sits.says("say SET")
        call_and_take(sits, CY)
        sits.scores(0, 1, 1)
    assert names(tmp_path) == ["deal", "call", "take", "deal", "call", "take"]
    assert kept(tmp_path).history.state.scores == (0, 1, 1)
