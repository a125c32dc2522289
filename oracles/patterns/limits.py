"""Patterns of known divergences of a limit above a join."""

from __future__ import annotations

from collections.abc import Iterator

from strategies.ir import (
    Alias,
    AnyLimit,
    Between,
    Case,
    Compare,
    Distinct,
    Exists,
    Filter,
    Join,
    JoinKind,
    Limit,
    Node,
    Or,
    Project,
    Relation,
    ScalarSubquery,
    SetOp,
    Subquery,
    Window,
    children,
    columns_of,
    from_fields,
    resolve,
    subqueries_of,
    walk,
)


def limit_over_a_full_join(case: Case) -> bool:
    """A LIMIT without an order with a full join somewhere below it."""
    return _limit_over_a_join(case, ("full",))


def limit_over_a_left_or_right_join(case: Case) -> bool:
    """A LIMIT without an order with a left or right join somewhere below it."""
    return _limit_over_a_join(case, ("left", "right"))


def exists_over_a_full_join(case: Case) -> bool:
    """EXISTS over a query with a full join in it."""
    return _exists_over_a_join(case, ("full",))


def exists_over_a_left_or_right_join(case: Case) -> bool:
    """EXISTS over a query with a left or right join in it."""
    return _exists_over_a_join(case, ("left", "right"))


def _exists_over_a_join(case: Case, kinds: tuple[JoinKind, ...]) -> bool:
    return any(
        isinstance(below, Join) and below.kind in kinds
        for node in walk(case.query)
        if isinstance(node, Exists)
        for below in walk(node.query)
    )


def semi_join_on_a_choice_of_the_right(case: Case) -> bool:
    """A semi join on OR, NOT BETWEEN or a comparison of columns, about the right side alone, whose left side has a
    subquery, or OR above a join.
    """
    return any(
        isinstance(node, Join)
        and node.kind == "semi"
        and node.on is not None
        and any(map(_is_no_single_range, walk(node.on)))
        and not any(resolve(column, from_fields(node.left)) for column in columns_of(node.on))
        and any(isinstance(part, Subquery) or _is_a_choice_above_a_join(part) for part in walk(node.left))
        for node in walk(case.query)
    )


def _is_no_single_range(part: Node) -> bool:
    if isinstance(part, Compare):
        return bool(columns_of(part.left)) and bool(columns_of(part.right))
    return isinstance(part, Or) or (isinstance(part, Between) and part.negated)


def _is_a_choice_above_a_join(part: Node) -> bool:
    return (
        isinstance(part, Filter)
        and any(isinstance(each, Or) for each in walk(part.condition))
        and any(isinstance(each, Join) for each in walk(part.child))
    )


def _limit_over_a_join(case: Case, kinds: tuple[str, ...]) -> bool:
    return any(
        isinstance(node, AnyLimit) and any(isinstance(below, Join) and below.kind in kinds for below in walk(node))
        for node in walk(case.query)
    )


def limit_with_an_offset(case: Case) -> bool:
    """A LIMIT with an OFFSET."""
    return any(isinstance(node, (AnyLimit, Limit)) and node.offset > 0 for node in walk(case.query))


def top_rows_below_a_limit(case: Case) -> bool:
    """A LIMIT over a join over ORDER BY with LIMIT, with nothing in between that a limit stops at."""
    return any(
        isinstance(node, (AnyLimit, Limit))
        and any(isinstance(join, Join) and _reaches_top_rows(join) for join in _where_a_limit_goes(node.child))
        for node in walk(case.query)
    )


def _reaches_top_rows(join: Join) -> bool:
    return any(isinstance(below, Limit) for below in _where_a_limit_goes(join))


def _where_a_limit_goes(relation: Relation) -> Iterator[Relation]:
    """``relation``, and what is below it by way of relations that Spark pushes a limit through, or may remove."""
    yield relation
    sides: tuple[Relation, ...] = ()
    if isinstance(relation, (Join, SetOp)):
        sides = (relation.left, relation.right)
    elif isinstance(relation, (Alias, AnyLimit, Distinct, Project, Window)) or (
        isinstance(relation, Filter) and not columns_of(relation.condition)
    ):
        sides = (relation.child,)
    for side in sides:
        yield from _where_a_limit_goes(side)


def subquery_projected_over_top_rows(case: Case) -> bool:
    """A correlated scalar subquery among the values of a select list or a window right over ORDER BY with LIMIT."""
    return any(
        isinstance(node, (Project, Window))
        and _is_top_rows(node.child)
        and any(
            isinstance(part, ScalarSubquery) and part.outer
            for child in children(node)
            if child is not node.child
            for part in subqueries_of(child)
        )
        for node in walk(case.query)
    )


def _is_top_rows(relation: Relation) -> bool:
    return isinstance(relation, Limit) or (isinstance(relation, Alias) and _is_top_rows(relation.child))
