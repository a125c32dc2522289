"""Forms that a node of a query can have, as tests of what is drawn ask for them."""

from __future__ import annotations

from itertools import combinations

from strategies.draw.scopes import scope
from strategies.ir import (
    Agg,
    Aggregate,
    Col,
    Filter,
    Generate,
    Join,
    Node,
    Or,
    Project,
    Relation,
    SetOp,
    children,
    columns_of,
    from_fields,
    resolve,
    scans,
    walk,
)


def reuses_a_name(node: Node) -> bool:
    """``a + 1 AS a``: a new column is called like one of its inputs and is another one."""
    return isinstance(node, Project) and any(
        item.name in {column.name for column in walk(item.value) if isinstance(column, Col)}
        and not isinstance(item.value, Col)
        for item in node.items
    )


def swaps_names(node: Node) -> bool:
    """``b AS a, a AS b``."""
    if not isinstance(node, Project):
        return False
    moves = {(item.value.name, item.name) for item in node.items if isinstance(item.value, Col)}
    return any(old != new and (new, old) in moves for old, new in moves)


def has_names_twice(node: Node) -> bool:
    """A join whose output has a name twice."""
    return isinstance(node, Join | Generate) and len({field.name for field in node.fields}) < len(node.fields)


def lists_a_column_twice(node: Node) -> bool:
    """``SELECT b, b``."""
    return isinstance(node, Project) and len(set(node.items)) < len(node.items)


def reads_a_table_twice(node: Node) -> bool:
    """A join or set operator whose two sides share a table."""
    return isinstance(node, Join | SetOp) and bool(set(scans(node.left)) & set(scans(node.right)))


def filters_of_one(node: Node, kind: str) -> bool:
    """``Filter(X) kind Filter(X)``."""
    return (
        isinstance(node, SetOp)
        and node.kind == kind
        and isinstance(node.left, Filter)
        and isinstance(node.right, Filter)
        and node.left.child == node.right.child
        and node.left != node.right
    )


def against_its_filter(node: Node) -> bool:
    """``X EXCEPT Filter(X)``."""
    return isinstance(node, SetOp) and isinstance(node.right, Filter) and node.right.child == node.left


def names_elsewhere(node: Node) -> bool:
    """A set operator whose sides have two columns of one type under each other's names."""
    if not isinstance(node, SetOp):
        return False
    left, right = ([(field.name, field.type) for field in side.fields] for side in (node.left, node.right))
    return any(
        one[0] != two[0] and (one[0], two[1]) == right[j] and (two[0], one[1]) == right[i]
        for (i, one), (j, two) in combinations(enumerate(left), 2)
    )


def functions_of(node: Aggregate) -> list[Agg]:
    """The aggregate functions that are results by themselves."""
    return [item.value for item in node.aggregates if isinstance(item.value, Agg)]


def about_each_side(node: Node) -> bool:
    """A filter above a join, of an OR whose operands are each about one side, not the same."""
    if not (isinstance(node, Filter) and isinstance(node.condition, Or) and isinstance(node.child, Join)):
        return False
    fields = scope(from_fields(node.child))
    left = len(from_fields(node.child.left))
    sides = [
        {fields.index(found) < left for column in columns_of(part) for found in resolve(column, fields)}
        for part in (node.condition.left, node.condition.right)
    ]
    return sides in ([{True}, {False}], [{False}, {True}])


def has_parts(node: Node, kind: type[Relation]) -> bool:
    """Whether a child is of ``kind``."""
    return any(isinstance(child, kind) for child in children(node))
