"""Which filters stand over what in a query, for what the shapes of predicate pushdown hold and reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from strategies.ir import Aggregate, And, Expr, Filter, Join, Node, Relation, columns_of, from_fields, resolve, walk
from strategies.shapes.push_predicate_through_join import Move, Side


def filter_over(
    *kinds: type[Relation], where: Callable[[Node], bool] = lambda node: True
) -> Callable[[Relation], bool]:
    """Whether a query holds a filter right over a node of one of these kinds for which ``where`` holds."""
    return lambda query: any(
        isinstance(node, Filter) and isinstance(node.child, kinds) and where(node.child) for node in walk(query)
    )


def having(query: Relation) -> bool:
    """Whether a query holds a HAVING."""
    return any(isinstance(node, Aggregate) and node.having is not None for node in walk(query))


def conditions(query: Relation) -> Iterator[Move]:
    """Each condition above a join, and in one's ON: the kind of join, the place, and the side that it is about."""
    for node in walk(query):
        if isinstance(node, Filter) and isinstance(node.child, Join):
            for part in _parts(node.condition):
                yield node.child.kind, "where", _side(part, node.child)
        if isinstance(node, Join) and node.on is not None:
            for part in _parts(node.on):
                yield node.kind, "on", _side(part, node)


def _parts(condition: Expr) -> list[Expr]:
    if isinstance(condition, And):
        return [*_parts(condition.left), *_parts(condition.right)]
    return [condition]


def _side(condition: Expr, join: Join) -> Side:
    columns = columns_of(condition)
    if all(resolve(column, from_fields(join.left)) for column in columns):
        return "left"
    return "right" if all(resolve(column, from_fields(join.right)) for column in columns) else "both"
