"""Conditions for filters that move: each is about a column, so that it isn't computed away before it gets anywhere."""

from __future__ import annotations

from functools import reduce

from hypothesis.strategies import DrawFn

from strategies.draw.draws import below, pick
from strategies.draw.exprs import Fields
from strategies.draw.values import literals, value_at
from strategies.ir import (
    COMPARE_OPS,
    INT,
    Coalesce,
    Col,
    Column,
    Compare,
    Database,
    Expr,
    InList,
    IsNull,
    Lit,
    Node,
    Or,
    Table,
    columns_of,
    referable,
    transform,
)
from strategies.shapes.conditions import plain_predicates

A, B = Col("a", INT), Col("b", INT)
PAIR = Database((Table("t0", (Column("a", INT), Column("b", INT))),))
"""A table of two columns, for near misses about which column a condition is on."""


def about(draw: DrawFn, fields: Fields, *, depth: int = 1) -> Expr:
    """A condition over ``fields`` that holds one of them at least, and compares none with NULL alone, so that it has
    to be evaluated; shrinks to ``column = 0``.
    """
    column = pick(draw, referable(fields)).column()
    comparison = Compare(pick(draw, COMPARE_OPS), column, draw(literals(column.type, allow_null=False)))
    # Drawn in any case, so that nothing else takes fewer choices than what it shall shrink to.
    form = draw(below(4))
    if form == 0:
        return comparison
    condition = transform(draw(plain_predicates(fields, depth=depth if form > 2 else 0)), _known)
    assert isinstance(condition, Expr)  # what replaces an expression is one
    return condition if columns_of(condition) else comparison


def _known(node: Node) -> Node:
    match node:
        case Compare(op=op, left=left, right=right) if op != "<=>":
            return Compare(op, _value(left), _value(right))
        case InList(operand=operand, items=items, negated=negated):
            return InList(operand, (_value(items[0]), *items[1:]), negated)
        case Coalesce(operands=operands):
            # What comes after a constant is computed away.
            return Coalesce(tuple(sorted(operands, key=lambda operand: isinstance(operand, Lit))))
    return node


def _value(operand: Expr) -> Expr:
    """``operand``, or the least value of its type instead of NULL."""
    if isinstance(operand, Lit) and operand.value is None:
        return Lit(operand.kind, value_at(operand.kind, 0))
    return operand


def or_null(condition: Expr, fields: Fields) -> Expr:
    """``condition``, or that one of ``fields`` is NULL: true of a row of NULL, so that no outer join is in vain."""
    return reduce(Or, (IsNull(field.column()) for field in fields), condition)
