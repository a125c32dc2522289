"""Shape of RemoveRedundantAggregates: groups of groups, of which the upper ones don't depend on how many there are."""

from __future__ import annotations

from functools import partial

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import sql_only
from strategies.draw.draws import one_in, pick
from strategies.draw.operands import columns
from strategies.draw.scopes import scope
from strategies.ir import (
    BIGINT,
    INT,
    STRING,
    Agg,
    Aggregate,
    Case,
    Col,
    Compare,
    Database,
    Distinct,
    Item,
    Limit,
    Lit,
    Project,
    Relation,
    SortKey,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.filters import A, B
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.sides import source

RULE = "RemoveRedundantAggregates"
_cases_of = partial(file_cases, forms_of=sql_only)
_COUNT = (Item("n", Agg("count")),)


def _groups(draw: DrawFn, schema: Database) -> tuple[Relation, int]:
    """Different rows, or groups by one column or more with their counts; and the number of keys."""
    rows = source(draw, schema)
    fields = scope(rows.fields)
    if pick(draw, (True, True, False)):
        return Distinct(rows), len(fields)
    keys = pick(draw, (fields, fields[:1]))
    return Aggregate(rows, tuple(Item(f"k{place}", key.column()) for place, key in enumerate(keys)), _COUNT), len(keys)


def _query(draw: DrawFn, schema: Database) -> Relation:
    lower, width = _groups(draw, schema)
    keys = scope(lower.fields)[:width]
    form = pick(draw, (0, 0, 1, 2))
    if form == 0:
        return in_context(draw, schema, Distinct(lower))
    column = pick(draw, keys).column()
    key = Item("g", column)
    if form == 1:
        return in_context(draw, schema, Aggregate(lower, (key,), ()))
    function = Agg(pick(draw, ("max", "min")), pick(draw, columns(keys) or (column,)))
    return in_context(draw, schema, Aggregate(lower, (key,) if one_in(draw, 2) else (), (Item("m", function),)))


def fires() -> SearchStrategy[Case]:
    """DISTINCT, GROUP BY or greatest and least values over groups; shrinks to DISTINCT over DISTINCT of ``t0``."""
    return _cases_of(over_tables(_query))


# Near misses, over a table of two columns.

_TABLE = scans_of(PAIRS)[0]
_ROWS = Distinct(_TABLE)
_COUNTED = Aggregate(_TABLE, (Item("k", A),), _COUNT)
_K, _N = Col("k", INT), Col("n", BIGINT)
_BY_BOTH = (SortKey(A), SortKey(B))


def _how_many(draw: DrawFn) -> Relation:
    """How many different rows there are for a key, or a sum over these."""
    key, other = pick(draw, ((A, B), (B, A)))
    function = pick(draw, (Agg("count"), Agg("count", other), Agg("sum", other)))
    return Aggregate(_ROWS, (Item("g", key),), (Item("m", function),))


def _by_counts(draw: DrawFn) -> Relation:
    """Groups by what the lower groups count."""
    keys = pick(draw, ((Item("g", _N),), (Item("g", _N), Item("h", _N))))
    return Aggregate(_COUNTED, keys, pick(draw, ((), (Item("m", Agg("max", _K)),))))


def _having(draw: DrawFn) -> Relation:
    """All of a key again over the groups that pass a condition on their counts."""
    condition = Compare(pick(draw, (">", "=", "<>")), _N, Lit(BIGINT, 1))
    lower = Aggregate(_TABLE, (Item("k", A),), _COUNT, condition)
    return Aggregate(lower, (Item("g", _K),), ())


def _of_first_rows(draw: DrawFn) -> Relation:
    """Groups by one of two columns of the first of different rows."""
    first = Limit(_ROWS, _BY_BOTH, pick(draw, (3, 2, 5)))
    return Aggregate(first, (Item("g", pick(draw, (A, B))),), ())


def _all_of_first_rows(draw: DrawFn) -> Relation:
    return Distinct(Limit(_ROWS, _BY_BOTH, pick(draw, (3, 2, 5))))


def _of_one_row(draw: DrawFn) -> Relation:
    """A value of the one row that an aggregate without keys has of no rows, too."""
    one = Project(Aggregate(_TABLE, (), _COUNT), pick(draw, ((Item("x", Lit(INT, 1)),), (Item("x", _N),))))
    return Aggregate(one, (), (Item("m", Agg("max", one.fields[0].column())),))


def _by_constants(draw: DrawFn) -> Relation:
    """Constants for all rows, which no rows have not."""
    return Aggregate(_TABLE, (Item("g", pick(draw, (Lit(INT, 1), Lit(STRING, "a")))),), ())


def _alone(draw: DrawFn) -> Relation:
    return pick(draw, (_ROWS, Aggregate(_TABLE, (Item("g", A),), ())))


NEAR_MISSES = (
    NearMiss("how_many", lambda: _cases_of(over_fixed(PAIRS, _how_many)), fires=False, weight=2),
    NearMiss("by_counts", lambda: _cases_of(over_fixed(PAIRS, _by_counts)), fires=False, weight=2),
    NearMiss("having", lambda: _cases_of(over_fixed(PAIRS, _having)), fires=True, weight=2),
    NearMiss("of_first_rows", lambda: _cases_of(over_fixed(PAIRS, _of_first_rows)), fires=False, weight=2),
    NearMiss("all_of_first_rows", lambda: _cases_of(over_fixed(PAIRS, _all_of_first_rows)), fires=True),
    NearMiss("of_one_row", lambda: _cases_of(over_fixed(PAIRS, _of_one_row)), fires=False),
    NearMiss("by_constants", lambda: _cases_of(over_fixed(PAIRS, _by_constants)), fires=False),
    NearMiss("alone", lambda: _cases_of(over_fixed(PAIRS, _alone)), fires=False),
)
