"""Shape of CombineTypedFilters: typed filters right above one another."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.ir import Case, Database, Distinct, Filter, IsNull, Relation
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.forms import dataframe_only, file_cases, over_fixed, over_tables
from strategies.shapes.sides import scan, source
from strategies.shapes.typed_rows import NUMBERS, ROWS, TEXTS, filtered, tested

RULE = "CombineTypedFilters"


def _query(draw: DrawFn, schema: Database) -> Relation:
    lower = filtered(draw, source(draw, schema))
    if pick(draw, (False, False, True)):
        lower = filtered(draw, lower)
    return in_context(draw, schema, filtered(draw, lower))


def fires() -> SearchStrategy[Case]:
    """Two filters, or three; shrinks to two of one column."""
    return file_cases(over_tables(_query), forms_of=dataframe_only)


_SCAN = scan(ROWS.tables[0])


def _two_columns(draw: DrawFn) -> Relation:
    """Filters of different columns, each of which rows may pass alone."""
    one, two = pick(draw, (("a", "b"), ("b", "a"), ("a", "s"), ("s", "b")))
    return tested(draw, tested(draw, _SCAN, one), two)


def _of_objects(draw: DrawFn) -> Relation:
    """A filter by a struct, which is an object of its own, and one by a number."""
    lower = filtered(draw, _SCAN, ("r",))
    return tested(draw, lower, pick(draw, NUMBERS))


def _alone(draw: DrawFn) -> Relation:
    return filtered(draw, _SCAN)


def _apart(draw: DrawFn) -> Relation:
    """DISTINCT or a filter of SQL between two filters."""
    lower = tested(draw, _SCAN, pick(draw, (*NUMBERS, *TEXTS)))
    known = IsNull(lower.fields[0].column(), negated=pick(draw, (True, False)))
    return tested(draw, pick(draw, (Distinct(lower), Filter(lower, known))), pick(draw, NUMBERS))


def _cases(build: Callable[[DrawFn], Relation]) -> SearchStrategy[Case]:
    return file_cases(over_fixed(ROWS, build), forms_of=dataframe_only)


NEAR_MISSES = (
    NearMiss("two_columns", lambda: _cases(_two_columns), fires=True, weight=3),
    NearMiss("of_objects", lambda: _cases(_of_objects), fires=True),
    NearMiss("alone", lambda: _cases(_alone), fires=False),
    NearMiss("apart", lambda: _cases(_apart), fires=False),
)
