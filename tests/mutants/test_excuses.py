"""No known divergence excuses a planted wrong rule on a query that an entry's pattern fits: neither as a rule of the
user's, nor as one of Spark's that has gone wrong.
"""

from __future__ import annotations

import pytest

from assay.session.mutant_sources import load_mutants
from oracles.checks.choices import fixed
from oracles.checks.result import LegSettings
from oracles.rules.switch import switched_on
from oracles.triage.attribution import judged
from oracles.triage.divergences import load
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    INT,
    SMALLINT,
    Agg,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Arith,
    Array,
    Call,
    Case,
    CaseWhen,
    Cast,
    Col,
    Column,
    Compare,
    Database,
    Exists,
    Filter,
    InSubquery,
    IsNull,
    Item,
    Join,
    Limit,
    Lit,
    MakeArray,
    Project,
    Scan,
    SetOp,
    Settings,
    SortKey,
    Table,
    When,
)

pytestmark = pytest.mark.by("shape")

A = Col("a", INT)
T0 = Table("t0", (Column("a", INT),), ((1,), (1,), (2,), (None,)))
SCAN = Scan("t0", T0.columns)
IN = InSubquery((A,), Project(SCAN, (Item("x", A),)))
ENTRIES = load()
MUTANTS = {mutant.name: mutant for mutant in load_mutants()}


def check(harness, query, name, settings):
    return harness.check(Case(query, Database((T0,))), fixed([harness.catalogue.rule(name)]), settings)


# EXCEPT ALL keeps each row that the right side lacks once, and not as often as it is there.
WRONG = "RewriteExceptAllNoReplication"
VALUE = (Item("a", A), Item("x", IsNull(IN)))
NONE = Project(Filter(SCAN, Compare("=", A, Lit(INT, 7))), VALUE)
FITTING = {
    "the cause doesn't show": SetOp(
        "except", Project(Filter(SCAN, Compare("=", A, Lit(INT, 1))), VALUE), NONE, all=True
    ),
    "the cause shows": SetOp("except", Project(SCAN, VALUE), NONE, all=True),
}


@pytest.mark.parametrize("query", FITTING.values(), ids=FITTING)
def test_an_injected_rule_is_covered_by_no_entry_for_any_rule(harness, query):
    """SPARK-58442 is about IN as a value, which stands in the query, and has no part in what the rule does."""
    settings = LegSettings(on={**switched_on(WRONG)})
    checked, rules = judged(harness, check(harness, query, WRONG, settings), ENTRIES)
    assert (checked.verdict.name, checked.verdict.kind, rules) == ("finding", "rule", (WRONG,))


@pytest.mark.parametrize("query", FITTING.values(), ids=FITTING)
def test_a_rule_of_spark_gone_wrong_is_not_excused_on_a_query_that_fits(harness, query):
    """The difference stays where IN's NULLs are taken away."""
    mutant = MUTANTS[WRONG]
    first = check(harness, query, WRONG, mutant.settings(harness.catalogue))
    checked, _ = judged(harness, first, ENTRIES, {WRONG: mutant.rule})
    assert checked.verdict.name == "finding"


def test_a_wrong_rule_that_folds_an_in_is_not_excused(harness):
    """No leg has SPARK-58442's flag: NULL IN a query is folded, and the wrong rule makes that FALSE below the NOT."""
    name = "ReplaceNullWithFalseInPredicateAnywhereInside"
    mutant = MUTANTS[name]
    none = InSubquery((Lit(INT, None),), Project(SCAN, (Item("x", A),)), negated=True)
    query = Join(Alias(SCAN, "l"), Alias(SCAN, "r"), "inner", And(none, IsNull(Col("a", INT, "l"), negated=True)))
    first = check(harness, query, name, mutant.settings(harness.catalogue))
    checked, rules = judged(harness, first, ENTRIES, {name: mutant.rule})
    assert (checked.verdict.name, checked.verdict.blame, rules) == ("finding", "on", (name,))


def test_a_wrong_rule_below_a_limit_that_takes_any_row_is_not_excused(harness):
    """The entry top-rows-below-a-limit puts ranks in the place of limits below: the one row that the last LIMIT takes
    is a right one then, by chance, and the others are still wrong.
    """
    name = "EliminateOuterJoinCountsPartners"
    mutant = MUTANTS[name]
    longs = (Column("a", BIGINT), Column("b", BIGINT))
    t0, t1 = Scan("t0", longs[:1]), Scan("t1", longs)
    bits = Cast(Call("bit_count", (Col("a", BIGINT, "t0"),)), BIGINT)
    zero = Arith("*", Cast(Lit(SMALLINT, 0), BIGINT), bits)
    none = CaseWhen((When(Exists(Alias(t0, "i0"), negated=True), Lit(BOOLEAN, False)),))
    joined = Join(t0, t1, "left", Compare("<", zero, Col("b", BIGINT)))
    counted = Aggregate(joined, (Item("b", none),), (Item("c", Agg("count")),))
    last, count = {"nulls_first": False}, Col("c", BIGINT)
    first = Limit(counted, (SortKey(Col("b", BOOLEAN), **last), SortKey(count, **last)), 3)
    second = Limit(t1, (SortKey(Col("a", BIGINT)), SortKey(Col("b", BIGINT), True, False)), 2, 1)
    flag = Col("b", BOOLEAN, "s0")
    both = Arith("+", Cast(Cast(flag, SMALLINT), BIGINT), Cast(Cast(flag, INT), BIGINT))
    never = Compare("=", MakeArray(BIGINT, (both, count, count)), Lit(Array(BIGINT), (1, 0, 2)))
    query = AnyLimit(Join(Alias(first, "s0"), Alias(Alias(second, "s0"), "s1"), "full", never), 1)
    values = (None, 0, 0, 3, 3, 3, 3, 3, 1)
    tables = (
        Table("t0", t0.columns, tuple((value,) for value in values)),
        Table("t1", longs, ((None, None), (3, 1), (1, 1))),
    )
    case = Case(query, Database(tables), Settings(partitions=2, table_partitions=3))
    found = harness.check(case, fixed([harness.catalogue.rule(name)]), mutant.settings(harness.catalogue))
    assert found.verdict.name == "finding"
    checked, _ = judged(harness, found, ENTRIES, {name: mutant.rule})
    assert checked.verdict.name == "finding"
