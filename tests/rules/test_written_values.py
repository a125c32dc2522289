"""Values that are written as text and read again on stock Spark: they stay, and rules see that they do."""

from __future__ import annotations

import pytest

from oracles.sql import SparkCompiler
from strategies.ir import (
    BOOLEAN,
    INT,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Call,
    Col,
    Column,
    Database,
    GetField,
    Item,
    Lit,
    MakeStruct,
    Project,
    Scan,
    Table,
    Values,
    ValuesRow,
)
from tests.rules.stock import answer, tables_of, without

LOCAL = "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation"
RULE = "OptimizeCsvJsonExprs"
COLUMNS = (Column("a", INT), Column("b", BOOLEAN))
ROWS = ((1, True), (-(2**31), False), (None, None), (0, True))
DATABASE = Database((Table("t0", COLUMNS, ROWS),))

_tables = tables_of(DATABASE)


@pytest.mark.parametrize("name", ["field_of_json", "field_of_json_array", "field_of_csv"])
@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: repr(column.type))
def test_a_value_that_is_written_and_read_stays(spark, name, column):
    query = Project(Scan("t0", COLUMNS), (Item("x", Call(name, (Col(column.name, column.type),))),))
    got, kept = (answer(spark, SparkCompiler().compile(query), conf) for conf in ({}, without(RULE)))
    values = [row[COLUMNS.index(column)] for row in ROWS]
    assert RULE in got.rules
    assert got.rows == kept.rows == {(value,): values.count(value) for value in values}


def test_a_struct_of_values_that_are_written_and_read_has_them(spark):
    query = Project(Scan("t0", COLUMNS), (Item("x", Call("is_struct_of_json", (Col("a", INT),))),))
    got, kept = (answer(spark, SparkCompiler().compile(query), conf) for conf in ({}, without(RULE)))
    assert RULE in got.rules
    assert got.rows == kept.rows == {(True,): 3, (False,): 1}


def test_a_field_of_a_struct_alone_is_left(spark):
    made = GetField(MakeStruct(("x",), (Col("a", INT),)), "x")
    query = Project(Scan("t0", COLUMNS), (Item("x", made),))
    assert RULE not in answer(spark, SparkCompiler().compile(query), {}).rules


@pytest.mark.parametrize("kind", [TIMESTAMP, TIMESTAMP_NTZ], ids=repr)
def test_a_clock_that_is_written_read_and_written_stays(spark, kind):
    moments = ("2024-02-29 23:59:59.999999", "1969-12-31 00:00:00.000001", None)
    values = Values(("m",), tuple(ValuesRow((Lit(kind, moment),)) for moment in moments))
    query = Project(values, (Item("x", Call("clock_text", (Col("m", kind),))),))
    conf = {"spark.sql.session.timeZone": "UTC", "spark.sql.optimizer.excludedRules": LOCAL}
    got = answer(spark, SparkCompiler().compile(query), conf)
    assert got.rows == {("23:59",): 1, ("00:00",): 1, (None,): 1}
    assert "SimplifyDateTimeConversions" in got.rules
