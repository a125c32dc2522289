"""Shape of PullOutNestedDataOuterRefExpressions: subqueries that read a map of the query around them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import sql_only
from strategies.draw.draws import below, one_in, pick
from strategies.draw.made_maps import map_of
from strategies.draw.map_reads import can_go_through_map, through_map
from strategies.draw.scopes import scope
from strategies.ir import (
    BIGINT,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    And,
    Case,
    CaseWhen,
    Col,
    Compare,
    CompareOp,
    Database,
    Distinct,
    Exists,
    Expr,
    Filter,
    InSubquery,
    IsNull,
    Item,
    Lateral,
    Limit,
    Lit,
    Map,
    MapRead,
    Or,
    Project,
    Relation,
    ScalarSubquery,
    SortKey,
    When,
    from_fields,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context, number_of_rows
from strategies.shapes.correlated import INNER_A, INNER_B, INSIDE, OUTSIDE, SAME_A, A, B, correlated, outer
from strategies.shapes.data import PAIRS
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.sides import join_sides

RULE = "PullOutNestedDataOuterRefExpressions"
_cases_of = partial(file_cases, forms_of=sql_only)


def _asking(draw: DrawFn, outside: Relation, rows: Relation) -> Filter | Project:
    """EXISTS, IN or a count of ``rows``, which are correlated."""
    form = draw(below(4))
    if form == 1:
        return Filter(outside, Exists(rows, negated=True))
    if form == 2:
        return Project(outside, (Item("p0", ScalarSubquery(number_of_rows(rows))),))
    pairs = [(one, two) for one in scope(outside.fields) for two in scope(rows.fields) if one.type == two.type]
    if form == 3 and pairs:
        one, two = pick(draw, pairs)
        listed = Project(rows, (Item("x", two.column()),))
        return Filter(outside, InSubquery((one.column(),), listed, one_in(draw, 2)))
    return Filter(outside, Exists(rows))


def _query(draw: DrawFn, schema: Database) -> Relation:
    outside, inside = join_sides(draw, schema)
    asked = _asking(draw, outside, correlated(draw, outside, inside))
    through = through_map(draw, asked) if can_go_through_map(asked) else _of_constant(outside, inside)
    return in_context(draw, schema, through)


def _of_constant(outside: Relation, inside: Relation) -> Relation:
    """A map of a constant, where only columns that no map has are compared."""
    fields, made = scope(from_fields(outside)), map_of((Lit(INT, 0),), (Lit(INT, 0),))
    qualifier = from_fields(outside)[0].qualifier
    assert qualifier is not None  # the sides of a join have names
    items = tuple(Item(field.name, field.column()) for field in fields)
    around = Alias(Project(outside, (*items, Item("m", made))), qualifier)
    read = MapRead(outer(Col("m", made.type, qualifier)), Lit(INT, 0))
    return Project(Filter(around, Exists(Filter(inside, IsNull(read, negated=True)))), items)


def fires() -> SearchStrategy[Case]:
    """EXISTS, IN and counts that are correlated by a read of a map; shrinks to
    ``(SELECT a, map(0, a) AS m FROM t0) AS t0 WHERE EXISTS (SELECT * FROM t0 AS s0 WHERE s0.a = t0.m[0])``.
    """
    return _cases_of(over_tables(_query))


# Two tables of two columns; the outer one has a map of them, by the keys 1 and 2.

_MAP = Map(INT, INT)
_KEYS = (Lit(INT, 1), Lit(INT, 2))
_M = Col("m", _MAP, "t0")


def _around(values: tuple[Expr, ...] = (A, B), *, unless: Expr | None = None) -> Relation:
    """The outer table with a map ``m`` of ``values``, which is NULL where not ``unless``."""
    made: Expr = map_of(_KEYS[: len(values)], values)
    if unless is not None:
        made = CaseWhen((When(unless, made),))
    return Alias(Project(OUTSIDE, (Item("a", A), Item("b", B), Item("m", made))), "t0")


def _read(key: int) -> MapRead:
    """``m[key]`` of the query around."""
    return MapRead(outer(_M), Lit(INT, key))


def _meets(key: int, column: Expr = INNER_A, op: CompareOp = "=") -> Compare:
    return Compare(op, column, _read(key))


def _shown(asked: Filter) -> Relation:
    """The columns of ``asked`` without the map, which no result may have."""
    return Project(asked, (Item("a", A), Item("b", B)))


def _asked(draw: DrawFn, around: Relation, rows: Relation) -> Relation:
    """EXISTS, NOT EXISTS, a count or LATERAL."""
    form = draw(below(4))
    if form < 2:
        return _shown(Filter(around, Exists(rows, negated=form == 1)))
    if form == 2:
        return Project(around, (Item("a", A), Item("b", B), Item("n", ScalarSubquery(number_of_rows(rows)))))
    joined = Lateral(around, Alias(rows, "s"), "cross")
    named = enumerate(field for field in scope(joined.fields) if not isinstance(field.type, Map))
    return Project(joined, tuple(Item(f"j{place}", field.column()) for place, field in named))


def _where(draw: DrawFn, condition: Expr) -> Relation:
    return _asked(draw, _around(), Filter(INSIDE, condition))


def _two_keys(draw: DrawFn) -> Relation:
    """Two reads, each with a column of its own."""
    one, two = pick(draw, ((1, 2), (2, 1)))
    met = pick(draw, (And, Or))(_meets(one), _meets(two, INNER_B))
    return _where(draw, met)


def _absent_key(draw: DrawFn) -> Relation:
    """A read of a key that the map lacks, in each row or in some."""
    around = _around((A,), unless=pick(draw, (None, Compare("=", B, Lit(INT, 1)), IsNull(B))))
    return _asked(draw, around, Filter(INSIDE, _meets(pick(draw, (2, 2, 1)))))


def _known_there(draw: DrawFn) -> Relation:
    """A condition that a NULL for the read makes true."""
    around = _around((A,), unless=pick(draw, (None, Compare("<", B, Lit(INT, 2)))))
    unknown = pick(draw, (_meets(2, op="<=>"), IsNull(_read(2)), Or(_meets(1), IsNull(_read(1)))))
    return _asked(draw, around, Filter(INSIDE, unknown))


def _computed_key(draw: DrawFn) -> Relation:
    """A key of the row around, which the map has or lacks."""
    key = pick(draw, (A, B))
    return _where(draw, Compare("=", INNER_A, MapRead(outer(_M), outer(key))))


def _in_order(draw: DrawFn) -> Relation:
    """An inequality, for which the values of all rows around are joined inside."""
    ops: tuple[CompareOp, ...] = ("<", ">=", "<=", ">")
    return _where(draw, _meets(pick(draw, (1, 2)), pick(draw, (INNER_A, INNER_B)), pick(draw, ops)))


def _grouped(draw: DrawFn) -> Relation:
    """Groups or distinct values for each row around."""
    rows = Filter(INSIDE, _meets(pick(draw, (1, 2))))
    if one_in(draw, 2):
        return _asked(draw, _around(), Distinct(Project(rows, (Item("b", INNER_B),))))
    groups = Aggregate(rows, (Item("k", INNER_B),), (Item("n", Agg("count")),))
    enough = Filter(groups, Compare(pick(draw, (">", "=")), Col("n", BIGINT), Lit(BIGINT, pick(draw, (1, 2)))))
    return _asked(draw, _around(), enough)


def _first_of_each(draw: DrawFn) -> Relation:
    """The first rows for each row around, not the first of all rows."""
    rows = Filter(INSIDE, _meets(pick(draw, (1, 2))))
    order = tuple(SortKey(field.column()) for field in scope(rows.fields))
    return _asked(draw, _around(), Limit(rows, order, 1, draw(below(2))))


def _two_subqueries(draw: DrawFn) -> Relation:
    """The same read, or two, in two subqueries of one operator."""
    one = Exists(Filter(INSIDE, _meets(1)), one_in(draw, 2))
    two = Exists(Filter(INSIDE, _meets(pick(draw, (1, 2)), INNER_B)), one_in(draw, 2))
    return _shown(Filter(_around(), pick(draw, (And, Or))(one, two)))


def _of_text(draw: DrawFn) -> Relation:
    """Keys of text."""
    keys = [Lit(STRING, key) for key in ("k", "", "K")]
    made = map_of(keys[:2], (A, B))
    around = Alias(Project(OUTSIDE, (Item("a", A), Item("b", B), Item("m", made))), "t0")
    read = MapRead(outer(Col("m", made.type, "t0")), pick(draw, keys))
    return _asked(draw, around, Filter(INSIDE, Compare("=", INNER_A, read)))


def _inner_key(draw: DrawFn) -> Relation:
    """A key of the row inside: the read belongs there."""
    met = Compare("=", INNER_A, MapRead(outer(_M), INNER_B))
    return _shown(Filter(_around(), Exists(Filter(INSIDE, met), one_in(draw, 2))))


def _read_around(draw: DrawFn) -> Relation:
    """The map is read outside the subquery, which is correlated by a column."""
    read = Compare("=", MapRead(_M, Lit(INT, 2)), Lit(INT, pick(draw, (0, 1))))
    return _shown(Filter(_around(), And(read, Exists(Filter(INSIDE, SAME_A), one_in(draw, 2)))))


def _by_hand(draw: DrawFn) -> Relation:
    """The column that the rule would add is there already."""
    read = Item("c", MapRead(_M, Lit(INT, pick(draw, (1, 2, 3)))))
    around = Alias(Project(_around(), (Item("a", A), Item("b", B), read)), "t0")
    met = Compare("=", INNER_A, outer(Col("c", INT, "t0")))
    return _asked(draw, around, Filter(INSIDE, met))


def _near(name: str, build: Callable[[DrawFn], Relation], *, fires: bool = True, weight: int = 1) -> NearMiss:
    return NearMiss(name, lambda: _cases_of(over_fixed(PAIRS, build)), fires=fires, weight=weight)


NEAR_MISSES = (
    _near("two_keys", _two_keys, weight=2),
    _near("absent_key", _absent_key, weight=2),
    _near("known_there", _known_there, weight=2),
    _near("computed_key", _computed_key),
    _near("in_order", _in_order),
    _near("grouped", _grouped),
    _near("first_of_each", _first_of_each),
    _near("two_subqueries", _two_subqueries),
    _near("of_text", _of_text),
    _near("inner_key", _inner_key, fires=False),
    _near("read_around", _read_around, fires=False),
    _near("by_hand", _by_hand, fires=False),
)
