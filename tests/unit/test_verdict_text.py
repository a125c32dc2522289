"""The text of a trial's verdict on a rule, without an engine."""

from __future__ import annotations

from collections import Counter
from io import StringIO

import pytest
from rich.console import Console

from assay.evaluation.acquittal import EvaluationStats
from assay.evaluation.rule_evaluation import RuleEvaluation
from assay.evaluation.timing import Timing
from assay.evaluation.verdict_text import headline, hints, notes, print_evaluation
from assay.fuzz.conviction import convicts
from oracles.checks.evidence import RuleCount
from oracles.checks.verdict import Verdict
from oracles.engines.protocol import PlansSeen

GIVEN = PlansSeen(1_000, {"Filter": 700, "Join": 300}, {"Filter(Relation)": 400})
ANALYZED = PlansSeen(1_000, {"Filter": 700, "Join": 300, "Except": 90}, {})
FASTER = Timing("SELECT 1", 500, (10.0, 12.0, 11.0, 10.0, 10.0), (20.0, 21.0, 19.0, 22.0, 20.0))
NO_FASTER = Timing("SELECT 1", 500, (10.0, 12.0, 11.0, 10.0, 10.0), (11.0, 10.0, 12.0, 9.0, 10.0))


def stats(
    fired: int = 812, differed: int = 640, agreed: int = 812, alone: int = 0, checked: int = 900, **more
) -> EvaluationStats:
    enough = min(agreed, differed)
    counts = {"queries": 1_000, "evident": enough, "verdicts": Counter(agree=900)}
    return EvaluationStats(
        count=RuleCount(checked=checked, fired=fired, differed=differed, two_legs=alone),
        agreed=agreed,
        **{**counts, **more},
    )


def evaluation(seen: EvaluationStats, **more) -> RuleEvaluation:
    given = {"operators": ("Except", "Filter"), "plans_seen": GIVEN, "analyzed": ANALYZED}
    return RuleEvaluation(rule="Mine", **{"point": "optimizer", **given, **more}, stats=seen)


HEADLINES = {
    "acquitted": (
        {"evident": 612},
        "acquitted: fired in 812, plans differed in 640 of 1,000 queries (900 checked), 612 "
        "kinds of queries agreed with rows, no difference",
    ),
    "acquitted, with no off leg": (
        {"alone": 812, "differed": 0, "evident": 0, "evident_alone": 612},
        "acquitted: fired in 812 of 1,000 queries (900 checked), against DuckDB alone, 612 "
        "kinds of queries agreed with rows, no difference",
    ),
    "too few agreements": (
        {"fired": 40, "differed": 31, "evident": 29},
        "thin evidence: fired in 40, plans differed in 31 of 1,000 queries (900 checked); 29 "
        "kinds of queries agreed with rows where the plans differed (30 needed)",
    ),
    "too few, with no off leg": (
        {"fired": 40, "alone": 40, "differed": 0, "evident": 0, "evident_alone": 29},
        "thin evidence: fired in 40 of 1,000 queries (900 checked), against DuckDB alone; 29 "
        "kinds of queries agreed with rows (30 needed)",
    ),
    "some with no off leg": (
        {"fired": 60, "alone": 20, "differed": 31, "evident": 29, "evident_alone": 20},
        "thin evidence: fired in 60, plans differed in 31 of 1,000 queries (900 checked, 20 against DuckDB alone); 29 "
        "kinds of queries agreed with rows where the plans differed (30 needed)",
    ),
    "nothing could be compared": (
        {"agreed": 0, "acting": Counter(raised=812)},
        "thin evidence: fired in 812, plans differed in 640 of 1,000 queries (900 checked); 0 "
        "kinds of queries agreed with rows where the plans differed (30 needed), 812 raised",
    ),
    "excused": (
        {"evident": 612, "excused": Counter({"SPARK-58442": 14, "another": 1})},
        "thin evidence: fired in 812, plans differed in 640 of 1,000 queries (900 checked); 612 "
        "kinds of queries agreed with rows where the plans differed (30 needed), 15 excused",
    ),
    "unexplained": (
        {"evident": 612, "unexplained": Counter({"engine, blame unknown": 2})},
        "thin evidence: fired in 812, plans differed in 640 of 1,000 queries (900 checked); 612 "
        "kinds of queries agreed with rows where the plans differed (30 needed), 2 unexplained",
    ),
    "every query checked": (
        {"fired": 40, "differed": 31, "evident": 29, "checked": 1_000},
        "thin evidence: fired in 40, plans differed in 31 of 1,000 queries; 29 "
        "kinds of queries agreed with rows where the plans differed (30 needed)",
    ),
    "never fired": ({"fired": 0, "differed": 0}, "never fired in 1,000 queries: nothing is known about this rule"),
}


@pytest.mark.parametrize(("counts", "said"), HEADLINES.values(), ids=HEADLINES)
def test_the_verdict_is_said_in_one_line_with_its_counts(counts, said: str) -> None:
    assert headline(evaluation(stats(**counts))) == said


MINE, PAIR, OTHER = ("Mine",), ("Another", "Mine"), ("Another",)
SPEAKS = {
    "another answer": ("rule", "on", MINE, True),
    "another answer, with others that do the same": ("rule", "on", PAIR, True),
    "another answer, and DuckDB has none": ("rule", "unknown", MINE, True),
    "in parts of the query": ("metamorphic", "on", MINE, True),
    "it fails": ("internal", "on", MINE, True),
    "another rule's answer": ("rule", "on", OTHER, False),
    "another rule's, in parts": ("metamorphic", "on", OTHER, False),
    "in parts, whatever is off": ("metamorphic", "on", (), False),
    "Spark is wrong without it": ("rule", "off", MINE, False),
    "both fail": ("internal", "unknown", (), False),
    "DuckDB alone": ("engine", "duckdb", (), False),
}


@pytest.mark.parametrize(("kind", "blame", "rules", "convicted"), SPEAKS.values(), ids=SPEAKS)
def test_a_rule_is_convicted_of_what_it_is_guilty_of(kind, blame, rules: tuple[str, ...], convicted: bool) -> None:
    """The off leg lacks the rule on trial, whoever is guilty."""
    assert convicts(Verdict(name="finding", kind=kind, blame=blame, reason="why"), rules, "Mine") == convicted


NEVER = stats(0, 0, 0)
HINTS = {
    "gone by then": ({}, "Except no longer exists at optimizer; try @plan-normalization"),
    "not drawn": ({"operators": ("Window",)}, "no query had a node Window at optimizer: --shapes takes queries of"),
    "not drawn at the first point": (
        {"point": "plan-normalization"},
        "no query had a node Except at plan-normalization: --shapes takes queries of",
    ),
    "never called": ({"plans_seen": PlansSeen()}, "no plan came to optimizer: the rule was never called"),
}


@pytest.mark.parametrize(("more", "said"), HINTS.values(), ids=HINTS)
def test_a_rule_that_never_fired_is_told_what_it_may_lack(more, said: str) -> None:
    (line,) = hints(evaluation(NEVER, **more))
    assert line.startswith(said)


@pytest.mark.parametrize(
    "held", [evaluation(stats()), evaluation(NEVER, point="")], ids=["it fired", "a rule of Spark's"]
)
def test_others_get_no_hint(held: RuleEvaluation) -> None:
    assert hints(held) == []


THIN = {
    "too few": (
        {"evident": 7},
        ["for more evidence: --shapes FILE.py with queries that suit the rule, --max-examples N (about 4,300 at this"],
    ),
    "none at all": (
        {"evident": 0},
        ["for more evidence: --shapes FILE.py with queries that suit the rule, --max-examples N, or another"],
    ),
    "plans never differed": (
        {"differed": 0, "evident": 0},
        ["the plans that ran never differed: other rules do the same, or undo what it does", "for more evidence: "],
    ),
    "no off leg": ({"alone": 812, "differed": 0, "evident": 0}, ["for more evidence: "]),
    "excused": (
        {"excused": Counter({"SPARK-58442": 14, "another": 1})},
        ["excused by SPARK-58442 (14), another (1): the rule may have a part in it; --shapes takes queries without it"],
    ),
    "unexplained": (
        {"unexplained": Counter({"engine, blame unknown": 2})},
        ["not known to have another cause: engine, blame unknown (2): the rule may have a part in it; --shapes takes"],
    ),
    "inconclusive": (
        {"acting": Counter(inconclusive=30)},
        ["30 of 812 queries on which it fired, or may have, ended inconclusive, more than 2 %: --shapes takes queries"],
    ),
}


@pytest.mark.parametrize(("more", "said"), THIN.values(), ids=THIN)
def test_where_the_evidence_is_thin_the_next_step_is_said(more, said: list[str]) -> None:
    lines = hints(evaluation(stats(**more)))
    assert len(lines) == len(said)
    assert [line.startswith(start) for line, start in zip(lines, said, strict=True)] == [True] * len(said)


NOTES = {
    "not idempotent": ({"restless": 3}, "note: not idempotent in 3 checks"),
    "not idempotent once": ({"restless": 1}, "note: not idempotent in 1 check ("),
    "findings of others": (
        {"others": Counter({"engine, blame unknown": 2})},
        "note: 2 findings (engine, blame unknown)",
    ),
    "a finding of others": ({"others": Counter({"internal, blame on": 1})}, "note: 1 finding (internal, blame on)"),
}


@pytest.mark.parametrize(("more", "said"), NOTES.values(), ids=NOTES)
def test_what_weakens_a_verdict_is_said(more, said: str) -> None:
    (line,) = notes(evaluation(stats(**more)))
    assert line.startswith(said)


def test_where_the_guilty_rules_of_others_are_known_they_are_named() -> None:
    what = "rule, blame on"
    guilty = Counter({(what, ("Another", "OfSpark")): 1, (what, ("Another",)): 7})
    told = notes(evaluation(stats(others=Counter({what: 10}), guilty=guilty), beside=["Another", "Third"]))
    assert told == [
        "note: 7 findings (rule, blame on) that the rule has no part in; guilty: Another, also on trial",
        "note: 1 finding (rule, blame on) that the rule has no part in; guilty: Another, also on trial, and OfSpark",
        "note: 2 findings (rule, blame on) that the rule has no part in: tox run -e fuzz looks into these",
    ]


def test_a_strong_acquittal_needs_no_note() -> None:
    assert notes(evaluation(stats(), timings=(FASTER,))) == []


def test_databases_beside_those_of_the_queries_are_told() -> None:
    (line,) = notes(evaluation(stats(databases=1_234)))
    assert line == "the same plans agreed over 1,234 databases more"


def test_times_that_differ_no_more_than_from_turn_to_turn_are_called_so() -> None:
    assert notes(evaluation(stats(), timings=(NO_FASTER,))) == [
        "time: no difference beyond what varies from turn to turn"
    ]


def test_times_that_were_asked_for_and_could_not_be_had_are_missed_aloud() -> None:
    (line,) = notes(evaluation(stats(), rows=500))
    assert line.startswith("time: no query over tables of 500 rows ended in time")


def test_times_are_told_as_a_ratio_with_its_spread() -> None:
    assert (FASTER.ratio, FASTER.ratios[0], FASTER.ratios[-1]) == (2.0, pytest.approx(1.727, abs=0.01), 2.2)
    console = Console(file=StringIO(), width=150)
    print_evaluation(console, evaluation(stats(), timings=(FASTER,)))
    text = console.file.getvalue()
    assert [each in text for each in ("2.00", "1.73-2.20", "10 ms", "20 ms", "tables of 500 rows")] == [True] * 5
