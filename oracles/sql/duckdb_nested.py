"""DuckDB SQL for arrays and structs: constructors, comparisons, and functions of their elements."""

from __future__ import annotations

from collections.abc import Sequence

from oracles.sql.base import Compiler
from oracles.sql.nested import ELEMENT, is_nested
from strategies.ir import (
    Array,
    Between,
    Col,
    Compare,
    FieldOfEach,
    Generate,
    GetField,
    HigherOrder,
    InList,
    SortKey,
    SqlType,
    Struct,
)


class DuckdbNested(Compiler):
    """The part of DuckDB's compiler for arrays and structs."""

    def array(self, element: SqlType, elements: Sequence[str]) -> str:
        return f"[{', '.join(elements)}]" if elements else f"CAST([] AS {self.type_name(Array(element))})"

    def struct(self, names: Sequence[str], values: Sequence[str]) -> str:
        pairs = (f"'{name}': {value}" for name, value in zip(names, values, strict=True))
        return f"{{{', '.join(pairs)}}}"

    def map_of(self, keys: str, values: str) -> str:
        return f"MAP({keys}, {values})"

    def sort_key(self, text: str, kind: SqlType) -> str:
        """An expression that sorts like ``text`` in Spark, where NULL inside an array or struct is the least value; in
        DuckDB it is the greatest.
        """
        if isinstance(kind, Array):
            return f"list_transform({text}, lambda k: {{'n': k IS NOT NULL, 'v': {self.sort_key('k', kind.element)}}})"
        if isinstance(kind, Struct):
            parts = []
            for name, field in kind.fields:
                part = f"({text}).{self.quote(name)}"
                parts += [f"{part} IS NOT NULL", self.sort_key(part, field)]
            listed = ", ".join(f"'k{place}': {part}" for place, part in enumerate(parts))
            return f"CASE WHEN {text} IS NOT NULL THEN {{{listed}}} END"
        return text

    def visit_SortKey(self, node: SortKey) -> str:
        key = self.sort_key(self.visit(node.value), node.value.type)
        return f"{key} {self.direction(node)}"

    def visit_Compare(self, node: Compare) -> str:
        kind = node.left.type
        if node.op in ("=", "<>", "<=>") or not is_nested(kind):
            return super().visit_Compare(node)
        left, right = (self.sort_key(self.visit(side), kind) for side in (node.left, node.right))
        return f"({left} {node.op} {right})"

    def visit_Between(self, node: Between) -> str:
        kind = node.operand.type
        if not is_nested(kind):
            return super().visit_Between(node)
        value, low, high = (self.sort_key(self.visit(part), kind) for part in (node.operand, node.low, node.high))
        # BETWEEN of lists raises in a WHERE, also if the optimizer makes it of comparisons.
        present = " AND ".join(f"{part} IS NOT NULL" for part in (value, low, high))
        case = f"CASE WHEN {value} < {low} OR {value} > {high} THEN false WHEN {present} THEN true END"
        return f"(NOT {case})" if node.negated else case

    def visit_InList(self, node: InList) -> str:
        if not is_nested(node.operand.type):
            return super().visit_InList(node)
        # IN ([1]) would search for 1.
        operand = self.visit(node.operand)
        found = " OR ".join(f"{operand} = {self.visit(item)}" for item in node.items)
        return f"(NOT ({found}))" if node.negated else f"({found})"

    def visit_Generate(self, node: Generate) -> str:
        elements, alias = self._elements(node), self.quote(next(self._aliases))
        if node.position is None:
            elements = f"{elements} AS {alias}({self.quote(node.name)})"
        else:
            names = ", ".join(map(self.quote, (node.position, node.name)))
            elements = f"LATERAL {elements} AS {alias}({names})"
        join, on = ("LEFT JOIN", " ON true") if node.outer else ("CROSS JOIN", "")
        return f"SELECT * FROM {self.from_item(node.child)} {join} {elements}{on}"

    def _elements(self, node: Generate) -> str:
        array = self.visit(node.array)
        if node.position is None:
            return f"unnest({array})"
        places = f'(SELECT unnest(generate_series(1, len({array}))) AS "#") AS "##"'
        return f'(SELECT CAST("#" - 1 AS INTEGER) AS "#p", ({array})["#"] AS "#e" FROM {places})'

    def visit_GetField(self, node: GetField) -> str:
        field = super().visit_GetField(node)
        # The field of a NULL constant has no type.
        return field if isinstance(node.operand, Col) else f"CAST({field} AS {self.type_name(node.type)})"

    def visit_FieldOfEach(self, node: FieldOfEach) -> str:
        values = f"list_transform({self.visit(node.operand)}, lambda k: (k).{self.quote(node.name)})"
        return values if isinstance(node.operand, Col) else f"CAST({values} AS {self.type_name(node.type)})"

    def visit_HigherOrder(self, node: HigherOrder) -> str:
        operand, function = self.visit(node.operand), f"lambda {ELEMENT}: {self.visit(node.body)}"
        if node.function in ("transform", "filter"):
            return f"list_{node.function}({operand}, {function})"
        answers, decisive = f"list_transform({operand}, {function})", str(node.function == "exists").lower()
        # Three-valued: one element decides, or a NULL leaves it open.
        return (
            f"CASE WHEN list_contains({answers}, {decisive}) THEN {decisive} WHEN {operand} IS NOT NULL"
            f" AND len(list_filter({answers}, lambda k: k IS NULL)) = 0 THEN NOT {decisive} END"
        )
