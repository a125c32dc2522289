"""DuckDB SQL; results have Spark's types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from oracles.sql.base import Compiler
from strategies.ir import (
    BINARY,
    BOOLEAN,
    DOUBLE,
    INT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Agg,
    Aggregate,
    And,
    Cast,
    Compare,
    Decimal,
    Deduplicate,
    Expr,
    Field,
    GroupingSets,
    InSubquery,
    JoinKind,
    Not,
    Or,
    Peek,
    Pivot,
    PivotValue,
    Ranking,
    SqlType,
    TryArith,
    Value,
    type_text,
    walk,
)

_TYPE_NAMES: dict[SqlType, str] = {
    STRING: "VARCHAR",
    BINARY: "BLOB",
    TIMESTAMP: "TIMESTAMPTZ",
    TIMESTAMP_NTZ: "TIMESTAMP",
}


class DuckdbCompiler(Compiler):
    """DuckDB SQL; casts and functions are chosen so that values and types come out as Spark's."""

    NULL_SAFE_EQUAL: ClassVar[str] = "IS NOT DISTINCT FROM"
    IGNORE_NULLS: ClassVar[str] = "{}({} IGNORE NULLS)"
    JOINS: ClassVar[Mapping[JoinKind, str]] = {
        "inner": "INNER JOIN",
        "left": "LEFT JOIN",
        "right": "RIGHT JOIN",
        "full": "FULL JOIN",
        "semi": "SEMI JOIN",
        "anti": "ANTI JOIN",
        "cross": "CROSS JOIN",
    }
    FUNCTIONS: ClassVar[Mapping[str, str]] = {
        "upper": "upper({})",
        "lower": "lower({})",
        "length": "CAST(length({}) AS INTEGER)",
        "octet_length": "CAST(strlen({}) AS INTEGER)",
        "trim": "trim({})",
        "ltrim": "ltrim({})",
        "rtrim": "rtrim({})",
        "concat": "({} || {})",  # concat() would skip NULL
        "replace": "replace({}, {}, {})",
        "starts_with": "starts_with({}, {})",
        "ends_with": "ends_with({}, {})",
        "contains": "contains({}, {})",
        "position": "CAST(strpos({}, {}) AS INTEGER)",
        "substring": "substring({}, {}, {})",
        "left": "left({}, {})",
        "right": "right({}, {})",
        "lpad": "lpad({}, {}, {})",
        "like": "({} LIKE {} ESCAPE '$')",
        "binary_length": "CAST(octet_length({}) AS INTEGER)",
        "hex": "hex({})",
        "year": "CAST(year({}) AS INTEGER)",
        "quarter": "CAST(quarter({}) AS INTEGER)",
        "month": "CAST(month({}) AS INTEGER)",
        "day": "CAST(day({}) AS INTEGER)",
        "day_of_week": "CAST(dayofweek({}) + 1 AS INTEGER)",  # Sunday is 0 here, 1 in Spark
        "day_of_year": "CAST(dayofyear({}) AS INTEGER)",
        "last_day": "last_day({})",
        "first_of_month": "CAST(date_trunc('month', {}) AS DATE)",
        "date_diff": "CAST({} - {} AS INTEGER)",
        "date_add": "({} + {})",
        "hour": "CAST(hour({}) AS INTEGER)",
        "minute": "CAST(minute({}) AS INTEGER)",
        "unix_micros": "epoch_us({})",
        "abs": "abs({})",
        "is_nan": "coalesce(isnan({}), false)",  # Spark: NULL is not NaN
        "nanvl": "CASE WHEN isnan({0}) THEN {1} ELSE {0} END",
    }

    def quote(self, name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    def type_name(self, kind: SqlType) -> str:
        return _TYPE_NAMES.get(kind) or type_text(kind)

    def constant(self, kind: SqlType, value: Value) -> str:
        if kind == STRING:
            return quote_string(str(value))
        if kind == BINARY:
            escaped = re.sub("..", r"\\x\g<0>", str(value))
            return f"CAST('{escaped}' AS BLOB)"
        if kind == BOOLEAN:
            return f"CAST({str(value).lower()} AS BOOLEAN)"
        if isinstance(value, int):
            return f"CAST({value} AS {type_text(kind)})"
        if kind == DOUBLE:
            return f"CAST('{float.fromhex(str(value))!r}' AS DOUBLE)"
        return f"CAST('{value}' AS {self.type_name(kind)})"

    def derived(self, query: str, alias: str, fields: tuple[Field, ...]) -> str:
        # A name that occurs twice would be numbered (a, a_1), and might then be taken for another column.
        names = [field.name.casefold() for field in fields]
        if len(set(names)) == len(names):
            return f"({query}) AS {self.quote(alias)}"
        columns = (
            field.name if names.count(field.name.casefold()) == 1 else f"{field.name}#{position}"
            for position, field in enumerate(fields)
        )
        return f"({query}) AS {self.quote(alias)}({', '.join(map(self.quote, columns))})"

    def condition(self, expression: Expr) -> str:
        match expression:
            case And(left=left, right=right):
                return f"({self.condition(left)} AND {self.condition(right)})"
            case Or(left=left, right=right):
                return f"({self.condition(left)} OR {self.condition(right)})"
            case Not(operand=operand):
                return f"(NOT {self.condition(operand)})"
            case InSubquery():
                return super().visit_InSubquery(expression)
        return self.visit(expression)

    def visit_InSubquery(self, node: InSubquery) -> str:
        return f"coalesce({super().visit_InSubquery(node)}, false)"  # as a value, Spark's is never NULL

    def visit_Not(self, node: Not) -> str:
        if isinstance(node.operand, InSubquery):  # to Spark that is one predicate
            return self.visit(replace(node.operand, negated=not node.operand.negated))
        return super().visit_Not(node)

    def having_needs_table(self, node: Aggregate | GroupingSets) -> bool:
        # TRY takes no aggregate function.
        tries = node.having is not None and any(isinstance(part, TryArith) for part in walk(node.having))
        return tries or super().having_needs_table(node)

    def visit_Deduplicate(self, node: Deduplicate) -> str:
        if not node.keys:
            return f"SELECT * {self.source(node.child)} LIMIT 1"
        keys = ", ".join(map(self.quote, node.keys))
        return f"SELECT DISTINCT ON ({keys}) * {self.source(node.child)}"

    def in_spark_type(self, node: Agg | Ranking | Peek, text: str) -> str:
        # Sums are HUGEINT or DECIMAL(38, s) here, and places are BIGINT.
        if node.function == "sum" or (isinstance(node, Ranking) and node.type == INT):
            return f"CAST({text} AS {self.type_name(node.type)})"
        return text

    def group_conditions(self, node: GroupingSets) -> list[str]:
        # The empty set has a row even of no rows here.
        return ["(count(*) > 0)"] if () in node.grouped_by else []

    def visit_Pivot(self, node: Pivot) -> str:
        keys = [self.visit(key) for key in node.keys]
        values = [f"{self._where(node, value)} AS {self.quote(value.name)}" for value in node.values]
        select = f"SELECT {', '.join((*keys, *values))} {self.source(node.child)}"
        groups = ", ".join(self.visit(key.value) for key in node.keys)
        return f"{select} GROUP BY {groups}" if groups else select

    def _where(self, node: Pivot, value: PivotValue) -> str:
        """The aggregate over the rows of one value: NULL where there are none, even for count."""
        its_rows: Expr = Compare("<=>", node.column, value.literal)
        where = its_rows if node.aggregate.where is None else And(its_rows, node.aggregate.where)
        aggregate = self.visit(replace(node.aggregate, where=where))
        if node.aggregate.function != "count":
            return aggregate
        return f"CASE WHEN {self.visit(Agg('count', where=its_rows))} > 0 THEN {aggregate} END"

    def visit_TryArith(self, node: TryArith) -> str:
        return f"TRY({self.visit(node.left)} {node.op} {self.visit(node.right)})"

    def visit_Cast(self, node: Cast) -> str:
        source, cast = node.operand.type, super().visit_Cast(node)
        if (source, node.to) == (STRING, BINARY):
            return f"encode({self.visit(node.operand)})"  # CAST takes ASCII only
        if isinstance(source, Decimal) and source.precision == source.scale and node.to == STRING:
            return f"regexp_replace({cast}, '^(-?)[.]', '\\10.')"  # CAST leaves out the zero before the point
        return cast


def quote_string(text: str) -> str:
    """A string literal; a backslash is nothing special, NUL is spelled out so that the text can be pasted."""
    parts = ["'" + part.replace("'", "''") + "'" for part in text.split("\0")]
    return parts[0] if len(parts) == 1 else f"({' || chr(0) || '.join(parts)})"
