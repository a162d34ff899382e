"""The tuned numbers of modules: where each stands in the source, what it is called, and its value.

A number counts where it is given a name: in a constant of a module, be it alone or in a tuple or table, or as what a field of a class
is where nothing else is said. 0, 1, -1 and whether something holds are no choice among many and do not count.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

PLAIN = {0, 1}


class Number(NamedTuple):
    """A number of a module."""

    module: str
    """Its folder and file, as in vision/inks.py."""
    line: int
    column: int
    name: str
    """Of the constant, or of class and field; of several in one, which."""
    value: float
    is_field: bool

    @property
    def title(self) -> str:
        """Module and name, as in inks.GRAIN."""
        return f"{Path(self.module).stem}.{self.name}"


def numbers(path: Path) -> list[Number]:
    """The numbers of a module: those of its constants, then those of the fields of its classes."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    module = "/".join(path.parts[-2:])
    bodies = [("", tree.body), *((f"{node.name}.", node.body) for node in tree.body if isinstance(node, ast.ClassDef))]
    return [
        number
        for owner, body in bodies
        for statement in body
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None
        for number in _numbers(module, owner, statement, statement.value)
    ]


def _numbers(module: str, owner: str, statement: ast.Assign | ast.AnnAssign, value: ast.expr) -> list[Number]:
    name = owner + ast.unparse(statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0])
    found = [node for node in ast.walk(value) if isinstance(node, ast.Constant) and _is_number(node.value)]
    which = [f", {at + 1} of {len(found)}" if len(found) > 1 else "" for at in range(len(found))]
    return [
        Number(module, node.lineno, node.col_offset, name + said, node.value, bool(owner))  # type: ignore[arg-type]
        for node, said in zip(found, which, strict=True)
    ]


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value not in PLAIN
