"""The jar's data source of the second kind joins its tables itself where Spark offers it, and as Spark does."""

from __future__ import annotations

import pytest

from oracles.answers.rows import same
from oracles.checks.choices import all_that_changed
from strategies.ir import Case
from tests.rules.test_v2_source import DATABASE, case_of, executed

JOINS = ("filters", "joins")
WHOLE = (*JOINS, "columns", "aggregates", "limits", "top n", "offsets")
PARTS = (*JOINS, "columns", "weak aggregates", "weak limits", "weak top n")
JOINED = "t0 JOIN t1 ON t0.a = t1.a"
INNER = f"SELECT t0.b, t1.b AS c FROM {JOINED}"
PUSHED = {
    "inner": (INNER, 1),
    "left": ("SELECT t0.b, t1.c FROM t0 LEFT JOIN t1 ON t0.a = t1.a AND t1.b = 1", 1),
    "right": ("SELECT t0.b, t1.c FROM t0 RIGHT JOIN t1 ON t0.a <=> t1.a", 1),
    "a table with itself": ("SELECT x.b, y.b AS c FROM t0 x JOIN t0 y ON x.a = y.b", 1),
    "under filters": (f"SELECT t0.b, t1.d FROM {JOINED} WHERE t0.c = 'x' AND t1.d > 2.5", 1),
    "below a filter": ("SELECT t1.a FROM t0 LEFT JOIN t1 ON t0.a = t1.b WHERE t1.d IS NULL", 1),
    "three tables": (f"SELECT t0.a, t1.b, u.c FROM {JOINED} JOIN t0 AS u ON t1.b = u.b", 2),
    "outer joins of three": (
        "SELECT x.b, y.b AS c FROM t0 x LEFT JOIN t1 y ON x.a = y.a RIGHT JOIN t0 z ON y.c = z.c",
        2,
    ),
}
"""Queries, and how many joins the one scan of each has."""

LEFT = {
    "full": (JOINS, "SELECT t0.b, t1.c FROM t0 FULL JOIN t1 ON t0.a = t1.a"),
    "without a condition": (JOINS, "SELECT t0.b, t1.c FROM t0 CROSS JOIN t1"),
    "refused": (JOINS, f"SELECT t0.b FROM {JOINED} AND t0.b + t1.b > 2"),
    "by a rough filter": (("joins", "weak filters"), INNER),
    "by sources without joins": (("filters",), INNER),
}
"""Capabilities and queries whose joins are Spark's."""

ABOVE = {
    "aggregates": (f"SELECT t1.b, count(*) AS n, max(t0.b) AS m FROM {JOINED} GROUP BY t1.b", "BY (b_1)", "Aggregate"),
    "a limit": (f"SELECT count(*) AS n FROM (SELECT t0.a FROM {JOINED} LIMIT 5) s", "[5 BY ()", "GlobalLimit"),
    "the first": (f"SELECT t0.d, t1.d AS e FROM {JOINED} ORDER BY t1.d, t0.d LIMIT 3", "[3 BY (d_1 ASC", "TakeOrdered"),
    "an offset": (f"SELECT t0.d, t1.d AS e FROM {JOINED} ORDER BY t1.d, t0.d LIMIT 3 OFFSET 1", "[1]", "TakeOrdered"),
}
"""Queries with more above a join, what a scan then has, and what a plan has where the source does the join alone."""


def answer_of(harness, case: Case):
    with harness.spark.stage(case.database, case.settings, fast=True) as stage, stage.leg(case.query, {}) as leg:
        return leg.run().outcome


@pytest.mark.parametrize(("text", "joins"), PUSHED.values(), ids=PUSHED)
def test_a_join_that_the_source_accepts_is_one_scan(harness, text, joins):
    plan = executed(harness, case_of(text, *JOINS))
    assert (plan.count("BatchScan"), plan.count(" JOIN ("), plan.count("Join ")) == (1, joins, 0)


@pytest.mark.parametrize(("capabilities", "text"), LEFT.values(), ids=LEFT)
def test_a_join_that_is_not_offered_or_refused_is_sparks(harness, capabilities, text):
    plan = executed(harness, case_of(text, *capabilities))
    assert (plan.count("BatchScan"), plan.count(" JOIN (")) == (2, 0)


@pytest.mark.parametrize(("text", "present", "gone"), ABOVE.values(), ids=ABOVE)
def test_what_is_above_a_join_is_in_the_same_scan(harness, text, present, gone):
    plan, refused = (executed(harness, case_of(text, *each)) for each in (WHOLE, JOINS))
    assert plan.count(" JOIN (") == refused.count(" JOIN (") == 1
    assert present in plan
    assert gone.lower() not in plan.split("BatchScan")[0].lower()
    assert gone in refused


AVERAGES = f"SELECT avg(t1.b) AS v, max(t0.b) AS m FROM {JOINED}"


@pytest.mark.parametrize("accepted", [WHOLE, PARTS], ids=["whole", "in parts"])
def test_averages_over_a_join_are_sparks(harness, accepted):
    """Spark would ask for the sum and the count of the other side's column of that name."""
    case = case_of(AVERAGES, *accepted)
    assert "avg(" in executed(harness, case)
    assert same(answer_of(harness, case), answer_of(harness, case_of(AVERAGES)))


TEXTS = sorted({text for text, *_ in (*PUSHED.values(), *ABOVE.values())} | {text for _, text in LEFT.values()})


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("accepted", [WHOLE, PARTS], ids=["whole", "in parts"])
def test_a_join_of_the_source_changes_no_answer(harness, text, accepted):
    checked = harness.check(case_of(text, *accepted), all_that_changed, fast=True)
    assert (checked.verdict.kind, checked.has_rows) == (None, True), checked.verdict
    assert same(checked.legs["on"], answer_of(harness, case_of(text)))


CONDITIONS = (
    "l.a = r.a",
    "l.a <=> r.b",
    "l.a <> r.a",
    "l.b < r.a AND l.c = 'x'",
    "l.a = r.a OR l.b = r.b",
    "NOT (l.a = r.a AND r.b = 1)",
    "l.a IS NULL AND r.c IS NOT NULL",
    "l.a IN (r.a, r.b, 0)",
    "l.c = r.c",
    "l.x = r.x",
    "l.x < r.x",
    "l.d = r.d AND l.a IS NULL",
    "l.a = r.a AND r.c IN ('', NULL)",
)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_source_joins_by_a_condition_as_spark_does(harness, condition):
    """NULL meets nothing, a row meets each of its partners, and an outer join keeps a row that meets none."""
    for kind in ("INNER", "LEFT", "RIGHT"):
        text = f"SELECT l.*, r.a AS e, r.b AS f, r.c AS g, r.x AS y, r.d AS h FROM t0 l {kind} JOIN t1 r ON {condition}"
        joined, apart = (answer_of(harness, case_of(text, *each)) for each in (JOINS, ()))
        assert joined.rows, kind
        assert same(joined, apart), kind


def test_an_outer_join_keeps_each_row_that_meets_none(harness):
    text = "SELECT t0.a FROM t0 LEFT JOIN t1 ON t0.a = t1.a AND t1.b = 99"
    assert len(answer_of(harness, case_of(text, *JOINS)).rows) == len(DATABASE.tables[0].rows)
