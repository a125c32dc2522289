"""Values that are written as JSON or CSV and read again on stock Spark: they stay, and OptimizeCsvJsonExprs acts."""

from __future__ import annotations

import pytest

from oracles.sql import SparkCompiler
from strategies.ir import (
    BOOLEAN,
    INT,
    Call,
    Col,
    Column,
    Database,
    GetField,
    Item,
    MakeStruct,
    Project,
    Scan,
    Table,
)
from tests.rules.stock import answer, tables_of, without

RULE = "OptimizeCsvJsonExprs"
COLUMNS = (Column("a", INT), Column("b", BOOLEAN))
ROWS = ((1, True), (-(2**31), False), (None, None), (0, True))
DATABASE = Database((Table("t0", COLUMNS, ROWS),))

_tables = tables_of(DATABASE)


@pytest.mark.parametrize("name", ["through_json", "field_of_json", "field_of_csv"])
@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: repr(column.type))
def test_a_value_that_is_written_and_read_stays(spark, name, column):
    query = Project(Scan("t0", COLUMNS), (Item("x", Call(name, (Col(column.name, column.type),))),))
    got, kept = (answer(spark, SparkCompiler().compile(query), conf) for conf in ({}, without(RULE)))
    values = [row[COLUMNS.index(column)] for row in ROWS]
    assert RULE in got.rules
    assert got.rows == kept.rows == {(value,): values.count(value) for value in values}


def test_a_field_of_a_struct_alone_is_left(spark):
    made = GetField(MakeStruct(("x",), (Col("a", INT),)), "x")
    query = Project(Scan("t0", COLUMNS), (Item("x", made),))
    assert RULE not in answer(spark, SparkCompiler().compile(query), {}).rules
