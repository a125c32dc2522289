"""Scalar and aggregate expressions in SQLite's SQL, over columns that the compiler itself has named."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from oracles.sql.dialect import UnsupportedNode
from oracles.sql.sqlite_values import MICROS_OF_A_DAY, Raw, raw_value
from oracles.sql.sqlite_words import SQLITE_DECIMAL_FUNCTIONS, SQLITE_DOUBLE_FUNCTIONS, SQLITE_FUNCTIONS
from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    INTEGERS,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Agg,
    AggFunction,
    And,
    Arith,
    Array,
    Between,
    Call,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Compare,
    Decimal,
    Exists,
    Expr,
    Field,
    GetField,
    InList,
    InSubquery,
    IsNull,
    Lit,
    MakeArray,
    MakeStruct,
    Node,
    Not,
    NullIf,
    Or,
    Outer,
    Relation,
    Remainder,
    ScalarSubquery,
    SqlType,
    Struct,
    TryArith,
    TryCast,
    When,
    common_type,
    integer_range,
    resolve,
    type_text,
)

_INSTANTS = (TIMESTAMP, TIMESTAMP_NTZ)
_WIDEST = 18
"""Digits of a decimal that are an integer of SQLite's whatever they are."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The columns that an expression sees, each with its text, and the scope of the query around, if any."""

    columns: tuple[tuple[Field, str], ...]
    outer: Scope | None = None

    def text(self, column: Col) -> str:
        """The text of ``column``."""
        (found,) = resolve(column, [field for field, _ in self.columns])
        return next(text for field, text in self.columns if field is found)


class SqliteScalars:
    """Expressions: each ``visit_<Node>`` takes the node and its scope, and can stand as an operand of any other."""

    AGGREGATES: ClassVar[Mapping[AggFunction, str]] = {
        "count": "count({distinct}{x})",
        "sum": "sum({distinct}{x})",
        "avg": "avg({distinct}{x})",
        "min": "min({x})",
        "max": "max({x})",
        "every": "min({x})",
        "some": "max({x})",
        "count_if": "count(CASE WHEN {x} THEN 1 END)",
        "bit_and_agg": "assay_bit_and({x})",
        "bit_or_agg": "assay_bit_or({x})",
        "bit_xor_agg": "assay_bit_xor({x})",
    }
    """A template for each aggregate function that can be said: its operand ``x``, and DISTINCT where it is asked."""

    def visit(self, node: Node, scope: Any) -> str:
        """The text of any node in its scope; of a relation, in that of the query around."""
        method: Callable[[Node, Any], str] | None = getattr(self, f"visit_{type(node).__name__}", None)
        if method is None:
            raise UnsupportedNode(f"{type(self).__name__} has no visit_{type(node).__name__}")
        return method(node, scope)

    def query(self, relation: Relation, outer: Scope | None) -> str:
        """``relation`` as a SELECT; a compiler's own."""
        raise NotImplementedError

    # Constants and columns.

    def visit_Lit(self, node: Lit, scope: Scope) -> str:
        return literal(raw_value(node.kind, node.value))

    def visit_Col(self, node: Col, scope: Scope) -> str:
        return scope.text(node)

    def visit_Outer(self, node: Outer, scope: Scope) -> str:
        assert scope.outer is not None  # a case has nothing around it
        return scope.outer.text(node.column())

    # Conditions.

    def visit_Compare(self, node: Compare, scope: Scope) -> str:
        kind = common_type(node.left.type, node.right.type)
        assert kind is not None  # the node saw to it
        left, right = (widened(self.visit(side, scope), side.type, kind) for side in (node.left, node.right))
        return f"({left} {'IS' if node.op == '<=>' else node.op} {right})"

    def visit_And(self, node: And, scope: Scope) -> str:
        return f"({self.visit(node.left, scope)} AND {self.visit(node.right, scope)})"

    def visit_Or(self, node: Or, scope: Scope) -> str:
        return f"({self.visit(node.left, scope)} OR {self.visit(node.right, scope)})"

    def visit_Not(self, node: Not, scope: Scope) -> str:
        return f"(NOT {self.visit(node.operand, scope)})"

    def visit_IsNull(self, node: IsNull, scope: Scope) -> str:
        return f"({self.visit(node.operand, scope)} IS {'NOT ' if node.negated else ''}NULL)"

    def visit_InList(self, node: InList, scope: Scope) -> str:
        items = ", ".join(self.visit(item, scope) for item in node.items)
        return f"({self.visit(node.operand, scope)} {'NOT ' if node.negated else ''}IN ({items}))"

    def visit_Between(self, node: Between, scope: Scope) -> str:
        value, low, high = (self.visit(part, scope) for part in (node.operand, node.low, node.high))
        return f"({value} {'NOT ' if node.negated else ''}BETWEEN {low} AND {high})"

    def visit_CaseWhen(self, node: CaseWhen, scope: Scope) -> str:
        branches = " ".join(self.visit(branch, scope) for branch in node.branches)
        otherwise = "" if node.otherwise is None else f" ELSE {self.visit(node.otherwise, scope)}"
        return f"CASE {branches}{otherwise} END"

    def visit_When(self, node: When, scope: Scope) -> str:
        return f"WHEN {self.visit(node.condition, scope)} THEN {self.visit(node.result, scope)}"

    def visit_Coalesce(self, node: Coalesce, scope: Scope) -> str:
        # SQLite's takes two and more.
        return f"coalesce({', '.join(self.visit(part, scope) for part in node.operands)}, NULL)"

    def visit_NullIf(self, node: NullIf, scope: Scope) -> str:
        return f"nullif({self.visit(node.left, scope)}, {self.visit(node.right, scope)})"

    # Subqueries.

    def visit_ScalarSubquery(self, node: ScalarSubquery, scope: Scope) -> str:
        return f"({self.query(node.query, scope)})"

    def visit_Exists(self, node: Exists, scope: Scope) -> str:
        return f"({'NOT ' if node.negated else ''}EXISTS ({self.query(node.query, scope)}))"

    def visit_InSubquery(self, node: InSubquery, scope: Scope) -> str:
        operands = ", ".join(self.visit(operand, scope) for operand in node.operands)
        row = operands if len(node.operands) == 1 else f"({operands})"
        return f"({row} {'NOT ' if node.negated else ''}IN ({self.query(node.query, scope)}))"

    # Arithmetic and functions.

    def visit_Arith(self, node: Arith, scope: Scope) -> str:
        left, right = self.visit(node.left, scope), self.visit(node.right, scope)
        kind = node.type
        if kind == DOUBLE:
            return f"assay_arith('{node.op}', {left}, {right})"
        if isinstance(kind, Decimal):
            _require_narrow(kind)
            if node.op != "*":
                left, right = (
                    widened(text, side.type, kind) for text, side in ((left, node.left), (right, node.right))
                )
        return f"({left} {node.op} {right})"

    def visit_TryArith(self, node: TryArith, scope: Scope) -> str:
        left, right = self.visit(node.left, scope), self.visit(node.right, scope)
        if node.type == DOUBLE:
            return f"assay_arith('{node.op}', {left}, {right})"
        low, high = integer_range(node.type)
        return f"assay_within('{node.op}', {left}, {right}, {low}, {high})"

    def visit_Remainder(self, node: Remainder, scope: Scope) -> str:
        return f"({self.visit(node.left, scope)} % ({node.divisor}))"

    def visit_Call(self, node: Call, scope: Scope) -> str:
        words, first = SQLITE_FUNCTIONS, node.arguments[0].type
        if first == DOUBLE:
            words = SQLITE_DOUBLE_FUNCTIONS
        if isinstance(first, Decimal):
            _require_narrow(first)
            words = SQLITE_DECIMAL_FUNCTIONS
        if node.function not in words:
            raise UnsupportedNode(f"{type(self).__name__} has no {node.function} of {type_text(first)}")
        return words[node.function].format(*(self.visit(argument, scope) for argument in node.arguments))

    def visit_Cast(self, node: Cast, scope: Scope) -> str:
        return _cast(self.visit(node.operand, scope), node.operand.type, node.to)

    def visit_TryCast(self, node: TryCast, scope: Scope) -> str:
        text, source, target = self.visit(node.operand, scope), node.operand.type, node.to
        if target in INTEGERS and source in INTEGERS:
            low, high = integer_range(target)
            return f"CASE WHEN {text} BETWEEN {low} AND {high} THEN {text} END"
        if target in INTEGERS and source in (DOUBLE, STRING):
            low, high = integer_range(target)
            return f"assay_integer({text}, {low}, {high})"
        raise UnsupportedNode(f"{type(self).__name__} has no try_cast of {type_text(source)} to {type_text(target)}")

    # Arrays and structs.

    def visit_MakeArray(self, node: MakeArray, scope: Scope) -> str:
        return self._packed(Array(node.element), node.elements, scope)

    def visit_MakeStruct(self, node: MakeStruct, scope: Scope) -> str:
        return self._packed(node.type, node.values, scope)

    def _packed(self, kind: SqlType, parts: tuple[Expr, ...], scope: Scope) -> str:
        texts = [quote_text(type_text(kind)), *(self.visit(part, scope) for part in parts)]
        return f"assay_packed({', '.join(texts)})"

    def visit_GetField(self, node: GetField, scope: Scope) -> str:
        kind = node.operand.type
        assert isinstance(kind, Struct)  # the node saw to it
        place = [name for name, _ in kind.fields].index(node.name)
        return f"assay_part({quote_text(type_text(kind))}, {self.visit(node.operand, scope)}, {place})"

    # Aggregates.

    def visit_Agg(self, node: Agg, scope: Scope) -> str:
        """The call of an aggregate function, to which OVER may be added.

        FILTER is said by a CASE: over a window that moves, SQLite's min and max take no notice of it (seen in 3.40.1).
        """
        if node.operand is None:
            return "count(*)" if node.where is None else f"count(CASE WHEN {self.visit(node.where, scope)} THEN 1 END)"
        if node.function not in self.AGGREGATES:
            raise UnsupportedNode(f"{type(self).__name__} has no {node.function}")
        kind, text = node.operand.type, self.visit(node.operand, scope)
        if node.function == "avg" and isinstance(kind, Decimal):
            raise UnsupportedNode(f"{type(self).__name__} has no avg of {type_text(kind)}")
        if node.function == "count" and node.others:
            text = self._all_present((node.operand, *node.others), scope)
        if node.where is not None:
            text = f"CASE WHEN {self.visit(node.where, scope)} THEN {text} END"
        template = self.AGGREGATES[node.function]
        if node.function in ("sum", "avg") and kind == DOUBLE:
            template = f"assay_{template}"
        return template.format(x=text, distinct="DISTINCT " if node.distinct else "")

    def _all_present(self, operands: tuple[Expr, ...], scope: Scope) -> str:
        """One value for each row of values, NULL where one of them is."""
        texts = [self.visit(operand, scope) for operand in operands]
        row = Struct(tuple((f"f{place}", operand.type) for place, operand in enumerate(operands)))
        present = " AND ".join(f"{text} IS NOT NULL" for text in texts)
        return f"CASE WHEN {present} THEN assay_packed({', '.join((quote_text(type_text(row)), *texts))}) END"


def widened(text: str, source: SqlType, target: SqlType) -> str:
    """``text`` of the type ``source`` as a value of ``target``, which holds all of that."""
    if source == target or (source in INTEGERS and target in INTEGERS) or (source in _INSTANTS and target in _INSTANTS):
        return text
    if source in INTEGERS and target == DOUBLE:
        return f"CAST({text} AS REAL)"
    if source == DATE and target in _INSTANTS:
        return f"({text} * {MICROS_OF_A_DAY})"
    if isinstance(target, Decimal):
        _require_narrow(target)
        scale = source.scale if isinstance(source, Decimal) else 0
        return text if target.scale == scale else f"({text} * {10 ** (target.scale - scale)})"
    raise UnsupportedNode(f"SqliteCompiler can't widen {type_text(source)} to {type_text(target)}")


def _cast(text: str, source: SqlType, target: SqlType) -> str:
    if source == BOOLEAN and target != STRING and target != BOOLEAN:
        return _cast(text, BIGINT, target)
    if target == BOOLEAN and source != BOOLEAN:
        return f"({text} <> 0)"
    if target == STRING and source == BOOLEAN:
        return f"CASE {text} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END"
    if target == STRING and source in INTEGERS:
        return f"CAST({text} AS TEXT)"
    if target == STRING and isinstance(source, Decimal):
        return f"assay_decimal_text({text}, {source.scale})"
    if target == STRING and source == DATE:
        return f"assay_date_text({text})"
    if target == STRING and source in _INSTANTS:
        return f"assay_instant_text({text})"
    if target == BINARY and source == STRING:
        return f"CAST({text} AS BLOB)"
    if target == DOUBLE and isinstance(source, Decimal):
        return f"assay_quotient({text}, {10**source.scale})"
    if target == DATE and source in _INSTANTS:
        return f"assay_floor_quotient({text}, {MICROS_OF_A_DAY})"
    return widened(text, source, target)


def _require_narrow(kind: Decimal) -> None:
    if kind.precision > _WIDEST:
        raise UnsupportedNode(f"SqliteCompiler has no {type_text(kind)}: its integers have {_WIDEST} digits")


def literal(raw: Raw) -> str:
    """A constant of SQLite's."""
    if raw is None:
        return "NULL"
    if isinstance(raw, bytes):
        return f"X'{raw.hex()}'"
    if isinstance(raw, float):
        return _double(raw)
    return quote_text(raw) if isinstance(raw, str) else f"({raw})"


def _double(number: float) -> str:
    if number in (float("inf"), float("-inf")):
        return "9e999" if number > 0 else "(-9e999)"
    text = repr(number)
    # What has more digits or an exponent SQLite may read as a neighbour.
    return f"({text})" if re.fullmatch(r"-?\d{1,7}\.\d{1,7}", text) else f"assay_double('{number.hex()}')"


def quote_text(text: str) -> str:
    """A text of SQLite's."""
    if "\0" in text:
        return f"CAST(X'{text.encode().hex()}' AS TEXT)"
    return "'" + text.replace("'", "''") + "'"
