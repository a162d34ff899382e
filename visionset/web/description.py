"""The interface in its own words: an OpenAPI description made of the very types that check what comes in, and a small page about it."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from visionset import __version__
from visionset.web.state_types import StateChange, TableState, VersionedState
from visionset.web.wire import SCHEMAS, FromPage, ToPage

_PATHS = {
    "/state": ("The state of the table, as everybody sees it.", "application/json"),
    "/events": (
        "The same as server-sent events: `state` with `version` and the `whole` (TableState), then `change` for each change, with "
        "`version`, `since`, the keys that are `set` anew (StateChange) and those that are `gone`.",
        "text/event-stream",
    ),
    "/games": ("Every game with its players, house rules and rules.", "application/json"),
    "/matches": ("The matches in the store, the newest first.", "application/json"),
    "/report/{match}": ("The report of a match as a page; `plain` draws for colours what it names, as a piece does.", "text/html"),
    "/film/{match}/{number}.avi": (
        "A video file of a match that was filmed, for the host alone; `/matches` says how many.",
        "video/x-msvideo",
    ),
    "/overlay": (
        "Scores, prompt and last take before one colour, for films: `background` names it, `standings=1` adds more, `plain` draws for "
        "colours what it names, as a piece does; `language` names that of the words.",
        "text/html",
    ),
    "/puzzle": ("The puzzle of the day: twelve cards that hold exactly six SETs; `date` names another day.", "application/json"),
    "/puzzle/check": (
        "Whether three cards of it are a SET, and why: `at` names their places, such as 0,4,7; `date` as above.",
        "application/json",
    ),
    "/print": ("What can be printed, each thing with its options.", "application/json"),
    "/print/{name}.pdf": ("A PDF to print; its options are those of `/print`, `language` names the one of its words.", "application/pdf"),
    "/roll": ("Dice, rolled by the server: `kind` is set-die or pip-die, `count` says how many.", "application/json"),
    "/roll/check": (
        "Whether three SET dice are a SET, and why: `dice` names them, such as 1-red-oval,wild,wild.",
        "application/json",
    ),
    "/roll/sets": ("As many SETs as SET dice hold at most, no die in two of them: `dice` names up to 42.", "application/json"),
    "/piece/{code}.svg": (
        "A piece as a drawing; `kind` names its kind, `plain` draws for colours what it names: `letters`, "
        "`patterns`, `letters-patterns` or `1`, or inks alone that stay apart: `inks`.",
        "image/svg+xml",
    ),
    "/qr.svg": ("The link by which phones join, for the host alone.", "image/svg+xml"),
    "/camera-qr.svg": ("The link by which a phone becomes the camera, for the host alone.", "image/svg+xml"),
    "/ws": ("A WebSocket. The page says `hello`, and then any message of FromPage; the server answers with those of ToPage.", ""),
}


_PLAIN = {
    "name": "plain",
    "in": "query",
    "schema": {"type": "string", "enum": ["0", "1", "inks", "letters", "patterns", "letters-patterns"]},
}
"""How pieces are drawn for people who do not tell the colours apart."""


_QUERY = {
    "/overlay": ("background", "standings", "language"),
    "/puzzle": ("date",),
    "/puzzle/check": ("at", "date"),
    "/print/{name}.pdf": ("language",),
    "/roll": ("kind", "count"),
    "/roll/check": ("dice",),
    "/roll/sets": ("dice",),
}
"""What an address may ask for behind the question mark, besides."""


@cache
def openapi() -> dict[str, Any]:
    """The description."""
    told = (FromPage, ToPage, VersionedState, TableState, StateChange)
    (from_page, to_page, *_), components = msgspec.json.schema_components(told, ref_template=SCHEMAS + "{name}")
    paths = {}
    for path, (summary, media) in _PATHS.items():
        schema = {"schema": {"$ref": SCHEMAS + "VersionedState"}} if path == "/state" else {}
        content: dict[str, Any] = {media: schema} if media else {}
        get: dict[str, Any] = {"summary": summary, "responses": {"200" if media else "101": {"description": summary, "content": content}}}
        if "{code}" in path:
            get["parameters"] = [
                {"name": "code", "in": "path", "required": True, "schema": {"type": "string"}},
                {"name": "kind", "in": "query", "schema": {"type": "string"}},
                _PLAIN,
            ]
        if path == "/overlay":
            get["parameters"] = [_PLAIN]
        if "{name}" in path:
            get["parameters"] = [{"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}]
        if "{match}" in path:
            get["parameters"] = [
                {"name": "match", "in": "path", "required": True, "schema": {"type": "integer"}},
                {"name": "number", "in": "path", "required": True, "schema": {"type": "integer"}} if "{number}" in path else _PLAIN,
            ]
        if path in _QUERY:
            asked = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in _QUERY[path]]
            get["parameters"] = [*get.get("parameters", []), *asked]
        paths[path] = {"get": get}
    schemas = {**components, "FromPage": from_page, "ToPage": to_page}
    info = {"title": "visionset", "version": __version__, "description": "A table of SET games: its state, and what may be done at it."}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": schemas}}


def api_page() -> str:
    """The small page about the interface."""
    rows = "".join(f"<tr><td><code>{path}</code></td><td>{summary}</td></tr>" for path, (summary, _) in _PATHS.items())
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>visionset: the interface</title>'
        "<h1>The interface of this table</h1><table>"
        f'{rows}</table><p>All messages with their fields: <a href="/openapi.json">/openapi.json</a>.</p></html>'
    )
