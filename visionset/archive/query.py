"""What somebody asks an archive for: some pieces that lay in one picture, in words or codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from visionset.errors import PieceError
from visionset.kinds import KIND_SPECS
from visionset.messages import at_table
from visionset.pieces import Kind, Suit

Known = tuple[str, str | None]
"""Kind and name, as an answer has them."""

_COUNT = re.compile(r"([1-9]\d{0,2})\s*x\s+(.*)", re.IGNORECASE)
_IDLE = frozenset({"of", "a", "an", "the"})
_BEHIND_ACE = frozenset({"", "of", *(word.lower() for suit in Suit for word in (suit.value, suit.name))})
"""What stands behind the rank A, in small letters too, and behind no article: nothing, or a suit in the plural."""

_ONE_OF_A_SUIT = frozenset(suit.name.lower().removesuffix("s") for suit in Suit)
"""What may stand behind both."""

_NUMBER_WORDS = dict(zip("123456789T", ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), strict=True))
_MOST_PIECES = 200


@dataclass(frozen=True, slots=True)
class Query:
    """Pieces that must all lie in one picture, each a different one.

    >>> query = Query.parse("2x red oval, queen of hearts")
    >>> [len(one) for one in query.wanted]
    [12, 12, 1]
    """

    wanted: tuple[frozenset[Known], ...]

    @classmethod
    def parse(cls, text: str) -> Query:
        """Read what was asked: pieces with commas between, each by some of its words or its code, with ``2x`` before for two of them.

        Raises `PieceError`: no piece is called so.
        """
        wanted: list[frozenset[Known]] = []
        tags = _tags()
        for part in text.split(","):
            counted = _COUNT.fullmatch(part.strip())
            count, words = (int(counted[1]), _asked(counted[2])) if counted else (1, _asked(part))
            for word in words:
                if not any(word in have for have in tags.values()):
                    raise PieceError(f"expected words or a code of a piece, got {word!r:.40}; as in '3 purple solid', '2x wild' or QH")
            fits = frozenset(known for known, have in tags.items() if words <= have)
            if not words or not fits:
                raise PieceError(f"expected a piece, got {part.strip()!r:.60}, which none is; as in '3 purple solid', '2x wild' or QH")
            wanted += [fits] * count
        if len(wanted) > _MOST_PIECES:
            raise PieceError(f"expected {_MOST_PIECES} pieces or less, got {len(wanted)}; ask for fewer")
        return cls(tuple(wanted))

    def found_in(self, pieces: Iterable[dict[str, Any]]) -> list[int] | None:
        """Positions of the pieces that were asked for, each once; None where they are not all there."""
        there: list[Known] = [(one["kind"], one.get("name")) for one in pieces]
        of: dict[int, int] = {}  # position to what it is taken for

        def take(want: int, tried: set[int]) -> bool:
            """Find a piece for it, moving others to other pieces where need be (bipartite matching)."""
            for position, known in enumerate(there):
                if known in self.wanted[want] and position not in tried:
                    tried.add(position)
                    if position not in of or take(of[position], tried):
                        of[position] = want
                        return True
            return False

        return sorted(of) if all(take(want, set()) for want in range(len(self.wanted))) else None

    def least(self) -> Iterator[tuple[frozenset[Known], int]]:
        """How many pieces of which a picture must have at the least; one that has may still lack some, where wishes overlap."""
        yield from Counter(self.wanted).items()


def _tags() -> dict[Known, frozenset[str]]:
    """Every word by which each piece may be called."""
    found: dict[Known, frozenset[str]] = {}
    for kind, spec in KIND_SPECS.items():
        own = {*_split(kind.value), spec.noun, *(("dice",) if spec.is_die else ())}
        if kind is Kind.CARD_BACK:
            found[kind.value, None] = frozenset(own | {"face", "down"})
            continue
        found[kind.value, None] = frozenset(own | {"unread", "?"})
        for piece in spec.faces:
            code = str(piece).lower()
            rank = (*code,) if kind is Kind.PLAYING_CARD else ()
            number = () if kind in (Kind.SET_CARD, Kind.SET_DIE) else (_NUMBER_WORDS.get(str(piece)[0], code),)
            found[kind.value, str(piece)] = frozenset({*own, code, *rank, *number, *_words(code), *_words(at_table(piece))})
    return found


def _asked(text: str) -> frozenset[str]:
    """The words by which somebody asks for a piece.

    >>> sorted(_asked("A of hearts")), sorted(_asked("a heart"))
    (['a', 'heart'], ['heart'])
    """
    has_ace = any(_is_ace(word, after) for word, after in pairwise([*_written(text), ""]))
    return _words(text) | ({"a"} if has_ace else set())


def _is_ace(word: str, after: str) -> bool:
    """Whether a word is the rank A, and not the article, by the word behind it."""
    return word.lower() == "a" and (after.lower() in _BEHIND_ACE or (word == "A" and after.lower() in _ONE_OF_A_SUIT))


def _words(text: str) -> frozenset[str]:
    return frozenset(_split(text)) - _IDLE


def _split(text: str) -> list[str]:
    """Words in small letters, of ovals and hearts the singular."""
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in _written(text.lower())]


def _written(text: str) -> list[str]:
    return [word for word in re.split(r"[\s_-]+", text) if word]
