"""Shape of CleanupDynamicPruningFilters: a table whose splits can't be left out by the keys of a join's other side, as
what is between them needs all rows, or as a condition says which key it is.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.joins import join_conditions
from strategies.draw.orders import total_order
from strategies.draw.random_tests import with_random_column
from strategies.draw.scopes import scope
from strategies.ir import (
    COMPARE_OPS,
    DOUBLE,
    FLOAT,
    INT,
    Alias,
    And,
    Case,
    Col,
    Compare,
    Database,
    Expr,
    Field,
    Filter,
    Join,
    JoinKind,
    Limit,
    Lit,
    RandomColumn,
    Relation,
    RowNumbers,
    Scan,
    SortKey,
    walk,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import joined_in_context
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.filters import about
from strategies.shapes.forms import over_fixed
from strategies.shapes.nulls import known_literal
from strategies.shapes.partition_pruning import compared, over_comparable_tables, pruned_cases, selective
from strategies.shapes.sides import scan

RULE = "CleanupDynamicPruningFilters"


def _whole(draw: DrawFn, table: Scan) -> Relation:
    """``table`` below an operator that needs all rows, now and then with a filter above."""
    fields = scope(table.fields)
    if one_in(draw, 3):
        rows = with_random_column(draw, table)
    else:
        rows = Limit(table, total_order(draw, fields), pick(draw, (3, 2, 5)))
    return Filter(rows, about(draw, scope(rows.fields))) if one_in(draw, 3) else rows


def _of_one_key(draw: DrawFn, table: Scan, key: Lit) -> Relation:
    """The rows of ``table`` with this key, now and then some of them."""
    column, *others = scope(table.fields)
    equals = Compare("=", column.column(), key)
    return Filter(table, And(equals, about(draw, tuple(others))) if others and one_in(draw, 3) else equals)


def _about_another(draw: DrawFn, other: Scan, met: Field, key: Lit) -> Alias:
    """``other`` under a condition that doesn't contradict that its column ``met`` is ``key``."""
    columns = tuple(field for field in scope(other.fields) if field.name != met.name)
    condition = compared(draw, pick(draw, columns).column()) if columns else Compare("=", Col(met.name, met.type), key)
    return Alias(Filter(other, condition), "s0")


_KINDS: tuple[tuple[JoinKind, bool], ...] = (("inner", False), ("semi", False), ("right", False), ("left", True))
"""Kinds of joins, and whether the right side is the one that the other side's keys filter."""


def _query(draw: DrawFn, schema: Database) -> Relation:
    table = scan(pick(draw, schema.tables))
    kind = table.fields[0].type
    other = scan(pick(draw, [other for other in schema.tables if any(column.type == kind for column in other.columns)]))
    met = pick(draw, tuple(field for field in other.fields if field.type == kind))
    # A join normalizes floating numbers: that is another key.
    if kind not in (DOUBLE, FLOAT) and one_in(draw, 4):
        key = known_literal(draw, kind)
        rows, filtered = _of_one_key(draw, table, key), _about_another(draw, other, met, key)
    else:
        rows, filtered = _whole(draw, table), selective(draw, other, "s0")
    return _joined(draw, schema, rows, filtered, Col(met.name, kind, "s0"))


def _joined(draw: DrawFn, schema: Database, rows: Relation, filtered: Alias, met: Col) -> Relation:
    whole = Alias(rows, "s1")
    join_kind, on_the_right = pick(draw, _KINDS)
    left, right = (filtered, whole) if on_the_right else (whole, filtered)
    condition: Expr = Compare("=", whole.fields[0].column(), met)
    if one_in(draw, 4):
        condition = And(condition, draw(join_conditions(left, right)))
    join = Join(left, right, join_kind, condition)
    # A random value that nothing reads is not made.
    by_chance = any(isinstance(node, (RandomColumn, RowNumbers)) for node in walk(rows))
    return join if by_chance else joined_in_context(draw, schema, join, len(left.fields))


def fires() -> SearchStrategy[Case]:
    """A join of which one side is read whole although its rows have to be among the keys of the other's, which are
    filtered; shrinks to ``(SELECT * FROM t0 ORDER BY a LIMIT 3) AS s1 JOIN (SELECT * FROM t0 WHERE a = 0) AS s0 ON
    s1.a = s0.a``.
    """
    return pruned_cases(over_comparable_tables(_query))


# Near misses, over two tables of two columns.

_ONE, _OTHER = scans_of(PAIRS)
_A, _B = (Col(name, INT) for name in "ab")
_BY_BOTH = (SortKey(_A, nulls_first=False), SortKey(_B, nulls_first=False))
_KEY, _ITS = Col("a", INT, "s1"), Col("a", INT, "s0")


def _compared(draw: DrawFn, column: Col, *, equal: bool = False) -> Expr:
    return Compare("=" if equal else pick(draw, COMPARE_OPS[1:-1]), column, known_literal(draw, INT))


def _of_first_rows(draw: DrawFn) -> Relation:
    return Limit(_ONE, _BY_BOTH, pick(draw, (1, 2, 3)))


def _of_numbered_rows(draw: DrawFn) -> Relation:
    return RowNumbers(_ONE, _BY_BOTH, "n")


def _filtered(draw: DrawFn) -> Relation:
    """A condition beside the filter by keys, which says less than that."""
    return Filter(pick(draw, (_of_first_rows, _of_numbered_rows))(draw), _compared(draw, _B))


def _of_one_key_and_more(draw: DrawFn) -> Relation:
    return Filter(_ONE, And(_compared(draw, _A, equal=True), _compared(draw, _B)))


def _of_some_keys(draw: DrawFn) -> Relation:
    return Filter(_ONE, Compare(pick(draw, ("<", ">", "<=", ">=")), _A, known_literal(draw, INT)))


def _of_another_columns_value(draw: DrawFn) -> Relation:
    return Filter(_ONE, _compared(draw, _B, equal=True))


def _miss(
    build: Callable[[DrawFn], Relation], *kinds: JoinKind, fires: bool, weight: int = 1, name: str = ""
) -> NearMiss:
    def query(draw: DrawFn) -> Relation:
        kind = pick(draw, kinds)
        # A condition that says which key the other side has would say so of this one, too.
        filtered = Alias(Filter(_OTHER, _compared(draw, _B)), "s0")
        return Join(Alias(build(draw), "s1"), filtered, kind, Compare("=", _KEY, _ITS))

    found = name or build.__name__[1:]
    return NearMiss(found, lambda: pruned_cases(over_fixed(PAIRS, query)), fires=fires, weight=weight)


NEAR_MISSES = (
    _miss(_of_first_rows, "inner", "semi", "right", fires=True, weight=3),
    _miss(_of_numbered_rows, "inner", "right", fires=True, weight=3),
    _miss(_filtered, "inner", "semi", fires=True, weight=3),
    _miss(_of_one_key_and_more, "inner", "semi", fires=True),
    _miss(_of_some_keys, "inner", "semi", fires=False, weight=2),
    _miss(_of_another_columns_value, "inner", "semi", fires=False),
    _miss(_of_first_rows, "left", "anti", fires=False, name="of_the_kept_side"),
)
