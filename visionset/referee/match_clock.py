"""The time of a match beside that of its stream: each stream begins anew, and a match goes on from its last event."""

from __future__ import annotations

import math

_APART_S = 1.0
"""Calls that were said so far apart while the match's time stood keep this distance: no tie is as long."""


class MatchClock:
    """Tells the time of one match, which begins at `now_s`, by that of its frames, of which `frame_s` is how late the newest may be.

    Attributes
    ----------
    now_s : float
        Time of the match; it never goes back.
    stream_s : float
        Time of the stream.
    """

    def __init__(self, now_s: float, frame_s: float) -> None:
        self.now_s, self.stream_s = now_s, 0.0
        self._frame_s = frame_s
        self._ahead_s: float | None = None
        self._said_s = -math.inf, -math.inf

    def pass_time(self, time_s: float, *, is_blind: bool = False) -> None:
        """Let the match's time go on with the stream's.

        While the camera is blind it stands: what people do then nobody sees, so that it is nobody's time.
        """
        if self._ahead_s is None:
            self._ahead_s = self.now_s - time_s
        elif is_blind:
            self._ahead_s -= max(0.0, time_s - self.stream_s)
        self.stream_s = time_s
        self.now_s = max(self.now_s, time_s + self._ahead_s)

    def match_s(self, stream_s: float | None, least_s: float) -> float:
        """The match's time at which something was said in the stream, from `least_s` on: now where no time is given.

        It is hardly later than the newest frame, which is some time old.
        """
        if self._ahead_s is None:
            return self.now_s
        match_s = max(self.now_s if stream_s is None else min(self.now_s + self._frame_s, stream_s + self._ahead_s), least_s)
        stream_s = self.stream_s if stream_s is None else stream_s
        last_stream_s, last_match_s = self._said_s
        if stream_s > last_stream_s:  # while time stands, too, who said it a second later has said it later
            match_s = max(match_s, last_match_s + min(stream_s - last_stream_s, _APART_S))
        self._said_s = stream_s, match_s
        return match_s
