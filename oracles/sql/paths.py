"""Compile queries over tables in a VARIANT to Spark SQL that reads each field by its path where it is needed.

The view of such a table extracts all columns right above the files, where Spark's optimizer keeps them. A projection,
an aggregate, a window or a sorted list over tables reads their files instead, so that an extraction stands in an
aggregate function, in ON, in ORDER BY, or above a join.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from oracles.sql.clauses import asks
from oracles.sql.spark import STORED, SparkCompiler
from strategies.ir import (
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    WHOLE,
    Aggregate,
    Alias,
    Array,
    Clauses,
    Col,
    Column,
    Decimal,
    Field,
    Filter,
    Item,
    Join,
    Lateral,
    Limit,
    Literals,
    Node,
    Project,
    Relation,
    Scan,
    Sort,
    SqlType,
    Struct,
    Window,
    from_fields,
    referable,
    resolve,
    substitute,
    type_text,
)

# A VARIANT has neither intervals nor keys of maps that are no text, and no collations.
_KEPT: frozenset[SqlType] = frozenset({BINARY, BOOLEAN, DATE, DOUBLE, FLOAT, *WHOLE, STRING, TIMESTAMP, TIMESTAMP_NTZ})


def is_kept(kind: SqlType) -> bool:
    """Whether a VARIANT gives back every value of ``kind`` unchanged."""
    if isinstance(kind, Array):
        return is_kept(kind.element)
    if isinstance(kind, Struct):
        return all(is_kept(field) for _, field in kind.fields)
    return isinstance(kind, Decimal) or kind in _KEPT


def inside(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Those of the ``columns`` of a table that may be fields of its VARIANT."""
    return tuple(column for column in columns if is_kept(column.type) and column.name.isidentifier())


def variant_of(table: str) -> str:
    """The quoted name of the VARIANT in the files of ``table``."""
    return f"`{table}_variant`"


def extraction(variant: str, name: str, kind: SqlType) -> str:
    """The text that reads the field ``name`` of a VARIANT as ``kind``."""
    return f"variant_get({variant}, '$.{name}', '{type_text(kind)}')"


_Listed = TypeVar("_Listed", Project, Aggregate, Limit, Sort, Window)


class PathCompiler(SparkCompiler):
    """The compiler to Spark SQL for queries over tables in a VARIANT, whose files are ``t0_stored`` for ``t0``.

    A SELECT with a subquery or a LATERAL join, whose text names columns of the query around it, reads the views.
    """

    def __init__(self, literals: Literals = "plain", *, clauses: Clauses = "nested", stored: bool = False) -> None:
        # One SELECT reads files by path, and a chain has none.
        super().__init__(literals, clauses="nested" if clauses == "piped" else clauses, stored=stored)
        self._files: Mapping[str, Scan] = {}
        """The tables that the SELECT in work reads from their files, by their qualifiers."""

    def visit(self, node: Node) -> str:
        if not isinstance(node, Relation):
            return super().visit(node)
        around, self._files = self._files, {}
        try:
            return super().visit(node)
        finally:
            self._files = around

    def visit_Project(self, node: Project) -> str:
        return super().visit_Project(self._by_path(node))

    def reads_columns(self, node: Project) -> bool:
        return not self._files

    def visit_Aggregate(self, node: Aggregate) -> str:
        return super().visit_Aggregate(self._by_path(node))

    def visit_Limit(self, node: Limit) -> str:
        return self._listing(node.child, super().visit_Limit(self._by_path(node)))

    def visit_Sort(self, node: Sort) -> str:
        if node.within:
            return super().visit_Sort(node)
        return self._listing(node.child, super().visit_Sort(self._by_path(node)))

    def visit_Window(self, node: Window) -> str:
        return self._listing(node.child, super().visit_Window(self._by_path(node)))

    def visit_Col(self, node: Col) -> str:
        return self._path(node) or super().visit_Col(node)

    def visit_Item(self, node: Item) -> str:
        return self._named(node, self.visit(node.value)) or super().visit_Item(node)

    def key_item(self, item: Item, key: str) -> str:
        return self._named(item, key) or super().key_item(item, key)

    def from_item(self, relation: Relation) -> str:
        scan = relation.child if isinstance(relation, Alias) else relation
        if isinstance(scan, Scan):
            name = relation.name if isinstance(relation, Alias) else scan.table
            if name in self._files:
                return f"{self.quote(scan.table + STORED)} AS {self.quote(name)}"
        return super().from_item(relation)

    def _path(self, value: Node) -> str | None:
        """The text of a column of files, or None for anything else."""
        scan = self._files.get(value.qualifier or "") if isinstance(value, Col) else None
        if not isinstance(value, Col) or scan is None or value.name not in {each.name for each in inside(scan.columns)}:
            return None
        return extraction(f"{self.quote(str(value.qualifier))}.{variant_of(scan.table)}", value.name, value.type)

    def _named(self, item: Item, text: str) -> str | None:
        """An item that is a column of files with the name that the view gives it, or None for any other item."""
        return None if self._path(item.value) is None else f"{text} AS {self.quote(item.name)}"

    def _listing(self, relation: Relation, text: str) -> str:
        """``text``, which selects all columns of ``relation``, with a list of them if some are columns of files."""
        if not self._files:
            return text
        items = tuple(Item(field.name, field.column()) for field in relation.fields)
        return f"SELECT {self.listed(items)}{text.removeprefix('SELECT *')}"

    def _by_path(self, node: _Listed) -> _Listed:
        """``node`` with a qualifier for each column of files; its SELECT then reads these files by path."""
        joined: tuple[Relation, ...] = tuple(_from_clause(node.child))
        if any(isinstance(each, Lateral) for each in joined) or any(map(asks, (node, *joined))):
            return node
        if isinstance(node, (Limit, Sort, Window)) and referable(node.child.fields) != node.child.fields:
            return node  # SELECT * does without names of their own, and a list does not
        self._files = {name: scan for name, scan in map(_scanned, joined) if scan is not None and inside(scan.columns)}
        return _qualified(node) if self._files else node


_LISTS: Mapping[type[Relation], tuple[str, ...]] = {
    Project: ("items",),
    Aggregate: ("keys", "aggregates"),
    Limit: ("order",),
    Sort: ("order",),
    Window: ("columns", "partition", "order"),
}
"""The fields of each relation with expressions over the columns of its child."""


def _from_clause(relation: Relation) -> Iterator[Relation]:
    """The filter, the joins, and the items that they join in the FROM and the WHERE of a SELECT from ``relation``."""
    yield relation
    if isinstance(relation, Filter):
        yield from _joined(relation.child)
    elif isinstance(relation, Join):
        yield from (*_joined(relation.left), *_joined(relation.right))


def _joined(relation: Relation) -> Iterator[Relation]:
    """``relation``, and if it is a join, those that it joins; any other one is a SELECT of its own."""
    yield from _from_clause(relation) if isinstance(relation, Join) else (relation,)


def _scanned(relation: Relation) -> tuple[str, Scan | None]:
    """The qualifier and the scan of a table by itself, with or without an alias."""
    if isinstance(relation, Alias) and isinstance(relation.child, Scan):
        return relation.name, relation.child
    return (relation.table, relation) if isinstance(relation, Scan) else ("", None)


def _qualified(node: _Listed) -> _Listed:
    """``node`` with a qualifier for each column that has one in its FROM clause."""
    named = _naming(node.child.fields)
    changed: dict[str, Any] = {"child": _qualified_from(node.child)}
    for name in _LISTS[type(node)]:
        changed[name] = tuple(substitute(part, named) for part in getattr(node, name))
    return replace(node, **changed)


def _qualified_from(relation: Relation) -> Relation:
    if isinstance(relation, Filter):
        condition = substitute(relation.condition, _naming(from_fields(relation.child)))
        child = _qualified_from(relation.child) if isinstance(relation.child, Join) else relation.child
        return replace(relation, child=child, condition=condition)
    if not isinstance(relation, Join):
        return relation
    left, right = (
        _qualified_from(side) if isinstance(side, Join) else side for side in (relation.left, relation.right)
    )
    named = _naming(from_fields(left) + from_fields(right))
    on = None if relation.on is None else substitute(relation.on, named)
    return replace(relation, left=left, right=right, on=on)


def _naming(fields: tuple[Field, ...]) -> Callable[[Col], Col]:
    """A function that gives a column among ``fields`` the qualifier that its field has."""
    return lambda column: replace(column, qualifier=resolve(column, fields)[0].qualifier)
