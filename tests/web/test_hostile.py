"""Messages that no page sends, made from those that pages do: each is refused by name, the table goes on, and nothing is kept of them."""

from __future__ import annotations

import json
import random
import socket
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.hostile.damage import DEEP_CLOSED, DEEP_JSON, ODD, as_json, damaged, torn
from tests.web.room import Page, Room, room
from tests.web.test_play import begin, check_end, play_out
from visionset.store import Store
from visionset.web.security import RateLimits

ODD_MESSAGES = (*ODD, DEEP_JSON, DEEP_CLOSED, {"die": 0, "row": 0, "col": 0, "stated": "wild"}, [{"die": 2**70}] * 3)

MESSAGES: tuple[dict[str, Any], ...] = (
    {"type": "hello", "seat": "x", "name": "Eve", "code": "ABCDEFGH"},
    {"type": "pong", "n": 1, "t_ms": 5.5},
    {"type": "begin", "game": "set", "players": [{"name": "Eve", "is_bot": False, "strength": 2}], "house": {"rounds": 1}, "seed": 1},
    {"type": "resume", "match": 1},
    {"type": "leave"},
    {"type": "move", "version": 0, "choice": "take:0:0", "values": {"at": [0, 1, 2]}},
    {"type": "move", "version": 0, "choice": "lay:0:0", "values": {"grid": [{"die": 0, "row": 0, "col": 0, "stated": "1-red-oval"}]}},
    {"type": "say", "what": "set", "player": 0, "number": 1, "t_ms": 1000.0},
    {"type": "say", "what": "hint", "player": 0},
    {"type": "say", "what": "undo"},
    {"type": "zones", "zones": [{"name": "pack", "box": [0.0, 0.0, 0.5, 0.5]}]},
    {"type": "seen", "n": 1},
    {"type": "stream", "on": True, "width": 640},
    {"type": "look", "camera": None},
)
"""One of each kind that a page may send."""

LAST = {"camera", "host", "no_match"}
"""What is said to a phone that would end the match, and to zones where there is no camera."""

NAMED = LAST | {"schema", "size", "rate", "stale", "seat", "rule", "values", "word", "game", "name", "match", "hello", "code", "store"}
"""Every word for why; what is wrong inside the program has another."""


def hostile(rng: random.Random, version: int) -> bytes:
    """A message with something wrong in it, in structure or in letters."""
    message = damaged(rng, {**rng.choice(MESSAGES), **({"version": version} if rng.random() < 0.5 else {})}, ODD_MESSAGES)
    data = as_json(message).encode("utf-8", "surrogatepass")[:60_000]
    return torn(rng, data)[:60_000] if rng.random() < 0.3 else data


def throw(here: Room, count: int, seed: int, **hello: Any) -> Counter[str]:
    """Throw messages at the table over as many sockets as it takes; gives how often each refusal came."""
    rng, heard, left = random.Random(seed), Counter[str](), count
    while left:
        with here.page(**hello) as page:
            try:
                for _ in range(min(left, 150)):
                    left -= 1
                    here.clock.now_s += 1
                    data = hostile(rng, page.version)
                    try:
                        page.socket.send(data.decode())
                    except UnicodeDecodeError:
                        page.socket.send(data)
                if page.welcome["is_host"]:
                    page.send("zones", zones=[])
                else:
                    page.send("leave")
                while not LAST & {one["why"] for one in page.others}:
                    page.read()
                page.read_ping()  # what was asked before has been answered by now
            except ConnectionClosed:  # after too much nonsense
                pass
            heard.update(one["why"] for one in page.others)
    return heard


def stands_as_it_stood(here: Room, page: Page, lines: tuple[str, ...]) -> None:
    """The match is what it was before, and it is played to its end."""
    with Store(here.folder / "matches.sqlite3", time.time) as store:
        assert store.export_lines(1)[: len(lines)] == lines
    play_out(here, page, random.Random(1))
    check_end(here.folder, page)


@pytest.mark.parametrize("count", [300, pytest.param(2000, marks=pytest.mark.slow)])
def test_hostile_messages_of_a_phone_are_refused_by_name(count: int, tmp_path: Path) -> None:
    with room(tmp_path) as here, here.page() as host:
        begin(host, "scramble", 2, rounds=1)
        here.go_on(host)
        with Store(tmp_path / "matches.sqlite3", time.time) as store:
            lines = store.export_lines(1)
        with here.page(code=here.host.seats.code, name="Bo") as phone:
            seat = phone.welcome["seat"]
        heard = throw(here, count, 5, seat=seat)
        assert set(heard) <= NAMED, heard
        assert heard["schema"] > count / 4
        stands_as_it_stood(here, host, lines[:2])


@pytest.mark.parametrize("count", [200, pytest.param(2000, marks=pytest.mark.slow)])
def test_hostile_messages_of_the_host_break_nothing(count: int, tmp_path: Path) -> None:
    """The host may begin and leave; what is kept is whole all the same."""
    with room(tmp_path) as here, here.page() as host:
        heard = throw(here, count, 6)
        assert set(heard) <= NAMED, heard
        host.send("leave")
        begin(host, "sets-dice", 2, turns=1)
        play_out(here, host, random.Random(1))
        check_end(tmp_path, host)
    with Store(tmp_path / "matches.sqlite3", time.time) as store:
        for one in store.summaries():
            assert store.load(one.id).summary == one


@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.slow)])
def test_many_sockets_see_the_same(count: int, tmp_path: Path) -> None:
    with room(tmp_path, limits=RateLimits(sockets=count + 1)) as here, here.page() as host, ExitStack() as stack:
        pages = [stack.enter_context(here.page(code=here.host.seats.code)) for _ in range(count)]
        begin(host, "sets-dice", 2, turns=1)
        play_out(here, host, random.Random(1))
        for page in pages:
            page.catch_up(here.host.showing(None)[0])
            assert {**page.state, "hints": None} == {**host.state, "hints": None}


def test_who_does_not_read_holds_nobody_up(tmp_path: Path) -> None:
    """Sockets that take nothing of what they are sent, and heads of requests that never end."""
    with room(tmp_path) as here, here.page() as host, ExitStack() as stack:
        for _ in range(10):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", here.port)))
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13"
            head = f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{key}\r\n\r\n"
            slow.sendall(head.encode())
            said = json.dumps({"type": "hello"}).encode()
            mask = bytes(4)
            slow.sendall(bytes([0x81, 0x80 | len(said)]) + mask + said)
            begun = stack.enter_context(socket.create_connection(("127.0.0.1", here.port)))
            begun.sendall(b"GET /state HTTP/1.1\r\nHost: 127")
        begin(host, "scramble", 2, rounds=1)
        play_out(here, host, random.Random(1))
        check_end(tmp_path, host)
