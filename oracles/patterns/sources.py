"""Patterns of known divergences about the conditions that Spark gives to a data source."""

from __future__ import annotations

from strategies.ir import (
    INTEGERS,
    And,
    Call,
    Case,
    Cast,
    Coalesce,
    Col,
    Compare,
    Expr,
    InList,
    IsNull,
    Item,
    Lit,
    Node,
    Not,
    Or,
    integer_range,
    walk,
)


def orc_in_list_with_null(case: Case) -> bool:
    """An IN list with a NULL over tables read from ORC."""
    return case.settings.source == "orc" and any(
        isinstance(node, InList) and any(isinstance(item, Lit) and item.value is None for item in node.items)
        for node in walk(case.query)
    )


def null_for_a_source(case: Case) -> bool:
    """A NULL below AND or OR that is an operand, not a condition, over a data source of the second kind.

    An operand of coalesce(), a comparison, a test for NULL, a list or another function, or a projected value, which
    Spark moves into such an operand above it. Where AND and OR are conditions, Spark's rules make FALSE of their NULL.
    """
    return case.settings.source == "v2" and any(
        _leaves_unknown(part)
        for node in walk(case.query)
        if isinstance(node, (Coalesce, Compare, IsNull, InList, Call, Item))
        for part in walk(node)
    )


def _leaves_unknown(part: Node) -> bool:
    """Whether ``part`` is AND or OR over a literal NULL, or becomes that.

    BooleanSimplification makes NULL of a condition beside its negation, and UnwrapCastInBinaryComparison of a number at
    the bounds of the type of the integer that it is compared with, or beyond.
    """
    if isinstance(part, Compare):
        return _is_at_bounds(part.left, part.right) or _is_at_bounds(part.right, part.left)
    if not isinstance(part, (And, Or)):
        return False
    opposite = part.left == Not(part.right) or part.right == Not(part.left)
    return opposite or any(isinstance(below, Lit) and below.value is None for below in walk(part))


def _is_at_bounds(one: Expr, other: Expr) -> bool:
    if not (isinstance(one, Cast) and one.operand.type in INTEGERS and isinstance(other, Lit)):
        return False
    low, high = integer_range(one.operand.type)
    return isinstance(other.value, int) and not low < other.value < high


def orc_comparison_with_null(case: Case) -> bool:
    """A comparison with NULL, or with an expression of constants and a NULL, over tables read from ORC."""
    return case.settings.source == "orc" and any(
        isinstance(node, Compare) and any(map(_is_of_null, (node.left, node.right))) for node in walk(case.query)
    )


def _is_of_null(side: Expr) -> bool:
    parts = list(walk(side))
    return any(isinstance(part, Lit) and part.value is None for part in parts) and not any(
        isinstance(part, Col) for part in parts
    )
