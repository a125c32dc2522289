"""Put an expression into a place of a query: a filter, a column by itself, or a join's ON.

A filter and ON treat false and NULL alike, a column doesn't. The shape of a rule about expressions draws an expression
over given columns, which goes into one of these places.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.exprs import Fields
from strategies.draw.queries import scope
from strategies.ir import Case, Column, Database, Expr, Filter, Item, Join, JoinKind, Project, Relation
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context, joined_in_context
from strategies.shapes.forms import Question, file_cases, over_tables
from strategies.shapes.groups import one_table
from strategies.shapes.sides import join_sides, scan

Make = Callable[[DrawFn, Fields], Expr]
"""Draws an expression over some columns; a condition if it is for a filter or ON."""
Place = Callable[[DrawFn, Relation, Make], Relation]

_KINDS: tuple[JoinKind, ...] = ("inner", "left", "full", "semi", "anti", "right")


def filtered(draw: DrawFn, relation: Relation, make: Make) -> Relation:
    """``relation`` filtered by the condition that ``make`` draws."""
    return Filter(relation, make(draw, scope(relation.fields)))


def projected(draw: DrawFn, relation: Relation, make: Make) -> Relation:
    """A projection to the one expression that ``make`` draws, so that operators above need it."""
    return Project(relation, (Item("p", make(draw, scope(relation.fields))),))


def _anywhere(draw: DrawFn, schema: Database, make: Make, places: tuple[Place | None, ...]) -> Relation:
    place = pick(draw, places)
    if place is not None:
        return in_context(draw, schema, place(draw, scan(pick(draw, schema.tables)), make), reads=True)
    left, right = join_sides(draw, schema)
    fields = scope((*left.fields, *right.fields))
    join = Join(left, right, pick(draw, _KINDS), make(draw, fields))
    return joined_in_context(draw, schema, join, len(left.fields))


ANYWHERE: tuple[Place | None, ...] = (*[filtered] * 3, *[projected] * 3, None)
"""Places for a condition; None is a join's ON."""


def anywhere(make: Make, *, places: tuple[Place | None, ...] = ANYWHERE) -> SearchStrategy[Case]:
    """Cases with an expression that ``make`` draws in one of ``places``, alone or below another operator; shrinks to
    the first place, over a table of one column.
    """
    return file_cases(over_tables(_anywhere, make, places))


@st.composite
def _over(draw: DrawFn, columns: tuple[Column, ...], make: Make, places: tuple[Place, ...]) -> Question:
    database, table = one_table(*columns)
    return database, pick(draw, places)(draw, table, make)


def over(columns: tuple[Column, ...], make: Make, *places: Place) -> SearchStrategy[Case]:
    """Cases with an expression that ``make`` draws over a table of ``columns`` in one of ``places``."""
    return file_cases(_over(columns, make, places))


def miss_over(
    name: str, make: Make, *places: Place, columns: tuple[Column, ...], fires: bool, weight: int = 1
) -> NearMiss:
    """A near miss with the cases of :func:`over`."""
    return NearMiss(name, lambda: over(columns, make, *places), fires=fires, weight=weight)
