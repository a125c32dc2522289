"""Simplify values in cells and literals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal as Number
from typing import Any

from oracles.reductions.expressions import addresses, changed_at, node_at
from oracles.reductions.fit import paths, relation_at, with_query
from oracles.reductions.search import Edit, Search, sweep
from oracles.reductions.size import cost, simple_values
from strategies.ir import (
    BOOLEAN,
    FLOATING,
    FUNCTIONS,
    WHOLE,
    Array,
    Call,
    Case,
    Database,
    Decimal,
    Lit,
    Map,
    Node,
    SqlType,
    Struct,
    Table,
    Value,
    rebuild,
    type_text,
    walk,
)

Renaming = dict[tuple[str, Value], Value]
"""Maps a family and an old value to the new value. All integer types form one family, every other type its own."""

_EASY = 2
"""The number of simple values to try for each value."""


def constants(case: Case) -> Search:
    """Simplify equal values together, in cells and literals, then NULLs and values that aren't simple one by one."""
    yield from sweep(case, _edits)


def _edits(case: Case) -> Iterator[Edit]:
    for renaming in _renamings(case):
        yield _renamed, (case, renaming)
    yield from _single_cells(case)
    yield from _single_literals(case)


def _family(kind: SqlType) -> str:
    return "integer" if kind in WHOLE else type_text(kind)


def _renamings(case: Case) -> Iterator[Renaming]:
    """Map all values to simple ones in their order, then one family at a time, then each value to the simplest ones."""
    families: dict[str, dict[Value, SqlType]] = {}
    for kind, value in _values(case):
        if value is not None:
            families.setdefault(_family(kind), {}).setdefault(value, kind)
    in_order = [_in_order(family, values) for family, values in families.items()]
    yield {old: new for renaming in in_order for old, new in renaming.items()}
    yield from in_order
    for family, values in families.items():
        for value, kind in values.items():
            for easy in simple_values(kind)[:_EASY]:
                if cost(kind, easy) < cost(kind, value):
                    yield {(family, value): easy}


def _in_order(family: str, values: dict[Value, SqlType]) -> Renaming:
    ranked = sorted(values, key=lambda value: rank(values[value], value))
    return {(family, value): new for value, new in zip(ranked, simple_values(values[ranked[0]]), strict=False)}


def rank(kind: SqlType, value: Value) -> Any:
    """Sort key of the values of ``kind`` other than NULL, in SQL's order; NaN is the greatest double.

    NULL inside an array, a struct or a map is the least value there.
    """
    if isinstance(value, tuple):
        parts = _part_types(kind, len(value))
        return [
            (each is not None, each is not None and rank(part, each)) for part, each in zip(parts, value, strict=True)
        ]
    if kind in FLOATING:
        number = float.fromhex(str(value))
        return math.isnan(number), number
    return Number(str(value)) if isinstance(kind, Decimal) else value


def _part_types(kind: SqlType, size: int) -> list[SqlType]:
    """The types of the ``size`` parts of a value of ``kind``; an entry of a map has its key and its value."""
    if isinstance(kind, Map):
        return [Struct((("key", kind.key), ("value", kind.value)))] * size
    if isinstance(kind, Array):
        return [kind.element] * size
    return [part for _, part in kind.fields] if isinstance(kind, Struct) else []


def _values(case: Case) -> Iterator[tuple[SqlType, Value]]:
    for table in case.database.tables:
        for row in table.rows:
            yield from zip((column.type for column in table.columns), row, strict=True)
    for node in walk(case.query):
        if isinstance(node, Lit):
            yield node.kind, node.value


def _renamed(case: Case, renaming: Renaming) -> Case:
    def new(kind: SqlType, value: Value) -> Value:
        return renaming.get((_family(kind), value), value)

    def changed(literal: Lit) -> Lit:
        # Don't change BOOLEAN literals: FALSE for a condition TRUE would only empty the query.
        return literal if literal.kind == BOOLEAN else Lit(literal.kind, new(literal.kind, literal.value))

    query: Any = change_literals(case.query, changed)
    return change_cells(with_query(case, query), new)


def change_literals(node: Node, change: Callable[[Lit], Node]) -> Node:
    """``node`` with changed literals, except arguments that have to be certain constants (positions, lengths)."""
    if isinstance(node, Lit):
        return change(node)
    if isinstance(node, Call):
        fixed = FUNCTIONS[node.function].constants
        arguments: list[Any] = [
            argument if at in fixed else change_literals(argument, change) for at, argument in enumerate(node.arguments)
        ]
        return Call(node.function, tuple(arguments))
    return rebuild(node, lambda child: change_literals(child, change))


def change_cells(case: Case, change: Callable[[SqlType, Value], Value]) -> Case:
    """``case`` with each cell changed by its type and value."""

    def changed(table: Table) -> Table:
        kinds = [column.type for column in table.columns]
        rows = (tuple(change(kind, value) for kind, value in zip(kinds, row, strict=True)) for row in table.rows)
        return replace(table, rows=tuple(rows))

    return replace(case, database=Database(tuple(map(changed, case.database.tables))))


def _single_cells(case: Case) -> Iterator[Edit]:
    """Set all NULLs, then each cell that isn't simple, to the simplest value of its type."""
    yield change_cells, (case, _never_null)
    for at, table in enumerate(case.database.tables):
        for row, cells in enumerate(table.rows):
            for column, value in enumerate(cells):
                simple = simple_values(table.columns[column].type)
                if value not in simple:
                    yield _with_cell, (case, at, row, column, simple[0])


def _never_null(kind: SqlType, value: Value) -> Value:
    return simple_values(kind)[0] if value is None else value


def _with_cell(case: Case, at: int, row: int, column: int, value: Value) -> Case:
    tables = list(case.database.tables)
    rows = [list(cells) for cells in tables[at].rows]
    rows[row][column] = value
    tables[at] = replace(tables[at], rows=tuple(map(tuple, rows)))
    return replace(case, database=Database(tuple(tables)))


def _single_literals(case: Case) -> Iterator[Edit]:
    for path in paths(case.query):
        relation = relation_at(case.query, path)
        for address in addresses(relation):
            node = node_at(relation, address)
            if isinstance(node, Lit) and node.kind != BOOLEAN and cost(node.kind, node.value):
                yield changed_at, (case, path, address, Lit(node.kind, simple_values(node.kind)[0]))
