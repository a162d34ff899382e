"""Requests that nobody at this table makes: each is refused by name, and the table goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.web.room import FROM, Answer, Room, room
from visionset.web.seats import Seats
from visionset.web.security import RateLimits

FAR = {FROM: "192.168.1.30"}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A server for tests that change nothing at it."""
    with room(tmp_path_factory.mktemp("room"), limits=RateLimits(requests_burst=10_000)) as room_here:
        yield room_here


def why(answer: Answer) -> tuple[int, str]:
    assert answer.headers["content-security-policy"].startswith("default-src 'self';")
    assert answer.headers["x-content-type-options"] == "nosniff"
    return answer.status, answer.json()["why"]


def refused_socket(here: Room, **headers: str) -> tuple[int, str]:
    with pytest.raises(InvalidStatus) as error, here.connect(**headers):
        pass
    answer = error.value.response
    return answer.status_code, Answer(0, {}, bytes(answer.body or b"{}")).json()["why"]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "", "127.0.0.1.evil.example", "[::1", "192.168.1.30"])
def test_a_name_that_somebody_else_gave_this_machine_is_refused(host: str, here: Room) -> None:
    assert why(here.get("/state", Host=host)) == (421, "address")


@pytest.mark.parametrize("host", ["127.0.0.1:1", "localhost", "LOCALHOST:8765"])
def test_names_and_addresses_of_this_machine_are_its_own(host: str, here: Room) -> None:
    assert here.get("/state", Host=host).status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://", "https://127.0.0.1.evil.example"])
def test_another_site_gets_nothing(origin: str, here: Room) -> None:
    assert why(here.get("/state", Origin=origin)) == (403, "origin")
    assert refused_socket(here, Origin=origin) == (403, "origin")
    assert here.get("/state", Origin=f"http://127.0.0.1:{here.port}").status == 200
    assert why(here.get("/matches", sec_fetch_site="cross-site")) == (403, "origin")


def test_who_is_not_at_this_machine_needs_the_code(here: Room) -> None:
    for path in ("/", "/state", "/static/index.html", "/piece/5.svg?kind=pip-die", "/qr.svg", "/events", "/openapi.json"):
        assert why(here.get(path, **FAR)) == (403, "code")
    assert refused_socket(here, **FAR) == (403, "code")
    assert why(here.get("/join/WRONGONE", **FAR)) == (403, "code")
    followed = here.get("/join/WRONGONE", **FAR, Accept="text/html,*/*;q=0.8")  # a person's browser, with the link of another match
    assert (followed.status, followed.headers["content-type"]) == (403, "text/html; charset=utf-8")
    assert b"<p>the code is not that of this match; scan the QR code at the table again</p>" in followed.body
    joined = here.get(f"/join/{here.host.seats.code}", **FAR)
    assert joined.status == 200
    cookie = joined.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    inside = {**FAR, "Cookie": cookie.partition(";")[0]}
    assert here.get("/state", **inside).status == 200
    assert here.get("/join/WRONGONE", **inside).status == 200
    assert why(here.get("/qr.svg", **inside)) == (403, "host")
    assert here.get(f"/state?code={here.host.seats.code}", **FAR).status == 200
    assert why(here.get("/state?code=WRONGONE", **FAR)) == (403, "code")


def test_a_phone_acts_for_its_own_seat_and_the_host_for_all(tmp_path: Path) -> None:
    with room(tmp_path) as here, here.page() as host, here.page(code=here.host.seats.code, name="Ann") as phone:
        assert host.welcome["is_host"]
        assert not phone.welcome["is_host"]
        for kind, fields in (("begin", {"game": "set", "players": [{"name": "Ann"}]}), ("leave", {}), ("resume", {"match": 1})):
            assert phone.refused(kind, **fields) == "host"
        host.send("begin", game="scramble", players=[{"name": "Ann"}, {"name": "Bo"}, {"name": "Robot", "is_bot": True}])
        while host.state["game"] is None:
            host.read()
        here.go_on()
        for page in (host, phone):
            page.catch_up(here.host.showing(None)[0])
        assert {one["player"] for one in phone.state["choices"]} == {0, 1}
        move: dict[str, Any] = {"version": phone.version, "values": {"at": [0, 1, 2]}}
        assert phone.refused("move", choice="take:1:0", **move) == "seat"
        assert phone.refused("say", what="set", player=1) == "seat"
        assert phone.refused("say", what="undo") == "host"
        assert host.refused("move", version=host.version, choice="take:2:0", values={"at": [0, 1, 2]}) == "seat"
        assert host.refused("move", version=host.version - 1000, choice="take:0:0", values={"at": [0, 1, 2]}) == "stale"
        host.send("move", version=host.version, choice="take:1:0", values={"at": [0, 0, 0]})
        assert host.until("refused")["why"] == "rule"
        with here.page(code=here.host.seats.code, name="Cy") as watcher:
            assert watcher.welcome["player"] is None
            assert watcher.refused("move", version=watcher.version, choice="take:0:0", values={"at": [0, 1, 2]}) == "seat"


def test_two_of_one_name_are_told_apart(tmp_path: Path) -> None:
    with room(tmp_path) as here, here.page(code=here.host.seats.code, name="Ann") as phone, here.connect() as socket:
        socket.send(f'{{"type": "hello", "code": "{here.host.seats.code}", "name": "Ann"}}')
        assert '"why":"name"' in str(socket.recv(5))
        assert phone.welcome["seat"]


@pytest.mark.parametrize(
    "hello",
    ['{"type":"hello","code":"WRONGONE"}', '{"type":"hello","seat":"nobody"}', '{"type":"move"}', "x", "[]", '{"type":"leave"}'],
)
def test_who_says_no_right_hello_is_sent_away(hello: str, here: Room) -> None:
    with here.connect(Cookie="") as socket:
        socket.send(hello.replace('"seat":"nobody"', '"seat":"nobody","code":"WRONGONE"'))
        assert '"type":"error"' in str(socket.recv(5))


def test_uploads_and_other_methods_are_refused(here: Room) -> None:
    assert why(here.get("/state", "POST", b"x" * 100_000)) == (413, "size")
    assert why(here.get("/state", "GET", b"x")) == (413, "size")
    assert why(here.get("/state", "DELETE")) == (405, "method")
    assert why(here.get("/" + "a" * 20_000)) == (414, "size")
    for path in ("/report/{}", "/film/{}/1.avi", "/film/1/{}.avi", "/roll?count={}", "/puzzle?date={}"):
        assert why(here.get(path.format("9" * 5000))) == (414, "size")  # more digits than are made a number of
    assert why(here.get("/state", **{"x-long": "a" * 20_000})) == (431, "size")
    with here.page() as page:
        assert page.refused("move", version=0, choice="x" * 20_000) == "size"
    assert here.get("/state").status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2f..%2fapp.py",
        "/static//etc/passwd",
        "/static/",
        "/nowhere",
        "/exhibit/..%2f.jpg",
    ],
)
def test_no_path_of_a_request_reaches_the_disk(path: str, here: Room) -> None:
    assert why(here.get(path)) == (404, "not_found")


@pytest.mark.parametrize(
    "path",
    ["/piece/x.svg", "/piece/1-red-solid-oval.svg?kind=nothing", "/piece/%3Cscript%3E.svg?kind=set-die", "/piece/7.svg?kind=pip-die"],
)
def test_a_piece_that_there_is_not_is_refused(path: str, here: Room) -> None:
    assert why(here.get(path)) == (404, "piece")


def test_who_asks_too_much_is_told_so(tmp_path: Path) -> None:
    limits = RateLimits(requests_s=0.1, requests_burst=5, messages_s=0.1, messages_burst=5)
    with room(tmp_path, limits=limits) as here:
        assert [here.get("/games", **FAR).status for _ in range(6)][-1] == 429
        with here.page() as page:
            for _ in range(8):
                page.send("say", what="next")
            assert [page.until("refused")["why"] for _ in range(8)].count("rate") == 3
        here.clock.now_s += 60
        assert here.get("/state").status == 200


def test_a_socket_that_floods_is_closed_and_no_other(tmp_path: Path) -> None:
    with room(tmp_path) as here, here.page() as page, here.page() as flood:
        with suppress(ConnectionClosed):  # it may be closed before all of them are sent
            for _ in range(400):
                flood.socket.send("{")
        assert flood.until("error")["why"] == "rate"
        assert page.refused("say", what="no_set") == "no_match"


def test_only_so_many_pages_are_let_in(tmp_path: Path) -> None:
    with room(tmp_path, limits=RateLimits(sockets=2)) as here, here.page() as page, here.connect():
        assert refused_socket(here) == (503, "full")
        assert page.refused("say", what="no_set") == "no_match"


@pytest.mark.parametrize(
    "damaged",
    [
        {"code": "", "host": "h"},
        {"code": "ABCDEFGH", "host": ""},
        {"code": "ABCDEFGH", "host": "h", "phone": ""},
        {"code": "ABCDEFGH", "host": "h", "seats": [["", "Ann"]]},
        {"code": "\ud800", "host": "h"},
        {"code": "ABCDEFGH", "host": "h", "phone": "\udfff"},
        {"code": "ABCDEFGH", "host": "h", "seats": [["token", "\ud800"]]},
    ],
)
def test_damaged_seats_are_begun_anew_and_let_nobody_in(damaged: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "seats.json"
    path.write_text(json.dumps(damaged))
    seats = Seats(path)
    assert len(seats.code) == 8
    assert seats.code != "ABCDEFGH"
    assert not seats.admits("")
    assert not seats.is_camera("")
