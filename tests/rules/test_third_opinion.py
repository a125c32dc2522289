"""Whose fault it is where Spark and DuckDB contradict each other: a third engine is asked of the minimized case."""

from __future__ import annotations

import pytest

from assay.fuzz.failure_store import FailureStore
from assay.fuzz.fuzzer import Fuzzer
from assay.fuzz.policy import Policy, draw_fixed
from assay.replay import main as replay
from assay.session.ending import Exit
from oracles.answers.outcome import Raised, Rows
from oracles.checks.choices import fixed
from oracles.failures.failure import Subject, read_failure
from oracles.triage.third_opinion import third_opinion
from strategies.ir import (
    BIGINT,
    DOUBLE,
    INT,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Array,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    GroupingSets,
    InSubquery,
    IsNull,
    Item,
    Join,
    Lit,
    MakeArray,
    NullIf,
    Over,
    Peek,
    Project,
    Scan,
    Settings,
    SortKey,
    Table,
    Window,
)

LONGS = (Column("b", BIGINT), Column("c", BIGINT), Column("a", BIGINT))
T0 = Scan("t0", LONGS)
LISTED = Project(T0, (Item("a", Col("a", BIGINT, "t0")),))
FULL = Join(T0, Alias(T0, "s0"), "full", InSubquery((Col("a", BIGINT, "s0"),), LISTED))
ANTI = Join(FULL, Alias(T0, "s1"), "anti", Compare("=", Col("c", BIGINT, "t0"), Lit(BIGINT, 0)))
LOST_ROWS = Case(ANTI, Database((Table("t0", LONGS, ((2, None, 0), (2, 0, 0))),)))
"""DuckDB 2.0.1 loses two rows, and without its optimizer it raises an internal error."""

INTS = (Column("a", INT), Column("b", INT))
T1, T2 = Scan("t1", INTS), Scan("t2", (Column("b", INT),))
NOT_IN = InSubquery((Col("b", INT, "l"),), T2, negated=True)
SAME = Compare("=", Col("a", INT, "l"), Col("a", INT, "r"))
NULL_IS_TRUE = Case(
    Join(Alias(T1, "l"), Alias(T1, "r"), "left", And(SAME, NOT_IN)),
    Database((Table("t1", INTS, ((1, 1), (2, 3))), Table("t2", T2.columns, ((1,), (None,))))),
)
"""In ON Spark takes a NOT IN that is NULL for true: the entry not-in-as-a-join-condition."""

ARRAY = MakeArray(INT, (Col("a", INT),))
GROUPS = Aggregate(T1, (Item("c", NullIf(ARRAY, MakeArray(INT, (Lit(INT, 2),)))),), ())
REFUSED = Case(
    Aggregate(T1, GROUPS.keys, (), IsNull(Col("c", Array(INT)), negated=True)),
    Database((Table("t1", INTS, ((1, 1), (2, 3))),)),
)
"""Spark can't resolve the group in HAVING: the entry nested-comparison-of-a-group-in-having."""


ZERO = Column("a", DOUBLE)
NEGATIVE = Table("t0", (ZERO,), (("-0x0.0p+0",), ("-0x0.0p+0",)))
OTHER_ZERO = Case(
    Filter(Scan("t0", (ZERO,)), Compare("=", Col("a", DOUBLE), Lit(DOUBLE, "0x0.0p+0"))), Database((NEGATIVE,))
)
"""Parquet's filters tell -0.0 from 0.0: the entry zeros-in-parquet."""

KIND = Array(INT)
SEVENS = Project(T1, (Item("d", MakeArray(INT, (Lit(INT, 7),))),))
LAG = Over("e", Peek("lag", Col("d", KIND), 1, MakeArray(INT, (Lit(INT, None),))))
NULL_AS_ZERO = Case(
    Project(Window(SEVENS, (LAG,), (), (SortKey(Col("d", KIND)),)), (Item("e", Col("e", KIND)),)),
    Database((Table("t1", INTS, ((1, 1),)),)),
    Settings(codegen=True),
)
"""A default of [NULL] is read as [0]: the entry lag-default-with-null-elements."""


@pytest.fixture
def minimized(harness, recorder, tmp_path):
    """Makes an engine finding of a case small: the finding in the end."""
    fuzzer = Fuzzer(
        harness=harness,
        subject=Subject(),
        recorder=recorder,
        store=FailureStore(folder=tmp_path / "found"),
        policy=Policy(draw_off=draw_fixed(()), shrink_seconds=2.0, on_record=False),
        run_seed=1,
    )

    def minimize(case):
        checked = harness.check(case, fixed(()))
        assert (checked.verdict.kind, checked.verdict.blame) == ("engine", "unknown")
        return fuzzer.minimize(fuzzer.keep(checked, ()))

    return minimize


FINDINGS = {
    "DuckDB loses rows": (LOST_ROWS, "duckdb"),
    "Spark takes NULL for true": (NULL_IS_TRUE, "spark"),
    "Spark skips a zero": (OTHER_ZERO, "spark"),
    "Spark reads NULL as 0": (NULL_AS_ZERO, "spark"),
    "Spark refuses what has an answer": (REFUSED, "spark"),
}


@pytest.mark.parametrize(("case", "blame"), FINDINGS.values(), ids=FINDINGS)
def test_the_odd_one_out_of_three_engines_is_to_blame(minimized, case, blame):
    assert minimized(case).failure.verdict.blame == blame


def test_the_failure_has_the_third_leg_and_what_duckdb_does_without_its_optimizer(minimized):
    finding = minimized(LOST_ROWS)
    legs = finding.checked.legs
    assert isinstance(legs["sqlite"], Rows)
    assert isinstance(legs["duckdb_unoptimized"], Raised)
    assert "without its optimizer it raises InternalException" in finding.failure.verdict.reason
    assert "has Spark's" in finding.failure.verdict.reason
    assert read_failure(finding.file).legs.keys() == {"on", "off", "duckdb", "duckdb_unoptimized", "sqlite"}


def test_a_replay_asks_it_again(harness, recorder, tmp_path, capsys):
    fuzzer = Fuzzer(
        harness=harness,
        subject=Subject(),
        recorder=recorder,
        store=FailureStore(folder=tmp_path),
        policy=Policy(draw_off=draw_fixed(()), on_record=False),
        run_seed=1,
    )
    kept = fuzzer.keep(harness.check(LOST_ROWS, fixed(())), ())
    assert read_failure(kept.file).verdict.blame == "unknown"
    assert replay.run_again(kept.file, read_failure(kept.file), harness) == Exit.FOUND
    told = capsys.readouterr().out
    assert "blame duckdb" in told
    assert "sqlite x1" in told


def test_a_third_engine_that_is_wrong_where_the_others_agree_has_no_say(minimized, monkeypatch):
    """Its anti joins keep nothing: over these rows that is DuckDB's answer, over others nobody's."""
    from oracles.sql.sqlite.compiler import SqliteCompiler

    def join(self, node, outer):
        if node.kind != "anti":
            return right(self, node, outer)
        left, alias = self.item(node.left, outer)
        return f"SELECT {self.star(alias, node.left)} FROM {left} WHERE 0"

    right = SqliteCompiler.visit_Join
    monkeypatch.setattr(SqliteCompiler, "visit_Join", join)
    verdict = minimized(LOST_ROWS).failure.verdict
    assert verdict.blame == "unknown"
    assert "SQLite's word doesn't count: it differs where Spark and DuckDB agree" in verdict.reason


def test_what_the_third_engine_has_no_words_for_stays_open(minimized, monkeypatch):
    monkeypatch.setattr("oracles.sql.sqlite.compiler.SqliteCompiler.UNSUPPORTED", frozenset({"InSubquery"}))
    finding = minimized(LOST_ROWS)
    assert finding.failure.verdict.blame == "unknown"
    assert finding.checked.legs["sqlite"].kind == "unsupported"


TOTALS = GroupingSets(T1, "rollup", (Item("x", Col("a", INT)),), ())


@pytest.mark.parametrize("limit", [AnyLimit(TOTALS, 0), AnyLimit(TOTALS, 8, 2)], ids=["none", "what comes after two"])
def test_a_limit_that_leaves_nothing_does_not_give_the_third_engine_the_answer_of_no_rows(harness, limit):
    """Spark has no grand total of no rows: the entry grand-total-of-no-rows. The input of the limit is compared."""
    checked = harness.check(Case(limit, Database((Table("t1", INTS),))), fixed(()))
    assert checked.unlimited
    assert third_opinion(harness, checked).verdict.blame == "spark"
