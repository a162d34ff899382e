"""Keys of the watch window, as a pure function from state to state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from visionset.messages import Message, Words
from visionset.overlay import Reveal, View

_KEYS = "hints off count one two all step again names pause mirror turn times save help quit unsure short"

HELP = tuple(Message(f"watch.key.{name}") for name in _KEYS.split())
"""What the help panel says, key and meaning parted by a tab."""

_NAMED = {
    27: "q",  # Escape
    65361: "p",  # arrow left: X11, Windows, macOS
    2424832: "p",
    63234: "p",
    65363: "n",  # arrow right
    2555904: "n",
    63235: "n",
    65470: "?",  # F1: X11, Windows, macOS
    7340032: "?",
    63236: "?",
}
"""Codes of `cv2.waitKeyEx` for keys that are no characters; they differ by system."""

_HINTS = dict(zip("01234", Reveal, strict=True))
_ORDER = tuple(Reveal)


@dataclass(frozen=True, slots=True)
class WatchState:
    """What the watch window shows, apart from the table."""

    view: View = field(default_factory=View)
    """Hints, stepping and turning."""
    paused: bool = False
    help: bool = False
    timings: bool = False
    """`paused`, `help` and `timings`: the picture stands still; panels that are open."""
    saves: int = 0
    """Times that the person asked to save the picture."""
    done: bool = False
    """The person wants to leave."""
    notice: Words = ""
    """Answer to the last key, in words."""


def press_view_key(state: WatchState, key: int) -> WatchState:
    """Return the state after a key as `cv2.waitKeyEx` gives it, negative for none; capital letters do what small ones do."""
    if key < 0:
        return state
    name = _NAMED.get(key) or (chr(key).lower() if 32 <= key < 127 else "")
    if name in _HINTS:
        return _hint(state, _HINTS[name])
    action = _ACTIONS.get(name)
    return action(state) if action else state


def _hint(state: WatchState, hint: Reveal) -> WatchState:
    return replace(state, view=replace(state.view, hint=hint, step=None), notice=Message("watch.hints", hints=hint))


def _step(state: WatchState, by: int) -> WatchState:
    """Step through SETs; from a view without them, start showing them."""
    view = state.view
    if view.hint in {Reveal.OFF, Reveal.COUNT}:
        view = replace(view, hint=Reveal.ALL, step=None)
    step = (0 if by > 0 else -1) if view.step is None and view.hint is Reveal.ALL else (view.step or 0) + by
    return replace(state, view=replace(view, step=step), notice="")


def _turn(state: WatchState) -> WatchState:
    turns = (state.view.quarter_turns + 1) % 4
    return replace(state, view=replace(state.view, quarter_turns=turns), notice=Message("watch.turned", degrees=90 * turns))


def _mirror(state: WatchState) -> WatchState:
    mirrored = not state.view.mirrored
    return replace(
        state, view=replace(state.view, mirrored=mirrored), notice=Message("watch.mirrored" if mirrored else "watch.not_mirrored")
    )


def _labels(state: WatchState) -> WatchState:
    labels = not state.view.labels
    return replace(state, view=replace(state.view, labels=labels), notice=Message("watch.names_on" if labels else "watch.names_off"))


_ACTIONS: dict[str, Callable[[WatchState], WatchState]] = {
    "h": lambda state: _hint(state, _ORDER[(_ORDER.index(state.view.hint) + 1) % len(_ORDER)]),
    "n": lambda state: _step(state, 1),
    "p": lambda state: _step(state, -1),
    "a": lambda state: _hint(state, Reveal.ALL),
    "l": _labels,
    " ": lambda state: replace(state, paused=not state.paused, notice=""),
    "m": _mirror,
    "r": _turn,
    "t": lambda state: replace(state, timings=state.help or not state.timings, help=False, notice=""),
    "s": lambda state: replace(state, saves=state.saves + 1),
    "?": lambda state: replace(state, help=not state.help, notice=""),
    "q": lambda state: replace(state, done=True),
}
