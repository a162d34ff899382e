"""What usually goes wrong on each system: not on the path, no extra, no right to the camera, a virtual machine, a full disk."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

_LEAST_FREE_BYTES = 200 << 20
"""An evening's matches take little, a recording some hundred megabytes an hour."""

SYSTEM_TROUBLES: Mapping[str, str] = {
    "darwin": "System Settings, Privacy & Security, Camera: allow your terminal program, then start it again",
    "win32": "Settings, Privacy & security, Camera: let desktop apps use your camera; close other programs that use it",
    "linux": "another program may have the camera: close it; in a container or virtual machine pass the device through",
}
"""By `sys.platform`, what to do where a camera is there and gives no picture."""


def why_no_camera(system: str, devices: Iterable[Path], is_wsl: bool) -> tuple[str, str] | None:
    """Say why no camera can be opened, and what to do; None where the system has no opinion.

    `system` is that of `sys.platform`, `devices` the cameras that it shows as files.
    """
    locked = [path for path in devices if not os.access(path, os.R_OK | os.W_OK)]
    if locked:
        names = ", ".join(map(str, locked))
        return f"no right to {names}", 'sudo usermod -aG video "$USER", then log out and in again'
    if is_wsl:
        return (
            "Windows lends its Linux no camera",
            "install it in Windows itself, or let a phone be the camera: visionset table --lan",
        )
    if system in ("darwin", "win32"):
        return "no camera that programs may use", SYSTEM_TROUBLES[system]
    return None


def is_wsl() -> bool:
    """Whether this is the Linux inside Windows."""
    try:
        return "microsoft" in Path("/proc/version").read_text(encoding="utf-8", errors="replace").lower()
    except OSError:
        return False


def camera_files() -> list[Path]:
    """Cameras that the system shows as files; none but on Linux."""
    return sorted(Path("/dev").glob("video*")) if sys.platform.startswith("linux") else []


def why_not_on_path(found: str | None) -> tuple[str, str] | None:
    """Say that the shell does not find the command, and what to do; `found` is where it does."""
    if found is not None:
        return None
    beside = Path(sys.executable).with_name("visionset.exe" if sys.platform == "win32" else "visionset")
    todo = "pipx ensurepath, then open a new terminal" + (f"; or call it as {beside}" if beside.exists() else "")
    return "the shell does not find `visionset`", todo


def system_troubles(data: Path) -> Iterator[tuple[str, str]]:
    """What is wrong with this system around the program: what, and what to do. `data` is the folder of matches."""
    if trouble := why_not_on_path(shutil.which("visionset")):
        yield trouble
    if any(find_spec(name) is None for name in ("starlette", "uvicorn", "websockets", "msgspec", "segno", "trustme")):
        yield "the page of `visionset table` is not installed", f"{sys.executable} -m pip install 'visionset[web]'"
    there = next((folder for folder in (data, *data.parents) if os.path.isdir(folder)), Path("/"))  # not in one that is closed
    if not os.access(there, os.W_OK):
        yield f"{there} may not be written to: matches are not kept", "make it yours, or name another folder with $VISIONSET_DATA"
    elif shutil.disk_usage(there).free < _LEAST_FREE_BYTES:
        yield f"the disk of {there} is nearly full", "make room, or name another folder with $VISIONSET_DATA"
