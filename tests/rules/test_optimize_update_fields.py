"""OptimizeUpdateFields by hand: changes of one struct in projections that are merged become one."""

from __future__ import annotations

from collections import Counter

import pytest
from pyspark.sql import functions

from strategies.draw.values import PAIR
from strategies.ir import INT, Col, Column, Database, Item, MakeStruct, Project, Table, WithField, WithoutField, walk
from tests.rules.expected import T0, Expected, holds
from tests.rules.stock import answer, tables_of, without

RULE = "OptimizeUpdateFields"
_A = Col("a", INT)
_SET = WithField(MakeStruct(("p0",), (_A,)), "p0", _A)
EXPECTED = Expected(
    lambda query: sum(isinstance(node, (WithField, WithoutField)) for node in walk(query)) > 1,
    frozenset({"dataframe"}),
    Project(Project(T0, (Item("v0", _SET), Item("a", _A))), (Item("v1", WithField(Col("v0", _SET.type), "p0", _A)),)),
    {
        "a field dropped": holds(WithoutField),
        "three changes": lambda query: sum(isinstance(node, (WithField, WithoutField)) for node in walk(query)) > 2,
    },
)
_COLUMNS = (Column("a", INT), Column("s", PAIR))
TABLES = Database((Table("t", _COLUMNS, ((1, (1, "x")), (2, (None, "y")), (None, (0, None)), (4, None))),))
_tables = tables_of(TABLES)


def _p_and(change):
    """The field ``p`` of ``s`` set to ``a``, and another change in a projection above, as a text."""

    def query(spark):
        first = spark.table("t").select(functions.col("s").withField("p", functions.col("a")).alias("v"), "a")
        return first.select(change(functions.col("v")).cast("string").alias("w"))

    return query


MERGED = {
    "the same again": (lambda v: v.withField("p", functions.lit(7)), ["{7, x}", "{7, y}", "{7, null}", None]),
    "the other one": (lambda v: v.withField("q", functions.lit("z")), ["{1, z}", "{2, z}", "{null, z}", None]),
    "another one": (
        lambda v: v.withField("u", functions.col("a")),
        ["{1, x, 1}", "{2, y, 2}", "{null, null, null}", None],
    ),
    "the other one dropped": (lambda v: v.dropFields("q"), ["{1}", "{2}", "{null}", None]),
    "the same dropped": (lambda v: v.dropFields("p"), ["{x}", "{y}", "{null}", None]),
}
APART = {
    "a read one": lambda v: functions.coalesce(v.getField("q"), functions.lit("none")),
    "the whole": lambda v: v,
}


@pytest.mark.parametrize(("change", "rows"), MERGED.values(), ids=MERGED)
def test_the_later_change_is_made_after_the_earlier_one(spark, change, rows):
    got, kept = answer(spark, _p_and(change)), answer(spark, _p_and(change), without(RULE))
    assert RULE in got.rules
    assert RULE not in kept.rules
    assert got.rows == kept.rows == Counter((row,) for row in rows)


@pytest.mark.parametrize("change", APART.values(), ids=APART)
def test_one_change_stays_as_it_is(spark, change):
    assert RULE not in answer(spark, _p_and(change)).rules
