"""The naive harness says the same of a failing query as Assay's legs do: the bench compares their verdicts."""

from __future__ import annotations

import pytest

from assay.bench.naive import NaiveSpark
from assay.bench.phases import Clock


@pytest.mark.parametrize(
    ("query", "kind", "condition"),
    [
        # RewriteIntersectAll over a column that is there twice: see the known divergences.
        (
            "(SELECT id, id FROM range(2)) INTERSECT ALL (SELECT id, id AS b FROM range(2))",
            "invalid-plan",
            "PLAN_VALIDATION_FAILED_RULE_IN_BATCH",
        ),
        ("SELECT CAST('x' AS INT)", "user", "CAST_INVALID_INPUT"),
        ("SELECT nothing", "user", "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION"),
    ],
    ids=["invalid plan", "arithmetic", "analysis"],
)
def test_an_error_is_told_by_its_condition(harness, query, kind, condition):
    session = harness.spark.session
    with pytest.raises(harness.spark.spark_errors) as raised:
        session.sql(query)._jdf.queryExecution().optimizedPlan()
    told = NaiveSpark(Clock()).raised(raised.value)
    assert (told.kind, told.condition) == (kind, condition)


def test_the_condition_of_a_cause_is_not_that_of_the_error():
    told = NaiveSpark(Clock()).raised(
        RuntimeError("An error occurred.\n: java.lang.Error: x\nCaused by: org.apache.spark.SparkException: [INNER] y")
    )
    assert (told.kind, told.condition) == ("internal", "RuntimeError")


def test_what_a_thread_waited_for_is_told_by_its_own_condition(harness):
    with pytest.raises(harness.spark.spark_errors) as raised:
        harness.spark.session.sql("SELECT (SELECT CAST(raise_error('no') AS INT) FROM range(1))").collect()
    assert "awaitResult" in str(raised.value)
    told = NaiveSpark(Clock()).raised(raised.value)
    assert (told.kind, told.condition) == ("user", "USER_RAISED_EXCEPTION")
