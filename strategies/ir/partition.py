"""Ternary partitioning: compute a query in three parts, for rows where a predicate is true, false or NULL.

The parts together have to equal the query; an aggregate, DISTINCT or set operator needs one more step. This needs no
second engine: Spark is compared with itself. (Rigger and Su, "Finding Bugs in Database Systems via Query Partitioning",
OOPSLA 2020.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from strategies.ir.aggregates import Agg
from strategies.ir.bags import AnyLimit, Distinct, SetOp
from strategies.ir.expressions import And, Col, Expr, IsNull, Not
from strategies.ir.grouping import Aggregate
from strategies.ir.references import columns_of
from strategies.ir.relations import Field, Filter, Item, Project, Relation, from_fields, referable, resolve
from strategies.ir.types import BIGINT, INTEGERS, InvalidQuery

_MERGED = {"count": "sum", "sum": "sum", "min": "min", "max": "max", "every": "every", "some": "some"}
"""The function that combines the partial results of an aggregate function."""


def columns_to_partition_by(query: Relation) -> tuple[Field, ...]:
    """The columns over which ``query`` can be partitioned, ambiguous ones included; none if it can't be."""
    if isinstance(query, AnyLimit) or query.is_statement:
        return ()
    if _by_parts(query):
        assert isinstance(query, (Aggregate, Distinct))
        return _scope(query.child)
    if isinstance(query, SetOp) and _by_sides(query):
        return tuple(Field(field.name, field.type) for field in query.left.fields)
    return _scope(query)


def can_be_partitioned(query: Relation, predicate: Expr) -> bool:
    """Whether ``query`` can be partitioned, and ``predicate`` is about columns to partition it by, of their types."""
    known = columns_to_partition_by(query)
    columns = columns_of(predicate)
    return bool(known) and all([field.type for field in resolve(each, known)] == [each.type] for each in columns)


def partitioned(query: Relation, predicate: Expr) -> Relation:
    """A query with the same rows as ``query``, put together from three parts.

    Raises InvalidQuery if ``query`` can't be partitioned, or if ``predicate`` has other columns than those to partition
    it by.
    """
    if not can_be_partitioned(query, predicate):
        raise InvalidQuery(f"{type(query).__name__} can't be partitioned by {predicate!r}")
    if isinstance(query, Aggregate) and _by_parts(query):
        return _merged(query, predicate)
    if isinstance(query, Distinct):
        return Distinct(_together(_filtered(query.child, predicate, Distinct)))
    if isinstance(query, SetOp) and _by_sides(query):
        return _of_sides(query, predicate)
    return _together(_filtered(query, predicate, _same))


def _scope(relation: Relation) -> tuple[Field, ...]:
    """The fields that a condition on the rows of ``relation`` may refer to, as ``_where`` adds it."""
    return relation.fields if isinstance(relation, Filter) else from_fields(relation)


def _where(relation: Relation, part: Expr) -> Filter:
    """The rows of ``relation`` for which ``part`` is true. The condition joins that of a filter, so that the qualifiers
    of a join's sides stay visible above.
    """
    if isinstance(relation, Filter):
        return replace(relation, condition=And(relation.condition, part))
    return Filter(relation, part)


def _same(part: Relation) -> Relation:
    return part


def _parts(predicate: Expr) -> tuple[Expr, Expr, Expr]:
    return predicate, Not(predicate), IsNull(predicate)


def _filtered(child: Relation, predicate: Expr, wrap: Callable[[Relation], Relation]) -> list[Relation]:
    return [wrap(_where(child, part)) for part in _parts(predicate)]


def _together(parts: list[Relation]) -> Relation:
    return reduce(lambda one, two: SetOp("union", one, two, all=True), parts)


def _by_parts(query: Relation) -> bool:
    """Whether ``query`` can be computed from the answers over three parts of its input."""
    if isinstance(query, Distinct):
        return True
    if not isinstance(query, Aggregate) or query.having is not None or query.child.up_to_engine:
        return False
    return all(map(_mergeable, query.aggregates))


def _mergeable(item: Item) -> bool:
    """Whether another aggregate over partial results gives the whole result, of the same type."""
    result = item.value
    if not isinstance(result, Agg) or result.function not in _MERGED or result.distinct:
        return False
    return result.function != "sum" or (result.operand is not None and result.operand.type in INTEGERS)


def _merged(query: Aggregate, predicate: Expr) -> Aggregate:
    partial = [Aggregate(_where(query.child, part), query.keys, query.aggregates) for part in _parts(predicate)]
    child = _together(list(partial))
    keys = tuple(Item(key.name, Col(key.name, key.value.type)) for key in query.keys)
    results = tuple(Item(item.name, _again(item)) for item in query.aggregates)
    return Aggregate(child, keys, results)


def _again(item: Item) -> Agg:
    assert isinstance(item.value, Agg)  # the constructor of Aggregate checks it
    function = _MERGED[item.value.function]
    kind = BIGINT if item.value.function in ("count", "sum") else item.value.type
    return Agg(function, Col(item.name, kind))  # type: ignore[arg-type]  # a value of the table above


def _by_sides(query: SetOp) -> bool:
    """Whether one predicate applies to both sides: their columns have the same types, and distinct names.

    A UNION ALL needs no such step, and is partitioned as a whole.
    """
    left, right = query.left.fields, query.right.fields
    names = [field.name for field in left]
    return (
        (query.kind, query.all) != ("union", True)
        and [field.type for field in left] == [field.type for field in right]
        and len(set(names)) == len(names)
        and all(len(referable(side)) == len(side) for side in (left, right))
    )


def _of_sides(query: SetOp, predicate: Expr) -> Relation:
    names = [field.name for field in query.left.fields]
    sides = [
        Project(side, tuple(Item(name, field.column()) for name, field in zip(names, side.fields, strict=True)))
        for side in (query.left, query.right)
    ]
    parts = [replace(query, left=Filter(sides[0], part), right=Filter(sides[1], part)) for part in _parts(predicate)]
    return _together(list(parts))
