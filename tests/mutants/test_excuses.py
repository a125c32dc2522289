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
    INT,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    InSubquery,
    IsNull,
    Item,
    Lit,
    Project,
    Scan,
    SetOp,
    Table,
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
ONE = Compare("=", A, Lit(INT, 1))
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
