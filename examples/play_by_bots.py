"""Let simple players play a game to its end: python examples/play_by_bots.py [GAME] [SEED]."""

import random
import sys

from visionset.games.registry import GAMES
from visionset.games.virtual.runner import play_out

game = GAMES[sys.argv[1] if len(sys.argv) > 1 else "scramble"]
rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)

steps = list(play_out(game, rng, players=("Ann", "Bo")[: game.max_players]))
for event, state in steps[-5:]:
    print(event.name, state.notice)
final = steps[-1][1]
print(f"{game.title} after {len(steps)} events:", dict(zip(final.players, final.scores, strict=True)))
