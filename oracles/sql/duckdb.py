"""Compile queries to DuckDB SQL, with results of Spark's types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from oracles.sql.dialect import UnsupportedNode
from oracles.sql.duckdb_collations import DuckdbCollations, standing_for
from oracles.sql.duckdb_nested import DuckdbNested
from oracles.sql.duckdb_raising import DuckdbRaising
from oracles.sql.nested import is_nested
from oracles.sql.scalars import spelling
from oracles.sql.words import DUCKDB_FUNCTIONS
from strategies.ir import (
    BINARY,
    BOOLEAN,
    DOUBLE,
    FLOATING,
    INT,
    INTEGERS,
    INTERVAL,
    MONTHS,
    STRING,
    TIME,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Agg,
    AggFunction,
    Aggregate,
    And,
    Arith,
    Array,
    Cast,
    Col,
    Collated,
    Compare,
    Decimal,
    Deduplicate,
    Expr,
    Field,
    GroupingSets,
    Insert,
    JoinKind,
    Map,
    Merge,
    Outer,
    Overwrite,
    OverwritePartitions,
    Peek,
    Pivot,
    PivotValue,
    RandomColumn,
    Ranking,
    Relation,
    RowNumbers,
    SqlType,
    Statement,
    Struct,
    TryArith,
    TryCast,
    UserCall,
    Value,
    Verbatim,
    type_text,
    walk,
)

_TYPE_NAMES: dict[SqlType, str] = {
    STRING: "VARCHAR",
    BINARY: "BLOB",
    TIMESTAMP: "TIMESTAMPTZ",
    TIMESTAMP_NTZ: "TIMESTAMP",
    # Of microseconds. Its own intervals have months, too, which makes a day equal 24 hours but not the same.
    INTERVAL: "BIGINT",
    MONTHS: "INTEGER",
    TIME: "BIGINT",  # of nanoseconds since midnight
}


MET_TWICE = "several rows of the source of MERGE meet one of the table"
"""The message of the error that SQL asks for there."""
_NEW_ROWS = "rows of a statement"
_TOTALS: tuple[AggFunction, AggFunction] = ("sum", "count")


class DuckdbCompiler(DuckdbRaising, DuckdbNested, DuckdbCollations):
    """The compiler to DuckDB SQL, with casts and functions that give Spark's values and types."""

    NULL_SAFE_EQUAL: ClassVar[str] = "IS NOT DISTINCT FROM"
    RANDOM: ClassVar[str] = "random()"
    LITERAL_ROWS: ClassVar[str] = "(VALUES {rows}) AS {alias}({names})"
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
    FUNCTIONS: ClassVar[Mapping[str, str]] = DUCKDB_FUNCTIONS
    AGGREGATE_FORMS: ClassVar[Mapping[AggFunction, str]] = {
        "count_if": "count(*) FILTER (WHERE {x} AND {condition})",  # count_if of no rows is NULL
        "bit_and_agg": "bit_and({x}){where}",
        "bit_or_agg": "bit_or({x}){where}",
        "bit_xor_agg": "bit_xor({x}){where}",
        "percentile": "quantile_cont({x}, {other}){where}",
        "percentile_approx": "quantile_disc({x}, {other}){where}",
        "mode": "mode({x} ORDER BY {x})",  # of those that are equally frequent it takes the first
        "regr_count": "count({x}) FILTER (WHERE {other} IS NOT NULL AND {condition})",  # its own is an unsigned INTEGER
        "max_by": "arg_max_null({x}, {key}){where}",
        "min_by": "arg_min_null({x}, {key}){where}",
        # '[]' as a text: DuckDB takes `[]` in a select list for the group's key if that is an empty array.
        "collect_list": "coalesce(list_sort(list({x}) FILTER (WHERE {x} IS NOT NULL AND {condition})),"
        " CAST('[]' AS {type}))",
        "collect_set": "coalesce(list_sort(list(DISTINCT {x}) FILTER (WHERE {x} IS NOT NULL AND {condition})),"
        " CAST('[]' AS {type}))",
        "listagg": "string_agg({distinct}{x}, {other} ORDER BY {x}){where}",
    }

    def quote(self, name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    def type_name(self, kind: SqlType) -> str:
        if isinstance(kind, Array):
            return f"{self.type_name(kind.element)}[]"
        if isinstance(kind, Struct):
            fields = (f"{self.quote(name)} {self.type_name(field)}" for name, field in kind.fields)
            return f"STRUCT({', '.join(fields)})"
        if isinstance(kind, Map):
            return f"MAP({self.type_name(kind.key)}, {self.type_name(kind.value)})"
        if isinstance(kind, Collated):
            return self.type_name(STRING)
        return _TYPE_NAMES.get(kind) or type_text(kind)

    def constant(self, kind: SqlType, value: Value) -> str:
        if isinstance(kind, (Array, Struct, Map)):
            return self.nested_constant(kind, value)
        if kind == STRING:
            return quote_string(str(value))
        if isinstance(kind, Collated):
            return standing_for(quote_string(str(value)), kind.collation)
        if kind == BINARY:
            escaped = re.sub("..", r"\\x\g<0>", str(value))
            return f"CAST('{escaped}' AS BLOB)"
        if kind == BOOLEAN:
            return f"CAST({str(value).lower()} AS BOOLEAN)"
        if isinstance(value, int):
            return f"CAST({value} AS {self.type_name(kind)})"
        if kind in FLOATING:
            return f"CAST('{float.fromhex(str(value))!r}' AS {type_text(kind)})"
        return f"CAST('{value}' AS {self.type_name(kind)})"

    def compile(self, relation: Relation) -> str:
        """The SELECT that computes ``relation``; of a statement, itself and a SELECT of its table afterwards.

        :raises UnsupportedNode: the dialect doesn't support a node in it.
        """
        text = super().compile(relation)
        return f"{text}; SELECT * FROM {self.target(relation.target)}" if isinstance(relation, Statement) else text

    def visit_Insert(self, node: Insert) -> str:
        made, written = self._new_rows(node)
        return f"{made}; {written}"

    def visit_Merge(self, node: Merge) -> str:
        merge = super().visit_Merge(node)
        if not node.needs_one_match:
            return merge
        # DuckDB takes one of the rows that meet a row of the table; SQL says that it has to raise.
        target, source, on = self.target(node.target), self.from_item(node.source), self.visit(node.on)
        met = f"SELECT 1 FROM {target} JOIN {source} ON {on} GROUP BY {target}.rowid HAVING count(*) > 1"
        return f"SELECT error('{MET_TWICE}') FROM ({met}) AS {self.quote(_NEW_ROWS)}; {merge}"

    def visit_Overwrite(self, node: Overwrite) -> str:
        made, written = self._new_rows(node)
        condition = self.overwritten(node)
        where = "" if condition is None else f" WHERE {condition}"
        return f"{made}; DELETE FROM {self.target(node.target)}{where}; {written}"

    def visit_OverwritePartitions(self, node: OverwritePartitions) -> str:
        made, written = self._new_rows(node)
        table, new = self.target(node.target), self.quote(_NEW_ROWS)
        value = f"{table}.{self.quote(node.target.columns[node.by].name)}"
        same = f"SELECT 1 FROM {new} WHERE {new}.c{node.by} IS NOT DISTINCT FROM {value}"
        return f"{made}; DELETE FROM {table} WHERE EXISTS ({same}); {written}"

    def _new_rows(self, node: Insert | Overwrite | OverwritePartitions) -> tuple[str, str]:
        """Texts that make a table of the rows to write, and write them.

        The query reads the table as it was: in one INSERT, DuckDB's second scan of it in a UNION sees new rows, too.
        """
        new = self.quote(_NEW_ROWS)
        names = ", ".join(f"c{place}" for place in range(len(node.target.columns)))
        made = f"CREATE TEMP TABLE {new} AS SELECT * FROM ({self.written(node.query)}) AS {new}({names})"
        return made, f"INSERT INTO {self.target(node.target)} SELECT * FROM {new}"

    def derived(self, query: str, alias: str, fields: tuple[Field, ...]) -> str:
        # DuckDB would number a name that occurs twice (a, a_1), and a_1 might be another column's name.
        names = [field.name.casefold() for field in fields]
        if len(set(names)) == len(names):
            return f"({query}) AS {self.quote(alias)}"
        columns = (
            field.name if names.count(field.name.casefold()) == 1 else f"{field.name}#{position}"
            for position, field in enumerate(fields)
        )
        return f"({query}) AS {self.quote(alias)}({', '.join(map(self.quote, columns))})"

    def visit_UserCall(self, node: UserCall) -> str:
        return self.visit(node.meaning)

    def visit_Verbatim(self, node: Verbatim) -> str:
        if not node.duckdb:
            raise UnsupportedNode(node.why_not)
        return node.duckdb

    def having_needs_table(self, node: Aggregate | GroupingSets) -> bool:
        # TRY doesn't allow aggregate functions.
        tries = node.having is not None and any(isinstance(part, TryArith) for part in walk(node.having))
        return tries or super().having_needs_table(node)

    def visit_RowNumbers(self, node: RowNumbers) -> str:
        number = f"row_number() OVER (ORDER BY {', '.join(map(self.visit, node.order))}) - 1"
        return f"SELECT *, {number} AS {self.quote(node.name)} {self.source(node.child)}"

    def visit_RandomColumn(self, node: RandomColumn) -> str:
        return f"SELECT *, TRUE AS {self.quote(node.name)} {self.source(node.child)}"

    def visit_Deduplicate(self, node: Deduplicate) -> str:
        if not node.keys:
            return f"SELECT * {self.source(node.child)} LIMIT 1"
        keys = ", ".join(map(self.quote, node.keys))
        return f"SELECT DISTINCT ON ({keys}) * {self.source(node.child)}"

    def in_spark_type(self, node: Agg | Ranking | Peek, text: str) -> str:
        # In DuckDB, sums are HUGEINT or DECIMAL(38, s), and ranks are BIGINT.
        if node.function == "sum" or (isinstance(node, Ranking) and node.type == INT):
            return f"CAST({text} AS {self.type_name(node.type)})"
        return text

    def visit_Pivot(self, node: Pivot) -> str:
        keys = [self.visit(key) for key in node.keys]
        values = [f"{self._where(node, value)} AS {self.quote(value.name)}" for value in node.values]
        select = f"SELECT {', '.join((*keys, *values))} {self.source(node.child)}"
        groups = ", ".join(self.visit(key.value) for key in node.keys)
        return f"{select} GROUP BY {groups}" if groups else select

    def _where(self, node: Pivot, value: PivotValue) -> str:
        """The aggregate over the rows of one value; NULL, even for counts and lists, if there are no such rows."""
        its_rows: Expr = Compare("<=>", node.column, value.literal)
        where = its_rows if node.aggregate.where is None else And(its_rows, node.aggregate.where)
        aggregate = self.visit(replace(node.aggregate, where=where))
        return f"CASE WHEN {self.visit(Agg('count', where=its_rows))} > 0 THEN {aggregate} END"

    def aggregate(self, node: Agg) -> str:
        if node.operand is None:
            return super().aggregate(node)
        if node.function == "count" and node.others:
            return self._count_of_several(node, node.operand)
        if node.function == "avg" and isinstance(node.operand.type, Decimal):
            return self._decimal_average(node, node.operand.type)
        if node.function in ("min", "max") and is_nested(node.operand.type):
            name = "arg_min" if node.function == "min" else "arg_max"
            operand = self.visit(node.operand)
            return f"{name}({operand}, {self.sort_key(operand, node.operand.type)}){self.filter_clause(node)}"
        if node.function == "mode":
            return f"{self._mode(node.operand)}{self.filter_clause(node)}"
        return super().aggregate(node)

    def _mode(self, operand: Expr) -> str:
        text = self.visit(operand)
        if operand.type in FLOATING:
            # Any of the two zeros may stand for both: 0.0 does, as in Spark.
            text = f"({text} + CAST(0 AS {self.type_name(operand.type)}))"
        if not any(isinstance(part, (Col, Outer)) for part in walk(operand)):
            return f"max({text})"  # DuckDB takes a constant for the share of a percentile
        return self.AGGREGATE_FORMS["mode"].format(x=text)

    def _count_of_several(self, node: Agg, first: Expr) -> str:
        operands = [self.visit(operand) for operand in (first, *node.others)]
        present = " AND ".join(f"{operand} IS NOT NULL" for operand in operands)
        condition = present if node.where is None else f"{present} AND {self.visit(node.where)}"
        counted = f"DISTINCT ({', '.join(operands)})" if node.distinct else "*"
        return f"count({counted}) FILTER (WHERE {condition})"

    def _decimal_average(self, node: Agg, kind: Decimal) -> str:
        """Spark's exact quotient, rounded half up in the last digit; DuckDB's avg() is a DOUBLE."""
        total, number = (self.aggregate(replace(node, function=name)) for name in _TOTALS)
        scale = kind.scale + 4
        units = f"(2 * abs(CAST({total} * 1{'0' * scale} AS HUGEINT)) + {number}) // (2 * {number})"
        unit = f"CAST(0.{'0' * (scale - 1)}1 AS DECIMAL({scale},{scale}))"
        quotient = f"CAST(sign({total}) * ({units}) AS DECIMAL({38 - scale},0)) * {unit}"
        return f"CAST({quotient} AS {self.type_name(node.type)})"

    def visit_TryCast(self, node: TryCast) -> str:
        operand, source = self.visit(node.operand), node.operand.type
        if (pattern := spelling(node)) is not None:
            operand = f"CASE WHEN regexp_matches({operand}, '{pattern}') THEN {operand} END"
        elif node.to in INTEGERS and (source == DOUBLE or isinstance(source, Decimal)):
            operand = f"trunc({operand})"  # CAST rounds
        return f"TRY_CAST({operand} AS {self.type_name(node.to)})"

    def visit_Arith(self, node: Arith) -> str:
        kind, left = node.type, node.left.type
        if node.op != "*" or not isinstance(kind, Decimal) or not isinstance(left, Decimal):
            return super().visit_Arith(node)
        # In DuckDB a product of narrow decimals has at most 18 digits, and overflows.
        wide = self.type_name(Decimal(kind.precision, left.scale))
        product = f"CAST({self.visit(node.left)} AS {wide}) * {self.visit(node.right)}"
        return f"CAST({product} AS {self.type_name(kind)})"

    def visit_TryArith(self, node: TryArith) -> str:
        return f"TRY({self.visit(node.left)} {node.op} {self.visit(node.right)})"

    def visit_Cast(self, node: Cast) -> str:
        source, cast = node.operand.type, super().visit_Cast(node)
        if (source, node.to) == (STRING, BINARY):
            return f"encode({self.visit(node.operand)})"  # CAST accepts only ASCII
        if (source, node.to) == (TIMESTAMP, STRING):
            return f"CAST(CAST({self.visit(node.operand)} AS TIMESTAMP) AS VARCHAR)"  # CAST adds the zone
        if isinstance(source, Decimal) and source.precision == source.scale and node.to == STRING:
            return f"regexp_replace({cast}, '^(-?)[.]', '\\10.')"  # CAST leaves out the zero before the point
        return cast


def quote_string(text: str) -> str:
    """A string literal without escapes; NUL becomes chr(0), so that the text can be pasted."""
    parts = ["'" + part.replace("'", "''") + "'" for part in text.split("\0")]
    return parts[0] if len(parts) == 1 else f"({' || chr(0) || '.join(parts)})"
