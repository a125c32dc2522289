"""Statements by hand: the table afterwards is the answer, with rules on and off and on DuckDB."""

from __future__ import annotations

import pytest

from oracles.answers.outcome import Raised, Rows
from oracles.checks.choices import all_that_changed
from oracles.triage.attribution import judged
from oracles.triage.divergences import load
from strategies.ir import (
    INT,
    STRING,
    Alias,
    And,
    Assignment,
    Call,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Delete,
    Exists,
    Filter,
    Insert,
    InSubquery,
    Item,
    Lit,
    Merge,
    MergeClause,
    Or,
    Outer,
    Overwrite,
    Project,
    Scan,
    SetOp,
    Settings,
    Table,
    Update,
)

COLUMNS = (Column("a", INT), Column("b", INT))
T, U = Scan("t", COLUMNS), Scan("u", COLUMNS)
A, B = Col("a", INT, "t"), Col("b", INT, "t")
K, V = Col("a", INT, "s"), Col("b", INT, "s")
KEYS = Project(U, (Item("a", Col("a", INT, "u")),))
ROWS = ((1, 1), (2, 2), (None, 3), (3, None), (1, 1))
ADDED = ((1, 10), (5, 50), (None, 7))
DATABASE = Database((Table("t", COLUMNS, ROWS), Table("u", COLUMNS, ADDED)))
TWICE = Database((Table("t", COLUMNS, ROWS), Table("u", COLUMNS, ((1, 10), (1, 11)))))
ONE = Lit(INT, 1)
SET_V = (Assignment("b", V),)
BOTH = (Assignment("a", K), Assignment("b", V))

GROUPS = ("identity", "filters", "runtime filters")
CASES = {
    "delete": ((Delete(T, Compare(">", A, ONE)), GROUPS), [(1, 1), (1, 1), (None, 3)]),
    "delete by the source": ((Delete(T, Compare(">", A, ONE)), ("deletes",)), [(1, 1), (1, 1), (None, 3)]),
    "delete all": ((Delete(T), ()), []),
    "delete all by the source": ((Delete(T), ("deletes",)), []),
    "delete by a subquery": ((Delete(T, InSubquery((A,), KEYS)), GROUPS), [(2, 2), (3, None), (None, 3)]),
    "delete by a correlated subquery": (
        (Delete(T, Exists(Filter(U, Compare("<=>", Col("a", INT, "u"), Outer("a", INT, "t"))))), GROUPS),
        [(2, 2), (3, None)],
    ),
    "update": (
        (Update(T, (Assignment("b", A), Assignment("a", B)), Compare("=", A, Lit(INT, 3))), ("ordering",)),
        [(1, 1), (1, 1), (2, 2), (None, 3), (None, 3)],
    ),
    "update by a subquery": (
        (Update(T, (Assignment("b", Lit(INT, 9)),), InSubquery((A,), KEYS)), GROUPS),
        [(1, 9), (1, 9), (2, 2), (3, None), (None, 3)],
    ),
    "insert": (
        (Insert(T, Project(U, (Item("x", Col("b", INT, "u")), Item("y", Col("a", INT, "u"))))), ("buckets",)),
        [*ROWS, (10, 1), (50, 5), (7, None)],
    ),
    "insert rows of the table": ((Insert(T, SetOp("union", T, T, all=True)), ("identity",)), [*ROWS, *ROWS, *ROWS]),
    "overwrite": ((Overwrite(T, Filter(T, Compare(">", A, ONE))), ()), [(2, 2), (3, None)]),
    "replace some": ((Overwrite(T, U, Compare("=", A, ONE)), ()), [*ROWS[1:4], *ADDED]),
    "replace none": ((Overwrite(T, U, And(Compare("<=", A, ONE), Compare(">", A, ONE))), ()), [*ROWS, *ADDED]),
    "replace all that are known": (
        (Overwrite(T, U, Or(Compare("<=", A, ONE), Compare(">", A, ONE))), ()),
        [(None, 3), *ADDED],
    ),
    "merge": (
        (
            Merge(
                T,
                Alias(U, "s"),
                Compare("=", A, K),
                (
                    MergeClause("matched", "update", SET_V),
                    MergeClause("not matched", "insert", BOTH, Compare(">", V, Lit(INT, 20))),
                    MergeClause("not matched by source", "delete", (), Compare("=", B, Lit(INT, 2))),
                ),
            ),
            GROUPS,
        ),
        [(1, 10), (1, 10), (None, 3), (3, None), (5, 50)],
    ),
    "merge with one action": (
        (Merge(T, Alias(U, "s"), Compare("<=>", A, K), (MergeClause("matched", "delete"),)), GROUPS),
        [(2, 2), (3, None)],
    ),
    "merge that inserts": (
        (Merge(T, Alias(U, "s"), Compare("=", A, K), (MergeClause("not matched", "insert", BOTH),)), ()),
        [*ROWS, (5, 50), (None, 7)],
    ),
}


def checked(harness, statement, capabilities, database=DATABASE, **settings):
    """The check of a statement over tables in two splits, with each rule that fires off on the off leg."""
    given = Settings("v2", capabilities=capabilities, table_partitions=2, **settings)
    return harness.check(Case(statement, database, given), all_that_changed, fast=True)


def rows_of(outcome):
    assert isinstance(outcome, Rows), outcome
    return sorted((tuple(value and value[1] for value in row) for row in outcome.rows), key=repr)


@pytest.mark.parametrize(("case", "rows"), CASES.values(), ids=CASES)
def test_the_table_afterwards_is_the_answer_of_all_legs(harness, case, rows):
    found = checked(harness, *case)
    assert found.verdict.name in ("agree", "vacuous")
    assert [rows_of(leg) for leg in found.legs.values()] == [sorted(rows, key=repr)] * len(found.legs)


def test_rows_are_inserted_by_the_names_of_the_columns(harness):
    (insert, capabilities), rows = CASES["insert"]
    found = checked(harness, insert, capabilities, clauses="merged")
    assert found.verdict.name in ("agree", "vacuous")
    assert [rows_of(leg) for leg in found.legs.values()] == [sorted(rows, key=repr)] * len(found.legs)


def test_a_statement_that_fails_leaves_the_table_as_it_was(harness):
    """Two rows of the source match one of the table: Spark raises, and the next leg finds the table as it was."""
    merge = Merge(T, Alias(U, "s"), Compare("=", A, K), (MergeClause("matched", "update", SET_V),))
    settings = Settings("v2", table_partitions=2)
    with harness.spark.stage(TWICE, settings, fast=True) as stage:
        with stage.leg(merge, {}) as leg:
            failed = leg.run().outcome
        with stage.leg(Insert(T, Filter(T, Compare(">", A, Lit(INT, 9)))), {}) as leg:
            after = leg.run().outcome
    assert isinstance(failed, Raised)
    assert (failed.condition, failed.kind) == ("MERGE_CARDINALITY_VIOLATION", "user")
    assert rows_of(after) == sorted(ROWS, key=repr)


def test_a_row_that_is_met_twice_raises_on_all_legs(harness):
    merge = Merge(T, Alias(U, "s"), Compare("=", A, K), (MergeClause("matched", "update", SET_V),))
    found = checked(harness, merge, GROUPS, TWICE)
    assert found.verdict.name in ("raised", "same-error")
    assert {leg.kind for leg in found.legs.values()} == {"user"}


def test_each_leg_begins_with_the_same_table(harness):
    statement = Update(T, (Assignment("b", A), Assignment("a", B)))
    with harness.spark.stage(DATABASE, Settings("v2"), fast=True) as stage:
        with stage.leg(statement, {}) as one:
            first = one.run().outcome
        with stage.leg(statement, {}) as other:
            second = other.run().outcome
    assert first == second


def test_a_statement_runs_as_in_a_session_of_its_own(harness):
    """With adaptive execution and generated code the answer is the same."""
    found = checked(harness, *CASES["merge"][0], aqe=True, codegen=True, partitions=2)
    assert found.verdict.name in ("agree", "vacuous")


TEXTS = (Column("s", STRING), Column("r", STRING))
S, R = Col("s", STRING), Col("r", STRING)


@pytest.mark.parametrize(("held", "part"), [(S, S), (S, R)], ids=["itself", "another column"])
def test_a_deletion_of_which_spark_has_no_text_is_a_finding_and_no_fault(harness, held, part):
    """Spark 4.3.0 can't show a plan that deletes by contains() of two columns, with or without running it."""
    tables = Database((Table("t", TEXTS, (("a", "b"), ("ab", "a"), (None, "x"))),))
    delete = Delete(Scan("t", TEXTS), Call("contains", (held, part)))
    checked = harness.check(Case(delete, tables, Settings("v2", capabilities=("deletes",))), all_that_changed)
    assert judged(harness, checked, load())[0].verdict.divergence == "text-sought-by-a-column-for-a-source"
