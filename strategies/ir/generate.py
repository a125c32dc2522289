"""Relations that make several rows of one row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard

from strategies.ir.expressions import Expr
from strategies.ir.node import Node
from strategies.ir.relations import Field, Relation, from_fields
from strategies.ir.types import BIGINT, BOOLEAN, DATE, INT, SMALLINT, STRING, Array, SqlType, type_text

PYTHON_ELEMENTS: tuple[SqlType, ...] = (INT, BIGINT, STRING, DATE, BOOLEAN, SMALLINT)
"""The types of elements for which a session has table functions in Python: each comes back from there as it was."""


@dataclass(frozen=True, slots=True)
class Generate(Relation):
    """Each row of ``child`` once for each element of ``array``, with the element as the last column, ``name``.

    ``position`` names a column before it for the element's position, from 0. A row with an empty or NULL array is
    dropped, or, if ``outer``, kept once with NULLs. A table function makes the rows: one of the engine's, or, if
    ``in_python``, a user-defined one in Python, for elements of the types :data:`PYTHON_ELEMENTS`.
    """

    child: Relation
    array: Expr
    name: str
    position: str | None = None
    outer: bool = False
    in_python: bool = False

    def __post_init__(self) -> None:
        self._determined(self.child)
        inputs = from_fields(self.child)
        kind = self.array.type
        if not isinstance(kind, Array):
            raise self._refuse(f"needs an ARRAY, got {type_text(kind)}")
        if self.in_python and kind.element not in PYTHON_ELEMENTS:
            raise self._refuse(f"no table function in Python has elements of {type_text(kind.element)}")
        if self.name.casefold() == (self.position or "").casefold():
            raise self._refuse(f"position and element are both called {self.name}")
        self._resolve(self.array, inputs)
        place = () if self.position is None else (Field(self.position, INT),)
        self._outputs((*self._unqualified(inputs), *place, Field(self.name, kind.element)))

    @property
    def function(self) -> str:
        """The name under which a Spark session has the table function."""
        if not self.in_python:
            return "explode" if self.position is None else "posexplode"
        return python_table_function(self.fields[-1].type, with_position=self.position is not None)


def is_in_python(node: Node) -> TypeGuard[Generate]:
    """Whether ``node`` makes rows by a table function in Python."""
    return isinstance(node, Generate) and node.in_python


def python_table_function(element: SqlType, *, with_position: bool) -> str:
    """The name of the table function in Python for elements of the type ``element``.

    Its arguments are an array, and whether a row without elements is kept.
    """
    return f"python_{'positions' if with_position else 'elements'}_{type_text(element).lower()}"
