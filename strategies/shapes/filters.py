"""Draw conditions for filters that move: each depends on a column, so that it isn't folded before it moves."""

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
"""A table of two columns, for near misses that depend on the column of a condition."""


def about(draw: DrawFn, fields: Fields, *, depth: int = 1) -> Expr:
    """A condition with at least one of ``fields``, without a comparison of a value with NULL alone or with itself, so
    that it isn't folded; shrinks to ``column = 0``.
    """
    column = pick(draw, referable(fields)).column()
    comparison = Compare(pick(draw, COMPARE_OPS), column, draw(literals(column.type, allow_null=False)))
    # Drawn in any case, so that no other form takes fewer choices than the form to shrink to.
    form = draw(below(4))
    if form == 0:
        return comparison
    condition = transform(draw(plain_predicates(fields, depth=depth if form > 2 else 0)), _known)
    assert isinstance(condition, Expr)  # an expression replaces an expression
    return condition if columns_of(condition) else comparison


def _known(node: Node) -> Node:
    match node:
        case Compare(op=op, left=left, right=right) if op != "<=>":
            return Compare(op, _value(left), _value(Lit(left.type, None) if left == right else right))
        case InList(operand=operand, items=items, negated=negated):
            return InList(operand, (_value(items[0]), *items[1:]), negated)
        case Coalesce(operands=operands):
            # Operands after a constant are folded away.
            return Coalesce(tuple(sorted(operands, key=lambda operand: isinstance(operand, Lit))))
    return node


def _value(operand: Expr) -> Expr:
    """``operand``, or the least value of its type instead of NULL."""
    if isinstance(operand, Lit) and operand.value is None:
        return Lit(operand.kind, value_at(operand.kind, 0))
    return operand


def or_null(condition: Expr, fields: Fields) -> Expr:
    """``condition OR`` one of ``fields`` is NULL: true for a row of NULLs, so that an outer join stays one."""
    return reduce(Or, (IsNull(field.column()) for field in fields), condition)
