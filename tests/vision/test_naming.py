import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from visionset.vision.naming import assign_cards


def readings(*choices):
    """Log probabilities over the deck; each choice maps cards to probabilities, the rest is shared out."""
    rows = []
    for choice in choices:
        row = np.full(81, (1 - sum(choice.values())) / (81 - len(choice)))
        for card, share in choice.items():
            row[card] = share
        rows.append(np.log(row))
    return np.array(rows).reshape(-1, 81)


def test_the_surer_of_two_equal_readings_keeps_the_card_and_the_other_takes_its_runner_up():
    card, sure = assign_cards(readings({5: 0.6, 7: 0.3}, {5: 0.9}), decks=1)
    assert card.tolist() == [7, 5]
    assert np.allclose(sure, [0.3, 0.9])


def test_a_second_deck_allows_a_second_copy():
    card, _ = assign_cards(readings({5: 0.6, 7: 0.3}, {5: 0.9}, {5: 0.7}), decks=2)
    assert sorted(card.tolist()) == [5, 5, 7]


@given(st.integers(0, 81), st.integers(1, 2), st.integers(0, 2**32 - 1))
def test_no_card_is_given_more_often_than_there_are_decks(count, decks, seed):
    log = np.log(np.random.default_rng(seed).dirichlet(np.ones(81), count)).reshape(-1, 81)
    card, sure = assign_cards(log, decks)
    assert np.bincount(card, minlength=81).max(initial=0) <= decks
    assert np.allclose(sure, np.exp(log[np.arange(count), card]))
