"""RewriteNonCorrelatedExists: EXISTS that names no column outside is asked once, by a subquery of one value."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import sql_only
from strategies.draw.draws import one_in, pick
from strategies.draw.scopes import scope
from strategies.ir import (
    COMPARE_OPS,
    INT,
    Agg,
    Aggregate,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Exists,
    Expr,
    Filter,
    InSubquery,
    IsNull,
    Item,
    Or,
    Outer,
    Project,
    Relation,
    ScalarSubquery,
    Table,
    from_fields,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.filters import about
from strategies.shapes.forms import Question, file_cases, over_fixed, over_tables
from strategies.shapes.groups import without_rows
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import join_sides, scan

RULE = "RewriteNonCorrelatedExists"
_cases_of = partial(file_cases, forms_of=sql_only)


def _query(draw: DrawFn, schema: Database) -> Relation:
    outside, inside = join_sides(draw, schema)
    fields = scope(from_fields(outside))
    if one_in(draw, 2):
        inside = Filter(inside, about(draw, scope(from_fields(inside))))
    exists: Expr = Exists(inside, one_in(draw, 3))
    form = pick(draw, ("filter", "filter", "filter", "or", "column"))
    if form == "column":
        return in_context(draw, schema, Project(outside, (Item("p0", exists),)), reads=True)
    if form == "or":
        exists = Or(about(draw, fields), exists)
    return in_context(draw, schema, Filter(outside, exists))


def fires() -> SearchStrategy[Case]:
    """EXISTS over rows that have nothing to do with the row outside; shrinks to one over the table itself."""
    return _cases_of(over_tables(_query))


# Two tables of two columns.

_COLUMNS = (Column("a", INT), Column("b", INT))
_TWO = Database((Table("t0", _COLUMNS), Table("t1", _COLUMNS)))
_OUTSIDE, _INSIDE = map(scan, _TWO.tables)
_A, _INNER_A, _INNER_B = Col("a", INT, "t0"), Col("a", INT, "t1"), Col("b", INT, "t1")
_MET = Filter(_INSIDE, Compare("=", _INNER_A, Outer("a", INT, "t0")))


def _asked(draw: DrawFn, condition: Expr) -> Question:
    """In WHERE, or as a column."""
    if draw(st.booleans()):
        return _TWO, Filter(_OUTSIDE, condition)
    return _TWO, Project(_OUTSIDE, (Item("a", _A), Item("p", condition)))


@st.composite
def _exists(draw: DrawFn, rows: Relation) -> Question:
    return _asked(draw, Exists(rows, draw(st.booleans())))


@st.composite
def _of_null(draw: DrawFn) -> Question:
    """Rows whose first column is NULL are rows."""
    kept = Filter(_INSIDE, IsNull(_INNER_A))
    return _asked(draw, Exists(Project(kept, (Item("x", _INNER_A),)), draw(st.booleans())))


@st.composite
def _of_few(draw: DrawFn) -> Question:
    """No row, one, or some."""
    kept = Filter(_INSIDE, Compare(pick(draw, COMPARE_OPS), _INNER_B, known_literal(draw, INT)))
    return _asked(draw, Exists(kept, draw(st.booleans())))


def _in(draw: DrawFn) -> Relation:
    return Filter(_OUTSIDE, InSubquery((_A,), Project(_INSIDE, (Item("x", _INNER_A),)), draw(st.booleans())))


_COUNTED = ScalarSubquery(Aggregate(_INSIDE, (), (Item("n", Agg("count", _INNER_A)),)))
_COUNT: Question = (_TWO, Project(_OUTSIDE, (Item("a", _A), Item("p", _COUNTED))))
_NOTHING = without_rows(_TWO.tables[1])
_ONE = Aggregate(_NOTHING, (), (Item("m", Agg("max", _INNER_A)),))
"""One row, of NULL."""

NEAR_MISSES = (
    NearMiss("of_null", lambda: _cases_of(_of_null()), fires=True, weight=2),
    NearMiss("of_few", lambda: _cases_of(_of_few()), fires=True),
    NearMiss("of_nothing", lambda: _cases_of(_exists(_NOTHING)), fires=True),
    NearMiss("of_one_of_nothing", lambda: _cases_of(_exists(_ONE)), fires=True),
    NearMiss("of_all", lambda: _cases_of(_exists(_INSIDE)), fires=True),
    NearMiss("correlated", lambda: _cases_of(_exists(_MET)), fires=False, weight=2),
    NearMiss("in", lambda: _cases_of(over_fixed(_TWO, _in)), fires=False),
    NearMiss("a_value", lambda: _cases_of(st.just(_COUNT)), fires=False),
)
