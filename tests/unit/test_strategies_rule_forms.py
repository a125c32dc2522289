"""Forms that some rule waits for, and that draws which know nothing of each other would hardly ever make."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from strategies.ir import (
    Agg,
    Aggregate,
    And,
    AnyLimit,
    Call,
    Col,
    Compare,
    Expr,
    IsNull,
    Join,
    Node,
    Or,
    Ranking,
    Window,
    columns_of,
)
from tests.unit.campaign_queries import many_nodes

pytestmark = pytest.mark.slow  # 5,000 draws take a minute or two

FIRST_PLACES = ("rank", "dense_rank", "row_number")
CASES = ("upper", "lower")


@pytest.fixture(scope="module")
def nodes() -> tuple[Node, ...]:
    """All nodes of the queries of a campaign's day."""
    return many_nodes()


def are_apart(first: Window, second: Node) -> bool:
    """Whether ``second`` is a window over ``first`` that reads none of its columns, all keys of both being columns."""
    if not isinstance(second, Window) or second.child != first:
        return False
    names = {over.name for over in first.columns}
    keys = [*first.partition, *second.partition, *(key.value for key in (*first.order, *second.order))]
    read = {column.name for over in second.columns for column in columns_of(over)}
    return not names & read and all(isinstance(key, Col) for key in keys)


def can_collapse(node: Node) -> bool:
    """CollapseWindow: two windows of one partition and order."""
    if not isinstance(node, Window) or not isinstance(node.child, Window):
        return False
    alike = (node.partition, node.order) == (node.child.partition, node.child.order)
    return alike and are_apart(node.child, node)


def can_be_transposed(node: Node) -> bool:
    """TransposeWindow: the upper window has a part of the lower one's keys."""
    if not isinstance(node, Window) or not isinstance(node.child, Window):
        return False
    return set(node.partition) < set(node.child.partition) and are_apart(node.child, node)


def numbers_what_a_limit_takes(node: Node) -> bool:
    """LimitPushDownThroughWindow."""
    if not isinstance(node, AnyLimit) or not isinstance(node.child, Window) or node.child.partition:
        return False
    functions = [over.function for over in node.child.columns]
    return all(isinstance(function, Ranking) and function.function in FIRST_PLACES for function in functions)


def sums_counts(node: Node) -> bool:
    """CollapseGroupedSumOfCount, through V2ScanRelationPushDown: a sum of what a group's ``count(*)`` was called."""
    if not isinstance(node, Aggregate) or not isinstance(node.child, Aggregate) or not node.child.keys:
        return False
    counts = {item.name for item in node.child.aggregates if item.value == Agg("count")}
    sums = [item.value for item in node.aggregates if isinstance(item.value, Agg) and item.value.function == "sum"]
    return any(isinstance(found.operand, Col) and found.operand.name in counts for found in sums)


def is_null_safe_by_hand(on: Expr | None) -> bool:
    """OptimizeJoinCondition: ``l = r OR (l IS NULL AND r IS NULL)``."""
    match on:
        case Or(left=Compare(op="=", left=one, right=two), right=And(left=IsNull(), right=IsNull()) as both):
            return both == And(IsNull(one), IsNull(two))
    return False


def says_more_of_a_side(on: Expr | None) -> bool:
    """PushExtraPredicateThroughJoin: both parts of an OR hold a condition of their own for one side."""
    return isinstance(on, Or) and isinstance(on.left, And) and isinstance(on.right, And)


@pytest.mark.parametrize(
    "holds",
    [
        can_collapse,
        can_be_transposed,
        numbers_what_a_limit_takes,
        sums_counts,
        lambda node: isinstance(node, Join) and is_null_safe_by_hand(node.on),
        lambda node: isinstance(node, Join) and says_more_of_a_side(node.on),
        lambda node: (
            isinstance(node, Call)
            and node.function in CASES
            and isinstance(node.arguments[0], Call)
            and node.arguments[0].function in CASES
        ),
    ],
    ids=[
        "CollapseWindow",
        "TransposeWindow",
        "LimitPushDownThroughWindow",
        "CollapseGroupedSumOfCount",
        "OptimizeJoinCondition",
        "PushExtraPredicateThroughJoin",
        "SimplifyCaseConversionExpressions",
    ],
)
def test_queries_reach_what_the_rule_waits_for(holds: Callable[[Node], bool], nodes: tuple[Node, ...]) -> None:
    assert sum(map(holds, nodes)) >= 3
