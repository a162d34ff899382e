"""A phone that is the camera: let in by the code, over https alone, and what it sends is looked at like any camera's picture."""

from __future__ import annotations

import socket
import ssl
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.client import HTTPSConnection
from pathlib import Path
from threading import Event as Signal
from typing import Any

import pytest

from tests.web.room import FROM, PATIENCE_S, Answer, Clock, FromElsewhere, Room, room
from visionset.errors import RequestError
from visionset.web.camera_app import make_camera_app
from visionset.web.cameras import PHONE, Cameras
from visionset.web.certificate import certificate
from visionset.web.phone_camera import PhoneCamera
from visionset.web.seats import GONE_S, MOST_ASKING, Seats
from visionset.web.security import RateLimits
from visionset.web.serving import ServerOptions, ServerThread, uvicorn_config
from visionset.web.wire import AnswerPhone

SAMPLES = Path(__file__).parents[2] / "samples"
FAR = {FROM: "192.168.1.30"}
HERE = "127.0.0.1"
MANY = RateLimits(pictures_burst=1000)


class Phone:
    """What asks at the https address, and trusts its certificate alone."""

    def __init__(self, port: int, pem: Path) -> None:
        self.port = port
        self.trusts = ssl.create_default_context(cafile=str(pem))
        self.trusts.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # nobody signs for it
        self.cookie = ""

    def ask(self, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Answer:
        line = HTTPSConnection(HERE, self.port, timeout=PATIENCE_S, context=self.trusts)
        kept = {"Cookie": self.cookie} if self.cookie else {}
        try:
            line.request(method, path, body, {**kept, **{name.replace("_", "-"): value for name, value in headers.items()}})
            answer = line.getresponse()
            return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            line.close()

    def join(self, code: str, **headers: str) -> Answer:
        answer = self.ask(f"/camera/{code}", **headers)
        self.cookie = answer.headers.get("set-cookie", "").partition(";")[0] or self.cookie
        return answer

    def send(self, body: bytes, **headers: str) -> Answer:
        return self.ask("/frame", "POST", body, **headers)


@contextmanager
def phone_room(folder: Path, limits: RateLimits = MANY) -> Iterator[tuple[Room, Phone]]:
    """A table whose camera a phone may be, and a phone that has not joined."""
    camera = PhoneCamera()
    with socket.create_server((HERE, 0)) as listener:
        port = listener.getsockname()[1]
        link = f"https://{HERE}:{port}"
        with room(folder, time.monotonic, cameras=Cameras(phone=camera), camera_link=link) as here:
            app = make_camera_app(camera, here.host, ServerOptions(port, link, limits=limits), time.monotonic)
            pem = certificate(folder, HERE)
            with ServerThread(uvicorn_config(FromElsewhere(app), pem), listener):
                yield here, Phone(port, pem)


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Room, Phone]]:
    with phone_room(tmp_path_factory.mktemp("room")) as opened:
        yield opened


@pytest.fixture
def here(rooms: tuple[Room, Phone]) -> Room:
    return rooms[0]


@pytest.fixture
def phone(rooms: tuple[Room, Phone]) -> Phone:
    """A phone that has not joined."""
    return Phone(rooms[1].port, rooms[0].folder / "phone-camera.pem")


def allow(here: Room, is_allowed: bool = True) -> None:
    """The host answers for the phone that waits."""
    phone = here.host.seats.asking
    assert phone is not None
    here.host.do(here.host.seats.host_seat(), AnswerPhone(phone.number, is_allowed))


def admitted(here: Room, phone: Phone, **headers: str) -> Answer:
    """A phone joins, and the host allows it to be the camera."""
    answer = phone.join(here.host.seats.code, **headers)
    allow(here)
    return answer


def why(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json()["why"]


def test_the_host_alone_gets_the_link_and_pages_may_name_the_phone(here: Room, phone: Phone) -> None:
    assert here.get("/camera-qr.svg").headers["x-join-link"] == f"https://{HERE}:{phone.port}/camera/{here.host.seats.code}"
    assert why(here.get("/camera-qr.svg?code=" + here.host.seats.code, **FAR)) == (403, "host")
    assert here.get("/cameras").json()[-1] == {"source": PHONE, "name": "a phone"}


def test_without_https_there_is_no_such_link_and_no_such_camera(tmp_path: Path) -> None:
    with room(tmp_path) as alone, alone.page() as page:
        assert why(alone.get("/camera-qr.svg")) == (404, "not_found")
        assert PHONE not in [one["source"] for one in alone.get("/cameras").json()]
        assert page.refused("look", camera=PHONE) == "camera"


def test_the_code_lets_a_phone_in_and_its_secret_is_kept_from_others(here: Room, phone: Phone) -> None:
    assert why(phone.join("WRONGONE", **FAR)) == (403, "code")
    assert why(phone.send(b"x", **FAR)) == (403, "code")
    assert why(phone.send(b"x")) == (403, "other_phone")
    joined = admitted(here, phone, **FAR)
    assert joined.status == 200
    assert all(word in joined.headers["set-cookie"].lower() for word in ("secure", "httponly", "samesite=strict"))
    assert joined.headers["content-security-policy"].startswith("default-src 'self';")
    assert phone.send(b"", **FAR).status == 200
    assert phone.ask("/static/camera.js", **FAR).status == 200


def test_the_phone_that_joined_last_is_the_camera(here: Room, phone: Phone) -> None:
    admitted(here, phone)
    other = Phone(phone.port, here.folder / "phone-camera.pem")
    admitted(here, other)
    assert why(phone.send(b"x")) == (403, "other_phone")
    assert other.send(b"x").json() == {"is_seen": False}
    assert other.join("WRONGONE").status == 200  # the code of the next match is another; who is the camera stays it


def test_no_picture_is_taken_before_the_host_allows_it_and_whose_phone_asks_is_told_to_the_host_alone(here: Room, phone: Phone) -> None:
    with here.page() as host, here.page(code=here.host.seats.code, name="Ann") as guest:
        phone.cookie = f"visionset_1={guest.welcome['seat']}"
        phone.join(here.host.seats.code)
        while host.state["asking_phone"] is None:
            host.read()
        asked = host.state["asking_phone"]
        assert (asked["name"], asked["address"]) == ("Ann", HERE)
        guest.catch_up(host.version)
        assert guest.state["asking_phone"] is here.get("/state").json()["asking_phone"] is None
        for _ in range(2):
            assert why(phone.send((SAMPLES / "table-12.jpg").read_bytes())) == (403, "asking")
            assert phone.join("WRONGONE").status == 200  # comes back, and there is no second question
        assert guest.refused("phone", number=asked["number"], is_allowed=True) == "host"
        host.send("phone", number=asked["number"], is_allowed=True)
        while host.state["asking_phone"] is not None:
            host.read()
        assert phone.send(b"x").status == 200
        assert phone.join("WRONGONE").status == 200
        assert here.host.seats.asking is None
        assert phone.send(b"x").status == 200
        assert host.refused("phone", number=asked["number"], is_allowed=False) == "stale"


def test_the_question_about_a_phone_goes_when_the_phone_is_gone_and_comes_back_with_it(tmp_path: Path) -> None:
    clock = Clock()
    seats = Seats(tmp_path / "seats.json", clock)
    first, second = seats.ask_camera("Ann", HERE), seats.ask_camera("Bo", HERE)
    clock.now_s += GONE_S / 2
    seats.hear_phone(second)
    asked = seats.asking
    assert asked is not None
    assert asked.token == first
    assert seats.asks_until_s == pytest.approx(clock.now_s + GONE_S / 2, abs=0.5)
    clock.now_s += GONE_S / 2
    asked = seats.asking
    assert asked is not None
    assert asked.token == second
    clock.now_s += GONE_S
    assert seats.asking is seats.asks_until_s is None
    assert seats.is_asking(first)  # it was asleep
    seats.hear_phone(first)
    asked = seats.asking
    assert asked is not None
    assert asked.token == first
    for _ in range(MOST_ASKING - 1):  # of those that wait one is gone, and gives way
        seats.ask_camera("", HERE)
    assert not seats.is_asking(second)
    with pytest.raises(RequestError):
        seats.ask_camera("", HERE)


def test_the_page_is_told_that_the_phone_is_gone_about_which_it_asks(tmp_path: Path) -> None:
    with room(tmp_path) as here, here.page() as host:
        here.host.ask_for_camera("Ann", HERE)
        while host.state["asking_phone"] is None:
            host.read()
        assert here.go_on(host)
        assert host.state["asking_phone"] is None


def test_a_phone_that_is_turned_away_is_told_so_and_the_camera_stays_who_it_was(here: Room, phone: Phone) -> None:
    admitted(here, phone)
    other = Phone(phone.port, here.folder / "phone-camera.pem")
    other.join(here.host.seats.code)
    assert phone.send(b"x").status == 200
    allow(here, False)
    assert why(other.send(b"x")) == (403, "turned_away")
    assert why(other.join("WRONGONE")) == (403, "code")
    assert phone.send(b"x").status == 200
    admitted(here, other)  # it asks anew
    assert other.send(b"x").status == 200


def test_only_so_many_phones_wait(here: Room, phone: Phone) -> None:
    waiting = [Phone(phone.port, here.folder / "phone-camera.pem") for _ in range(MOST_ASKING)]
    assert [one.join(here.host.seats.code).status for one in waiting] == [200] * MOST_ASKING
    assert why(phone.join(here.host.seats.code)) == (429, "rate")
    for _ in waiting:
        allow(here, False)


@pytest.mark.parametrize("path", ["/", "/state", "/ws", "/join/X", "/static/main.js", "/static/..%2fapp.py", "/qr.svg", "/frame/x"])
def test_nothing_else_is_served_there(path: str, phone: Phone) -> None:
    assert why(phone.ask(path)) == (404, "not_found")


def test_requests_that_no_phone_makes_are_refused(here: Room, phone: Phone) -> None:
    admitted(here, phone)
    assert why(phone.send(b"x", Host="evil.example")) == (421, "address")
    assert why(phone.send(b"x", Origin="https://evil.example")) == (403, "origin")
    assert why(phone.send(b"x", Origin=f"http://{HERE}")) == (403, "origin")
    assert why(phone.send(b"x", sec_fetch_site="cross-site")) == (403, "origin")
    assert why(phone.send(b"x" * 4_000_001)) == (413, "size")
    assert why(phone.send(b"x", Content_Length="9" * 18)) == (413, "size")
    assert why(phone.ask("/camera/X", "POST", b"x")) == (413, "size")
    assert why(phone.ask("/frame")) == (405, "method")
    assert phone.send(b"x", Origin=f"https://{HERE}:{phone.port}").status == 200


def test_too_many_pictures_are_refused(tmp_path: Path) -> None:
    with phone_room(tmp_path, RateLimits(pictures_s=0.01, pictures_burst=3)) as (here, phone):
        admitted(here, phone)
        assert [phone.send(b"x").status for _ in range(4)] == [200, 200, 200, 429]


def begun(phone: Phone) -> ssl.SSLSocket:
    """A picture of which the phone has sent a part."""
    line = phone.trusts.wrap_socket(socket.create_connection((HERE, phone.port), PATIENCE_S), server_hostname=HERE)
    head = f"POST /frame HTTP/1.1\r\nHost: {HERE}:{phone.port}\r\nCookie: {phone.cookie}\r\nContent-Length: 9999\r\n"
    line.sendall(f"{head}Expect: 100-continue\r\n\r\n".encode())
    assert line.recv(1000).startswith(b"HTTP/1.1 100 ")  # now it is waited for
    line.sendall(b"half of it")
    return line


def test_half_a_picture_keeps_no_other_waiting(here: Room, phone: Phone) -> None:
    admitted(here, phone)
    with begun(phone) as line:  # its phone went out of reach, and comes back by another line
        assert phone.send(b"x").status == 200
        assert line.recv(1000).startswith(b"HTTP/1.1 429 ")
    other = Phone(phone.port, here.folder / "phone-camera.pem")
    with begun(phone):
        admitted(here, other)
        assert other.send(b"x").status == 200


def test_a_line_that_ends_within_a_picture_is_no_fault(here: Room, phone: Phone, caplog: pytest.LogCaptureFixture) -> None:
    admitted(here, phone)
    begun(phone).close()
    assert phone.send(b"x").status == 200
    assert caplog.records == []


@contextmanager
def looked_through(here: Room) -> Iterator[Any]:
    """The table looks through the phone; gives what waits for a state."""
    with here.page() as page:
        page.send("look", camera=PHONE)
        while here.host.cameras.start is None:
            page.socket.ping().wait(PATIENCE_S)
        try:
            yield page
        finally:
            here.host.look(None)


def test_the_table_reads_what_the_phone_sends(here: Room, phone: Phone) -> None:
    sample = (SAMPLES / "table-12.jpg").read_bytes()
    with looked_through(here) as page:
        admitted(here, phone)
        assert why(phone.send(b"no picture")) == (422, "picture")
        assert why(phone.send(sample[:-1000])) == (422, "picture")
        changed = Signal()
        end = here.host.listen(changed.set)
        until_s = time.monotonic() + PATIENCE_S
        camera = None
        while camera is None or camera["offer"] is None:  # what is read is shown at once, and offered when it has settled
            assert time.monotonic() < until_s
            assert phone.send(sample).json() == {"is_seen": True}
            changed.wait(1.0)
            changed.clear()
            camera = here.host.showing(None)[1]["camera"]
        end()
        assert camera["source"] == PHONE
        assert (camera["offer"]["name"], len([one for one in camera["pieces"] if one["piece"]])) == ("set", 12)
        assert page.welcome["is_host"]
    assert phone.send(sample).json() == {"is_seen": False}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no such rights")
def test_the_certificate_is_for_its_owner_alone(tmp_path: Path) -> None:
    assert stat.S_IMODE(certificate(tmp_path, HERE).stat().st_mode) == 0o600


def test_a_certificate_is_made_once_and_again_for_another_address_or_before_it_ends(tmp_path: Path) -> None:
    now = datetime(2026, 5, 1, tzinfo=UTC)
    first = certificate(tmp_path, "192.168.1.20", now).read_bytes()
    assert certificate(tmp_path, "192.168.1.20", now + timedelta(days=300)).read_bytes() == first
    later = certificate(tmp_path, "192.168.1.20", now + timedelta(days=385)).read_bytes()
    assert later != first
    moved = certificate(tmp_path, "192.168.1.21", now + timedelta(days=385)).read_bytes()
    assert moved not in (first, later)
    (tmp_path / "phone-camera.pem").write_bytes(b"no certificate")
    assert certificate(tmp_path, "192.168.1.21", now).read_bytes().count(b"BEGIN CERTIFICATE") == 1


@pytest.mark.parametrize("part", ["PRIVATE KEY", "CERTIFICATE"])
def test_a_certificate_that_lost_its_key_or_itself_is_made_anew(part: str, tmp_path: Path) -> None:
    path = certificate(tmp_path, HERE)
    kept = path.read_text()
    path.write_text(kept[kept.index("-----BEGIN CERTIFICATE") :] if "KEY" in part else kept[: kept.index("-----BEGIN CERTIFICATE")])
    certificate(tmp_path, HERE)
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no such rights")
def test_a_certificate_that_others_could_read_is_kept_from_them(tmp_path: Path) -> None:
    certificate(tmp_path, HERE).chmod(0o644)
    assert stat.S_IMODE(certificate(tmp_path, HERE).stat().st_mode) == 0o600
