"""``visionset watch``: cards and SETs on live video, and games that are refereed."""

from __future__ import annotations

import argparse
import shlex
from contextlib import ExitStack
from pathlib import Path

from visionset.commands.directing import add_game_options, game_options, run_game
from visionset.commands.parts import (
    Subparsers,
    add_command,
    add_data_option,
    add_force_option,
    add_read_options,
    check_another,
    check_new,
    complain,
    say,
)
from visionset.commands.process import INTERRUPTS
from visionset.commands.watching import WatchOptions, recorded_in_full, watch_options, watch_window
from visionset.messages import Message

_MORE = """\
examples
  visionset watch                            the first webcam
  visionset watch --camera 2                 another one; visionset cameras lists them
  visionset watch game.mp4                   a video file
  visionset watch rtsp://192.168.1.20/live   a phone or network camera
  visionset watch --save game.mp4            also record what is drawn; without a display it only records
  visionset watch game.mp4 --game set --players Ann,Bo,Cy --json --say said.jsonl
                                             referee a game for a program, one line of JSON an event; for
                                             people there is visionset table --camera SOURCE
  visionset watch --record evening           keep pictures and layouts, to replay, report and bundle later

said.jsonl has what players say, one JSON object a line, such as {"time_s": 12.5, "say": "no_set", "player": 1}; say is one of
  call, no_set, hint       with "player", the seat from 0; a dealer who does not play cannot call
  answer                   with "number", which answer to the question that is open, from 1; 0 for none of them
  move                     with "game" and "event", an event as --json prints it: {"event": "agree", "player": 1}
  next, undo, dispute, table_is_right, game_is_right

--json prints one JSON object a line, with "time_s" by the stream and one of
  "event"                  with "scores" by seat and "notice", what it brought
  "undone"                 how many events were taken back, with "scores"
  "told"                   what is to be done, a line each
  "refused"                why what was said cannot be
  "question"               what is asked, perhaps with "exhibits", the pieces in doubt: each with "piece", "confidence" and
                           "runner_up", what it would be otherwise, or null
  "differ"                 how table and game differ
and "said", the same words as codes and arguments. The last line has "match", "is_over", "scores" and "winners", and "places"
where the game keeps them.

keys in the window
  ?  help     h  hints     n p  step through SETs     space  pause     m  mirror     r  turn
  s  save the picture      t  times                   l  names         q  quit
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "watch", run, _MORE)
    parser.add_argument("source", nargs="?", metavar="SOURCE", help="a video file, or the address of a stream; default: the first webcam")
    parser.add_argument("--camera", metavar="N", help="number of the webcam, from 0")
    parser.add_argument("--save", type=Path, metavar="OUT.mp4", help="record the annotated video")
    add_force_option(parser)
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FOLDER",
        help="keep a recording: what the camera saw, and what lay there (pictures while 200 MB of the disk are free)",
    )
    parser.add_argument("--profile", metavar="NAME", help="calibration to use (default: the newest for this camera and picture size)")
    add_read_options(parser)
    add_game_options(parser)
    add_data_option(parser)


def run(args: argparse.Namespace) -> int:
    """Watch until the video ends, the person quits, or Ctrl-C."""
    game = game_options(args)
    options = watch_options(args)
    if options.save is not None:
        check_another(options.save, options.source)
        check_new(args, options.save)
    return _watch(options) if game is None else run_game(options, game)


def _watch(options: WatchOptions) -> int:
    from visionset.commands.story import Narrator
    from visionset.session import Session, tracker_of
    from visionset.session.recorded import recorded_fps, recorder_of
    from visionset.session.refereed import calibrated
    from visionset.sources import Guarded, open_source
    from visionset.video_writer import VideoWriter
    from visionset.window.display import why_no_display
    from visionset.window.screen import OpenCvScreen
    from visionset.window.watch import TablePresenter

    with ExitStack() as stack:
        source = stack.enter_context(open_source(options.source))
        no_display = why_no_display()
        if no_display and options.save is None and options.record is None:
            return complain(f"{no_display}; add --save OUT.mp4 to record instead, or use visionset read for photos")
        recording = stack.enter_context(VideoWriter(options.save, recorded_fps(source))) if options.save else None
        wanted = calibrated(options.session, source, options.profile, say, complain)
        recorder = stack.enter_context(recorder_of(options.record, source, wanted)) if options.record else None
        if no_display:
            complain(f"{no_display}; going on without a window, Ctrl-C ends the recording")
        screen = None if no_display else stack.enter_context(OpenCvScreen())
        tracker = tracker_of(wanted, source.is_live, stack)
        session = stack.enter_context(Session(Guarded(source) if source.is_live else source, tracker, None, wanted, complain))
        if no_display:
            session.listen(Narrator())
        watch_window(session, TablePresenter(session), screen, recording, recorder)
        is_cut_short = bool(session.source.trouble) and not source.is_live
        whole = recorded_in_full(recording)  # before the recorder is closed: a video that failed leaves its room to the last lines
    if recorder is not None and recorder.frames:
        named = shlex.quote(str(recorder.folder))  # to be pasted as it stands
        say(str(Message("watch.recorded", path=str(recorder.folder), count=recorder.frames, named=named)))
    elif recorder is not None and INTERRUPTS.asked and not recorder.lacks_room:
        say(str(Message("watch.nothing_recorded", path=str(recorder.folder))))
    elif recorder is not None:
        least_mb = recorder.options.least_free // 1_000_000
        why = f"the disk has less than {least_mb} MB free; what lay there is kept all the same" if recorder.lacks_room else "none came"
        whole = not complain(f"{recorder.folder}: expected pictures to record, got none: {why}")
    say(str(Message("watch.seen", count=session.frames)))
    return 0 if whole and not is_cut_short and not session.gave_up else 1
