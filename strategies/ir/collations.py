"""Texts under a collation, which says what texts are equal and how they sort."""

from __future__ import annotations

from dataclasses import dataclass

from strategies.ir.expressions import Expr
from strategies.ir.types import STRING, Collated, Collation, type_text


@dataclass(frozen=True, slots=True)
class Collate(Expr):
    """``operand COLLATE collation``, a text that is compared as ``collation`` says.

    Equal texts may differ, so that DISTINCT, GROUP BY, ``min`` and the like may choose one of them: no column of a
    relation has such a type, but those of a table that a filter or a projection reads. It is compared, sorted by,
    counted, and a key of a window's partition.
    """

    operand: Expr
    collation: Collation

    def __post_init__(self) -> None:
        if self.operand.type != STRING:
            raise self._refuse(f"needs STRING, got {type_text(self.operand.type)}")
        self._has_type(Collated(self.collation))
