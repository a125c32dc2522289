"""Shape of V2ScanPartitioningAndOrdering: joins, groups and windows by the keys that tables are stored by."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.scopes import scope
from strategies.ir import (
    INT,
    And,
    Capability,
    Case,
    Column,
    Compare,
    Database,
    Expr,
    Join,
    JoinKind,
    Relation,
    Table,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.forms import over_fixed, over_tables
from strategies.shapes.groups import grouped
from strategies.shapes.sides import join_sides, scan
from strategies.shapes.v2 import Capabilities, always, v2_cases

RULE = "V2ScanPartitioningAndOrdering"

_LAYOUTS: tuple[Capabilities, ...] = (
    ("identity",),
    ("two keys",),
    ("ordering",),
    ("identity", "splits"),
    ("identity", "some tables"),
    ("identity", "splits", "ordering"),
    ("columns", "two keys"),
    ("columns", "filters", "identity", "ordering"),
)
_KINDS: tuple[JoinKind, ...] = ("inner", "left", "full", "semi", "anti", "right")
_PAIRS = Database((Table("t0", _PAIR := (Column("a", INT), Column("b", INT))), Table("t1", _PAIR)))


def _grouped(draw: DrawFn, schema: Database) -> Relation:
    table = scan(pick(draw, schema.tables))
    fields = scope(table.fields)[: pick(draw, (1, 1, 2))]
    return grouped(draw, table, [field.column() for field in fields])


def _joined(draw: DrawFn, schema: Database) -> Relation:
    """A join of two tables by their first columns, where these have the same types."""
    left, right = join_sides(draw, schema)
    fields, width = scope((*left.fields, *right.fields)), len(left.fields)
    pairs = [
        (one.column(), other.column())
        for one, other in zip(fields[:width], fields[width:], strict=False)
        if one.type == other.type
    ]
    if not pairs:
        return _grouped(draw, schema)
    conditions: list[Expr] = [Compare("=", one, other) for one, other in pairs[: pick(draw, (1, 1, 2))]]
    on = conditions[0] if len(conditions) == 1 else And(*conditions)
    return Join(left, right, pick(draw, _KINDS), on)


def _query(draw: DrawFn, schema: Database) -> Relation:
    query = pick(draw, (_grouped, _joined, _joined))(draw, schema)
    return query if isinstance(query, Join) else in_context(draw, schema, query)


def fires() -> SearchStrategy[Case]:
    """A join or groups over tables that are stored by keys, or in an order; shrinks to ``GROUP BY a``."""
    return v2_cases(over_tables(_query), lambda draw: pick(draw, _LAYOUTS), partitions=2)


_Pairs = Callable[[DrawFn], Relation]


def _pairs(draw: DrawFn) -> Relation:
    """A join of two tables of numbers by both columns, or by one."""
    return _joined(draw, _PAIRS)


def _stored(
    name: str, build: _Pairs, *layout: Capability, fires: bool = True, weight: int = 1, **others: object
) -> NearMiss:
    def cases() -> SearchStrategy[Case]:
        return v2_cases(over_fixed(_PAIRS, build), always(*layout), **{"partitions": 2, **others})

    return NearMiss(name, cases, fires=fires, weight=weight)


NEAR_MISSES = (
    _stored("nothing_reported", _pairs, "columns", "filters", fires=False, table_partitions=2, weight=2),
    _stored("two_keys", _pairs, "two keys", "splits", weight=2),
    _stored("in_order", _pairs, "ordering", partitions=1, weight=3),
    _stored("keys_in_order", _pairs, "identity", "ordering"),
    _stored("several_splits", _pairs, "identity", "splits", "ordering", weight=2),
)
