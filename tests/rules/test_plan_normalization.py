"""Rules ahead of Spark's own batches: the plans that they are handed are clean, and cleaning changes nothing else."""

from __future__ import annotations

import json

import pytest

from assay.fuzz.case_mix import forms_of
from oracles.answers.outcome import Raised
from oracles.checks.choices import fixed
from oracles.checks.misbehaviour import NOT_IDEMPOTENT, WATCHED
from oracles.checks.paths import Paths
from oracles.checks.result import LegSettings
from oracles.rules.switch import switched_on
from strategies.draw.cases import cases
from strategies.ir import INT, Column, Database, Table
from tests.rules.normalized_forms import FORMS, ONCE_HERE
from tests.rules.shape_checks import SETTINGS, drawn, known, wrong
from tests.rules.stock import PLAIN, answer

ROWS = Database(
    (
        Table("t", (Column("a", INT), Column("b", INT)), ((1, 1), (1, 2), (2, None), (None, 3))),
        Table("u", (Column("a", INT), Column("b", INT)), ((1, 1), (2, 2))),
    )
)

FORM_NAMES = {form.name for form in FORMS}
NAMED = "SELECT a, b FROM (SELECT * FROM t AS x) AS y"
EXCEPT = f"SELECT * FROM ({NAMED}) AS l EXCEPT SELECT * FROM ({NAMED}) AS r WHERE a > 1"
QUERIES = {
    "a plan": EXCEPT,
    "a view": "SELECT * FROM named EXCEPT SELECT * FROM named WHERE a > 1",
    "a CTE": f"WITH c AS ({EXCEPT}) SELECT * FROM c AS d",
    "a CTE used twice": f"WITH c AS ({EXCEPT}) SELECT * FROM c UNION ALL SELECT * FROM c",
    "an IN subquery": f"SELECT * FROM u WHERE (a, b) IN ({EXCEPT})",
    "a NOT IN subquery": f"SELECT * FROM u WHERE (a, b) NOT IN ({EXCEPT})",
    "a correlated EXISTS": f"SELECT * FROM u WHERE EXISTS (SELECT 1 FROM ({EXCEPT}) AS e WHERE e.a = u.a)",
    "a scalar subquery": f"SELECT a, (SELECT max(b) FROM ({EXCEPT}) AS e) AS m FROM u",
    "a subquery's subquery": (
        f"SELECT * FROM u WHERE a IN (SELECT a FROM t WHERE b > (SELECT min(b) FROM ({EXCEPT}) AS e))"
    ),
    "a lateral subquery": f"SELECT * FROM u, LATERAL (SELECT count(*) AS n FROM ({EXCEPT}) AS e WHERE e.a = u.a)",
    "below a set operator": f"SELECT * FROM u INTERSECT ({EXCEPT})",
}


@pytest.fixture(scope="module")
def tables(harness):
    with harness.spark.loaded(ROWS, "parquet"):
        # A view of SQL's has a projection that numbers its columns anew.
        harness.spark.session.table("t").alias("x").createOrReplaceTempView("named")
        yield harness


def changes(harness, query: str, rule: str) -> dict[str, int]:
    """How many plans of ``query`` the rules changed, ``rule`` alone being on, having run it."""
    injected = facts_of(harness, query, switched_on(rule))["injected"]
    return {name: changed_plan for name, (_, changed_plan) in injected.items() if name in FORM_NAMES}


def facts_of(harness, query: str, conf: dict[str, str]) -> dict:
    """The facts of a leg of ``query`` under ``conf``."""
    runner, session = harness.spark.runner, harness.spark.session._jsparkSession
    runner.configure(session, json.dumps(PLAIN | {"spark.sql.adaptive.enabled": "false"} | conf))
    try:
        facts = json.loads(runner.run(harness.spark.session.sql(query)._jdf, 60_000).facts())
    finally:
        runner.restore(session)
    assert facts["error"] is None, facts["error"]
    return facts


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_a_rule_whose_pattern_only_a_clean_plan_has_acts_wherever_it_stands(tables, query):
    assert changes(tables, query, "wants") == {"wants": 1}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_the_same_rule_on_plans_as_they_were_analyzed_never_acts(tables, query):
    assert changes(tables, query, "wants-uncleaned") == {"wants-uncleaned": 0}


DISTINCT = "LATERAL (SELECT DISTINCT t.b FROM t WHERE t.a = u.a) AS s"
READ_FROM_OUTSIDE = {
    "by a window": f"SELECT u.a, count(*) FILTER (WHERE isnan(s.b)) OVER () AS n FROM u, {DISTINCT}",
    "by a condition above": f"SELECT u.a FROM u, {DISTINCT} WHERE s.b > 1",
    "by the join's own condition": f"SELECT * FROM u LEFT JOIN {DISTINCT} ON s.b > 1",
    "by LATERAL beside it": f"SELECT * FROM u, {DISTINCT}, LATERAL (SELECT DISTINCT b - s.b AS c FROM t) AS r",
    "by LATERAL in LATERAL": (
        "SELECT * FROM u, LATERAL (SELECT s.b, r.c FROM (SELECT DISTINCT t.b FROM t WHERE t.a = u.a) AS s, "
        "LATERAL (SELECT DISTINCT s.b + t.a AS c FROM t) AS r) AS q"
    ),
    "by a subquery's correlation": f"SELECT s.b FROM u, {DISTINCT} WHERE EXISTS (SELECT * FROM t WHERE t.a = s.b)",
    "by the query around an IN": f"SELECT * FROM u WHERE b IN (SELECT s.b FROM u, {DISTINCT})",
}


@pytest.mark.parametrize("query", READ_FROM_OUTSIDE.values(), ids=READ_FROM_OUTSIDE)
def test_a_rule_may_number_anew_what_lateral_answers_and_is_read(tables, query):
    spark = tables.spark.session
    plain, renumbered = answer(spark, query), answer(spark, query, switched_on("renumbers"))
    assert plain.rows
    assert renumbered.rows == plain.rows
    assert changes(tables, query, "renumbers") == {"renumbers": 1}


@pytest.mark.parametrize("point", ONCE_HERE)
def test_a_rule_that_always_finds_something_to_do_is_applied_once_where_misbehaviour_says_so(tables, point):
    """A second application convicts a rule that isn't idempotent there, and is only noted elsewhere."""
    assert changes(tables, "SELECT * FROM u", f"wraps-{point}") == {f"wraps-{point}": 1}


def test_the_same_rule_is_applied_again_and_again_where_a_batch_has_a_fixed_point(tables):
    assert changes(tables, "SELECT * FROM u", "wraps-optimizer")["wraps-optimizer"] > 1


@pytest.mark.parametrize(("rule", "faults"), [("projects", {}), ("wraps", {"wraps": [NOT_IDEMPOTENT]})])
@pytest.mark.parametrize("query", ["SELECT * FROM u WHERE a > 1", QUERIES["an IN subquery"]], ids=["a plan", "within"])
def test_a_rule_is_asked_about_its_own_result_as_it_left_it(tables, query, rule, faults):
    """A cleaned one would lack the empty projection that an idempotent rule has made, which would make it again."""
    facts = facts_of(tables, query, {**WATCHED, **switched_on(rule)})
    assert (facts["injected"][rule][1], facts["misbehaviour"]) == (1, faults)


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_a_cleaned_plan_has_the_columns_of_the_plan_by_id_and_name_and_nothing_that_only_names(tables, query):
    clean = tables.spark.session._jvm.org.apache.spark.sql.assay.CleanPlan
    analyzed = tables.spark.session.sql(query)._jdf.queryExecution().analyzed()
    cleaned = clean.apply(analyzed)
    assert cleaned.output().mkString(" ") == analyzed.output().mkString(" ")
    assert cleaned.resolved()
    text = cleaned.treeString()
    assert "SubqueryAlias" in analyzed.treeString()
    assert not [kind for kind in ("SubqueryAlias", "View") if kind in text]


def test_a_projection_that_renames_leaves_out_or_turns_columns_is_kept(tables):
    clean = tables.spark.session._jvm.org.apache.spark.sql.assay.CleanPlan
    for items in ("a AS x, b", "a", "b, a", "a, b, a"):
        analyzed = tables.spark.session.sql(f"SELECT {items} FROM t")._jdf.queryExecution().analyzed()
        assert clean.apply(analyzed).treeString().startswith("Project")


def raised_by_both(check):
    """Whether both Spark legs raise the same error: the query is refused, whether plans are cleaned or not."""
    on, off = check.legs["on"], check.legs["off"]
    return isinstance(on, Raised) and isinstance(off, Raised) and on.condition == off.condition


@pytest.mark.slow  # runs many queries
def test_cleaning_changes_no_answer(harness):
    """Every plan of each query is changed, so that the cleaned ones run."""
    off = fixed([harness.catalogue.rule("wraps")])
    settings = LegSettings(on={**SETTINGS.on, **switched_on("wraps")}, off=SETTINGS.off)
    paths = Paths(harness, True, known)
    found = [checked for case in drawn(cases(forms_of=forms_of), 60) if (checked := paths.check(case, off, settings))]
    assert sum("wraps" in check.fired for check in found) >= 0.9 * len(found)
    answered = [check for check in found if not raised_by_both(check)]
    assert len(answered) >= 0.9 * len(found)
    assert wrong(answered) == []
