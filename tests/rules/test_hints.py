"""Hints of joins on stock Spark: each makes the join that it names, and the rows stay."""

from __future__ import annotations

import pytest

from oracles.engines.spark.frames import program
from oracles.sql import SparkCompiler
from strategies.ir import INT, Alias, Col, Column, Compare, Database, Join, Scan, Settings, Table
from tests.rules.stock import answer, tables_of

COLUMNS = (Column("a", INT), Column("b", INT))
ROWS = ((1, 3), (2, None), (None, 5))
DATABASE = Database((Table("t0", COLUMNS, ROWS),))
PROGRAM = Settings(form="dataframe")
LEFT, RIGHT = Alias(Scan("t0", COLUMNS), "l"), Alias(Scan("t0", COLUMNS), "r")
EQUAL = Compare("=", Col("a", INT, "l"), Col("a", INT, "r"))
PLANNED = {
    "broadcast": "BroadcastHashJoin",
    "merge": "SortMergeJoin",
    "shuffle_hash": "ShuffledHashJoin",
    "shuffle_replicate_nl": "CartesianProduct",
}

_tables = tables_of(DATABASE)


def planned(session, query) -> str:
    """The physical plan of ``query``, as adaptive execution begins with it."""
    return session.sql(query)._jdf.queryExecution().sparkPlan().toString()


@pytest.mark.parametrize(("hint", "operator"), PLANNED.items(), ids=PLANNED)
def test_a_hint_chooses_the_join_and_changes_no_row(spark, hint, operator):
    query = Join(LEFT, RIGHT, "inner", EQUAL, hint)
    text = answer(spark, SparkCompiler().compile(query), {})
    as_program = answer(spark, lambda session: program(session, query, PROGRAM), {})
    assert text.rows == as_program.rows == {(1, 3, 1, 3): 1, (2, None, 2, None): 1}
    assert operator in planned(spark, SparkCompiler().compile(query))
