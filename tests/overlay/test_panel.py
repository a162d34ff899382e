from __future__ import annotations

import numpy as np
import pytest

from tests.builders import NINE, ONE_SET, deal, set_dice
from visionset.messages import at_table
from visionset.overlay import Reveal, Tag, View, caption_text, panel, with_caption
from visionset.overlay.drawing import text_size
from visionset.pieces import SET_DECK, Kind
from visionset.table import Sighting, Table
from visionset.table_sets import sets_on_table
from visionset.window.keys import HELP


def caption(names: tuple[str, ...], view: View) -> str:
    table = deal(names)
    sets = sets_on_table(table.pieces)
    return at_table(caption_text(table, sets, len(sets), view))


@pytest.mark.parametrize(
    ("names", "view", "says"),
    [
        ((), View(), "no card and no die in sight"),
        (NINE[:4], View(hint=Reveal.OFF), "4 cards"),
        (ONE_SET, View(hint=Reveal.COUNT), "3 cards · there is 1 SET"),
        (NINE[:2], View(hint=Reveal.COUNT), "2 cards · there is no SET"),
        (ONE_SET, View(hint=Reveal.ONE), "3 cards · one red solid oval"),
        (ONE_SET, View(step=4), "3 cards · one red solid oval + two red solid ovals + three red solid ovals"),
        ((*ONE_SET, "?"), View(), "4 cards (1 not sure) · 1 SET"),
        (tuple(map(str, SET_DECK[:12])), View(), "12 cards · 13 SETs, 8 drawn: n shows one by one"),
        (tuple(map(str, SET_DECK[:9])), View(step=-1, hint=Reveal.ONE), "9 cards · SET L, 12 of 12: one red open oval"),
    ],
)
def test_caption_gives_away_what_the_hints_allow(names: tuple[str, ...], view: View, says: str) -> None:
    assert caption(names, view).startswith(says)


def test_caption_counts_every_kind_of_piece() -> None:
    dice = set_dice({(0, 0): "1-red-oval", (0, 1): "2-red-oval", (0, 2): "3-red-oval"})
    table = Table((640, 480), (*dice, *deal(NINE[:1]).sightings, Sighting(Kind.CARD_BACK, dice[0].outline_px + 200, None, 0.9)))
    assert at_table(caption_text(table, ((0, 1, 2),), 1, View())) == "1 card, 3 SET dice and 1 face-down card · 1 SET"


def test_caption_is_below_the_picture_and_hides_nothing() -> None:
    for height, width in ((720, 1280), (481, 641), (90, 120)):
        image = np.random.default_rng(0).integers(0, 255, (height, width, 3), np.uint8)
        captioned = with_caption(image, "12 cards · 3 SETs " * 6, right="? help")
        assert np.array_equal(captioned[:height], image)
        assert captioned.shape[0] > height
        assert captioned.shape[0] % 2 == 0
        assert (captioned[height:] > 200).any()


def test_caption_under_a_narrow_picture_takes_two_lines_where_one_would_be_too_small_to_read() -> None:
    def runs(text: str, width: int, height: int) -> int:
        """Lines of ink in the strip, none of which reaches its ends."""
        strip = with_caption(np.zeros((height, width, 3), np.uint8), text)[height:]
        assert not (strip[:, [0, 1, -2, -1]] > 128).any()
        inked = (strip > 128).any(axis=(1, 2)).astype(int)
        return int((np.diff(inked, prepend=0) == 1).sum())

    gone = "HTTP://192.168.1.20:8080/ WENT AWAY: SEE THAT IT STILL SENDS AND THAT THE NETWORK IS UP AND ABOUT"
    assert [runs(text, *size) for text in (gone, gone[:30]) for size in ((1280, 720), (720, 1280))] == [1, 2, 1, 1]
    assert runs("M" * 100, 720, 1280) == 1  # nothing to part it at


def test_help_fits_the_smallest_picture() -> None:
    for size_px in ((1280, 720), (320, 240), (480, 640)):
        plate, *texts = (mark for mark in panel([at_table(line) for line in HELP], size_px).marks if isinstance(mark, Tag))
        assert plate.box.left + plate.box.width <= size_px[0]
        assert plate.box.top + plate.box.height <= size_px[1]
        for text in texts:
            assert text_size(text.lines, text.size_px)[1] <= plate.box.height
    assert at_table(caption_text(Table((10, 10)), (), 0, View())) == "no card and no die in sight"
