"""Filters over operators that they can pass, at least with a part of their condition.

Right over a table a projection is no obstacle: Spark's file scan finds the filter below it by itself. So projections
stand over something else.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import kinds
from strategies.draw.scopes import new_names, scope
from strategies.draw.values import draw_literal
from strategies.ir import (
    ARITH_OPS,
    BIGINT,
    INTEGERS,
    Agg,
    Aggregate,
    And,
    Col,
    Compare,
    Database,
    Distinct,
    Expr,
    Filter,
    Item,
    Lit,
    Project,
    Relation,
    SetOp,
    TryArith,
    from_fields,
)
from strategies.shapes.conditions import plain_expressions
from strategies.shapes.filters import about
from strategies.shapes.operators import exploded, pivoted, windowed
from strategies.shapes.sides import scan, side, sides


def over_operator(draw: DrawFn, schema: Database) -> Relation:
    """A filter over an operator that it can pass, at least with a part of its condition."""
    return pick(draw, _OPERATORS)(draw, schema)


def _distinct(draw: DrawFn, schema: Database) -> Relation:
    return where(draw, Distinct(scan(schema.tables[0])))


def where(draw: DrawFn, relation: Relation) -> Relation:
    """``relation`` under a condition on any of its columns."""
    return Filter(relation, about(draw, scope(from_fields(relation))))


def _grouped(draw: DrawFn, schema: Database) -> Relation:
    """A condition on the keys, now and then with one on the count beside it; as HAVING or as WHERE."""
    base = scan(schema.tables[0])
    fields = scope(base.fields)
    keys = [Item(field.name, field.column()) for field in fields[: 1 + pick(draw, range(min(2, len(fields))))]]
    if one_in(draw, 4):
        keys.append(Item("made", draw(plain_expressions(fields, pick(draw, kinds(fields)), depth=1))))
    grouped = Aggregate(base, tuple(keys), (Item("n", Agg("count")),))
    condition = about(draw, scope(grouped.fields[: len(keys)]))
    if one_in(draw, 3):
        condition = And(condition, on_count(draw))
    if one_in(draw, 2):
        return Aggregate(base, grouped.keys, grouped.aggregates, condition)
    return Filter(grouped, condition)


def on_count(draw: DrawFn) -> Expr:
    """A condition on a count called ``n``."""
    return Compare(pick(draw, (">", "<", "=", "<>")), Col("n", BIGINT), Lit(BIGINT, pick(draw, (1, 2))))


def _union(draw: DrawFn, schema: Database) -> Relation:
    return where(draw, SetOp("union", *sides(draw, schema), all=not one_in(draw, 4)))


def _intersection(draw: DrawFn, schema: Database) -> Relation:
    return where(draw, SetOp(pick(draw, ("intersect", "except")), *sides(draw, schema)))


def _projected(draw: DrawFn, schema: Database) -> Relation:
    """Columns renamed or added up, over a DISTINCT; the names may be those of others of its columns.

    (A projection of a limit or a union goes below that before the filter gets to it.)
    """
    table = schema.tables[0]
    base = Distinct(side(draw, table, len(table.columns)))
    fields = scope(base.fields)
    values = [_cheap(draw, field.column()) for field in fields]
    names = new_names(draw, fields, len(values))
    return where(draw, Project(base, tuple(Item(name, value) for name, value in zip(names, values, strict=True))))


def _cheap(draw: DrawFn, column: Col) -> Expr:
    """An expression so cheap that Spark computes it twice, once for the filter below."""
    if column.type in INTEGERS and one_in(draw, 3):
        return TryArith(pick(draw, ARITH_OPS), column, draw_literal(draw, column.type))
    return column


def _windowed(draw: DrawFn, schema: Database) -> Relation:
    """A condition on the partition, now and then with one on the count beside it."""
    window, keys = windowed(draw, scan(schema.tables[0]))
    condition = about(draw, keys)
    return Filter(window, And(condition, on_count(draw)) if one_in(draw, 3) else condition)


def _exploded(draw: DrawFn, schema: Database) -> Relation:
    """A condition on the table's own columns."""
    generated, keys = exploded(draw, scan(schema.tables[0]))
    return Filter(generated, about(draw, keys))


def _pivoted(draw: DrawFn, schema: Database) -> Relation:
    """A condition on the key."""
    pivot, keys = pivoted(draw, scan(schema.tables[0]))
    return Filter(pivot, about(draw, keys))


_OPERATORS: tuple[Callable[[DrawFn, Database], Relation], ...] = (
    *[_distinct] * 2,
    *[_grouped] * 4,
    *[_union] * 3,
    _intersection,
    *[_projected] * 2,
    *[_windowed] * 2,
    *[_exploded] * 2,
    _pivoted,
)
