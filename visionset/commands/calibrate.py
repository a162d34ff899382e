"""``visionset calibrate``: lens, table, deck and a check, kept as named profiles."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from visionset.commands.parts import Subparsers, add_action, add_command, add_force_option, agreed, complain, say
from visionset.errors import without_passwords
from visionset.numbers import real, whole_number

_MORE = """\
examples
  visionset calibrate sheet sheet-a4.pdf            print this at 100 %, glue it to something flat
  visionset calibrate lens --name kitchen           hold it before the camera; the program says how
  visionset calibrate cards --name kitchen          without a sheet: from SET cards that lie on the table
  visionset calibrate deck --name kitchen           an unusual deck: lay out nine cards once
  visionset calibrate check                         how well and how fast this table is read here
  visionset calibrate                               the profiles there are
  visionset calibrate delete kitchen                delete one; asks first, unless --yes

A profile holds for one camera at one picture size; visionset watch takes the one that fits by itself, or the one that
--profile names. No profile is needed: SET cards are read without one. Profiles are TOML files in the user's folder for
settings, or in $VISIONSET_CONFIG.
"""

_ACTIONS = {
    "lens": (
        "learn lens and table from views of the printed sheet",
        "  visionset calibrate lens --name kitchen                   live\n"
        '  visionset calibrate lens --for-camera "HD Webcam" a.jpg b.jpg c.jpg flat.jpg\n'
        "                                                            photos of that camera; in the last one it lies on the table",
    ),
    "cards": (
        "learn focal length and table from SET cards on it",
        "  visionset calibrate cards --name kitchen                  six cards or more, spread over the table, camera tilted\n"
        "  visionset calibrate cards --card-mm 63.5 88               cards of another size\n"
        "  visionset calibrate cards --learn-size                    cards of unknown width, 87 mm long\n"
        '  visionset calibrate cards --for-camera "HD Webcam" table.jpg   from a photo of that camera',
    ),
    "deck": (
        "learn the colours and stripes of an unusual deck",
        "  visionset calibrate deck --name kitchen                   lay out nine cards as it says",
    ),
    "check": (
        "measure accuracy and speed on this table and computer",
        "  visionset calibrate check                                 lay out nine cards as it says\n"
        "  visionset calibrate check --frames 300                    longer",
    ),
}


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command and its actions."""
    calibrate = add_command(subparsers, "calibrate", run_list, _MORE)
    actions = calibrate.add_subparsers(metavar="ACTION", title="actions (left out: list)")
    sheet = add_action(actions, "sheet", run_sheet, "write the sheet to print, as PDF")
    sheet.add_argument("out", type=Path, metavar="FILE.pdf", help="the file")
    add_force_option(sheet)
    sheet.add_argument("--paper", choices=("a4", "letter"), default="a4", help="size of paper (default: a4)")
    for name, (told, examples) in _ACTIONS.items():
        parser = add_action(actions, name, _live(name), told, f"examples\n{examples}\n")
        parser.add_argument("pictures", nargs="*", metavar="PICTURE", help="photos, or one video or stream, instead of a camera")
        parser.add_argument("--camera", metavar="N", help="number of the webcam, from 0 (default: 0)")
        parser.add_argument("--name", default="", metavar="NAME", help="name of the profile (default: made from the camera's)")
        parser.add_argument(
            "--for-camera", default="", metavar="CAMERA", help="the camera that took the photos, as visionset cameras names it"
        )
        if name == "cards":
            size = parser.add_mutually_exclusive_group()
            size.add_argument(
                "--card-mm", type=real(5, 1000), nargs=2, default=(57.0, 87.0), metavar="MM", help="width and height (default: 57 87)"
            )
            size.add_argument("--learn-size", action="store_true", help="learn the width of the cards from how they look")
            parser.add_argument("--force", action="store_true", help="put what cards tell in place of the lens that a sheet told")
        if name == "check":
            parser.add_argument("--frames", type=whole_number(1, 100_000), default=60, metavar="N", help="pictures to read (default: 60)")
    for name, run, told in (
        ("list", run_list, "list the profiles"),
        ("show", run_show, "show a profile"),
        ("delete", run_delete, "delete a profile for good"),
        ("history", run_history, "show all checks"),
    ):
        parser = add_action(actions, name, run, told)
        if name in ("show", "delete"):
            parser.add_argument("name", metavar="NAME", help="name of the profile")
        if name == "delete":
            parser.add_argument("--yes", action="store_true", help="do not ask")


def _live(name: str) -> Callable[[argparse.Namespace], int]:
    """The action of that name, imported when it is run."""

    def run(args: argparse.Namespace) -> int:
        from visionset.commands import calibrate_live

        code: int = getattr(calibrate_live, f"run_{name}")(args)
        return code

    return run


def run_sheet(args: argparse.Namespace) -> int:
    """Write the sheet."""
    from visionset.commands.print import run
    from visionset.printing.prints import PRINTS

    return run(PRINTS["calibration-sheet"], args)


def run_list(args: argparse.Namespace) -> int:
    """List the profiles, or say how to make one."""
    from visionset.calibration import listed

    profiles = listed(tell=complain)
    if not profiles:
        say("no profile yet, and none is needed to read cards; visionset calibrate --help says what a profile is good for")
    for profile in profiles:
        say(profile.summary)
    return 0


def run_show(args: argparse.Namespace) -> int:
    """Print a profile as it is kept, but for the password of a stream."""
    from visionset.calibration import load

    say(without_passwords(str(load(args.name)).rstrip()))
    return 0


def run_delete(args: argparse.Namespace) -> int:
    """Delete a profile, after a question; one that is damaged too."""
    from visionset.calibration import delete, path_of

    path_of(args.name)  # one that is not there is said before the question
    if not args.yes and not agreed(f"{args.name}: delete this profile for good? y/N: "):
        say(f"kept {args.name}")
        return 1
    delete(args.name)
    say(f"deleted {args.name}")
    return 0


def run_history(args: argparse.Namespace) -> int:
    """Print all checks as a table."""
    from visionset.commands.calibrate_history import print_history, read_history
    from visionset.saving import config_folder

    print_history(read_history(config_folder()))
    return 0
