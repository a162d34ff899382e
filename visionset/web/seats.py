"""Who sits where: secrets of the host and of seats, the code by which phones join; kept in a file, so that a page comes back by itself."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from visionset.codec import from_json, to_json
from visionset.errors import RecordError, RequestError
from visionset.messages import Message
from visionset.saving import save_text
from visionset.untrusted import json_of

MOST_SEATS = 64
"""Of one evening; whoever has not been there longest gives way."""

MOST_ASKING = 8
"""Phones that wait for the host's word; more are more than sit at a table."""

GONE_S = 10.0
"""Without a word of a phone that waits, which speaks each second: the host is not asked about it any more until it does again."""

_MOST_KEPT = 200
"""Matches of which something is remembered here."""

_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Of a code that people may type: none looks like another."""

_CODE_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody at the table, or who watches it."""

    token: str
    """The secret by which a page shows that it has this seat."""
    name: str = ""
    """Of the player; empty for somebody who has not said one."""
    is_host: bool = False
    """May do everything."""


@dataclass(frozen=True, slots=True)
class AskingPhone:
    """A phone that wants to be the camera, and waits for the host's word."""

    token: str
    """The secret by which it is known."""
    number: int
    """Names the question: no two have the same."""
    name: str
    """Of the player whose phone it is; empty where nobody sits there."""
    address: str
    """Of the phone in the network."""


@dataclass(frozen=True, slots=True)
class BegunMatch:
    """How a match was begun, so that it goes on the same way whatever was played since."""

    number: int
    """Of the match."""
    strengths: tuple[tuple[str, int], ...] = ()
    """Of its simple players."""
    camera: str | None = None
    """The camera it is played before, as pages name it; None without one."""


@dataclass(frozen=True, slots=True)
class KeptSeats:
    """What the file holds: secrets, the match that is played, the matches of this evening, and how each was begun."""

    code: str
    host: str
    seats: tuple[tuple[str, str], ...] = ()
    match: int | None = None
    evening: tuple[int, ...] = ()
    begun: tuple[BegunMatch, ...] = ()
    phone: str | None = None
    """The secret of the phone that is the camera."""
    clocks: tuple[tuple[int, float | None], ...] = ()
    """Matches with a clock of the round, each with its limit in seconds."""


def new_code() -> str:
    """Make a code that nobody guesses: 31 letters, 8 of them, some 40 bits."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))


class Seats:
    """All seats of a server.

    Parameters
    ----------
    path : Path
        The file; one that cannot be read is begun anew, since it holds nothing that a match needs.
    clock : callable
        Seconds that only grow.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._clock = path, clock
        self._lock = threading.RLock()
        self._kept = _read(path) or KeptSeats(new_code(), secrets.token_urlsafe(24))
        self._sockets: dict[str, int] = {}
        self._asking: tuple[AskingPhone, ...] = ()
        self._heard_s: dict[str, float] = {}
        self._asked = 0
        self._turned_away: tuple[str, ...] = ()
        self._write()

    @property
    def kept(self) -> KeptSeats:
        """What the file holds."""
        return self._kept

    @property
    def code(self) -> str:
        """The code of the match: part of the link that the QR code holds."""
        return self._kept.code

    def is_code(self, code: str | None) -> bool:
        """Whether a code lets somebody in."""
        return code is not None and secrets.compare_digest(code.upper().encode(), self.code.encode())

    def seat_of(self, token: str | None) -> Seat | None:
        """The seat that a secret opens."""
        if not token:
            return None
        if secrets.compare_digest(token.encode(), self._kept.host.encode()):
            return Seat(token, is_host=True)
        name = dict(self._kept.seats).get(token)
        return None if name is None else Seat(token, name)

    def admits(self, word: str) -> bool:
        """Whether a secret or the code lets somebody in."""
        return self.seat_of(word) is not None or self.is_code(word)

    def is_camera(self, token: str) -> bool:
        """Whether a secret is that of the phone that is the camera."""
        return self._kept.phone is not None and secrets.compare_digest(token.encode(), self._kept.phone.encode())

    def knows_phone(self, token: str) -> bool:
        """Whether a secret is that of a phone that is the camera, waits for the host's word, or was turned away."""
        return self.is_camera(token) or self.is_asking(token) or self.is_turned_away(token)

    def is_asking(self, token: str) -> bool:
        """Whether a secret is that of a phone that waits for the host's word."""
        return any(one.token == token for one in self._asking)

    def is_turned_away(self, token: str) -> bool:
        """Whether a secret is that of a phone that the host does not want."""
        return token in self._turned_away

    @property
    def asking(self) -> AskingPhone | None:
        """The phone about which the host is asked now: the one that has waited longest, of those that are there."""
        now_s = self._clock()
        return next((one for one in self._asking if now_s < self._heard_s.get(one.token, -GONE_S) + GONE_S), None)

    @property
    def asks_until_s(self) -> float | None:
        """When the question about a phone goes, by the clock, if that says nothing more; None where the host is asked nothing."""
        phone = self.asking
        return None if phone is None else self._heard_s.get(phone.token, self._clock()) + GONE_S

    def hear_phone(self, token: str) -> None:
        """A phone that waits for the host's word is still there."""
        with self._lock:
            if self.is_asking(token):
                self._heard_s[token] = self._clock()

    def ask_camera(self, name: str, address: str) -> str:
        """Let a phone wait for the host's word: its secret; raises `RequestError` where too many wait."""
        with self._lock:
            now_s = self._clock()
            if len(self._asking) >= MOST_ASKING:  # one that went away gives way
                gone = next((one for one in self._asking if now_s >= self._heard_s[one.token] + GONE_S), None)
                if gone is None:
                    raise RequestError("rate", Message("web.refused.rate"))
                self._forget(gone)
            self._asked += 1
            phone = AskingPhone(secrets.token_urlsafe(24), self._asked, name, address)
            self._heard_s[phone.token] = now_s
            self._asking = (*self._asking, phone)
            return phone.token

    def answer_phone(self, number: int, is_allowed: bool) -> None:
        """Make a phone the camera, or turn it away; raises `RequestError` where none waits under this number."""
        with self._lock:
            phone = next((one for one in self._asking if one.number == number), None)
            if phone is None:
                raise RequestError("stale", Message("web.refused.stale"))
            self._forget(phone)
            if is_allowed:
                self._keep(phone=phone.token)
            else:
                self._turned_away = (*self._turned_away, phone.token)[-_MOST_KEPT:]

    def _forget(self, phone: AskingPhone) -> None:
        self._asking = tuple(one for one in self._asking if one is not phone)
        del self._heard_s[phone.token]

    def host_seat(self) -> Seat:
        """The seat that may do everything."""
        return Seat(self._kept.host, is_host=True)

    def new_seat(self, name: str = "") -> Seat:
        """Let somebody in; raises `RequestError` for the name of somebody who is there."""
        with self._lock:
            self._refuse_taken(name, "")
            seat = Seat(secrets.token_urlsafe(18), name)
            there = self._kept.seats
            gone = [pair for pair in there if not self._sockets.get(pair[0])][: max(0, len(there) + 1 - MOST_SEATS)]
            self._keep(seats=(*(pair for pair in there if pair not in gone and (not name or pair[1] != name)), (seat.token, name)))
            return seat

    def named(self, seat: Seat, name: str) -> Seat:
        """Give a seat another name; raises `RequestError` for the name of somebody who is there."""
        if seat.is_host or seat.name == name:
            return seat
        with self._lock:
            self._refuse_taken(name, seat.token)
            self._keep(seats=(*((t, n) for t, n in self._kept.seats if t != seat.token and n != name), (seat.token, name)))
            return Seat(seat.token, name)

    def _refuse_taken(self, name: str, token: str) -> None:
        if name and any(n == name and t != token and self._sockets.get(t) for t, n in self._kept.seats):
            raise RequestError("name", Message("web.refused.name", name=name))

    def connected(self, seat: Seat, count: int) -> None:
        """Count a socket of a seat that has come (1) or gone (-1)."""
        with self._lock:
            self._sockets[seat.token] = self._sockets.get(seat.token, 0) + count

    @property
    def present(self) -> frozenset[str]:
        """Names of those who have a socket."""
        return frozenset(name for token, name in self._kept.seats if name and self._sockets.get(token))

    @property
    def is_anybody_there(self) -> bool:
        """Whether any page is open."""
        return any(self._sockets.values())

    def begin(self, match: int, strengths: dict[str, int], camera: str | None = None) -> None:
        """A match is played from now on, before a camera or without one."""
        evening = tuple(dict.fromkeys((*self._kept.evening, match)))[-_MOST_KEPT:]
        others = tuple(one for one in self._kept.begun if one.number != match)
        begun = (*others, BegunMatch(match, tuple(strengths.items()), camera))[-_MOST_KEPT:]
        self._keep(match=match, evening=evening, begun=begun)

    def begun(self, match: int) -> BegunMatch:
        """How a match was begun; as one without a camera where nothing is known of it."""
        return next((one for one in self._kept.begun if one.number == match), BegunMatch(match))

    def begin_clock(self, match: int, limit_s: float | None) -> None:
        """A clock runs at this match."""
        self._keep(clocks=(*self._kept.clocks, (match, limit_s))[-_MOST_KEPT:])

    def leave(self) -> None:
        """No match is played: the next has another code. Who sits there stays."""
        self._keep(match=None, code=new_code())

    def _keep(self, **changes: Any) -> None:
        with self._lock:
            self._kept = replace(self._kept, **changes)
            self._write()

    def _write(self) -> None:
        save_text(self._path, json.dumps(to_json(self._kept)) + "\n", make_folder=True, private=True)


def _read(path: Path) -> KeptSeats | None:
    try:
        there = json_of(path.read_text(encoding="utf-8"))
        known = {field.name for field in fields(KeptSeats)}  # another version may have kept more
        kept = from_json(KeptSeats, {key: there[key] for key in known & there.keys()} if isinstance(there, dict) else there)
        "".join(name for _, name in kept.seats).encode()  # half a character, which JSON can hold, can be told to nobody
    except (OSError, UnicodeError, RecordError):
        return None
    words = [kept.code, kept.host, *(token for token, _ in kept.seats), *([] if kept.phone is None else [kept.phone])]
    return kept if all(word and word.isascii() for word in words) else None  # who shows nothing shows no secret
