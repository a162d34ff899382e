"""``visionset cameras``: which cameras there are."""

from __future__ import annotations

import argparse

from visionset.commands.parts import Subparsers, add_command, complain, say

_MORE = """\
example
  visionset cameras              0  Integrated Webcam
                                 2  USB Camera
  visionset watch --camera 2     watch by the second

Names need nothing on Linux; on Windows and macOS run pip install 'visionset[cameras]' for them.
"""


def add_parsers(subparsers: Subparsers) -> None:
    """Describe the command."""
    add_command(subparsers, "cameras", run, _MORE)


def run(args: argparse.Namespace) -> int:
    """Print a line per camera."""
    from visionset.sources.devices import list_cameras

    found = list_cameras()
    for camera in found:
        say(f"{camera.number}  {camera.name}")
    if found:
        return 0
    return complain("expected a camera, got none; plug one in, and in a container or virtual machine pass the device through")
