"""Is there a screen to open a window on? Asked first, because OpenCV ends the process where there is none."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

_PROBE = "import cv2; cv2.namedWindow('visionset', cv2.WINDOW_NORMAL); cv2.waitKey(1)"
_PROBE_S = 20.0
"""Seconds a slow machine may take to load OpenCV and open a window."""


def prepare_display() -> None:
    """Set what OpenCV's window toolkit reads from the environment, before the first window.

    OpenCV from PyPI brings Qt with its X11 plugin only, and no fonts, about which it complains at length.
    """
    if os.environ.get("QT_QPA_PLATFORM", "").startswith("wayland"):
        os.environ["QT_QPA_PLATFORM"] = "xcb"
    os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false;*.info=false")


def why_no_display() -> str:
    """Say in one line why no window can be opened; empty where one can."""
    if sys.platform in {"win32", "darwin"}:
        return ""
    if not os.environ.get("DISPLAY"):
        if os.environ.get("WAYLAND_DISPLAY"):
            return "expected an X11 display, got Wayland alone; install xwayland and log in again"
        return "expected a display, got none (DISPLAY is not set)"
    prepare_display()
    try:
        probe = subprocess.run([sys.executable, "-c", _PROBE], capture_output=True, text=True, timeout=_PROBE_S, check=False)
    except subprocess.TimeoutExpired:
        return f"expected a window within {_PROBE_S:.0f} s, got none; check the display {os.environ['DISPLAY']}"
    if probe.returncode == 0:
        return ""
    if "not implemented" in probe.stderr:
        return "expected OpenCV with windows, got the headless build; visionset doctor says how to change it"
    return f"expected a display that answers, got none at DISPLAY={os.environ['DISPLAY']}"


def desktop_px() -> tuple[int, int] | None:
    """Width and height of the screen, of all screens together under X11; None where the system does not say.

    OpenCV does not tell, so the system's own library is asked, without one more package.
    """
    try:
        if sys.platform == "win32":
            user = ctypes.windll.user32
            return user.GetSystemMetrics(0), user.GetSystemMetrics(1)
        if sys.platform == "darwin":
            graphics = ctypes.CDLL("/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics")
            main = graphics.CGMainDisplayID()
            graphics.CGDisplayPixelsWide.restype = graphics.CGDisplayPixelsHigh.restype = ctypes.c_size_t
            return graphics.CGDisplayPixelsWide(main), graphics.CGDisplayPixelsHigh(main)
        return _x11_px(ctypes.CDLL("libX11.so.6"))
    except (OSError, AttributeError):  # no such library, or an older one
        return None


def _x11_px(x11: ctypes.CDLL) -> tuple[int, int] | None:
    x11.XOpenDisplay.restype = ctypes.c_void_p
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    if not display:
        return None
    size_px = x11.XDisplayWidth(display, 0), x11.XDisplayHeight(display, 0)
    x11.XCloseDisplay(display)
    return size_px
