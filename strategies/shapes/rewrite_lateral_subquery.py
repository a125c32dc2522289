"""Shape of RewriteLateralSubquery: LATERAL joins, which become joins with what they were correlated by in ON."""

from __future__ import annotations

from functools import partial

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import sql_only
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exactness import field_bits
from strategies.draw.operands import columns
from strategies.draw.scopes import fresh_alias, scope
from strategies.ir import (
    BOOLEAN,
    INT,
    LATERAL_KINDS,
    Agg,
    Aggregate,
    Alias,
    Case,
    Col,
    Compare,
    Database,
    Expr,
    Filter,
    Item,
    Join,
    JoinKind,
    Lateral,
    Limit,
    Lit,
    Project,
    Relation,
    SortKey,
    TryArith,
    from_fields,
)
from strategies.shapes import NearMiss
from strategies.shapes.conditions import plain_aggregates
from strategies.shapes.context import joined_in_context
from strategies.shapes.correlated import INNER_A, INNER_B, INSIDE, OUTSIDE, SAME_A, A, B, correlated, outer
from strategies.shapes.data import PAIRS
from strategies.shapes.filters import about
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import join_sides

RULE = "RewriteLateralSubquery"
_cases_of = partial(file_cases, forms_of=sql_only)
_ALWAYS = Lit(BOOLEAN, True)


def _rows(draw: DrawFn, outside: Relation, inside: Relation) -> Relation:
    """The rows that match a row outside, their aggregate, or the first of them."""
    rows = correlated(draw, outside, inside)
    fields = scope(rows.fields)
    form = draw(below(6))
    if form == 4:
        return Aggregate(rows, (), (Item("x", draw(plain_aggregates(fields, bits=field_bits(rows)))),))
    if form == 5:
        listed = Project(rows, (Item("x", pick(draw, columns(fields))),))
        return Limit(listed, (SortKey(listed.fields[0].column(), one_in(draw, 2)),), pick(draw, (1, 2)))
    return rows


def _query(draw: DrawFn, schema: Database) -> Relation:
    outside, inside = join_sides(draw, schema)
    right = Alias(_rows(draw, outside, inside), fresh_alias(outside, inside))
    kind = pick(draw, LATERAL_KINDS)
    both = scope(from_fields(outside) + right.fields)
    on = None if kind == "cross" else about(draw, both) if one_in(draw, 2) else _ALWAYS
    return joined_in_context(draw, schema, Lateral(outside, right, kind, on), len(outside.fields))


def fires() -> SearchStrategy[Case]:
    """A LATERAL join with the rows that match, their aggregate or the first of them; shrinks to
    ``t0 JOIN LATERAL (SELECT * FROM t0 AS s0 WHERE s0.a = t0.a) ON true``.
    """
    return _cases_of(over_tables(_query))


# Near misses, over two tables of two columns, in which not every row outside has one inside.

_MET = Filter(INSIDE, SAME_A)
_KINDS: tuple[JoinKind, ...] = ("left", "inner")


def _lateral(query: Relation, kind: JoinKind, on: Expr = _ALWAYS) -> Lateral:
    return Lateral(OUTSIDE, Alias(query, "q"), kind, on)


def _unmatched(draw: DrawFn) -> Relation:
    return _lateral(_MET, "left")


def _on(draw: DrawFn) -> Relation:
    """A condition on the rows inside, of which a left join may have none for which it is true."""
    b = Col("b", INT, "q")
    condition = pick(draw, (Compare("<", b, B), Compare(pick(draw, ("<", ">=", "<>")), b, known_literal(draw, INT))))
    return _lateral(_MET, pick(draw, _KINDS), condition)


def _count_of_nothing(draw: DrawFn) -> Relation:
    function = pick(draw, (Agg("count"), Agg("count", INNER_B), Agg("max", INNER_B)))
    return _lateral(Aggregate(_MET, (), (Item("x", function),)), pick(draw, _KINDS))


def _null_outside(draw: DrawFn) -> Relation:
    """NULL outside meets NULL inside, or has a value computed with it, and is a row like another."""
    met = Filter(INSIDE, Compare("<=>", INNER_A, outer(A)))
    computed = Project(INSIDE, (Item("x", TryArith("+", INNER_B, outer(B))),))
    return _lateral(pick(draw, (met, Aggregate(met, (), (Item("x", Agg("count")),)), computed)), pick(draw, _KINDS))


def _first_of_each(draw: DrawFn) -> Relation:
    """A limit for each row outside."""
    listed = Project(_MET, (Item("x", INNER_B),))
    key = SortKey(listed.fields[0].column(), one_in(draw, 2), nulls_first=False)
    return _lateral(Limit(listed, (key,), pick(draw, (1, 2))), pick(draw, _KINDS))


def _repeats_outside(draw: DrawFn) -> Relation:
    """Rows outside of one column, and so equal ones, with rows that are aggregated for each."""
    few = Alias(Project(OUTSIDE, (Item("a", A),)), "f")
    met = Filter(INSIDE, Compare("=", INNER_A, outer(Col("a", INT, "f"))))
    query = pick(draw, (met, Aggregate(met, (), (Item("x", Agg("count")),))))
    return Lateral(few, Alias(query, "q"), pick(draw, _KINDS), _ALWAYS)


def _uncorrelated(draw: DrawFn) -> Relation:
    return _lateral(Filter(INSIDE, about(draw, scope(INSIDE.fields))), pick(draw, _KINDS))


def _join(draw: DrawFn) -> Relation:
    return Join(OUTSIDE, INSIDE, pick(draw, _KINDS), Compare(pick(draw, ("=", "<")), A, INNER_A))


NEAR_MISSES = (
    NearMiss("unmatched", lambda: _cases_of(over_fixed(PAIRS, _unmatched)), fires=True),
    NearMiss("on", lambda: _cases_of(over_fixed(PAIRS, _on)), fires=True, weight=2),
    NearMiss("count_of_nothing", lambda: _cases_of(over_fixed(PAIRS, _count_of_nothing)), fires=True),
    NearMiss("null_outside", lambda: _cases_of(over_fixed(PAIRS, _null_outside)), fires=True, weight=2),
    NearMiss("first_of_each", lambda: _cases_of(over_fixed(PAIRS, _first_of_each)), fires=True),
    NearMiss("repeats_outside", lambda: _cases_of(over_fixed(PAIRS, _repeats_outside)), fires=True, weight=2),
    NearMiss("uncorrelated", lambda: _cases_of(over_fixed(PAIRS, _uncorrelated)), fires=True),
    NearMiss("join", lambda: _cases_of(over_fixed(PAIRS, _join)), fires=False),
)
