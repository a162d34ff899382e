"""What holds something that must be given back: it is closed at the end of its ``with`` statement."""

from __future__ import annotations

from typing import Self


class Closable:
    """Base of whatever has a `close`."""

    def close(self) -> None:
        """Give back what is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()
