"""RemoveNoopUnion: of branches of a UNION that are the same, one is enough."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.queries import scope
from strategies.ir import (
    COMPARE_OPS,
    INT,
    Case,
    Compare,
    CompareOp,
    Database,
    Distinct,
    Filter,
    Item,
    Project,
    Relation,
    SetOp,
    TryArith,
    referable,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.forms import file_cases, over_fixed, over_one_table, over_tables
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import scan, side, sides, union_all

RULE = "RemoveNoopUnion"


def _distinct(left: Relation, right: Relation) -> SetOp:
    return SetOp("union", left, right)


def _renamed(relation: Relation) -> Relation:
    fields = scope(relation.fields)
    return Project(relation, tuple(Item(f"r{place}", field.column()) for place, field in enumerate(fields)))


def _query(draw: DrawFn, schema: Database) -> Relation:
    width = min(len(table.columns) for table in schema.tables)
    one, other = (side(draw, pick(draw, schema.tables), width) for _ in range(2))
    union = pick(
        draw,
        (
            _distinct(one, one),
            _distinct(one, one),
            _distinct(_renamed(one), one),
            Distinct(union_all(one, one)),
            _distinct(_distinct(one, other), one),
            _distinct(union_all(other, one), one),
        ),
    )
    return in_context(draw, schema, union)


def fires() -> SearchStrategy[Case]:
    """A branch twice, by other names or beside another one; shrinks to ``t0 UNION t0``."""
    return file_cases(over_tables(_query))


def _keeps_all(draw: DrawFn, schema: Database) -> Relation:
    table = pick(draw, schema.tables)
    one = side(draw, table, len(table.columns))
    return union_all(one, one)


def _other_columns(draw: DrawFn) -> Relation:
    """The same table's columns in another order, or other ones of them."""
    table = scans_of(PAIRS)[0]
    a, b = (field.column() for field in table.fields)
    left, right = pick(draw, (((b, a), (a, b)), ((a,), (b,)), ((a, a), (a, b))))
    branches = [Project(table, tuple(Item(f"c{n}", value) for n, value in enumerate(side))) for side in (left, right)]
    return _distinct(*branches)


def _computed(draw: DrawFn, same: bool) -> Relation:
    """An expression, and the same one, or a column."""
    table = scans_of(PAIRS)[0]
    column, other = (field.column() for field in pick(draw, (table.fields, table.fields[::-1])))
    value = pick(draw, (TryArith("-", column, other), TryArith("+", column, known_literal(draw, INT))))
    one, two = (Project(table, (Item("c", of),)) for of in (value, value if same else column))
    return _distinct(one, two)


def _other_filter(draw: DrawFn) -> Relation:
    """Two filters of one table: on another column, or on another side of one value."""
    table = scans_of(PAIRS)[0]
    one, two = (field.column() for field in referable(table.fields))
    value = known_literal(draw, INT)
    first, second = pick(draw, _DIFFERENT)
    left = Filter(table, Compare(first, one, value))
    return _distinct(left, Filter(table, Compare(second, pick(draw, (one, two)), value)))


_DIFFERENT: tuple[tuple[CompareOp, CompareOp], ...] = (("=", "<>"), ("<", ">"), ("<=", ">"), ("<", "="), (">", "<>"))


def _one_filtered(draw: DrawFn) -> Relation:
    table = scans_of(PAIRS)[0]
    column = pick(draw, table.fields).column()
    filtered = Filter(table, Compare(pick(draw, COMPARE_OPS), column, known_literal(draw, INT)))
    return _distinct(filtered, table) if draw(st.booleans()) else _distinct(table, filtered)


def _two_tables(draw: DrawFn) -> Relation:
    left, right = scans_of(PAIRS)
    return _distinct(left, right) if draw(st.booleans()) else _distinct(right, left)


def _all_below(draw: DrawFn, schema: Database) -> Relation:
    """A UNION's branches by pairs, each twice."""
    left, right = sides(draw, schema)
    return _distinct(union_all(left, right), union_all(left, right))


def _beside_all(draw: DrawFn, schema: Database) -> Relation:
    """A UNION below UNION ALL, where its branch is once more, and stays."""
    table = scan(schema.tables[0])
    return union_all(_distinct(table, table), table)


NEAR_MISSES = (
    NearMiss("union_all", lambda: file_cases(over_tables(_keeps_all)), fires=False, weight=2),
    NearMiss("other_columns", lambda: file_cases(over_fixed(PAIRS, _other_columns)), fires=False, weight=2),
    NearMiss("computed", lambda: file_cases(over_fixed(PAIRS, _computed, same=False)), fires=False),
    NearMiss("computed_alike", lambda: file_cases(over_fixed(PAIRS, _computed, same=True)), fires=True),
    NearMiss("other_filter", lambda: file_cases(over_fixed(PAIRS, _other_filter)), fires=False, weight=2),
    NearMiss("one_filtered", lambda: file_cases(over_fixed(PAIRS, _one_filtered)), fires=False),
    NearMiss("two_tables", lambda: file_cases(over_fixed(PAIRS, _two_tables)), fires=False),
    NearMiss("all_below", lambda: file_cases(over_tables(_all_below)), fires=True),
    NearMiss("beside_all", lambda: file_cases(over_one_table(_beside_all)), fires=True),
)
