"""An off leg lacks its rule's work wherever that is called, or proves nothing about it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assay.fuzz.failure_store import FailureStore
from assay.fuzz.fuzzer import Fuzzer
from assay.fuzz.policy import Policy, draw_fixed
from oracles.checks.check import SwitchFailed
from oracles.checks.choices import fixed
from oracles.failures.failure import Subject
from oracles.triage.bisect import guilty_rules
from strategies.ir import (
    INT,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Item,
    Lit,
    Project,
    Scan,
    SetOp,
    Table,
    TryArith,
    Verbatim,
)
from tests.rules.stock import answer, operators

PAIR = (Column("a", INT), Column("b", INT))
DATABASE = Database(
    (Table("t", PAIR, ((1, 1), (1, 1), (2, None), (None, 3))), Table("u", PAIR, ((1, 1), (2, 2), (3, 3))))
)
SAME = "(b = 1 OR b = 1)"
IN_ORDER = "(SELECT * FROM t ORDER BY b)"
BOTH = "(SELECT a FROM t UNION ALL SELECT a FROM u)"
ONE_DISTINCT = f"SELECT DISTINCT 1 AS n FROM {IN_ORDER} x JOIN u ON x.a = u.a LIMIT 1"

# Of each rule a query in which another one does its work as well, and one in which it alone does.
CALLED = {
    "BooleanSimplification": f"SELECT a FROM t WHERE {SAME} AND EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND {SAME})",
    "EliminateSorts": f"SELECT count(*) AS n FROM {IN_ORDER} UNION ALL SELECT * FROM ({ONE_DISTINCT})",
    "PushProjectionThroughUnion": f"SELECT c + 1 FROM (SELECT a + 1 AS c FROM {BOTH} UNION ALL SELECT b FROM t)",
    "PushDownPredicates": "SELECT * FROM (SELECT * FROM t EXCEPT SELECT * FROM t WHERE a > 1) WHERE b > 0",
}
ALONE = {
    "BooleanSimplification": f"SELECT a FROM t WHERE {SAME}",
    "EliminateSorts": f"SELECT count(*) FROM {IN_ORDER}",
    "PushProjectionThroughUnion": f"SELECT a + 1 FROM {BOTH}",
    "PushDownPredicates": "SELECT * FROM (SELECT * FROM t UNION ALL SELECT * FROM t) WHERE b > 0",
}
CALLERS = {
    "EliminateSorts": "LimitPushDown",
    "PushProjectionThroughUnion": "CombineUnions",
    "PushDownPredicates": "ReplaceExceptWithFilter",
}
NO_DRAWS: Any = None  # the off leg of a hunt for one rule is not drawn


def case_of(query: str) -> Case:
    return Case(Verbatim(query, query), DATABASE)


@pytest.fixture
def hunted(harness, recorder, tmp_path):
    """How a hunt for one rule checks a case."""

    def check(rule, case):
        target = harness.catalogue.rule(rule)
        fuzzer = Fuzzer(
            harness=harness,
            subject=Subject(),
            recorder=recorder,
            store=FailureStore(folder=tmp_path),
            policy=Policy(draw_off=draw_fixed([target]), target_rule=target),
            run_seed=1,
        )
        return fuzzer.check_case(case, NO_DRAWS)

    return check


@pytest.mark.parametrize("rule", CALLED)
def test_an_off_leg_that_kept_the_rules_work_proves_nothing_and_duckdb_judges_alone(harness, rule):
    checked = harness.check(case_of(CALLED[rule]), fixed([harness.catalogue.rule(rule)]))
    assert sorted(checked.legs) == ["duckdb", "on"]
    assert (checked.verdict.name, checked.fired, checked.differed) == ("agree", (rule,), False)


@pytest.mark.parametrize("rule", ALONE)
def test_an_off_leg_without_the_rules_work_is_compared(harness, rule):
    checked = harness.check(case_of(ALONE[rule]), fixed([harness.catalogue.rule(rule)]))
    assert sorted(checked.legs) == ["duckdb", "off", "on"]
    assert (checked.verdict.name, checked.fired, checked.differed) == ("agree", (rule,), True)


@pytest.mark.parametrize(("rule", "caller"), CALLERS.items())
def test_whoever_does_the_rules_work_goes_off_with_it(hunted, rule, caller):
    checked = hunted(rule, case_of(CALLED[rule]))
    assert sorted(checked.off) == sorted((rule, caller))
    assert (checked.verdict.name, sorted(checked.fired), checked.differed) == ("agree", sorted((rule, caller)), True)


@pytest.mark.parametrize("rule", ALONE)
def test_whoever_has_nothing_to_do_stays_on(hunted, rule):
    assert hunted(rule, case_of(ALONE[rule])).off == (rule,)


@pytest.mark.parametrize("others", [(), ("CollapseProject",)], ids=["who asks it on", "off, too"])
def test_a_rule_that_the_tracker_shows_at_work_on_a_plan_thrown_away_is_off_and_nothing_is_proven(harness, others):
    read_twice = "SELECT s.x + s.x AS a FROM (SELECT {} AS s FROM t) WHERE s.x > 0"
    made = ("named_struct('x', a + b, 'y', b)", "struct_pack(x := a + b, y := b)")
    case = Case(Verbatim(*map(read_twice.format, made)), DATABASE)
    rule = harness.catalogue.rule("SimplifyExtractValueOps")
    off = [rule, *map(harness.catalogue.rule, others)]
    assert harness.check(case, fixed(off)).verdict.name == "vacuous"
    with pytest.raises(SwitchFailed, match="SimplifyExtractValueOps"):
        harness.check(case, fixed([replace(rule, scratch=False), *off[1:]]))


def test_a_sort_stays_only_without_both_rules_that_take_it_out(harness, spark):
    """The table of calls is right about stock Spark: the rule's own exclusion is not enough."""
    name = "org.apache.spark.sql.catalyst.optimizer."
    excluded = {
        "": 0,
        f"{name}EliminateSorts": 0,
        f"{name}LimitPushDown": 0,
        f"{name}EliminateSorts,{name}LimitPushDown": 1,
    }
    with harness.spark.loaded(DATABASE, "parquet"):
        answers = {
            names: answer(spark, ONE_DISTINCT, {"spark.sql.optimizer.excludedRules": names}) for names in excluded
        }
    assert {names: operators(got).count("Sort") for names, got in answers.items()} == excluded


def test_a_rule_is_not_guilty_of_what_its_caller_does_wrong(harness, hunted):
    """SPARK-58383 is ReplaceExceptWithFilter's, which goes off with PushDownPredicates."""
    one, a = Lit(INT, 1), Col("a", INT)
    scan = Scan("t", PAIR)
    left = Project(scan, (Item("a", TryArith("+", a, one)),))
    right = Project(Filter(scan, Compare("=", a, one)), (Item("a", TryArith("+", a, one)),))
    above = Filter(Project(SetOp("except", left, right), (Item("c", a),)), Compare(">", Col("c", INT), Lit(INT, 0)))
    checked = hunted("PushDownPredicates", Case(above, DATABASE))
    assert (checked.verdict.kind, checked.verdict.blame) == ("rule", "on")
    assert sorted(checked.off) == ["PushDownPredicates", "ReplaceExceptWithFilter"]
    assert guilty_rules(harness, checked) == ("ReplaceExceptWithFilter",)


def test_without_an_off_leg_no_plans_differ(harness):
    query = "SELECT DISTINCT a + 0.5 FROM t"
    checked = harness.check(case_of(query), fixed([harness.catalogue.rule("NormalizeFloatingNumbers")]))
    assert sorted(checked.legs) == ["duckdb", "on"]
    assert checked.differed is False
