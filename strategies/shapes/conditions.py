"""Conditions that leave a Filter a Filter.

Spark reads BETWEEN and NULLIF of a computed value as an expression with a common part, and takes that part out into
projections below and above before the optimizer's first batch: a Filter over a table is then no longer one, and an
Aggregate's keys are columns of a projection.
"""

from __future__ import annotations

from hypothesis.strategies import SearchStrategy

from strategies.aggregates import aggregates
from strategies.exactness import FieldBits
from strategies.exprs import Fields, expressions, predicates
from strategies.ir import (
    Agg,
    And,
    Between,
    CaseWhen,
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


def plain_predicates(fields: Fields, *, depth: int = 2) -> SearchStrategy[Expr]:
    """As :func:`strategies.exprs.predicates`, without BETWEEN and NULLIF."""
    return predicates(fields, depth=depth).map(_spelled_out)


def plain_expressions(fields: Fields, kind: SqlType, *, depth: int = 2) -> SearchStrategy[Expr]:
    """As :func:`strategies.exprs.expressions`, without BETWEEN and NULLIF."""
    return expressions(fields, kind, depth=depth).map(_spelled_out)


def plain_aggregates(fields: Fields, *, bits: FieldBits) -> SearchStrategy[Agg]:
    """As :func:`strategies.aggregates.aggregates`, without BETWEEN and NULLIF."""
    return aggregates(fields, bits=bits).map(_function_spelled_out)


def _spelled_out(expression: Expr) -> Expr:
    result = transform(expression, _spell_out)
    assert isinstance(result, Expr)  # what replaces an expression is one
    return result


def _function_spelled_out(function: Agg) -> Agg:
    result = transform(function, _spell_out)
    assert isinstance(result, Agg)  # only what is below it is replaced
    return result


def _spell_out(node: Node) -> Node:
    match node:
        case Between(operand=operand, low=low, high=high, negated=negated):
            within = And(Compare(">=", operand, low), Compare("<=", operand, high))
            return Not(within) if negated else within
        case NullIf(left=left, right=right):
            return CaseWhen((When(Compare("=", left, right), Lit(left.type, None)),), left)
    return node
