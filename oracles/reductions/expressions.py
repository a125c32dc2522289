"""Replace the expressions of a query by smaller ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from oracles.reductions.fit import Path, paths, relation_at, splice, splice_equal, with_query
from oracles.reductions.repoint import in_place
from oracles.reductions.search import Edit, Search, attempt
from oracles.reductions.size import simple_values
from strategies.ir import (
    BOOLEAN,
    LANGUAGES,
    STRING,
    Aggregate,
    Case,
    Cast,
    Col,
    Collate,
    Collated,
    Expr,
    Field,
    GroupingSets,
    InvalidQuery,
    Item,
    Join,
    Lit,
    MakeMap,
    Map,
    Merge,
    Node,
    OneRow,
    Recursive,
    Relation,
    SortKey,
    Statement,
    Subquery,
    UserCall,
    children,
    from_fields,
    init_fields,
    rebuild,
    referable,
    walk,
)

Address = tuple[tuple[str, int | None], ...]
"""The path from a relation to a node in one of its expressions: names of fields, and positions in tuples."""


def expressions(case: Case) -> Search:
    """Replace every node, from the outside in, by each smaller one that fits, the largest cut first."""
    visited: set[tuple[Path, Address]] = set()
    while todo := [place for place in _places(case.query) if place not in visited]:
        visited.add(todo[0])
        edits = _edits(case, *todo[0])
        while edit := next(edits, None):
            accepted = yield from attempt(edit[0], *edit[1])
            if accepted is not None:
                case = accepted
                edits = _edits(case, *todo[0])


def _places(query: Relation) -> list[tuple[Path, Address]]:
    return [(path, address) for path in paths(query) for address in addresses(relation_at(query, path))]


def addresses(node: Node) -> Iterator[Address]:
    """The addresses of the nodes in a relation's own expressions, parents first."""
    for name, value in init_fields(node).items():
        parts = enumerate(value) if isinstance(value, tuple) else [(None, value)]
        for index, part in parts:
            if isinstance(part, Node) and not isinstance(part, Relation):
                yield ((name, index),)
                for rest in addresses(part):
                    yield ((name, index), *rest)


def node_at(node: Any, address: Address) -> Any:
    """The node at ``address`` below ``node``."""
    for name, index in address:
        value = getattr(node, name)
        node = value if index is None else value[index]
    return node


def put(node: Any, address: Address, new: Node) -> Any:
    """``node`` with ``new`` at ``address``; raises InvalidQuery if it doesn't fit."""
    if not address:
        return new
    (name, index), *rest = address
    part = put(node_at(node, address[:1]), tuple(rest), new)
    if index is None:
        return replace(node, **{name: part})
    value = getattr(node, name)
    return replace(node, **{name: (*value[:index], part, *value[index + 1 :])})


def items_at(node: Relation) -> Iterator[tuple[Address, Item]]:
    """The items of a projection or an aggregate with their addresses."""
    for address in addresses(node):
        item = node_at(node, address)
        if isinstance(item, Item):
            yield address, item


def changed_at(case: Case, path: Path, address: Address, new: Node) -> Case:
    """``case`` with ``new`` at ``address`` of the relation at ``path``; raises InvalidQuery if it doesn't fit."""
    relation: Relation = put(relation_at(case.query, path), address, new)
    return with_query(case, splice(case.query, path, in_place(relation)))


def _changed_equal(case: Case, path: Path, address: Address, new: Node) -> Case:
    """As ``changed_at``, but in each relation of the query that equals the one at ``path``."""
    old = relation_at(case.query, path)
    relation: Relation = put(old, address, new)
    return with_query(case, splice_equal(case.query, old, in_place(relation)))


def _edits(case: Case, path: Path, address: Address) -> Iterator[Edit]:
    if (path, address) not in _places(case.query):  # the last success removed it
        return
    relation = relation_at(case.query, path)
    node = node_at(relation, address)
    if isinstance(node, Expr) and not isinstance(node, (Col, Lit)):
        for smaller in _smaller(node, referable(_scope(relation, address))):
            yield from replacing(case, path, address, smaller)
    for variant in _variants(node):
        yield from replacing(case, path, address, variant)


def replacing(case: Case, path: Path, address: Address, new: Node) -> Iterator[Edit]:
    """Put ``new`` at ``address`` of all relations equal to the one at ``path``, then of that one alone."""
    node = relation_at(case.query, path)
    if sum(other == node for other in walk(case.query)) > 1:
        yield _changed_equal, (case, path, address, new)
    yield changed_at, (case, path, address, new)


def _smaller(node: Expr, scope: tuple[Field, ...]) -> Iterator[Expr]:
    """Smaller expressions: TRUE for a condition, parts of the same type, a column or constant of that type."""
    if node.type == BOOLEAN:
        yield Lit(BOOLEAN, True)
    if isinstance(node, Subquery) and node.type == BOOLEAN:
        yield Lit(BOOLEAN, False)
    beside = (part for part in _in_scope(node) if part is not node)
    parts = [part for part in beside if isinstance(part, Expr) and part.type == node.type]
    yield from sorted(parts, key=lambda part: sum(1 for _ in walk(part)))
    if isinstance(node, Cast):
        yield node.operand
    if isinstance(node, UserCall):
        yield node.meaning
    if not parts:
        yield from [field.column() for field in scope if field.type == node.type][:1]
        if node.type != BOOLEAN and not isinstance(node.type, Map):  # no constant is a map
            yield Lit(node.type, simple_values(node.type)[0])


def _in_scope(node: Node) -> Iterator[Node]:
    """``node`` and the nodes below it, without those inside subqueries."""
    yield node
    for child in children(node, apart_from=node.closed):
        yield from _in_scope(child)


def _variants(node: Node) -> Iterator[Node]:
    """The same node with one branch, item or operand less, without an option, or with a flag at its default; without a
    collation of its own operands.
    """
    with suppress(InvalidQuery):
        if (plain := rebuild(node, _without_collation, apart_from=node.closed)) != node:
            yield plain
    for change in _changes(node):
        try:
            variant = replace(node, **change)
        except InvalidQuery:
            continue
        yield variant


def _without_collation(node: Node) -> Node:
    if isinstance(node, Lit) and isinstance(node.kind, Collated):
        return Lit(STRING, node.value)
    return node.operand if isinstance(node, Collate) else node


def _changes(node: Node) -> Iterator[dict[str, Any]]:
    for name, value in init_fields(node).items():
        if isinstance(value, tuple) and len(value) > 1:
            for index in range(len(value)):
                yield {name: value[:index] + value[index + 1 :]}
        if name in ("otherwise", "where", "frame", "default") and value is not None:
            yield {name: None}
        if name in ("negated", "distinct", "descending", "ignore_nulls", "outer") and value:
            yield {name: False}
        if name == "language" and value != LANGUAGES[0]:
            yield {name: LANGUAGES[0]}
    if isinstance(node, SortKey) and not node.nulls_first:
        yield {"nulls_first": True}
    if isinstance(node, MakeMap) and len(node.keys) > 1:
        for index in range(len(node.keys)):
            yield {
                name: parts[:index] + parts[index + 1 :]
                for name, parts in (("keys", node.keys), ("values", node.values))
            }


def _scope(relation: Relation, address: Address) -> tuple[Field, ...]:
    """The columns that an expression at ``address`` of ``relation`` can refer to."""
    if isinstance(relation, OneRow):
        return ()
    if isinstance(relation, Recursive):
        return relation.fields
    if isinstance(relation, Merge):
        return (*relation.target.fields, *relation.source.fields)
    if isinstance(relation, Statement):
        return relation.target.fields
    if isinstance(relation, Join):
        return from_fields(relation.left) + from_fields(relation.right)
    if isinstance(relation, (Aggregate, GroupingSets)) and address[0][0] == "having":
        return relation.fields
    return relation_at(relation, ("child",)).fields
