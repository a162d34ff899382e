"""Every game's film, cut at random frames and resumed: nothing happens where the table was settled, nothing is lost elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from tests.clips.cuts import STILL_S, played_on, still
from tests.clips.films import FILMS
from tests.clips.sitting import Note, meanings, sit

CUTS, SEED = 50, 15


@pytest.mark.slow
@pytest.mark.parametrize("game", FILMS)
def test_a_film_that_is_cut_anywhere_goes_on_where_it_stopped(game: str) -> None:
    film, truth, meant = FILMS[game](None)
    notes: list[Note] = []
    sit(film, truth, meant, notes=notes)
    uncut = notes[-1].history
    for cut in sorted(int(at) for at in np.random.default_rng(SEED).choice(len(notes) - 1, CUTS, replace=False)):
        note, where = notes[cut], f"frame {cut} of {len(notes)}"
        found, is_settled = still(film, note), note.is_settled(notes[cut + 1 :])
        assert found.history.events[: len(note.history.events)] == note.history.events, where
        assert 0 <= found.clock_s - note.history.state.clock_s <= STILL_S, where
        assert len(found.asked) <= (0 if is_settled else 1), (where, found.asked)
        if is_settled:
            assert (found.events, found.history.state) == ((), note.history.state), where
        history, asked = played_on(film, truth, notes, cut)
        assert meanings(history, meant)[0] == meanings(uncut, meant)[0], where
        assert history.state.scores == uncut.state.scores, where
        assert len(asked) <= 1 + len({later.asks for later in notes[cut:]} - {None}), (where, asked)
