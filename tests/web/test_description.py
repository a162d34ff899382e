"""The interface as it describes itself is the interface as it is."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from tests.web.room import room
from tests.web.test_hostile import MESSAGES
from tests.web.test_reports import kept
from visionset.web.wire import FromPage, read_message


def test_every_message_and_every_address_is_described(tmp_path: Path) -> None:
    match = kept(tmp_path, "sets-dice")
    film = tmp_path / "films" / f"match-{match}-1"
    film.mkdir(parents=True)
    (film / "video-001.avi").touch()
    with room(tmp_path, camera_link="https://127.0.0.1:1") as here:
        told = here.get("/openapi.json").json()
        page = here.get("/api").body.decode()
        for path in told["paths"]:
            assert path in page
            if path not in ("/ws", "/events"):
                there = path.replace("{code}", "5").replace("{match}", str(match)).replace("{number}", "1").replace("{name}", "mat")
                status = here.get(there + ("?kind=pip-die" if "{code}" in path else "")).status
                assert status in (200, 400), path
        for path, one in told["paths"].items():
            declared = {parameter["name"] for parameter in one["get"].get("parameters", [])}
            asked = set(re.findall(r"`(at|background|count|date|dice|kind|language|plain|standings)\b", one["get"]["summary"]))
            assert asked == declared - set(re.findall(r"{(\w+)}", path)), path
    schemas = told["components"]["schemas"]
    tags = {schemas[name]["properties"]["type"]["enum"][0] for name in schemas if "type" in schemas[name].get("properties", {})}
    assert tags >= {one["type"] for one in MESSAGES} | {"welcome", "ping", "state", "change", "refused", "error"}


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: str(message["type"]))
def test_what_is_described_is_what_is_read(message: dict[str, object]) -> None:
    read = read_message(msgspec.json.encode(message))
    assert msgspec.convert(msgspec.to_builtins(read), FromPage) == read
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        read_message(msgspec.json.encode({**message, "more": 1}))
