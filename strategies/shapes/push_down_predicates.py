"""PushDownPredicates: everything that its three parts do, one beside and one below the other."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import below, pick
from strategies.draw.queries import scope
from strategies.draw.tables import schemas
from strategies.draw.values import draw_literal
from strategies.ir import (
    COMPARE_OPS,
    INT,
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Case,
    Col,
    Compare,
    Filter,
    Item,
    Join,
    Or,
    Relation,
    SetOp,
)
from strategies.shapes import NearMiss
from strategies.shapes.combine_filters import filtered_twice, limited
from strategies.shapes.context import in_context, number_of_rows
from strategies.shapes.filters import PAIR, A, B, about
from strategies.shapes.forms import Question, file_cases, not_of_pivots, over_fixed
from strategies.shapes.push_predicate_through_join import over_join
from strategies.shapes.pushable import over_operator
from strategies.shapes.sides import scan

RULE = "PushDownPredicates"
_cases_of = partial(file_cases, forms_of=not_of_pivots)


@st.composite
def _questions(draw: DrawFn) -> Question:
    schema = draw(schemas(max_tables=2))
    part = draw(below(6))
    if part < 3:
        relation = over_operator(draw, schema)
    else:
        relation = over_join(draw, schema) if part < 5 else filtered_twice(draw, schema.tables[0])
    return schema, in_context(draw, schema, relation)


def fires() -> SearchStrategy[Case]:
    """Cases of filters that one of the rule's parts moves; shrinks to ``a = 0`` over the distinct rows of a table."""
    return _cases_of(_questions())


_TABLE = PAIR.tables[0]
_SCAN = scan(_TABLE)


def _cascade(draw: DrawFn) -> Relation:
    """``WHERE`` over a join of a grouped union with a table: below all of them in one pass."""
    union = SetOp("union", _SCAN, _SCAN, all=True)
    grouped = Alias(Aggregate(union, (Item("a", A),), (Item("n", Agg("count")),)), "s0")
    joined = Join(grouped, _SCAN, "inner", Compare("=", Col("a", INT, "s0"), Col("a", INT, "t0")))
    return Filter(joined, Compare(pick(draw, COMPARE_OPS), Col("a", INT, "s0"), draw_literal(draw, INT)))


def _either(draw: DrawFn) -> Relation:
    """An OR of both sides above a cross join is one condition: it moves as a whole."""
    both = Join(_SCAN, Alias(_SCAN, "s0"), "cross")
    conditions = (
        Compare(pick(draw, COMPARE_OPS), Col("a", INT, name), draw_literal(draw, INT)) for name in ("t0", "s0")
    )
    return Filter(both, Or(*conditions))


def _below_a_limit(draw: DrawFn) -> Relation:
    return Filter(limited(_TABLE, pick(draw, (1, 2, 3))), about(draw, scope(_SCAN.fields), depth=0))


def _above_a_count_of_any(draw: DrawFn) -> Relation:
    """A filter over a count of a limit without an order: the count is of as many rows as there were."""
    counted = number_of_rows(AnyLimit(_SCAN, pick(draw, (1, 2, 3))))
    return Filter(counted, about(draw, scope(counted.fields), depth=0))


def _full_join(draw: DrawFn) -> Relation:
    """A condition of either side in an ON of a full join."""
    keys = Compare("=", Col("a", INT, "t0"), Col("a", INT, "s0"))
    condition = Compare(pick(draw, COMPARE_OPS), Col("b", INT, pick(draw, ("t0", "s0"))), draw_literal(draw, INT))
    return Join(_SCAN, Alias(_SCAN, "s0"), "full", Or(keys, condition) if draw(st.booleans()) else condition)


def _over_a_table(draw: DrawFn) -> Relation:
    return Filter(_SCAN, Compare(pick(draw, COMPARE_OPS), pick(draw, (A, B)), draw_literal(draw, INT)))


NEAR_MISSES = (
    NearMiss("cascade", lambda: _cases_of(over_fixed(PAIR, _cascade)), fires=True),
    NearMiss("either", lambda: _cases_of(over_fixed(PAIR, _either)), fires=True, weight=2),
    NearMiss("below_a_limit", lambda: _cases_of(over_fixed(PAIR, _below_a_limit)), fires=False, weight=2),
    NearMiss("above_a_count_of_any", lambda: _cases_of(over_fixed(PAIR, _above_a_count_of_any)), fires=False),
    NearMiss("full_join", lambda: _cases_of(over_fixed(PAIR, _full_join)), fires=False),
    NearMiss("over_a_table", lambda: _cases_of(over_fixed(PAIR, _over_a_table)), fires=False),
)
