"""A program that plays and acknowledges: ``python -m tests.store.player FILE SEED [EVENTS]``.

It loads, waits for a line, then goes on with the newest match, or begins one, and prints a line after each entry that the
store says is kept: the number of the match, the place in its log, and the line that was written.
"""

import random
import sys
from itertools import count

from visionset.games.game import History
from visionset.games.registry import GAMES
from visionset.games.virtual.runner import next_event
from visionset.store import Store

PATIENT_S = 60.0
"""Many programs at once on a busy machine."""

KINDS = ("set", "solitaire", "sets-dice", "english-sets")
"""Games whose simple players think for less than a millisecond, so that most of the time goes into writing."""


def main(path: str, seed: int, events: float, resume: bool) -> None:
    rng, ticks = random.Random(seed), count()
    sys.stdin.readline()
    with Store(path, lambda: float(next(ticks)), PATIENT_S) as store:
        print("ready", flush=True)
        going_on = [summary.id for summary in store.summaries() if resume and not summary.is_finished]
        match = store.load(going_on[0]) if going_on else None
        while events > 0:
            events -= 1
            if match is None or match.history.state.is_over:
                match = store.begin(History.begin(GAMES[rng.choice(KINDS)]))
            elif match.history.events and rng.random() < 0.1:
                match = store.undo(match)
            else:
                match = store.append(match, next_event(match.history.state, rng))
            print(match.id, len(match.entries) - 1, match.entries[-1], flush=True)


if __name__ == "__main__":
    given = sys.argv[3] if len(sys.argv) > 3 else "inf"
    main(sys.argv[1], int(sys.argv[2]), float(given), resume=given == "inf")
