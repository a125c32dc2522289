"""Shape of EliminateSerialization: typed operations right above one another, which hand on objects."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.typed import operation
from strategies.ir import Case, Database, Distinct, Relation, TypedCount, TypedFilter, TypedMap, is_row_key
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.forms import dataframe_only, file_cases, over_fixed, over_tables
from strategies.shapes.sides import scan, source
from strategies.shapes.typed_rows import NUMBERS, ROWS, TEXTS, changed, filtered, mapped, tested

RULE = "EliminateSerialization"


def _query(draw: DrawFn, schema: Database) -> Relation:
    child = source(draw, schema)
    form = pick(draw, (0, 1, 2, 3))
    if form == 0:
        return in_context(draw, schema, mapped(draw, filtered(draw, child)))
    lower = mapped(draw, child)
    keys = [field.name for field in child.fields if is_row_key(field.type)]
    if form == 3 and keys:
        return in_context(draw, schema, TypedCount(lower, pick(draw, keys), "n"))
    return in_context(draw, schema, filtered(draw, lower) if form == 1 else mapped(draw, lower))


def fires() -> SearchStrategy[Case]:
    """A map of a filter or of a map, or a filter or a count of a map; shrinks to a map of a filter."""
    return file_cases(over_tables(_query), forms_of=dataframe_only)


_SCAN = scan(ROWS.tables[0])


def _map_of_a_map(draw: DrawFn) -> Relation:
    """Both maps change values, of one column every second time."""
    return changed(draw, changed(draw, _SCAN))


def _filter_of_a_map(draw: DrawFn) -> Relation:
    """A filter of the column that was changed below it."""
    lower = changed(draw, _SCAN)
    return tested(draw, lower, lower.column)


def _map_of_a_filter(draw: DrawFn) -> Relation:
    """A map of the column by which rows were left out."""
    lower = tested(draw, _SCAN, pick(draw, (*NUMBERS, *TEXTS)))
    return TypedMap(lower, lower.column, "mark" if lower.column in TEXTS else "zero_if_null")


def _count_of_a_map(draw: DrawFn) -> Relation:
    """A count by the column that was changed, where NULL becomes a value, or a value NULL."""
    lower = changed(draw, _SCAN)
    return TypedCount(lower, lower.column, "n")


def _alone(draw: DrawFn) -> Relation:
    return operation(draw, _SCAN)


def _filters(draw: DrawFn) -> Relation:
    """Filters alone, which CombineTypedFilters combines."""
    lower = filtered(draw, _SCAN)
    return TypedFilter(lower, "a", "is_even")


def _apart(draw: DrawFn) -> Relation:
    """An operator that takes rows, between two maps."""
    return changed(draw, Distinct(changed(draw, _SCAN)))


def _cases(build: Callable[[DrawFn], Relation]) -> SearchStrategy[Case]:
    return file_cases(over_fixed(ROWS, build), forms_of=dataframe_only)


NEAR_MISSES = (
    NearMiss("map_of_a_map", lambda: _cases(_map_of_a_map), fires=True, weight=2),
    NearMiss("filter_of_a_map", lambda: _cases(_filter_of_a_map), fires=True, weight=2),
    NearMiss("map_of_a_filter", lambda: _cases(_map_of_a_filter), fires=True, weight=2),
    NearMiss("count_of_a_map", lambda: _cases(_count_of_a_map), fires=True, weight=2),
    NearMiss("alone", lambda: _cases(_alone), fires=False),
    NearMiss("filters", lambda: _cases(_filters), fires=False),
    NearMiss("apart", lambda: _cases(_apart), fires=False),
)
