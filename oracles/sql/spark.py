"""Spark SQL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from oracles.sql.base import Compiler
from strategies.ir import (
    BINARY,
    BOOLEAN,
    DOUBLE,
    STRING,
    ArithOp,
    Field,
    JoinKind,
    SqlType,
    TryArith,
    Value,
    type_text,
)

_TRY: dict[ArithOp, str] = {"+": "try_add", "-": "try_subtract", "*": "try_multiply"}


class SparkCompiler(Compiler):
    """Spark SQL under its default parser settings (escapes in string literals, no quoted identifiers)."""

    UNSUPPORTED: ClassVar[frozenset[str]] = frozenset({"Deduplicate"})  # only DataFrames have dropDuplicates
    NULL_SAFE_EQUAL: ClassVar[str] = "<=>"
    IGNORE_NULLS: ClassVar[str] = "{}({}) IGNORE NULLS"
    JOINS: ClassVar[Mapping[JoinKind, str]] = {
        "inner": "INNER JOIN",
        "left": "LEFT OUTER JOIN",
        "right": "RIGHT OUTER JOIN",
        "full": "FULL OUTER JOIN",
        "semi": "LEFT SEMI JOIN",
        "anti": "LEFT ANTI JOIN",
        "cross": "CROSS JOIN",
    }
    FUNCTIONS: ClassVar[Mapping[str, str]] = {
        "upper": "upper({})",
        "lower": "lower({})",
        "length": "length({})",
        "octet_length": "octet_length({})",
        "trim": "trim({})",
        "ltrim": "ltrim({})",
        "rtrim": "rtrim({})",
        "concat": "concat({}, {})",
        "replace": "replace({}, {}, {})",
        "starts_with": "startswith({}, {})",
        "ends_with": "endswith({}, {})",
        "contains": "contains({}, {})",
        "position": "instr({}, {})",
        "substring": "substring({}, {}, {})",
        "left": "left({}, {})",
        "right": "right({}, {})",
        "lpad": "lpad({}, {}, {})",
        "like": "({} LIKE {} ESCAPE '$')",
        "binary_length": "length({})",
        "hex": "hex({})",
        "year": "year({})",
        "quarter": "quarter({})",
        "month": "month({})",
        "day": "day({})",
        "day_of_week": "dayofweek({})",
        "day_of_year": "dayofyear({})",
        "last_day": "last_day({})",
        "first_of_month": "trunc({}, 'MM')",
        "date_diff": "datediff({}, {})",
        "date_add": "date_add({}, {})",
        "hour": "hour({})",
        "minute": "minute({})",
        "unix_micros": "unix_micros({})",
        "abs": "abs({})",
        "is_nan": "isnan({})",
        "nanvl": "nanvl({}, {})",
    }

    def quote(self, name: str) -> str:
        return f"`{name.replace('`', '``')}`"

    def type_name(self, kind: SqlType) -> str:
        return type_text(kind)

    def constant(self, kind: SqlType, value: Value) -> str:
        if kind == STRING:
            return quote_string(str(value))
        if kind == BINARY:
            return f"X'{value}'"
        if kind == BOOLEAN:
            return f"CAST({str(value).lower()} AS BOOLEAN)"
        if isinstance(value, int):
            return f"CAST({value} AS {type_text(kind)})"
        if kind == DOUBLE:
            return f"CAST('{float.fromhex(str(value))!r}' AS DOUBLE)"
        return f"CAST('{value}' AS {type_text(kind)})"

    def derived(self, query: str, alias: str, fields: tuple[Field, ...]) -> str:
        return f"({query}) AS {self.quote(alias)}"

    def visit_TryArith(self, node: TryArith) -> str:
        return f"{_TRY[node.op]}({self.visit(node.left)}, {self.visit(node.right)})"


def quote_string(text: str) -> str:
    r"""A string literal. Backslash escapes; so do control characters, and ``$``, since ``${…}`` is a variable."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return "'" + re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029$]", lambda sign: f"\\u{ord(sign[0]):04x}", escaped) + "'"
