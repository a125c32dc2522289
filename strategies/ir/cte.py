"""Common table expressions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from strategies.ir.aggregates import Agg
from strategies.ir.data import Column
from strategies.ir.expressions import Lit
from strategies.ir.node import Node, children, transform, walk
from strategies.ir.random_columns import RandomColumn, RowNumbers
from strategies.ir.references import outers_of
from strategies.ir.relations import Alias, CteScan, Filter, Relation, Scan
from strategies.ir.types import BOOLEAN
from strategies.ir.windows import Frame, Over, Window


@dataclass(frozen=True, slots=True)
class With(Relation):
    """``WITH name AS (definition) body``; ``body`` reads the definition's rows by CteScan, any number of times.

    Neither has outer columns: Spark can't decorrelate them unless InlineCTE is on.
    """

    name: str
    definition: Relation
    body: Relation

    def __post_init__(self) -> None:
        self._determined(self.definition, self.body)
        names = [f.name for f in self.definition.fields]
        if len(set(names)) != len(names):
            raise self._refuse(f"the definition has a column name twice: {names}")
        columns = tuple(Column(f.name, f.type) for f in self.definition.fields)
        inside = [*walk(self.definition), *walk(self.body)]
        if any(isinstance(node, With) and node.name == self.name for node in inside):
            raise self._refuse(f"{self.name} is defined again inside")
        if any(isinstance(node, Scan) and node.table == self.name for node in inside):
            raise self._refuse(f"{self.name} hides a table")
        if self.name in free_ctes(self.definition):
            raise self._refuse(f"{self.name} reads itself")
        if any(isinstance(n, CteScan) and n.name == self.name and n.columns != columns for n in walk(self.body)):
            raise self._refuse(f"{self.name} has the columns {columns}")
        if any(True for side in (self.definition, self.body) for _ in outers_of(side)):
            raise self._refuse("nothing in it may refer to the query around")
        self._outputs(self._unqualified(self.body.fields))


def free_ctes(node: Node) -> set[str]:
    """Names of the common table expressions that ``node`` reads and doesn't define."""
    return set(_free(node))


def _free(node: Node) -> Iterator[str]:
    if isinstance(node, CteScan):
        yield node.name
    for child in children(node):
        yield from (name for name in _free(child) if not (isinstance(node, With) and name == node.name))


def without_random(relation: Relation) -> Relation:
    """``relation`` without nondeterministic functions, so that it can stand in a subquery: windows have the columns."""

    def change(node: Node) -> Node:
        match node:
            case Filter() if node.random is not None:
                return replace(node, random=None)
            case RowNumbers(child, order, name):
                return Window(child, (Over(name, Agg("count"), Frame("rows", None, 0)),), (), order)
            case RandomColumn(child, name):
                return Window(child, (Over(name, Agg("every", Lit(BOOLEAN, True))),))
        return node

    changed = transform(relation, change)
    assert isinstance(changed, Relation)  # a relation replaces a relation
    return changed


def inlined(query: With) -> Relation:
    """The body of ``query`` with each CteScan of its definition replaced by the definition, without random numbers.

    Raises InvalidQuery if this would nest a WITH in another one of its name, or hide an outer column of a subquery.
    """
    read = Alias(without_random(query.definition), query.name)

    def change(node: Node) -> Node:
        return read if isinstance(node, CteScan) and node.name == query.name else node

    body = transform(query.body, change)
    assert isinstance(body, Relation)  # a relation replaces a relation
    return body
