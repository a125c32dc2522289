"""The values and types in a script's answers, as text: the same for both engines."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal as Number
from typing import Any

import duckdb
import pytest
from pyspark.sql import types as spark_types

from oracles.sql import DuckdbCompiler
from strategies.ir import (
    ATOMIC,
    INT,
    INTERVAL,
    MONTHS,
    TIME,
    TIMESTAMP,
    Array,
    Case,
    Column,
    Database,
    Decimal,
    Scan,
    SqlType,
    Struct,
    Table,
)
from tests.unit.script_samples import FINDINGS, module_of, of_case, text_of

KINDS: dict[str, SqlType] = {
    **ATOMIC,
    "decimal": Decimal(18, 2),
    "array": Array(TIMESTAMP),
    "struct": Struct((("p", INT), ("q", Array(Decimal(5, 0))))),
}
_ON_SPARK: dict[str, spark_types.DataType] = {
    "BOOLEAN": spark_types.BooleanType(),
    "TINYINT": spark_types.ByteType(),
    "SMALLINT": spark_types.ShortType(),
    "INT": spark_types.IntegerType(),
    "BIGINT": spark_types.LongType(),
    "DOUBLE": spark_types.DoubleType(),
    "FLOAT": spark_types.FloatType(),
    "STRING": spark_types.StringType(),
    "BINARY": spark_types.BinaryType(),
    "DATE": spark_types.DateType(),
    "TIMESTAMP": spark_types.TimestampType(),
    "TIMESTAMP_NTZ": spark_types.TimestampNTZType(),
    "INTERVAL": spark_types.DayTimeIntervalType(),
    "MONTHS": spark_types.YearMonthIntervalType(),
    "TIME": spark_types.TimeType(6),
    "decimal": spark_types.DecimalType(18, 2),
    "array": spark_types.ArrayType(spark_types.TimestampType()),
    "struct": spark_types.StructType(
        [
            spark_types.StructField("p", spark_types.IntegerType()),
            spark_types.StructField("q", spark_types.ArrayType(spark_types.DecimalType(5, 0))),
        ]
    ),
}
RULE_SCRIPT, OF_INTERVALS, OF_MONTHS, OF_TIMES = (
    module_of(text_of(FINDINGS[name][0])) for name in ("rule", "intervals", "months", "times of day")
)


@pytest.mark.parametrize("name", KINDS)
def test_a_type_has_one_name_in_both_engines(name: str) -> None:
    (kind,) = duckdb.sql(f"SELECT CAST(NULL AS {DuckdbCompiler().type_name(KINDS[name])})").types
    script = {INTERVAL: OF_INTERVALS, MONTHS: OF_MONTHS, TIME: OF_TIMES}.get(KINDS[name], RULE_SCRIPT)
    assert script["type_name"](_ON_SPARK[name]) == str(kind).replace('"', "")


def of_values(kind: SqlType, *values: Any) -> Case:
    """All rows of a table with one column."""
    columns = (Column("a", kind),)
    return Case(Scan("t0", columns), Database((Table("t0", columns, tuple((value,) for value in values)),)))


ZONED = {
    "an instant": of_values(TIMESTAMP, "2024-02-29 00:00:00.000001"),
    "in an array": of_values(Array(TIMESTAMP), ("2024-02-29 00:00:00.000001",)),
    "in a struct": of_values(Struct((("p", TIMESTAMP),)), ("2024-02-29 00:00:00.000001",)),
}


@pytest.mark.parametrize("case", ZONED.values(), ids=ZONED)
def test_instants_are_read_without_a_package_for_zones(case: Case) -> None:
    answer = of_case(case)["on_duckdb"]()
    assert "TIMESTAMP WITH TIME ZONE" in answer.types[0]
    assert "2024-02-29 00:00:00.000001" in answer.rows[0]


def test_intervals_and_times_are_the_numbers_that_duckdb_has():
    assert OF_INTERVALS["on_duckdb"]().rows == ["(-129600000001)", "(NULL)"]
    assert OF_INTERVALS["cell"](timedelta(days=-2, hours=12, microseconds=-1)) == "-129600000001"
    assert OF_MONTHS["on_duckdb"]().rows == ["(-13)", "(NULL)"]
    assert OF_TIMES["on_duckdb"]().rows == ["(43200000001000)", "(NULL)"]
    assert OF_TIMES["cell"](time(12, microsecond=1)) == "43200000001000"


EQUAL = [(float("nan"), -float("nan")), (0.0, -0.0), (b"a", bytearray(b"a")), ((1, None), {"p": 1, "q": None})]
APART = [
    (None, ""),
    (None, float("nan")),
    (None, []),
    ("NULL", None),
    ("1", 1),
    ([1, 2], ["1", 2]),
    ([1, 2], [2, 1]),
    (("a, b",), ("a", "b")),
    (Number("1.0"), Number("1.00")),
    (float("inf"), -float("inf")),
    (1.0, 1.0000000000000002),
    ("X'61'", b"a"),
    (date(2024, 2, 29), datetime(2024, 2, 29)),
    (datetime(2024, 2, 29, 0, 0, 0, 1), datetime(2024, 2, 29)),
    ("a", "a "),
    (True, 1),
]


@pytest.mark.parametrize(("one", "other"), EQUAL, ids=str)
def test_equal_values_are_one_text(one: Any, other: Any) -> None:
    assert RULE_SCRIPT["cell"](one) == RULE_SCRIPT["cell"](other)


@pytest.mark.parametrize(("one", "other"), APART, ids=str)
def test_other_values_are_other_texts(one: Any, other: Any) -> None:
    assert RULE_SCRIPT["cell"](one) != RULE_SCRIPT["cell"](other)


def test_a_decimal_is_written_out() -> None:
    assert RULE_SCRIPT["cell"](Number("0E-10")) == RULE_SCRIPT["cell"](Number("0.0000000000"))
