"""A rule on trial: what it can do wrong beside the answer convicts it, with a counterexample; a right one goes free."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import strategies as st

from assay.evaluation.rule_evaluation import SETTINGS, RuleEvaluator
from assay.evaluation.verdict_text import headline, hints, notes
from assay.fuzz.case_mix import fuzz_cases
from jars.build import USER_FLAGS, build, find_compiler
from oracles.checks.check import Harness
from oracles.checks.evidence import LEAST
from oracles.checks.misbehaviour import WATCHED
from oracles.checks.result import LegSettings
from oracles.engines.duckdb import DuckdbEngine
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.java import find_java
from oracles.engines.spark.start import InjectedRule, SparkOptions
from oracles.failures.failure import Subject, read_failure
from oracles.rules.switch import switched_on
from strategies.ir import (
    BIGINT,
    INT,
    Agg,
    Aggregate,
    And,
    AnyLimit,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    IsNull,
    Item,
    Lit,
    Scan,
    SetOp,
    Table,
)
from strategies.shapes import load_shapes
from tests.cli import many_kinds
from tests.cli.assay import RULES

CHECKS = 80

OFFENCES = {
    "internal": "it throws",
    "loop": "it loops",
    "invalid-plan": "Spark refuses the plan",
    "schema": "it changes the schema",
    "not-idempotent": "once isn't enough",
    "rule": "another answer",
}

#: rule, its point, and the kind of the finding
WRONG = [
    ("Throws", "plan-normalization", "internal"),
    ("Recurses", "optimizer", "internal"),
    ("Recurses", "plan-normalization", "internal"),
    ("Loops", "optimizer", "loop"),
    ("Unresolved", "optimizer", "invalid-plan"),
    ("Unresolved", "plan-normalization", "invalid-plan"),
    ("RenamesColumns", "optimizer", "schema"),
    ("RenamesColumns", "plan-normalization", "schema"),
    ("DoublesConditions", "plan-normalization", "not-idempotent"),
    ("DoublesConditions", "pre-operator-optimization", "not-idempotent"),
    ("DropsFilters", "optimizer", "rule"),
    ("DropsLimits", "optimizer", "rule"),
    ("DropsFilters", "resolution", "rule"),
    ("DropsFilters", "post-hoc-resolution", "rule"),
    ("DropsFilters", "hint-resolution", "rule"),
    ("DropsFilters", "pre-cbo", "rule"),
    ("DropsFilters", "runtime-optimizer", "rule"),
    ("DropsFilters", "experimental", "rule"),
    ("PlansNoFilters", "planner-strategy", "rule"),
    ("DropsFilterExecs", "query-post-planner-strategy", "rule"),
    ("DropsFilterExecs", "query-stage-prep", "rule"),
    ("DropsFilterExecs", "query-stage-optimizer", "rule"),
    ("DropsFiltersOfColumns", "columnar", "rule"),
]
RIGHT = [
    ("SwapsConjuncts", "pre-operator-optimization"),
    ("SortsConjuncts", "optimizer"),
    ("LooksForExcept", "plan-normalization"),
]

# A count above a limit, or the number of its rows, tells more easily about it than its rows.
NUMBERS = (Column("a", INT),)
ROWS = Database((Table("t0", NUMBERS, ((1,), (2,), (2,))),))
NARROW = st.integers(0, 1).map(
    lambda low: Case(
        Filter(
            Scan("t0", NUMBERS),
            And(Compare(">", Col("a", INT), Lit(INT, low)), Compare("<", Col("a", INT), Lit(INT, low + 2))),
        ),
        ROWS,
    )
)
# A rule that acts while the query runs sees the operators above a shuffle alone.
COPIES = Item("copies", Agg("count", None))
HAVING = st.integers(0, 1).map(
    lambda least: Case(
        Filter(
            Aggregate(Scan("t0", NUMBERS), (Item("a", Col("a", INT)),), (COPIES,)),
            Compare(">", Col("copies", BIGINT), Lit(BIGINT, least)),
        ),
        ROWS,
    )
)
MORE_THAN_THERE_ARE = st.integers(5, 90).map(lambda count: Case(AnyLimit(Scan("t0", NUMBERS), count), ROWS))
CASES = {
    ("DropsLimits", "optimizer"): st.integers(1, 2).map(lambda count: Case(AnyLimit(Scan("t0", NUMBERS), count), ROWS)),
    ("DropsFilters", "runtime-optimizer"): HAVING,
    # A rule is acquitted by answers with rows: here every case has some.
    ("SwapsConjuncts", "pre-operator-optimization"): many_kinds.filters_of_four_conditions(),
    ("SortsConjuncts", "optimizer"): many_kinds.filters_of_four_conditions(),
    ("LooksForExcept", "plan-normalization"): many_kinds.excepts_with_rows(),
}
NOTHING_TO_DO = [("LooksForExcept", "optimizer"), ("NeverFires", "optimizer")]


def _name(rule, point):
    return f"{rule}-{point}"


def evaluator_of(harness, settings, folder):
    """An evaluator that gives a finding two seconds."""
    return RuleEvaluator(
        harness=harness,
        subject=Subject(settings=settings),
        folder=folder,
        failures=folder / "failures",
        run_seed=5,
        shrink_seconds=2,
    )


@pytest.fixture(scope="module")
def harness(harness, tmp_path_factory):
    """A session with all the rules here, off, in place of the worker's."""
    harness.spark.close()
    places = sorted({(rule, point) for rule, point, *_ in [*WRONG, *RIGHT, *NOTHING_TO_DO]})
    java, jar = find_java().java, tmp_path_factory.mktemp("rules") / "rules.jar"
    files = sorted({rule for rule, _ in places} & {path.stem for path in RULES.glob("*.scala")})
    sources = [RULES / f"{name}.scala" for name in [*files, "PhysicalRules"]]
    find_compiler(java).compile(sources, jar, USER_FLAGS, [build(java).main])
    injected = tuple(InjectedRule(_name(*place), f"rules.{place[0]}", place[1], on=False) for place in places)
    spark = SparkEngine(SparkOptions(jars=(build(java).main, jar), injected=injected))
    with Harness(spark, DuckdbEngine()) as engines:
        yield engines


@pytest.fixture(scope="module")
def evaluation(harness, tmp_path_factory):
    """The trial of a rule at a point, held once."""
    tmp_path = tmp_path_factory.mktemp("trials")

    @cache
    def of(rule, point):
        name = _name(rule, point)
        settings = replace(SETTINGS, on={**WATCHED, **switched_on(name)})
        evaluator = evaluator_of(harness, settings, tmp_path)
        names = ["CombineFilters", "ReplaceExceptWithFilter"]
        cases = CASES[rule, point] if (rule, point) in CASES else fuzz_cases(load_shapes(), names)
        return evaluator.evaluate(harness.catalogue.rule(name), cases, CHECKS)

    return of


@pytest.mark.parametrize(("rule", "point", "kind"), WRONG, ids=[_name(*each[:2]) for each in WRONG])
def test_a_rule_that_does_wrong_is_convicted_of_just_that(evaluation, rule, point, kind):
    ended = evaluation(rule, point)
    assert (ended.outcome, [each.checked.verdict.kind for each in ended.findings]) == ("convicted", [kind])
    assert headline(ended).startswith(f"convicted ({OFFENCES[kind]}): fired in ")
    assert ended.findings[0].failure.confirmed
    assert ended.findings[0].file.is_file()
    (text,) = ended.counterexamples
    assert f"{kind} finding[{_name(rule, point)}], blame on" in text
    assert f"\n  before   {_name(rule, point)}\n" in text
    assert "\n  after " in text


def test_a_rule_that_only_a_querys_three_parts_give_away_is_convicted(harness, tmp_path):
    """The query's own filter keeps every row, so that nothing is lost with it; its parts' filters don't."""
    name = _name("DropsFilters", "optimizer")
    settings = replace(SETTINGS, on={**WATCHED, **switched_on(name)})
    evaluator = evaluator_of(harness, settings, tmp_path)
    number = Col("a", INT)
    all_rows = Filter(Scan("t0", NUMBERS), IsNull(number, negated=True))
    whole = Case(all_rows, ROWS, partition=Compare("=", number, Lit(INT, 1)))
    ended = evaluator.evaluate(harness.catalogue.rule(name), st.just(whole), CHECKS)
    assert (ended.outcome, [each.checked.verdict.kind for each in ended.findings]) == ("convicted", ["metamorphic"])
    assert headline(ended).startswith("convicted (")
    assert ended.findings[0].failure.confirmed
    assert ended.findings[0].file.is_file()
    (text,) = ended.counterexamples
    assert f"metamorphic finding[{name}], blame on: the query has 1 row, its three parts have 2 rows" in text


def test_once_a_rule_has_fired_its_neighbourhood_is_searched(harness, tmp_path):
    """Without edits there is one query to draw, on which the rule fires."""
    name = _name("LooksForExcept", "plan-normalization")
    settings = replace(SETTINGS, on={**WATCHED, **switched_on(name)})
    evaluator = evaluator_of(harness, settings, tmp_path)
    sides = (Filter(many_kinds.SCAN, Compare("<", many_kinds.A, Lit(INT, bound))) for bound in (9, 0))
    case = Case(SetOp("except", *sides), many_kinds.ROWS)
    alone, steered = (
        replace(evaluator, steered=percent).evaluate(harness.catalogue.rule(name), st.just(case), 60).stats
        for percent in (0, 50)
    )
    assert (alone.queries, alone.count.fired) == (1, 1)
    assert steered.queries > 30
    assert steered.count.fired > 5


@pytest.mark.parametrize(("rule", "point"), RIGHT, ids=[_name(*each) for each in RIGHT])
def test_a_right_rule_is_acquitted(evaluation, rule, point):
    ended = evaluation(rule, point)
    assert (ended.outcome, ended.findings, ended.stats.count.fired > 0) == ("acquitted", [], True), headline(ended)
    assert (
        f"fired in {ended.stats.count.fired}, plans differed in {ended.stats.count.differed} of {CHECKS} queries"
        in headline(ended)
    )


def test_a_wrong_rule_is_not_acquitted_by_queries_of_one_shape(harness, tmp_path):
    """No limit here is below the number of rows."""
    name = _name("DropsLimits", "optimizer")
    evaluator = evaluator_of(harness, replace(SETTINGS, on={**WATCHED, **switched_on(name)}), tmp_path)
    ended = evaluator.evaluate(harness.catalogue.rule(name), MORE_THAN_THERE_ARE, CHECKS)
    assert (ended.outcome, ended.stats.evidence) == ("thin evidence", 1)
    assert ended.stats.agreed == ended.stats.count.differed > LEAST


def test_a_rule_that_nothing_turns_off_is_acquitted_by_agreements_with_duckdb_alone(harness, tmp_path):
    evaluator = evaluator_of(harness, SETTINGS, tmp_path)
    cases = fuzz_cases(load_shapes(), ["ReplaceExpressions"])
    ended = evaluator.evaluate(harness.catalogue.rule("ReplaceExpressions"), cases, 120)
    assert (ended.outcome, ended.stats.count.differed, ended.stats.evidence >= 30) == ("acquitted", 0, True), headline(
        ended
    )
    assert headline(ended).startswith(f"acquitted: fired in {ended.stats.count.fired} of 120 queries")
    assert ", against DuckDB alone, " in headline(ended)


def test_of_two_rules_that_do_the_same_wrong_neither_hides_the_other(harness, tmp_path):
    """Without the one, the other makes the same rows, and acts only then."""
    first, second = _name("DropsFilters", "optimizer"), _name("DropsFilters", "pre-cbo")
    both = {**WATCHED, **switched_on(first), **switched_on(second)}
    settings = LegSettings(on=both, off=both)
    evaluator = evaluator_of(harness, settings, tmp_path)
    ended = evaluator.evaluate(harness.catalogue.rule(first), NARROW, CHECKS)
    assert ended.outcome == "convicted"
    assert sorted(ended.findings[0].rules) == [first, second]
    assert ended.findings[0].failure.confirmed


def test_what_says_nothing_of_the_rule_is_kept_one_of_each_bug(harness, tmp_path):
    """Another rule does wrong, and is on in both legs: its file names it, and the rule goes free."""
    wrong, right = _name("DropsFilters", "pre-cbo"), _name("SwapsConjuncts", "pre-operator-optimization")
    both = {**WATCHED, **switched_on(wrong), **switched_on(right)}
    settings = LegSettings(on=both, off=both)
    evaluator = evaluator_of(harness, settings, tmp_path)
    ended = evaluator.evaluate(harness.catalogue.rule(right), NARROW, CHECKS)
    assert (ended.outcome, ended.findings) == ("thin evidence", [])
    assert sum(ended.stats.others.values()) == 2
    (file,) = ended.stats.files
    assert read_failure(file).rules == (wrong,)
    assert any(str(file) in line for line in notes(ended))


def test_not_being_idempotent_is_noted_where_rules_run_until_nothing_changes(evaluation):
    assert [
        line for line in notes(evaluation("SortsConjuncts", "optimizer")) if line.startswith("note: not idempotent in")
    ]


def test_a_rule_that_looks_for_what_is_gone_is_told_where_to_go(evaluation):
    ended = evaluation("LooksForExcept", "optimizer")
    assert ended.outcome == "never fired"
    assert "Except no longer exists at optimizer; try @plan-normalization" in hints(ended)
    assert ended.plans_seen.shapes
    assert "Except" in ended.operators
    assert ended.plans_seen.nodes["Filter"] > 0


def test_a_rule_that_looks_for_nothing_gets_no_hint(evaluation):
    ended = evaluation("NeverFires", "optimizer")
    assert (ended.outcome, hints(ended)) == ("never fired", [])
