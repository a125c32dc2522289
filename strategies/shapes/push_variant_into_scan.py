"""Shape of PushVariantIntoScan: tables whose columns are fields of one VARIANT in files, which are read by path."""

from __future__ import annotations

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.scopes import fresh_alias, scope
from strategies.ir import (
    COMPARE_OPS,
    INT,
    Alias,
    And,
    Case,
    Compare,
    Database,
    Filter,
    InSubquery,
    IsNull,
    Item,
    Join,
    Project,
    Relation,
    referable,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import apart, in_some_context, number_of_rows
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.filters import A, B, about
from strategies.shapes.forms import Question, file_cases, over_fixed, over_tables
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import joined, scan, source

RULE = "PushVariantIntoScan"
NEEDS = {"source": "variant"}
_PLAIN = {"source": "parquet"}


def _cases_of(questions: SearchStrategy[Question]) -> SearchStrategy[Case]:
    return file_cases(questions, needs=NEEDS)


def _read(draw: DrawFn, schema: Database) -> Relation:
    return source(draw, schema)


def _filtered(draw: DrawFn, schema: Database) -> Relation:
    table = scan(pick(draw, schema.tables))
    return Filter(table, about(draw, scope(table.fields)))


def _null_or_not(draw: DrawFn, schema: Database) -> Relation:
    """A condition that a field is NULL, or is not: the VARIANT around it hardly ever is."""
    table = scan(pick(draw, schema.tables))
    column = pick(draw, referable(scope(table.fields))).column()
    return Filter(table, IsNull(column, negated=one_in(draw, 2)))


def _met(draw: DrawFn, schema: Database) -> Relation:
    join = joined(draw, schema, pick(draw, ("inner", "left", "full")))
    return apart(join, scope(join.fields))


_FORMS = (_read, *[_filtered] * 2, *[_null_or_not] * 2, _met)


def fires() -> SearchStrategy[Case]:
    """A table in a VARIANT, filtered or joined; shrinks to ``t0``."""
    return _cases_of(over_tables(in_some_context, _FORMS))


# Near misses, over two tables of two columns.

_ONE, _OTHER = scans_of(PAIRS)


def _several_conditions(draw: DrawFn) -> Relation:
    """Conditions about both fields of a VARIANT, one after the other."""
    one = Compare(pick(draw, COMPARE_OPS), A, known_literal(draw, INT))
    two = Compare(pick(draw, COMPARE_OPS), B, known_literal(draw, INT))
    return Filter(_ONE, And(one, two))


def _compared(draw: DrawFn) -> Relation:
    """The fields of one VARIANT compared with each other."""
    return Filter(_ONE, Compare(pick(draw, COMPARE_OPS), A, B))


def _turned(draw: DrawFn) -> Relation:
    """The fields of a VARIANT in another order, or one of them."""
    items = (Item("p", B), Item("q", A))
    return Project(_ONE, pick(draw, (items, items[:1], items[1:])))


def _nothing_read(draw: DrawFn) -> Relation:
    """``count(*)``, which needs no field."""
    return number_of_rows(_ONE)


def _twice(draw: DrawFn) -> Relation:
    """A table joined with itself, or with another one, by other fields on either side."""
    right = Alias(pick(draw, (_ONE, _OTHER)), fresh_alias(_ONE))
    left_a, left_b = (field.column() for field in _ONE.fields)
    right_a, right_b = (field.column() for field in right.fields)
    condition = pick(draw, (Compare("=", left_a, right_b), Compare("<=>", left_b, right_a)))
    return Join(_ONE, right, pick(draw, ("inner", "left", "semi", "anti")), condition)


def _in_subquery(draw: DrawFn) -> Relation:
    """A field sought among another table's."""
    column = pick(draw, _OTHER.fields).column()
    return Filter(_ONE, InSubquery((A,), Project(_OTHER, (Item("p", column),)), negated=one_in(draw, 2)))


NEAR_MISSES = (
    NearMiss("several_conditions", lambda: _cases_of(over_fixed(PAIRS, _several_conditions)), fires=True, weight=2),
    NearMiss("fields_compared", lambda: _cases_of(over_fixed(PAIRS, _compared)), fires=True, weight=2),
    NearMiss("fields_turned", lambda: _cases_of(over_fixed(PAIRS, _turned)), fires=True, weight=2),
    NearMiss("no_field", lambda: _cases_of(over_fixed(PAIRS, _nothing_read)), fires=True),
    NearMiss("two_relations", lambda: _cases_of(over_fixed(PAIRS, _twice)), fires=True, weight=2),
    NearMiss("in_a_subquery", lambda: _cases_of(over_fixed(PAIRS, _in_subquery)), fires=True),
    NearMiss("in_columns", lambda: file_cases(over_fixed(PAIRS, _several_conditions), needs=_PLAIN), fires=False),
)
