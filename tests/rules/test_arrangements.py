"""Orders, exchanges and SELECT without FROM on stock Spark: the rows stay, and rules act on them."""

from __future__ import annotations

import pytest

from oracles.engines.spark.frames import program
from oracles.sql import SparkCompiler
from strategies.ir import (
    INT,
    Alias,
    Arith,
    Coalesce,
    Col,
    Column,
    Compare,
    Database,
    Exists,
    Filter,
    InSubquery,
    Item,
    Lateral,
    Lit,
    OneRow,
    Outer,
    Project,
    Repartition,
    ScalarSubquery,
    Scan,
    Settings,
    Sort,
    SortKey,
    Table,
)
from tests.rules.stock import answer, operators, tables_of

COLUMNS = (Column("a", INT), Column("b", INT))
ROWS = ((1, 3), (2, None), (None, 5), (1, 1), (7, 7))
T0 = Scan("t0", COLUMNS)
PROGRAM = Settings(form="dataframe")
A, B = Col("a", INT), Col("b", INT)
THREE = {"spark.sql.shuffle.partitions": "3"}
BY_A, BY_ALL = (SortKey(A),), (SortKey(A), SortKey(B, True, False))

DATABASE = Database((Table("t0", COLUMNS, ROWS),))

_tables = tables_of(DATABASE)

ACTING = {
    "a sort within what is sorted": ("RemoveRedundantSorts", Sort(Sort(T0, BY_ALL), BY_A, within=True)),
    "an order below a sort within": ("RemoveRedundantSorts", Sort(Sort(T0, BY_A), (SortKey(B),), within=True)),
    "two hints": ("CollapseRepartition", Repartition(Repartition(T0, "repartition", 2), "repartition", 3)),
    "a wider coalesce": ("CollapseRepartition", Repartition(Repartition(T0, "repartition", 2), "coalesce", 3)),
    "an exchange by a constant": ("OptimizeRepartition", Repartition(T0, "distribute", None, (Lit(INT, 1),))),
    "a sort below a sort": ("EliminateSorts", Sort(Sort(T0, BY_A), (SortKey(B),))),
    "a lateral row": (
        "OptimizeOneRowRelationSubquery",
        Lateral(Alias(T0, "o"), Alias(OneRow((Item("x", Outer("a", INT, "o")),)), "r"), "cross"),
    ),
    "a row as a value": (
        "OptimizeOneRowRelationSubquery",
        Project(Alias(T0, "o"), (Item("x", ScalarSubquery(OneRow((Item("y", Outer("a", INT, "o")),)))),)),
    ),
}
LEFT_ALONE = {
    "a sort within of what is not sorted": ("RemoveRedundantSorts", Sort(T0, BY_A, within=True)),
    "one hint": ("CollapseRepartition", Repartition(T0, "repartition", 2)),
    "a narrower coalesce": ("CollapseRepartition", Repartition(Repartition(T0, "repartition", 3), "coalesce", 2)),
    "an exchange by a column": ("OptimizeRepartition", Repartition(T0, "distribute", None, (A,))),
    "a subquery of a table": ("OptimizeOneRowRelationSubquery", Filter(T0, Exists(Alias(T0, "i")))),
}
OUT_A, OUT_B = Outer("a", INT, "o"), Outer("b", INT, "o")
AROUND = Alias(T0, "o")
NARROW = Compare("<", Col("x", INT), Lit(INT, 5))
OF_ONE_ROW = {
    "constants": (OneRow((Item("x", Arith("+", Lit(INT, 1), Lit(INT, 2))), Item("y", Lit(INT, None)))), {(3, None): 1}),
    "a value": (
        Project(AROUND, (Item("x", ScalarSubquery(OneRow((Item("y", OUT_A),)))),)),
        {(1,): 2, (2,): 1, (None,): 1, (7,): 1},
    ),
    "IN": (Filter(AROUND, InSubquery((Col("a", INT, "o"),), OneRow((Item("x", OUT_B),)))), {(1, 1): 1, (7, 7): 1}),
    "EXISTS": (
        Filter(AROUND, Exists(Filter(OneRow((Item("x", Coalesce((OUT_B, Lit(INT, 9)))),)), NARROW))),
        {(1, 3): 1, (1, 1): 1},
    ),
}


@pytest.mark.parametrize(("rule", "query"), ACTING.values(), ids=ACTING)
def test_a_rule_acts(spark, rule, query):
    assert rule in answer(spark, SparkCompiler().compile(query), THREE).rules


@pytest.mark.parametrize(("rule", "query"), LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_a_rule_keeps_away(spark, rule, query):
    assert rule not in answer(spark, SparkCompiler().compile(query), THREE).rules


@pytest.mark.parametrize(("query", "rows"), OF_ONE_ROW.values(), ids=OF_ONE_ROW)
def test_a_row_without_a_table_has_the_values_of_the_row_around(spark, query, rows):
    assert answer(spark, SparkCompiler().compile(query)).rows == rows


EXCHANGED = {
    "distribute": (Repartition(T0, "distribute", None, (A,)), "RepartitionByExpression"),
    "repartition": (Repartition(T0, "repartition", 3, (A,)), "RepartitionByExpression"),
    "coalesce": (Repartition(T0, "coalesce", 1), "Repartition"),
    "range": (Repartition(T0, "range", 2, (A,)), "RepartitionByExpression"),
    # Adaptive execution alone rebalances.
    "rebalance": (Repartition(T0, "rebalance", 2, (A,)), "Relation"),
}


@pytest.mark.parametrize(("query", "operator"), EXCHANGED.values(), ids=EXCHANGED)
def test_an_exchange_keeps_every_row_in_both_forms(spark, query, operator):
    text = answer(spark, SparkCompiler().compile(query), THREE)
    as_program = answer(spark, lambda session: program(session, query, PROGRAM), THREE)
    assert text.rows == as_program.rows == dict.fromkeys(ROWS, 1)
    assert operators(text)[0] == operators(as_program)[0] == operator
