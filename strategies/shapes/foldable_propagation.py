"""FoldablePropagation: a column that is one constant in all rows, and operators above that use it."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.queries import scope
from strategies.ir import (
    COMPARE_OPS,
    INT,
    Agg,
    Aggregate,
    Alias,
    Case,
    Col,
    Compare,
    Database,
    Distinct,
    Expr,
    Filter,
    GroupingSets,
    IsNull,
    Item,
    Join,
    JoinKind,
    Limit,
    Lit,
    Over,
    Project,
    Relation,
    SetOp,
    SortKey,
    Window,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import apart, in_some_context
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import join_sides, scan

RULE = "FoldablePropagation"
_INNER: tuple[JoinKind, ...] = ("inner", "left", "right", "full")


def _with(relation: Relation, constant: Lit) -> Project:
    """``relation`` with the column ``x``, which is ``constant`` in all rows."""
    return Project(
        relation, (Item("x", constant), *(Item(field.name, field.column()) for field in scope(relation.fields)))
    )


def _x(relation: Relation) -> Col:
    """The only column ``x`` of ``relation``."""
    return next(field.column() for field in scope(relation.fields) if field.name == "x")


# Where it fires.


def _constant(draw: DrawFn, schema: Database) -> Project:
    """A table with a constant of one of its types."""
    table = scan(pick(draw, schema.tables))
    return _with(table, known_literal(draw, pick(draw, table.fields).type))


def _grouped(draw: DrawFn, schema: Database) -> Relation:
    known = _constant(draw, schema)
    others = (Item("k1", pick(draw, scope(known.fields)).column()),) if draw(st.booleans()) else ()
    return Aggregate(known, (Item("k0", _x(known)), *others), (Item("n0", Agg("count")),))


def _distinct(draw: DrawFn, schema: Database) -> Relation:
    known = _constant(draw, schema)
    return Distinct(Project(known, (Item("x", _x(known)), Item("y", pick(draw, scope(known.fields)).column()))))


def _ordered(draw: DrawFn, schema: Database) -> Relation:
    """The first rows, by the constant before all else."""
    known = _constant(draw, schema)
    keys = tuple(SortKey(field.column(), draw(st.booleans())) for field in scope(known.fields))
    return Limit(known, keys, pick(draw, (1, 2, 3)))


def _windowed(draw: DrawFn, schema: Database) -> Relation:
    """A window over all rows by the constant, or of the constant."""
    known = _constant(draw, schema)
    columns = [field.column() for field in scope(known.fields)]
    if draw(st.booleans()):
        return Window(known, (Over("n", Agg("count", _x(known))),), (columns[-1],))
    return Window(known, (Over("n", Agg("count", columns[-1])),), (_x(known),))


def _sides(draw: DrawFn, schema: Database, *, alike: bool) -> tuple[Relation, Relation]:
    """A table with a constant of the other one's first column's type, and that other one, whose first column is of the
    type of the first one's if they are to be ``alike``.
    """
    one, two = join_sides(draw, schema)
    if alike and one.fields[0].type != two.fields[0].type:
        two = one
    return Alias(_with(one, known_literal(draw, two.fields[0].type)), "known"), Alias(two, "other")


def _joined(draw: DrawFn, schema: Database) -> Relation:
    """A join by the constant."""
    known, other = _sides(draw, schema, alike=False)
    on = Compare("=", _x(known), other.fields[0].column())
    if draw(st.booleans()):
        join = Join(known, other, pick(draw, _INNER), on)
        return apart(join, scope(join.fields))
    join = Join(other, known, pick(draw, ("inner", "left", "semi", "anti")), on)
    return apart(join, scope(join.fields))


def _above_a_join(draw: DrawFn, schema: Database) -> Relation:
    """A condition on the constant of a side that isn't padded."""
    known, other = _sides(draw, schema, alike=True)
    on = Compare("=", known.fields[1].column(), other.fields[0].column())
    join = pick(
        draw,
        (Join(known, other, "inner", on), Join(known, other, "left", on), Join(other, known, "right", on)),
    )
    asked = Compare(pick(draw, COMPARE_OPS), _x(join), known_literal(draw, _x(join).type))
    shown = Item("y", pick(draw, scope(join.fields)).column())
    return Project(join, (Item("p", asked), shown))


_FORMS: tuple[Callable[[DrawFn, Database], Relation], ...] = (
    *[_grouped] * 3,
    _distinct,
    _ordered,
    *[_windowed] * 2,
    *[_joined] * 2,
    *[_above_a_join] * 2,
)


def fires() -> SearchStrategy[Case]:
    """Aggregates, sorts, windows and joins over a constant column; shrinks to a count by one."""
    return file_cases(over_tables(in_some_context, _FORMS))


# Near misses: columns that are constant below an operator, and not above it.

_TABLE, _OTHER = scans_of(PAIRS)
_PADDED: tuple[tuple[JoinKind, str], ...] = (("left", "r"), ("right", "l"), ("full", "r"), ("full", "l"))
_NOT_PADDED: tuple[tuple[JoinKind, str], ...] = (("left", "l"), ("right", "r"), ("inner", "r"), ("inner", "l"))


def _number(draw: DrawFn) -> Lit:
    return Lit(INT, pick(draw, (0, 1, 2)))


def _shown(draw: DrawFn, join: Relation, column: Expr) -> Relation:
    """The column in a condition, as it is, or in the rows for which it is NULL; of the others the last one."""
    last = Item("q", scope(join.fields)[-1].column())
    form = pick(draw, (0, 1, 2, 3))
    if form == 3:
        return Project(Filter(join, IsNull(column)), (last,))
    value = (column, IsNull(column, draw(st.booleans())), Compare("<=>", column, _number(draw)))[form]
    return Project(join, (Item("p", value), last))


def _pair(draw: DrawFn, kind: JoinKind) -> tuple[Relation, Relation, Join]:
    """A join of both tables, each with a constant, by their own columns."""
    one, two = Alias(_with(_TABLE, _number(draw)), "l"), Alias(_with(_OTHER, _number(draw)), "r")
    return one, two, Join(one, two, kind, Compare("=", Col("a", INT, "l"), Col("a", INT, "r")))


def _padded(draw: DrawFn) -> Relation:
    """The constant of a side that is padded with NULL."""
    kind, side = pick(draw, _PADDED)
    _, _, join = _pair(draw, kind)
    return _shown(draw, join, Col("x", INT, side))


def _kept(draw: DrawFn) -> Relation:
    kind, side = pick(draw, _NOT_PADDED)
    _, _, join = _pair(draw, kind)
    value = Compare(pick(draw, COMPARE_OPS), Col("x", INT, side), _number(draw))
    return Project(join, (Item("p", value), Item("q", Col("b", INT, side))))


def _namesakes(draw: DrawFn) -> Relation:
    """Constants of one name from both sides of a join."""
    _, _, join = _pair(draw, "inner")
    one, two = Col("x", INT, "l"), Col("x", INT, "r")
    return Project(join, (Item("p", one), Item("q", two), Item("o", Compare(pick(draw, ("=", "<", ">")), one, two))))


def _branches(draw: DrawFn) -> Relation:
    """A union whose branches have a constant each."""
    branches = (_with(_TABLE, _number(draw)), _with(_OTHER, _number(draw)))
    union = SetOp("union", *branches, all=draw(st.booleans()))
    if draw(st.booleans()):
        return Aggregate(union, (Item("k0", _x(union)),), (Item("n0", Agg("count")),))
    return Window(union, (Over("n", Agg("count")),), (_x(union),))


def _totals(draw: DrawFn) -> Relation:
    """Grouping sets with the constant among the keys, which is NULL in the sets without it."""
    known = _with(_TABLE, _number(draw))
    keys = pick(draw, ((_x(known), Col("a", INT)), (Col("a", INT), _x(known))))
    functions = (Item("n0", Agg("count")), Item("n1", Agg("max", _x(known))))
    return GroupingSets(known, pick(draw, ("rollup", "cube")), (Item("k0", keys[0]), Item("k1", keys[1])), functions)


def _column(draw: DrawFn) -> Relation:
    """A column that isn't constant: grouped, or in a window."""
    if draw(st.booleans()):
        return Aggregate(_TABLE, (Item("k0", Col("a", INT)),), (Item("n0", Agg("count")),))
    return Window(_TABLE, (Over("n", Agg("count", Col("a", INT))),), (Col("b", INT),))


def _over_pairs(build: Callable[[DrawFn], Relation]) -> SearchStrategy[Case]:
    return file_cases(over_fixed(PAIRS, build))


NEAR_MISSES = (
    NearMiss("padded", lambda: _over_pairs(_padded), fires=False, weight=3),
    NearMiss("kept", lambda: _over_pairs(_kept), fires=True),
    NearMiss("namesakes", lambda: _over_pairs(_namesakes), fires=True, weight=2),
    NearMiss("branches", lambda: _over_pairs(_branches), fires=False, weight=3),
    NearMiss("totals", lambda: _over_pairs(_totals), fires=True, weight=3),
    NearMiss("column", lambda: _over_pairs(_column), fires=False),
)
