"""SQL for scalar and aggregate expressions: operators and functions, common ones or with a template of the dialect."""

from __future__ import annotations

from oracles.sql.dialect import Dialect
from strategies.ir import (
    BOOLEAN,
    DATE,
    DOUBLE,
    INTEGERS,
    STRING,
    Agg,
    And,
    Arith,
    Between,
    Call,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Compare,
    Expr,
    InList,
    IsNull,
    Lit,
    MakeStruct,
    Not,
    NullIf,
    Or,
    Peek,
    RaisingCast,
    Ranking,
    Remainder,
    SqlType,
    TryCast,
    When,
    interpolated,
)


class Scalars(Dialect):
    """The part of a compiler for expressions; the text of each scalar one can be an operand of any other."""

    def alike(self, *parts: Expr) -> list[str]:
        """The texts of ``parts``, to which the engine gives one type, so that each says the type of the others."""
        return [self.visit(part) for part in parts]

    def visit_Lit(self, node: Lit) -> str:
        if node.value is None:
            return f"CAST(NULL AS {self.type_name(node.kind)})"
        return self.constant(node.kind, node.value)

    def visit_Col(self, node: Col) -> str:
        name = self.quote(node.name)
        return name if node.qualifier is None else f"{self.quote(node.qualifier)}.{name}"

    def visit_Compare(self, node: Compare) -> str:
        operator = self.NULL_SAFE_EQUAL if node.op == "<=>" else node.op
        return f"({f' {operator} '.join(self.alike(node.left, node.right))})"

    def visit_And(self, node: And) -> str:
        return f"({' AND '.join(self.alike(node.left, node.right))})"

    def visit_Or(self, node: Or) -> str:
        return f"({' OR '.join(self.alike(node.left, node.right))})"

    def visit_Not(self, node: Not) -> str:
        return f"(NOT {self.visit(node.operand)})"

    def visit_IsNull(self, node: IsNull) -> str:
        return f"({self.visit(node.operand)} IS {'NOT ' if node.negated else ''}NULL)"

    def visit_InList(self, node: InList) -> str:
        operand, *items = self.alike(node.operand, *node.items)
        return f"({operand} {'NOT ' if node.negated else ''}IN ({', '.join(items)}))"

    def visit_Between(self, node: Between) -> str:
        operand, low, high = self.alike(node.operand, node.low, node.high)
        return f"({operand} {'NOT ' if node.negated else ''}BETWEEN {low} AND {high})"

    def visit_CaseWhen(self, node: CaseWhen) -> str:
        others = () if node.otherwise is None else (node.otherwise,)
        results = self.alike(*(branch.result for branch in node.branches), *others)
        branches = " ".join(map(self._branch, node.branches, results))
        return f"CASE {branches}{f' ELSE {results[-1]}' if others else ''} END"

    def visit_When(self, node: When) -> str:
        return self._branch(node, self.visit(node.result))

    def _branch(self, branch: When, result: str) -> str:
        return f"WHEN {self.visit(branch.condition)} THEN {result}"

    def visit_Coalesce(self, node: Coalesce) -> str:
        return f"coalesce({', '.join(self.alike(*node.operands))})"

    def visit_NullIf(self, node: NullIf) -> str:
        _, right = self.alike(node.left, node.right)
        return f"nullif({self.visit(node.left)}, {right})"  # of the type of its left side alone

    def visit_Arith(self, node: Arith) -> str:
        return f"({self.visit(node.left)} {node.op} {self.visit(node.right)})"

    def visit_Remainder(self, node: Remainder) -> str:
        return f"({self.visit(node.left)} % {self.constant(node.left.type, node.divisor)})"

    def visit_Cast(self, node: Cast) -> str:
        return f"CAST({self.visit(node.operand)} AS {self.type_name(node.to)})"

    def visit_Call(self, node: Call) -> str:
        arguments = map(self.visit, node.arguments)
        first = self.type_name(node.arguments[0].type)
        return self.FUNCTIONS[node.function].format(*arguments, first=first, result=self.type_name(node.type))

    def in_spark_type(self, node: Agg | Ranking | Peek, text: str) -> str:
        """``text``, which computes ``node``, cast to Spark's type if necessary."""
        return text

    def visit_Agg(self, node: Agg) -> str:
        return self.in_spark_type(node, self.aggregate(node))

    def aggregate(self, node: Agg) -> str:
        """The call of an aggregate function, to which OVER can be added if the function is in AGGREGATES."""
        if node.operand is not None and node.function in self.AGGREGATE_FORMS:
            return self._formed(node, node.operand)
        operands = "*" if node.operand is None else ", ".join(map(self.visit, (node.operand, *node.others)))
        call = f"{self.AGGREGATES[node.function]}({'DISTINCT ' if node.distinct else ''}{operands})"
        return f"{call}{self.filter_clause(node)}"

    def filter_clause(self, node: Agg) -> str:
        """``FILTER (WHERE …)``, or ''."""
        return "" if node.where is None else f" FILTER (WHERE {self.visit(node.where)})"

    def _formed(self, node: Agg, operand: Expr) -> str:
        pair = MakeStruct(("k", "x"), (*node.others, operand)) if len(node.others) == 1 else operand
        operand = interpolated(operand) if node.function == "percentile" else operand
        return self.AGGREGATE_FORMS[node.function].format(
            x=self.visit(operand),
            other=self.visit(node.others[0]) if node.others else "",
            key=self.sort_key(self.visit(pair), pair.type),
            distinct="DISTINCT " if node.distinct else "",
            where=self.filter_clause(node),
            condition="true" if node.where is None else self.visit(node.where),
            type=self.type_name(node.type),
        )

    def sort_key(self, text: str, kind: SqlType) -> str:
        """An expression that sorts like the value ``text`` of type ``kind`` in Spark."""
        return text


_INTEGER, _DIGITS = "^-?[0-9]+$", "^-?[0-9]+([.][0-9]+)?$"
_SPELLINGS: dict[SqlType, str] = {
    **dict.fromkeys(INTEGERS, _INTEGER),
    DOUBLE: _DIGITS,
    BOOLEAN: "^(true|false|t|f|yes|no|y|n|1|0)$",
    DATE: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
}


def spelling(node: TryCast | RaisingCast) -> str | None:
    """The regular expression of texts that both engines cast alike to ``node.to``; None unless it casts a text."""
    return _SPELLINGS.get(node.to, _DIGITS) if node.operand.type == STRING else None
