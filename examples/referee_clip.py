"""Referee a game of SET through a clip and print what happens: python examples/referee_clip.py [CLIP or number of a camera]."""

import sys
from pathlib import Path

import visionset
from visionset.games.game import History
from visionset.games.registry import GAMES
from visionset.referee.director import Director
from visionset.referee.player_input import CallSet
from visionset.session.refereed import for_game, referee_of

SAMPLE = str(Path(__file__).parents[1] / "samples" / "round-1280x720.mp4")

history = History.begin(GAMES["set"], players=("Ann", "Bo"))
options = for_game(visionset.session.SessionOptions(), "set")
with visionset.Session.open(
    sys.argv[1] if len(sys.argv) > 1 else SAMPLE, options, lambda tracker: Director(history, referee_of("set"), correct=tracker.correct)
) as session:
    session.say(CallSet(player=0), time_s=2.5)
    for snapshot in session:
        if snapshot.history.events != history.events:
            history = snapshot.history
            print(history.events[-1].name, history.state.notice, dict(zip(history.players, history.state.scores, strict=True)))
