"""When the playing cards of a table call for more looks, and where."""

import numpy as np

from visionset.pieces import PACK
from visionset.vision import playing_cards
from visionset.vision.options import ReadOptions
from visionset.vision.playing_cards import PLAYING_CARD, CardReadings
from visionset.vision.rows import Once

NOWHERE = np.empty((0, 4, 2))
BLANK = np.zeros((10, 10, 3), np.uint8)


def frame(x: float, y: float, width: float = 57.0, height: float = 87.0) -> np.ndarray:
    half = np.array([width, height]) / 2
    return np.array([x, y]) + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])


def readings(*cards: tuple[np.ndarray, int, float]) -> CardReadings:
    """Frames that are playing cards, each the one at a place of the pack with a probability."""
    kind = np.zeros((len(cards), 4))
    kind[:, PLAYING_CARD] = 1.0
    pack = np.full((len(cards), len(PACK)), 1e-9)
    for row, (_, at, sure) in zip(pack, cards, strict=True):
        row[:] = (1 - sure) / (len(PACK) - 1)
        row[at] = sure
    quads = np.array([quad for quad, *_ in cards]).reshape(-1, 4, 2)
    return CardReadings(kind, np.log(np.maximum(pack, 1e-12)), quads, np.zeros(len(cards)))


def test_both_indices_of_a_card_lie_in_its_corners_however_it_is_turned():
    card = frame(300.0, 200.0)
    frames = playing_cards.own_indices(card[None])
    above, below = frames
    corner = (300 - 57 / 2, 200 - 87 / 2)
    assert (np.abs(above - corner).max(axis=0) < (0.2 * 57, 0.25 * 87)).all()
    assert np.allclose(below, 2 * card.mean(axis=0) - above)
    upside_down = playing_cards.own_indices(np.roll(card, 2, axis=0)[None])
    assert np.allclose(upside_down, frames[::-1])
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    assert np.allclose(playing_cards.own_indices((card @ turn.T)[None]), frames @ turn.T)
    assert playing_cards.own_indices(NOWHERE).shape == (0, 4, 2)


class Table:
    """Readers that see what lies on a table, and note what they were asked."""

    def __init__(self, *indices: tuple[np.ndarray, int, float]) -> None:
        self.indices, self.asked, self.around = readings(*indices), list[np.ndarray](), list[np.ndarray]()
        self.read_once = Once(self.read)

    def read(self, quads: np.ndarray) -> CardReadings:
        self.asked.extend(quads.mean(axis=1))
        rows = []
        for quad in quads:
            apart = np.hypot(*(self.indices.quad_px.mean(axis=1) - quad.mean(axis=0)).T) if len(self.indices) else np.empty(0)
            at = int(apart.argmin()) if len(apart) and apart.min() < 8 else None
            rows.append(self.indices.pick(np.array([at])) if at is not None else nothing(quad))
        found = readings()
        for row in rows:
            found = found.joined_to(row)
        return found

    def more(self, places: np.ndarray) -> np.ndarray:
        self.around.append(places)
        return NOWHERE

    def names(self, whole: CardReadings, indices: np.ndarray = NOWHERE, likely: bool = True) -> list[str]:
        seen, _ = playing_cards.sight_pack(
            self.read_once, BLANK, whole, indices, np.full(len(indices), likely), self.more, NOWHERE, ReadOptions()
        )
        return sorted(str(one.piece) for one in seen)


def nothing(quad: np.ndarray) -> CardReadings:
    one = readings((quad, 0, 0.5))
    one.kind[:] = [1.0, 0.0, 0.0, 0.0]
    return one


def own(card: np.ndarray, at: int) -> np.ndarray:
    return playing_cards.own_indices(card[None])[at]


CARD, FAR = frame(100.0, 100.0), frame(900.0, 100.0)


def test_a_card_that_is_surely_read_is_not_asked_about_again() -> None:
    table = Table()
    assert table.names(readings((CARD, 7, 0.99))) == [str(PACK[7])]
    assert table.asked == []
    assert [len(places) for places in table.around] == [0]


def test_its_own_index_settles_a_doubt_and_no_more_is_looked_at() -> None:
    table = Table((own(CARD, 1), 7, 0.95))
    assert table.names(readings((CARD, 7, 0.6), (FAR, 9, 0.99))) == sorted([str(PACK[7]), str(PACK[9])])
    assert [len(places) for places in table.around] == [0]


def test_an_index_is_read_in_frames_of_other_sizes_until_it_is_surely_read() -> None:
    """The reader of these indices knows only frames that are as large as theirs."""
    large = frame(300.0, 300.0, 16.0, 28.0)

    def of_their_size(quads: np.ndarray) -> CardReadings:
        sizes.append(np.ptp(quads[..., 1], axis=1))
        known = np.abs(np.ptp(quads, axis=1) - (16.0, 28.0)).max(axis=1) < 1
        return readings(*((quad, 3, 0.99 if is_known else 0.5) for quad, is_known in zip(quads, known, strict=True)))

    for finder_saw in (0.5, 1 / 1.4, 1.0, 1 / 0.7):
        sizes = list[np.ndarray]()
        table = Table()
        table.read_once = Once(of_their_size)
        assert table.names(readings(), 300 + finder_saw * (large[None] - 300)) == [str(PACK[3])]
        assert len(set(np.concatenate(sizes).round(3))) == (1 if finder_saw == 1 else 4)
        assert sum(map(len, sizes)) == (1 if finder_saw == 1 else 4 + 3)  # those that leave a doubt are read upside down, too


def test_a_doubt_that_is_left_calls_for_more_around_that_card() -> None:
    table = Table()
    table.names(readings((CARD, 7, 0.6), (FAR, 9, 0.99)))
    (places,) = table.around
    assert np.array_equal(places, CARD[None])


def test_an_index_in_no_card_makes_settled_doubts_of_cards_nearby_count_again() -> None:
    """More cards may lie under these."""
    table = Table((own(CARD, 0), 7, 0.95), (own(FAR, 0), 9, 0.95))
    stray = frame(180.0, 100.0, 8.0, 16.0)
    for likely in (True, False):
        table.names(readings((CARD, 7, 0.6), (FAR, 9, 0.6)), stray[None], likely)
    assert np.array_equal(table.around[0], CARD[None])
    assert np.array_equal(table.around[1], NOWHERE)


def test_a_fan_that_looks_like_one_card_is_the_cards_whose_indices_it_shows() -> None:
    fan = frame(300.0, 300.0, 140.0, 90.0)
    indices = [
        (frame(x, y, 8.0, 16.0), at, 0.98) for x, y, at in ((250.0, 280.0, 5), (340.0, 320.0, 5), (270.0, 290.0, 6), (290.0, 300.0, 7))
    ]
    table = Table(*indices)
    quads = np.array([quad for quad, *_ in indices])
    assert table.names(readings((fan, 30, 0.6)), quads) == sorted(str(PACK[at]) for at in (5, 6, 7))
    assert Table(*indices).names(readings((fan, 5, 0.95)), quads) == [str(PACK[5])]  # one of them says what it looks like


def test_a_card_with_two_indices_of_which_one_is_misread_stays_one_card() -> None:
    indices = [(own(CARD, 0), 7, 0.97), (own(CARD, 1), 20, 0.95)]
    whole = readings((CARD, 7, 0.6))
    assert Table(*indices).names(whole) == [str(PACK[7])]
    assert len(Table(*indices).names(readings((CARD, 30, 0.6)))) == 1
