"""Read optimized plans from Catalyst's JSON (``TreeNode.toJSON``, see the jar's PlanJson).

A tree is a list of its nodes in prefix order, each with its class and its number of children; a field that holds
an expression holds such a list, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from assay.proof import algebra
from assay.proof.algebra import Expr, Kind, NotEncodable, Plan

_SPARKS = "org.apache.spark.sql."
_NUMBERS = ("byte", "short", "integer", "long")
"""From the narrowest to the widest: a cast to a wider one changes nothing."""
_KINDS: Mapping[str, Kind] = {**dict.fromkeys(_NUMBERS, "number"), "boolean": "boolean", "void": "null"}
_JOINS: Mapping[str, algebra.JoinKind] = {
    "Inner$": "inner",
    "Cross$": "inner",
    "LeftOuter$": "left",
    "RightOuter$": "right",
    "FullOuter$": "full",
    "LeftSemi$": "semi",
    "LeftAnti$": "anti",
}
_MOVING = ("Sort", "RepartitionByExpression", "Repartition", "RebalancePartitions")
"""Operators that move rows, and leave the bag as it is."""
_LOGIC = ("And", "Or", "Not", "EqualTo", "EqualNullSafe", "IsNull", "IsNotNull", "In")
_ORDER = ("LessThan", "LessThanOrEqual", "GreaterThan", "GreaterThanOrEqual")
_ARITHMETIC = ("Add", "Subtract", "Multiply", "Divide", "IntegralDivide", "Remainder", "Pmod", "UnaryMinus", "Abs")
_FUNCTIONS = ("Count", "Sum", "Min", "Max")
_COUNTED = ("Except", "ExceptAll", "Intersect", "IntersectAll", "Distinct")


@dataclass(frozen=True, slots=True)
class _Node:
    """A node of a tree: the last part of its class's name, if it is Spark's, its fields, and its children."""

    name: str
    fields: Mapping[str, Any]
    children: tuple[_Node, ...]


def read_plan(text: str) -> Plan:
    """The plan of a text of JSON, '' if there is none.

    :raises NotEncodable: it holds an operator, an expression or a type that can't be proven.
    """
    if not text:
        raise NotEncodable("no JSON of the plan")
    return _plan(_tree(json.loads(text)))


def _tree(nodes: Sequence[Mapping[str, Any]]) -> _Node:
    rest = iter(nodes)

    def take() -> _Node:
        fields = next(rest)
        children = tuple(take() for _ in range(fields["num-children"]))
        name = fields["class"]
        return _Node(name.rpartition(".")[2] if name.startswith(_SPARKS) else name, fields, children)

    return take()


def _plan(node: _Node) -> Plan:
    if node.name in _MOVING:
        return _plan(node.children[0])
    if node.name not in _OPERATORS:
        raise NotEncodable(f"operator {node.name}")
    return _OPERATORS[node.name](node)


def _table(node: _Node) -> Plan:
    (leaf,) = node.children
    columns = [_tree(each) for each in leaf.fields.get("output", ())]
    kinds = tuple(_kind(column) for column in columns)
    if any(column.fields["dataType"] == "long" for column in columns):
        raise NotEncodable("a table with BIGINT, whose sums overflow")
    return algebra.Table(node.fields["identifier"]["name"], tuple(map(_id, columns)), kinds)


def _join(node: _Node) -> Plan:
    left, right = map(_plan, node.children)
    kind, condition = node.fields["joinType"], node.fields.get("condition")
    name = kind.get("object", kind.get("product-class", "")).rpartition(".")[2]
    on = _expression(_tree(condition)) if condition else None
    if name == "ExistenceJoin":
        return algebra.Join("existence", left, right, on, _id(_tree(kind["exists"])))
    if name not in _JOINS:
        raise NotEncodable(f"join {name}")
    return algebra.Join(_JOINS[name], left, right, on)


def _aggregate(node: _Node) -> Plan:
    keys = tuple(_expressions(node.fields["groupingExpressions"]))
    return algebra.Aggregate(keys, _items(node.fields["aggregateExpressions"]), _plan(node.children[0]))


def _expand(node: _Node) -> Plan:
    """A row for each row and projection: the projections put together."""
    ids, child = [_id(_tree(each)) for each in node.fields["output"]], _plan(node.children[0])
    lists = [map(algebra.Item, ids, _expressions(each)) for each in node.fields["projections"]]
    return algebra.Union(tuple(algebra.Project(tuple(items), child) for items in lists))


def _project(node: _Node) -> Plan:
    (below,) = node.children
    if below.name == "Generate":
        return _generate(below, tuple(_id(_tree(each)) for each in node.fields["projectList"]))
    return algebra.Project(_items(node.fields["projectList"]), _plan(below))


def _generate(node: _Node, kept: tuple[int, ...]) -> Plan:
    generator = _tree(node.fields["generator"])
    if generator.name != "ReplicateRows" or node.fields["outer"]:
        raise NotEncodable(f"generator {generator.name}")
    copies, *values = map(_expression, generator.children)
    ids = tuple(_id(_tree(each)) for each in node.fields["generatorOutput"])
    return algebra.Replicate(copies, kept, tuple(values), ids, _plan(node.children[0]))


def _reference(node: _Node) -> Plan:
    kind = node.fields["kind"]["object"].rpartition("ReferenceKind$")[2].removesuffix("$")
    if kind not in _COUNTED:
        raise NotEncodable(f"operator {kind}")
    return algebra.Counted(cast(algebra.CountedKind, kind), tuple(map(_plan, node.children)))


_OPERATORS: Mapping[str, Callable[[_Node], Plan]] = {
    "SubqueryAlias": _table,
    "OneRowRelation": lambda node: algebra.OneRow(),
    "Project": _project,
    "Filter": lambda node: algebra.Filter(_expression(_tree(node.fields["condition"])), _plan(node.children[0])),
    "Join": _join,
    "Union": lambda node: algebra.Union(tuple(map(_plan, node.children))),
    "Aggregate": _aggregate,
    "Expand": _expand,
    "ReferenceOperator": _reference,
}


def _items(trees: Sequence[Any]) -> tuple[algebra.Item, ...]:
    """The named expressions of a list: columns, and aliases of anything."""
    nodes = map(_tree, trees)
    return tuple(
        algebra.Item(_id(node), _expression(node.children[0] if node.name == "Alias" else node)) for node in nodes
    )


def _expressions(trees: Sequence[Any]) -> Iterator[Expr]:
    return (_expression(_tree(tree)) for tree in trees)


def _expression(node: _Node) -> Expr:
    if node.name == "Literal":
        return _literal(node)
    if node.name == "AttributeReference":
        _kind(node)
        return algebra.Column(_id(node), promised=not node.fields["nullable"])
    if node.name == "AggregateExpression":
        function, *where = node.children
        if function.name not in _FUNCTIONS:
            raise NotEncodable(f"aggregate function {function.name}")
        arguments = tuple(map(_expression, function.children))
        return algebra.Aggregated(
            function.name, arguments, node.fields["isDistinct"], _expression(where[0]) if where else None
        )
    if node.name == "Cast":
        return _cast(node)
    if node.name in _ARITHMETIC:
        raise NotEncodable("arithmetic")
    return algebra.Apply(node.name, tuple(map(_expression, node.children)))


def _literal(node: _Node) -> Expr:
    kind, value = _kind(node), node.fields.get("value")
    if value is None:
        return algebra.Constant(None)
    return algebra.Constant(value == "true" if kind == "boolean" else int(value))


def _cast(node: _Node) -> Expr:
    (child,) = node.children
    given, wanted = _type(child), node.fields["dataType"]
    value = _expression(child)
    if given in (wanted, "void") or (given in _NUMBERS and wanted in _NUMBERS[_NUMBERS.index(given) :]):
        return value
    if {given, wanted} <= {"boolean", *_NUMBERS} and "boolean" in (given, wanted):
        return algebra.Apply("Cast to boolean" if wanted == "boolean" else "Cast to number", (value,))
    raise NotEncodable(f"cast from {given} to {wanted}")


def _type(node: _Node) -> str:
    """Spark's name of the type of an expression that can be cast."""
    if "dataType" in node.fields:
        return str(node.fields["dataType"])
    if node.name in (*_LOGIC, *_ORDER):
        return "boolean"
    raise NotEncodable(f"cast of {node.name}")


def _kind(node: _Node) -> Kind:
    name = node.fields["dataType"]
    if not isinstance(name, str) or name not in _KINDS:
        raise NotEncodable(f"type {name if isinstance(name, str) else name.get('type', 'unknown')}")
    return _KINDS[name]


def _id(node: _Node) -> int:
    return int(node.fields["exprId"]["id"])
