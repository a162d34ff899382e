"""When the playing cards of a table call for more looks, and where."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.rendering import TEXTURE_PX, spoiled
from visionset.pieces import PACK
from visionset.render.table_plan import TableSpec, plan_table
from visionset.render.table_truth import true_pieces
from visionset.render.tables import light
from visionset.vision import playing_cards
from visionset.vision.options import ReadOptions
from visionset.vision.pack_frames import cards_like, own_indices
from visionset.vision.patches import CachedReader
from visionset.vision.pipeline import read
from visionset.vision.playing_cards import PLAYING_CARD, CardReadings

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
    return CardReadings(quads, np.zeros(len(cards)), kind, np.log(np.maximum(pack, 1e-12)))


def test_both_indices_of_a_card_lie_in_its_corners_however_it_is_turned():
    card = frame(300.0, 200.0)
    frames = own_indices(card[None])
    above, below = frames
    corner = (300 - 57 / 2, 200 - 87 / 2)
    assert (np.abs(above - corner).max(axis=0) < (0.2 * 57, 0.25 * 87)).all()
    assert np.allclose(below, 2 * card.mean(axis=0) - above)
    upside_down = own_indices(np.roll(card, 2, axis=0)[None])
    assert np.allclose(upside_down, frames[::-1])
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    assert np.allclose(own_indices((card @ turn.T)[None]), frames @ turn.T)
    assert own_indices(NOWHERE).shape == (0, 4, 2)


@pytest.mark.parametrize("seed", range(20))
def test_cards_are_looked_for_as_the_nearest_one_would_lie_there(seed: int) -> None:
    """On the table, from which any slant but perspective is taken, all are of one size, and lie along their starts or across."""
    rng = np.random.default_rng(seed)
    slant = np.linalg.qr(rng.normal(size=(2, 2)))[0] @ np.diag([1.0, rng.uniform(0.4, 1.0)])
    turns = rng.uniform(0, 2 * np.pi, 9)
    lying = np.array([frame(0.0, 0.0, 60.0, 88.0) @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) for a in turns])
    lying += rng.uniform(0, 900, (9, 1, 2))
    seen = lying @ slant.T
    known, starts = seen[:5], seen[5:] + rng.normal(0, 1, (4, 4, 2))
    frames = cards_like(known, starts)
    assert np.allclose(frames.mean(axis=1), np.concatenate([starts, starts]).mean(axis=1))
    there = frames @ np.linalg.inv(slant).T
    sides = np.linalg.norm(np.roll(there, -1, axis=1) - there, axis=2)
    assert np.allclose(sides, [60, 88, 60, 88])
    assert np.allclose(np.linalg.norm(there[:, 2] - there[:, 0], axis=1), np.hypot(60, 88))  # right angles
    off = np.linalg.norm(np.stack([there[:4] - lying[5:], np.roll(there[:4], 2, axis=1) - lying[5:]]), axis=3).max(axis=2).min(axis=0)
    assert (off < 12).all()  # starts are a little off, and a card looks alike upside down
    across = there[4:, 1] - there[4:, 0]
    along = there[:4, 2] - there[:4, 1]
    assert np.allclose(np.abs(np.sum(across * along, axis=1)), 60 * 88)  # a short side now lies along the start


class Table:
    """Readers that see what lies on a table, and note what they were asked."""

    def __init__(self, *indices: tuple[np.ndarray, int, float]) -> None:
        self.indices, self.asked, self.around = readings(*indices), list[np.ndarray](), list[np.ndarray]()
        self.read_once = CachedReader(self.read)

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
    return own_indices(card[None])[at]


CARD, FAR = frame(100.0, 100.0), frame(900.0, 100.0)


def test_what_led_to_no_card_is_read_in_frames_like_many_sure_cards() -> None:
    table = Table((frame(700.0, 300.0), 7, 0.97))
    cards = [(frame(100.0 * at, 100.0), at, 0.99) for at in range(1, 5)]
    starts = np.array([frame(700.0, 303.0, 40.0, 50.0), frame(300.0, 100.0), frame(900.0, 500.0)])
    taken = frame(900.0, 505.0)[None]
    few = readings(*cards[:3])
    assert playing_cards.read_like_the_others(table.read_once, few, starts, taken, ReadOptions()) is few
    known = readings(*cards)
    assert playing_cards.read_like_the_others(table.read_once, known, starts[1:], taken, ReadOptions()) is known
    assert not table.asked
    found = playing_cards.read_like_the_others(table.read_once, known, starts, taken, ReadOptions())
    assert found.pack_log.argmax(axis=1).tolist() == [1, 2, 3, 4, 7, 7]
    assert {tuple(place) for place in table.asked} == {(700.0, 303.0)}


def test_a_card_that_is_surely_read_is_not_asked_about_again() -> None:
    table = Table()
    assert table.names(readings((CARD, 7, 0.99))) == [str(PACK[7])]
    assert table.asked == []
    assert [len(places) for places in table.around] == [0]


@pytest.mark.parametrize("decks", [1, 2])
def test_the_index_of_a_named_card_beside_its_outline_is_no_second_card_of_another_deck(decks: int) -> None:
    beside = np.add(CARD, (40.0, 0.0))
    for whole, indices, names in (
        (readings((CARD, 7, 0.99)), [(own(beside, 1), 7, 0.99)], 1),  # the outline is a little off
        (readings((CARD, 7, 0.99)), [(own(FAR, 0), 7, 0.99)], decks),
        (readings(), [(own(CARD, 0), 7, 0.99), (own(CARD, 1), 7, 0.99)], 1),  # both corners of a card that is not seen
        (readings(), [(own(CARD, 0), 7, 0.99), (own(FAR, 1), 7, 0.99)], decks),
        (readings((CARD, 7, 0.99), (FAR, 7, 0.98)), [], decks),
    ):
        table = Table(*indices)
        seen, _ = playing_cards.sight_pack(
            table.read_once,
            BLANK,
            whole,
            np.array([quad for quad, *_ in indices]).reshape(-1, 4, 2),
            np.ones(len(indices), bool),
            table.more,
            NOWHERE,
            ReadOptions(decks=decks),
        )
        assert [str(one.piece) for one in seen if one.piece is not None] == [str(PACK[7])] * names


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
        table.read_once = CachedReader(of_their_size)
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


@pytest.mark.parametrize("seen", [(1, 2), (0, 4), (0, 2), (2, 3)])
def test_indices_are_found_one_step_on_from_those_of_a_column(seen: tuple[int, int]) -> None:
    """Five cards one under another; the finder sees two of them."""
    column = [(frame(300.0 + 4 * at, 100.0 + 30 * at, 8.0, 16.0), 3 * at, 0.98) for at in range(5)]
    found = [str(PACK[at]) for _, at, _ in column]
    told = np.array([column[at][0] for at in seen])
    assert Table(*column).names(readings(), told) == sorted(found)


def test_what_only_hints_at_an_index_is_read_in_the_frame_of_the_nearest_sure_one() -> None:
    """The reader of these indices knows only frames that lie as theirs do, a fifth of a turn on a table seen at a slant."""
    turn = np.array([[0.9, -0.6], [0.3, 0.7]])
    lying = (frame(0.0, 0.0, 16.0, 28.0) @ turn.T) + np.array([[[300.0, 300.0]], [[400.0, 310.0]], [[520.0, 180.0]]])

    def as_they_lie(quads: np.ndarray) -> CardReadings:
        shape = quads - quads.mean(axis=1, keepdims=True)
        known = np.abs(shape - (lying[0] - lying[0].mean(axis=0))).max(axis=(1, 2)) < 0.01
        at = np.linalg.norm(quads.mean(axis=1)[:, None] - lying.mean(axis=1)[None], axis=2)
        sure = known & (at.min(axis=1) < 1)
        return readings(
            *((quad, int(one), 0.99 if is_sure else 0.5) for quad, one, is_sure in zip(quads, at.argmin(axis=1), sure, strict=True))
        )

    table = Table()
    table.read_once = CachedReader(as_they_lie)
    hint = frame(520.0, 180.0, 20.0, 20.0)
    assert table.names(readings(), np.stack([lying[0], lying[1], hint])) == sorted(str(PACK[at]) for at in range(3))
    assert table.names(readings(), np.stack([lying[0], hint])) == [str(PACK[0])]  # one alone shows no step


@pytest.mark.parametrize(("seed", "camera", "least"), [(1, "oblique", 20), pytest.param(11, "laptop-lid", 16, marks=pytest.mark.slow)])
def test_cards_of_columns_are_named_that_the_finder_overlooks(seed: int, camera: str, least: int) -> None:
    """Of 24 and 18; of both 29 where each is read from where the finder sees it alone."""
    plan = plan_table(TableSpec("columns", ("playing-cards",), seed, camera, size_px=(1280, 720)))
    plan = replace(plan, texture_px=TEXTURE_PX)
    named = Counter(str(piece) for piece in read(spoiled(light(plan).picture, seed)).pieces)
    there = Counter(str(true.piece) for true in true_pieces(plan))
    assert not named - there
    assert named.total() >= least


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


def test_what_looks_like_neither_of_two_sure_indices_in_it_is_two_cards() -> None:
    indices = [(own(CARD, 0), 7, 0.97), (own(CARD, 1), 20, 0.95)]
    assert Table(*indices).names(readings((CARD, 30, 0.6))) == sorted(str(PACK[at]) for at in (7, 20))
    same = [(own(CARD, 0), 7, 0.97), (own(CARD, 1), 7, 0.95)]
    assert Table(*same).names(readings((CARD, 30, 0.6))) == [str(PACK[7])]
