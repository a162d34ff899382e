"""The server of the page: what each address answers."""

from __future__ import annotations

import asyncio
import io
import json
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import date
from typing import Any

import segno
from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from visionset.errors import PieceError, RequestError, StoreError
from visionset.messages import Message
from visionset.piece_svg import Plain, piece_svg
from visionset.report import page_policy
from visionset.web.answers import HANDLERS, PageFiles, refused_by_name
from visionset.web.calls import Calls
from visionset.web.description import api_page, openapi
from visionset.web.host import Host
from visionset.web.offers import games_json, load_offers
from visionset.web.prints import print_pdf, prints_json
from visionset.web.puzzle import day_of, dice_check, dice_laid_out, puzzle_answer, puzzle_json, rolled
from visionset.web.security import Guard, is_near
from visionset.web.serving import ServerOptions, Waker
from visionset.web.sockets import PageSocket, difference, tell

_YEAR = "public, max-age=31536000, immutable"
_KEEP_ALIVE_S = 15.0


def make_app(host: Host, options: ServerOptions, clock: Callable[[], float], waker: Waker | None = None) -> ASGIApp:
    """Make the application.

    Parameters
    ----------
    host : Host
        The table; closed with the application.
    options : ServerOptions
        How it is reached.
    clock : callable
        The clock of the host.
    waker : Waker, optional
        Runs as long as the application does; without one nothing happens by itself.
    """
    pages = _Pages(host, options, clock, waker)
    routes = [
        Route("/", pages.page),
        Route("/join/{code}", pages.join),
        Route("/static/{name:path}", pages.static),
        Route("/piece/{code}.svg", pages.piece),
        Route("/exhibit/{id}.jpg", pages.exhibit),
        Route("/qr.svg", pages.qr),
        Route("/camera-qr.svg", pages.camera_qr),
        Route("/games", pages.games),
        Route("/matches", pages.matches),
        Route("/report/{match:int}", pages.report),
        Route("/film/{match:int}/{number:int}.avi", pages.film),
        Route("/overlay", pages.overlay),
        Route("/cameras", pages.cameras),
        Route("/puzzle", pages.puzzle),
        Route("/puzzle/check", pages.check),
        Route("/print", pages.prints),
        Route("/print/{name}.pdf", pages.print),
        Route("/roll", pages.roll),
        Route("/roll/check", pages.check_dice),
        Route("/roll/sets", pages.lay_dice_out),
        Route("/state", pages.state),
        Route("/events", pages.events),
        Route("/openapi.json", pages.openapi),
        Route("/api", pages.api),
        WebSocketRoute("/ws", pages.socket),
    ]
    app = Starlette(routes=routes, lifespan=pages.lifespan, exception_handlers=HANDLERS)
    return Guard(app, host.seats.admits, clock, options.names, options.cookie, options.limits)


class _Pages:
    def __init__(self, host: Host, options: ServerOptions, clock: Callable[[], float], waker: Waker | None) -> None:
        self._host, self._options, self._clock = host, options, clock
        self._files = PageFiles()
        self._calls = Calls(clock)
        self._sockets = 0
        self._waker = waker
        self._reporting = asyncio.Lock()

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        if self._waker is not None:
            self._waker.start()
        loading = threading.Thread(target=load_offers, name="visionset offers", daemon=True)
        loading.start()
        try:
            yield
        finally:
            loading.join()
            if self._waker is not None:
                self._waker.end()
            self._host.close()

    async def page(self, request: Request) -> Response:
        response = self._files.answer("index.html", request)
        response.headers["link"] = "</games>; rel=preload; as=fetch; crossorigin"  # a phone begins no game, and so needs no list of them
        return response

    async def join(self, request: Request) -> Response:
        """The page of a phone, with the secret of its seat as a cookie."""
        code = request.path_params["code"]
        seats = self._host.seats
        seat = seats.seat_of(request.cookies.get(self._options.cookie))
        if seats.seat_of(code) is not None:  # the host's own secret, for a second screen
            seat = seats.seat_of(code)
        elif seat is None:  # whoever sits here already needs no code, be it that of an earlier match
            if not seats.is_code(code):
                raise RequestError("code", Message("web.refused.code"))
            seat = await to_thread.run_sync(seats.new_seat)
        assert seat is not None
        response = self._files.answer("index.html", request)
        response.headers["cache-control"] = "no-store"
        response.set_cookie(self._options.cookie, seat.token, max_age=86_400 * 30, httponly=True, samesite="strict")
        return response

    async def static(self, request: Request) -> Response:
        return self._files.answer(request.path_params["name"], request)

    async def piece(self, request: Request) -> Response:
        query = request.query_params
        plain = Plain.wanted(query.get("plain", ""))
        try:
            drawn = await to_thread.run_sync(piece_svg, query.get("kind", "set-card")[:40], request.path_params["code"][:60], plain)
        except PieceError as error:
            raise RequestError("piece", Message("web.refused.piece", error=str(error))) from None
        return Response(drawn, media_type="image/svg+xml", headers={"cache-control": _YEAR})

    async def exhibit(self, request: Request) -> Response:
        table = self._host.table
        picture = None if table is None else await to_thread.run_sync(table.exhibit, request.path_params["id"])
        if picture is None:
            raise RequestError("not_found", Message("web.refused.not_found"))
        return Response(picture, media_type="image/jpeg", headers={"cache-control": "private, max-age=3600"})

    async def qr(self, request: Request) -> Response:
        return self._squares(request, f"{self._options.link}/join/{self._host.seats.code}")

    async def camera_qr(self, request: Request) -> Response:
        if self._options.camera_link is None:
            raise RequestError("not_found", Message("web.refused.not_found"))
        return self._squares(request, f"{self._options.camera_link}/camera/{self._host.seats.code}")

    def _squares(self, request: Request, link: str) -> Response:
        """A link as a QR code, for the host alone."""
        self._refuse_all_but_host(request)
        out = io.BytesIO()
        segno.make(link, error="m").save(out, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False)
        return Response(out.getvalue(), media_type="image/svg+xml", headers={"cache-control": "no-store", "x-join-link": link})

    def _refuse_all_but_host(self, request: Request) -> None:
        seat = self._host.seats.seat_of(request.cookies.get(self._options.cookie))
        if not (is_near(request.scope) or (seat is not None and seat.is_host)):
            raise RequestError("host", Message("web.refused.host"))

    async def games(self, request: Request) -> Response:
        return JSONResponse(await to_thread.run_sync(games_json))

    async def matches(self, request: Request) -> Response:
        return JSONResponse(await to_thread.run_sync(self._host.matches))

    async def report(self, request: Request) -> Response:
        """One at a time: each takes a moment, and nobody shall wait for many."""
        async with self._reporting:
            try:
                plain = Plain.wanted(request.query_params.get("plain", ""))
                page = await to_thread.run_sync(self._host.report, request.path_params["match"], plain)
            except StoreError:
                raise RequestError("not_found", Message("web.refused.not_found")) from None
        return HTMLResponse(page, headers={"content-security-policy": page_policy(), "cache-control": "no-store"})

    async def film(self, request: Request) -> Response:
        """A video file of a match, to be kept; for the host alone, for whoever sits there is on it."""
        self._refuse_all_but_host(request)
        match, number = request.path_params["match"], request.path_params["number"]
        videos = await to_thread.run_sync(self._host.videos, match)
        if not 1 <= number <= len(videos):
            raise RequestError("not_found", Message("web.refused.not_found"))
        return FileResponse(videos[number - 1], media_type="video/x-msvideo", filename=f"visionset-{match}-{number}.avi")

    async def overlay(self, request: Request) -> Response:
        """What a film of the table shows in front of it."""
        return self._files.answer("overlay.html", request)

    async def cameras(self, request: Request) -> Response:
        return JSONResponse(await to_thread.run_sync(self._host.cameras.listed))

    async def puzzle(self, request: Request) -> Response:
        return JSONResponse(puzzle_json(day_of(request.query_params.get("date"), date.today())))

    async def check(self, request: Request) -> Response:
        query = request.query_params
        return JSONResponse(puzzle_answer(day_of(query.get("date"), date.today()), query.get("at", "")))

    async def prints(self, request: Request) -> Response:
        return JSONResponse(prints_json())

    async def print(self, request: Request) -> Response:
        """One at a time, as with reports: a whole deck takes a moment."""
        async with self._reporting:
            pdf = await to_thread.run_sync(print_pdf, request.path_params["name"], request.query_params)
        name = f"{request.path_params['name']}.pdf"
        return Response(pdf, media_type="application/pdf", headers={"content-disposition": f'inline; filename="{name}"'})

    async def roll(self, request: Request) -> Response:
        query = request.query_params
        answer = rolled(query.get("kind", "pip-die"), query.get("count", "2"))
        return JSONResponse(answer, headers={"cache-control": "no-store"})

    async def check_dice(self, request: Request) -> Response:
        return JSONResponse(dice_check(request.query_params.get("dice", "")))

    async def lay_dice_out(self, request: Request) -> Response:
        return JSONResponse(await to_thread.run_sync(dice_laid_out, request.query_params.get("dice", "")))

    async def state(self, request: Request) -> Response:
        version, state = self._host.showing(None)
        return JSONResponse({"version": version, **state}, headers={"cache-control": "no-store"})

    async def events(self, request: Request) -> Response:
        if self._sockets >= self._options.limits.sockets:
            return refused_by_name("full", 503)
        return StreamingResponse(self._changes(request), media_type="text/event-stream", headers={"cache-control": "no-store"})

    async def _changes(self, request: Request) -> AsyncIterator[str]:
        news, loop = asyncio.Event(), asyncio.get_running_loop()
        end = self._host.listen(lambda: tell(loop, news))
        self._sockets += 1
        try:
            version, sent = self._host.showing(None)
            yield _event("state", {"version": version, "whole": sent})
            while not await request.is_disconnected():
                try:
                    async with asyncio.timeout(_KEEP_ALIVE_S):
                        await news.wait()
                except TimeoutError:
                    yield ": still there\n\n"
                    continue
                news.clear()
                since, (version, state) = version, self._host.showing(None)
                changed, gone = difference(sent, state)
                sent = state
                yield _event("change", {"version": version, "since": since, "set": changed, "gone": gone})
        finally:
            self._sockets -= 1
            end()

    async def openapi(self, request: Request) -> Response:
        return JSONResponse(openapi())

    async def api(self, request: Request) -> Response:
        return HTMLResponse(api_page())

    async def socket(self, socket: WebSocket) -> None:
        if self._sockets >= self._options.limits.sockets:
            await socket.send_denial_response(refused_by_name("full", 503))
            return
        self._sockets += 1
        try:
            page = PageSocket(socket, self._host, self._clock, self._options.limits, self._calls)
            await page.serve(socket.cookies.get(self._options.cookie, ""), is_near(socket.scope))
        finally:
            self._sockets -= 1


def _event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n"
