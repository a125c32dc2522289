"""Draw operations of typed Datasets, one right above another, over a drawn query and below another operator."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from hypothesis.strategies import DrawFn

from strategies.draw.draws import below, one_in, pick
from strategies.draw.field_reads import or_field
from strategies.draw.queries import queries
from strategies.draw.scopes import scope
from strategies.draw.stacked import MOVED
from strategies.ir import (
    INT,
    ROW_CHANGES,
    ROW_TESTS,
    Coalesce,
    Database,
    Expr,
    Field,
    Item,
    Lit,
    MakeArray,
    Project,
    Relation,
    RowFunction,
    SqlType,
    Typed,
    TypedCount,
    TypedFilter,
    TypedMap,
    is_row_key,
    operators,
    referable,
    without_limit,
)

MOST_OPERATIONS = 3


def typed_query(draw: DrawFn, schema: Database, max_operators: int) -> Relation:
    """A query with operations of a typed Dataset; shrinks to a typed filter of a table."""
    made = typed(draw, _child(draw, schema, max_operators))
    return _read(draw, schema, made, max_operators - operators(made))


def _child(draw: DrawFn, schema: Database, max_operators: int) -> Relation:
    """A table every second time, else a drawn query, whose columns have names of their own."""
    query = without_limit(draw(queries(schema, max_operators=min(draw(below(4)), max(0, max_operators - 2)))))
    if one_in(draw, _ARRAYS):
        return of_arrays(draw, query)
    names = {field.name for field in query.fields}
    if len(names) == len(query.fields):
        return query
    known = referable(scope(query.fields)) or ()
    values: Sequence[Expr] = [field.column() for field in known] or [Lit(INT, 1)]
    return Project(query, tuple(Item(f"x{place}", value) for place, value in enumerate(values)))


_ARRAYS = 8
"""One typed query in so many is over arrays as objects."""


def of_arrays(draw: DrawFn, child: Relation) -> Project:
    """Arrays of numbers that are never NULL, of which an object is a primitive array; shrinks to those of one 0."""
    numbers = [field for field in referable(scope(child.fields)) if field.type == INT]
    known = [Coalesce((pick(draw, numbers).column(), Lit(INT, 0))) for _ in range(draw(below(2)))] if numbers else []
    # An empty array is a cast one, whose elements may be NULL to Spark.
    others = [Lit(INT, draw(below(3))) for _ in range(1 + draw(below(3)))]
    return Project(child, (Item("x", MakeArray(INT, (*others, *known))),))


def typed(draw: DrawFn, child: Relation, *, most: int = MOST_OPERATIONS) -> Typed:
    """Up to ``most`` operations, one above the other; shrinks to one filter."""
    # The number comes first, so that it shrinks together with an operation that goes.
    others = draw(below(most))
    made = operation(draw, child)
    for _ in range(others):
        made = operation(draw, made)
    return made


def operation(draw: DrawFn, child: Relation) -> Typed:
    """A filter, a map or a count over ``child``, no column of which shares a name; shrinks to ``is_known`` of the first
    column.
    """
    form, field = draw(below(12)), pick(draw, child.fields)
    if form > 7 and is_row_key(field.type):
        return TypedCount(child, field.name, "n" if field.name != "n" else "m")
    if form < 5:
        return typed_filter(draw, child, field)
    return typed_map(draw, child, field)


def typed_filter(draw: DrawFn, child: Relation, field: Field) -> TypedFilter:
    """A filter by ``field`` of ``child``."""
    return TypedFilter(child, field.name, pick(draw, known_tests(field.type)))


def typed_map(draw: DrawFn, child: Relation, field: Field) -> TypedMap:
    """A map of ``field`` of ``child``."""
    return TypedMap(child, field.name, pick(draw, known_changes(field.type)))


@lru_cache(maxsize=256)
def known_tests(kind: SqlType) -> tuple[str, ...]:
    """The tests that take values of ``kind``, those for it alone twice."""
    return _functions(ROW_TESTS, kind)


@lru_cache(maxsize=256)
def known_changes(kind: SqlType) -> tuple[str, ...]:
    """The changes that take values of ``kind``, those for it alone twice."""
    return _functions(ROW_CHANGES, kind)


def _functions(known: dict[str, RowFunction], kind: SqlType) -> tuple[str, ...]:
    anything = [name for name, function in known.items() if function.takes is None]
    own = [name for name, function in known.items() if function.takes is not None and kind in function.takes]
    return (*anything, *own, *own)


def _read(draw: DrawFn, schema: Database, made: Typed, room: int) -> Relation:
    """``made`` alone, some of its columns, or another operator over it."""
    form = draw(below(5))
    if form < 2 or room < 1:
        return made
    if form < 4:
        fields = [pick(draw, made.fields) for _ in range(1 + draw(below(2)))]
        values = [or_field(draw, field.column()) for field in fields]
        return Project(made, tuple(Item(f"x{place}", value) for place, value in enumerate(values)))
    return pick(draw, MOVED)(draw, schema, made, room - 1)
