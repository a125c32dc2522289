"""Shape of MergeSubplans: values of the same rows, each by an aggregate of its own, become columns of one aggregate."""

from __future__ import annotations

from functools import partial

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import sql_only
from strategies.draw.draws import one_in, pick
from strategies.draw.operands import columns
from strategies.draw.scopes import scope
from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Alias,
    Case,
    Compare,
    Database,
    Expr,
    Filter,
    Item,
    Join,
    Project,
    Relation,
    ScalarSubquery,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.correlated import INNER_A, INNER_B, INSIDE, OUTSIDE, SAME_A, A, B
from strategies.shapes.data import PAIRS
from strategies.shapes.filters import about
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import join_sides

RULE = "MergeSubplans"
_cases_of = partial(file_cases, forms_of=sql_only)


def _value(rows: Relation, function: Agg) -> Aggregate:
    return Aggregate(rows, (), (Item("x", function),))


def _functions(draw: DrawFn, rows: Relation) -> tuple[Agg, Agg]:
    """Two different functions that are aggregated in the same way, whatever the type of the column is."""
    column: Expr = pick(draw, columns(scope(rows.fields)))
    least, most = Agg("min", column), Agg("max", column)
    some = Agg("count", column)
    return pick(draw, ((Agg("count"), some), (some, Agg("count")), (least, most), (most, least)))


def _inputs(draw: DrawFn, inside: Relation) -> tuple[Relation, Relation]:
    """The rows of both values: the same, all of them or filtered; or only the first value's are filtered."""
    filtered = Filter(inside, about(draw, scope(inside.fields)))
    return pick(draw, ((inside, inside), (inside, inside), (filtered, filtered), (filtered, inside)))


def _query(draw: DrawFn, schema: Database) -> Relation:
    outside, inside = join_sides(draw, schema)
    one, two = (
        _value(rows, function) for rows, function in zip(_inputs(draw, inside), _functions(draw, inside), strict=True)
    )
    both = _both(draw, outside, one, two)
    # An operator above that reads one of the two leaves nothing to merge.
    return in_context(draw, schema, both, reads=True) if one_in(draw, 4) else both


def _both(draw: DrawFn, outside: Relation, one: Aggregate, two: Aggregate) -> Relation:
    """Two values as columns, in a condition where they have one type, or side by side as relations."""
    first, second = ScalarSubquery(one), ScalarSubquery(two)
    form = pick(draw, (0, 0, 1, 2))
    if form == 1 and first.type == second.type:
        return Filter(outside, Compare(pick(draw, ("<=>", "<", ">=", "<>")), first, second))
    if form == 2:
        join = Join(Alias(one, "x0"), Alias(two, "x1"), "cross")
        return Project(join, tuple(Item(f"p{place}", field.column()) for place, field in enumerate(join.fields)))
    return Project(outside, (Item("p0", first), Item("p1", second)))


def fires() -> SearchStrategy[Case]:
    """Two values of the same rows, as columns, in a condition or joined; shrinks to
    ``SELECT (SELECT count(*) FROM t0 AS s0) AS p0, (SELECT count(s0.a) FROM t0 AS s0) AS p1 FROM t0``.
    """
    return _cases_of(over_tables(_query))


# Near misses, over two tables of two columns.

_OF_A, _OF_B = Agg("max", INNER_A), Agg("max", INNER_B)
_ALL = (_OF_A, _OF_B, Agg("count"), Agg("sum", INNER_A), Agg("count", INNER_B), Agg("min", INNER_B))


def _different(draw: DrawFn) -> tuple[Agg, Agg]:
    place = pick(draw, range(len(_ALL)))
    return _ALL[place], pick(draw, (*_ALL[place + 1 :], *_ALL[:place]))


def _less(draw: DrawFn, column: Expr) -> Expr:
    return Compare(pick(draw, ("<", "<=")), column, known_literal(draw, INT))


def _greater(draw: DrawFn, column: Expr) -> Expr:
    return Compare(pick(draw, (">", ">=")), column, known_literal(draw, INT))


def _shown(one: Relation, two: Relation) -> Relation:
    return Project(OUTSIDE, (Item("m", ScalarSubquery(one)), Item("n", ScalarSubquery(two))))


def _columns(draw: DrawFn) -> Relation:
    """Values of one type from different columns."""
    one, two = pick(draw, ((_OF_A, _OF_B), (_OF_B, _OF_A), (Agg("count", INNER_B), Agg("count"))))
    return _shown(_value(INSIDE, one), _value(INSIDE, two))


def _one_filtered(draw: DrawFn) -> Relation:
    """One value of all rows, and one of some, in either order."""
    one, two = _different(draw)
    some, every = _value(Filter(INSIDE, _less(draw, pick(draw, (INNER_A, INNER_B)))), one), _value(INSIDE, two)
    return _shown(some, every) if one_in(draw, 2) else _shown(every, some)


def _filtered_apart(draw: DrawFn) -> Relation:
    """Rows under different conditions."""
    one, two = _different(draw)
    low, high = Filter(INSIDE, _less(draw, INNER_A)), Filter(INSIDE, _greater(draw, pick(draw, (INNER_A, INNER_B))))
    return _shown(_value(low, one), _value(high, two))


def _twice(draw: DrawFn) -> Relation:
    function = pick(draw, _ALL)
    return _shown(_value(INSIDE, function), _value(INSIDE, function))


def _of_two_tables(draw: DrawFn) -> Relation:
    return _shown(
        _value(INSIDE, pick(draw, (_OF_A, _OF_B))), _value(OUTSIDE, pick(draw, (Agg("max", A), Agg("min", B))))
    )


def _correlated(draw: DrawFn) -> Relation:
    """Values for each row outside, which become joins."""
    met = Filter(INSIDE, SAME_A)
    return _shown(_value(met, _OF_B), _value(met, Agg("count")))


def _grouped(draw: DrawFn) -> Relation:
    """Aggregates with keys, whose rows are as many as there are groups."""
    left, right = (Aggregate(INSIDE, (Item("k", INNER_A),), (Item("x", function),)) for function in _different(draw))
    one, two = Alias(left, "x0"), Alias(right, "x1")
    return Join(one, two, pick(draw, ("inner", "left")), Compare("<=>", one.fields[0].column(), two.fields[0].column()))


NEAR_MISSES = (
    NearMiss("columns", lambda: _cases_of(over_fixed(PAIRS, _columns)), fires=True, weight=2),
    NearMiss("one_filtered", lambda: _cases_of(over_fixed(PAIRS, _one_filtered)), fires=True, weight=3),
    NearMiss("filtered_apart", lambda: _cases_of(over_fixed(PAIRS, _filtered_apart)), fires=False, weight=2),
    NearMiss("twice", lambda: _cases_of(over_fixed(PAIRS, _twice)), fires=True),
    NearMiss("of_two_tables", lambda: _cases_of(over_fixed(PAIRS, _of_two_tables)), fires=False),
    NearMiss("correlated", lambda: _cases_of(over_fixed(PAIRS, _correlated)), fires=False),
    NearMiss("grouped", lambda: _cases_of(over_fixed(PAIRS, _grouped)), fires=False),
)
