"""Statements over tables in files: the rows that are read again afterwards are the answer."""

from __future__ import annotations

import pytest

from oracles.answers.outcome import Raised, Rows
from oracles.checks.choices import all_that_changed
from oracles.engines.spark import frames
from strategies.ir import (
    INT,
    STRING,
    Case,
    Cast,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Insert,
    Item,
    Lit,
    Overwrite,
    OverwritePartitions,
    Project,
    RaisingCast,
    Scan,
    SetOp,
    Settings,
    Table,
)
from tests.rules.test_statements import DATABASE, ROWS, T, U, rows_of

TEXTS = (Column("s", STRING), Column("z", STRING))
W = Scan("w", TEXTS)
PLAIN = Database((*DATABASE.tables, Table("w", TEXTS, (("x", ""), (None, "y")))))
SWAPPED = Project(U, (Item("x", Col("b", INT, "u")), Item("y", Col("a", INT, "u"))))
SOME = Filter(T, Compare(">", Col("a", INT, "t"), Lit(INT, 1)))
CASES = {
    "insert": (Insert(T, SWAPPED), [*ROWS, (10, 1), (50, 5), (7, None)]),
    "insert rows of the table": (Insert(T, SetOp("union", T, T, all=True)), [*ROWS, *ROWS, *ROWS]),
    "insert nothing": (Insert(T, Filter(U, Compare(">", Col("a", INT, "u"), Lit(INT, 9)))), list(ROWS)),
    "overwrite": (Overwrite(T, U), [(1, 10), (5, 50), (None, 7)]),
    "overwrite partitions": (
        OverwritePartitions(T, U),
        [(2, 2), (3, None), (1, 10), (5, 50), (None, 7)],
    ),
    "overwrite partitions by rows of the table": (
        OverwritePartitions(T, SetOp("union", SOME, SOME, all=True)),
        [
            *[(2, 2)] * 2,
            *[(3, None)] * 2,
            (1, 1),
            (1, 1),
            (None, 3),
        ],
    ),
    "overwrite no partition": (
        OverwritePartitions(T, Filter(U, Compare(">", Col("a", INT, "u"), Lit(INT, 9)))),
        list(ROWS),
    ),
    "insert without partitions": (Insert(W, W), [("x", ""), (None, "y")] * 2),
    "overwrite without partitions": (
        Overwrite(W, Project(T, (Item("s", Cast(Col("a", INT, "t"), STRING)), Item("z", Lit(STRING, ""))))),
        [("1", ""), ("2", ""), (None, ""), ("3", ""), ("1", "")],
    ),
}


def checked(harness, statement, database=PLAIN, *, source="partitioned", **settings):
    """The check of a statement over tables in files, with each rule that fires off on the off leg."""
    given = Settings(source, **{"table_partitions": 2, **settings})
    return harness.check(Case(statement, database, given), all_that_changed, fast=True)


STOCK = {"aqe": True, "codegen": True, "partitions": 2}
WAYS = {"plain": {}, "stock": STOCK, "analyzed": {"statistics": True}, "by name": {"clauses": "merged"}}


@pytest.mark.parametrize("settings", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize(("statement", "rows"), CASES.values(), ids=CASES)
def test_the_table_afterwards_is_the_answer_of_all_legs(harness, statement, rows, settings):
    found = checked(harness, statement, **settings)
    assert found.verdict.name in ("agree", "vacuous"), found.legs
    assert [rows_of(leg) for leg in found.legs.values()] == [sorted(rows, key=repr)] * len(found.legs)
    assert not found.fast


IN_A_CACHE = {name: case for name, case in CASES.items() if not isinstance(case[0], OverwritePartitions)}


@pytest.mark.parametrize(("statement", "rows"), IN_A_CACHE.values(), ids=IN_A_CACHE)
def test_rows_that_were_cached_before_are_no_answer(harness, statement, rows):
    found = checked(harness, statement, source="cached")
    assert found.verdict.name in ("agree", "vacuous"), found.legs
    assert [rows_of(leg) for leg in found.legs.values()] == [sorted(rows, key=repr)] * len(found.legs)


@pytest.mark.parametrize("source", ["partitioned", "cached"])
def test_an_answer_of_the_rows_before_is_noticed(harness, source, monkeypatch):
    """The leg reads rows that were kept before the statement, as it would from a cache that is stale."""
    kept = "SELECT * FROM VALUES " + ", ".join(
        f"({'NULL' if a is None else a}, {'NULL' if b is None else b})" for a, b in ROWS
    )
    monkeypatch.setattr(frames, "rows_of", lambda statement: kept)
    found = checked(harness, Insert(T, U), source=source)
    assert (found.verdict.name, found.verdict.kind) == ("finding", "engine")


def test_a_cached_table_is_read_from_its_cache(harness):
    """Before the statement: the cache is there, and has to be made anew by it."""
    with (
        harness.spark.stage(DATABASE, Settings("cached")) as stage,
        stage.leg(Insert(T, U), {}),
    ):
        plan = harness.spark.session.table("t")._jdf.queryExecution().executedPlan().toString()
    assert "Scan In-memory table t_stored" in plan


def test_each_leg_begins_with_the_same_table(harness):
    insert = Insert(T, T)
    with harness.spark.stage(DATABASE, Settings("partitioned"), fast=True) as stage:
        found = []
        for _ in range(2):
            with stage.leg(insert, {}) as leg:
                found.append(rows_of(leg.run().outcome))
        with stage.leg(T, {}) as leg:
            after = rows_of(leg.run().outcome)
    assert found == [sorted([*ROWS, *ROWS], key=repr)] * 2
    assert after == sorted(ROWS, key=repr)


def test_a_statement_that_fails_raises_on_all_legs(harness):
    wrong = Project(W, (Item("a", RaisingCast(Col("s", STRING, "w"), INT)), Item("b", Lit(INT, 1))))
    found = checked(harness, Insert(T, wrong))
    assert found.verdict.name in ("raised", "same-error")
    assert {type(leg) for leg in found.legs.values()} == {Raised}


def test_rows_of_one_partition_are_written_by_several_tasks(harness):
    found = checked(harness, Insert(T, SetOp("union", T, T, all=True)), table_partitions=4, partitions=3)
    assert isinstance(found.legs["on"], Rows)
    assert rows_of(found.legs["on"]) == sorted([*ROWS, *ROWS, *ROWS], key=repr)
