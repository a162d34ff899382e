"""What the addresses of every server here have in common: files of the page, refusals by name, faults that stop nothing."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Container
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from visionset.errors import RequestError, VisionsetError
from visionset.messages import Message, in_words, languages, spoken
from visionset.web.offers import page_words
from visionset.web.security import refusal
from visionset.web.sockets import why_of

_LOG = logging.getLogger(__name__)

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}

_STATUS = {
    "not_found": 404,
    "piece": 404,
    "code": 403,
    "host": 403,
    "full": 503,
    "other_phone": 403,
    "asking": 403,
    "turned_away": 403,
    "picture": 422,
    "rate": 429,
}


class PageFiles:
    """The files of the page, by name; no name of a request reaches the disk.

    Parameters
    ----------
    names : container of str, optional
        The only files that are shown; all without it.
    """

    def __init__(self, names: Container[str] | None = None) -> None:
        there = _found(files("visionset.web") / "static")
        self._files = {name: file for name, file in there if names is None or name in names}

    def answer(self, name: str, request: Request) -> Response:
        """A file, or the words of a language; raises `RequestError` where there is none of this name."""
        if name in {f"words.{language}.json" for language in languages()}:
            return JSONResponse(page_words(name.split(".")[1]))
        found = self._files.get(name)
        if found is None:
            raise RequestError("not_found", Message("web.refused.not_found"))
        body = found.read_bytes()
        if name.endswith(".html"):
            body = body.replace(b"{language}", spoken().encode()).replace(b"{languages}", " ".join(languages()).encode())
        tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        suffix = "." + name.rsplit(".", 1)[-1]
        return Response(body, media_type=_TYPES.get(suffix, "application/octet-stream"), headers=headers)


def _found(folder: Traversable, before: str = "") -> list[tuple[str, Traversable]]:
    found = []
    if folder.is_dir():
        for one in folder.iterdir():
            found += _found(one, f"{before}{one.name}/") if one.is_dir() else [(before + one.name, one)]
    return found


def refused_by_name(why: str, status: int) -> JSONResponse:
    """The answer to what is refused for a reason that needs no further word."""
    return JSONResponse({"why": why, "text": in_words(Message(f"web.refused.{why}"))}, status_code=status)


def _answer(request: Request, why: str, text: str, status: int) -> Response:
    media_type, body = refusal(why, text, request.headers.get("accept", ""))
    return Response(body, media_type=media_type, status_code=status)


async def _not_found(request: Request, error: Exception) -> Response:
    return _answer(request, "not_found", in_words(Message("web.refused.not_found")), 404)


async def _no_such_method(request: Request, error: Exception) -> Response:
    return refused_by_name("method", 405)


async def _fault(request: Request, error: Exception) -> Response:
    _LOG.error("a request", exc_info=error)
    return JSONResponse({"why": "fault", "text": in_words(Message("web.refused.fault", error=type(error).__name__))}, status_code=500)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, VisionsetError)
    why = why_of(error)
    return _answer(request, why, str(error), _STATUS.get(why, 400))


HANDLERS = {404: _not_found, 405: _no_such_method, VisionsetError: _refused, Exception: _fault}
"""What is answered to what is raised."""
