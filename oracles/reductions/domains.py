"""The predicate by which a case is partitioned, when its query becomes another one."""

from __future__ import annotations

from strategies.ir import Col, Expr, Field, IsNull, Relation, columns_of, domain, referable, resolve


def fitting_partition(query: Relation, partition: Expr) -> Expr | None:
    """``partition`` where ``query`` can be partitioned by it, else by NULL in a column, if by anything."""
    columns = domain(query)
    if columns and all(len(resolve(column, columns)) == 1 for column in columns_of(partition)):
        return partition
    plain = plain_columns(columns)
    return IsNull(plain[0]) if plain else None


def plain_columns(fields: tuple[Field, ...]) -> list[Col]:
    """Those of ``fields`` that can be referred to, by their names alone where these are enough."""
    names = [field.name for field in fields]
    return [
        Col(field.name, field.type, None if names.count(field.name) == 1 else field.qualifier)
        for field in referable(fields)
    ]
