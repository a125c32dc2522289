"""Keep the predicate that partitions a case valid when the query changes."""

from __future__ import annotations

from strategies.ir import Col, Expr, Field, IsNull, Relation, can_be_partitioned, columns_to_partition_by, referable


def fitting_partition(query: Relation, partition: Expr) -> Expr | None:
    """``partition`` if it fits ``query``, else ``IS NULL`` of a column; None if ``query`` can't be partitioned."""
    if can_be_partitioned(query, partition):
        return partition
    plain = plain_columns(columns_to_partition_by(query))
    return IsNull(plain[0]) if plain else None


def plain_columns(fields: tuple[Field, ...]) -> list[Col]:
    """The columns of those ``fields`` that can be referred to, without qualifiers if the names are unique."""
    names = [field.name for field in fields]
    return [
        Col(field.name, field.type, None if names.count(field.name) == 1 else field.qualifier)
        for field in referable(fields)
    ]
