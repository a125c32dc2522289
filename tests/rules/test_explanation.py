"""An entry that raises nothing excuses a finding only where its own cause explains it: on the real engines.

Wrong rules are planted on queries that the patterns of known divergences fit; a known divergence stays excused.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.session.own_rule import AS_WRITTEN
from oracles.checks.choices import fixed
from oracles.checks.result import LegSettings
from oracles.patterns.causes import REWRITES
from oracles.rules.switch import switch_off, switched_on
from oracles.triage.attribution import judged
from oracles.triage.divergences import Without, load
from oracles.triage.explanation import disappears
from strategies.ir import (
    BOOLEAN,
    INT,
    Agg,
    Aggregate,
    Alias,
    And,
    Arith,
    Case,
    Coalesce,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Distinct,
    Filter,
    Frame,
    GroupingSets,
    InSubquery,
    Item,
    Limit,
    Lit,
    Not,
    Or,
    Outer,
    Over,
    Project,
    ScalarSubquery,
    Scan,
    SetOp,
    Settings,
    SortKey,
    Table,
    Window,
)
from tests.rules.test_third_opinion import LOST_ROWS

A = Col("a", INT)
T0 = Table("t0", (Column("a", INT),), ((1,), (1,), (2,), (None,)))
SCAN = Scan("t0", T0.columns)
ONE, TWO = Compare("=", A, Lit(INT, 1)), Compare("=", A, Lit(INT, 2))
IN = InSubquery((A,), Project(SCAN, (Item("x", A),)))
ENTRIES = load()


def case(query):
    return Case(query, Database((T0,)))


def check(harness, query, off, settings=None):
    rules = fixed([harness.catalogue.rule(name) for name in off])
    return harness.check(query if isinstance(query, Case) else case(query), rules, settings or LegSettings())


IN_AS_A_VALUE = Filter(Project(SCAN, (Item("x1", IN),)), Not(Col("x1", BOOLEAN)))
NOTHING = Filter(SCAN, Compare("=", A, Lit(INT, 7)))
TOTAL = GroupingSets(NOTHING, "rollup", (Item("a", A),), (Item("n", Agg("count")),))

IN_ABOVE_NOTHING = Project(
    Aggregate(NOTHING, (), (Item("n", Agg("count")),)), (Item("x", replace(IN, operands=(Lit(INT, 1),))),)
)

SUMS = Table("t0", (Column("k", INT), Column("d", Decimal(2, 0))), ((1, "60"), (2, "60"), (1, "60"), (2, "99")))
_TOTAL = Aggregate(Scan("t0", SUMS.columns), (), (Item("s", Agg("sum", Col("d", Decimal(2, 0)))),))
SPLIT = Settings("v2", capabilities=("weak aggregates",), table_partitions=2)
PARTIAL_SUMS = Case(_TOTAL, Database((SUMS,)), SPLIT)
"""Each of two splits has a sum with more digits than the column."""
PARTIAL_SUMS_OR_NULL = replace(PARTIAL_SUMS, settings=replace(SPLIT, ansi=False))

_WITH_NULL = Coalesce((And(ONE, Lit(BOOLEAN, None)), TWO))
FOR_A_SOURCE = Case(Filter(SCAN, _WITH_NULL), Database((T0,)), Settings("v2", capabilities=("filters",)))
"""Spark can't translate the NULL of an AND within coalesce()."""

_IN_TWO_STEPS = Settings(conf=(("spark.sql.optimizer.optimizeExpandRatio", "2"),))


def _counted(child, *values, more=()):
    counts = (Item(f"n{place}", Agg("count", value, distinct=True)) for place, value in enumerate(values))
    return Case(Aggregate(child, (), (*counts, *more)), Database((T0,)), _IN_TWO_STEPS)


CONSTANTS_OF_NO_ROWS = _counted(NOTHING, Lit(INT, 1), Lit(INT, 2))
ROWS_BESIDE_VALUES = _counted(SCAN, A, Coalesce((A, Lit(INT, 1))), more=(Item("n", Agg("count")),))

BY_A = (SortKey(A),)
SECOND = Distinct(Limit(SCAN, BY_A, 1, 1))
WITH_THE_LAST = Distinct(Window(SCAN, (Over("n", Agg("count"), Frame("rows", -1, 0)),), (), BY_A))
_GREATEST = Aggregate(Filter(SCAN, Compare("=", A, Outer("a", INT, "x"))), (), (Item("m", Agg("max", A)),))
OF_THE_FIRST = Project(Alias(Limit(SCAN, BY_A, 1), "x"), (Item("v", ScalarSubquery(_GREATEST)),))

UNKNOWN = InSubquery((Arith("+", A, Lit(INT, 5)),), IN.query, negated=True)
TOTAL_OF_UNKNOWN = GroupingSets(Filter(SCAN, Not(UNKNOWN)), "rollup", (Item("a", A),), (Item("n", Agg("count")),))
"""Two bugs meet: Spark without the rule has rows where IN is unknown, and with it no grand total of no rows."""


@pytest.mark.parametrize(
    ("query", "off", "entry"),
    [
        (TOTAL_OF_UNKNOWN, ["BooleanSimplification"], "SPARK-58442"),
        (IN_AS_A_VALUE, ["PushDownPredicates"], "SPARK-58442"),
        (Filter(SCAN, Not(InSubquery(IN.operands, IN.query, negated=True))), ["BooleanSimplification"], "SPARK-58442"),
        (Project(SCAN, (Item("x", IN),)), ["ColumnPruning"], "SPARK-58442-both"),
        (TOTAL, ["ColumnPruning"], "grand-total-of-no-rows"),
        (IN_ABOVE_NOTHING, ["CollapseProject"], "SPARK-58429"),
        (IN_ABOVE_NOTHING, ["EliminateSorts"], "SPARK-58429"),
        (PARTIAL_SUMS, ["EliminateSorts"], "partial-sum-of-a-decimal-pushed"),
        (PARTIAL_SUMS_OR_NULL, ["EliminateSorts"], "partial-sum-of-a-decimal-pushed"),
        (FOR_A_SOURCE, ["EliminateSorts"], "null-in-a-predicate-for-a-source"),
        (CONSTANTS_OF_NO_ROWS, ["OptimizeExpand"], "SPARK-58888"),
        (ROWS_BESIDE_VALUES, ["OptimizeExpand"], "SPARK-58387"),
        (WITH_THE_LAST, ["ConstantFolding"], "frame-of-preceding-rows-that-is-not-folded"),
        (SECOND, ["ConstantFolding"], "offset-beside-a-limit-that-is-not-folded"),
        (OF_THE_FIRST, ["EliminateSorts"], "top-rows-below-a-projected-subquery-by-eliminate-sorts"),
    ],
    ids=[
        "two bugs that meet",
        "a value that is pushed",
        "a negation that is moved",
        "a value in the answer",
        "a grand total of no rows",
        "an IN above a grand total",
        "an IN above a grand total where all legs are wrong",
        "a partial sum that raises",
        "a partial sum that is NULL",
        "a NULL in a filter for a source",
        "constants counted of no rows",
        "rows counted beside values",
        "rows before the current one",
        "an offset",
        "a sort that a called rule removes",
    ],
)
def test_a_known_divergence_is_excused_by_its_cause(harness, query, off, entry):
    (known,) = (each for each in ENTRIES if each.id == entry)
    if not harness.spark.version.startswith(known.releases):
        pytest.skip(f"Spark {harness.spark.version} has not got this bug")
    checked, _ = judged(harness, check(harness, query, off), ENTRIES)
    assert (checked.verdict.name, checked.verdict.divergence) == ("excused", entry)


_NUMBERS = Project(SCAN, (Item("d", Lit(INT, 0)), Item("e", Lit(INT, 0))))
_D, _E = Col("d", INT), Col("e", INT)
NULL_FOR_A_COLUMN = Filter(_NUMBERS, Not(And(Compare("=", _D, Lit(INT, None)), Compare("<=>", _E, _D))))
HIDING = ("NullPropagation", "BooleanSimplification", "PushDownPredicates", "FoldablePropagation")


def test_a_rule_that_others_hide_is_excused_where_these_are_off(harness):
    hidden = switch_off([harness.catalogue.rule(name).switch for name in HIDING])
    finding = check(harness, NULL_FOR_A_COLUMN, ["ConstantPropagation"], LegSettings(hidden, hidden))
    assert (finding.verdict.kind, finding.verdict.blame) == ("rule", "on")
    assert judged(harness, finding, ENTRIES)[0].verdict.divergence == "null-for-a-column-below-not"
    assert check(harness, NULL_FOR_A_COLUMN, ["ConstantPropagation"]).verdict.kind is None


def test_a_rule_that_hides_a_wrong_one_is_no_excuse_for_it(harness):
    """Without ReplaceExceptWithFilter there is an anti join, of which the planted rule makes a wrong filter."""
    wrong = "ReplaceAntiJoinWithNotFilter" + AS_WRITTEN
    (entry,) = (entry for entry in ENTRIES if entry.id == "SPARK-58442")
    entry = replace(entry, pattern="made of: SetOp:except", without=Without(rewrite="in_as_flags"))
    on = switched_on(wrong)
    finding = check(
        harness, SetOp("except", SCAN, Filter(SCAN, Or(ONE, TWO))), ["ReplaceExceptWithFilter"], LegSettings(on, on)
    )
    assert (finding.verdict.kind, finding.verdict.blame) == ("rule", "off")
    checked, rules = judged(harness, finding, [entry])
    assert (checked.verdict.name, checked.verdict.blame, rules) == ("finding", "on", (wrong,))


def test_an_excused_engine_divergence_has_the_blame_of_its_entry(harness):
    checked = check(harness, Project(SCAN, (Item("x", IN),)), ["ColumnPruning"])
    assert checked.verdict.blame == "unknown"
    assert judged(harness, checked, ENTRIES)[0].verdict.blame == "spark"


def test_an_entry_that_blames_spark_excuses_nothing_of_which_the_third_engine_clears_it(harness, monkeypatch):
    """DuckDB loses rows; the entry's rewrite leaves none to lose, so that the difference is gone without its cause."""
    empty = Database(tuple(replace(table, rows=()) for table in LOST_ROWS.database.tables))
    monkeypatch.setitem(REWRITES, "in_as_flags", lambda case: replace(case, database=empty))
    (entry,) = (entry for entry in ENTRIES if entry.id == "SPARK-58442-both")
    entry = replace(entry, pattern="made of: InSubquery, Join:full", without=Without(rewrite="in_as_flags"))
    finding = check(harness, LOST_ROWS, [])
    assert disappears(harness, finding, (), entry.without)
    assert judged(harness, finding, [entry])[0].verdict.name == "finding"
