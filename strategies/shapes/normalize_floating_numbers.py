"""NormalizeFloatingNumbers: joins and windows by DOUBLE, of which rows compare the bits."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import below, pick
from strategies.draw.exprs import Fields
from strategies.draw.operands import columns
from strategies.draw.queries import scope
from strategies.ir import (
    BIGINT,
    DOUBLE,
    INT,
    SMALLINT,
    Agg,
    Aggregate,
    Alias,
    And,
    Call,
    Case,
    Cast,
    Column,
    Compare,
    CompareOp,
    Database,
    Expr,
    IsNull,
    Item,
    Join,
    JoinKind,
    Lit,
    MakeArray,
    Over,
    Project,
    Relation,
    SortKey,
    Table,
    Window,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import apart, in_context
from strategies.shapes.data import scans_of
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.sides import join_sides, scan

RULE = "NormalizeFloatingNumbers"
_KINDS: tuple[JoinKind, ...] = ("inner", "left", "full", "semi", "anti", "right")
_NUMBERS = (SMALLINT, INT, BIGINT)


def _key(draw: DrawFn, fields: Fields) -> Expr:
    """A column of DOUBLE if there is one, else of another type, or whether it is NULL, as DOUBLE."""
    doubles = [column for column in columns(fields) if column.type == DOUBLE]
    column = pick(draw, doubles or columns(fields))
    if column.type == DOUBLE:
        return column
    return Cast(column if column.type in _NUMBERS else IsNull(column), DOUBLE)


def _joined(draw: DrawFn, schema: Database) -> Relation:
    left, right = join_sides(draw, schema)
    fields = scope((*left.fields, *right.fields))
    width = len(left.fields)
    on = Compare("=", _key(draw, fields[:width]), _key(draw, fields[width:]))
    join = Join(left, right, pick(draw, _KINDS), on)
    return apart(join, scope(join.fields))


def _windowed(draw: DrawFn, schema: Database) -> Relation:
    table = scan(pick(draw, schema.tables))
    fields = scope(table.fields)
    counted = Agg("count", pick(draw, columns(fields)))
    return Window(table, (Over("n", counted),), (_key(draw, fields),))


def _query(draw: DrawFn, schema: Database) -> Relation:
    # A window stands alone: of one whose column nobody reads nothing is left.
    if draw(below(5)) > 2:
        return _windowed(draw, schema)
    return in_context(draw, schema, _joined(draw, schema))


def fires() -> SearchStrategy[Case]:
    """Joins and windows by DOUBLE; shrinks to the join of a table with itself by its column as DOUBLE."""
    return file_cases(over_tables(_query))


_COLUMNS = (Column("x", DOUBLE), Column("y", DOUBLE), Column("a", INT))
_PAIR = Database((Table("t0", _COLUMNS), Table("t1", _COLUMNS)))
_LEFT, _RIGHT = (Alias(found, name) for found, name in zip(scans_of(_PAIR), "lr", strict=True))
_ORDERS: tuple[CompareOp, ...] = ("<", "<=", ">", ">=", "<>")
_Pair = tuple[Expr, Expr]


def _columns() -> tuple[_Pair, _Pair, _Pair]:
    """The two sides' columns ``x``, ``y`` and ``a``, each with its namesake."""
    x, y, a = zip(*((field.column() for field in side.fields) for side in (_LEFT, _RIGHT)), strict=True)
    return x, y, a


_X, _Y, _A = _columns()


def _join(draw: DrawFn, on: Expr) -> Relation:
    join = Join(_LEFT, _RIGHT, pick(draw, _KINDS), on)
    return apart(join, scope(join.fields))


def _equal(draw: DrawFn) -> Relation:
    return _join(draw, Compare(pick(draw, ("=", "<=>")), *_X))


def _equal_twice(draw: DrawFn) -> Relation:
    return _join(draw, And(Compare("=", *_X), Compare("=", *pick(draw, (_Y, _A)))))


def _and_more(draw: DrawFn) -> Relation:
    """A join by DOUBLE, with a condition besides that is no equality."""
    return _join(draw, And(Compare("=", *_X), Compare(pick(draw, _ORDERS), *pick(draw, (_Y, _A)))))


def _in_order(draw: DrawFn) -> Relation:
    """A join without an equality, which compares numbers, not bits."""
    return _join(draw, Compare(pick(draw, _ORDERS), *_X))


def _by_whole_numbers(draw: DrawFn) -> Relation:
    """DOUBLE is in the rows, and in a condition that is no equality."""
    return _join(draw, And(Compare("=", *_A), Compare(pick(draw, _ORDERS), *_X)))


def _window(draw: DrawFn) -> Relation:
    """A count of the rows with one key, which is DOUBLE, or an array of it."""
    x, y, a = (field.column() for field in scope(_LEFT.child.fields))
    key = pick(draw, (x, x, MakeArray(DOUBLE, (x,))))
    return Window(_LEFT.child, (Over("n", Agg(pick(draw, ("count", "max")), pick(draw, (a, y)))),), (key,))


def _ordered_window(draw: DrawFn) -> Relation:
    """A window in the order of DOUBLE, by another column."""
    x, _, a = (field.column() for field in scope(_LEFT.child.fields))
    return Window(_LEFT.child, (Over("n", Agg("count")),), (a,), (SortKey(x, draw(st.booleans())),))


def _grouped(draw: DrawFn) -> Relation:
    """Groups by DOUBLE: normalized in planning, not by the rule."""
    x, y, _ = (field.column() for field in scope(_LEFT.child.fields))
    return Aggregate(_LEFT.child, (Item("k0", pick(draw, (x, y))),), (Item("n0", Agg("count")),))


_ZEROS = tuple(Lit(DOUBLE, number.hex()) for number in (0.0, -0.0))
_SETS = ("array_union", "array_except", "array_intersect")


def _sets(draw: DrawFn) -> Relation:
    """Arrays as sets of DOUBLE, most with both zeros, which the functions compare themselves (SPARK-54918, 59602)."""
    x, y, _ = (field.column() for field in scope(_LEFT.child.fields))
    first, second = (pick(draw, ((x, zero), (zero,), (x, y))) for zero in _ZEROS)
    distinct = Call("array_distinct", (MakeArray(DOUBLE, (*first, *second)),))
    two = (MakeArray(DOUBLE, first), MakeArray(DOUBLE, second))
    members = pick(draw, (distinct, *(Call(name, two) for name in _SETS)))
    return Project(_LEFT.child, (Item("n", Call("size", (members,))),))


def _often(draw: DrawFn) -> Relation:
    """The most frequent number, whose two zeros are one (SPARK-57329)."""
    x, y, a = (field.column() for field in scope(_LEFT.child.fields))
    return Aggregate(_LEFT.child, pick(draw, ((), (Item("k0", a),))), (Item("n0", Agg("mode", pick(draw, (x, y)))),))


def _over_pair(build: Callable[[DrawFn], Relation]) -> SearchStrategy[Case]:
    return file_cases(over_fixed(_PAIR, build))


NEAR_MISSES = (
    NearMiss("equal", lambda: _over_pair(_equal), fires=True, weight=4),
    NearMiss("equal_twice", lambda: _over_pair(_equal_twice), fires=True, weight=2),
    NearMiss("and_more", lambda: _over_pair(_and_more), fires=True, weight=2),
    NearMiss("window", lambda: _over_pair(_window), fires=True, weight=3),
    NearMiss("in_order", lambda: _over_pair(_in_order), fires=False),
    NearMiss("by_whole_numbers", lambda: _over_pair(_by_whole_numbers), fires=False),
    NearMiss("ordered_window", lambda: _over_pair(_ordered_window), fires=False),
    NearMiss("grouped", lambda: _over_pair(_grouped), fires=False),
    NearMiss("sets", lambda: _over_pair(_sets), fires=False),
    NearMiss("often", lambda: _over_pair(_often), fires=False),
)
