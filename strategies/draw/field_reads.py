"""Draw reads of fields: of structs, of structs in structs, and of structs in arrays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.operands import Fields, columns
from strategies.ir import (
    INT,
    Array,
    Call,
    Expr,
    FieldOfEach,
    GetField,
    Lit,
    SqlType,
    Struct,
)

_PLACES = (0, 1)
"""The elements of an array of structs whose fields are read; NULL where the array is shorter."""


@lru_cache(maxsize=4096)
def fields_of(operand: Expr) -> tuple[Expr, ...]:
    """The fields of ``operand``, a struct or an array of structs, and the fields of these; for another type none."""
    return tuple(_fields_of(operand))


def _fields_of(operand: Expr) -> Iterator[Expr]:
    if isinstance(operand.type, Struct):
        for name, _ in operand.type.fields:
            field = GetField(operand, name)
            yield from (field, *fields_of(field))
    elif isinstance(operand.type, Array) and isinstance(operand.type.element, Struct):
        for name, _ in operand.type.element.fields:
            yield FieldOfEach(operand, name)
        for place in _PLACES:
            yield from fields_of(Call("array_get", (operand, Lit(INT, place))))


def has_fields(kind: SqlType) -> bool:
    """Whether ``kind`` is a struct or an array of structs."""
    return isinstance(kind, Struct) or (isinstance(kind, Array) and isinstance(kind.element, Struct))


@lru_cache(maxsize=4096)
def field_reads(fields: Fields, kind: SqlType) -> tuple[Expr, ...]:
    """The reads of type ``kind`` of fields of the columns for ``fields``."""
    return tuple(read for column in columns(fields) for read in fields_of(column) if read.type == kind)


def or_field(draw: DrawFn, column: Expr) -> Expr:
    """``column``, or one of its fields in half of the draws if it has any; shrinks to ``column``."""
    reads = fields_of(column)
    return pick(draw, reads) if reads and one_in(draw, 2) else column
