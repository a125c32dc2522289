"""SQLite's SQL for scalar and aggregate expressions, over columns named by the compiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from oracles.sql.dialect import UnsupportedNode
from oracles.sql.sqlite.casts import cast, require_narrow, widened
from oracles.sql.sqlite.constants import literal, quote_text
from oracles.sql.sqlite.values import ARRAY_END, raw_value
from oracles.sql.sqlite.words import words_for
from strategies.ir import (
    DOUBLE,
    INTEGERS,
    STRING,
    WHOLE,
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
    Element,
    Exists,
    Expr,
    Field,
    FieldOfEach,
    GetField,
    HigherOrder,
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
    UserCall,
    When,
    WithField,
    WithoutField,
    common_type,
    integer_range,
    interpolated,
    resolve,
    spelled_out,
    type_text,
)

_NO_ELEMENTS = f"X'{ARRAY_END.hex()}'"


@dataclass(frozen=True, slots=True)
class Scope:
    """The columns visible to an expression, each with its text, and the scope of the outer query, if any.

    ``element`` is the text of an array's element, inside a function of the array's elements.
    """

    columns: tuple[tuple[Field, str], ...]
    outer: Scope | None = None
    element: str = ""

    def text(self, column: Col) -> str:
        """The text of ``column``."""
        (found,) = resolve(column, [field for field, _ in self.columns])
        return next(text for field, text in self.columns if field is found)


class SqliteScalars:
    """The part of the compiler for expressions; the text of each scalar one can be an operand of any other."""

    AGGREGATES: ClassVar[Mapping[AggFunction, str]] = {
        "count": "count({distinct}{x})",
        "sum": "sum({distinct}{x})",
        "avg": "avg({distinct}{x})",
        "min": "min({x})",
        "max": "max({x})",
        "every": "min({x})",
        "some": "max({x})",
        "count_if": "count(CASE WHEN {x} THEN 1 END)",
        "bit_and_agg": "assay_bit_and_agg({x})",
        "bit_or_agg": "assay_bit_or_agg({x})",
        "bit_xor_agg": "assay_bit_xor_agg({x})",
        "percentile": "assay_percentile({x}, {other})",
        "percentile_approx": "assay_discrete_percentile({x}, {other})",
        "mode": "assay_mode({x})",
        "regr_count": "count(CASE WHEN {other} IS NOT NULL THEN {x} END)",
        "collect_list": f"coalesce(assay_list({{x}}), {_NO_ELEMENTS})",
        "collect_set": f"coalesce(assay_set({{x}}), {_NO_ELEMENTS})",
        "listagg": "assay_joined({x}, {other})",
        # The operand decides among equal keys, as in the packed pair; a pair with a NULL doesn't count.
        "max_by": "assay_part({pair}, max({x}), 1)",
        "min_by": "assay_part({pair}, min({x}), 1)",
    }
    """A template for each aggregate function, with the fields ``x`` (the operand), ``distinct``, ``other`` (the second
    operand) and ``pair`` (the type of both)."""

    def visit(self, node: Node, scope: Any) -> str:
        """The text of any node in its scope; for a relation, the outer query's scope."""
        method: Callable[[Node, Any], str] | None = getattr(self, f"visit_{type(node).__name__}", None)
        if method is None:
            raise UnsupportedNode(f"{type(self).__name__} has no visit_{type(node).__name__}")
        return method(node, scope)

    def query(self, relation: Relation, outer: Scope | None) -> str:
        """``relation`` as a SELECT; the compiler defines it."""
        raise NotImplementedError

    def fresh(self) -> str:
        """An unused alias; the compiler defines it."""
        raise NotImplementedError

    # Constants and columns.

    def visit_Lit(self, node: Lit, scope: Scope) -> str:
        return literal(raw_value(node.kind, node.value))

    def visit_Col(self, node: Col, scope: Scope) -> str:
        return scope.text(node)

    def visit_Outer(self, node: Outer, scope: Scope) -> str:
        assert scope.outer is not None  # only subqueries have outer columns
        return scope.outer.text(node.column())

    # Conditions.

    def visit_Compare(self, node: Compare, scope: Scope) -> str:
        kind = common_type(node.left.type, node.right.type)
        assert kind is not None  # the node's constructor checks it
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
        # SQLite's coalesce needs at least two arguments.
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
            require_narrow(kind)
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
        first, texts = node.arguments[0].type, [self.visit(argument, scope) for argument in node.arguments]
        scale = first.scale if isinstance(first, Decimal) else 0
        if isinstance(first, Decimal):
            require_narrow(first)
        if node.function == "array_repeat":
            times = node.arguments[1]
            assert isinstance(times, Lit)  # the signature requires it
            return self._packed_texts(node.type, texts[:1] * int(str(times.value)))
        if node.function == "sequence":
            low, high = (int(str(each.value)) for each in node.arguments if isinstance(each, Lit))
            return literal(raw_value(node.type, tuple(range(low, high + 1))))
        if node.function == "decimal_round":
            assert isinstance(node.type, Decimal)
            return f"assay_half_up_quotient({texts[0]}, {10 ** (scale - node.type.scale)})"
        word = words_for(first).get(node.function)
        if word is None:
            raise UnsupportedNode(f"{type(self).__name__} has no {node.function} of {type_text(first)}")
        return word.format(*texts, first=quote_text(type_text(first)), unit=10**scale)

    def visit_Cast(self, node: Cast, scope: Scope) -> str:
        return cast(self.visit(node.operand, scope), node.operand.type, node.to)

    def visit_TryCast(self, node: TryCast, scope: Scope) -> str:
        text, source, target = self.visit(node.operand, scope), node.operand.type, node.to
        if target in WHOLE and source in INTEGERS:
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
        return self._packed_texts(kind, [self.visit(part, scope) for part in parts])

    def _packed_texts(self, kind: SqlType, texts: Sequence[str]) -> str:
        return f"assay_packed({', '.join((quote_text(type_text(kind)), *texts))})"

    def visit_UserCall(self, node: UserCall, scope: Scope) -> str:
        return self.visit(node.meaning, scope)

    def visit_GetField(self, node: GetField, scope: Scope) -> str:
        kind = node.operand.type
        assert isinstance(kind, Struct)  # the node's constructor checks it
        place = [name for name, _ in kind.fields].index(node.name)
        return f"assay_part({quote_text(type_text(kind))}, {self.visit(node.operand, scope)}, {place})"

    def visit_WithField(self, node: WithField, scope: Scope) -> str:
        return self.visit(spelled_out(node), scope)

    def visit_WithoutField(self, node: WithoutField, scope: Scope) -> str:
        return self.visit(spelled_out(node), scope)

    def visit_FieldOfEach(self, node: FieldOfEach, scope: Scope) -> str:
        kind = node.operand.type
        assert isinstance(kind, Array)  # the node's constructor checks it
        field = GetField(Element(kind.element), node.name)
        return self.visit(HigherOrder("transform", node.operand, field), scope)

    def visit_HigherOrder(self, node: HigherOrder, scope: Scope) -> str:
        """A query over the elements as rows of json_each. Its aggregate function refers to their positions, or SQLite
        might take it for an aggregate of the outer query.
        """
        each, array = self.fresh(), self.visit(node.operand, scope)
        kind, element = quote_text(type_text(node.operand.type)), f"assay_field({each}.value, 0)"
        body = self.visit(node.body, replace(scope, element=element))
        part, number = _one(node.body.type, body), f"count(CASE WHEN {{}} THEN {each}.key END)"
        if node.function == "filter":
            part = f"CASE WHEN {body} THEN {_one(node.operand.type.element, element)} END"  # type: ignore[attr-defined]  # the operand is an array
        if node.function in ("transform", "filter"):
            answer = f"coalesce(assay_in_places({part}, {each}.key), {literal(ARRAY_END)})"
        else:
            decisive = 1 if node.function == "exists" else 0
            found, open_ = number.format(f"({body}) IS {decisive}"), number.format(f"({body}) IS NULL")
            answer = f"CASE WHEN {found} > 0 THEN {decisive} WHEN {open_} = 0 THEN {1 - decisive} END"
        rows = f"SELECT {answer} FROM json_each(assay_elements({kind}, {array})) AS {each}"
        return f"CASE WHEN {array} IS NOT NULL THEN ({rows}) END"

    def visit_Element(self, node: Element, scope: Scope) -> str:
        return scope.element

    # Aggregates.

    def visit_Agg(self, node: Agg, scope: Scope) -> str:
        """The call of an aggregate function, to which OVER may be added.

        FILTER becomes a CASE: over a moving window, SQLite's min and max ignore FILTER (seen in 3.40.1).
        """
        if node.operand is None:
            return "count(*)" if node.where is None else f"count(CASE WHEN {self.visit(node.where, scope)} THEN 1 END)"
        if node.function not in self.AGGREGATES:
            raise UnsupportedNode(f"{type(self).__name__} has no {node.function}")
        operand = interpolated(node.operand) if node.function == "percentile" else node.operand
        kind, text = operand.type, self.visit(operand, scope)
        template, others = self.AGGREGATES[node.function], [self.visit(other, scope) for other in node.others]
        if node.function in ("sum", "avg") and kind == DOUBLE:
            template = f"assay_{template}"
        if node.function == "avg" and isinstance(node.type, Decimal):
            require_narrow(node.type)
            template = "assay_half_up_quotient(sum({distinct}{x}) * 10000, count({distinct}{x}))"
        if node.function == "listagg" and node.distinct:
            template = "assay_joined_distinct({x}, {other})"
        if node.function == "count" and others:
            text = self._all_present((node.operand, *node.others), scope)
        if node.function in ("collect_list", "collect_set"):
            text = f"CASE WHEN {text} IS NOT NULL THEN {_one(kind, text)} END"
        pair = Struct((("k", node.others[0].type), ("x", kind))) if others else None
        if node.function in ("max_by", "min_by") and pair is not None:
            text = self._packed_texts(pair, (*others, text))
        if node.where is not None:
            text = f"CASE WHEN {self.visit(node.where, scope)} THEN {text} END"
        return template.format(
            x=text,
            distinct="DISTINCT " if node.distinct else "",
            other=", ".join(others),
            pair=quote_text(type_text(pair)) if pair else "",
        )

    def _all_present(self, operands: tuple[Expr, ...], scope: Scope) -> str:
        """The values of a row packed as one value; NULL if one of them is NULL."""
        texts = [self.visit(operand, scope) for operand in operands]
        row = Struct(tuple((f"f{place}", operand.type) for place, operand in enumerate(operands)))
        present = " AND ".join(f"{text} IS NOT NULL" for text in texts)
        return f"CASE WHEN {present} THEN assay_packed({', '.join((quote_text(type_text(row)), *texts))}) END"


def _one(kind: SqlType, text: str) -> str:
    """``text`` packed as an element of an array of ``kind``."""
    return f"assay_packed({quote_text(type_text(Struct((('x', kind),))))}, {text})"
