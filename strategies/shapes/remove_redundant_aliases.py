"""Shape of RemoveRedundantAliases: columns that are renamed, and then back to what they were."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.joins import join_conditions
from strategies.draw.scopes import scope
from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Alias,
    Case,
    Coalesce,
    Compare,
    Database,
    Expr,
    Field,
    Item,
    Join,
    Limit,
    Lit,
    Over,
    Project,
    Relation,
    SortKey,
    TryArith,
    Window,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import apart, in_context
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.filters import A, B
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import source, union_all

RULE = "RemoveRedundantAliases"


def _named(relation: Relation, fields: Sequence[Field], names: Sequence[str]) -> Project:
    return Project(relation, tuple(Item(name, field.column()) for name, field in zip(names, fields, strict=True)))


def renamed_back(rows: Relation) -> Project:
    """All columns of ``rows`` under other names, and above that under their own."""
    fields = scope(rows.fields)
    others = _named(rows, fields, [f"x{place}" for place in range(len(fields))])
    return _named(others, others.fields, [field.name for field in fields])


def _of_first_rows(draw: DrawFn, schema: Database) -> Relation:
    rows = source(draw, schema)
    order = tuple(SortKey(field.column(), one_in(draw, 3)) for field in scope(rows.fields))
    return renamed_back(Limit(rows, order, pick(draw, (3, 5, 2, 8))))


def _of_groups(draw: DrawFn, schema: Database) -> Relation:
    rows = source(draw, schema)
    key = pick(draw, scope(rows.fields)).column()
    return renamed_back(Aggregate(rows, (Item(key.name, key),), (Item("rows", Agg("count")),)))


def _of_window(draw: DrawFn, schema: Database) -> Relation:
    rows = source(draw, schema)
    return renamed_back(Window(rows, (Over("rows", Agg("count")),)))


def _joined(draw: DrawFn, schema: Database) -> Relation:
    """A join of columns that were renamed back, with the same table or another one."""
    left, right = (Alias(renamed_back(source(draw, schema)), name) for name in ("s0", "s1"))
    join = Join(left, right, pick(draw, ("inner", "left", "full")), draw(join_conditions(left, right)))
    return apart(join, scope(join.fields))


# Of groups, Spark executes the same plan without the rule.
_FORMS: tuple[Callable[[DrawFn, Database], Relation], ...] = (
    *[_of_window] * 2,
    *[_of_first_rows] * 3,
    _of_groups,
    _joined,
)


def _query(draw: DrawFn, schema: Database) -> Relation:
    return in_context(draw, schema, pick(draw, _FORMS)(draw, schema), reads=True)


def fires() -> SearchStrategy[Case]:
    """Columns that are renamed and renamed back; shrinks to ``SELECT x0 AS a, x1 AS rows FROM (SELECT a AS x0, rows AS
    x1 FROM q)``, where ``q`` is ``SELECT a, count(*) OVER () AS rows FROM t0``.
    """
    return file_cases(over_tables(_query))


# Near misses, over a table of two columns.

_TABLE, _OTHER = scans_of(PAIRS)


def _beside(draw: DrawFn, rows: Relation) -> Relation:
    """``rows`` alone, or above the rows of another table."""
    return pick(draw, (rows, union_all(rows, _OTHER)))


def _each_others(draw: DrawFn) -> Relation:
    """Columns under the names of others: each other's, or one column twice."""
    values = pick(draw, ((B, A), (B, B), (A, A)))
    return _beside(draw, Project(_TABLE, tuple(Item(name, value) for name, value in zip("ab", values, strict=True))))


def _computed(draw: DrawFn) -> Relation:
    """An expression of a column, under that column's name."""
    values: tuple[Expr, ...] = (
        TryArith("+", A, Lit(INT, pick(draw, (1, -1, 2)))),
        TryArith("-", Lit(INT, pick(draw, (1, 0, 2))), A),
        Coalesce((A, known_literal(draw, INT))),
    )
    return _beside(draw, Project(_TABLE, (Item("a", pick(draw, values)), Item("b", B))))


def _in_another_order(draw: DrawFn) -> Relation:
    """All columns under their own names, in other places."""
    return _beside(draw, Project(_TABLE, (Item("b", B), Item("a", A))))


def _under_new_names(draw: DrawFn) -> Relation:
    return Project(_TABLE, tuple(Item(name, value) for name, value in zip("cd", (A, B), strict=True)))


def _with_itself(draw: DrawFn) -> Relation:
    """A join of a table with itself, renamed back: its sides have columns of their own."""
    left, right = Alias(renamed_back(_TABLE), "s0"), Alias(pick(draw, (renamed_back(_TABLE), _TABLE)), "s1")
    one, two = left.fields[0].column(), right.fields[1].column()
    join = Join(left, right, pick(draw, ("inner", "left", "full")), Compare(pick(draw, ("=", "<")), one, two))
    return apart(join, scope(join.fields))


def _twice(draw: DrawFn) -> Relation:
    """A column under its own name after it was renamed, and under another one."""
    others = _named(_TABLE, scope(_TABLE.fields), ("x", "y"))
    x, y = (field.column() for field in others.fields)
    return Project(others, pick(draw, ((Item("a", x), Item("c", x)), (Item("b", y), Item("c", x), Item("a", x)))))


NEAR_MISSES = (
    NearMiss("each_others", lambda: file_cases(over_fixed(PAIRS, _each_others)), fires=False, weight=2),
    NearMiss("computed", lambda: file_cases(over_fixed(PAIRS, _computed)), fires=False, weight=2),
    NearMiss("in_another_order", lambda: file_cases(over_fixed(PAIRS, _in_another_order)), fires=False, weight=2),
    NearMiss("under_new_names", lambda: file_cases(over_fixed(PAIRS, _under_new_names)), fires=False),
    NearMiss("with_itself", lambda: file_cases(over_fixed(PAIRS, _with_itself)), fires=True),
    NearMiss("twice", lambda: file_cases(over_fixed(PAIRS, _twice)), fires=True),
)
