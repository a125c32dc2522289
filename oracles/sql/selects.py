"""SQL for relations: a SELECT each.

Scans, aliases and joins (LATERAL, too) are FROM items, a filter right above them is the WHERE of the same SELECT, and a
projection or aggregate above that is its select list; any other relation below another one becomes a derived table with
an alias that no expression uses. So the engine's plan stays close to the query algebra's tree.
"""

from __future__ import annotations

from oracles.sql.dialect import Dialect
from strategies.ir import (
    INT,
    Alias,
    AnyLimit,
    CteScan,
    Distinct,
    Filter,
    Item,
    Join,
    Lateral,
    Limit,
    Lit,
    OneRow,
    Project,
    RandomTest,
    Recursive,
    Relation,
    Repartition,
    Scan,
    SetOp,
    Sort,
    SortKey,
    TypedCount,
    TypedFilter,
    TypedMap,
    Values,
    ValuesRow,
    With,
)


class Selects(Dialect):
    """The part of a compiler for FROM, WHERE, select lists, set operators, ORDER BY and LIMIT."""

    def visit_Scan(self, node: Scan) -> str:
        return f"SELECT * {self.source(node)}"

    def visit_Values(self, node: Values) -> str:
        return f"SELECT * {self.source(node)}"

    def visit_OneRow(self, node: OneRow) -> str:
        return f"SELECT {self.listed(node.items)}"

    def visit_ValuesRow(self, node: ValuesRow) -> str:
        return f"({', '.join(map(self.visit, node.cells))})"

    def visit_CteScan(self, node: CteScan) -> str:
        return f"SELECT * {self.source(node)}"

    def visit_Alias(self, node: Alias) -> str:
        return f"SELECT * {self.source(node)}"

    def visit_Join(self, node: Join) -> str:
        return f"SELECT * {self.source(node)}"

    def visit_Lateral(self, node: Lateral) -> str:
        return self.visit_Join(node)

    def visit_Filter(self, node: Filter) -> str:
        return f"SELECT * {self.source(node)}"

    def visit_Project(self, node: Project) -> str:
        return f"SELECT {self.listed(node.items)} {self.source(node.child)}"

    def visit_Distinct(self, node: Distinct) -> str:
        if isinstance(node.child, Project):
            return f"SELECT DISTINCT {self.listed(node.child.items)} {self.source(node.child.child)}"
        return f"SELECT DISTINCT * {self.source(node.child)}"

    def visit_SetOp(self, node: SetOp) -> str:
        return f"({self.visit(node.left)}) {self.set_operator(node)} ({self.visit(node.right)})"

    def set_operator(self, node: SetOp) -> str:
        """The words of ``node``."""
        return f"{node.kind.upper()} ALL" if node.all else node.kind.upper()

    def visit_Limit(self, node: Limit) -> str:
        return f"SELECT * {self.source(node.child)} ORDER BY {self.keys_of(node.order)} {self._limit(node)}"

    def visit_Sort(self, node: Sort) -> str:
        return self.ordered(node.child, self.keys_of(node.order))

    def ordered(self, child: Relation, order: str) -> str:
        """``child`` ordered by keys that have the text ``order``."""
        return f"SELECT * {self.source(child)} ORDER BY {order}"

    def keys_of(self, order: tuple[SortKey, ...]) -> str:
        """The keys of ORDER BY."""
        return ", ".join(map(self.visit, order))

    def visit_Repartition(self, node: Repartition) -> str:
        return f"SELECT * {self.source(node.child)}"

    def visit_AnyLimit(self, node: AnyLimit) -> str:
        # A query that ends in ORDER BY … LIMIT can't have a second one.
        ends = isinstance(node.child, (Limit, With))
        query = f"SELECT * {self.source(node.child)}" if ends else self.visit(node.child)
        return f"{query} {self._limit(node)}"

    # SQL has no functions of objects: each operation is what it means.

    def visit_TypedFilter(self, node: TypedFilter) -> str:
        return self.visit(node.meaning)

    def visit_TypedMap(self, node: TypedMap) -> str:
        return self.visit(node.meaning)

    def visit_TypedCount(self, node: TypedCount) -> str:
        return self.visit(node.meaning)

    def visit_With(self, node: With) -> str:
        # A second WITH can't follow the first.
        starts = isinstance(node.body, (With, Recursive))
        body = f"SELECT * {self.source(node.body)}" if starts else self.visit(node.body)
        return f"WITH {self.quote(node.name)} AS ({self.visit(node.definition)}) {body}"

    def visit_Recursive(self, node: Recursive) -> str:
        name, counter = self.quote(next(self._aliases)), self.visit(node.counter)
        names = ", ".join(map(self.quote, node.names))
        anchor = f"SELECT *, {self.visit(Lit(INT, 0))} {self.source(node.child)}"
        values = ", ".join([*map(self.visit, node.next_row), f"{counter} + {self.visit(Lit(INT, 1))}"])
        ends = f"{counter} < {self.visit(Lit(INT, node.steps))}"
        condition = ends if node.condition is None else f"{ends} AND {self.visit(node.condition)}"
        step = f"SELECT {values} FROM {name} WHERE {condition}"
        return f"WITH RECURSIVE {name} ({names}) AS ({anchor} UNION ALL {step}) SELECT * FROM {name}"

    def _limit(self, node: Limit | AnyLimit) -> str:
        # Spark without EliminateOffsets has no plan for OFFSET 0.
        return f"LIMIT {node.count} OFFSET {node.offset}" if node.offset else f"LIMIT {node.count}"

    # FROM and WHERE.

    def source(self, relation: Relation) -> str:
        """``FROM … [WHERE …]`` with the rows of ``relation``."""
        if isinstance(relation, Filter):
            source = self.from_item(relation.child)
            return f"FROM {source} WHERE {self.beside(relation.random, self.visit(relation.condition))}"
        return f"FROM {self.from_item(relation)}"

    def beside(self, random: RandomTest | None, condition: str) -> str:
        """``condition`` with the test of a random number that it is beside."""
        if random is None:
            return condition
        parts = (self.visit(random), condition) if random.first else (condition, self.visit(random))
        return f"({(' AND ' if random.holds else ' OR ').join(parts)})"

    def visit_RandomTest(self, node: RandomTest) -> str:
        return f"({self.RANDOM} {node.op} {node.bound})"

    def from_item(self, relation: Relation) -> str:
        """``relation`` as an item of a FROM clause, with the qualifiers of its fields."""
        if isinstance(relation, Scan):
            return self.quote(relation.table)
        if isinstance(relation, CteScan):
            return self.quote(relation.name)
        if isinstance(relation, Join):
            return self._join(relation)
        if isinstance(relation, Values):
            return self._values(relation, next(self._aliases))
        if not isinstance(relation, Alias):
            return self.derived(self.visit(relation), next(self._aliases), relation.fields)
        if isinstance(relation.child, (Scan, CteScan)):
            return f"{self.from_item(relation.child)} AS {self.quote(relation.name)}"
        if isinstance(relation.child, Values):
            return self._values(relation.child, relation.name)
        return self.named(relation)

    def named(self, alias: Alias) -> str:
        """``alias`` as a derived table, even of a base table."""
        return self.derived(self.visit(alias.child), alias.name, alias.child.fields)

    def _values(self, node: Values, alias: str) -> str:
        rows, names = ", ".join(map(self.visit, node.rows)), ", ".join(map(self.quote, node.names))
        return self.LITERAL_ROWS.format(rows=rows, alias=self.quote(alias), names=names)

    def _join(self, node: Join) -> str:
        joined = f"{self.from_item(node.left)} {self.joining(node)}"
        return joined if node.on is None else f"{joined} ON {self.visit(node.on)}"

    def joining(self, node: Join) -> str:
        """The kind of ``node`` and its right side."""
        right = self.from_item(node.right)
        if isinstance(node.right, Join):
            right = f"({right})"
        if isinstance(node, Lateral) and isinstance(node.right, Alias):
            right = f"LATERAL {self.named(node.right)}"
        if node.hint is not None:
            right = self.hinted(node, right)
        return f"{self.JOINS[node.kind]} {right}"

    def hinted(self, node: Join, right: str) -> str:
        """The right side of ``node`` with the hint, where the dialect has hints."""
        return right

    # Parts of a SELECT.

    def listed(self, items: tuple[Item, ...]) -> str:
        """A select list."""
        return ", ".join(map(self.visit, items))

    def visit_Item(self, node: Item) -> str:
        # Without AS the engine's plan has the column itself, and if it is listed twice, the same column twice.
        return self.visit(node.value) if node.is_bare else f"{self.visit(node.value)} AS {self.quote(node.name)}"

    def visit_SortKey(self, node: SortKey) -> str:
        return f"{self.visit(node.value)} {self.direction(node)}"

    def direction(self, node: SortKey) -> str:
        """The direction and the place of NULLs, which follow the key in ORDER BY."""
        return f"{'DESC' if node.descending else 'ASC'} NULLS {'FIRST' if node.nulls_first else 'LAST'}"
