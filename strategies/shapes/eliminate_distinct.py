"""Shape of EliminateDistinct: DISTINCT in functions that ignore repeats, or whose arguments have none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields
from strategies.draw.queries import scope
from strategies.ir import (
    INT,
    Agg,
    AggFunction,
    Aggregate,
    Case,
    Compare,
    Database,
    Distinct,
    Form,
    IsNull,
    Item,
    Project,
    Relation,
    is_plain,
    referable,
    walk,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_some_context
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.filters import about
from strategies.shapes.forms import Question, any_form, file_cases, over_tables
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import scan, side

RULE = "EliminateDistinct"


def _forms_of(query: Relation) -> tuple[Form, ...]:
    """Only SQL for DISTINCT: a DataFrame has ``dropDuplicates`` instead, for which Spark knows no key here."""
    return ("sql",) if any(isinstance(node, Distinct) for node in walk(query)) else any_form(query)


_cases_of = partial(file_cases, forms_of=_forms_of)


def _by(draw: DrawFn, child: Relation, *functions: Agg) -> Aggregate:
    """``functions`` over ``child``, grouped by one of its columns in one of three draws."""
    keys = (Item("k", pick(draw, referable(scope(child.fields))).column()),) if one_in(draw, 3) else ()
    return Aggregate(child, keys, tuple(Item(f"n{place}", function) for place, function in enumerate(functions)))


_EXTREMES: tuple[AggFunction, ...] = ("max", "min", "max", "min", "every", "some")


def _extreme(draw: DrawFn, fields: Fields) -> Agg:
    """max, min, every or some with DISTINCT."""
    function = pick(draw, _EXTREMES)
    columns = [field.column() for field in referable(fields) if is_plain(field.type)]
    where = about(draw, fields) if one_in(draw, 4) else None
    if function in ("max", "min") and columns:
        return Agg(function, pick(draw, columns), True, where)
    condition = IsNull(pick(draw, referable(fields)).column(), draw(st.booleans()))
    return Agg("some" if function in ("max", "some") else "every", condition, True, where)


def _of_extremes(draw: DrawFn, schema: Database) -> Relation:
    table = pick(draw, schema.tables)
    source = side(draw, table, len(table.columns))
    function = _extreme(draw, scope(source.fields))
    others = pick(draw, ((), (), (Agg("count"),), (_extreme(draw, scope(source.fields)),)))
    return _by(draw, source, function, *others)


def _of_unique(draw: DrawFn, schema: Database) -> Relation:
    """A DISTINCT count of a column whose values are distinct already."""
    table = scan(pick(draw, schema.tables))
    column = pick(draw, scope(table.fields)).column()
    if draw(st.booleans()):
        values: Relation = Distinct(Project(table, (Item("u", column),)))
    else:
        values = Aggregate(table, (Item("u", column),), (Item("n", Agg("count")),))
    unique = values.fields[0].column()
    where = IsNull(unique, draw(st.booleans())) if one_in(draw, 4) else None
    return _by(draw, values, Agg("count", unique, True, where))


_FORMS: tuple[Callable[[DrawFn, Database], Relation], ...] = (_of_extremes, _of_extremes, _of_unique)


def fires() -> SearchStrategy[Case]:
    """Extremes with DISTINCT, and DISTINCT counts of distinct values; shrinks to ``max(DISTINCT a)``."""
    return _cases_of(over_tables(in_some_context, _FORMS))


# Near misses.


_Make = Callable[[DrawFn, Relation], Agg]


@st.composite
def _pair(draw: DrawFn, make: _Make, unique: bool = False) -> Question:
    """A function over a table of two columns, or over its distinct rows."""
    table = scans_of(PAIRS)[0]
    source: Relation = Distinct(table) if unique else table
    return PAIRS, _by(draw, source, make(draw, source))


def _counts(draw: DrawFn, child: Relation) -> Agg:
    return Agg("count", pick(draw, child.fields).column(), True)


def _sums(draw: DrawFn, child: Relation) -> Agg:
    return Agg(pick(draw, ("sum", "avg")), pick(draw, child.fields).column(), True)


def _counts_rows(draw: DrawFn, child: Relation) -> Agg:
    """A count of distinct rows without NULL."""
    one, two = (field.column() for field in child.fields)
    return Agg("count", one, True, None, (two,))


def _filtered(draw: DrawFn, child: Relation) -> Agg:
    """Max or min with DISTINCT and a FILTER on another column."""
    one, two = (field.column() for field in child.fields)
    where = Compare(pick(draw, ("<", ">", "=")), two, known_literal(draw, INT))
    return Agg(pick(draw, ("max", "min")), one, True, pick(draw, (where, IsNull(two), IsNull(one, negated=True))))


def _not_distinct(draw: DrawFn, child: Relation) -> Agg:
    return Agg(pick(draw, ("max", "min", "count")), pick(draw, child.fields).column())


NEAR_MISSES = (
    NearMiss("counts", lambda: _cases_of(_pair(_counts)), fires=False, weight=2),
    NearMiss("sums", lambda: _cases_of(_pair(_sums)), fires=False, weight=2),
    NearMiss("one_column_of_different_rows", lambda: _cases_of(_pair(_counts, unique=True)), fires=False, weight=2),
    NearMiss("sum_of_different_rows", lambda: _cases_of(_pair(_sums, unique=True)), fires=False),
    NearMiss("different_rows", lambda: _cases_of(_pair(_counts_rows, unique=True)), fires=True),
    NearMiss("rows", lambda: _cases_of(_pair(_counts_rows)), fires=False),
    NearMiss("filtered", lambda: _cases_of(_pair(_filtered)), fires=True, weight=2),
    NearMiss("not_distinct", lambda: _cases_of(_pair(_not_distinct)), fires=False),
)
