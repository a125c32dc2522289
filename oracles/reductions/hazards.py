"""Remove hazards that make a case harder to read: other types than INT, and names with two meanings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from oracles.reductions.constants import rank
from oracles.reductions.expressions import items_at, replacing
from oracles.reductions.fit import paths, relation_at, with_query
from oracles.reductions.search import Edit, Search, sweep
from oracles.reductions.size import LISTS, Listing, items_of, reuses_name
from strategies.ir import (
    INT,
    Case,
    Cast,
    Col,
    Column,
    CteScan,
    Database,
    Lit,
    Node,
    Outer,
    Scan,
    SqlType,
    Table,
    Value,
    transform,
    type_text,
    walk,
)


def types(case: Case) -> Search:
    """Replace one type after the other by INT, in all columns and literals at once."""
    yield from sweep(case, _integers)


def names(case: Case) -> Search:
    """Rename items that have the name of another input column."""
    yield from sweep(case, _own_names)


def _integers(case: Case) -> Iterator[Edit]:
    kinds = {column.type for table in case.database.tables for column in table.columns}
    kinds |= {node.kind for node in walk(case.query) if isinstance(node, Lit)}
    for kind in sorted(kinds - {INT}, key=type_text):
        yield _as_integers, (case, kind)


def _as_integers(case: Case, kind: SqlType) -> Case:
    cells = {
        value
        for table in case.database.tables
        for row in table.rows
        for column, value in zip(table.columns, row, strict=True)
        if column.type == kind
    }
    literals = {node.value for node in walk(case.query) if isinstance(node, Lit) and node.kind == kind}
    ordered = sorted((cells | literals) - {None}, key=lambda value: rank(kind, value))

    def number(value: Value) -> Value:
        return None if value is None else ordered.index(value)

    def columns(old: tuple[Column, ...]) -> tuple[Column, ...]:
        return tuple(Column(column.name, INT) if column.type == kind else column for column in old)

    def change(node: Node) -> Node:
        if isinstance(node, Lit) and node.kind == kind:
            return Lit(INT, number(node.value))
        if isinstance(node, Cast) and node.to == kind:
            return Cast(node.operand, INT)
        if isinstance(node, (Col, Outer)) and node.kind == kind:
            return replace(node, kind=INT)
        return replace(node, columns=columns(node.columns)) if isinstance(node, (Scan, CteScan)) else node

    def retyped(table: Table) -> Table:
        change_here = [column.type == kind for column in table.columns]
        rows = (
            tuple(number(value) if here else value for here, value in zip(change_here, row, strict=True))
            for row in table.rows
        )
        return replace(table, columns=columns(table.columns), rows=tuple(rows))

    query: Any = transform(case.query, change)
    return with_query(case, query, Database(tuple(map(retyped, case.database.tables))))


def _own_names(case: Case) -> Iterator[Edit]:
    for path in paths(case.query):
        node = relation_at(case.query, path)
        if isinstance(node, LISTS):
            for address, item in items_at(node):
                if reuses_name(item, node):
                    yield from replacing(case, path, address, replace(item, name=_fresh(node)))


def _fresh(node: Listing) -> str:
    taken = {item.name for item in items_of(node)} | {field.name for field in node.child.fields}
    return next(name for name in map("x{}".format, count(1)) if name not in taken)
