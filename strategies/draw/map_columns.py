"""Draw columns of maps in tables: a query reads such a column by a key, in a derived table of the table's name.

So no operator above compares, sorts or groups by a map, which Spark refuses.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from hypothesis.strategies import DrawFn

from strategies.draw.draws import below, one_in, pick
from strategies.draw.values import domain
from strategies.ir import (
    MAP_KEYS,
    Alias,
    Col,
    Column,
    Database,
    Expr,
    Item,
    Lit,
    Map,
    MapRead,
    Node,
    Project,
    Relation,
    Scan,
    Table,
    scans,
    transform,
)

_ONE_IN = 24
"""One query in so many reads a column of maps."""


def perhaps_with_maps(draw: DrawFn, schema: Database, query: Relation) -> tuple[Database, Relation]:
    """``schema`` and ``query``, now and then as :func:`with_maps` returns them."""
    tables = dict.fromkeys(scan.table for scan in scans(query))
    return with_maps(draw, schema, query) if tables and one_in(draw, _ONE_IN) else (schema, query)


def with_maps(draw: DrawFn, schema: Database, query: Relation) -> tuple[Database, Relation]:
    """``schema`` with maps in one or two columns of a table that ``query`` reads, and ``query`` with reads of these by
    a key; shrinks to a map from INT in the first column, read by its first key.

    One map in eight is read by a key that it never has.
    """
    names = dict.fromkeys(scan.table for scan in scans(query))
    table = pick(draw, [table for table in schema.tables if table.name in names])
    places = sorted({draw(below(len(table.columns))) for _ in range(pick(draw, (1, 1, 2)))})
    columns, reads = list(table.columns), {}
    for place in places:
        plain = columns[place]
        key = pick(draw, MAP_KEYS)
        columns[place] = Column(plain.name, Map(key, plain.type))
        at = 3 if one_in(draw, 8) else draw(below(2))
        reads[plain.name] = Lit(key, domain(key)[at])
    return of_maps(schema, query, Table(table.name, tuple(columns)), reads)


def of_maps(schema: Database, query: Relation, table: Table, reads: dict[str, Lit]) -> tuple[Database, Relation]:
    """``schema`` with ``table`` in place of the one of its name, and ``query`` over the values of its maps.

    :param reads: by the name of a column of maps the key that it is read by.
    """

    def value(column: Column) -> Expr:
        stored = Col(column.name, column.type)
        return MapRead(stored, reads[column.name]) if column.name in reads else stored

    def changed(node: Node) -> Node:
        if not isinstance(node, Scan) or node.table != table.name:
            return node
        items = tuple(Item(column.name, value(column)) for column in table.columns)
        return Alias(Project(Scan(table.name, table.columns), items), table.name)

    tables = tuple(table if each.name == table.name else each for each in schema.tables)
    return replace(schema, tables=tables), cast(Relation, transform(query, changed))
