"""When a rule is acquitted, by the counts of its trial alone; and what each check counts as."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import reduce

import pytest

from assay.evaluation.acquittal import EvaluationStats, outcome
from assay.fuzz.conviction import has_part
from oracles.answers.outcome import Outcome, Raised
from oracles.checks.evidence import LEAST, RuleCount
from oracles.checks.extra_databases import ExtraResults
from oracles.checks.result import CheckResult
from oracles.checks.verdict import Verdict, excuse
from strategies.ir import COMPARE_OPS, INT, And, Compare, CompareOp, Distinct, Expr, Filter, Lit, Relation
from tests.unit.failure_samples import OVERFLOW, T0, A, answer, case_of, checked_of

RULE = "ReplaceExceptWithFilter"


def stats_of(checked: int, fired: int, differed: int, alone: int = 0, **more: int) -> EvaluationStats:
    """Stats with these counts of the rule."""
    return EvaluationStats(count=RuleCount(checked=checked, fired=fired, differed=differed, two_legs=alone), **more)


ENOUGH = {"queries": 1_000, "checked": 60, "fired": 60, "differed": 50, "agreed": 50, "evident": 30}
SENTENCES = {
    "30 agreements with rows": ({}, "acquitted"),
    "29 of 30": ({"evident": 29}, "thin evidence"),
    "no rows": ({"evident": 0}, "thin evidence"),
    "plans never differed": ({"differed": 0, "evident": 0}, "thin evidence"),
    "nothing agreed": ({"agreed": 0, "evident": 0}, "thin evidence"),
    "excused once": ({"excused": Counter(["SPARK-58442"])}, "thin evidence"),
    "unexplained once": ({"unexplained": Counter(["engine, blame unknown"])}, "thin evidence"),
    "a finding of others": ({"others": Counter(["engine, blame duckdb"])}, "acquitted"),
    "30 against DuckDB alone": ({"alone": 60, "differed": 0, "evident": 0, "evident_alone": 30}, "acquitted"),
    "29 against DuckDB alone": ({"alone": 60, "differed": 0, "evident": 0, "evident_alone": 29}, "thin evidence"),
    "29 beside 30 against DuckDB alone": ({"alone": 30, "evident": 29, "evident_alone": 30}, "thin evidence"),
    "4 of 60 raised": ({"acting": Counter({"raised": 4})}, "thin evidence"),
    "4 of 60 may raise or not": ({"acting": Counter({"order-open": 4})}, "thin evidence"),
    "3 of 60 raised": ({"acting": Counter({"raised": 3})}, "acquitted"),
    "3 of 60 can't be told": ({"acting": Counter({"inconclusive": 3})}, "thin evidence"),
    "2 of 60 can't be told": ({"acting": Counter({"inconclusive": 2})}, "acquitted"),
    "4 of 60 excused that it has no part in": ({"acting": Counter({"excused": 4})}, "acquitted"),
    "never fired": ({"fired": 0, "differed": 0, "agreed": 0, "evident": 0}, "never fired"),
}


@pytest.mark.parametrize(("counts", "expected"), SENTENCES.values(), ids=SENTENCES)
def test_a_rule_is_acquitted_by_thirty_agreements_with_rows_and_nothing_in_doubt(counts, expected: str) -> None:
    assert LEAST == 30
    assert outcome(stats_of(**ENOUGH | counts), convicted=False) == expected


@pytest.mark.parametrize(("counts", "_"), SENTENCES.values(), ids=SENTENCES)
def test_a_finding_against_the_rule_convicts_it_whatever_else_was_seen(counts, _: str) -> None:
    assert outcome(stats_of(**ENOUGH | counts), convicted=True) == "convicted"


AGREE = Verdict(name="agree", reason="all equal")
EXCUSED = excuse(Verdict(name="finding", kind="rule", blame="on", reason="why"), "SPARK-1", "spark")
SAME = {"on": answer(1), "off": answer(1), "duckdb": answer(1)}
ALONE = {"on": answer(1), "duckdb": answer(1)}
EVIDENT = {
    "the plans differed": (checked_of(verdict=AGREE, legs=SAME), True),
    "one plan": (checked_of(verdict=AGREE, legs=SAME, differed=False), False),
    "no rows": (checked_of(verdict=AGREE, legs={leg: answer() for leg in SAME}), False),
    "it didn't fire": (checked_of(verdict=AGREE, legs=SAME, fired=()), False),
    "no off leg": (checked_of(verdict=AGREE, legs=ALONE, differed=False), True),
    "no off leg, and it didn't fire": (checked_of(verdict=AGREE, legs=ALONE, fired=()), False),
    "it raised": (checked_of(verdict=Verdict(name="raised", reason="why"), legs=SAME), False),
}


@pytest.mark.parametrize(("checked", "counts"), EVIDENT.values(), ids=EVIDENT)
def test_evidence_is_an_agreement_with_rows_where_the_rule_made_a_difference_to_the_plan(
    checked: CheckResult, counts: bool
) -> None:
    stats = EvaluationStats()
    stats.add(checked, checked.verdict, (), RULE)
    assert stats.evidence == counts


@pytest.mark.parametrize(("verdict", "expected"), [(AGREE, 23), (EXCUSED, 0)], ids=["agrees", "excused"])
def test_databases_beside_its_own_count_where_the_check_agreed(verdict: Verdict, expected: int) -> None:
    stats = EvaluationStats()
    stats.add(replace(checked_of(verdict=AGREE, legs=SAME), beside=ExtraResults(23)), verdict, (), RULE)
    assert stats.databases == expected


def filtered(op: CompareOp, constant: int) -> Relation:
    """A query of one shape for each ``op``, whatever the ``constant``."""
    return Filter(T0, Compare(op, A, Lit(INT, constant)))


SHAPES: dict[str, tuple[Relation, int]] = {
    "the same query": (filtered("=", 1), 1),
    "another constant": (filtered("=", 2), 1),
    "another comparison": (filtered("<", 1), 2),
    "one operator more": (Distinct(filtered("=", 1)), 2),
}


@pytest.mark.parametrize("legs", [SAME, ALONE], ids=["three legs", "no off leg"])
@pytest.mark.parametrize(("query", "evidence"), SHAPES.values(), ids=SHAPES)
def test_queries_of_one_shape_are_evidence_once(legs: dict[str, Outcome], query: Relation, evidence: int) -> None:
    stats = EvaluationStats()
    for each in (filtered("=", 1), query):
        checked = checked_of(case_of(each), AGREE, legs=legs, differed="off" in legs)
        stats.add(checked, AGREE, (), RULE)
    assert (stats.agreed, stats.evidence) == (2, evidence)


UNCLEAR = Verdict(name="inconclusive", reason="it was lost")
OPEN = Verdict(name="order-open", reason="on alone raises, before there is a plan")


@pytest.mark.parametrize(
    ("plan", "expected"), [("", "thin evidence"), ("0123", "acquitted")], ids=["without a plan", "it did not fire"]
)
def test_checks_that_were_lost_count_as_those_in_which_the_rule_may_have_fired(plan: str, expected: str) -> None:
    """It may make queries too slow, or take the JVM."""
    stats = EvaluationStats()
    for number in range(1, LEAST + 1):
        stats.add(checked_of(case_of(of_many_shapes(number)), AGREE, legs=SAME), AGREE, (), RULE)
        lost = replace(checked_of(verdict=UNCLEAR, fired=(), legs={"on": OVERFLOW}), plan=plan)
        stats.add(lost, UNCLEAR, (), RULE)
    assert outcome(stats, convicted=False) == expected


def of_many_shapes(number: int) -> Relation:
    """A query with another set of comparisons for each number from 1 to 63."""
    chosen: list[Expr] = [Compare(op, A, Lit(INT, 1)) for place, op in enumerate(COMPARE_OPS) if number >> place & 1]
    return Filter(T0, reduce(And, chosen))


DRAWS: dict[str, tuple[Callable[[int], Relation], str]] = {
    "other constants": (lambda number: filtered("=", number), "thin evidence"),
    "other comparisons": (of_many_shapes, "acquitted"),
}


@pytest.mark.parametrize(("query", "expected"), DRAWS.values(), ids=DRAWS)
def test_a_rule_is_acquitted_by_queries_of_thirty_shapes(query: Callable[[int], Relation], expected: str) -> None:
    stats = EvaluationStats()
    for number in range(1, LEAST + 1):
        stats.add(checked_of(case_of(query(number)), AGREE, legs=SAME), AGREE, (), RULE)
    assert (stats.agreed, outcome(stats, convicted=False)) == (LEAST, expected)


def found(kind: str, blame: str, on: Outcome, off: Outcome | None, **more) -> CheckResult:
    """A finding of these legs; DuckDB has other rows than any of them."""
    legs = {"on": on, **({"off": off} if off is not None else {}), "duckdb": answer(7)}
    return checked_of(verdict=Verdict(name="finding", kind=kind, blame=blame, reason="why"), legs=legs, **more)


OTHER_ERROR = Raised("DIVIDE_BY_ZERO", "22012", "zero", "user")
PARTS = {
    "on and off differ": (found("rule", "unknown", answer(1), answer(2)), True),
    "on and off differ, and off is wrong": (found("rule", "off", answer(1), answer(2)), True),
    "it is guilty, and there is another one": (found("engine", "unknown", answer(1), answer(1)), (RULE, "X"), True),
    "both legs are wrong alike": (found("engine", "unknown", answer(1), answer(1)), False),
    "both legs raise the same": (found("engine", "unknown", OVERFLOW, OVERFLOW), False),
    "both legs raise, not the same": (found("internal", "unknown", OVERFLOW, OTHER_ERROR), True),
    "the on leg alone raises": (found("internal", "on", OVERFLOW, answer(1)), True),
    "the parts are wrong, asked of the on leg alone": (found("metamorphic", "on", answer(1), answer(1)), True),
    "the parts raise": (found("internal", "on", answer(1), answer(1)), True),
    "it didn't fire": (found("rule", "unknown", answer(1), answer(2), fired=()), False),
    "one plan": (found("internal", "unknown", OVERFLOW, OTHER_ERROR, differed=False), False),
    "the off leg kept its work": (
        replace(found("engine", "unknown", answer(1), answer(1), fired=(), differed=False), kept=(RULE,)),
        True,
    ),
    "the off leg kept another rule's work": (
        replace(found("engine", "unknown", answer(1), answer(1), fired=(), differed=False), kept=("X",)),
        False,
    ),
    "no off leg": (found("engine", "unknown", answer(1), None, differed=False), True),
    "no off leg, and it didn't fire": (found("engine", "unknown", answer(1), None, fired=()), False),
}


@pytest.mark.parametrize("sample", PARTS.values(), ids=PARTS)
def test_a_rule_has_a_part_in_a_finding_that_may_not_be_there_without_it(sample) -> None:
    checked, *rules, expected = sample
    assert has_part(checked, *(rules or [()]), RULE) == expected


@pytest.mark.parametrize("sample", PARTS.values(), ids=PARTS)
def test_an_excuse_counts_where_the_rule_has_a_part(sample) -> None:
    checked, *rules, expected = sample
    stats = EvaluationStats()
    stats.add(checked, excuse(checked.verdict, "SPARK-1"), *(rules or [()]), RULE)
    assert stats.excused == ({"SPARK-1": 1} if expected else {})
    assert outcome(replace(stats, count=RuleCount(checked=60, fired=60), evident=30), convicted=False) == (
        "thin evidence" if expected else "acquitted"
    )


UNEXPLAINED = {
    "no off leg, and DuckDB has other rows": ("engine", "unknown", None, True),
    "no off leg, and DuckDB contradicts itself": ("engine", "duckdb", None, False),
    "parts of the query, and no rule is guilty": ("metamorphic", "on", answer(1), True),
    "both legs are wrong alike": ("engine", "unknown", answer(1), False),
    "Spark is wrong without the rule": ("rule", "off", answer(2), False),
}


@pytest.mark.parametrize(("kind", "blame", "off", "expected"), UNEXPLAINED.values(), ids=UNEXPLAINED)
def test_a_finding_that_does_not_convict_is_the_rules_own_unless_another_cause_is_known(
    kind: str, blame: str, off: Outcome | None, expected: bool
) -> None:
    checked, stats = found(kind, blame, answer(1), off), EvaluationStats()
    stats.add(checked, checked.verdict, (), RULE)
    name = f"{kind}, blame {blame}"
    assert (stats.unexplained, stats.others) == (({name: 1}, {}) if expected else ({}, {name: 1}))


@pytest.mark.parametrize(
    ("blame", "rules", "named"), [("on", ("Other",), True), ("on", (), False), ("off", (RULE,), False)], ids=str
)
def test_the_guilty_rules_of_a_finding_of_others_are_kept(blame: str, rules: tuple[str, ...], named: bool) -> None:
    stats = EvaluationStats()
    checked = replace(found("rule", blame, answer(1), answer(2)), fired=frozenset())
    stats.add(checked, checked.verdict, rules, RULE)
    assert stats.others.total() == 1
    assert stats.guilty == ({(f"rule, blame {blame}", rules): 1} if named else {})


def test_a_leg_that_raises_before_there_is_a_plan_says_nothing_of_the_rule() -> None:
    stats = stats_of(60, 60, 60, queries=100, agreed=60, evident=30)
    for _ in range(4):
        stats.add(checked_of(verdict=OPEN, legs={**SAME, "on": OVERFLOW}, fired=()), OPEN, (), RULE)
    assert (stats.unclear, outcome(stats, convicted=False)) == ({"order-open": 4}, "thin evidence")
