"""What expressions over some fields can be made of, worked out once for each tuple of fields."""

from __future__ import annotations

from functools import lru_cache

from strategies.ir import FUNCTIONS, INT, Col, Expr, Field, SqlType, can_cast, common_type, referable
from strategies.values import COLUMN_TYPES

Fields = tuple[Field, ...]


@lru_cache(maxsize=4096)
def columns(fields: Fields) -> tuple[Col, ...]:
    """The columns that can be referred to."""
    return tuple(field.column() for field in referable(fields))


@lru_cache(maxsize=4096)
def columns_of(fields: Fields, kind: SqlType) -> tuple[Col, ...]:
    """Those of one type."""
    return tuple(column for column in columns(fields) if column.type == kind)


@lru_cache(maxsize=4096)
def comparable(fields: Fields, operand: Expr) -> tuple[Col, ...]:
    """Other columns to compare ``operand`` with; those of its type are there twice."""
    others = tuple(column for column in columns(fields) if column != operand)
    wider = tuple(column for column in others if common_type(column.type, operand.type) is not None)
    return (*(column for column in wider if column.type == operand.type), *wider)


@lru_cache(maxsize=4096)
def kinds(fields: Fields) -> tuple[SqlType, ...]:
    """Types of expressions over ``fields``: their own, twice each, and what one function makes of them."""
    own = tuple(column.type for column in columns(fields))
    results = [signature.result for signature in FUNCTIONS.values() if set(signature.arguments) & set(own)]
    made = dict.fromkeys((*results, *(to for to in COLUMN_TYPES for kind in own if can_cast(kind, to))))
    return (*own, *own, *(kind for kind in made if kind not in own)) or (INT,)


@lru_cache(maxsize=4096)
def sources(fields: Fields, kind: SqlType) -> tuple[SqlType, ...]:
    """Types of columns that cast to ``kind``."""
    own = dict.fromkeys(column.type for column in columns(fields))
    return tuple(source for source in own if source != kind and can_cast(source, kind))


@lru_cache(maxsize=4096)
def functions(fields: Fields, kind: SqlType) -> tuple[str, ...]:
    """Functions of columns with results of ``kind``."""
    own = {column.type for column in columns(fields)}
    return tuple(
        name
        for name, signature in FUNCTIONS.items()
        if signature.result == kind
        and all(given in own or place in signature.constants for place, given in enumerate(signature.arguments))
    )
