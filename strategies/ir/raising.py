"""Expressions that may raise: arithmetic, casts and array elements without a guard, and ``raise_error``.

The other expressions of the algebra never raise. A node with ``ansi`` raises as Spark does in ANSI mode; without it,
the node is NULL where it would raise, as in Spark without ANSI mode. So one query means the same to all engines, and a
case has to run in the mode of its nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from strategies.ir.casts import can_try_cast
from strategies.ir.expressions import Expr
from strategies.ir.node import Node, transform, walk
from strategies.ir.types import DOUBLE, INT, INTEGERS, SMALLINT, STRING, Array, SqlType, type_text

RaisingOp = Literal["+", "-", "*", "/", "%"]
RAISING_OPS: tuple[RaisingOp, ...] = ("+", "-", "*", "/", "%")
_QUOTIENTS: tuple[RaisingOp, ...] = ("/", "%")
_OPERANDS: dict[RaisingOp, tuple[SqlType, ...]] = {
    **dict.fromkeys(("+", "-", "*"), INTEGERS),
    "/": (*INTEGERS, DOUBLE),
    "%": (SMALLINT, INT),
}


@dataclass(frozen=True, slots=True)
class RaisingArith(Expr):
    """``left op right`` of one type; raises on overflow and on division by zero. ``/`` returns DOUBLE.

    A sum, difference or product needs ``ansi``: without ANSI mode Spark returns a wrong number, and not NULL.
    """

    op: RaisingOp
    left: Expr
    right: Expr
    ansi: bool = True

    def __post_init__(self) -> None:
        if self.op not in RAISING_OPS:
            raise self._refuse(f"no operator {self.op!r}")
        kind = self._unify(self.left, self.right)
        if kind not in _OPERANDS[self.op]:
            raise self._refuse(f"{type_text(kind)} has no {self.op}")
        if not self.ansi and self.op not in _QUOTIENTS:
            raise self._refuse(f"{self.op} wraps around without ANSI mode")
        self._has_type(DOUBLE if self.op == "/" else kind)


@dataclass(frozen=True, slots=True)
class RaisingCast(Expr):
    """A cast that raises for values out of range or, in text, of another spelling; see ``can_try_cast``.

    A cast of a number needs ``ansi``: without ANSI mode Spark returns another number, and not NULL.
    """

    operand: Expr
    to: SqlType
    ansi: bool = True

    def __post_init__(self) -> None:
        if not can_try_cast(self.operand.type, self.to):
            raise self._refuse(f"{type_text(self.operand.type)} to {type_text(self.to)} differs")
        if not self.ansi and self.operand.type != STRING:
            raise self._refuse(f"{type_text(self.operand.type)} to {type_text(self.to)} isn't NULL without ANSI mode")
        self._has_type(self.to)


@dataclass(frozen=True, slots=True)
class RaisingElement(Expr):
    """``array[index]``, counted from 0; raises if there is no such element."""

    array: Expr
    index: Expr
    ansi: bool = True

    def __post_init__(self) -> None:
        kind = self.array.type
        if not isinstance(kind, Array):
            raise self._refuse(f"needs an ARRAY, got {type_text(kind)}")
        if self.index.type != INT:
            raise self._refuse(f"needs an INT index, got {type_text(self.index.type)}")
        self._has_type(kind.element)


@dataclass(frozen=True, slots=True)
class RaiseError(Expr):
    """``raise_error(message)`` in the place of a value of type ``to``; raises in any mode."""

    message: str
    to: SqlType

    def __post_init__(self) -> None:
        self._has_type(self.to)


Raising = RaisingArith | RaisingCast | RaisingElement | RaiseError
WITH_MODE = (RaisingArith, RaisingCast, RaisingElement)
"""The nodes that raise in ANSI mode only."""


def raising_nodes(node: Node) -> Iterator[Raising]:
    """All nodes at and below ``node`` that may raise or, without ANSI mode, be NULL where they would raise."""
    for part in walk(node):
        if isinstance(part, (RaisingArith, RaisingCast, RaisingElement, RaiseError)):
            yield part


def may_raise(node: Node) -> bool:
    """Whether ``node`` has a part that may raise."""
    return any(isinstance(part, RaiseError) or part.ansi for part in raising_nodes(node))


def without_ansi(node: Node) -> Node:
    """``node`` as it is without ANSI mode; raises InvalidQuery for a part that isn't NULL then where it would raise."""

    def change(part: Node) -> Node:
        return replace(part, ansi=False) if isinstance(part, WITH_MODE) else part

    return transform(node, change)


def suits_mode(node: Node, *, ansi: bool) -> bool:
    """Whether all parts of ``node`` are written for this mode."""
    return all(isinstance(part, RaiseError) or part.ansi == ansi for part in raising_nodes(node))
