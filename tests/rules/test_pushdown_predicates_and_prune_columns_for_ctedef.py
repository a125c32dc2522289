"""PushdownPredicatesAndPruneColumnsForCTEDef by hand: a common table expression that stays has no more rows and columns
than the places that read it need.
"""

from __future__ import annotations

import pytest

from strategies.ir import (
    BOOLEAN,
    INT,
    Aggregate,
    Column,
    CteScan,
    Database,
    Distinct,
    Filter,
    Join,
    Limit,
    Lit,
    RandomColumn,
    RandomTest,
    RowNumbers,
    SetOp,
    Subquery,
    Table,
    With,
    walk,
)
from strategies.shapes.inline_cte import common
from tests.rules.expected import A_IS_ZERO, T0, Expected, holds
from tests.rules.stock import answer, tables_of, without

RULE = "PushdownPredicatesAndPruneColumnsForCTEDef"
NOTES = "CleanUpTempCTEInfo"
_STAYS = Filter(T0, Lit(BOOLEAN, True), RandomTest("<", 1))
_SOME = Filter(common("c0", _STAYS), A_IS_ZERO)


def read_twice(query) -> bool:
    """Whether a query has a common table expression by chance that it reads in two places."""
    return any(
        isinstance(node, With)
        and any(isinstance(n, (RandomColumn, RowNumbers, RandomTest)) for n in walk(node.definition))
        and sum(isinstance(n, CteScan) for n in walk(node.body)) == 2
        for node in walk(query)
    )


def defined_by(*kinds):
    """Whether a query has a common table expression with a node of one of these kinds."""
    return lambda query: any(isinstance(node, With) and holds(*kinds)(node.definition) for node in walk(query))


EXPECTED = Expected(
    read_twice,
    frozenset({"sql"}),
    With("c0", _STAYS, SetOp("union", _SOME, _SOME)),
    {
        "a join": holds(Join),
        "a subquery": holds(Subquery),
        "numbers of rows": defined_by(RowNumbers),
        "a random value": defined_by(RandomColumn),
        "its first rows": defined_by(Limit),
        "its distinct rows": defined_by(Distinct),
        "its groups": defined_by(Aggregate),
    },
)

COLUMNS = (Column("a", INT), Column("b", INT), Column("c", INT))
TABLES = Database((Table("t", COLUMNS, ((1, 2, 7), (1, 2, 7), (2, 1, 8), (None, 3, 9))),))
CHANCE = "SELECT * FROM t WHERE rand() < 1"
FIRST = "SELECT * FROM t WHERE rand() < 1 ORDER BY c, b LIMIT 2"
NEEDED = {
    "rows by one of two conditions": (
        CHANCE,
        "SELECT * FROM d WHERE a = 2 UNION ALL SELECT * FROM d WHERE b = 3",
        "Filter ((isnotnull(a) AND (a = 2)) OR (isnotnull(b) AND (b = 3)))",
        {(2, 1, 8): 1, (None, 3, 9): 1},
    ),
    "rows by one condition": (
        CHANCE,
        "SELECT * FROM d WHERE a = 1 INTERSECT ALL SELECT * FROM d WHERE a = 1",
        "Filter (isnotnull(a) AND (a = 1))",
        {(1, 2, 7): 2},
    ),
    "some of its first rows": (
        FIRST,
        "SELECT * FROM d WHERE b = 3 UNION ALL SELECT * FROM d WHERE a = 1",
        "Filter ((isnotnull(b) AND (b = 3)) OR (isnotnull(a) AND (a = 1)))",
        {(1, 2, 7): 2},
    ),
    "two columns": (
        CHANCE,
        "SELECT a, c FROM d UNION ALL SELECT c, a FROM d",
        "Project [a, c]",
        {(1, 7): 2, (7, 1): 2, (2, 8): 1, (8, 2): 1, (None, 9): 1, (9, None): 1},
    ),
    "a column for a condition": (
        CHANCE,
        "SELECT a FROM d WHERE c > 8 UNION ALL SELECT a FROM d",
        "Project [a, c]",
        {(None,): 2, (1,): 2, (2,): 1},
    ),
    "no column": (CHANCE, "SELECT count(*) FROM d UNION ALL SELECT count(*) FROM d", "Project", {(4,): 2}),
}
KEPT = {
    "a place without a condition": (CHANCE, "SELECT * FROM d WHERE a = 2 UNION ALL SELECT * FROM d"),
    "read once": (CHANCE, "SELECT a FROM d WHERE a = 2"),
    "not by chance": ("TABLE t", "SELECT a FROM d WHERE a = 2 UNION ALL SELECT b FROM d WHERE a = 1"),
}


_tables = tables_of(TABLES)


def definition_in(answered) -> str:
    """The operators between a place and the table, of a definition that stays."""
    return answered.plain.partition("RepartitionByExpression")[2].partition("Relation")[0]


@pytest.mark.parametrize(("definition", "query", "shown", "rows"), NEEDED.values(), ids=NEEDED)
def test_a_definition_has_what_a_place_needs(spark, definition, query, shown, rows):
    query = f"WITH d AS ({definition}) {query}"
    got, kept = answer(spark, query), answer(spark, query, without(RULE))
    assert RULE in got.rules
    assert RULE not in kept.rules
    assert shown in definition_in(got)
    assert shown not in definition_in(kept)
    assert got.rows == kept.rows == rows


@pytest.mark.parametrize(("definition", "query"), KEPT.values(), ids=KEPT)
def test_keeps_away(spark, definition, query):
    query = f"WITH d AS ({definition}) {query}"
    got, kept = answer(spark, query), answer(spark, query, without(RULE))
    assert RULE not in got.rules
    assert got.rows == kept.rows


def test_its_notes_are_dropped_by_the_rule_after_it_and_without_it_there_are_none(spark):
    query = "WITH d AS ({}) {}".format(*NEEDED["rows by one of two conditions"][:2])
    got, with_notes, kept = (answer(spark, query, conf) for conf in ({}, without(NOTES), without(RULE)))
    assert NOTES in got.rules
    assert NOTES not in with_notes.rules | kept.rules
    assert got.rows == with_notes.rows == kept.rows
