"""The page of a phone that is the camera, over https: browsers give cameras to nothing else; and the pictures that it sends.

Nothing but this page is served there. Pictures come by POST, one in flight, since some phones refuse sockets under a certificate that
nobody vouches for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from anyio import CancelScope, to_thread
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from visionset.errors import RequestError
from visionset.messages import Message
from visionset.web.answers import HANDLERS, PageFiles
from visionset.web.host import Host
from visionset.web.phone_camera import PhoneCamera
from visionset.web.security import Bucket, Guard
from visionset.web.serving import ServerOptions

FRAME_PATH = "/frame"

_MOST_PICTURE = 4_000_000
"""Bytes of a picture: a 1920x1080 JPEG of the best quality has two million."""

_FILES = frozenset({"camera.html", "camera.css", "camera.js", "wishes.js", "words.js", "icon.svg"})

_DOOR = "/camera/"
"""Before the code in the link that the QR code holds."""


def make_camera_app(phone: PhoneCamera, host: Host, options: ServerOptions, clock: Callable[[], float]) -> ASGIApp:
    """Make the application of the phone's page.

    Parameters
    ----------
    phone : PhoneCamera
        Takes the pictures.
    host : Host
        Knows the code, and which phone is the camera: the one that was allowed last.
    options : ServerOptions
        How it is reached.
    clock : callable
        Seconds that only grow.
    """
    pages = _CameraPages(phone, host, options, clock)
    routes = [
        Route(_DOOR + "{code}", pages.page),
        Route("/static/{name}", pages.static),
        Route(FRAME_PATH, pages.frame, methods=["POST"]),
    ]
    app = Starlette(routes=routes, exception_handlers=HANDLERS)
    return Guard(app, host.seats.knows_phone, clock, options.names, options.cookie, options.limits, _DOOR, {FRAME_PATH: _MOST_PICTURE})


class _CameraPages:
    def __init__(self, phone: PhoneCamera, host: Host, options: ServerOptions, clock: Callable[[], float]) -> None:
        self._phone, self._host, self._seats, self._options, self._clock = phone, host, host.seats, options, clock
        self._files = PageFiles(_FILES)
        self._bucket = Bucket(options.limits.pictures_s, options.limits.pictures_burst, clock())
        self._taking = asyncio.Lock()
        self._coming: CancelScope | None = None

    async def page(self, request: Request) -> Response:
        """The page, with the secret by which this phone is the camera as soon as the host says so."""
        token = request.cookies.get(self._options.cookie, "")
        if not (self._seats.is_camera(token) or self._seats.is_asking(token)):
            if not self._seats.is_code(request.path_params["code"]):
                raise RequestError("code", Message("web.refused.code"))
            seats = (self._seats.seat_of(word) for word in request.cookies.values())  # one at the table itself: ports share cookies
            name = next((seat.name for seat in seats if seat is not None), "")
            token = self._host.ask_for_camera(name, request.client.host if request.client else "")
        response = self._files.answer("camera.html", request)
        response.headers["cache-control"] = "no-store"
        response.set_cookie(self._options.cookie, token, max_age=86_400 * 30, secure=True, httponly=True, samesite="strict")
        return response

    async def static(self, request: Request) -> Response:
        return self._files.answer(request.path_params["name"], request)

    async def frame(self, request: Request) -> Response:
        """One picture; whether anybody looks at it is told. Nothing is taken from a phone that the host has not allowed."""
        token = request.cookies.get(self._options.cookie, "")
        if not self._seats.is_camera(token):
            self._host.hear_phone(token)
            why = "asking" if self._seats.is_asking(token) else "turned_away" if self._seats.is_turned_away(token) else "other_phone"
            raise RequestError(why, Message(f"web.refused.{why}"))
        if self._taking.locked() or not self._bucket.takes(self._clock()):
            raise RequestError("rate", Message("web.refused.rate"))
        jpeg = await self._received(request)
        if jpeg is None or self._taking.locked():
            raise RequestError("rate", Message("web.refused.rate"))
        async with self._taking:
            is_seen = await to_thread.run_sync(self._phone.put, jpeg)
        return JSONResponse({"is_seen": is_seen}, headers={"cache-control": "no-store"})

    async def _received(self, request: Request) -> bytes | None:
        """What is sent; None where the next picture begins before all of it is there: a phone that lost its line leaves a half one."""
        if self._coming is not None:
            self._coming.cancel()
        jpeg: bytes | None = None
        with suppress(ClientDisconnect), CancelScope() as self._coming:
            jpeg = await request.body()
        return jpeg
