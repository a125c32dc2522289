"""Tables whose columns are fields of one VARIANT in a Parquet file, from which each query extracts what it reads.

The names of the tables are views that extract each column by its path: PushVariantIntoScan reads those paths alone.
"""

from __future__ import annotations

from strategies.ir import (
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INTEGERS,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    Array,
    Column,
    Decimal,
    SqlType,
    Struct,
    Table,
    type_text,
)

# A VARIANT has neither intervals nor keys of maps that are no text, and no collations.
_KEPT: frozenset[SqlType] = frozenset(
    {BINARY, BOOLEAN, DATE, DOUBLE, FLOAT, TINYINT, *INTEGERS, STRING, TIMESTAMP, TIMESTAMP_NTZ}
)


def is_kept(kind: SqlType) -> bool:
    """Whether a VARIANT gives back every value of ``kind`` unchanged."""
    if isinstance(kind, Array):
        return is_kept(kind.element)
    if isinstance(kind, Struct):
        return all(is_kept(field) for _, field in kind.fields)
    return isinstance(kind, Decimal) or kind in _KEPT


def variant_columns(table: Table) -> tuple[Column, ...]:
    """The columns of ``table`` that may be fields of its VARIANT."""
    return tuple(column for column in table.columns if is_kept(column.type) and column.name.isidentifier())


def variant_ddl(table: Table) -> str:
    """The columns of the files of ``table`` as Spark's schema text: the VARIANT, then the columns outside of it."""
    others = (f"`{column.name}` {type_text(column.type)}" for column in _others(table))
    return ", ".join((f"{_name(table)} VARIANT", *others))


def packed(table: Table) -> tuple[str, ...]:
    """The columns of the files of ``table``, as expressions over its rows."""
    fields = ", ".join(
        f"'{column.name}', CAST(`{column.name}` AS {type_text(column.type)})" for column in variant_columns(table)
    )
    others = (f"`{column.name}`" for column in _others(table))
    return (f"to_variant_object(named_struct({fields})) AS {_name(table)}", *others)


def extracted(table: Table) -> tuple[str, ...]:
    """The columns of ``table``, as expressions over its files."""
    inside = variant_columns(table)
    return tuple(
        f"variant_get({_name(table)}, '$.{column.name}', '{type_text(column.type)}') AS `{column.name}`"
        if column in inside
        else f"`{column.name}`"
        for column in table.columns
    )


def _name(table: Table) -> str:
    return f"`{table.name}_variant`"


def _others(table: Table) -> tuple[Column, ...]:
    inside = variant_columns(table)
    return tuple(column for column in table.columns if column not in inside)
