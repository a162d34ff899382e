"""``visionset config``: what is set, and where."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from textwrap import fill

from visionset.commands.parts import Subparsers, add_command, add_data_option, complain, data_folder, say

_MORE = """\
examples
  visionset config           what is set, its value, and where that comes from
  visionset config --json    the same, one JSON object a line

What is said on a command line holds before the environment, that before settings.toml, and that before what is usual.
settings.toml knows one line so far:  language = "de"
"""

_EXTRAS = {
    "web": "starlette",
    "cameras": "cv2_enumerate_cameras",
    "print": "reportlab",
    "render": "mitsuba",
    "archive": "pyarrow",
    "cluster": "distributed",
    "train": "torch",
}
"""Extras by a module that each brings."""

_MISSING = "not installed"
"""Value of an extra that is not there."""

_NAME_WIDTH, _WIDTH = 18, 80
"""Columns of the longest name, and of a line."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One line: what, its value, where it comes from, and whether it is there."""

    name: str
    value: str
    source: str
    is_there: bool = True


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    parser = add_command(subparsers, "config", run, _MORE)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    add_data_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print a line for each setting."""
    for one in settings(args):
        if args.json:
            say(json.dumps(asdict(one)))
        else:
            source = one.source if one.is_there or one.value == _MISSING else f"{one.source}; not there yet"
            beside = " " * (_NAME_WIDTH + 1)
            lines = fill(source, _WIDTH, initial_indent=beside, subsequent_indent=beside, break_long_words=False, break_on_hyphens=False)
            say(f"{one.name:{_NAME_WIDTH}} {one.value}\n{lines}")
    return 0


def settings(args: argparse.Namespace) -> Iterator[Setting]:
    """All that can be set outside of a command line, as it stands now; what is in a folder that nobody may look into is not there."""
    from platformdirs import user_cache_path

    from visionset.calibration import listed
    from visionset.commands.language import settings_file, wanted_language
    from visionset.sample_files import samples_folder
    from visionset.saving import config_folder

    language, source = wanted_language(args)
    yield Setting("language", language, source)
    yield Setting("settings", str(settings_file()), "a file in the folder of settings", os.path.isfile(settings_file()))
    yield _folder("folder of settings", "VISIONSET_CONFIG", str(config_folder()), "the user's folder for settings")
    if hasattr(args, "data"):
        yield Setting("folder of matches", str(data_folder(args)), "--data", os.path.isdir(data_folder(args)))
    else:
        yield _folder("folder of matches", "VISIONSET_DATA", str(data_folder(args)), "the user's folder for data")
    cache = user_cache_path("visionset")
    yield Setting("folder of caches", str(cache), "the user's folder for caches; it may be deleted", os.path.isdir(cache))
    names = [one.name for one in listed(tell=complain)]
    yield Setting("profiles", ", ".join(names) or "none", "made by `visionset calibrate`, none is needed")
    yield Setting("samples", str(samples_folder()), "beside the program")
    for extra, module in _EXTRAS.items():
        is_there = find_spec(module) is not None
        todo = "" if is_there else f"pip install 'visionset[{extra}]' brings it"
        yield Setting(f"extra {extra}", "installed" if is_there else _MISSING, todo or "as installed", is_there)


def _folder(name: str, variable: str, value: str, usual: str) -> Setting:
    return Setting(name, value, f"${variable}" if os.environ.get(variable) else f"{usual}; ${variable} names another", os.path.isdir(value))
