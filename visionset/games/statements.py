"""What WILDs may stand for, so that windows of three dice are SETs together: exact, by linear equations (rules D2, D3).

A face is three digits modulo 3, one for each trait: its index in `SET_DIE_FACES` written to the base 3. Three dice are a SET
exactly where the digits of each trait add up to 0:

    all the same:   x + x + x = 3x = 0
    all different:  0 + 1 + 2 = 3 = 0
    two and one:    x + x + y = 0 would mean y = -2x = x

So a window is an equation and WILDs are its unknowns: windows can be SETs together where their equations have a solution.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from visionset.games.sets import WILD_INDEX

Cell: TypeAlias = tuple[int, int]
"""Row and column; they may be negative where no board limits them."""

Window: TypeAlias = tuple[Cell, Cell, Cell]
"""Three neighbouring cells in a row or a column, ascending."""

Worth: TypeAlias = Callable[[Sequence[Window]], Any]

_Form: TypeAlias = tuple[int, ...]
"""What lies in a cell, modulo 3: the digits of its three traits, then how often each free WILD is added to them."""

_TRAITS = 3

MOST_LOOKED_AT = 20_000
"""Choices of windows after which the best so far is taken, some seconds. Four WILDs need a thousand at most; only a block of
dice with many more than a game ever rolls needs as many."""


def best_statement(faces: Mapping[Cell, int], windows: Sequence[Window], worth: Worth) -> dict[Cell, int]:
    """State what each WILD in a window stands for, so that the SETs are worth the most.

    Parameters
    ----------
    faces : mapping of Cell to int
        Index in `SET_DIE_FACES` of what lies in each cell; WILD where nothing is stated yet.
    windows : sequence of Window
        Where SETs may lie.
    worth : callable
        What windows are worth that are SETs; more of them must not be worth less.

    Returns
    -------
    dict of Cell to int
        The faces, WILDs stated. A WILD in no window is left as it is.

    Examples
    --------
    >>> red, green = 0, 3  # one red oval, one green oval
    >>> faces = {(0, 0): red, (0, 1): WILD_INDEX, (0, 2): green}
    >>> best_statement(faces, [((0, 0), (0, 1), (0, 2))], worth=len)[0, 1]
    6
    """
    wilds = sorted({cell for window in windows for cell in window if faces[cell] == WILD_INDEX})
    if not wilds:
        return dict(faces)
    there = {cell for window in windows for cell in window}
    search = _Search(worth)
    search.try_all({cell: _form(cell, faces[cell], wilds) for cell in there}, (), tuple(windows))
    return {**faces, **{cell: 9 * form[0] + 3 * form[1] + form[2] for cell, form in search.best.items()}}


def _form(cell: Cell, face: int, wilds: Sequence[Cell]) -> _Form:
    digits = (0, 0, 0) if cell in wilds else (face // 9, face // 3 % 3, face % 3)
    return (*digits, *(int(wild == cell) for wild in wilds))


class _Search:
    """Goes through all windows that can be SETs together, those first that hold most."""

    def __init__(self, worth: Worth) -> None:
        self._worth = worth
        self._left = MOST_LOOKED_AT
        self._best_worth: Any = None
        self.best: dict[Cell, _Form] = {}

    def try_all(self, forms: dict[Cell, _Form], sets: tuple[Window, ...], windows: tuple[Window, ...]) -> None:
        """Try each choice of further windows to be SETs.

        `forms` tells what lies in each cell when `sets` are SETs: a WILD that is not fixed by them is free. `windows` are not yet decided.
        """
        self._left -= 1
        open_windows = []
        for window in windows:
            total = _sum(forms, window)
            if not any(total):
                sets = (*sets, window)
            elif any(total[_TRAITS:]):
                open_windows.append(window)
        most = self._worth((*sets, *open_windows))
        if self._best_worth is not None and (most <= self._best_worth or self._left < 0):
            return
        if not open_windows:
            self._best_worth, self.best = most, forms
            return
        first, *rest = open_windows
        self.try_all(_with_set(forms, first), (*sets, first), tuple(rest))
        self.try_all(forms, sets, tuple(rest))


def _sum(forms: Mapping[Cell, _Form], window: Window) -> _Form:
    first, second, third = (forms[cell] for cell in window)
    return tuple([(a + b + c) % 3 for a, b, c in zip(first, second, third, strict=True)])


def _with_set(forms: Mapping[Cell, _Form], window: Window) -> dict[Cell, _Form]:
    """Solve the equation of a window for one of its free WILDs and put that in everywhere."""
    total = _sum(forms, window)
    unknown = next(place for place in range(_TRAITS, len(total)) if total[place])
    # Adding -n*c times the equation, where its WILD has the factor c, takes a WILD out that was there n times: n - n*c*c = 0, as c*c = 1.
    return {cell: _plus(form, total, -form[unknown] * total[unknown]) if form[unknown] else form for cell, form in forms.items()}


def _plus(form: _Form, other: _Form, times: int) -> _Form:
    return tuple([(a + times * b) % 3 for a, b in zip(form, other, strict=True)])
