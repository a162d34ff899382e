"""Who may speak to the server, and how much: addresses, origins, codes, sizes, rates; and the headers of every answer."""

from __future__ import annotations

import ipaddress
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from visionset.messages import Message, in_words, is_language_chosen, languages, speaking, spoken

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
"""Of every answer: nothing is loaded from elsewhere, no script stands in a page, no other page frames ours."""


_MOST_ADDRESS = 2000
"""Bytes of an address: the names of 42 dice take 800, and no number in it is too long to be reckoned with."""


LANGUAGE_COOKIE = "visionset_language"
"""Name of the cookie by which a browser keeps the language that was chosen in it."""


_MOST_HEAD = 16_384
"""Bytes of all headers of a request."""


@dataclass(frozen=True, slots=True)
class RateLimits:
    """How much one address, or one socket, may ask for."""

    requests_s: float = 60.0
    """Requests a second in the long run: a page with all its pieces is 120, and is fetched once."""
    requests_burst: float = 600.0
    """Requests at once: the pages of five phones behind one router."""
    pictures_s: float = 30.0
    """Pictures a second of the phone that is the camera: no camera of a table gives more."""
    pictures_burst: float = 30.0
    """Pictures at once of that phone."""
    messages_s: float = 60.0
    """Messages a second of one socket: a page that draws every picture says so 30 times, and answers pings."""
    messages_burst: float = 90.0
    """Messages at once of one socket."""
    sockets: int = 128
    """Open sockets of all pages: a club of a hundred, and its screens."""
    addresses: int = 1024
    """Addresses whose rate is remembered."""


class Bucket:
    """A rate: so much a second in the long run, so much at once."""

    def __init__(self, each_s: float, most: float, now_s: float) -> None:
        self._each_s, self._most, self._left, self._at_s = each_s, most, most, now_s

    def takes(self, now_s: float) -> bool:
        """Take one, if there is one."""
        self._left = min(self._most, self._left + (now_s - self._at_s) * self._each_s)
        self._at_s = now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True


def is_near(scope: Scope) -> bool:
    """Whether somebody speaks from this machine."""
    client = scope.get("client")
    try:
        return client is not None and ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False


def _host_of(netloc: str) -> str:
    try:
        return (urlsplit(f"//{netloc}").hostname or "").lower()
    except ValueError:
        return ""


class Guard:
    """Lets through what may pass, and refuses the rest by name.

    Parameters
    ----------
    app : ASGI application
        What is guarded.
    admits : callable
        Whether a secret or a code lets somebody in who is not at this machine.
    clock : callable
        Seconds that only grow.
    names : tuple of str
        Names of this machine, besides its addresses.
    cookie : str
        Name of the cookie that holds the secret.
    limits : RateLimits
        How much one address may ask for.
    door : str
        How addresses begin that hold a code, which is checked behind them.
    uploads : mapping of str to int
        Addresses that something is sent to, and how many bytes at most.
    """

    def __init__(
        self,
        app: ASGIApp,
        admits: Callable[[str], bool],
        clock: Callable[[], float],
        names: tuple[str, ...],
        cookie: str,
        limits: RateLimits,
        door: str = "/join/",
        uploads: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._app, self._admits, self._clock, self._names, self._cookie = app, admits, clock, names, cookie
        self._limits, self._door, self._uploads = limits, door, uploads
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, in the language of who asks."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        with speaking(language_wanted(dict(scope["headers"]), scope.get("query_string", b""))):
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refusal(scope)
        if refused is not None:
            status, why = refused
            await _refuse(scope, send, status, why)
            return

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                said = list(message.get("headers", ()))
                own = {name for name, _ in said}  # a page may have a stricter policy of its own
                message["headers"] = [*said, *(header for header in HEADERS if header[0] not in own)]
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the word for why something may not pass; None where it may."""
        if len(scope["raw_path"]) + len(scope["query_string"]) > _MOST_ADDRESS:
            return 414, "size"
        headers: dict[bytes, bytes] = dict(scope["headers"])
        netloc = headers.get(b"host", b"").decode("latin-1")
        if not self._is_ours(_host_of(netloc), scope):
            return 421, "address"  # a name of somebody else that leads here: DNS rebinding
        origin = headers.get(b"origin", b"").decode("latin-1")
        if origin and origin not in (f"http://{netloc}", f"https://{netloc}"):
            return 403, "origin"
        if headers.get(b"sec-fetch-site", b"same-origin") == b"cross-site" and scope.get("path") != "/" and not self._is_at_door(scope):
            return 403, "origin"
        if not self._bucket(scope).takes(self._clock()):
            return 429, "rate"
        if not (
            is_near(scope) or self._is_at_door(scope) or self._admits(cookie_of(headers, self._cookie)) or self._admits(_code_of(scope))
        ):
            return 403, "code"
        if sum(map(len, (part for header in scope["headers"] for part in header))) > _MOST_HEAD:
            return 431, "size"
        if scope["type"] == "http" and (
            int(headers.get(b"content-length", b"0")) > self._uploads.get(scope["path"], 0) or b"transfer-encoding" in headers
        ):
            return 413, "size"  # elsewhere nothing is sent but over sockets; that the length is a number the server has seen to
        return None

    def _is_at_door(self, scope: Scope) -> bool:
        return bool(scope["type"] == "http" and scope["path"].startswith(self._door))

    def _is_ours(self, host: str, scope: Scope) -> bool:
        server = scope.get("server") or ("", None)
        return host in self._names or (host != "" and host == str(server[0]).lower())

    def _bucket(self, scope: Scope) -> Bucket:
        address = str((scope.get("client") or ("",))[0])
        bucket = self._buckets.pop(address, None) or Bucket(self._limits.requests_s, self._limits.requests_burst, self._clock())
        self._buckets[address] = bucket
        if len(self._buckets) > self._limits.addresses:
            self._buckets.popitem(last=False)
        return bucket


def _code_of(scope: Scope) -> str:
    """The code of an address such as ``/ws?code=K7M2QX4P``, for programs that keep no cookies."""
    query: str = scope.get("query_string", b"").decode("latin-1")
    return dict(parse_qsl(query)).get("code", "")


def cookie_of(headers: Mapping[bytes, bytes], name: str) -> str:
    """Value of a cookie; empty where there is none."""
    for pair in headers.get(b"cookie", b"").decode("latin-1").split(";"):
        key, _, value = pair.strip().partition("=")
        if key == name:
            return value
    return ""


def language_wanted(headers: Mapping[bytes, bytes], query: bytes = b"") -> str:
    """The language of a browser: one in the address, else the one chosen on the page, that of the table, or the first it asks for."""
    there = languages()
    named = dict(parse_qsl(query.decode("latin-1"))).get("language", "")
    chosen = named if named in there else cookie_of(headers, LANGUAGE_COOKIE)
    if chosen in there or is_language_chosen():
        return chosen if chosen in there else spoken()
    asked = headers.get(b"accept-language", b"").decode("latin-1").lower().split(",")
    codes = (one.partition(";")[0].strip().partition("-")[0] for one in asked)
    return next((code for code in codes if code in there), spoken())


def refusal(why: str, text: str, accept: str) -> tuple[str, bytes]:
    """Type and body of a refusal: a page for people who followed a link, as browsers ask for one (`accept`), JSON for programs."""
    if "text/html" not in accept:
        return "application/json", json.dumps({"why": why, "text": text}).encode()
    large = '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
    head = f'<html lang="{spoken()}"><head><meta charset="utf-8"><title>visionset</title>{large}</head>'
    body = f"<body><main><h1>visionset</h1><p>{escape(text)}</p></main></body>"
    return "text/html; charset=utf-8", f"<!doctype html>{head}{body}</html>".encode()


async def _refuse(scope: Scope, send: Send, status: int, why: str) -> None:
    accept = dict(scope["headers"]).get(b"accept", b"").decode("latin-1") if scope["type"] == "http" else ""
    media_type, body = refusal(why, in_words(Message(f"web.refused.{why}")), accept)
    headers = [(b"content-type", media_type.encode()), (b"content-length", str(len(body)).encode()), *HEADERS]
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008, "reason": why})
        return
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
