"""ReplaceExceptWithNotFilter, a rule of one's own: an EXCEPT of a plan and the same plan under a filter.

Both sides show all columns of their plan: a projection above the filter would hide it. The near misses named in
``HOLES`` are those on which the rule fails as it was first written.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import FormsOf, sql_only
from strategies.draw.draws import pick
from strategies.draw.scopes import scope
from strategies.draw.values import draw_literal
from strategies.ir import (
    COMPARE_OPS,
    DOUBLE,
    INT,
    Alias,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Exists,
    Expr,
    Filter,
    IsNull,
    Item,
    Join,
    Or,
    Project,
    Relation,
    SetOp,
    Table,
    from_fields,
)
from strategies.shapes import NearMiss
from strategies.shapes.conditions import plain_predicates
from strategies.shapes.context import in_context
from strategies.shapes.data import counted, repeated
from strategies.shapes.filters import PAIR, A, B
from strategies.shapes.forms import Question, any_form, file_cases, over_files, over_fixed
from strategies.shapes.same_base import BOTH, exact_schemas, filtered_pair, null_for_some
from strategies.shapes.sides import scan

RULE = "ReplaceExceptWithNotFilter"
OWN = True
HOLES = {"null_condition": "a row goes where c is NULL", "names_swapped": "c's columns are found by name"}


def _difference(left: Relation, right: Relation) -> Relation:
    return SetOp("except", left, right)


@st.composite
def _questions(draw: DrawFn) -> Question:
    schema = draw(exact_schemas())
    table = scan(schema.tables[0])
    base = pick(draw, (*[table] * 9, Alias(table, "s0"), Distinct(table)))
    sides = filtered_pair(draw, base, lambda draw, fields: draw(plain_predicates(fields)))
    return schema, in_context(draw, schema, _difference(*sides))


def _cases_of(questions: SearchStrategy[Question], *, forms_of: FormsOf = any_form) -> SearchStrategy[Case]:
    """Over files: Spark can't translate coalesce() of an AND with a NULL for other sources
    (null-in-a-predicate-for-a-source), and only entries for Spark's own rules excuse that.
    """
    return over_files(file_cases(questions, forms_of=forms_of))


def fires() -> SearchStrategy[Case]:
    """``t [WHERE p] EXCEPT t WHERE c``; shrinks to ``t EXCEPT t WHERE a = 0``."""
    return _cases_of(_questions())


def _null_condition(draw: DrawFn) -> Relation:
    return _difference(BOTH, Filter(BOTH, null_for_some(draw)))


def _on(draw: DrawFn, name: str) -> Expr:
    return Compare(pick(draw, COMPARE_OPS), Col(name, INT), draw_literal(draw, INT))


def _named(first: str, second: str) -> Relation:
    return Project(BOTH, (Item(first, A), Item(second, B)))


def _names_swapped(draw: DrawFn) -> Relation:
    """Each column has the other one's name on the right side."""
    return _difference(_named("x", "y"), Filter(_named("y", "x"), _on(draw, pick(draw, ("x", "y")))))


def _names_unknown(draw: DrawFn) -> Relation:
    """The left side has no column of the names that the condition uses."""
    return _difference(_named("x", "y"), Filter(_named("v", "w"), _on(draw, pick(draw, ("v", "w")))))


def _names_twice(draw: DrawFn) -> Relation:
    """A join's ``*`` has every name twice."""
    both = Join(BOTH, Alias(BOTH, "s0"), "cross")
    return _difference(both, Filter(both, draw(plain_predicates(from_fields(both), depth=1))))


@st.composite
def _both_filtered(draw: DrawFn) -> Question:
    schema = draw(exact_schemas(max_tables=1))
    base = scan(schema.tables[0])
    fields = scope(base.fields)
    return schema, _difference(*(Filter(base, draw(plain_predicates(fields))) for _ in range(2)))


_INEXACT = Table("t0", (Column("a", DOUBLE), Column("b", INT)))


@st.composite
def _floating_condition(draw: DrawFn) -> Question:
    """The two zeros are one row to EXCEPT, and need not be to a condition."""
    base = scan(_INEXACT)
    column = Col("a", DOUBLE)
    floating = Compare(pick(draw, COMPARE_OPS), column, draw_literal(draw, DOUBLE))
    condition = pick(draw, (floating, IsNull(column), Or(floating, IsNull(B))))
    return Database((_INEXACT,)), _difference(base, Filter(base, condition))


@st.composite
def _other_relation(draw: DrawFn) -> Question:
    other = Table("t1", PAIR.tables[0].columns)
    right = Filter(scan(other), draw(plain_predicates(scope(scan(other).fields))))
    return Database((*PAIR.tables, other)), _difference(BOTH, right)


def _unfiltered_right(draw: DrawFn) -> Relation:
    return _difference(Filter(BOTH, draw(plain_predicates(scope(BOTH.fields)))), BOTH)


def _another_order(draw: DrawFn) -> Relation:
    """The right side has the columns in reverse."""
    turned = Project(BOTH, (Item("b", B), Item("a", A)))
    return _difference(BOTH, Filter(turned, _on(draw, pick(draw, ("a", "b")))))


def _subquery_condition(draw: DrawFn) -> Relation:
    """Whether there is such a row in the table at all."""
    inside = Filter(Alias(BOTH, "s0"), Compare(pick(draw, COMPARE_OPS), Col("a", INT, "s0"), draw_literal(draw, INT)))
    condition = Or(Exists(inside), Compare(pick(draw, COMPARE_OPS), A, draw_literal(draw, INT)))
    return _difference(BOTH, Filter(BOTH, condition))


NEAR_MISSES = (
    NearMiss("null_condition", lambda: _cases_of(over_fixed(PAIR, _null_condition)), fires=True, weight=2),
    NearMiss("names_swapped", lambda: _cases_of(over_fixed(PAIR, _names_swapped)), fires=True, weight=2),
    NearMiss("names_unknown", lambda: _cases_of(over_fixed(PAIR, _names_unknown)), fires=True),
    NearMiss("names_twice", lambda: _cases_of(over_fixed(PAIR, _names_twice)), fires=True),
    NearMiss("both_filtered", lambda: _cases_of(_both_filtered()), fires=True),
    NearMiss("repeats_on_the_left", lambda: repeated(fires()), fires=True),
    NearMiss("floating_condition", lambda: _cases_of(_floating_condition()), fires=False),
    NearMiss("other_relation", lambda: _cases_of(_other_relation()), fires=False),
    NearMiss("unfiltered_right", lambda: _cases_of(over_fixed(PAIR, _unfiltered_right)), fires=False),
    NearMiss("another_order", lambda: _cases_of(over_fixed(PAIR, _another_order)), fires=False),
    NearMiss(
        "subquery_condition", lambda: _cases_of(over_fixed(PAIR, _subquery_condition), forms_of=sql_only), fires=False
    ),
    NearMiss("except_all", lambda: counted("except", keeps_all=True), fires=False),
)
