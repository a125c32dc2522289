"""Shape of V2ScanRelationPushDown: operators right over tables of a data source that accepts some of them."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.capabilities import draw_capabilities
from strategies.draw.draws import one_in, pick
from strategies.draw.operands import columns
from strategies.draw.scopes import fresh_alias, scope
from strategies.ir import (
    BOOLEAN,
    COMPARE_OPS,
    Alias,
    And,
    AnyLimit,
    Capability,
    Case,
    Compare,
    CompareOp,
    Database,
    Expr,
    Filter,
    InList,
    IsNull,
    Join,
    JoinKind,
    Limit,
    Or,
    Relation,
    SortKey,
    from_fields,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import apart, in_context, joined_in_context, number_of_rows
from strategies.shapes.forms import file_cases, over_tables
from strategies.shapes.groups import grouped
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import scan
from strategies.shapes.v2 import always, v2_cases

RULE = "V2ScanRelationPushDown"


def _condition(draw: DrawFn, relation: Relation) -> Expr:
    """A condition that a source may evaluate."""
    column = pick(draw, columns(scope(relation.fields)))
    compared = Compare(pick(draw, COMPARE_OPS), column, known_literal(draw, column.type))
    if column.type == BOOLEAN:
        return compared
    values = (known_literal(draw, column.type), known_literal(draw, column.type))
    return pick(
        draw,
        (compared, compared, InList(column, values), IsNull(column, draw(st.booleans())), Or(compared, IsNull(column))),
    )


def _filtered(draw: DrawFn, table: Relation) -> Relation:
    return Filter(table, _condition(draw, table))


def _counted(draw: DrawFn, table: Relation) -> Relation:
    return grouped(draw, table, pick(draw, ((), (pick(draw, scope(table.fields)).column(),))))


def _first_rows(draw: DrawFn, table: Relation) -> Relation:
    return number_of_rows(AnyLimit(table, pick(draw, (1, 2, 3, 5)), pick(draw, (0, 0, 1))))


def _first_in_order(draw: DrawFn, table: Relation) -> Relation:
    order = tuple(SortKey(field.column(), draw(st.booleans())) for field in scope(table.fields))
    return Limit(table, order, pick(draw, (1, 2, 3)), pick(draw, (0, 0, 1)))


def _filtered_and_counted(draw: DrawFn, table: Relation) -> Relation:
    return _counted(draw, _filtered(draw, table))


_OVER: tuple[Callable[[DrawFn, Relation], Relation], ...] = (
    _filtered,
    _counted,
    _first_rows,
    _filtered_and_counted,
    _first_in_order,
)


_KINDS: tuple[JoinKind, ...] = ("inner", "left", "right", "inner", "left", "right", "full")
_MEETS: tuple[CompareOp, ...] = ("=", "=", "<=>", "=", "<")


def _join(draw: DrawFn, schema: Database) -> Join:
    """A join that a source may evaluate, but for a full one; both tables have columns of one name."""
    table = pick(draw, schema.tables)
    key = pick(draw, table.columns).type
    others = [other for other in schema.tables if any(column.type == key for column in other.columns)]
    left = scan(table)
    right = Alias(scan(pick(draw, others)), fresh_alias(left))
    of_left, of_right = ([f for f in from_fields(side) if f.type == key] for side in (left, right))
    met: Expr = Compare(pick(draw, _MEETS), pick(draw, of_left).column(), pick(draw, of_right).column())
    if one_in(draw, 3):
        met = And(met, _condition(draw, Join(left, right, "cross")))
    return Join(left, right, pick(draw, _KINDS), met)


def _joined(draw: DrawFn, schema: Database) -> Relation:
    join = _join(draw, schema)
    return joined_in_context(draw, schema, join, len(join.left.fields))


def _over_a_join(draw: DrawFn, schema: Database) -> Relation:
    join = _join(draw, schema)
    return pick(draw, (_counted, _first_in_order))(draw, apart(join, scope(join.fields)))


def _query(draw: DrawFn, schema: Database) -> Relation:
    if one_in(draw, 5):
        return pick(draw, (_joined, _over_a_join))(draw, schema)
    table = scan(pick(draw, schema.tables))
    over = pick(draw, _OVER)
    query = over(draw, table)
    return query if over is _first_in_order else in_context(draw, schema, query)


def fires() -> st.SearchStrategy[Case]:
    """A filter, an aggregate or a limit over a table of the source; shrinks to ``WHERE a = 0`` over one that accepts
    nothing.
    """
    return v2_cases(over_tables(_query), draw_capabilities)


def _weak(name: str, over: Callable[[DrawFn, Relation], Relation], *accepted: Capability, weight: int = 1) -> NearMiss:
    """A part that the source doesn't do wholly, if at all: the rule fires, and the part has to stay above the scan."""

    def build(draw: DrawFn, schema: Database) -> Relation:
        return over(draw, scan(pick(draw, schema.tables)))

    def cases() -> st.SearchStrategy[Case]:
        return v2_cases(over_tables(build), always(*accepted), table_partitions=2)

    return NearMiss(name, cases, fires=True, weight=weight)


def _of_joins(
    name: str, build: Callable[[DrawFn, Database], Relation], *accepted: Capability, weight: int = 1
) -> NearMiss:
    """A join that the source evaluates itself: each column stays the column of its side."""

    def cases() -> st.SearchStrategy[Case]:
        return v2_cases(over_tables(build), always("filters", "joins", *accepted), table_partitions=2)

    return NearMiss(name, cases, fires=True, weight=weight)


def _in_files(draw: DrawFn, schema: Database) -> Relation:
    return _filtered(draw, scan(pick(draw, schema.tables)))


NEAR_MISSES = (
    NearMiss("in_files", lambda: file_cases(over_tables(_in_files)), fires=False),
    _weak("refused", _filtered),
    _weak("roughly_filtered", _filtered, "columns", "weak filters", weight=2),
    _weak("counted_by_split", _counted, "filters", "weak aggregates", weight=2),
    _weak("limited_by_split", _first_rows, "weak limits", weight=2),
    _weak("first_of_each_split", _first_in_order, "weak top n", weight=2),
    _weak("roughly_filtered_and_counted", _filtered_and_counted, "weak filters", "aggregates"),
    _of_joins("joined", _joined, "columns", weight=2),
    _of_joins("joined_and_counted", _over_a_join, "aggregates", "limits", "top n", "offsets"),
    _of_joins("joined_and_counted_by_split", _over_a_join, "weak aggregates", "weak top n"),
)
