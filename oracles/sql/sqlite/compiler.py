"""Compile queries to SQLite's SQL, for the third engine, as far as SQLite can express the query algebra.

It shares no code with the compilers of Spark's and DuckDB's SQL, so that it doesn't share their faults. Each relation
is a SELECT with the columns c0, c1, …, and each input of a relation is a derived table with an alias of its own: the
text has none of the case's column names, so names can't be confused. The compiler replaces operators that SQLite lacks:
SEMI and ANTI joins by EXISTS, RIGHT and FULL joins by LEFT ones, EXCEPT ALL and INTERSECT ALL by numbering equal rows,
grouping sets by UNION ALL, LATERAL and arrays' elements by json_each. :mod:`oracles.sql.sqlite.values` encodes values;
the functions called assay_… are in :mod:`oracles.engines.sqlite.functions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import ClassVar

from oracles.sql.dialect import UnsupportedNode
from oracles.sql.sqlite.casts import widened
from oracles.sql.sqlite.constants import quote_text
from oracles.sql.sqlite.grouping import SqliteGrouping
from oracles.sql.sqlite.scalars import Scope
from oracles.sql.sqlite.windows import SqliteWindows
from strategies.ir import (
    Alias,
    AnyLimit,
    Col,
    Collated,
    CteScan,
    Deduplicate,
    Distinct,
    Field,
    Filter,
    Generate,
    Join,
    Lateral,
    Limit,
    Lit,
    OneRow,
    Project,
    RandomColumn,
    RandomTest,
    Relation,
    Repartition,
    RowNumbers,
    Scan,
    SetOp,
    Sort,
    SortKey,
    TypedCount,
    TypedFilter,
    TypedMap,
    Values,
    With,
    from_fields,
    type_text,
    walk,
)


class SqliteCompiler(SqliteGrouping, SqliteWindows):
    """Compiles a query to one SELECT for SQLite, or raises UnsupportedNode with the reason."""

    UNSUPPORTED: ClassVar[frozenset[str]] = frozenset(
        {
            *("MakeMap", "MapRead", "RaiseError", "RaisingArith", "RaisingCast", "RaisingElement", "Recursive"),
            *("Collate", "Unpivot", "Verbatim"),
            *("Assignment", "Delete", "Insert", "Merge", "MergeClause", "Overwrite", "OverwritePartitions", "Update"),
        }
    )
    """Names of unsupported nodes: maps, recursion, collations, UNPIVOT, other engines' SQL, expressions that may raise,
    and statements."""

    def __init__(self) -> None:
        self._aliases: Iterator[str] = iter(())

    def compile(self, relation: Relation) -> str:
        """The SELECT that computes ``relation``.

        :raises UnsupportedNode: SQLite can't express a node or a type in it.
        """
        for node in walk(relation):
            if type(node).__name__ in self.UNSUPPORTED:
                raise UnsupportedNode(f"{type(self).__name__} has no visit_{type(node).__name__}")
            if isinstance(node, (Col, Lit)) and isinstance(node.kind, Collated):
                raise UnsupportedNode(f"{type(self).__name__} has no {type_text(node.kind)}")
        self._aliases = (f"q{number}" for number in count())
        return self.query(relation, None)

    def query(self, relation: Relation, outer: Scope | None) -> str:
        """``relation`` as a SELECT inside a query with the scope ``outer``."""
        return self.visit(relation, outer)

    # FROM items.

    def fresh(self) -> str:
        """An unused alias."""
        return next(self._aliases)

    def item(self, relation: Relation, outer: Scope | None) -> tuple[str, str]:
        """``relation`` as a FROM item, and its alias."""
        alias = self.fresh()
        return f"({self.query(relation, outer)}) AS {alias}", alias

    def columns(self, fields: Sequence[Field], alias: str, start: int = 0) -> tuple[tuple[Field, str], ...]:
        """``fields`` as the columns of the FROM item ``alias``, from its column ``start`` on."""
        return tuple((field, f"{alias}.c{place}") for place, field in enumerate(fields, start))

    def listed(self, texts: Iterable[str]) -> str:
        """A select list with the columns c0, c1 and so on."""
        return ", ".join(f"{text} AS c{place}" for place, text in enumerate(texts))

    def star(self, alias: str, relation: Relation) -> str:
        """A select list of all columns of ``relation``, whose FROM item is ``alias``."""
        return self.listed(text for _, text in self.columns(relation.fields, alias))

    # Leaves.

    def visit_Scan(self, node: Scan, outer: Scope | None) -> str:
        return f"SELECT {self.star('t', node)} FROM {quoted(node.table)} AS t"

    def visit_CteScan(self, node: CteScan, outer: Scope | None) -> str:
        return f"SELECT {self.star('t', node)} FROM {quoted('cte ' + node.name)} AS t"

    def visit_Values(self, node: Values, outer: Scope | None) -> str:
        rows = (self.listed(self.visit(cell, outer) for cell in row.cells) for row in node.rows)
        return " UNION ALL ".join(f"SELECT {row}" for row in rows)

    def visit_OneRow(self, node: OneRow, outer: Scope | None) -> str:
        scope = Scope((), outer)
        return f"SELECT {self.listed(self.visit(item.value, scope) for item in node.items)}"

    def visit_With(self, node: With, outer: Scope | None) -> str:
        definition = self.query(node.definition, outer)
        body, alias = self.item(node.body, outer)
        name = quoted("cte " + node.name)
        return f"WITH {name} AS ({definition}) SELECT {self.star(alias, node.body)} FROM {body}"

    # One input.

    def visit_Alias(self, node: Alias, outer: Scope | None) -> str:
        return self.query(node.child, outer)

    def visit_Filter(self, node: Filter, outer: Scope | None) -> str:
        child, alias = self.item(node.child, outer)
        scope = Scope(self.columns(from_fields(node.child), alias), outer)
        condition = self.visit(node.condition, scope)
        if node.random is not None:
            condition += f" {'AND' if node.random.holds else 'OR'} {self.visit(node.random, scope)}"
        return f"SELECT {self.star(alias, node.child)} FROM {child} WHERE {condition}"

    def visit_RandomTest(self, node: RandomTest, outer: Scope | None) -> str:
        return str(int(node.holds))  # SQLite has no random number from 0 to 1

    def visit_Project(self, node: Project, outer: Scope | None) -> str:
        child, alias = self.item(node.child, outer)
        scope = Scope(self.columns(node.child.fields, alias), outer)
        return f"SELECT {self.listed(self.visit(item.value, scope) for item in node.items)} FROM {child}"

    def visit_Distinct(self, node: Distinct, outer: Scope | None) -> str:
        child, alias = self.item(node.child, outer)
        return f"SELECT DISTINCT {self.star(alias, node.child)} FROM {child}"

    def visit_Deduplicate(self, node: Deduplicate, outer: Scope | None) -> str:
        child, alias = self.item(node.child, outer)
        keys = [text for field, text in self.columns(node.child.fields, alias) if field.name in node.keys]
        partition = f"PARTITION BY {', '.join(keys)}" if keys else ""
        numbered = f"SELECT {self.star(alias, node.child)}, row_number() OVER ({partition}) AS n FROM {child}"
        outside = self.fresh()
        return f"SELECT {self.star(outside, node)} FROM ({numbered}) AS {outside} WHERE {outside}.n = 1"

    def visit_Limit(self, node: Limit, outer: Scope | None) -> str:
        child, alias = self.item(node.child, outer)
        scope = Scope(self.columns(node.child.fields, alias), outer)
        order = ", ".join(self.visit(key, scope) for key in node.order)
        return f"SELECT {self.star(alias, node.child)} FROM {child} ORDER BY {order} {_limit(node)}"

    def visit_Sort(self, node: Sort, outer: Scope | None) -> str:
        child, alias = self.item(node.child, outer)
        scope = Scope(self.columns(node.child.fields, alias), outer)
        order = ", ".join(self.visit(key, scope) for key in node.order)
        return f"SELECT {self.star(alias, node.child)} FROM {child} ORDER BY {order}"

    def visit_Repartition(self, node: Repartition, outer: Scope | None) -> str:
        return self.query(node.child, outer)

    def visit_TypedFilter(self, node: TypedFilter, outer: Scope | None) -> str:
        return self.query(node.meaning, outer)

    def visit_TypedMap(self, node: TypedMap, outer: Scope | None) -> str:
        return self.query(node.meaning, outer)

    def visit_TypedCount(self, node: TypedCount, outer: Scope | None) -> str:
        return self.query(node.meaning, outer)

    def visit_RowNumbers(self, node: RowNumbers, outer: Scope | None) -> str:
        child, alias = self.item(node.child, outer)
        scope = Scope(self.columns(node.in_order.fields, alias), outer)
        order = ", ".join(self.visit(key, scope) for key in node.order)
        columns = (text for _, text in scope.columns)
        return f"SELECT {self.listed((*columns, f'row_number() OVER (ORDER BY {order}) - 1'))} FROM {child}"

    def visit_RandomColumn(self, node: RandomColumn, outer: Scope | None) -> str:
        child, alias = self.item(node.child, outer)
        columns = (text for _, text in self.columns(node.child.fields, alias))
        return f"SELECT {self.listed((*columns, '1'))} FROM {child}"

    def visit_AnyLimit(self, node: AnyLimit, outer: Scope | None) -> str:
        child, alias = self.item(node.child, outer)
        return f"SELECT {self.star(alias, node.child)} FROM {child} {_limit(node)}"

    def visit_SortKey(self, node: SortKey, scope: Scope) -> str:
        direction, nulls = "DESC" if node.descending else "ASC", "FIRST" if node.nulls_first else "LAST"
        return f"{self.visit(node.value, scope)} {direction} NULLS {nulls}"

    def visit_Generate(self, node: Generate, outer: Scope | None) -> str:
        child, alias = self.item(node.child, outer)
        scope = Scope(self.columns(from_fields(node.child), alias), outer)
        kind, each = quote_text(type_text(node.array.type)), self.fresh()
        elements = f"json_each(assay_elements({kind}, {self.visit(node.array, scope)})) AS {each}"
        place = [] if node.position is None else [f"{each}.key"]
        columns = (text for _, text in scope.columns)
        join = "LEFT JOIN" if node.outer else "CROSS JOIN"
        listed = self.listed((*columns, *place, f"assay_field({each}.value, 0)"))
        return f"SELECT {listed} FROM {child} {join} {elements}{' ON 1' if node.outer else ''}"

    # Two inputs.

    def visit_Join(self, node: Join, outer: Scope | None) -> str:
        left, left_alias = self.item(node.left, outer)
        right, right_alias = self.item(node.right, outer)
        lefts, rights = (
            self.columns(from_fields(side), alias)
            for side, alias in ((node.left, left_alias), (node.right, right_alias))
        )
        both = Scope((*lefts, *rights), outer)
        on = "1" if node.on is None else self.visit(node.on, both)
        listed = self.listed(text for _, text in both.columns)
        if node.kind in ("semi", "anti"):
            kept = "EXISTS" if node.kind == "semi" else "NOT EXISTS"
            found = f"SELECT 1 FROM {right} WHERE {on}"
            return f"SELECT {self.star(left_alias, node.left)} FROM {left} WHERE {kept} ({found})"
        if node.kind in ("inner", "cross"):
            return f"SELECT {listed} FROM {left} CROSS JOIN {right} WHERE {on}"
        if node.kind == "right":
            return f"SELECT {listed} FROM {right} LEFT JOIN {left} ON {on}"
        joined = f"SELECT {listed} FROM {left} LEFT JOIN {right} ON {on}"
        if node.kind == "left":
            return joined
        unmatched = self.listed((*("NULL" for _ in lefts), *(text for _, text in rights)))
        alone = f"SELECT {unmatched} FROM {right} WHERE NOT EXISTS (SELECT 1 FROM {left} WHERE {on})"
        return f"{joined} UNION ALL {alone}"

    def visit_Lateral(self, node: Lateral, outer: Scope | None) -> str:
        """Compute the rows of the right side as one JSON array for each row of the left side."""
        left, alias = self.item(node.left, outer)
        lefts = Scope(self.columns(from_fields(node.left), alias), outer)
        inside, inner = self.item(node.right, lefts)
        row = ", ".join(text for _, text in self.columns(node.right.fields, inner))
        rows, each = f"SELECT json_group_array(assay_row({row})) FROM {inside}", self.fresh()
        rights = tuple((f, f"assay_field({each}.value, {place})") for place, f in enumerate(from_fields(node.right)))
        both = Scope((*lefts.columns, *rights), outer)
        on = "1" if node.on is None else self.visit(node.on, both)
        listed, join = self.listed(text for _, text in both.columns), "LEFT JOIN" if node.kind == "left" else "JOIN"
        return f"SELECT {listed} FROM {left} {join} json_each(({rows})) AS {each} ON {on}"

    def visit_SetOp(self, node: SetOp, outer: Scope | None) -> str:
        operator = node.kind.upper()
        if node.all and node.kind == "union":
            operator = "UNION ALL"
        numbered = node.all and node.kind != "union"
        sides = [self._side(node, side, outer, numbered=numbered) for side in (node.left, node.right)]
        combined, alias = f" {operator} ".join(sides), self.fresh()
        return f"SELECT {self.star(alias, node)} FROM ({combined}) AS {alias}"

    def _side(self, node: SetOp, side: Relation, outer: Scope | None, *, numbered: bool) -> str:
        """A side in the types of the result; if ``numbered``, with a number that tells copies of a row apart."""
        item, alias = self.item(side, outer)
        texts = [
            widened(text, field.type, result.type)
            for (field, text), result in zip(self.columns(side.fields, alias), node.fields, strict=True)
        ]
        number = f", row_number() OVER (PARTITION BY {', '.join(texts)}) AS n" if numbered else ""
        return f"SELECT {self.listed(texts)}{number} FROM {item}"


def _limit(node: Limit | AnyLimit) -> str:
    return f"LIMIT {node.count} OFFSET {node.offset}"


def quoted(name: str) -> str:
    """``name`` as a quoted identifier."""
    return '"' + name.replace('"', '""') + '"'
