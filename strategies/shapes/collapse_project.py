"""Shape of CollapseProject: a projection right over another one, or over an aggregate, becomes one with it."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.exprs import Fields
from strategies.draw.joins import join_conditions
from strategies.draw.queries import scope
from strategies.ir import (
    INT,
    RANDOM_FUNCTIONS,
    Agg,
    Aggregate,
    Case,
    Compare,
    Database,
    Distinct,
    Expr,
    Item,
    Join,
    Limit,
    Project,
    RandomColumn,
    Relation,
    SortKey,
    TryArith,
)
from strategies.shapes import NearMiss
from strategies.shapes.conditions import plain_expressions
from strategies.shapes.context import apart, in_some_context
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import join_sides, scan

RULE = "CollapseProject"


def _renamed(fields: Fields, names: list[str]) -> tuple[Item, ...]:
    return tuple(Item(name, field.column()) for name, field in zip(names, fields, strict=True))


def _lower(draw: DrawFn, table: Relation) -> Project:
    """The columns of ``table`` under new names, or each other's; in one of three draws, one is an expression."""
    fields = scope(table.fields)
    names = [field.name for field in fields]
    items = list(_renamed(fields, pick(draw, ([f"x{place}" for place in range(len(names))], names[1:] + names[:1]))))
    if pick(draw, (False, False, True)):
        place = pick(draw, range(len(fields)))
        items[place] = Item(items[place].name, draw(plain_expressions(fields, fields[place].type, depth=1)))
    return Project(table, tuple(items))


def _upper(draw: DrawFn, lower: Relation) -> Project:
    """Some columns of ``lower``, all renamed; in one of three draws, one is an expression."""
    fields = scope(lower.fields)
    shown = pick(draw, (fields, fields[::-1], fields[:1]))
    values: list[Expr] = [field.column() for field in shown]
    if pick(draw, (False, False, True)):
        place = pick(draw, range(len(shown)))
        values[place] = draw(plain_expressions((shown[place],), shown[place].type, depth=1))
    return Project(lower, tuple(Item(f"y{place}", value) for place, value in enumerate(values)))


def _of_table(draw: DrawFn, schema: Database) -> Relation:
    """Two projections right over a table, for which Spark executes the same plan without the rule."""
    return _upper(draw, _lower(draw, scan(pick(draw, schema.tables))))


def _of_first_rows(draw: DrawFn, schema: Database) -> Relation:
    table = scan(pick(draw, schema.tables))
    order = tuple(SortKey(field.column(), draw(st.booleans())) for field in scope(table.fields))
    return _upper(draw, _lower(draw, Limit(table, order, pick(draw, (3, 5, 8)))))


def _of_join(draw: DrawFn, schema: Database) -> Relation:
    left, right = join_sides(draw, schema)
    join = Join(left, right, pick(draw, ("left", "full", "inner")), draw(join_conditions(left, right)))
    return _upper(draw, apart(join, scope(join.fields)))


def _of_aggregate(draw: DrawFn, schema: Database) -> Relation:
    table = scan(pick(draw, schema.tables))
    key = pick(draw, scope(table.fields)).column()
    return _upper(draw, Aggregate(table, (Item("k", key),), (Item("n", Agg("count")),)))


_FORMS: tuple[Callable[[DrawFn, Database], Relation], ...] = (
    *[_of_aggregate] * 2,
    _of_table,
    *[_of_first_rows] * 2,
    *[_of_join] * 2,
)


def fires() -> SearchStrategy[Case]:
    """A projection of a projection or an aggregate; shrinks to the keys and counts of ``t0``, under other names."""
    return file_cases(over_tables(in_some_context, _FORMS))


# Near misses.


_Make = Callable[[DrawFn, Relation], Relation]


def _pair(draw: DrawFn, make: _Make) -> Relation:
    return make(draw, scans_of(PAIRS)[0])


def _swapped(draw: DrawFn, table: Relation) -> Relation:
    """Each column under the other's name, below a projection of one of them, of both, or of an expression."""
    a, b = (field.column() for field in scope(table.fields))
    lower = Project(table, (Item("a", b), Item("b", pick(draw, (a, TryArith("+", a, known_literal(draw, INT)))))))
    one, two = pick(draw, ((a, b), (b, a)))
    values = pick(draw, ((one,), (one, two), (TryArith("-", one, two),)))
    return Project(lower, tuple(Item(f"y{place}", value) for place, value in enumerate(values)))


def _counts_alone(draw: DrawFn, table: Relation) -> Relation:
    """Counts per pair of values, without one or both values."""
    a, b = scope(table.fields)
    groups = Aggregate(table, (Item("j", a.column()), Item("k", b.column())), (Item("n", Agg("count")),))
    j, k, n = (field.column() for field in groups.fields)
    shown = pick(draw, ((j, n), (k, n), (n, k)))
    return Project(groups, tuple(Item(f"y{place}", value) for place, value in enumerate(shown)))


def _column_of_different_rows(draw: DrawFn, table: Relation) -> Relation:
    rows = Distinct(table)
    return Project(rows, (Item("y", pick(draw, scope(rows.fields)).column()),))


def _alone(draw: DrawFn, table: Relation) -> Relation:
    return _upper(draw, table)


def _asked_for_twice(draw: DrawFn, table: Relation) -> Relation:
    """A costly expression that is used twice, so that the projections must not be merged."""
    a, b = (field.column() for field in scope(table.fields))
    lower = Project(table, (Item("x", TryArith(pick(draw, ("+", "-")), a, b)),))
    x = lower.fields[0].column()
    return Project(lower, (Item("y", TryArith("+", x, x)), Item("z", x)))


def _random_read_twice(draw: DrawFn, table: Relation) -> Relation:
    """A random value that is used twice: merged projections would make it anew each time."""
    return RandomColumn(table, "x", pick(draw, RANDOM_FUNCTIONS))


def _grouped(draw: DrawFn, table: Relation) -> Relation:
    """An aggregate over a projection, which must stay."""
    a, b = (field.column() for field in scope(table.fields))
    values = pick(draw, ((a, b), (b, TryArith("+", a, b)), (TryArith("-", a, b), a)))
    lower = Project(table, tuple(Item(f"x{place}", value) for place, value in enumerate(values)))
    keys = tuple(Item(f"k{place}", field.column()) for place, field in enumerate(scope(lower.fields)))
    return Aggregate(lower, keys, (Item("n", Agg("count")),))


def _apart(draw: DrawFn) -> Relation:
    """A join of projections."""
    left, right = (
        Project(table, _renamed(scope(table.fields), names))
        for table, names in zip(scans_of(PAIRS), (["a", "b"], ["c", "d"]), strict=True)
    )
    on = Compare("<=>", left.fields[0].column(), right.fields[0].column())
    return Join(left, right, pick(draw, ("left", "full")), on)


NEAR_MISSES = (
    NearMiss("swapped", lambda: file_cases(over_fixed(PAIRS, _pair, _swapped)), fires=True, weight=2),
    NearMiss("counts_alone", lambda: file_cases(over_fixed(PAIRS, _pair, _counts_alone)), fires=True, weight=2),
    NearMiss(
        "different_rows", lambda: file_cases(over_fixed(PAIRS, _pair, _column_of_different_rows)), fires=True, weight=2
    ),
    NearMiss("alone", lambda: file_cases(over_fixed(PAIRS, _pair, _alone)), fires=False),
    NearMiss("asked_for_twice", lambda: file_cases(over_fixed(PAIRS, _pair, _asked_for_twice)), fires=False),
    NearMiss("random", lambda: file_cases(over_fixed(PAIRS, _pair, _random_read_twice)), fires=False),
    NearMiss("grouped", lambda: file_cases(over_fixed(PAIRS, _pair, _grouped)), fires=False),
    NearMiss("join", lambda: file_cases(over_fixed(PAIRS, _apart)), fires=False),
)
