"""Draw columns that a query reads in a derived table of the table's name: maps by a key, collated texts as plain ones.

So no operator above compares, sorts or groups by a map, which Spark refuses, and none chooses among texts that a
collation takes for equal. A filter in the derived table may compare such texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from hypothesis.strategies import DrawFn

from strategies.draw.collated import condition_about
from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import predicates
from strategies.draw.values import domain
from strategies.ir import (
    COLLATIONS,
    MAP_KEYS,
    STRING,
    Alias,
    And,
    Cast,
    Col,
    Collated,
    Column,
    Database,
    Expr,
    Field,
    Filter,
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
    substitute,
    transform,
)

_ONE_IN = 16
"""One query in so many reads such columns; half of those, texts under a collation, if a table has texts."""

_MOST = 2
"""The most operators of a derived table."""

Question = tuple[Database, Relation]


@dataclass(frozen=True, slots=True)
class Reads:
    """``table`` with other columns, the expression by which each of these is read, and a filter of its rows."""

    table: Table
    values: Mapping[str, Expr]
    condition: Expr | None = None

    def value(self, column: Column) -> Expr:
        """The expression for ``column``."""
        return self.values.get(column.name) or Col(column.name, column.type)

    def in_place(self, question: Question) -> Question:
        """``question`` with each scan of the table as a derived table of its name, over the other columns."""
        schema, query = question
        table = self.table
        items = tuple(Item(column.name, self.value(column)) for column in table.columns)
        rows: Relation = Scan(table.name, table.columns)
        rows = rows if self.condition is None else Filter(rows, self.condition)
        derived = Alias(Project(rows, items), table.name)

        def changed(node: Node) -> Node:
            return derived if isinstance(node, Scan) and node.table == table.name else node

        tables = tuple(table if each.name == table.name else each for each in schema.tables)
        return replace(schema, tables=tables), cast(Relation, transform(query, changed))


def perhaps_with_reads(draw: DrawFn, schema: Database, query: Relation, room: int) -> Question:
    """``schema`` and ``query``, now and then with maps or with texts under a collation in a table that it reads, and
    with at most ``room`` more operators.
    """
    read = Counter(scan.table for scan in scans(query))
    # A projection, and perhaps a filter, for each time that the table is read.
    tables = [table for table in schema.tables if 0 < _MOST * read[table.name] <= room]
    if not tables or not one_in(draw, _ONE_IN):
        return schema, query
    of_texts = [table for table in tables if any(column.type == STRING for column in table.columns)]
    if of_texts and one_in(draw, 2):
        return collated(draw, pick(draw, of_texts)).in_place((schema, query))
    return mapped(draw, pick(draw, tables)).in_place((schema, query))


def mapped(draw: DrawFn, table: Table) -> Reads:
    """``table`` with maps in one or two columns, read by a key; shrinks to one from INT in the first column, read by
    its first key. One map in eight is read by a key that it never has.
    """
    columns, values = list(table.columns), {}
    for place in sorted({draw(below(len(columns))) for _ in range(pick(draw, (1, 1, 2)))}):
        plain, key = columns[place], pick(draw, MAP_KEYS)
        columns[place] = Column(plain.name, Map(key, plain.type))
        at = 3 if one_in(draw, 8) else draw(below(2))
        stored = Col(plain.name, columns[place].type)
        values[plain.name] = MapRead(stored, Lit(key, domain(key)[at]))
    return Reads(Table(table.name, tuple(columns)), values)


def collated(draw: DrawFn, table: Table) -> Reads:
    """``table``, which has a column of texts, with a collation for it, read as text; shrinks to the first one.

    Half of the time a filter compares it under the collation, mostly beside a condition about the table's columns as
    they are read.
    """
    place = pick(draw, [place for place, column in enumerate(table.columns) if column.type == STRING])
    kind = Collated(pick(draw, COLLATIONS))
    columns = list(table.columns)
    columns[place] = replace(columns[place], type=kind)
    stored = Col(columns[place].name, kind)
    reads = Reads(Table(table.name, tuple(columns)), {stored.name: Cast(stored, STRING)})
    if not one_in(draw, 2):
        return reads
    condition = condition_about(draw, stored)
    if not one_in(draw, 3):
        known = tuple(Field(column.name, column.type) for column in table.columns)
        rest = draw(predicates(known, depth=1))
        condition = And(condition, substitute(rest, lambda column: reads.values.get(column.name, column)))
    return replace(reads, condition=condition)
