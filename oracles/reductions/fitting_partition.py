"""Keep the predicate that partitions a case valid when the query changes."""

from __future__ import annotations

from strategies.ir import Col, Expr, Field, IsNull, Relation, columns_of, columns_to_partition_by, referable, resolve


def fitting_partition(query: Relation, partition: Expr) -> Expr | None:
    """``partition`` if it fits ``query``, else ``IS NULL`` of a column; None if ``query`` can't be partitioned."""
    columns = columns_to_partition_by(query)
    if columns and all(len(resolve(column, columns)) == 1 for column in columns_of(partition)):
        return partition
    plain = plain_columns(columns)
    return IsNull(plain[0]) if plain else None


def plain_columns(fields: tuple[Field, ...]) -> list[Col]:
    """The columns of those ``fields`` that can be referred to, without qualifiers if the names are unique."""
    names = [field.name for field in fields]
    return [
        Col(field.name, field.type, None if names.count(field.name) == 1 else field.qualifier)
        for field in referable(fields)
    ]
