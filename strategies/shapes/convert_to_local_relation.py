"""Shape of ConvertToLocalRelation: projections, filters and limits of a local relation, evaluated by the optimizer.

All its cases are over a local relation, unlike those of other shapes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import cases_of
from strategies.draw.draws import below, pick
from strategies.draw.queries import scope
from strategies.ir import (
    INT,
    AnyLimit,
    Arith,
    Case,
    Compare,
    Database,
    Distinct,
    Element,
    Filter,
    HigherOrder,
    Item,
    Join,
    Limit,
    Lit,
    MakeArray,
    Project,
    Relation,
    SetOp,
    SortKey,
    Source,
    referable,
)
from strategies.shapes import NearMiss
from strategies.shapes.conditions import plain_expressions
from strategies.shapes.context import in_context, number_of_rows
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.filters import about
from strategies.shapes.forms import Question, any_form, over_fixed, over_tables
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import scan

RULE = "ConvertToLocalRelation"


def _cases_of(
    questions: SearchStrategy[Question], source: Source = "local", *, siblings: bool = False
) -> SearchStrategy[Case]:
    cases = cases_of(questions, forms_of=any_form)
    return cases.map(lambda case: replace(case, settings=replace(case.settings, source=source, siblings=siblings)))


# Where it fires.


def _filtered(draw: DrawFn, relation: Relation) -> Relation:
    return Filter(relation, about(draw, scope(relation.fields)))


def _projected(draw: DrawFn, relation: Relation) -> Relation:
    """Columns in another order, or expressions of them."""
    fields = scope(relation.fields)
    values = [
        draw(plain_expressions(fields, field.type, depth=1)) if draw(st.booleans()) else field.column()
        for field in pick(draw, (fields, fields[::-1], fields[:1]))
    ]
    return Project(relation, tuple(Item(f"p{place}", value) for place, value in enumerate(values)))


def _query(draw: DrawFn, schema: Database) -> Relation:
    table = scan(pick(draw, schema.tables))
    steps = pick(draw, _STEPS)
    if not steps:
        limit = AnyLimit(table, pick(draw, (1, 2, 3, 5)))
        return limit if draw(st.booleans()) else in_context(draw, schema, number_of_rows(limit))
    relation: Relation = table
    for step in steps:
        relation = step(draw, relation)
    return in_context(draw, schema, relation)


_Step = Callable[[DrawFn, Relation], Relation]
_STEPS: tuple[tuple[_Step, ...], ...] = (
    (_projected,),
    (_filtered,),
    (_projected, _filtered),
    (_filtered, _projected),
    (),
    (),
)
"""The operators over the local relation, from the bottom up; None is a limit."""


def fires() -> SearchStrategy[Case]:
    """A filter, projection or limit of a local relation; shrinks to ``SELECT a AS p0 FROM t0``."""
    return _cases_of(over_tables(_query))


# Near misses.


def _in_file(draw: DrawFn, schema: Database) -> Relation:
    return pick(draw, (_filtered, _projected))(draw, scan(pick(draw, schema.tables)))


def _compared(draw: DrawFn) -> Relation:
    """A condition that is NULL if the column is."""
    table = scans_of(PAIRS)[0]
    column = pick(draw, referable(table.fields)).column()
    return Filter(table, Compare(pick(draw, ("=", "<>", "<", ">")), column, known_literal(draw, INT)))


def _one_column(draw: DrawFn) -> Relation:
    """A projection to one column, in which rows are equal."""
    table = scans_of(PAIRS)[0]
    return Project(table, (Item("p", pick(draw, table.fields).column()),))


def _with_state(draw: DrawFn) -> Relation:
    """A function that keeps an element of an array while it computes with it."""
    table = scans_of(PAIRS)[0]
    columns = tuple(field.column() for field in table.fields)
    body = Arith(pick(draw, ("+", "-", "*")), Element(INT), Lit(INT, 1 + draw(below(2))))
    array = MakeArray(INT, (*columns, *columns[: draw(below(3))]))
    return Project(table, (Item("p", HigherOrder("transform", array, body)),))


def _first_rows(draw: DrawFn) -> Relation:
    return AnyLimit(scans_of(PAIRS)[0], pick(draw, (1, 2, 3)))


def _first_in_order(draw: DrawFn, schema: Database) -> Relation:
    """A limit with a sort between it and the rows."""
    table = scan(pick(draw, schema.tables))
    order = tuple(SortKey(field.column(), draw(st.booleans())) for field in scope(table.fields))
    return Limit(table, order, pick(draw, (1, 2, 3)))


def _whole(draw: DrawFn, schema: Database) -> Relation:
    return scan(pick(draw, schema.tables))


def _distinct(draw: DrawFn, schema: Database) -> Relation:
    return Distinct(scan(pick(draw, schema.tables)))


def _together(draw: DrawFn) -> Relation:
    """A union or a join of two tables."""
    left, right = scans_of(PAIRS)
    on = Compare(pick(draw, ("=", "<=>")), left.fields[0].column(), right.fields[0].column())
    return pick(draw, (SetOp("union", left, right, all=True), Join(left, right, "full", on)))


def _with_rows(case: Case) -> Case:
    """``case`` without empty tables: a join or union with one becomes a projection of the other side."""
    tables = (
        table if table.rows else replace(table, rows=((0,) * len(table.columns),)) for table in case.database.tables
    )
    return replace(case, database=Database(tuple(tables)))


NEAR_MISSES = (
    NearMiss("from_file", lambda: _cases_of(over_tables(_in_file), "parquet"), fires=False),
    NearMiss("compared", lambda: _cases_of(over_fixed(PAIRS, _compared)), fires=True, weight=2),
    NearMiss("one_column", lambda: _cases_of(over_fixed(PAIRS, _one_column)), fires=True, weight=2),
    NearMiss("two_threads", lambda: _cases_of(over_fixed(PAIRS, _with_state), siblings=True), fires=True, weight=2),
    NearMiss("first_rows", lambda: _cases_of(over_fixed(PAIRS, _first_rows)), fires=True, weight=2),
    NearMiss("first_in_order", lambda: _cases_of(over_tables(_first_in_order)), fires=False),
    NearMiss("whole", lambda: _cases_of(over_tables(_whole)), fires=False),
    NearMiss("distinct", lambda: _cases_of(over_tables(_distinct)), fires=False),
    NearMiss("two_tables", lambda: _cases_of(over_fixed(PAIRS, _together)).map(_with_rows), fires=False),
)
