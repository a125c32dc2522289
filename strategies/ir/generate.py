"""Relations that make several rows of one row."""

from __future__ import annotations

from dataclasses import dataclass

from strategies.ir.expressions import Expr
from strategies.ir.relations import Field, Relation, from_fields
from strategies.ir.types import INT, Array, type_text


@dataclass(frozen=True, slots=True)
class Generate(Relation):
    """Each row of ``child`` once for each element of ``array``, with the element as the last column, ``name``.

    ``position`` names a column before it for the element's position, from 0. A row with an empty or NULL array is
    dropped, or, if ``outer``, kept once with NULLs.
    """

    child: Relation
    array: Expr
    name: str
    position: str | None = None
    outer: bool = False

    def __post_init__(self) -> None:
        self._determined(self.child)
        inputs = from_fields(self.child)
        kind = self.array.type
        if not isinstance(kind, Array):
            raise self._refuse(f"needs an ARRAY, got {type_text(kind)}")
        if self.name.casefold() == (self.position or "").casefold():
            raise self._refuse(f"position and element are both called {self.name}")
        self._resolve(self.array, inputs)
        place = () if self.position is None else (Field(self.position, INT),)
        self._outputs((*self._unqualified(inputs), *place, Field(self.name, kind.element)))
