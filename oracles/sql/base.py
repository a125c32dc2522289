"""What the SQL of both engines has in common: the shape of a SELECT, and operators with one spelling.

A dialect is one subclass. It has a ``visit_<Node>`` or an entry in ``UNSUPPORTED`` for every node, a template
for every function of the query algebra, and nothing that asks which dialect it is.

Shape: scans, aliases and joins are FROM items, a filter right above them is the WHERE of the same SELECT, and a
projection or aggregate above that is its select list; any other relation below another one becomes a derived
table with an alias that nothing refers to. So the engine's plan stays close to the query algebra's tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import ClassVar

from strategies.ir import (
    Agg,
    AggFunction,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Arith,
    Between,
    Call,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Compare,
    Distinct,
    Expr,
    Field,
    Filter,
    InList,
    IsNull,
    Item,
    Join,
    JoinKind,
    Limit,
    Lit,
    Node,
    Not,
    NullIf,
    Or,
    Project,
    Relation,
    Remainder,
    Scan,
    SetOp,
    SortKey,
    SqlType,
    Value,
    When,
    columns_of,
    transform,
    walk,
)


class UnsupportedNode(ValueError):
    """A dialect can't say this node; the message names both."""


class Compiler:
    """Renders a query as the text of one SELECT; subclasses say what their dialect spells differently."""

    UNSUPPORTED: ClassVar[frozenset[str]] = frozenset()
    """Names of the nodes that the dialect has no words for."""
    FUNCTIONS: ClassVar[Mapping[str, str]]
    """A ``str.format`` template for each scalar function; its arguments are complete expressions."""
    AGGREGATES: ClassVar[Mapping[AggFunction, str]] = {
        "count": "count",
        "sum": "sum",
        "avg": "avg",
        "min": "min",
        "max": "max",
        "every": "bool_and",
        "some": "bool_or",
    }
    JOINS: ClassVar[Mapping[JoinKind, str]]
    NULL_SAFE_EQUAL: ClassVar[str]

    def __init__(self) -> None:
        self._aliases: Iterator[str] = iter(())

    def compile(self, relation: Relation) -> str:
        """The SELECT that computes ``relation``, without a trailing semicolon.

        :raises UnsupportedNode: the dialect can't say a node in it.
        """
        self._aliases = fresh_aliases(relation)
        return self.visit(relation)

    def supports(self, relation: Relation) -> bool:
        """Whether ``compile`` has words for ``relation``."""
        return not any(type(node).__name__ in self.UNSUPPORTED for node in walk(relation))

    def expression(self, expression: Expr | Agg) -> str:
        """A scalar or aggregate expression by itself, as it stands in a select list."""
        return self.visit(expression)

    def visit(self, node: Node) -> str:
        """The text of any node; a relation's is a whole SELECT."""
        method = getattr(self, f"visit_{type(node).__name__}", None)
        if method is None:
            raise UnsupportedNode(f"{type(self).__name__} has no visit_{type(node).__name__}")
        text: str = method(node)
        return text

    # What a dialect adds: each of these must be given, and says so where it isn't.

    def quote(self, name: str) -> str:
        """An identifier that is taken literally."""
        raise NotImplementedError

    def type_name(self, kind: SqlType) -> str:
        """The name of a type, as CAST takes it."""
        raise NotImplementedError

    def constant(self, kind: SqlType, value: Value) -> str:
        """A constant of exactly the type ``kind``; ``value`` is not NULL."""
        raise NotImplementedError

    def derived(self, query: str, alias: str, fields: tuple[Field, ...]) -> str:
        """``query``, whose columns are ``fields``, as a FROM item."""
        raise NotImplementedError

    def having_needs_table(self, node: Aggregate) -> bool:
        """Whether HAVING has to be the WHERE of a derived table, because it can't repeat what it is about."""
        return aliases_shadow_columns(node)

    # Relations: each visit is a whole SELECT.

    def visit_Scan(self, node: Scan) -> str:
        return f"SELECT * {self.source(node)}"

    def visit_Alias(self, node: Alias) -> str:
        return f"SELECT * {self.source(node)}"

    def visit_Join(self, node: Join) -> str:
        return f"SELECT * {self.source(node)}"

    def visit_Filter(self, node: Filter) -> str:
        return f"SELECT * {self.source(node)}"

    def visit_Project(self, node: Project) -> str:
        return f"SELECT {self.listed(node.items)} {self.source(node.child)}"

    def visit_Distinct(self, node: Distinct) -> str:
        if isinstance(node.child, Project):
            return f"SELECT DISTINCT {self.listed(node.child.items)} {self.source(node.child.child)}"
        return f"SELECT DISTINCT * {self.source(node.child)}"

    def visit_Aggregate(self, node: Aggregate) -> str:
        if node.having is None:
            return self._grouped(node)
        if self.having_needs_table(node):
            table = self.derived(self._grouped(node), next(self._aliases), node.fields)
            return f"SELECT * FROM {table} WHERE {self.visit(node.having)}"
        return f"{self._grouped(node)} HAVING {self.visit(inlined_having(node))}"

    def _grouped(self, node: Aggregate) -> str:
        select = f"SELECT {self.listed((*node.keys, *node.aggregates))} {self.source(node.child)}"
        keys = ", ".join(self.visit(key.value) for key in node.keys)
        return f"{select} GROUP BY {keys}" if keys else select

    def visit_SetOp(self, node: SetOp) -> str:
        operator = f"{node.kind.upper()} ALL" if node.all else node.kind.upper()
        return f"({self.visit(node.left)}) {operator} ({self.visit(node.right)})"

    def visit_Limit(self, node: Limit) -> str:
        order = ", ".join(map(self.visit, node.order))
        return f"SELECT * {self.source(node.child)} ORDER BY {order} {self._limit(node)}"

    def visit_AnyLimit(self, node: AnyLimit) -> str:
        # A query that already ends in ORDER BY … LIMIT takes no second one.
        query = f"SELECT * {self.source(node.child)}" if isinstance(node.child, Limit) else self.visit(node.child)
        return f"{query} {self._limit(node)}"

    def _limit(self, node: Limit | AnyLimit) -> str:
        # Spark without EliminateOffsets has no plan for OFFSET 0.
        return f"LIMIT {node.count} OFFSET {node.offset}" if node.offset else f"LIMIT {node.count}"

    # FROM and WHERE.

    def source(self, relation: Relation) -> str:
        """``FROM … [WHERE …]`` whose rows are those of ``relation``."""
        if isinstance(relation, Filter):
            return f"FROM {self.from_item(relation.child)} WHERE {self.visit(relation.condition)}"
        return f"FROM {self.from_item(relation)}"

    def from_item(self, relation: Relation) -> str:
        """``relation`` as it stands in a FROM clause, with the qualifiers of its fields."""
        if isinstance(relation, Scan):
            return self.quote(relation.table)
        if isinstance(relation, Join):
            return self._join(relation)
        if not isinstance(relation, Alias):
            return self.derived(self.visit(relation), next(self._aliases), relation.fields)
        if isinstance(relation.child, Scan):
            return f"{self.quote(relation.child.table)} AS {self.quote(relation.name)}"
        return self.derived(self.visit(relation.child), relation.name, relation.child.fields)

    def _join(self, node: Join) -> str:
        right = self.from_item(node.right)
        if isinstance(node.right, Join):
            right = f"({right})"
        joined = f"{self.from_item(node.left)} {self.JOINS[node.kind]} {right}"
        return joined if node.on is None else f"{joined} ON {self.visit(node.on)}"

    # Parts of a SELECT.

    def listed(self, items: tuple[Item, ...]) -> str:
        """A select list."""
        return ", ".join(map(self.visit, items))

    def visit_Item(self, node: Item) -> str:
        return f"{self.visit(node.value)} AS {self.quote(node.name)}"

    def visit_SortKey(self, node: SortKey) -> str:
        direction = "DESC" if node.descending else "ASC"
        return f"{self.visit(node.column)} {direction} NULLS {'FIRST' if node.nulls_first else 'LAST'}"

    def visit_Agg(self, node: Agg) -> str:
        operand = "*" if node.operand is None else self.visit(node.operand)
        call = f"{self.AGGREGATES[node.function]}({'DISTINCT ' if node.distinct else ''}{operand})"
        return call if node.where is None else f"{call} FILTER (WHERE {self.visit(node.where)})"

    # Scalar expressions: each visit can stand as an operand of any other.

    def visit_Lit(self, node: Lit) -> str:
        if node.value is None:
            return f"CAST(NULL AS {self.type_name(node.kind)})"
        return self.constant(node.kind, node.value)

    def visit_Col(self, node: Col) -> str:
        name = self.quote(node.name)
        return name if node.qualifier is None else f"{self.quote(node.qualifier)}.{name}"

    def visit_Compare(self, node: Compare) -> str:
        operator = self.NULL_SAFE_EQUAL if node.op == "<=>" else node.op
        return f"({self.visit(node.left)} {operator} {self.visit(node.right)})"

    def visit_And(self, node: And) -> str:
        return f"({self.visit(node.left)} AND {self.visit(node.right)})"

    def visit_Or(self, node: Or) -> str:
        return f"({self.visit(node.left)} OR {self.visit(node.right)})"

    def visit_Not(self, node: Not) -> str:
        return f"(NOT {self.visit(node.operand)})"

    def visit_IsNull(self, node: IsNull) -> str:
        return f"({self.visit(node.operand)} IS {'NOT ' if node.negated else ''}NULL)"

    def visit_InList(self, node: InList) -> str:
        items = ", ".join(map(self.visit, node.items))
        return f"({self.visit(node.operand)} {'NOT ' if node.negated else ''}IN ({items}))"

    def visit_Between(self, node: Between) -> str:
        bounds = f"{self.visit(node.low)} AND {self.visit(node.high)}"
        return f"({self.visit(node.operand)} {'NOT ' if node.negated else ''}BETWEEN {bounds})"

    def visit_CaseWhen(self, node: CaseWhen) -> str:
        branches = " ".join(map(self.visit, node.branches))
        otherwise = "" if node.otherwise is None else f" ELSE {self.visit(node.otherwise)}"
        return f"CASE {branches}{otherwise} END"

    def visit_When(self, node: When) -> str:
        return f"WHEN {self.visit(node.condition)} THEN {self.visit(node.result)}"

    def visit_Coalesce(self, node: Coalesce) -> str:
        return f"coalesce({', '.join(map(self.visit, node.operands))})"

    def visit_NullIf(self, node: NullIf) -> str:
        return f"nullif({self.visit(node.left)}, {self.visit(node.right)})"

    def visit_Arith(self, node: Arith) -> str:
        return f"({self.visit(node.left)} {node.op} {self.visit(node.right)})"

    def visit_Remainder(self, node: Remainder) -> str:
        return f"({self.visit(node.left)} % {self.constant(node.left.type, node.divisor)})"

    def visit_Cast(self, node: Cast) -> str:
        return f"CAST({self.visit(node.operand)} AS {self.type_name(node.to)})"

    def visit_Call(self, node: Call) -> str:
        return self.FUNCTIONS[node.function].format(*map(self.visit, node.arguments))


def fresh_aliases(relation: Relation) -> Iterator[str]:
    """Names for derived tables that no scan or alias in ``relation`` has."""
    taken = {node.table.casefold() for node in walk(relation) if isinstance(node, Scan)}
    taken |= {node.name.casefold() for node in walk(relation) if isinstance(node, Alias)}
    return (name for name in (f"q{number}" for number in count()) if name not in taken)


def inlined_having(node: Aggregate) -> Node:
    """HAVING with each output column replaced by what defines it, so that no alias has to be resolved."""
    assert node.having is not None
    definitions = {item.name: item.value for item in (*node.keys, *node.aggregates)}
    return transform(node.having, lambda part: definitions[part.name] if isinstance(part, Col) else part)


def aliases_shadow_columns(node: Aggregate) -> bool:
    """Whether a column in the inlined HAVING would mean another one: an output column of the same name."""
    definitions = {item.name.casefold(): item.value for item in (*node.keys, *node.aggregates)}
    return any(
        column.qualifier is None and definitions.get(column.name.casefold(), column) != column
        for column in columns_of(inlined_having(node))
    )
