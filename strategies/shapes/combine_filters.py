"""Shape of CombineFilters: a filter over a filter."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.queries import scope
from strategies.draw.tables import schemas
from strategies.draw.values import draw_literal
from strategies.ir import (
    BIGINT,
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
    Filter,
    IsNull,
    Item,
    Join,
    Limit,
    Lit,
    Relation,
    SetOp,
    SortKey,
    Table,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.filters import PAIR, A, B, about
from strategies.shapes.forms import Question, file_cases, over_fixed, over_one_table
from strategies.shapes.pushable import where
from strategies.shapes.sides import scan

RULE = "CombineFilters"


def filtered_twice(draw: DrawFn, table: Table) -> Relation:
    """A filter over a filter of rows of ``table``.

    Right over a table, Spark's file scan merges two filters without the rule, so there is mostly an operator between.
    """
    base = limited(table) if one_in(draw, 4) else pick(draw, (*[Distinct(scan(table))] * 5, _twice(table), scan(table)))
    lower = where(draw, base)
    return where(draw, where(draw, lower) if one_in(draw, 8) else lower)


def _twice(table: Table) -> Relation:
    return SetOp("union", scan(table), scan(table), all=True)


def limited(table: Table, count: int = 5) -> Relation:
    """The first rows of ``table`` in the order of all its columns."""
    base = scan(table)
    return Limit(base, tuple(SortKey(field.column()) for field in scope(base.fields)), count)


@st.composite
def _questions(draw: DrawFn) -> Question:
    schema = draw(schemas(max_tables=2))
    return schema, in_context(draw, schema, filtered_twice(draw, schema.tables[0]))


def fires() -> SearchStrategy[Case]:
    """Two filters, one over the other; shrinks to ``a = 0`` twice over the distinct rows of a table."""
    return file_cases(_questions())


_TABLE = PAIR.tables[0]
_N = Col("n", BIGINT)
_COUNTED = Aggregate(scan(_TABLE), (Item("a", A),), (Item("n", Agg("count")),))


def _on_one_column(draw: DrawFn) -> Relation:
    """Both filters compare the same column, with other operators and values."""
    lower, upper = (Compare(pick(draw, COMPARE_OPS), A, draw_literal(draw, INT)) for _ in range(2))
    return Filter(Filter(Distinct(scan(_TABLE)), lower), upper)


def _the_same(draw: DrawFn) -> Relation:
    base = Distinct(scan(_TABLE))
    condition = about(draw, scope(base.fields))
    return Filter(Filter(base, condition), condition)


def _having_and_where(draw: DrawFn) -> Relation:
    """A WHERE on the key over a HAVING on the count, which is a filter, too."""
    having = Compare(pick(draw, COMPARE_OPS), _N, Lit(BIGINT, pick(draw, (1, 2))))
    return Filter(replace(_COUNTED, having=having), Compare(pick(draw, COMPARE_OPS), A, draw_literal(draw, INT)))


def _through_a_limit(draw: DrawFn) -> Relation:
    below = Filter(scan(_TABLE), about(draw, scope(scan(_TABLE).fields)))
    order = (SortKey(A), SortKey(B))
    return Filter(Limit(below, order, pick(draw, (1, 2, 3))), about(draw, scope(below.fields)))


def _on_the_count(draw: DrawFn) -> Relation:
    """Filters above and below an aggregate, the upper one on the aggregate's count."""
    below = Filter(scan(_TABLE), about(draw, scope(scan(_TABLE).fields)))
    upper = Compare(pick(draw, COMPARE_OPS), _N, Lit(BIGINT, pick(draw, (1, 2))))
    return Filter(replace(_COUNTED, child=below), upper)


def _through_a_full_join(draw: DrawFn) -> Relation:
    left, right = scan(_TABLE), Alias(scan(_TABLE), "s0")
    below = Alias(Filter(left, about(draw, scope(left.fields))), "s1")
    join = Join(below, right, "full", Compare("=", Col("a", INT, "s1"), Col("a", INT, "s0")))
    return Filter(join, IsNull(Col("b", INT, pick(draw, ("s0", "s1")))))


def _alone(draw: DrawFn, schema: Database) -> Relation:
    base = Distinct(scan(schema.tables[0]))
    return Filter(base, about(draw, scope(base.fields)))


NEAR_MISSES = (
    NearMiss("on_one_column", lambda: file_cases(over_fixed(PAIR, _on_one_column)), fires=True, weight=2),
    NearMiss("the_same", lambda: file_cases(over_fixed(PAIR, _the_same)), fires=True),
    NearMiss("having_and_where", lambda: file_cases(over_fixed(PAIR, _having_and_where)), fires=True),
    NearMiss("through_a_limit", lambda: file_cases(over_fixed(PAIR, _through_a_limit)), fires=False),
    NearMiss("on_the_count", lambda: file_cases(over_fixed(PAIR, _on_the_count)), fires=False),
    NearMiss("through_a_full_join", lambda: file_cases(over_fixed(PAIR, _through_a_full_join)), fires=False),
    NearMiss("alone", lambda: file_cases(over_one_table(_alone)), fires=False),
)
