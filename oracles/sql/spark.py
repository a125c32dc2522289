"""Compile queries to Spark SQL."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from oracles.sql.nested import ELEMENT
from oracles.sql.pipes import Pipes
from oracles.sql.scalars import spelling
from oracles.sql.spark_literals import plain_literal, span_literal, time_literal
from oracles.sql.words import SPARK_FUNCTIONS
from strategies.ir import (
    BINARY,
    BOOLEAN,
    FLOATING,
    INTERVAL,
    MONTHS,
    STRING,
    TIME,
    Agg,
    AggFunction,
    Alias,
    ArithOp,
    Array,
    Clauses,
    Collate,
    Collated,
    CteScan,
    Exchange,
    Expr,
    Field,
    Generate,
    HigherOrder,
    Join,
    JoinKind,
    Lit,
    Literals,
    MakeMap,
    Map,
    Overwrite,
    OverwritePartitions,
    RaiseError,
    RaisingArith,
    RaisingCast,
    RaisingElement,
    RandomColumn,
    RandomFunction,
    Repartition,
    RowNumbers,
    Scan,
    Settings,
    Sort,
    SortKey,
    SqlType,
    Struct,
    TryArith,
    TryCast,
    UserCall,
    Value,
    Verbatim,
    type_text,
)

CATALOG = "assay"
"""The catalog of the jar's tables in the names that statements have for them."""
STORED = "_stored"
"""The end of the names that statements have for tables in files, and that the files of tables in a VARIANT have."""
_HINTS: dict[Exchange, str] = {
    "repartition": "REPARTITION",
    "coalesce": "COALESCE",
    "range": "REPARTITION_BY_RANGE",
    "rebalance": "REBALANCE",
}
LENGTH_OF_ANY = "length(uuid()) = 36"
_RANDOM: dict[RandomFunction, str] = {"rand": "rand()", "uuid": "uuid()", "explode": "explode(array(rand()))"}
_HALVES: dict[RandomFunction, str] = {"rand": "0.5D", "uuid": "'8'", "explode": "0.5D"}
"""A value in the middle of those of each function."""
NUMBERED = "monotonically_increasing_id()"
_TRY: dict[ArithOp, str] = {"+": "try_add", "-": "try_subtract", "*": "try_multiply"}


class SparkCompiler(Pipes):
    """The compiler to Spark SQL for default parser settings (escapes in string literals, no quoted identifiers).

    :param literals: how constants are written; a type without a plain literal is always written as a cast.
    :param clauses: whether an operator has a SELECT of its own where it need not.
    :param stored: whether statements change tables in files. Spark puts the column that these are partitioned by last.
    """

    UNSUPPORTED: ClassVar[frozenset[str]] = frozenset({"Deduplicate"})  # only DataFrames have dropDuplicates
    NULL_SAFE_EQUAL: ClassVar[str] = "<=>"
    RANDOM: ClassVar[str] = "rand()"
    IGNORE_NULLS: ClassVar[str] = "{}({}) IGNORE NULLS"
    # In parentheses, the names would be a projection's, which hides the rows from rules about local relations.
    LITERAL_ROWS: ClassVar[str] = "VALUES {rows} AS {alias}({names})"
    JOINS: ClassVar[Mapping[JoinKind, str]] = {
        "inner": "INNER JOIN",
        "left": "LEFT OUTER JOIN",
        "right": "RIGHT OUTER JOIN",
        "full": "FULL OUTER JOIN",
        "semi": "LEFT SEMI JOIN",
        "anti": "LEFT ANTI JOIN",
        "cross": "CROSS JOIN",
    }
    FUNCTIONS: ClassVar[Mapping[str, str]] = SPARK_FUNCTIONS
    AGGREGATE_FORMS: ClassVar[Mapping[AggFunction, str]] = {
        "count_if": "count_if({x}){where}",
        "bit_and_agg": "bit_and({x}){where}",
        "bit_or_agg": "bit_or({x}){where}",
        "bit_xor_agg": "bit_xor({x}){where}",
        "percentile": "percentile({x}, {other}){where}",
        "percentile_approx": "percentile_approx({x}, {other}){where}",
        "mode": "mode({x}, true){where}",
        "regr_count": "regr_count({x}, {other}){where}",
        # If keys are equal, the operand decides.
        "max_by": "max_by({x}, named_struct('k', {other}, 'x', {x})){where}",
        "min_by": "min_by({x}, named_struct('k', {other}, 'x', {x})){where}",
        "collect_list": "array_sort(collect_list({x}){where})",
        "collect_set": "array_sort(collect_set({x}){where})",
        "listagg": "listagg({distinct}{x}, {other}) WITHIN GROUP (ORDER BY {x}){where}",
    }

    def __init__(self, literals: Literals = "plain", *, clauses: Clauses = "nested", stored: bool = False) -> None:
        super().__init__(clauses)
        self._stored = stored
        self._plain = literals == "plain"

    @classmethod
    def under(cls, settings: Settings, *, stored: bool = False) -> Self:
        """The compiler for queries of a case with ``settings``."""
        return cls(settings.literals, clauses=settings.clauses, stored=stored)

    def quote(self, name: str) -> str:
        return f"`{name.replace('`', '``')}`"

    def type_name(self, kind: SqlType) -> str:
        return type_text(kind)

    def constant(self, kind: SqlType, value: Value) -> str:
        if isinstance(kind, (Array, Struct, Map)):
            return self.nested_constant(kind, value)
        if kind == STRING:
            return quote_string(str(value))
        if isinstance(kind, Collated):
            return f"({quote_string(str(value))} COLLATE {kind.collation})"
        if kind == BINARY:
            return f"X'{value}'"
        if self._plain and (text := plain_literal(kind, value)) is not None:
            return text
        if kind == BOOLEAN:
            return f"CAST({str(value).lower()} AS BOOLEAN)"
        if isinstance(value, int):
            if kind in (INTERVAL, MONTHS):
                return span_literal(kind, value)
            if kind == TIME:
                return time_literal(value)
            return f"CAST({value} AS {type_text(kind)})"
        if kind in FLOATING:
            return f"CAST('{float.fromhex(str(value))!r}' AS {type_text(kind)})"
        return f"CAST('{value}' AS {type_text(kind)})"

    def alike(self, *parts: Expr) -> list[str]:
        nulls = [isinstance(part, Lit) and part.value is None for part in parts]
        clear = self._plain and not all(nulls)
        return ["NULL" if null and clear else self.visit(part) for part, null in zip(parts, nulls, strict=True)]

    def key(self, value: Expr | Agg) -> str:
        # GROUP BY 1 is by the first column of the select list.
        return SparkCompiler("cast").visit(value) if isinstance(value, Lit) else self.visit(value)

    def target(self, scan: Scan) -> str:
        # Spark changes no view, and the jar's tables are views to queries: this is the same table in the jar's catalog.
        return self.quote(f"{scan.table}{STORED}") if self._stored else f"{CATALOG}.{self.quote(scan.table)}"

    def filled(self, scan: Scan) -> str:
        if not self._stored:
            return self.target(scan)
        return f"{self.target(scan)} ({', '.join(self.quote(column.name) for column in scan.columns)})"

    def visit_Overwrite(self, node: Overwrite) -> str:
        condition = self.overwritten(node)
        if condition is None:
            return f"INSERT OVERWRITE TABLE {self.rows_into(node.target, node.query)}"
        return f"INSERT INTO {self.target(node.target)} REPLACE WHERE {condition} {self.written(node.query)}"

    def visit_OverwritePartitions(self, node: OverwritePartitions) -> str:
        # A setting says that other partitions stay.
        return f"INSERT OVERWRITE TABLE {self.rows_into(node.target, node.query)}"

    def derived(self, query: str, alias: str, fields: tuple[Field, ...]) -> str:
        return f"({query}) AS {self.quote(alias)}"

    def array(self, element: SqlType, elements: Sequence[str]) -> str:
        return f"array({', '.join(elements)})" if elements else f"CAST(array() AS ARRAY<{self.type_name(element)}>)"

    def struct(self, names: Sequence[str], values: Sequence[str]) -> str:
        pairs = (f"'{name}', {value}" for name, value in zip(names, values, strict=True))
        return f"named_struct({', '.join(pairs)})"

    def map_of(self, keys: str, values: str) -> str:
        return f"map_from_arrays({keys}, {values})"

    def visit_MakeMap(self, node: MakeMap) -> str:
        entries = zip(node.keys, node.values, strict=True)
        return f"map({', '.join(self.visit(part) for entry in entries for part in entry)})"

    def visit_Generate(self, node: Generate) -> str:
        names = ", ".join(self.quote(name) for name in (node.position, node.name) if name is not None)
        child, array, alias = self.from_item(node.child), self.visit(node.array), self.quote(next(self._aliases))
        if node.in_python:
            call = f"{node.function}({array}, {str(node.outer).lower()})"
            return f"SELECT * FROM {child}, LATERAL {call} AS {alias}({names})"
        view = f"LATERAL VIEW{' OUTER' if node.outer else ''}"
        return f"SELECT * FROM {child} {view} {node.function}({array}) {alias} AS {names}"

    def visit_Sort(self, node: Sort) -> str:
        order = ", ".join(f"{self.key(key.value)} {self.direction(key)}" for key in node.order)
        if not node.within:
            return self.ordered(node.child, order)
        spread = node.child
        if not isinstance(spread, Repartition) or spread.kind != "distribute":
            return f"SELECT * {self.source(spread)} SORT BY {order}"
        if node.order == tuple(map(SortKey, spread.keys)):
            return f"SELECT * {self.source(spread.child)} CLUSTER BY {', '.join(map(self.key, spread.keys))}"
        return f"{self.visit(spread)} SORT BY {order}"

    def visit_Repartition(self, node: Repartition) -> str:
        keys = map(self.key, node.keys)
        if node.kind == "distribute":
            return f"SELECT * {self.source(node.child)} DISTRIBUTE BY {', '.join(keys)}"
        arguments = [*([] if node.count is None else [str(node.count)]), *keys]
        hint = _HINTS[node.kind] + (f"({', '.join(arguments)})" if arguments else "")
        return f"SELECT /*+ {hint} */ * {self.source(node.child)}"

    def visit_RowNumbers(self, node: RowNumbers) -> str:
        return f"SELECT *, {NUMBERED} AS {self.quote(node.name)} {self.source(node.in_order)}"

    def visit_RandomColumn(self, node: RandomColumn) -> str:
        if node.function == "length":
            return f"SELECT *, {LENGTH_OF_ANY} AS {self.quote(node.name)} {self.source(node.child)}"
        below = f"SELECT *, {self.random(node)} AS {self.quote(node.hidden)} {self.source(node.child)}"
        listed = ", ".join([*(self.quote(field.name) for field in node.child.fields), self.halves(node)])
        return f"SELECT {listed} FROM {self.derived(below, next(self._aliases), ())}"

    def random(self, node: RandomColumn) -> str:
        """The random value of ``node``."""
        return _RANDOM[node.function]

    def halves(self, node: RandomColumn) -> str:
        """The test of ``node``'s random value, true of values below and above the half; each copy reads another one."""
        value, half = self.quote(node.hidden), _HALVES[node.function]
        test = f"CASE WHEN {value} < {half} THEN {value} < {half} ELSE {value} >= {half} END"
        return f"{test} AS {self.quote(node.name)}"

    def hinted(self, node: Join, right: str) -> str:
        assert isinstance(node.right, (Scan, CteScan, Alias))  # the node's constructor checks it
        name = self.quote(node.right.table if isinstance(node.right, Scan) else node.right.name)
        return f"(SELECT /*+ {str(node.hint).upper()}({name}) */ * FROM {right}) AS {name}"

    def visit_HigherOrder(self, node: HigherOrder) -> str:
        return f"{node.function}({self.visit(node.operand)}, {ELEMENT} -> {self.visit(node.body)})"

    def visit_Collate(self, node: Collate) -> str:
        return f"({self.visit(node.operand)} COLLATE {node.collation})"

    def visit_UserCall(self, node: UserCall) -> str:
        return f"{node.name}({', '.join(map(self.visit, node.operands))})"

    def visit_Verbatim(self, node: Verbatim) -> str:
        return node.spark

    def visit_TryCast(self, node: TryCast) -> str:
        operand = self.visit(node.operand)
        if (pattern := spelling(node)) is not None:
            operand = f"CASE WHEN {operand} RLIKE '{pattern}' THEN {operand} END"
        return f"try_cast({operand} AS {self.type_name(node.to)})"

    def visit_TryArith(self, node: TryArith) -> str:
        return f"{_TRY[node.op]}({self.visit(node.left)}, {self.visit(node.right)})"

    # Expressions that may raise: the session's ANSI mode says whether they raise or are NULL.

    def visit_RaisingArith(self, node: RaisingArith) -> str:
        return f"({self.visit(node.left)} {node.op} {self.visit(node.right)})"

    def visit_RaisingCast(self, node: RaisingCast) -> str:
        operand = self.visit(node.operand)
        if (pattern := spelling(node)) is not None:  # any other spelling is one that no engine accepts
            operand = f"CASE WHEN {operand} RLIKE '{pattern}' THEN {operand} WHEN {operand} IS NOT NULL THEN 'x' END"
        return f"CAST({operand} AS {self.type_name(node.to)})"

    def visit_RaisingElement(self, node: RaisingElement) -> str:
        return f"{self.visit(node.array)}[{self.visit(node.index)}]"

    def visit_RaiseError(self, node: RaiseError) -> str:
        return f"CAST(raise_error({quote_string(node.message)}) AS {self.type_name(node.to)})"


def quote_string(text: str) -> str:
    r"""A string literal; backslashes, control characters, and ``$``, as ``${…}`` is a variable, are escaped."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return "'" + re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029$]", lambda sign: f"\\u{ord(sign[0]):04x}", escaped) + "'"
