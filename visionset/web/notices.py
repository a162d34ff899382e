"""What is told at a table without a camera, and stands until it is read."""

from __future__ import annotations

from visionset.messages import Words, at_table

_READING_S, _LETTER_S, _MOST_READING_S = 0.5, 0.06, 6.0
"""To read what is told: to look there, a letter, and at most; whoever reads faster says "next"."""


class Notices:
    """What a game has told last, also where cards already lie that tell nothing, and what was said about the table itself."""

    def __init__(self) -> None:
        self.aside: Words = ""
        """What was taken back, or came too early: it stands before what the game says, until something happens."""
        self.until_s = 0.0
        """When the words of the game are read."""
        self._words: Words = ""
        self._notice: Words = ""

    @property
    def words(self) -> Words:
        """What stands there; empty: what the game itself says."""
        return self.aside or self._words

    def say_aside(self, words: Words) -> None:
        """Tell what was taken back: what the game said last was said long before."""
        self.aside, self._words = words, ""

    def follow(self, notice: Words, now_s: float) -> float:
        """Let what the game says now stand until it is read; give when simple players go on."""
        is_new, self._notice = bool(notice) and at_table(notice) != at_table(self._notice), notice
        if notice:
            self._words, self.until_s = notice, now_s + _reading_s(notice)
        elif now_s >= self.until_s:
            self._words = ""
        return now_s + (_reading_s(notice) if is_new else 0.0)


def _reading_s(words: Words) -> float:
    """How long it takes to read what is told."""
    return min(_READING_S + _LETTER_S * len(at_table(words)), _MOST_READING_S)
