"""Tables whose columns are fields of one VARIANT in a Parquet file, from which each query extracts what it reads.

The names of the tables are views that extract each column by its path: PushVariantIntoScan reads those paths alone.
Queries that extract fields elsewhere read the files themselves (:mod:`oracles.sql.paths`).
"""

from __future__ import annotations

from oracles.sql.paths import extraction, inside, variant_of
from strategies.ir import Column, Table, type_text


def variant_columns(table: Table) -> tuple[Column, ...]:
    """The columns of ``table`` that may be fields of its VARIANT."""
    return inside(table.columns)


def variant_ddl(table: Table) -> str:
    """The columns of the files of ``table`` as Spark's schema text: the VARIANT, then the columns outside of it."""
    others = (f"`{column.name}` {type_text(column.type)}" for column in _others(table))
    return ", ".join((f"{variant_of(table.name)} VARIANT", *others))


def packed(table: Table) -> tuple[str, ...]:
    """The columns of the files of ``table``, as expressions over its rows."""
    fields = ", ".join(
        f"'{column.name}', CAST(`{column.name}` AS {type_text(column.type)})" for column in variant_columns(table)
    )
    others = (f"`{column.name}`" for column in _others(table))
    return (f"to_variant_object(named_struct({fields})) AS {variant_of(table.name)}", *others)


def extracted(table: Table) -> tuple[str, ...]:
    """The columns of ``table``, as expressions over its files."""
    kept = variant_columns(table)
    return tuple(
        f"{extraction(variant_of(table.name), column.name, column.type)} AS `{column.name}`"
        if column in kept
        else f"`{column.name}`"
        for column in table.columns
    )


def _others(table: Table) -> tuple[Column, ...]:
    kept = variant_columns(table)
    return tuple(column for column in table.columns if column not in kept)
