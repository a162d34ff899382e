"""What stays where it is and within sight: pieces for which people look, boards, choices, a live picture, and who played."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.web.hands import TAP, Hands, without_chromium
from tests.web.looked_views import (
    AGREE,
    CALL,
    DISPUTED,
    DOUBTFUL,
    HAND,
    OVAL,
    PHONE_WISH,
    QUIET,
    ROUND_OVER,
    SPREAD,
    TAKE,
    VIRTUAL,
    choice_of,
    on_phone,
    shown,
    to_join,
    to_lost,
    told,
)
from tests.web.looks import LEAST_CONTROL_PX, LEAST_TOUCH_PX, PHONE_PX, faults
from tests.web.room import Room
from visionset.web.wire import BeginMatch, PlayerWanted

pytestmark = without_chromium

NAMES = ("Ann", "Bo")

LEAST_GAP_PX = 8
"""Between two buttons of a phone that mean something else."""

LINES = "one => { const all = document.createRange(); all.selectNodeContents(one); return all.getClientRects().length; }"
"""How many lines a text has."""

SENT = """async () => {
    const from = one => import(`/static/${one}.js`);
    const [{ Picture }, { html }, { render }] = await Promise.all(["picture", "html", "vendor/preact"].map(from));
    const sent = [], line = { send: message => sent.push(message.on), onPicture: () => () => {} };
    const camera = { size: [64, 36], pieces: [], marks: [], trouble: "", remarks: [], advice: [] };
    const [preview, match] = [0, 1].map(() => document.body.appendChild(document.createElement("div")));
    const shows = (where, picture) => new Promise(done => { render(picture, where); setTimeout(done, 100); });
    const picture = () => html`<${Picture} camera=${camera} line=${line} tell=${() => {}} />`;
    await shows(preview, picture());
    await shows(match, picture());
    await shows(preview, null);
    const during = [...sent];
    await shows(match, null);
    return [during, sent];
}"""
"""What is asked of the line while a match's picture takes the place of the preview's, and once that is gone too."""

SAID = """async () => {
    const from = one => import(`/static/${one}.js`);
    const [{ Remarks }, { html }, { render }] = await Promise.all(["picture", "html", "vendor/preact"].map(from));
    const here = document.body.appendChild(document.createElement("div"));
    const told = [];
    for (const trouble of ["", "no picture for 2 s", "no picture for 3 s", "", "no picture for 2.5 s"]) {
        const camera = { trouble, remarks: [], advice: ["move the laptop"] };
        render(html`<${Remarks} camera=${camera} />`, here);
        await new Promise(done => setTimeout(done, 50));
        const seen = [...here.querySelectorAll(".remark")].map(one => one.textContent);
        told.push([here.querySelector("[role=status]").textContent, seen.join(". ")]);
    }
    return told;
}"""
"""What those hear who do not see the page, and what is seen, while the seconds of some trouble count."""

NAMED = """async () => {
    const from = one => import(`/static/${one}.js`);
    const [{ Picture }, { html }, { render }] = await Promise.all(["picture", "html", "vendor/preact"].map(from));
    const line = { send: () => {}, onPicture: () => () => {} }, told = [];
    const outline = [[0, 0], [9, 0], [9, 9], [0, 9]], oval = { kind: "set_card", code: "", text: "oval", said: "one oval" };
    const pieces = [
        { track: 1, outline, kind: "set_card", piece: oval, text: "oval" },
        { track: 2, outline, kind: "set_card", piece: null, text: "?" },
        { track: 3, outline, kind: "card_back", piece: null, text: "" },
    ];
    const camera = { size: [64, 36], pieces, marks: [], trouble: "", remarks: [], advice: [] };
    const here = document.body.appendChild(document.createElement("div"));
    render(html`<${Picture} camera=${camera} line=${line} tell=${text => told.push(text)} />`, here);
    await new Promise(done => setTimeout(done, 100));
    return [...here.querySelectorAll(".seen")].map((one, at) => {
        one.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        return [one.getAttribute("aria-label"), told[at], one.classList.contains("is-unread")];
    });
}"""
"""What each piece of a live picture is called, what it says when it is touched, and whether it looks unread."""


def begun(browser: Browser, server: Room, game: str, language: str = "en", **viewport: int) -> Hands:
    """The phone of the first of two players of a game that has been dealt."""
    host = Hands(browser, server)
    server.host.begin(BeginMatch(game, [PlayerWanted(name) for name in NAMES]))
    host.page.wait_for_selector(".table-page")
    while host.go_on():
        pass
    phone = Hands(browser, server, f"/join/{server.host.seats.code}", viewport=viewport, language=language, reduced_motion="reduce")
    phone.page.get_by_role("button", name=NAMES[0]).click()
    expect(phone.page.locator(".spread .drawn").first).to_be_visible()
    return phone


def test_trouble_with_the_camera_is_said_once_to_those_who_do_not_see_the_page(browser: Browser, server: Room) -> None:
    host = Hands(browser, server)
    advice = "move the laptop"
    begins, counts, again = (f"no picture for {seconds} s. {advice}" for seconds in ("2", "3", "2.5"))
    assert host.page.evaluate(SAID) == [[advice] * 2, [begins] * 2, [begins, counts], [advice] * 2, [again] * 2]


def test_what_has_no_name_in_a_live_picture_says_whether_it_is_unread_or_face_down(browser: Browser, server: Room) -> None:
    host = Hands(browser, server)
    unread, face_down = (host.word(f"page.picture.{one}") for one in ("unread", "face_down"))
    assert host.page.evaluate(NAMED) == [["one oval"] * 2 + [False], [unread] * 2 + [True], [face_down] * 2 + [False]]


def test_the_last_take_before_a_camera_is_disputed_where_the_match_is_over(browser: Browser, server: Room) -> None:
    host = Hands(browser, server)
    said = told(host, {**DISPUTED, "page": "over", "question": None, "exhibits": []})
    host.page.reload()
    host.page.get_by_role("button", name="Dispute").click()
    host.page.keyboard.press("Shift+D")
    answered = told(host, {**DISPUTED, "page": "over"})
    host.page.reload()
    host.page.locator(".is-question .answers button").nth(1).click()
    host.page.reload()
    words = [
        [{key: one[key] for key in ("what", "number") if one.get(key)} for one in some if one["type"] == "say"] for some in (said, answered)
    ]
    assert words == [[{"what": "dispute"}] * 2, [{"what": "answer", "number": 2}]]


@pytest.mark.slow
def test_the_way_to_another_phone_is_seen_whole_on_a_low_laptop_and_leaves_the_table_its_size(browser: Browser, server: Room) -> None:
    host = Hands(browser, server, viewport={"width": 1024, "height": 600})
    square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
    host.page.route("**/camera-qr.svg", lambda route: route.fulfill(body=square, content_type="image/svg+xml"))
    shown({**QUIET, "view": [SPREAD], "lacks_phone": True, "asking_phone": PHONE_WISH}, ".table-page")(host)
    table = host.page.locator(".stage > .table")
    before = table.bounding_box()
    host.page.locator(".below summary").click()
    squares = host.page.locator(".below .qr")
    expect(squares).to_be_in_viewport(ratio=1)
    assert table.bounding_box() == before
    host.page.get_by_role("button", name="Allow").click(trial=True)
    for show in ("picture", "drawn"):
        host.page.get_by_label("Show").select_option(show)
        host.page.get_by_role("button", name="Allow").click(trial=True)


def boxes(pieces: Locator) -> list[Any]:
    """Where pieces are in the window."""
    found: list[Any] = pieces.evaluate_all(
        "all => all.map(one => { const { x, y, width } = one.getBoundingClientRect(); return [x, y, width]; })"
    )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("width", "height"), [(320, 568), (360, 640), (390, 740)])
def test_dice_stay_where_they_are_when_somebody_says_set(width: int, height: int, language: str, browser: Browser, server: Room) -> None:
    phone = begun(browser, server, "scramble", language, width=width, height=height)
    pieces = phone.page.locator(".spread .piece")
    expect(pieces).to_have_count(42)
    before = boxes(pieces)
    phone.page.get_by_role("button", name="SET!").click()
    expect(phone.page.locator(".filling .count")).to_have_text({"en": "0 of 3", "de": "0 von 3"}[language])
    expect(phone.page.locator(".me .ring")).to_be_visible()  # all have heard of it: what is to be done now is told too
    assert boxes(pieces) == before


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 740), (844, 390)])
def test_dice_stay_where_they_are_when_somebody_else_has_said_set(width: int, height: int, browser: Browser, server: Room) -> None:
    """They went down by the height of what is refused, while a finger was on its way."""
    phone = begun(browser, server, "scramble", width=width, height=height)
    other = Hands(browser, server, f"/join/{server.host.seats.code}")
    other.page.get_by_role("button", name=NAMES[1]).click()
    other.page.get_by_role("button", name="SET!").click()
    expect(phone.page.locator(".prompts")).to_contain_text(f"{NAMES[1]}: SET!")
    before = boxes(phone.page.locator(".spread .piece"))
    phone.page.get_by_role("button", name="SET!").click()
    expect(phone.page.locator(".refused")).to_be_in_viewport(ratio=1)
    after = boxes(phone.page.locator(".spread .piece"))
    assert [pytest.approx(one, abs=0.1) for one in before] == after


@pytest.mark.slow
@pytest.mark.parametrize("size", [(768, 1024), (1024, 600), (1920, 1080)], ids=str)
def test_dice_of_a_table_stay_where_they_are_when_somebody_else_has_said_set(size: tuple[int, int], browser: Browser, server: Room) -> None:
    """What is refused, and on a tablet what a choice wants, took the height from the table: dice stood in other rows."""
    host = Hands(browser, server, viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    server.host.begin(BeginMatch("scramble", [PlayerWanted(name) for name in NAMES]))
    host.page.wait_for_selector(".table-page")
    while host.go_on():
        pass
    phone = Hands(browser, server, f"/join/{server.host.seats.code}")
    phone.page.get_by_role("button", name=NAMES[1]).click()
    phone.page.get_by_role("button", name="SET!").click()
    expect(host.page.locator(".prompt strong")).to_have_text(NAMES[1])
    before = boxes(host.page.locator(".spread .piece"))
    host.page.locator(".player").first.get_by_role("button", name="SET").click()
    expect(host.page.locator(".refused")).to_be_in_viewport(ratio=1)
    after = boxes(host.page.locator(".spread .piece"))
    assert [pytest.approx(one, abs=0.1) for one in before] == after


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(320, 568), (360, 640)])
def test_all_dice_stand_above_the_button_of_a_low_phone_each_as_large_as_a_finger(
    width: int, height: int, browser: Browser, server: Room
) -> None:
    phone = begun(browser, server, "scramble", width=width, height=height)
    pieces = phone.page.locator(".spread .piece")
    expect(pieces).to_have_count(42)
    button = phone.page.locator(".set").bounding_box()
    assert button is not None
    for _, y, width in boxes(pieces):
        assert width >= LEAST_TOUCH_PX
        assert y + width <= button["y"]


def test_a_choice_that_is_pressed_again_loses_nothing(browser: Browser, server: Room) -> None:
    phone = begun(browser, server, "scramble", width=390, height=740)
    for _ in range(2):
        phone.page.get_by_role("button", name="SET!").click()
        if not phone.page.locator(".piece.is-picked").count():
            phone.piece(None, 7).click()
    expect(phone.page.locator(".filling .count")).to_have_text("1 of 3")


@pytest.mark.parametrize("by", ["button", "key"])
def test_who_says_set_twice_at_once_is_asked_for_three_dice_all_the_same(by: str, browser: Browser, server: Room) -> None:
    """The second press took the question back, while the time for the dice ran, and at the table of several no die could be picked."""
    table = Hands(browser, server)
    server.host.begin(BeginMatch("scramble", [PlayerWanted(name) for name in NAMES]))
    table.page.wait_for_selector(".table-page")
    while table.go_on():
        pass
    count, key = table.page.locator(".filling .count"), table.state["players"][0]["key"]
    table.page.clock.install()
    table.page.clock.pause_at(table.page.evaluate("Date.now() + 1000"))
    for _ in range(2):
        if by == "key":
            table.page.keyboard.press(key)
        else:
            table.page.locator('[data-choice^="take:0"]').click()
        table.page.clock.run_for(150)
        expect(count).to_have_text("0 of 3")
    table.page.clock.run_for(2000)
    table.page.keyboard.press(key)  # by then somebody has changed their mind
    expect(count).to_have_count(0)
    table.context.close()


def tap(hands: Hands, what: Locator, times: int = 1) -> None:
    """Tap something where it lies, so often in a row; the page shows what came of each tap before the next."""
    box = what.bounding_box()
    assert box is not None
    in_a_row = f"async ([place, times]) => {{ while (times--) {{ ({TAP})([place]); await new Promise((then) => setTimeout(then)); }} }}"
    hands.page.evaluate(in_a_row, [[box["x"] + box["width"] / 2, box["y"] + box["height"] / 2], times])


def test_a_die_that_is_tapped_twice_at_once_is_picked_as_one_that_is_tapped(browser: Browser, server: Room) -> None:
    """Whoever taps everything twice never had three."""
    phone = begun(browser, server, "scramble", width=390, height=740)
    phone.page.get_by_role("button", name="SET!").click()
    count = phone.page.locator(".filling .count")
    expect(count).to_have_text("0 of 3")
    for place, times, picked in ((7, 2, 1), (9, 1, 2), (7, 1, 1)):
        tap(phone, phone.piece(None, place), times)
        expect(count).to_have_text(f"{picked} of 3")
    assert phone.trouble == []


@pytest.mark.slow
def test_a_cell_that_is_tapped_twice_at_once_keeps_the_die_that_was_laid_there(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server)
    die = {"kind": "set-die", "code": "1-red-oval", "text": "1 red oval", "said": "one red oval"}
    entry: dict[str, Any] = {"text": "", "piece": None, "stress": "none"}
    lines = [[{**entry, "text": str(row)}, *[entry] * 7] for row in range(5)]
    board = {"part": "grid", "title": "board", "head": ["", *map(str, range(7))], "rows": lines}
    need = {"field": "placings", "text": "", "values": [], "count": None, "form": "placings"}
    hand = {**HAND, "pieces": [die] * 5, "laid": []}
    shown({**VIRTUAL, "choices": [choice_of("place", 0, "Ann: lay dice", [need])], "view": [board, hand]}, ".hand .piece")(hands)
    hands.press(hands.hand(0).locator(".piece").first)
    for (row, col), times, laid in (((2, 3), 2, 1), ((0, 0), 1, 1), ((2, 3), 1, 0)):
        tap(hands, hands.cell(row, col), times)
        expect(hands.page.locator(".cell.has-piece")).to_have_count(laid)
    hands.context.close()


@pytest.mark.slow
def test_the_only_button_of_a_phone_has_its_whole_width(browser: Browser, server: Room) -> None:
    """It had left a third empty, which lay over dice of a phone that is scrolled."""
    phone = begun(browser, server, "scramble", width=390, height=740)
    assert boxes(phone.page.locator(".set"))[0][2] == boxes(phone.page.locator(".buzzer"))[0][2]


@pytest.mark.parametrize("has_called", [pytest.param(False, marks=pytest.mark.slow), True])
def test_all_cards_are_within_sight_on_a_phone_that_lies_on_its_side(has_called: bool, browser: Browser, server: Room) -> None:
    phone = begun(browser, server, "set", width=740, height=360)
    if has_called:
        phone.page.get_by_role("button", name="SET!").click()
        phone.page.wait_for_selector(".has-called")
    pieces = phone.page.locator(".spread .piece")
    expect(pieces).to_have_count(12)
    button = phone.page.locator(".buzzer").bounding_box()
    assert button is not None
    for x, y, width in boxes(pieces):
        assert y + width * 87 / 57 <= 360
        assert x + width <= button["x"]


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns", "count"), [(5, 9, 5), (7, 7, 10)], ids=["cubed", "crossword"])
def test_a_board_is_within_sight_on_a_phone_that_lies_on_its_side_beside_what_is_to_be_laid(
    rows: int, columns: int, count: int, browser: Browser, server: Room
) -> None:
    phone = Hands(browser, server, viewport={"width": 740, "height": 360}, language="de")
    entry: dict[str, Any] = {"text": "", "piece": None, "stress": "none"}
    lines = [[{**entry, "text": str(row)}, *[entry] * columns] for row in range(rows)]
    board = {"part": "grid", "title": "Ann", "head": ["", *map(str, range(columns))], "rows": lines}
    hand = {**HAND, "pieces": [{**OVAL, "kind": "set-die", "code": "2-red-oval"}] * count, "laid": []}
    on_phone({**VIRTUAL, "view": [board, hand]}, ".cell")(phone)
    cells, dice = phone.page.locator(".board .cells"), phone.page.locator(".hand .piece")
    expect(cells).to_be_in_viewport(ratio=1)
    dice.last.scroll_into_view_if_needed()
    for one in (cells, dice.last):
        expect(one).to_be_in_viewport(ratio=1)
    phone.context.close()


@pytest.mark.slow
def test_a_board_stays_where_it_is_on_a_phone_while_a_die_is_on_its_way_to_it(browser: Browser, server: Room) -> None:
    phone = Hands(browser, server, f"/join/{server.host.seats.code}", viewport={"width": 390, "height": 844})
    phone.page.locator("input").fill("Ann")
    phone.page.get_by_role("button", name="Sit down").click()
    phone.page.wait_for_selector(".waiting")
    server.host.begin(BeginMatch("crossword", [PlayerWanted(name) for name in ("Ann", "Bo", "Cy")]))
    phone.page.wait_for_selector(".phone-page")
    phone.go_on()
    phone.page.evaluate("document.getAnimations().forEach(one => one.finish())")
    cell, die = phone.cell(3, 3).first, phone.page.locator(".hand .piece").first
    before = boxes(cell)
    phone.press(die)
    back = phone.page.get_by_role("button", name="Back to the hand")
    expect(back).to_be_visible()
    assert boxes(cell) == before
    phone.press(cell)
    expect(die).to_have_class("piece is-live is-faded")
    laid = boxes(cell)
    phone.press(cell)
    expect(back).to_be_visible()
    assert boxes(cell) == laid
    phone.press(back)
    expect(die).to_have_class("piece is-live")
    phone.context.close()


@pytest.mark.slow
def test_what_is_picked_looks_so_while_keys_stand_on_it(browser: Browser, server: Room) -> None:
    """Keys stand on what they have picked: the ring of the focus had taken the place of that of the pick."""
    hands = Hands(browser, server)
    shown({**VIRTUAL, "choices": [TAKE], "view": [SPREAD]}, ".spread .is-live")(hands)
    piece = hands.page.locator(".spread .piece").first
    looks = "one => [one.matches(':focus-visible'), getComputedStyle(one, '::before').borderTopStyle]"
    piece.focus()
    hands.page.keyboard.press("ArrowRight")
    hands.page.keyboard.press("ArrowLeft")
    before = piece.evaluate(looks)
    hands.page.keyboard.press("Enter")
    expect(piece).to_have_attribute("aria-pressed", "true")
    assert [before, piece.evaluate(looks)] == [[True, "none"], [True, "solid"]]
    hands.context.close()


@pytest.mark.slow
def test_keys_stay_on_the_die_that_they_have_laid_though_its_board_is_drawn_anew_around_it(browser: Browser, server: Room) -> None:
    """The first die of an empty board leaves a smaller one, in which its cell has another place."""
    server.host.begin(BeginMatch("crossword", [PlayerWanted("Ann")]))
    hands = Hands(browser, server)
    hands.page.wait_for_selector(".table-page")
    while hands.go_on():
        pass
    dice = next(part["pieces"] for part in hands.state["view"] if part["part"] == "hand")
    plain = next(place for place, die in enumerate(dice) if die["code"] != "wild")
    for one in (hands.piece(0, plain), hands.cell(3, 3)):
        one.focus()
        hands.page.keyboard.press("Enter")
    expect(hands.page.locator(".cell.has-piece")).to_be_focused()
    hands.page.keyboard.press("ArrowRight")
    expect(hands.cell(3, 4)).to_be_focused()
    hands.context.close()


@pytest.mark.slow
def test_what_a_choice_wants_is_in_sight_on_a_phone_where_its_button_is_pressed(browser: Browser, server: Room) -> None:
    """Below the boards of four."""
    phone = Hands(browser, server, viewport={"width": 390, "height": 844})
    entry: dict[str, Any] = {"text": "", "piece": None, "stress": "none"}
    lines = [[{**entry, "text": str(row)}, *[entry] * 7] for row in range(7)]
    players = [{**VIRTUAL["players"][1], "name": name} for name in ("Ann", "Bo", "Cy", "Di")]
    boards = [{"part": "grid", "title": one["name"], "head": ["", *map(str, range(7))], "rows": lines} for one in players]
    owner = {"field": "owner", "text": "whose grid", "values": [1], "count": None, "form": "value"}
    add = choice_of("add", 0, "Ann: add to another grid", [owner, {**owner, "field": "grid", "values": [], "form": "placings"}])
    on_phone({**VIRTUAL, "players": players, "choices": [add], "view": [*boards, {**HAND, "laid": []}]}, ".cell")(phone)
    phone.press(phone.page.locator('[data-choice="add:0"]'))
    expect(phone.page.locator(".filling")).to_be_in_viewport(ratio=1)
    phone.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1366, 768), (360, 640)])
def test_a_double_click_on_a_row_to_be_circled_writes_no_bonus(size: tuple[int, int], browser: Browser, server: Room) -> None:
    """The box for one stands where the button stood, and on a phone what it means is in sight."""
    server.host.begin(BeginMatch("sets-dice", [PlayerWanted("Ann")]))
    path = f"/join/{server.host.seats.code}" if size[0] <= PHONE_PX else "/"
    hands = Hands(browser, server, path, viewport={"width": size[0], "height": size[1]})
    if path != "/":
        hands.page.get_by_role("button", name="Ann").click()
    while not hands.page.locator(".sheet .good").count():
        hands.make(next(one for one in hands.state["choices"] if one["event"] in ("roll", "end_turn")), {})
    hands.page.locator(".sheet .good").first.dblclick()
    expect(hands.page.locator(".blank")).to_have_count(6)
    expect(hands.page.locator(".filling")).to_be_in_viewport(ratio=1)
    hands.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 720), (1024, 600)], ids=str)
def test_all_rows_of_four_are_in_sight_at_the_end_of_their_game(size: tuple[int, int], browser: Browser, server: Room) -> None:
    """With rows as long as they become for who circles whatever may be, on a low laptop."""
    hands = Hands(browser, server, viewport={"width": size[0], "height": size[1]})
    circled = [(5, 5, 4, 4), (4, 8, 4, 6), (3, 3, 6, 3), (0, 0, 0, 4), (10, 5, 5, 5), (6, 6, 6, 6)]
    bare = [(2, 1, 3, 2), (3, 2, 3, 2), (0, 0, 0, 1), (3, 3, 1, 1), (1, 4, 3, 2), (0, 1, 1, 1)]
    players = [{**VIRTUAL["players"][1], "name": name} for name in ("Ann", "Bo", "Cy", "Dietmar")]
    rows = []
    for row, (some, others) in enumerate(zip(circled, bare, strict=True), 1):
        texts = (" ".join([f"({row})"] * count + [str(row)] * more) for count, more in zip(some, others, strict=True))
        rows.append([{"text": text, "piece": None, "stress": "none"} for text in (str(row), *texts)])
    sheet = {"part": "grid", "title": "turn 1", "head": ["row", *(one["name"] for one in players)], "rows": rows}
    pips = {**SPREAD, "pieces": [{"kind": "pip-die", "code": "2", "text": "2", "said": "2"}] * 2, "places": [0, 1], "room": 2}
    fits = [{**choice_of(f"circle{row}", at, "Circle"), "fixed": {"row": row}} for row in (1, 2) for at in range(4)]
    ends = [choice_of("end_turn", at, f"{one['name']}: end the turn") for at, one in enumerate(players)]
    shown({**VIRTUAL, "players": players, "choices": fits + ends, "view": [pips, sheet], "notice": "", "status": []}, ".sheet .good")(hands)
    expect(hands.page.locator(".sheet .good")).to_have_count(8)
    expect(hands.page.locator(".sheet tbody tr").last).to_be_in_viewport(ratio=0.9)
    hands.context.close()


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_column_of_a_sheet_is_in_sight_beside_the_picture_of_a_small_laptop(language: str, browser: Browser, server: Room) -> None:
    """The dice stood between them: two of four had no row to circle but by scrolling, and the button of the second was cut."""
    hands = Hands(browser, server, viewport={"width": 1024, "height": 600}, language=language)
    players = [{**QUIET["players"][1], "name": name} for name in ("Ann", "Bartholomew", "Cy", "Dora")]
    texts = ("1", "2 2 2", "3", "4", "5", "6")
    rows = [[{"text": text, "piece": None, "stress": "none"} for text in (text[0], *[text] * 4)] for text in texts]
    sheet = {"part": "grid", "title": "turn 10, roll 2, 2", "head": ["row", *(one["name"] for one in players)], "rows": rows}
    pips = {**SPREAD, "pieces": [{"kind": "pip-die", "code": "2", "text": "2", "said": "2"}] * 2, "places": [0, 1], "room": 2}
    fits = [{**choice_of(f"circle{row}", at, "Circle"), "fixed": {"row": row}} for row in (1, 2) for at in range(4)]
    ends = [choice_of("end_turn", at, f"{one['name']}: end the turn") for at, one in enumerate(players)]
    shown({**QUIET, "zones": None, "players": players, "choices": fits + ends, "view": [pips, sheet]}, ".sheet .good")(hands)
    expect(hands.page.locator(".picture .film")).to_be_in_viewport(ratio=1)
    expect(hands.page.locator(".spread .piece")).to_have_count(2)
    for one in (*hands.page.locator(".sheet .good").all(), *hands.page.locator(".spread .piece").all()):
        expect(one).to_be_in_viewport(ratio=1)
    expect(hands.page.locator(".sheet tbody tr").last).to_be_in_viewport(ratio=0.9)
    hands.context.close()


def test_both_hands_are_in_sight_when_the_first_of_two_has_laid_dice_before_a_camera(browser: Browser, server: Room) -> None:
    """Until both have boards their hands stand below the only one."""
    hands = Hands(browser, server)
    die = {"kind": "set-die", "code": "2-red-oval", "text": "2", "said": "2"}
    dice = [{**HAND, "player": name, "number": at, "pieces": [die] * 10, "laid": []} for at, name in enumerate(("Ann", "Bo"))]
    nothing = {"text": "", "piece": None, "stress": "faint"}
    board = {
        "part": "grid",
        "title": "Bo",
        "head": ["", *map(str, range(7))],
        "rows": [[{**nothing, "text": "0"}, *[{**nothing, "piece": die}] * 7]],
    }
    shown({**QUIET, "zones": None, "view": [board, *dice]}, ".hand .piece")(hands)
    expect(hands.page.locator(".hand .piece")).to_have_count(20)
    expect(hands.page.locator(".board .cell").first).to_be_in_viewport(ratio=1)
    expect(hands.page.locator(".hand .piece").last).to_be_in_viewport(ratio=1)
    hands.context.close()


def test_board_and_hands_of_cubed_are_in_sight_beside_the_picture_of_a_small_laptop(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server, viewport={"width": 1024, "height": 600})
    wild = {"kind": "set-die", "code": "wild", "text": "WILD", "said": "WILD"}
    hidden = [{**HAND, "player": name, "number": at, "pieces": [wild] * 5, "laid": []} for at, name in enumerate(("Ann", "Bo"))]
    nothing = {"text": "", "piece": None, "stress": "faint"}
    rows = [[{**nothing, "text": str(row)}, *[nothing] * 7] for row in range(5)]
    board = {"part": "grid", "title": "board, 32 dice in the bag", "head": ["", *map(str, range(7))], "rows": rows}
    ends = [choice_of("end_turn", 1, "Bo: end the turn")]
    shown({**QUIET, "zones": None, "choices": ends, "view": [board, *hidden]}, ".hand .caption")(hands)
    expect(hands.page.locator(".hand .caption")).to_have_count(2)
    expect(hands.page.locator(".board .cell").first).to_be_in_viewport(ratio=1)
    for one in hands.page.locator(".hand .caption").all():
        expect(one).to_be_in_viewport(ratio=1)
    hands.context.close()


@pytest.mark.slow
def test_a_finger_finds_each_face_of_a_wild_on_a_phone_that_lies_on_its_side(browser: Browser, server: Room) -> None:
    phone = Hands(browser, server, viewport={"width": 740, "height": 360})
    need = {"field": "grid", "text": "", "values": [], "count": None, "form": "placings"}
    hand = {**HAND, "pieces": [{"kind": "set-die", "code": "wild", "text": "WILD", "said": "WILD"}], "laid": []}
    on_phone({**VIRTUAL, "choices": [choice_of("lay", 0, "Ann: lay", [need])], "view": [hand]}, ".hand")(phone)
    phone.press(phone.page.locator(".hand .piece"))
    phone.press(phone.cell(3, 3))
    faces = phone.page.locator(".faces button")
    expect(faces).to_have_count(27)
    assert min(width for _, _, width in boxes(faces)) >= LEAST_TOUCH_PX
    for one in faces.all():
        expect(one).to_be_in_viewport(ratio=1)
    phone.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["crossword", "scramble", "sets-dice"])
def test_a_small_phone_is_as_wide_as_its_page_and_rolls_two_dice_without_scrolling(game: str, browser: Browser, server: Room) -> None:
    server.host.begin(BeginMatch(game, [PlayerWanted(name) for name in NAMES]))
    while server.go_on():
        continue
    phone = Hands(browser, server, f"/join/{server.host.seats.code}", viewport={"width": 320, "height": 600}, language="de")
    phone.page.get_by_role("button", name="Ann").click()
    phone.page.wait_for_selector(".phone-page")
    for width in (320, 195):  # and a usual one whose page is zoomed to 200 %
        phone.page.set_viewport_size({"width": width, "height": 600})
        assert phone.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    if game == "sets-dice":
        phone.page.set_viewport_size({"width": 360, "height": 640})
        expect(phone.page.get_by_role("button", name="Würfeln")).to_be_in_viewport(ratio=1)
    phone.context.close()


@pytest.mark.slow
def test_titles_and_buttons_begin_with_a_capital_and_names_as_people_write_them(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server)
    players = [{**one, "name": name} for one, name in zip(VIRTUAL["players"], ("ann", "bo"), strict=True)]
    cells = [{"text": text, "piece": None, "stress": "none"} for text in ("0", "")]
    board = {"part": "grid", "title": "ann", "head": ["", "0"], "rows": [cells]}
    parts = [{**SPREAD, "title": "the two dice"}, board, {**board, "title": "board, no dice in the bag"}]
    choices = [choice_of("stop", None, "stop"), choice_of("lay", 0, "ann: lay dice")]
    shown({**VIRTUAL, "players": players, "view": parts, "choices": choices}, ".cell")(hands)
    assert hands.page.locator(".caption").all_inner_texts() == ["ann", "The two dice", "Board, no dice in the bag"]
    assert hands.page.locator(".below .acts button").all_inner_texts() == ["Stop", "ann: lay dice"]
    hands.context.close()


@pytest.mark.slow
def test_fifteen_cards_on_a_small_phone_are_large_enough_and_stand_above_the_button(browser: Browser, server: Room) -> None:
    spread = {**SPREAD, "pieces": [OVAL] * 15, "places": list(range(15)), "room": 15}
    hands = Hands(browser, server, viewport={"width": 320, "height": 568})
    on_phone({**VIRTUAL, "choices": [CALL, AGREE], "view": [spread]}, ".buzzer")(hands)
    card, button = hands.page.locator(".spread .piece").last.bounding_box(), hands.page.locator(".set").bounding_box()
    assert card is not None
    assert button is not None
    assert card["width"] >= 38
    assert card["y"] + card["height"] <= button["y"]
    hands.context.close()


@pytest.mark.slow
def test_what_is_to_be_done_stands_above_the_button_of_a_small_phone(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server, viewport={"width": 320, "height": 568})
    players = [{**one, "is_due": False, "has_called": False} for one in QUIET["players"]]
    text = "put back one purple open oval, three green open diamonds, three red open squiggles"
    prompts = [{"to": "All", "text": text, "at": [], "players": []}]
    camera = {**QUIET["camera"], "remarks": []}
    on_phone({**QUIET, "players": players, "prompts": prompts, "clock": None, "camera": camera}, ".buzzer")(hands)
    prompt, button = hands.page.locator(".prompt").bounding_box(), hands.page.locator(".set").bounding_box()
    assert prompt is not None
    assert button is not None
    assert prompt["y"] + prompt["height"] <= button["y"]
    hands.context.close()


@pytest.mark.slow
def test_a_piece_that_is_asked_about_alone_has_the_width_of_its_question(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server, viewport={"width": 1024, "height": 600})
    shown({**DOUBTFUL, "differ": ""}, ".is-question")(hands)
    piece, pieces = (hands.page.locator(one).bounding_box() for one in (".exhibits li", ".exhibits"))
    assert piece is not None
    assert pieces is not None
    assert piece["width"] == pieces["width"]
    hands.context.close()


@pytest.mark.slow
def test_what_several_have_to_do_is_said_once(browser: Browser, server: Room) -> None:
    """In Crossword SET it is the same for all, and took as many lines as there are players."""
    hands = Hands(browser, server)
    texts = {"Ann": "lay", "Bo": "lay", "Cy": "draw", "Di": "lay"}
    shown({**VIRTUAL, "prompts": [{"to": to, "text": text, "at": [], "players": []} for to, text in texts.items()]}, ".table-page")(hands)
    expect(hands.page.locator(".prompts .prompt")).to_have_text("Ann lay")
    expect(hands.page.locator(".prompts .more")).to_have_text("Bo, Di: lay · Cy: draw")
    hands.context.close()


def test_a_phone_names_all_who_have_to_do_what_its_owner_has_not(browser: Browser, server: Room) -> None:
    """Of two who had called at the same time, or were in a roll-off, it named the first."""
    hands = Hands(browser, server)
    prompts = [{"to": to, "text": text, "at": [], "players": [1]} for to, text in (("Ann", "pick up"), ("Bo", "pick up"), ("Cy", "wait"))]
    on_phone({**VIRTUAL, "prompts": prompts})(hands)
    expect(hands.page.locator(".prompts .prompt")).to_have_text("Ann, Bo: pick up")
    hands.context.close()


@pytest.mark.slow
def test_a_finger_that_sits_down_under_a_name_of_its_own_hits_no_other(browser: Browser, server: Room) -> None:
    """The names of those who play stood right below that button, without room between."""
    server.host.begin(BeginMatch("set", [PlayerWanted(name) for name in NAMES]))
    phone = Hands(browser, server, viewport={"width": 360, "height": 640})
    to_join(phone)
    sits, name = (phone.page.get_by_role("button", name=one).bounding_box() for one in (phone.word("page.phone.join"), NAMES[0]))
    assert sits is not None
    assert name is not None
    assert name["y"] - sits["y"] - sits["height"] >= LEAST_GAP_PX
    phone.context.close()


@pytest.mark.slow
def test_no_word_of_a_phones_buttons_is_broken_in_the_largest_letters(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server, viewport={"width": 320, "height": 568}, language="de")
    hands.page.evaluate("localStorage.setItem('visionset.wishes', '{\"size\": 200}')")
    on_phone({**VIRTUAL, "choices": [CALL, AGREE], "view": [SPREAD]}, ".buzzer")(hands)
    assert hands.page.locator(".no-set").evaluate(LINES) <= len(hands.word("page.phone.no_set").split())
    hands.context.close()


@pytest.mark.slow
def test_neither_a_word_nor_a_number_is_broken_on_a_small_phone_in_the_largest_letters(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server, viewport={"width": 320, "height": 568}, language="de")
    hands.page.evaluate("localStorage.setItem('visionset.wishes', '{\"size\": 200}')")
    to_join(hands)
    assert faults(hands.page) == []
    players = [{**one, "name": "Oma Gerlinde", "score": -1} for one in VIRTUAL["players"][:1]]
    on_phone({**VIRTUAL, "players": players, "choices": [CALL, AGREE], "view": [SPREAD]}, ".buzzer")(hands)
    assert hands.page.locator(".me .score").evaluate(LINES) == 1
    hands.context.close()


def test_who_has_won_a_roll_off_stands_above_who_was_level(browser: Browser, server: Room) -> None:
    """D13"""
    hands = Hands(browser, server)
    players = [{**QUIET["players"][0], "name": name, "score": score} for name, score in (("Ann", 3), ("Bo", 6), ("Cy", 6))]
    shown({**VIRTUAL, "page": "over", "players": players, "over": {"winners": [2], "text": "Cy won", "rank": None}}, ".over-page")(hands)
    assert hands.page.locator(".final .name").all_inner_texts() == ["Cy", "Bo", "Ann"]
    hands.context.close()


@pytest.mark.parametrize(("players", "button"), [([], "Next round"), ([0, 1], "Next")], ids=["round", "roll-off"])
def test_what_settles_a_tie_after_all_rounds_is_called_no_round(players: list[int], button: str, browser: Browser, server: Room) -> None:
    hands = Hands(browser, server)
    shown({**ROUND_OVER, "prompts": [{**ROUND_OVER["prompts"][0], "players": players}]}, ".is-round-over")(hands)
    assert hands.page.locator(".is-round-over .primary").inner_text() == button
    hands.context.close()


@pytest.mark.slow
def test_cards_keep_their_place_below_a_notice_of_two_lines(browser: Browser, server: Room) -> None:
    hands, tops = Hands(browser, server, language="de"), []
    prompt = {**VIRTUAL["prompts"][0], "text": "sagt SET, wenn ihr eines seht; sagt es auch, wenn ihr glaubt, dass es keines gibt"}
    notice = "Oma Gerlinde: kein SET, zweimal violett, einmal rot: Farbe ist weder überall gleich noch überall verschieden: -1. "
    for said in ("", notice + notice[:60]):
        shown({**VIRTUAL, "prompts": [prompt], "notice": said, "view": [SPREAD]}, ".table")(hands)
        tops.append(hands.page.locator(".table").evaluate("one => one.getBoundingClientRect().top"))
    assert hands.page.locator(".prompts .notice").evaluate(LINES) == 2
    assert tops[0] == tops[1]
    hands.context.close()


def test_all_cards_are_in_sight_on_a_low_laptop_below_why_three_are_no_set(browser: Browser, server: Room) -> None:
    """Their second row was cut off."""
    hands = Hands(browser, server, viewport={"width": 1024, "height": 600}, language="de")
    prompt = {**VIRTUAL["prompts"][0], "text": "sagt SET, wenn ihr eines seht; sagt es auch, wenn ihr glaubt, dass es keines gibt"}
    halves = (("1 Symbol", "2: Anzahl"), ("rot", "violett: Farbe"), ("gefüllt", "ungefüllt: Füllung"), ("Oval", "Welle: Form"))
    why = (f"zweimal {two}, einmal {one} ist weder überall gleich noch überall verschieden" for two, one in halves)
    notice = f"Oma Gerlinde: kein SET, {'; '.join(why)}: -1"
    shown({**VIRTUAL, "prompts": [prompt], "notice": notice, "view": [SPREAD]}, ".spread .drawn")(hands)
    assert hands.page.locator(".spread .piece").count() == len(SPREAD["pieces"])
    assert hands.page.locator(".parts").evaluate("one => one.scrollHeight - one.clientHeight") == 0
    hands.context.close()


def test_whoever_is_sent_to_next_sees_its_button_on_a_low_laptop_before_a_camera(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server, viewport={"width": 1024, "height": 600}, language="de")
    players = [{**QUIET["players"][0], "name": name, "has_called": False} for name in ("Ann", "Bo", "Cy")]
    calls = [choice_of(event, player, label) for player in (1, 2) for event, label in (("call", "SET!"), ("agree", "Ich sehe keins"))]
    status = [["Runde 1", "Ann teilt aus und setzt aus"], ["Stapel", "66"]]
    whole = {**QUIET, "players": players, "choices": calls, "status": status, "clock": None, "is_filmed": False}
    shown(whole, ".table-page")(hands)
    box = hands.page.get_by_role("button", name=hands.word("page.tools.next")).bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 600
    hands.context.close()


@pytest.mark.slow
def test_what_is_refused_on_a_low_laptop_takes_no_room_from_the_cards(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server, viewport={"width": 1024, "height": 600})
    told(
        hands, {**VIRTUAL, "choices": [CALL, choice_of("call", 1, "Bo: SET")], "view": [SPREAD]}, refused="Bo, this is for Ann to do. " * 5
    )
    hands.page.reload()
    hands.page.locator(".refused").wait_for()
    caption, table = hands.page.locator(".spread .caption").bounding_box(), hands.page.locator(".parts").bounding_box()
    assert caption is not None
    assert table is not None
    assert caption["y"] + caption["height"] <= table["y"] + table["height"]
    hands.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("asked", [{}, {"question": DOUBTFUL["question"]}])
def test_what_is_refused_is_in_sight_on_a_small_phone_that_is_the_table(asked: dict[str, Any], browser: Browser, server: Room) -> None:
    hands = Hands(browser, server, viewport={"width": 320, "height": 568})
    told(hands, {**VIRTUAL, "choices": [CALL], "view": [SPREAD], **asked}, refused="Bo, this is for Ann to do.")
    hands.page.reload()
    refused, asks = hands.page.locator(".refused"), hands.page.locator(".ask-title")
    hands.page.mouse.wheel(0, 300)
    expect(refused).to_be_in_viewport(ratio=1)
    hands.page.mouse.wheel(0, -300)
    hands.page.wait_for_function("() => scrollY === 0")
    expect(asks).to_have_count(len(asked))
    here = refused.bounding_box()
    assert here is not None
    assert all(bottom <= here["y"] for bottom in asks.evaluate_all("all => all.map(one => one.getBoundingClientRect().bottom)"))
    hands.page.evaluate("document.getAnimations().forEach(one => one.finish())")
    before = boxes(hands.page.locator(".piece"))
    hands.press(refused.get_by_role("button"))
    expect(refused).to_have_count(0)
    assert boxes(hands.page.locator(".piece")) == before
    hands.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(390, 500), (844, 390), (1024, 600), (1366, 768)], ids=str)
@pytest.mark.parametrize("whole", [{**VIRTUAL, "choices": [CALL]}, QUIET], ids=["alone", "before a camera"])
def test_what_is_refused_lies_over_nothing_that_is_asked(
    size: tuple[int, int], whole: dict[str, Any], browser: Browser, server: Room
) -> None:
    hands = Hands(browser, server, viewport={"width": size[0], "height": size[1]})
    told(hands, {**whole, "view": [SPREAD], "question": DOUBTFUL["question"]}, refused="This is for Ann to do, and not for Bo. " * 2)
    hands.page.reload()
    hands.page.locator(".refused").wait_for()
    for top in (0, 150, 9999):
        hands.page.evaluate("top => scrollTo(0, top)", top)
        assert hands.page.evaluate("""() => {
            const [asked, refused] = ['.asks', '.refused'].map(one => document.querySelector(one).getBoundingClientRect());
            return asked.bottom <= refused.top || refused.bottom <= asked.top;
        }""")
    hands.context.close()


@pytest.mark.slow
def test_the_board_of_a_laptop_has_the_height_and_hands_stand_beside_it(browser: Browser, server: Room) -> None:
    host = Hands(browser, server)
    while not server.host.seats.is_anybody_there:  # while nobody is there, nothing goes on by itself
        host.page.wait_for_timeout(5)
    server.host.begin(BeginMatch("cubed", [PlayerWanted(f"Bot {number}", is_bot=True) for number in (1, 2, 3)]))
    while not host.page.locator(".board .cell").count():
        assert host.go_on()
    expect(host.page.locator(".hand")).to_have_count(3)
    board, hands = host.page.locator(".board .field").bounding_box(), boxes(host.page.locator(".hand"))
    table = host.page.locator(".parts").bounding_box()
    assert board is not None
    assert table is not None
    assert board["height"] > 0.8 * table["height"]
    assert all(x >= board["x"] + board["width"] for x, _, _ in hands)
    assert host.trouble == []


@pytest.mark.slow
@pytest.mark.parametrize("game", ["crossword", "cubed"])
def test_one_board_is_whole_in_sight_on_a_low_laptop_beside_hands_that_are_scrolled(game: str, browser: Browser, server: Room) -> None:
    host = Hands(browser, server, viewport={"width": 1024, "height": 600})
    while not server.host.seats.is_anybody_there:
        host.page.wait_for_timeout(5)
    bots = [PlayerWanted(name, is_bot=True) for name in ("Bo", "Cy", "Di")]
    server.host.begin(BeginMatch(game, [PlayerWanted("Ann", is_bot=game == "cubed"), *bots]))
    while not host.page.locator(".board .cell").count():
        assert host.go_on()
    table = host.page.locator(".parts").bounding_box()
    assert table is not None

    def is_in_sight() -> bool:
        cells = host.page.locator(".board .cells").bounding_box()
        assert cells is not None
        return table["y"] <= cells["y"] and cells["y"] + cells["height"] <= table["y"] + table["height"]

    assert is_in_sight()
    host.page.locator(".hand").last.scroll_into_view_if_needed()
    assert is_in_sight()
    host.context.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "count", "part", "size"),
    [
        ("crossword", 3, ".board .cells", (1366, 768)),
        ("crossword", 3, ".board .cells", (1280, 720)),
        ("crossword", 4, ".board .cells", (1366, 768)),
        ("crossword", 4, ".board .cells", (1280, 648)),
        ("cubed", 4, ".hand", (1366, 768)),
        ("cubed", 4, ".hand", (1024, 600)),
        ("english-sets", 2, ".hand", (1024, 600)),
    ],
)
def test_hands_of_a_family_are_in_sight_at_once_each_with_its_own_board(
    game: str, count: int, part: str, size: tuple[int, int], browser: Browser, server: Room
) -> None:
    host = Hands(browser, server, viewport={"width": size[0], "height": size[1]})
    server.host.begin(BeginMatch(game, [PlayerWanted(name) for name in ("Ann", "Bo", "Cy", "Di")[:count]]))
    host.page.wait_for_selector(".table-page")
    host.go_on()
    expect(host.page.locator(part)).to_have_count(count)
    table = host.page.locator(".parts").bounding_box()
    assert table is not None
    for at in range(count):
        hand, own = host.page.locator(".hand").nth(at).bounding_box(), host.page.locator(part).nth(at).bounding_box()
        assert hand is not None
        assert own is not None
        assert own["y"] + own["height"] <= table["y"] + table["height"]
        assert hand["x"] <= own["x"] <= own["x"] + own["width"] <= hand["x"] + hand["width"]
        cell = host.page.locator(part).nth(at).locator(".cell").first
        assert cell.count() == 0 or cell.evaluate("one => one.offsetWidth") >= LEAST_CONTROL_PX
    assert host.page.locator(".parts").evaluate("one => one.scrollHeight - one.clientHeight") <= 1
    host.context.close()


@pytest.mark.slow
@pytest.mark.parametrize(("count", "size"), [(3, (1024, 600)), (4, (1024, 600)), (4, (1024, 768))], ids=str)
def test_boards_of_a_family_are_in_sight_at_once_on_a_small_laptop_and_stay_there_while_a_die_is_laid(
    count: int, size: tuple[int, int], browser: Browser, server: Room
) -> None:
    host = Hands(browser, server, viewport={"width": size[0], "height": size[1]})
    names = ("Anna", "Johannes", "Charlotte", "Di")[:count]
    server.host.begin(BeginMatch("crossword", [PlayerWanted(name) for name in names]))
    host.page.wait_for_selector(".table-page")
    host.go_on()
    boards, parts = host.page.locator(".board .cells"), host.page.locator(".parts")
    expect(boards).to_have_count(count)
    before = boxes(boards)
    host.press(host.hand(count - 1).locator(".piece").first)
    expect(host.page.locator(".filling")).to_be_in_viewport(ratio=1)
    assert boxes(boards) == before
    assert parts.evaluate("one => one.scrollHeight - one.clientHeight") <= 1
    assert host.page.locator(".owned").evaluate_all("all => all.every(one => one.scrollHeight <= one.clientHeight + 1)")
    assert min(width for *_, width in boxes(host.page.locator(".hand .piece"))) >= LEAST_CONTROL_PX
    assert host.page.locator(".hand h2").evaluate_all(f"all => all.map({LINES})") == [1] * count
    expect(host.page.locator(".player .acts button").last).to_be_in_viewport(ratio=1)
    host.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1024, 600), (1024, 768)], ids=str)
def test_a_long_name_takes_no_room_from_a_board(size: tuple[int, int], browser: Browser, server: Room) -> None:
    host = Hands(browser, server, viewport={"width": size[0], "height": size[1]})
    server.host.begin(BeginMatch("crossword", [PlayerWanted(name) for name in ("Großmutter Änne-Liesel", "Bo", "Cy", "Di")]))
    host.page.wait_for_selector(".table-page")
    host.go_on()
    expect(host.page.locator(".board .cells")).to_have_count(4)
    widths = [width for *_, width in boxes(host.page.locator(".board .cells"))]
    assert max(widths) - min(widths) <= 1
    host.context.close()


@pytest.mark.slow
def test_a_board_keeps_its_size_where_more_than_one_wild_may_be_replaced(browser: Browser, server: Room) -> None:
    """The buttons took three rows, and the cells of a laptop's board lost a third of their width."""
    host = Hands(browser, server, language="de")
    empty = {"text": "·", "piece": None, "stress": "faint"}
    lines = [[{**empty, "text": str(row)}, *[empty] * 10] for row in range(9)]
    board = {"part": "grid", "title": "Brett", "head": ["", *map(str, range(10))], "rows": lines}
    labels = [f"Ann: WILD ersetzen ({face})" for face in ("eine violette Welle", "drei violette Ovale")]
    choices = [choice_of(f"do-{at}", 0, label) for at, label in enumerate([*labels, "Ann: Würfel legen", "Ann: Zug überspringen"])]
    cells = []
    for some in (choices[2:], choices):
        shown({**VIRTUAL, "choices": some, "view": [board, HAND]}, ".board .cell")(host)
        expect(host.page.locator(".below .acts button")).to_have_count(len(some))
        expect(host.page.locator(".below .acts button").last).to_be_in_viewport(ratio=1)
        cells.append(boxes(host.page.locator(".cell"))[0][2])
    assert cells[1] > 0.9 * cells[0]
    host.context.close()


@pytest.mark.slow
def test_the_hands_of_three_beside_their_board_are_in_sight_on_a_low_laptop(browser: Browser, server: Room) -> None:
    """Those of four were, and whose turn it was had the hand below the edge where it was the third."""
    host = Hands(browser, server, viewport={"width": 1024, "height": 600}, language="de")
    names = ("Anna", "Tim", "Johannes")
    die = {"kind": "set-die", "code": "1-red-oval", "text": "1 red oval", "said": "one red oval"}
    empty = {"text": "·", "piece": None, "stress": "faint"}
    lines = [[{**empty, "text": str(row)}, *[empty] * 9] for row in range(7)]
    board = {"part": "grid", "title": "Brett", "head": ["", *map(str, range(9))], "rows": lines}
    hands = [{**HAND, "player": name, "number": at, "pieces": [die] * 5, "laid": []} for at, name in enumerate(names)]
    texts = ("du darfst einen deiner Würfel an die Stelle eines WILD legen", "leg einen Würfel, höchstens 3, oder beende den Zug")
    labels = ("WILD ersetzen (eine violette Welle)", "Würfel legen", "Zug überspringen")
    whole = {
        **VIRTUAL,
        "players": [{**VIRTUAL["players"][1], "name": name, "key": name[0].lower()} for name in names],
        "prompts": [{"to": "Johannes", "text": text, "at": [], "players": [2]} for text in texts],
        "choices": [choice_of(f"do-{at}", 2, f"Johannes: {label}") for at, label in enumerate(labels)],
        "view": [board, *hands],
    }
    shown(whole, ".board .cell")(host)
    expect(host.page.locator(".below .acts button").last).to_be_in_viewport(ratio=1)
    for hand in host.page.locator(".hand .row").all():
        expect(hand).to_be_in_viewport(ratio=1)
    host.context.close()


@pytest.mark.slow
def test_two_choices_with_a_long_name_stand_in_one_row_beside_a_board(browser: Browser, server: Room) -> None:
    host = Hands(browser, server, language="de")
    name = "Großmutter Änne-Liesel"
    entry = {"text": "", "piece": None, "stress": "none"}
    lines = [[{**entry, "text": str(row)}, *[entry] * 9] for row in range(7)]
    board = {"part": "grid", "title": "Brett", "head": ["", *map(str, range(9))], "rows": lines}
    choices = [choice_of(f"do-{at}", 0, f"{name}: {label}") for at, label in enumerate(("Würfel legen", "Zug überspringen"))]
    shown({**VIRTUAL, "choices": choices, "view": [board, HAND]}, ".board .cell")(host)
    assert len({top for _, top, _ in boxes(host.page.locator(".below .acts button"))}) == 1
    host.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_mark_of_a_wild_leaves_the_most_of_a_tiny_die_in_sight(theme: Any, browser: Browser, server: Room) -> None:
    host = Hands(browser, server, viewport={"width": 1024, "height": 600}, color_scheme=theme)
    empty: dict[str, Any] = {"text": "·", "piece": None, "stress": "faint"}
    stood_for = {"kind": "set-die", "code": "1-red-oval", "text": "1 red oval", "said": "one red oval"}
    wild = {"text": "WILD", "piece": stood_for, "stress": "none"}
    lines = [[{**empty, "text": str(row)}, *[wild if (row, col) == (3, 3) else empty for col in range(24)]] for row in range(18)]
    board = {"part": "grid", "title": "board", "head": ["", *map(str, range(24))], "rows": lines}
    shown({**VIRTUAL, "view": [board]}, ".hidden-wild")(host)
    (_, _, mark), (_, _, die) = boxes(host.page.locator(".hidden-wild"))[0], boxes(host.cell(3, 3))[0]
    assert die <= LEAST_CONTROL_PX
    assert 0 < mark < die / 2
    assert host.page.locator(".hidden-wild").evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(16, 16, 16)"  # a die is white
    host.context.close()


@pytest.mark.slow
def test_the_buttons_of_four_are_in_sight_below_the_cards_on_a_tablet(browser: Browser, server: Room) -> None:
    """A tablet that is the table of a family, in the longer language: whoever has to scroll to SET! is late."""
    table = Hands(browser, server, viewport={"width": 768, "height": 1024}, language="de")
    server.host.begin(BeginMatch("set", [PlayerWanted(name) for name in ("Ann", "Bo", "Cy", "Di")]))
    table.page.wait_for_selector(".table-page")
    table.go_on()
    buttons = table.page.locator(".player .acts button")
    expect(buttons).to_have_count(8)
    for one in buttons.all():
        expect(one).to_be_in_viewport(ratio=1)
    table.context.close()


@pytest.mark.slow
def test_both_buttons_of_a_low_phone_before_a_camera_are_in_sight(browser: Browser, server: Room) -> None:
    """Where all may say SET, in the longer language."""
    phone = Hands(browser, server, viewport={"width": 360, "height": 640}, language="de")
    players = [{**one, "is_due": False, "has_called": False} for one in DOUBTFUL["players"]]
    prompt = {**QUIET["prompts"][0], "text": "sagt SET, wenn ihr eines seht; sagt es auch, wenn ihr glaubt, dass es keines gibt"}
    camera = {**QUIET["camera"], "remarks": []}
    on_phone({**QUIET, "players": players, "prompts": [prompt], "camera": camera, "clock": None, "notice": ""}, ".buzzer")(phone)
    for button in (".set", ".no-set"):
        expect(phone.page.locator(button)).to_be_in_viewport(ratio=1)
    phone.context.close()


PICTURES_BESIDE = """all => all.filter(one => [...one.querySelectorAll('img')].some(img => {
    const of = one.getBoundingClientRect(), { left, right, top, bottom } = img.getBoundingClientRect();
    return right - left < 20 || left < of.left || right > of.right || top < of.top || bottom > of.bottom;
})).length"""
"""How many buttons have a picture that does not lie in them, or is too small to be looked at."""


@pytest.mark.slow
@pytest.mark.parametrize("width", [1024, 360])
def test_which_of_several_dice_was_misread_is_asked_with_each_in_its_answer_in_sight_at_once(
    width: int, browser: Browser, server: Room
) -> None:
    """In the longer language; a picture of a die is square. To who hears it the picture says nothing that the words do not say."""
    words = [f"drei violette Rauten ({share} %, sonst eine rote Raute)" for share in (97, 82, 75)]
    die = {"kind": "set-die", "code": "3-purple-diamond", "text": "drei violette Rauten", "said": ""}
    question = {"id": "which", "text": "eröffnen von Bo: was wurde falsch gelesen?", "none": "lasst es, wie es gewertet ist"}
    options = [{"number": at, "text": text, "piece": None} for at, text in enumerate(words, 1)]
    exhibits = [{"piece": die, "confidence": 0.9, "runner_up": None, "picture": "x"}] * 3
    asked = {**QUIET, "view": [SPREAD], "exhibits": exhibits, "question": {**question, "options": options}}
    hands = Hands(browser, server, viewport={"width": width, "height": 640}, language="de")
    square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
    hands.page.route("**/exhibit/*", lambda route: route.fulfill(body=square, content_type="image/svg+xml"))
    (shown if width > 500 else on_phone)(asked, ".is-which img")(hands)
    buttons = hands.page.locator(".is-which button")
    expect(buttons).to_have_count(4)
    for at, text in enumerate([*words, "lasst es, wie es gewertet ist"]):
        expect(buttons.nth(at)).to_have_accessible_name(text)
        expect(buttons.nth(at)).to_be_in_viewport(ratio=1)
    assert buttons.evaluate_all(PICTURES_BESIDE) == 0
    hands.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("show", ["both", "picture"])
def test_all_answers_of_a_dispute_about_many_pieces_are_in_sight_at_once_on_a_low_laptop(show: str, browser: Browser, server: Room) -> None:
    """As many as a referee gives, in the longer language."""
    words = [f"drei violette Rauten ({share} %, sonst eine rote Raute)" for share in range(91, 98)]
    die = {"kind": "set-die", "code": "3-purple-diamond", "text": "drei violette Rauten", "said": ""}
    question = {"id": "which", "text": "was, das dort liegt, wurde falsch gelesen?", "none": "lasst es, wie es gewertet ist"}
    options = [{"number": at, "text": text, "piece": None} for at, text in enumerate([*words, "etwas anderes"], 1)]
    exhibits = [{"piece": die, "confidence": 0.9, "runner_up": None, "picture": "x"}] * len(words)
    hands = Hands(browser, server, viewport={"width": 1024, "height": 600}, language="de")
    square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
    hands.page.route("**/exhibit/*", lambda route: route.fulfill(body=square, content_type="image/svg+xml"))
    shown({**QUIET, "view": [SPREAD], "exhibits": exhibits, "question": {**question, "options": options}}, ".is-which img")(hands)
    hands.page.get_by_label(hands.word("page.tools.show")).select_option(show)
    buttons = hands.page.locator(".is-which button")
    expect(buttons).to_have_count(len(options) + 1)
    for button in buttons.all():
        expect(button).to_be_in_viewport(ratio=1)
    expect(hands.page.locator(".more-below")).to_have_count(0)
    assert faults(hands.page, axe=False) == []
    hands.context.close()


@pytest.mark.parametrize("show", ["both", "picture"])
def test_all_that_a_misread_piece_may_be_is_in_sight_at_once_on_a_low_laptop(show: str, browser: Browser, server: Room) -> None:
    """As many answers as a referee gives, in the longer language: two or three of them were in sight."""
    card = {"kind": "set-card", "code": "3-purple-striped-diamond", "text": "drei violette gestreifte Rauten", "said": ""}
    texts = [*["drei violette ungefüllte Rauten"] * 8, "etwas anderes"]
    options = [{"number": at, "text": text, "piece": card if at < 9 else None} for at, text in enumerate(texts, 1)]
    question = {"id": "what", "text": "Was ist es, wenn nicht drei violette gestreifte Rauten?", "none": "lasst es, wie es gewertet ist"}
    exhibit = {"piece": card, "confidence": 0.9, "runner_up": {**card, "text": "drei violette ungefüllte Rauten"}, "picture": "x"}
    hands = Hands(browser, server, viewport={"width": 1024, "height": 600}, language="de")
    square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
    hands.page.route("**/exhibit/*", lambda route: route.fulfill(body=square, content_type="image/svg+xml"))
    shown({**QUIET, "view": [SPREAD], "exhibits": [exhibit], "question": {**question, "options": options}}, ".exhibits img")(hands)
    hands.page.get_by_label(hands.word("page.tools.show")).select_option(show)
    buttons = hands.page.locator(".ask .answers button")
    expect(buttons).to_have_count(len(options) + 1)
    for one in (*buttons.all(), hands.page.locator(".ask .exhibits")):
        expect(one).to_be_in_viewport(ratio=1)
    expect(hands.page.locator(".more-below")).to_have_count(0)
    assert faults(hands.page, axe=False) == []
    hands.context.close()


def test_an_unread_card_is_seen_beside_all_that_it_may_be_on_a_low_laptop(browser: Browser, server: Room) -> None:
    card = {"kind": "set-card", "code": "3-purple-striped-diamond", "text": "drei violette gestreifte Rauten", "said": ""}
    options = [{"number": at, "text": card["text"], "piece": card if at < 9 else None} for at in range(1, 10)]
    question = {"id": "what", "text": "Karte in der Mitte: Was ist das?", "none": "nichts davon", "picture": "x", "options": options}
    hands = Hands(browser, server, viewport={"width": 1024, "height": 600}, language="de")
    square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
    hands.page.route("**/exhibit/x.jpg", lambda route: route.fulfill(body=square, content_type="image/svg+xml"))
    shown({**QUIET, "view": [SPREAD], "question": question}, ".ask .shown-crop")(hands)
    expect(hands.page.get_by_role("img", name=hands.word("page.ask.seen"))).to_be_in_viewport(ratio=1)
    for one in hands.page.locator(".ask .answers button").all():
        expect(one).to_be_in_viewport(ratio=1)
    assert faults(hands.page, axe=False) == []
    hands.context.close()


@pytest.mark.slow
def test_the_words_below_the_cards_of_the_puzzle_lie_within_its_table(browser: Browser, server: Room) -> None:
    host = Hands(browser, server, viewport={"width": 1280, "height": 720})
    host.press(host.page.get_by_role("button", name="Puzzle of the day"))
    words, table = (host.page.locator(f".alone {part}").bounding_box() for part in (".caption", ".table"))
    assert words is not None
    assert table is not None
    assert words["y"] + words["height"] < table["y"] + table["height"]
    host.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1024, 600), (1280, 720), (1366, 768)], ids=str)
def test_what_was_laid_down_in_a_whole_game_is_in_sight_on_a_laptop(size: tuple[int, int], browser: Browser, server: Room) -> None:
    host = Hands(browser, server, viewport={"width": size[0], "height": size[1]})
    laid = [[{"kind": "playing-card", "code": f"{rank}{suit}", "text": rank, "said": rank} for suit in "HSDC"] for rank in "2345678"]
    hand = {"part": "hand", "pieces": [one[0] for one in laid[:4]], "is_numbered": False, "after": "", "lent": []}
    hands = [{**hand, "player": name, "number": at, "laid": laid[: 7 - at]} for at, name in enumerate(NAMES)]
    shown({**VIRTUAL, "view": hands}, ".table-page")(host)
    cards, table = boxes(host.page.locator(".graves .drawn")), host.page.locator(".parts").bounding_box()
    assert table is not None
    assert len(cards) == 4 * 13
    assert max(y + 1.55 * width for _, y, width in cards) <= table["y"] + table["height"]
    host.context.close()


@pytest.mark.slow
def test_the_dice_of_two_on_a_low_laptop_are_as_large_as_there_is_room(browser: Browser, server: Room) -> None:
    """They had shrunk so that four hands are in sight at once, while half of the table was empty."""
    host = Hands(browser, server, viewport={"width": 1024, "height": 600})
    server.host.begin(BeginMatch("cubed", [PlayerWanted(name) for name in NAMES]))
    host.page.wait_for_selector(".table-page")
    host.go_on()
    dice, table = host.page.locator(".hand .piece"), boxes(host.page.locator(".parts"))[0]
    expect(dice).to_have_count(10)
    assert min(width for *_, width in boxes(dice)) >= 64
    assert max(y + width for _, y, width in boxes(dice)) <= table[1] + host.page.locator(".parts").evaluate("one => one.clientHeight")
    host.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=str)
def test_the_hands_of_four_beside_their_board_are_in_sight_at_once(size: tuple[int, int], browser: Browser, server: Room) -> None:
    """The fifth die of each lay in a second row on a television, and the last hand below the table on a laptop."""
    hands = Hands(browser, server, viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    die = {"kind": "set-die", "code": "1-red-oval", "text": "1 red oval", "said": "one red oval"}
    entry: dict[str, Any] = {"text": "", "piece": None, "stress": "none"}
    lines = [[{**entry, "text": str(row)}, *[entry] * 9] for row in range(7)]
    board = {"part": "grid", "title": "board", "head": ["", *map(str, range(9))], "rows": lines}
    names = ("Ann", "Bo", "Cy", "Di")
    rows = [{**HAND, "player": name, "number": at, "pieces": [die] * 5, "laid": []} for at, name in enumerate(names)]
    players = [{**VIRTUAL["players"][1], "name": name} for name in names]
    shown({**VIRTUAL, "players": players, "view": [board, *rows]}, ".hand .piece")(hands)
    dice = hands.page.locator(".hand .piece")
    expect(dice).to_have_count(20)
    assert len({y for _, y, _ in boxes(dice)}) == len(names)
    assert min(width for *_, width in boxes(dice)) >= LEAST_TOUCH_PX
    expect(dice.last).to_be_in_viewport(ratio=1)
    hands.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 4])
def test_a_board_keeps_its_size_on_a_small_laptop_while_a_die_is_on_its_way_beside_all_hands(
    count: int, browser: Browser, server: Room
) -> None:
    """It was half as high then, and the hand of whose turn it was had to be scrolled to."""
    hands = Hands(browser, server, viewport={"width": 1024, "height": 600}, reduced_motion="reduce")
    die = {"kind": "set-die", "code": "1-red-oval", "text": "1 red oval", "said": "one red oval"}
    entry: dict[str, Any] = {"text": "", "piece": None, "stress": "none"}
    lines = [[{**entry, "text": str(row)}, *[entry] * 14] for row in range(9)]
    board = {"part": "grid", "title": "board", "head": ["", *map(str, range(14))], "rows": lines}
    names = ("Anna", "Bo", "Cy", "Johannes")[:count]
    rows = [{**HAND, "player": name, "number": at, "pieces": [die] * 5, "laid": []} for at, name in enumerate(names)]
    players = [{**VIRTUAL["players"][1], "name": name} for name in names]
    need = {"field": "placings", "text": "", "values": [], "count": None, "form": "placings"}
    last = count - 1
    choices = [choice_of("place", last, f"{names[last]}: lay dice", [need]), choice_of("end_turn", last, f"{names[last]}: skip the turn")]
    told_long = "lay a die so that it makes a SET in a row or a column, 3 at most, or end the turn"
    prompt = {"to": names[last], "text": told_long, "at": [], "players": [last]}
    shown({**VIRTUAL, "players": players, "prompts": [prompt], "choices": choices, "view": [board, *rows]}, ".hand .piece")(hands)
    cells = hands.page.locator(".board .cell")
    before = boxes(cells)
    assert min(width for *_, width in before) >= 20
    expect(hands.page.locator("[data-choice]").last).to_be_in_viewport(ratio=1)
    assert hands.page.locator(".parts").evaluate("one => one.scrollHeight - one.clientHeight") <= 1
    hands.press(hands.hand(last).locator(".piece").first)
    expect(hands.page.locator(".filling")).to_be_in_viewport(ratio=1)
    assert boxes(cells) == before
    hands.context.close()


@pytest.mark.slow
def test_the_dice_of_two_beside_a_picture_are_in_sight_at_once_on_a_low_laptop(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server, viewport={"width": 1024, "height": 600})
    die = {"kind": "set-die", "code": "1-red-oval", "text": "1 red oval", "said": "one red oval"}
    rows = [{**HAND, "player": name, "number": at, "pieces": [die] * 5, "laid": []} for at, name in enumerate(NAMES)]
    shown({**QUIET, "view": rows}, ".table.is-both .hand .piece")(hands)
    dice, (table,) = boxes(hands.page.locator(".hand .piece")), boxes(hands.page.locator(".parts"))
    assert len({y for _, y, _ in dice}) == len(NAMES)
    assert max(y + width for _, y, width in dice) <= table[1] + hands.page.locator(".parts").evaluate("one => one.clientHeight")
    hands.context.close()


@pytest.mark.slow
def test_a_table_whose_time_runs_is_no_wider_than_a_small_phone_in_the_largest_letters(browser: Browser, server: Room) -> None:
    hands = Hands(browser, server, viewport={"width": 320, "height": 568})
    hands.page.add_init_script("localStorage.setItem('visionset.wishes', JSON.stringify({ size: 200 }))")
    shown({**QUIET, "view": [SPREAD]}, ".ring")(hands)
    assert hands.page.evaluate("document.documentElement.scrollWidth") <= 320
    hands.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("width", [1024, 360])
def test_that_the_line_is_lost_stays_in_sight_in_large_letters_too(width: int, browser: Browser, server: Room) -> None:
    """There a laptop's page is scrolled, as a phone's is."""
    hands = Hands(browser, server, viewport={"width": width, "height": 600})
    hands.page.add_init_script("localStorage.setItem('visionset.wishes', JSON.stringify({ size: 150 }))")
    to_lost(hands)
    hands.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert hands.page.evaluate("scrollY") > 0
    expect(hands.page.locator(".lost p", has_text="Nothing was done")).to_be_in_viewport(ratio=1)
    hands.page.evaluate("document.querySelector('.lost b').parentNode.remove()")  # nobody has pressed anything
    expect(hands.page.locator(".lost .prompt")).to_be_in_viewport(ratio=1)
    hands.context.close()


@pytest.mark.slow
def test_a_picture_that_takes_the_place_of_another_goes_on(browser: Browser, server: Room) -> None:
    host = Hands(browser, server)
    during, sent = host.page.evaluate(SENT)
    assert during[-1] is True
    assert sent[-1] is False
    assert sent.count(False) == 1


@pytest.mark.slow
def test_who_played_without_a_phone_is_asked_to_the_next_game_beside_those_with_one(browser: Browser, server: Room) -> None:
    host = Hands(browser, server)
    phone = Hands(browser, server, f"/join/{server.host.seats.code}", viewport={"width": 360, "height": 740})
    phone.page.get_by_label("Your name").fill("Bo")
    phone.page.get_by_role("button", name="Sit down").click()
    phone.page.wait_for_selector(".waiting")
    host.page.get_by_role("button", name="Scramble SET").click()
    seats = host.page.locator(".seats input")
    expect(seats.first).to_have_value("Bo")
    host.page.get_by_role("button", name="Add a player").click()
    seats.nth(1).fill("Ann")
    host.page.get_by_role("button", name="Begin", exact=True).click()
    host.page.wait_for_selector(".table-page")
    server.host.leave()
    host.page.get_by_role("button", name="SET Cubed").click()
    for place, name in enumerate(("Bo", "Ann")):
        expect(seats.nth(place)).to_have_value(name)
    phone.page.get_by_role("button", name="Your name").click()
    expect(phone.page.locator("form")).to_be_visible()


@pytest.mark.slow
def test_points_stand_behind_names_of_any_length_and_direction_on_a_phone(browser: Browser, server: Room) -> None:
    phone = Hands(browser, server, viewport={"width": 360, "height": 740})
    names = ("Ann", "W" * 24, "אבי כהן", "محمد")
    players = [{**DOUBTFUL["players"][0], "name": name, "has_called": False} for name in names]
    on_phone({**QUIET, "is_camera": False, "camera": None, "zones": None, "players": players})(phone)
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360
    behind = """all => all.filter(one => {
        const range = document.createRange();
        range.selectNode(one.firstChild);
        return range.getBoundingClientRect().left > one.querySelector("b").getBoundingClientRect().left;
    }).map(one => one.textContent)"""
    assert phone.page.locator(".scores li").evaluate_all(behind) == []
    phone.context.close()


def test_a_number_behind_a_name_that_is_written_from_right_to_left_keeps_its_sign(browser: Browser, server: Room) -> None:
    """At the end of the match 16 points less than none stood as ``16-``."""
    hands = Hands(browser, server)
    name = "אבי כהן"
    player = {**QUIET["players"][0], "name": name, "score": -16}
    over = {"winners": [0], "text": f"{name}: -16 points, place 1 in this match", "rank": None}
    shown({**VIRTUAL, "page": "over", "players": [player], "over": over}, ".over-page")(hands)
    lefts = """one => ["-", "16"].map(what => {
        const [text, range] = [one.firstChild, document.createRange()], at = text.data.indexOf(what);
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
    })"""
    sign, number = hands.page.locator(".over-page .prompt").evaluate(lefts)
    assert sign < number
    hands.context.close()


def test_what_begins_with_a_number_stands_behind_a_name_that_is_written_from_right_to_left(browser: Browser, server: Room) -> None:
    """The number stood before the name: ``10 :name dice to lay``."""
    hands = Hands(browser, server)
    names = "דנה", "נועם"
    players = [{**QUIET["players"][0], "name": name} for name in names]
    texts = "10 dice to lay", "11 dice to lay"
    prompts = [{"to": name, "text": text, "at": [], "players": [at]} for at, (name, text) in enumerate(zip(names, texts, strict=True))]
    hints = {"level": 1, "text": f"{names[0]}: 8 of 10 dice can be laid", "at": []}
    shown({**VIRTUAL, "players": players, "prompts": prompts, "hints": hints}, ".table-page")(hands)
    lefts = """one => {
        const words = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), range = document.createRange(), left = {};
        while (words.nextNode()) for (const { index, 0: found } of words.currentNode.data.matchAll(/[\u0590-\u05ff]+|[0-9]+/g)) {
            range.setStart(words.currentNode, index);
            range.setEnd(words.currentNode, index + found.length);
            left[/[0-9]/.test(found) ? "number" : "name"] ??= range.getBoundingClientRect().left;
        }
        return left.name < left.number;
    }"""
    for what in (".prompt", ".more", ".hint"):
        assert hands.page.locator(what).evaluate(lefts), what
    hands.context.close()


@pytest.mark.slow
def test_a_name_of_one_long_word_makes_no_page_wider_than_its_screen(browser: Browser, server: Room) -> None:
    long = "W" * 24
    players = [{**DOUBTFUL["players"][0], "name": name, "has_called": False} for name in (long, "Bo")]
    asked = {**DOUBTFUL["question"], "options": [{"number": 1, "text": long}]}
    shared = {"players": players, "notice": f"{long}: SET, +1", "status": [["round 1", long]], "view": [{**HAND, "player": long}]}
    plain = {"is_camera": False, "camera": None, "zones": None}
    over = {"page": "over", "over": {"winners": [0], "text": f"{long} won", "rank": None}}
    for whole in ({**QUIET, **shared, **plain}, {**QUIET, **shared, **plain, "question": asked}, {**QUIET, **shared, **plain, **over}):
        hands = Hands(browser, server, viewport={"width": 360, "height": 740})
        shown(whole, ".over-page, .table-page")(hands)
        assert hands.page.evaluate("document.documentElement.scrollWidth") <= 360
        hands.context.close()


@pytest.mark.parametrize("size", [(1024, 600), (360, 740)], ids=str)
def test_the_tables_of_the_end_are_whole_beside_each_other_and_on_a_phone(size: tuple[int, int], browser: Browser, server: Room) -> None:
    """The points of the evening were cut off where somebody has a long name and many have won."""
    hands = Hands(browser, server, viewport={"width": size[0], "height": size[1]}, language="de")
    names = ("Maximiliane-Theodora von", "Bo")
    players = [{**QUIET["players"][0], "name": name, "score": -15} for name in names]
    rank = [{"place": at + 1, "name": name, "points": -15, "is_mine": True} for at, name in enumerate(names)]
    standings = [{"name": name, "won": 3, "points": 160, "rounds": 5} for name in names]
    over = {"winners": [0, 1], "text": "Bo", "rank": rank}
    shown({**VIRTUAL, "page": "over", "players": players, "over": over, "standings": standings}, ".over-page")(hands)
    assert hands.page.locator(".columns > section").evaluate_all("all => all.map(one => one.scrollWidth - one.clientWidth)") == [0, 0, 0]
    hands.context.close()


def test_a_phone_shows_what_others_have_laid_down_and_not_what_they_hold(browser: Browser, server: Room) -> None:
    phone = Hands(browser, server, viewport={"width": 390, "height": 740})
    other = {**HAND, "player": "Bo", "number": 1}
    table = {**DOUBTFUL, "is_camera": False, "camera": None, "zones": None, "question": None, "differ": "", "exhibits": []}
    on_phone({**table, "view": [HAND, other]})(phone)
    bo = phone.page.locator('.hand[data-player="1"]')
    expect(bo.locator(".graves li")).to_have_count(2)
    expect(bo.locator(".piece")).to_have_count(0)
    expect(phone.page.locator('.hand[data-player="0"] .piece')).to_have_count(5)
    phone.context.close()
    assert phone.trouble == []


@pytest.mark.slow
def test_who_plays_is_told_what_another_name_costs(browser: Browser, server: Room) -> None:
    phone = begun(browser, server, "set", width=390, height=740)
    phone.page.get_by_role("button", name="Your name").click()
    expect(phone.page.get_by_text("You play as Ann. Under another name you watch until the next match.")).to_be_visible()
    phone.page.get_by_role("button", name="Back to the table").click()
    expect(phone.page.locator(".me .name")).to_have_text("Ann")


@pytest.mark.slow
def test_who_does_not_play_is_told_of_no_cost_of_another_name(browser: Browser, server: Room) -> None:
    """Before any match, and where the name is that of somebody else."""
    first, second = (Hands(browser, server, f"/join/{server.host.seats.code}") for _ in range(2))
    for phone in (first, second):
        phone.page.locator("input").fill("Ann")
        phone.page.get_by_role("button", name="Sit down").click()
        phone.page.wait_for_selector(".waiting")
    expect(second.page.get_by_text("Ann is there already")).to_be_visible()
    expect(second.page.get_by_role("button", name="Your name").last).not_to_have_css("border-style", "dashed")
    for phone, has_name in ((first, True), (second, False)):
        phone.page.get_by_role("button", name="Your name").last.click()
        expect(phone.page.locator("input")).to_have_value("Ann" if has_name else "")
        expect(phone.page.get_by_role("button", name="Back to the table")).to_have_count(int(has_name))
        expect(phone.page.get_by_text("You play as")).to_have_count(0)
        phone.context.close()


@pytest.mark.slow
def test_a_phone_shows_how_the_time_of_its_owner_runs_out(browser: Browser, server: Room) -> None:
    phone = begun(browser, server, "set", width=390, height=740)
    ring = phone.page.locator(".me .ring")
    expect(ring).to_have_count(0)
    phone.page.get_by_role("button", name="SET!").click()
    expect(ring).to_have_count(1)


def test_usual_names_are_whole_on_a_sheet_of_a_phone_and_its_rows_as_low_as_values_are(browser: Browser, server: Room) -> None:
    names = ("Johannes", "Charlotte", "Maximilian")
    phone = Hands(browser, server, viewport={"width": 390, "height": 844})
    players = [{**VIRTUAL["players"][1], "name": name} for name in names]
    texts = [[str(row), *["(1) 1 - may be circled"] * len(names)] for row in range(1, 7)]
    rows = [[{"text": text, "piece": None, "stress": "none"} for text in row] for row in texts]
    sheet = {"part": "grid", "title": "turn 1", "head": ["row", *names], "rows": rows}
    circles = [{**choice_of(f"circle{row}", 0, "Circle"), "fixed": {"row": row}} for row in range(1, 7)]
    on_phone({**VIRTUAL, "players": players, "choices": circles, "view": [sheet]}, ".sheet .good")(phone)
    heads = phone.page.locator(".sheet thead th + th")
    assert heads.all_inner_texts() == list(names)
    assert heads.evaluate_all(f"all => all.map({LINES})") == [1, 1, 1]
    cells = phone.page.locator(".sheet tbody tr").first.locator("td .values")
    assert cells.evaluate_all(f"all => all.map(one => one.getBoundingClientRect().height < {LEAST_TOUCH_PX})") == [True, True, True]
    phone.context.close()
