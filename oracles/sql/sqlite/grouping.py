"""SQLite's SQL for relations that make one row of a group of rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from oracles.sql.sqlite.scalars import Scope, SqliteScalars
from strategies.ir import (
    Agg,
    Aggregate,
    And,
    Compare,
    Expr,
    Field,
    GroupingId,
    GroupingSets,
    Item,
    Pivot,
    Relation,
)


class SqliteGrouping(SqliteScalars):
    """The part of the compiler for groups; keys are computed below GROUP BY, where a constant would be a position."""

    def columns(self, fields: Sequence[Field], alias: str, start: int = 0) -> tuple[tuple[Field, str], ...]:
        """``fields`` as the columns of the FROM item ``alias``; the compiler defines it."""
        raise NotImplementedError

    def visit_Aggregate(self, node: Aggregate, outer: Scope | None) -> str:
        source, alias, scope = self._keyed(node.child, node.keys, outer)
        keys = [f"{alias}.k{place}" for place in range(len(node.keys))]
        aggregates = [self.visit(item.value, scope) for item in node.aggregates]
        return self._having(node, self._grouped(source, keys, aggregates, keys), outer)

    def visit_GroupingSets(self, node: GroupingSets, outer: Scope | None) -> str:
        source, alias, scope = self._keyed(node.child, node.keys, outer)
        aggregates = [self.visit(item.value, scope) for item in node.aggregates]
        keys = [f"{alias}.k{place}" for place in range(len(node.keys))]
        sets = []
        for places in node.grouped_by:
            # If one of several equal keys is in the set, all of them are.
            there = [node.keys[place].value for place in places]
            listed = [text if key.value in there else "NULL" for key, text in zip(node.keys, keys, strict=True)]
            ids = [str(_id(found, there)) for found in node.ids]
            sets.append(self._grouped(source, listed, [*aggregates, *ids], [keys[place] for place in places]))
        return self._having(node, " UNION ALL ".join(sets), outer)

    def _keyed(self, child: Relation, keys: Sequence[Item], outer: Scope | None) -> tuple[str, str, Scope]:
        """A FROM item of ``child`` with its ``keys`` as k0, k1, …, its alias, and the scope of ``child``'s columns."""
        below, alias = self.fresh(), self.fresh()
        inside = Scope(self.columns(child.fields, below), outer)
        computed = [f"{self.visit(key.value, inside)} AS k{place}" for place, key in enumerate(keys)]
        listed = ", ".join([f"{text} AS c{place}" for place, (_, text) in enumerate(inside.columns)] + computed)
        table = f"SELECT {listed} FROM ({self.query(child, outer)}) AS {below}"
        return f"({table}) AS {alias}", alias, Scope(self.columns(child.fields, alias), outer)

    def _grouped(self, source: str, keys: Sequence[str], others: Sequence[str], by: Sequence[str]) -> str:
        listed = ", ".join(f"{text} AS c{place}" for place, text in enumerate((*keys, *others)))
        if by:
            return f"SELECT {listed} FROM {source} GROUP BY {', '.join(by)}"
        # Without an aggregate in the list there would not be one group.
        alias, places = self.fresh(), range(len(keys) + len(others))
        whole = ", ".join(f"{alias}.c{place} AS c{place}" for place in places)
        return f"SELECT {whole} FROM (SELECT {listed}, count(*) AS n FROM {source}) AS {alias}"

    def _having(self, node: Aggregate | GroupingSets, grouped: str, outer: Scope | None) -> str:
        if node.having is None:
            return grouped
        alias = self.fresh()
        scope = Scope(self.columns(node.fields, alias), outer)
        listed = ", ".join(f"{text} AS c{place}" for place, (_, text) in enumerate(scope.columns))
        return f"SELECT {listed} FROM ({grouped}) AS {alias} WHERE {self.visit(node.having, scope)}"

    def visit_Pivot(self, node: Pivot, outer: Scope | None) -> str:
        source, alias, scope = self._keyed(node.child, node.keys, outer)
        keys = [f"{alias}.k{place}" for place in range(len(node.keys))]
        values = []
        for value in node.values:
            its_rows: Expr = Compare("<=>", node.column, value.literal)
            where = its_rows if node.aggregate.where is None else And(its_rows, node.aggregate.where)
            number = self.visit(Agg("count", where=its_rows), scope)
            aggregate = self.visit(replace(node.aggregate, where=where), scope)
            values.append(f"CASE WHEN {number} > 0 THEN {aggregate} END")
        return self._grouped(source, keys, values, keys)


def _id(found: GroupingId, there: Collection[Expr | Agg]) -> int:
    """The value of ``found`` in the rows of the set with the keys ``there``."""
    return int("".join("0" if key in there else "1" for key in found.keys), 2)
