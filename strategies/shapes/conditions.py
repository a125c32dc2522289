"""Draw conditions and expressions without BETWEEN and NULLIF, for shapes that need a Filter right over its input.

Spark reads BETWEEN and NULLIF of a computed value as an expression with a common part, and moves that part into
projections below and above before the optimizer's first batch: a Filter is then no longer right over a table, and an
Aggregate's keys are columns of a projection. count_if and divisions become NULLIF, too.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis.strategies import SearchStrategy

from strategies.draw.aggregates import aggregates
from strategies.draw.exactness import FieldBits
from strategies.draw.exprs import Fields, expressions, predicates
from strategies.ir import (
    Agg,
    And,
    Between,
    Call,
    CaseWhen,
    Cast,
    Compare,
    Expr,
    Lit,
    Node,
    Not,
    NullIf,
    SqlType,
    When,
    transform,
)

_DIVISIONS = ("divide", "int_divide", "modulo", "double_modulo", "decimal_modulo")


def plain_predicates(fields: Fields, *, depth: int = 2) -> SearchStrategy[Expr]:
    """As :func:`strategies.draw.exprs.predicates`, without BETWEEN, NULLIF and divisions."""
    return predicates(fields, depth=depth).map(_spelled_out)


def plain_expressions(fields: Fields, kind: SqlType, *, depth: int = 2) -> SearchStrategy[Expr]:
    """As :func:`strategies.draw.exprs.expressions`, without BETWEEN, NULLIF and divisions."""
    return expressions(fields, kind, depth=depth).map(_spelled_out)


def plain_aggregates(fields: Fields, *, bits: FieldBits) -> SearchStrategy[Agg]:
    """As :func:`strategies.draw.aggregates.aggregates`, without BETWEEN, NULLIF, divisions and count_if."""
    return aggregates(fields, bits=bits).map(_function_spelled_out)


def _spelled_out(expression: Expr) -> Expr:
    result = transform(expression, _spell_out)
    assert isinstance(result, Expr)  # an expression replaces an expression
    return result


def _function_spelled_out(function: Agg) -> Agg:
    result = transform(function, _spell_out)
    assert isinstance(result, Agg)  # only nodes below it are replaced
    return result


def _spell_out(node: Node) -> Node:
    match node:
        case Between(operand=operand, low=low, high=high, negated=negated):
            within = And(Compare(">=", operand, low), Compare("<=", operand, high))
            return Not(within) if negated else within
        case NullIf(left=left, right=right):
            return CaseWhen((When(Compare("=", left, right), Lit(left.type, None)),), left)
        case Call(function=function, arguments=(dividend, _)) if function in _DIVISIONS:
            return dividend if dividend.type == node.type else Cast(dividend, node.type)
        case Agg(function="count_if"):
            return replace(node, function="count")
    return node
