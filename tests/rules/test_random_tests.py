"""Filters by random numbers on stock Spark: the rows stay, rules that know the answer act, and others keep away."""

from __future__ import annotations

import pytest

from oracles.engines.spark.frames import program
from oracles.sql import SparkCompiler
from strategies.ir import (
    BOOLEAN,
    INT,
    RANDOM_FUNCTIONS,
    Alias,
    Col,
    Column,
    Compare,
    CteScan,
    Database,
    Filter,
    Item,
    Join,
    Lit,
    Project,
    RandomColumn,
    RandomTest,
    RowNumbers,
    Scan,
    SetOp,
    Settings,
    SortKey,
    Table,
    With,
)
from tests.rules.stock import answer, tables_of

COLUMNS = (Column("a", INT), Column("b", INT))
ROWS = ((1, 3), (2, None), (None, 5), (1, 1), (7, 7))
T0 = Scan("t0", COLUMNS)
A = Col("a", INT)
DATABASE = Database((Table("t0", COLUMNS, ROWS),))
PROGRAM = Settings(form="dataframe")
POSITIVE = Compare(">", A, Lit(INT, 1))
KEPT = {(2, None): 1, (7, 7): 1}

_tables = tables_of(DATABASE)


def at_random(op: str, bound: int, *, first: bool = False) -> Filter:
    """Rows with ``a`` greater than one, and a random number beside."""
    return Filter(T0, POSITIVE, RandomTest(op, bound, first))


def read_twice(definition: Filter) -> With:
    """A common table expression that both branches of UNION ALL read, one of them in part."""
    read = CteScan("c", COLUMNS)
    some = Project(Filter(read, Compare("=", A, Lit(INT, 7))), (Item("a", A),))
    return With("c", definition, SetOp("union", some, Project(read, (Item("a", A),)), all=True))


SAME = {
    "less than one": at_random("<", 1),
    "at most one": at_random("<=", 1, first=True),
    "at least nought": at_random(">=", 0, first=True),
    "more than one": at_random(">", 1),
    "at least one": at_random(">=", 1, first=True),
    "less than nought": at_random("<", 0),
}


@pytest.mark.parametrize("query", SAME.values(), ids=SAME)
def test_a_random_number_changes_no_row_in_either_form(spark, query):
    text = answer(spark, SparkCompiler().compile(query), {})
    as_program = answer(spark, lambda session: program(session, query, PROGRAM), {})
    assert text.rows == as_program.rows == KEPT


BY_A = (SortKey(A), SortKey(Col("b", INT), descending=True))
NUMBERED = RowNumbers(T0, BY_A, "n")
COLUMNS_OF_CHANCE = {
    "places": (NUMBERED, {(None, 5, 0): 1, (1, 3, 1): 1, (1, 1, 2): 1, (2, None, 3): 1, (7, 7, 4): 1}),
    "a filter over places": (Filter(NUMBERED, POSITIVE), {(2, None, 3): 1, (7, 7, 4): 1}),
    "places of a filter": (RowNumbers(Filter(T0, POSITIVE), BY_A, "n"), {(2, None, 0): 1, (7, 7, 1): 1}),
    **{
        f"a test of {function}()": (
            Filter(RandomColumn(Filter(T0, POSITIVE), "x", function), Col("x", BOOLEAN)),
            {(2, None, True): 1, (7, 7, True): 1},
        )
        for function in RANDOM_FUNCTIONS
    },
}


@pytest.mark.parametrize("partitions", [1, 3], ids="shuffles to {}".format)
@pytest.mark.parametrize(("query", "rows"), COLUMNS_OF_CHANCE.values(), ids=COLUMNS_OF_CHANCE)
def test_a_nondeterministic_column_has_one_answer_in_either_form(spark, query, rows, partitions):
    settings = {"spark.sql.shuffle.partitions": str(partitions), "spark.sql.adaptive.enabled": "false"}
    text = answer(spark, SparkCompiler().compile(query), settings)
    as_program = answer(spark, lambda session: program(session, query, PROGRAM), settings)
    assert text.rows == as_program.rows == rows


STAYS = read_twice(Filter(T0, POSITIVE, RandomTest("<=", 1)))
ACTING = {
    **{name: ("OptimizeRand", query) for name, query in SAME.items()},
    "a filter of each reading": ("PushdownPredicatesAndPruneColumnsForCTEDef", STAYS),
    "a definition that stays": ("CleanUpTempCTEInfo", STAYS),
}
LEFT_ALONE = {
    "no number": ("OptimizeRand", Filter(T0, POSITIVE)),
    "a definition without a number": ("CleanUpTempCTEInfo", read_twice(Filter(T0, POSITIVE))),
    "places below a filter": ("PushPredicateThroughNonJoin", Filter(NUMBERED, POSITIVE)),
    "a value that is read twice": ("CollapseProject", RandomColumn(T0, "x")),
    "a number below a filter": (
        "CombineFilters",
        Filter(Project(at_random("<", 1), (Item("a", A),)), Compare("<", A, Lit(INT, 7))),
    ),
}


@pytest.mark.parametrize(("rule", "query"), ACTING.values(), ids=ACTING)
def test_a_rule_acts(spark, rule, query):
    assert rule in answer(spark, SparkCompiler().compile(query), {}).rules


@pytest.mark.parametrize(("rule", "query"), LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_a_rule_keeps_away(spark, rule, query):
    assert rule not in answer(spark, SparkCompiler().compile(query), {}).rules


def test_a_condition_of_a_join_stays_above_a_random_number(spark):
    left, right = Alias(T0, "l"), Alias(T0, "r")
    both = Join(left, right, "inner", Compare("=", Col("a", INT, "l"), Col("a", INT, "r")))
    query = Filter(both, Compare(">", Col("a", INT, "l"), Lit(INT, 1)), RandomTest("<", 1))
    assert answer(spark, SparkCompiler().compile(query), {}).rows == {(2, None, 2, None): 1, (7, 7, 7, 7): 1}
