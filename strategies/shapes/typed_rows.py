"""Common parts of shapes about typed Datasets: operations over rows, and a table whose columns have one type."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis.strategies import DrawFn

from strategies.draw.draws import pick
from strategies.draw.typed import typed_filter, typed_map
from strategies.ir import (
    INT,
    STRING,
    Column,
    Database,
    Field,
    Relation,
    Struct,
    Table,
    TypedFilter,
    TypedMap,
)

P = Struct((("p", INT), ("q", INT), ("s", STRING)))
ROWS = Database((Table("t0", (Column("a", INT), Column("b", INT), Column("s", STRING), Column("r", P))),))
"""A table with two columns of one type, and a struct with two fields of one type."""
NUMBERS = ("a", "b")
TEXTS = ("s",)

_OF_NUMBERS = ("zero_if_null", "null_if_negative", "null")


def filtered(draw: DrawFn, child: Relation, names: Sequence[str] = ()) -> TypedFilter:
    """A typed filter of one of the columns ``names``, or of any column."""
    return typed_filter(draw, child, _field(draw, child, names))


def mapped(draw: DrawFn, child: Relation, names: Sequence[str] = ()) -> TypedMap:
    """A typed map of one of the columns ``names``, or of any column."""
    return typed_map(draw, child, _field(draw, child, names))


def _field(draw: DrawFn, child: Relation, names: Sequence[str]) -> Field:
    return pick(draw, [field for field in child.fields if not names or field.name in names])


def changed(draw: DrawFn, child: Relation) -> TypedMap:
    """A map that changes values of a number, or a text."""
    name = pick(draw, (*NUMBERS, *NUMBERS, *TEXTS))
    return TypedMap(child, name, "mark" if name in TEXTS else pick(draw, _OF_NUMBERS))


def tested(draw: DrawFn, child: Relation, name: str) -> TypedFilter:
    """A filter of the column ``name`` that most tables have rows for, and rows against."""
    options = ("is_known", "is_null", "is_empty") if name in TEXTS else ("is_even", "is_known", "is_null")
    return TypedFilter(child, name, pick(draw, options))
