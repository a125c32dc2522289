"""Shape of EliminateMapObjects: primitive arrays as the objects of a typed Dataset."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.typed import of_arrays
from strategies.ir import (
    INT,
    Array,
    Case,
    CaseWhen,
    Coalesce,
    Col,
    Database,
    IsNull,
    Item,
    Lit,
    MakeArray,
    Project,
    Relation,
    TypedMap,
    When,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.filters import PAIR
from strategies.shapes.forms import dataframe_only, file_cases, over_fixed, over_tables
from strategies.shapes.sides import scan, source
from strategies.shapes.typed_rows import filtered, mapped

RULE = "EliminateMapObjects"


def _query(draw: DrawFn, schema: Database) -> Relation:
    return in_context(draw, schema, _operation(draw, of_arrays(draw, source(draw, schema))))


def _operation(draw: DrawFn, arrays: Relation) -> Relation:
    return pick(draw, (filtered, mapped))(draw, arrays)


def fires() -> SearchStrategy[Case]:
    """A typed filter or a map of arrays without NULL; shrinks to a filter of arrays of one 0."""
    return file_cases(over_tables(_query), forms_of=dataframe_only)


_SCAN = scan(PAIR.tables[0])
_A, _B, _ZERO = Col("a", INT), Col("b", INT), Lit(INT, 0)
_KNOWN = MakeArray(INT, (Coalesce((_A, _ZERO)), Coalesce((_B, _ZERO)), Coalesce((_A, Lit(INT, 1)))))


def _elements(draw: DrawFn) -> Relation:
    """Elements of which some are equal, in the order of columns."""
    return TypedMap(Project(_SCAN, (Item("x", _KNOWN),)), "x", "same")


def _null_arrays(draw: DrawFn) -> Relation:
    """Arrays of which some are NULL themselves."""
    array = CaseWhen((When(IsNull(pick(draw, (_A, _B))), Lit(Array(INT), None)),), _KNOWN)
    return _operation(draw, Project(_SCAN, (Item("x", array),)))


def _null_elements(draw: DrawFn) -> Relation:
    """Arrays with elements that may be NULL."""
    return _operation(draw, Project(_SCAN, (Item("x", MakeArray(INT, (_A, _B))),)))


def _in_rows(draw: DrawFn) -> Relation:
    """Arrays beside another column, whose objects are parts of rows."""
    return _operation(draw, Project(_SCAN, (Item("x", _KNOWN), Item("a", _A))))


def _cases(build: Callable[[DrawFn], Relation]) -> SearchStrategy[Case]:
    return file_cases(over_fixed(PAIR, build), forms_of=dataframe_only)


NEAR_MISSES = (
    NearMiss("elements", lambda: _cases(_elements), fires=True, weight=2),
    NearMiss("null_arrays", lambda: _cases(_null_arrays), fires=True),
    NearMiss("null_elements", lambda: _cases(_null_elements), fires=False),
    NearMiss("in_rows", lambda: _cases(_in_rows), fires=False),
)
