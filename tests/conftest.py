from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from hypothesis import settings

from tests.builders import NINE, FakeReader, deal
from visionset.table import Table

settings.register_profile("fixed", derandomize=True, deadline=None)  # the same examples everywhere, however slow the machine
settings.load_profile("fixed")


@pytest.fixture(autouse=True, scope="session")
def _data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the matches of the tests away from those of the person who runs them."""
    before = os.environ.get("VISIONSET_DATA")
    os.environ["VISIONSET_DATA"] = str(tmp_path_factory.mktemp("data"))
    yield
    if before is None:
        del os.environ["VISIONSET_DATA"]
    else:
        os.environ["VISIONSET_DATA"] = before


@pytest.fixture
def nine(monkeypatch: pytest.MonkeyPatch) -> Table:
    """Let the commands see nine known cards in every picture, whatever it shows: what they do with a table is tested by itself."""
    table = deal(NINE, (640, 360), card_px=90, gap_px=20)

    def read(image: object, options: object = None, *, stages: Callable[[str, object], None] | None = None) -> Table:
        if stages:
            stages("input", image)
            stages("card edges", image)
        return table

    monkeypatch.setattr("visionset.vision.see.read", read)
    monkeypatch.setattr(
        "visionset.vision.see.read_whole_card", lambda image, options=None, *, stages=None: Table(table.size_px, table.sightings[:1])
    )
    monkeypatch.setattr("visionset.vision.watcher.Watcher", lambda options=None: FakeReader(table))
    return table
