"""RewritePredicateSubquery: EXISTS and IN over a subquery, which become joins that only keep rows, or flag them."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import sql_only
from strategies.draw.draws import below, one_in, pick
from strategies.draw.scopes import scope
from strategies.draw.values import draw_literal
from strategies.ir import (
    BIGINT,
    COMPARE_OPS,
    INT,
    Agg,
    Aggregate,
    Alias,
    And,
    Case,
    Coalesce,
    Col,
    Compare,
    Database,
    Exists,
    Expr,
    Filter,
    InSubquery,
    Item,
    Join,
    Lit,
    Or,
    Outer,
    Project,
    Relation,
    ScalarSubquery,
    from_fields,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.correlated import (
    INNER_A,
    INNER_B,
    INSIDE,
    OUTSIDE,
    SAME_A,
    A,
    B,
    correlated,
    in_list,
    join_by_hand,
    outer,
)
from strategies.shapes.data import PAIRS
from strategies.shapes.filters import about
from strategies.shapes.forms import Question, file_cases, over_fixed, over_tables
from strategies.shapes.groups import without_rows
from strategies.shapes.sides import join_sides

RULE = "RewritePredicateSubquery"
_cases_of = partial(file_cases, forms_of=sql_only)


def _asked(draw: DrawFn, outside: Relation, inside: Relation) -> Expr:
    """Whether rows inside meet the row outside, or one of its values is among theirs; shrinks to IN."""
    if draw(below(2)) == 0:
        return Exists(correlated(draw, outside, inside), one_in(draw, 3))
    without, within = scope(from_fields(outside)), from_fields(inside)
    pairs = [(one, two) for one in without for two in within if one.type == two.type]
    if not pairs:
        return Exists(correlated(draw, outside, inside))
    one, two = pick(draw, pairs)
    rows = correlated(draw, outside, inside) if one_in(draw, 3) else inside
    return InSubquery((one.column(),), Project(rows, (Item("x", two.column()),)), one_in(draw, 2))


def _query(draw: DrawFn, schema: Database) -> Relation:
    outside, inside = join_sides(draw, schema)
    asked = _asked(draw, outside, inside)
    form = draw(below(8))
    if form == 7:
        return in_context(draw, schema, Project(outside, (Item("p0", asked),)), reads=True)
    if form == 6:
        asked = And(about(draw, scope(from_fields(outside))), asked)
    if form in (4, 5):
        asked = Or(about(draw, scope(from_fields(outside))), asked)
    return in_context(draw, schema, Filter(outside, asked))


def fires() -> SearchStrategy[Case]:
    """EXISTS and IN in conditions, now and then below OR, or in the select list; shrinks to
    ``t0 WHERE EXISTS (SELECT * FROM t0 AS s0 WHERE s0.a = t0.a)``.
    """
    return _cases_of(over_tables(_query))


# Two tables of two columns.

_MET = Filter(INSIDE, SAME_A)


def _listed(rows: Relation) -> Relation:
    return Project(rows, (Item("x", INNER_B),))


_OTHER = Alias(INSIDE, "o")
_ALL, _OF_MET = _listed(INSIDE), _listed(_MET)
_NOTHING = _listed(without_rows(PAIRS.tables[1]))


def _where(condition: Expr) -> SearchStrategy[Question]:
    question: Question = (PAIRS, Filter(OUTSIDE, condition))
    return st.just(question)


def _or(draw: DrawFn, asked: Expr) -> Relation:
    """Either half is enough."""
    other = Compare(pick(draw, COMPARE_OPS), pick(draw, (A, B)), draw_literal(draw, INT))
    return Filter(OUTSIDE, Or(other, asked) if draw(below(2)) == 0 else Or(asked, other))


def _both_columns(draw: DrawFn) -> Relation:
    """Two values against two columns: one that differs decides, whatever NULL there is in the other one."""
    listed = Project(INSIDE, (Item("x", INNER_A), Item("y", INNER_B)))
    return Filter(OUTSIDE, InSubquery((A, B), listed, draw(below(2)) == 0))


def _flag(draw: DrawFn) -> Relation:
    """A projection of the subquery's condition as a column, which is never NULL."""
    asked = pick(draw, (Exists(_MET), Exists(_MET, negated=True), InSubquery((B,), _ALL), InSubquery((B,), _OF_MET)))
    return Project(OUTSIDE, (Item("a", A), Item("flag", asked)))


def _of_groups(draw: DrawFn) -> Relation:
    """A flag of each group, or of a total, which no rule may move into the aggregate (SPARK-49819, 50091)."""
    if draw(below(2)) == 0:
        groups = Alias(Aggregate(OUTSIDE, (Item("a", A),), (Item("n", Agg("count")),)), "q")
        met = Filter(INSIDE, Compare(pick(draw, ("=", "<=>")), INNER_A, Outer("a", INT, "q")))
        asked: Expr = Exists(met, draw(below(2)) == 1)
        return Project(groups, (Item("flag", asked), *pick(draw, ((), (Item("n", Col("n", BIGINT)),)))))
    total = Aggregate(OUTSIDE, (), (Item("m", Agg(pick(draw, ("max", "min")), A)),))
    return Project(total, (Item("flag", InSubquery((Col("m", INT),), _ALL)),))


def _of_the_outer_row(draw: DrawFn) -> Relation:
    """IN of an outer column beside a correlation, in a subquery (SPARK-45580)."""
    inner = InSubquery((outer(pick(draw, (A, B))),), Project(_OTHER, (Item("y", Col("b", INT, "o")),)))
    both = (inner, SAME_A) if draw(below(2)) == 0 else (SAME_A, inner)
    return Filter(OUTSIDE, Exists(Filter(INSIDE, pick(draw, (Or, And))(*both)), draw(below(2)) == 1))


def _between_tables(draw: DrawFn) -> Relation:
    """ON with NOT IN or IN of what is never NULL, over rows that may be (SPARK-58481)."""
    operands = tuple(Coalesce((column, Lit(INT, 0))) for column in pick(draw, ((A, B), (A,))))
    rows = Project(_OTHER, tuple(Item(name, Col(name, INT, "o")) for name in "ab"[: len(operands)]))
    return Join(OUTSIDE, INSIDE, pick(draw, ("full", "left", "inner")), InSubquery(operands, rows, draw(below(3)) > 0))


_COUNTED = ScalarSubquery(Aggregate(_MET, (), (Item("x", Agg("count")),)))

NEAR_MISSES = (
    NearMiss("not_in_with_null", lambda: _cases_of(_where(InSubquery((B,), _ALL, negated=True))), fires=True),
    NearMiss(
        "not_in_what_is_met", lambda: _cases_of(_where(InSubquery((B,), _OF_MET, negated=True))), fires=True, weight=2
    ),
    NearMiss("not_in_nothing", lambda: _cases_of(_where(InSubquery((B,), _NOTHING, negated=True))), fires=True),
    NearMiss(
        "not_in_below_or", lambda: _cases_of(over_fixed(PAIRS, _or, InSubquery((B,), _ALL, negated=True))), fires=True
    ),
    NearMiss("in_below_or", lambda: _cases_of(over_fixed(PAIRS, _or, InSubquery((B,), _ALL))), fires=True),
    NearMiss("exists_below_or", lambda: _cases_of(over_fixed(PAIRS, _or, Exists(_MET))), fires=True),
    NearMiss("exists_with_partners", lambda: _cases_of(_where(Exists(_MET))), fires=True),
    NearMiss("both_columns", lambda: _cases_of(over_fixed(PAIRS, _both_columns)), fires=True),
    NearMiss("flag", lambda: _cases_of(over_fixed(PAIRS, _flag)), fires=True),
    NearMiss("of_groups", lambda: _cases_of(over_fixed(PAIRS, _of_groups)), fires=True),
    NearMiss("of_the_outer_row", lambda: _cases_of(over_fixed(PAIRS, _of_the_outer_row)), fires=True),
    NearMiss("between_tables", lambda: _cases_of(over_fixed(PAIRS, _between_tables)), fires=True),
    NearMiss("uncorrelated_exists", lambda: _cases_of(_where(Exists(INSIDE))), fires=False),
    NearMiss("in_list", lambda: _cases_of(over_fixed(PAIRS, in_list)), fires=False),
    NearMiss("join_by_hand", lambda: _cases_of(join_by_hand(("=", "<=>", "<"))), fires=False),
    NearMiss(
        "scalar_subquery",
        lambda: _cases_of(_where(Compare("<", Lit(_COUNTED.type, 0), _COUNTED))),
        fires=False,
    ),
)
