"""RewriteCorrelatedScalarSubquery: a value that a subquery has for each row outside.

Where no row inside meets the row outside, the value is what the subquery has of no rows: 0 for a count, which a left
join alone would make NULL.
"""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import sql_only
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exactness import field_bits
from strategies.draw.operands import columns, comparable
from strategies.draw.scopes import scope
from strategies.draw.subqueries import of_one_row
from strategies.draw.values import draw_literal, literals
from strategies.ir import (
    BIGINT,
    INT,
    Agg,
    Aggregate,
    And,
    Arith,
    Case,
    Coalesce,
    Col,
    Compare,
    CompareOp,
    Database,
    Exists,
    Expr,
    Filter,
    InSubquery,
    IsNull,
    Item,
    Limit,
    Lit,
    Project,
    Relation,
    ScalarSubquery,
    SortKey,
    referable,
)
from strategies.shapes import NearMiss
from strategies.shapes.conditions import plain_aggregates
from strategies.shapes.context import in_context
from strategies.shapes.correlated import INNER_A, INNER_B, INSIDE, OUTSIDE, SAME_A, SAME_B, A, B, correlated, outer
from strategies.shapes.data import PAIRS
from strategies.shapes.forms import Question, file_cases, over_fixed, over_tables
from strategies.shapes.sides import join_sides

RULE = "RewriteCorrelatedScalarSubquery"
_cases_of = partial(file_cases, forms_of=sql_only)


def _value(draw: DrawFn, outside: Relation, inside: Relation) -> ScalarSubquery:
    """An aggregate of what meets a row outside, now and then with one over it (SPARK-45507), or the first of its values
    in order; shrinks to ``count(*)``.
    """
    rows = correlated(draw, outside, inside)
    fields = scope(rows.fields)
    function = draw(plain_aggregates(fields, bits=field_bits(rows)))
    form = draw(below(8))
    if form == 6:
        having = IsNull(Col("x", function.type), negated=True)
        return ScalarSubquery(Aggregate(rows, (), (Item("x", function),), having))
    if form == 7:
        listed = Project(rows, (Item("x", pick(draw, columns(fields))),))
        return ScalarSubquery(Limit(listed, (SortKey(listed.fields[0].column()),), 1))
    computed = Aggregate(rows, (), (Item("x", function),))
    if form == 4:
        return of_one_row(draw, ScalarSubquery(computed))
    if form == 5:
        default = Coalesce((Col("x", function.type), draw_literal(draw, function.type)))
        return ScalarSubquery(Project(computed, (Item("y", default),)))
    return ScalarSubquery(computed)


def _query(draw: DrawFn, schema: Database) -> Relation:
    outside, inside = join_sides(draw, schema)
    value = _value(draw, outside, inside)
    known = scope(outside.fields)
    # Where it is one column of several, what stands above may not ask for it.
    if draw(below(2)) == 0:
        items = [Item("p0", value)]
        if one_in(draw, 4):
            items.append(Item("p1", pick(draw, referable(known)).column()))
        return in_context(draw, schema, Project(outside, tuple(items)), reads=True)
    return in_context(draw, schema, Filter(outside, _compared(draw, outside, value)))


_OPS: tuple[CompareOp, ...] = ("=", "<=>", "<", ">=", "<>")


def _compared(draw: DrawFn, outside: Relation, value: Expr) -> Expr:
    others = comparable(scope(outside.fields), value)
    # A comparison with NULL is folded before the rule.
    other = pick(draw, others) if others and not one_in(draw, 2) else draw(literals(value.type, allow_null=False))
    return Compare(pick(draw, _OPS), other, value)


def fires() -> SearchStrategy[Case]:
    """A value of the rows that meet each row, in the select list or in a condition; shrinks to
    ``SELECT (SELECT count(*) FROM t0 AS s0 WHERE s0.a = t0.a) AS p0 FROM t0``.
    """
    return _cases_of(over_tables(_query))


# Two tables of two columns, in which not every row outside has one inside.

_X = Col("x", BIGINT)
_ZERO, _ONE = Lit(BIGINT, 0), Lit(BIGINT, 1)
_COUNTS = (Agg("count"), Agg("count", INNER_B), Agg("count", INNER_B, distinct=True))
_VALUES = (Agg("max", INNER_B), Agg("sum", INNER_B), Agg("min", INNER_B))


def _shown(draw: DrawFn, value: Expr, *, number: Lit = _ZERO) -> Question:
    """``value`` beside the row, or rows for which it is NULL, or a number."""
    form = draw(below(4))
    if form == 0:
        return PAIRS, Project(OUTSIDE, (Item("a", A), Item("n", value)))
    if form == 1:
        return PAIRS, Project(OUTSIDE, (Item("n", Coalesce((value, Lit(value.type, -1)))),))
    condition = IsNull(value) if form == 2 else Compare("=", value, Lit(value.type, number.value))
    return PAIRS, Filter(OUTSIDE, condition)


@st.composite
def _of_nothing(draw: DrawFn, functions: tuple[Agg, ...]) -> Question:
    met = Filter(INSIDE, SAME_A)
    return _shown(draw, ScalarSubquery(Aggregate(met, (), (Item("x", pick(draw, functions)),))))


@st.composite
def _computed_of_nothing(draw: DrawFn) -> Question:
    """A subquery that computes something of the count of no rows, or gives a value in place of that of none."""
    met = Filter(INSIDE, SAME_A)
    if draw(below(2)) == 0:
        counted = Aggregate(met, (), (Item("x", Agg("count")),))
        plus = Project(counted, (Item("y", Arith("+", _X, _ONE)),))
        return _shown(draw, ScalarSubquery(plus), number=_ONE)
    most = Aggregate(met, (), (Item("x", Agg("max", INNER_B)),))
    instead = Project(most, (Item("y", Coalesce((Col("x", INT), Lit(INT, 0)))),))
    return _shown(draw, ScalarSubquery(instead))


@st.composite
def _having(draw: DrawFn) -> Question:
    """HAVING asks about the group of no rows, too."""
    condition = Compare(pick(draw, ("=", "<", ">=", "<>")), _X, Lit(BIGINT, pick(draw, (0, 1, 2))))
    counted = Aggregate(Filter(INSIDE, SAME_A), (), (Item("x", Agg("count")),), condition)
    return _shown(draw, ScalarSubquery(counted), number=_ONE)


@st.composite
def _both_columns(draw: DrawFn) -> Question:
    """Rows that agree in one column are not yet partners."""
    met = Filter(INSIDE, And(SAME_A, SAME_B))
    return _shown(draw, ScalarSubquery(Aggregate(met, (), (Item("x", pick(draw, (*_COUNTS, *_VALUES))),))))


@st.composite
def _null_safe(draw: DrawFn) -> Question:
    """NULL meets NULL."""
    met = Filter(INSIDE, Compare("<=>", INNER_A, outer(A)))
    return _shown(draw, ScalarSubquery(Aggregate(met, (), (Item("x", pick(draw, (*_COUNTS, *_VALUES))),))))


@st.composite
def _least_group(draw: DrawFn) -> Question:
    """A grouped count, which is NULL for an outer row without a partner: no rows make no group."""
    counted = Aggregate(Filter(INSIDE, SAME_A), (Item("k", INNER_B),), (Item("x", Agg("count")),))
    listed = Project(counted, (Item("x", _X),))
    return _shown(draw, ScalarSubquery(Limit(listed, (SortKey(_X),), 1)), number=_ONE)


def _two_values(draw: DrawFn) -> Relation:
    """A count and a value, by different columns."""
    many = Aggregate(Filter(INSIDE, SAME_A), (), (Item("x", Agg("count")),))
    most = Aggregate(Filter(INSIDE, SAME_B), (), (Item("x", pick(draw, _VALUES)),))
    return Project(OUTSIDE, (Item("m", ScalarSubquery(many)), Item("n", ScalarSubquery(most))))


@st.composite
def _uncorrelated(draw: DrawFn) -> Question:
    return _shown(draw, ScalarSubquery(Aggregate(INSIDE, (), (Item("x", pick(draw, (*_COUNTS, *_VALUES))),))))


def _conditions(condition: Expr) -> SearchStrategy[Question]:
    question: Question = (PAIRS, Filter(OUTSIDE, condition))
    return st.just(question)


_MET = Filter(INSIDE, SAME_A)
NEAR_MISSES = (
    NearMiss("count_of_nothing", lambda: _cases_of(_of_nothing(_COUNTS)), fires=True),
    NearMiss("value_of_nothing", lambda: _cases_of(_of_nothing(_VALUES)), fires=True),
    NearMiss("computed_of_nothing", lambda: _cases_of(_computed_of_nothing()), fires=True),
    NearMiss("having", lambda: _cases_of(_having()), fires=True),
    NearMiss("both_columns", lambda: _cases_of(_both_columns()), fires=True, weight=3),
    NearMiss("null_safe", lambda: _cases_of(_null_safe()), fires=True),
    NearMiss("least_group", lambda: _cases_of(_least_group()), fires=True),
    NearMiss("two_values", lambda: _cases_of(over_fixed(PAIRS, _two_values)), fires=True),
    NearMiss("uncorrelated", lambda: _cases_of(_uncorrelated()), fires=False),
    NearMiss("exists", lambda: _cases_of(_conditions(Exists(_MET))), fires=False),
    NearMiss(
        "in",
        lambda: _cases_of(_conditions(InSubquery((B,), Project(_MET, (Item("x", INNER_B),))))),
        fires=False,
    ),
)
