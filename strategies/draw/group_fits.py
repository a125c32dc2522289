"""Tell whether a group of Spark's configuration may do something for a query, by the operators that the query has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from strategies.ir import (
    Agg,
    Aggregate,
    Alias,
    Call,
    Col,
    Column,
    Compare,
    Deduplicate,
    Exists,
    Filter,
    HigherOrder,
    InSubquery,
    Join,
    Node,
    Project,
    Relation,
    ScalarSubquery,
    Scan,
    SetOp,
    columns_of,
    outers_of,
    partition_column,
    scans,
    walk,
)

Fits = Callable[[Relation], bool]


def any_query(query: Relation) -> bool:
    """True for each query."""
    return True


def having(*kinds: type[Relation]) -> Fits:
    """The test whether a query has operators of all ``kinds``, each as often as it is named."""
    return lambda query: Counter(kinds) <= Counter(type(node) for node in walk(query))


def having_any(*kinds: type[Node]) -> Fits:
    """The test whether a query has an operator, or an expression, of one of ``kinds``."""
    return lambda query: any(isinstance(node, kinds) for node in walk(query))


def multiplies_rows(query: Relation) -> bool:
    """Whether Spark multiplies rows for two DISTINCT aggregates, with none beside them that isn't DISTINCT."""
    return any(isinstance(node, Aggregate) and _distinct_alone(node) for node in walk(query))


def joins_a_union(query: Relation) -> bool:
    """Whether a UNION ALL is the left side of an inner or left join, or is below its filters and projections."""
    return any(
        isinstance(node, Join) and node.kind in ("inner", "left") and _is_union_all(_below(node.left))
        for node in walk(query)
    )


def joins_a_filter(query: Relation) -> bool:
    """Whether a filter is below a join with a condition."""
    return any(
        isinstance(node, Join)
        and node.on is not None
        and any(isinstance(part, Filter) for side in (node.left, node.right) for part in walk(side))
        for node in walk(query)
    )


def joins_three_inputs(query: Relation) -> bool:
    """Whether an inner join with a condition is an input of another one."""
    return any(
        _is_inner(node) and any(_is_inner(_below(side)) for side in (node.left, node.right))
        for node in walk(query)
        if isinstance(node, Join)
    )


def correlates_in_filters(query: Relation) -> bool:
    """Whether there are correlated subqueries, each with its outer columns in filters that only projections of its own
    columns are above.
    """
    correlated = [node for node in walk(query) if isinstance(node, (Exists, InSubquery, ScalarSubquery)) and node.outer]
    return bool(correlated) and all(_is_pulled_up(node.query) for node in correlated)


_WITH_STATE = ("regexp_replace", "regexp_extract", "translate")


def keeps_state(query: Relation) -> bool:
    """Whether a function of the query keeps something from one row to the next: a lambda's variable, a pattern."""
    return any(
        isinstance(node, HigherOrder) or (isinstance(node, Call) and node.function in _WITH_STATE)
        for node in walk(query)
    )


def reads_folders_alone(query: Relation) -> bool:
    """Whether values of the column that a table is partitioned by are all that a grouping asks of it, each once."""
    return any(isinstance(node, (Aggregate, Deduplicate)) and _of_folders(node) for node in walk(query))


def joins_by_folders(query: Relation) -> bool:
    """Whether a join compares the column that a table is partitioned by with one of an input that has a filter."""
    return any(
        isinstance(node, Join)
        and node.on is not None
        and any(
            isinstance(part, Compare) and part.op == "=" and _reaches_folders(part, whole, other)
            for part in walk(node.on)
            for whole, other in ((node.left, node.right), (node.right, node.left))
        )
        for node in walk(query)
    )


def _reaches_folders(equality: Compare, whole: Relation, other: Relation) -> bool:
    names = {name for scan in scans(whole) for name in _folder(scan.columns)}
    keys = [side for side in (equality.left, equality.right) if isinstance(side, Col)]
    return any(key.name in names for key in keys) and any(isinstance(node, Filter) for node in walk(other))


def _of_folders(grouped: Aggregate | Deduplicate) -> bool:
    items = () if isinstance(grouped, Deduplicate) else (*grouped.keys, *grouped.aggregates)
    found = [node for item in items for node in walk(item) if isinstance(node, Agg)]
    if not all(each.distinct or each.function in ("max", "min") for each in found):
        return False
    read, below = _names(*items), grouped.child
    while isinstance(below, (Alias, Filter, Project)):
        if isinstance(below, Project):
            read = _names(*below.items)
        elif isinstance(below, Filter):
            read |= _names(below.condition)
        below = below.child
    return isinstance(below, Scan) and bool(read) and read <= _folder(below.columns)


def _names(*expressions: Node) -> set[str]:
    return {column.name for each in expressions for column in columns_of(each)}


def _folder(columns: tuple[Column, ...]) -> set[str]:
    place = partition_column(columns)
    return set() if place is None else {columns[place].name}


def _is_pulled_up(relation: Relation) -> bool:
    if not any(outers_of(relation)):
        return True
    match relation:
        case Filter(child=child) | Alias(child=child):
            return _is_pulled_up(child)
        case Project(child=child, items=items):
            return not any(any(outers_of(item)) for item in items) and _is_pulled_up(child)
    return False


def _distinct_alone(grouped: Aggregate) -> bool:
    found = [node for item in grouped.aggregates for node in walk(item) if isinstance(node, Agg)]
    return all(each.distinct for each in found) and len({each.operand for each in found}) > 1


def _is_union_all(relation: Relation) -> bool:
    return isinstance(relation, SetOp) and relation.kind == "union" and relation.all


def _is_inner(relation: Relation) -> bool:
    return isinstance(relation, Join) and relation.kind == "inner" and relation.on is not None


def _below(relation: Relation) -> Relation:
    """The first operator in ``relation`` that is neither a projection nor a filter."""
    while isinstance(relation, (Alias, Filter, Project)):
        relation = relation.child
    return relation
