"""Rules behind a switch: every form of class, every point, on and off, counted; and what does not load is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from jars.build import build, compile_rule
from tests.slow import switched_session

FORMS = ["AsObject", "AsClass", "WithSession", "WithClassicSession", "Outer$Nested"]

POINTS = {
    "resolution": "AsClass",
    "post-hoc-resolution": "AsClass",
    "hint-resolution": "Unresolved",
    "plan-normalization": "AsClass",
    "pre-operator-optimization": "AsClass",
    "optimizer": "AsClass",
    "pre-cbo": "AsClass",
    "runtime-optimizer": "AsClass",
    "experimental": "AsClass",
    "planner-strategy": "Strategy",
    "query-post-planner-strategy": "Physical",
    "query-stage-prep": "Physical",
    "query-stage-optimizer": "Physical",
    "columnar": "Columnar",
}

WRONG = {
    "forms.Missing": "forms.Missing: no such class on the class path",
    "forms.NotARule": "forms.NotARule is not a Rule[LogicalPlan]",
    "forms.Physical@optimizer": "forms.Physical is not a Rule[LogicalPlan]",
    "forms.AsClass@columnar": "forms.AsClass is not a ColumnarRule",
    "forms.NoUsableConstructor": "forms.NoUsableConstructor has no constructor without arguments, "
    "nor one that takes a SparkSession",
    "twice=forms.AsClass": "two rules are called twice: forms.AsObject@optimizer and forms.AsClass@optimizer",
    "a=b=c": "a=b=c: a rule is written [name=]fully.qualified.Class[@point][!off]",
}

#: For each point the class whose constructor raises.
RAISING = {point: f"forms.Raises${point.title().replace('-', '')}" for point in (*POINTS, "check")}

#: Three rows of one key; the wrong rules drop the filter that hides them.
QUERY = "SELECT k, count(*) AS n FROM VALUES (1), (1), (1), (2) t(k) GROUP BY k HAVING count(*) <> 3"
HIDDEN, SHOWN = [(2, 1)], [(1, 3), (2, 1)]

#: Spark computes a VALUES clause while it plans, so that no rule of a later point would see the filter.
LAZY = {"spark.sql.optimizer.excludedRules": "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation"}


def entries() -> list[str]:
    return [
        *(f"form{number}=forms.{form}!off" for number, form in enumerate(FORMS)),
        *(f"at-{point}=forms.{form}@{point}!off" for point, form in POINTS.items()),
        "at-check=forms.Check@check!off",
        "forms.AsObject@pre-cbo!off",
        "clean=forms.WantsCleanPlan@plan-normalization!off",
        "leftmost=forms.ExceptToLeft@plan-normalization!off",
        "late=forms.LateExcept@experimental!off",
        "no-null=forms.DeclaresNoNull@experimental!off",
        "forms.PlansLies@planner-strategy",
        "types=forms.ChangesTypes@experimental!off",
        "nullable=forms.AllowsNull@experimental!off",
        "twice=forms.AsObject!off",
        *WRONG,
        *(f"raising-{point}={name}@{point}" for point, name in RAISING.items()),
        "forms.AsClass@nowhere",
    ]


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    """The process of the session with the rules of ``SwitchForms.scala``, and what did not load, before any query."""
    jar = build().main
    forms = compile_rule(Path(__file__).with_name("SwitchForms.scala"), tmp_path_factory.mktemp("forms"))
    conf = {
        "spark.assay.rules": ";".join(entries()),
        "spark.assay.extensions": "forms.Extension,forms.RaisingExtension,forms.BringsRaising,forms.NoExtension",
        "spark.assay.rule.forms.FromExtension": "false",
        "spark.assay.rule.forms.Physical": "false",
    }
    with switched_session.process([jar, forms], conf) as process:
        yield process, process.submit(switched_session.ready).result()


@pytest.fixture(scope="module")
def switched(started):
    """The process alone."""
    return started[0]


@pytest.fixture(scope="module")
def unloaded(started):
    """The lines of what did not load."""
    return started[1]


def leg(process, sql=QUERY, *on, **more):
    conf = {**LAZY, **{f"spark.assay.rule.{name}": "true" for name in on}, **more}
    return process.submit(switched_session.leg, sql, conf).result()


def test_without_any_rule_on_the_session_answers_as_stock_spark(switched):
    ran = leg(switched)
    assert (ran.rows, ran.error) == (HIDDEN, None)
    always = ("forms.Extension", "PlansLies")
    assert {name: counts for name, counts in ran.injected.items() if not name.startswith(always)} == {}


@pytest.mark.parametrize("number", range(len(FORMS)), ids=FORMS)
def test_a_class_of_any_form_is_loaded_and_obeys_its_switch(switched, number):
    ran = leg(switched, QUERY, f"form{number}")
    assert ran.rows == SHOWN
    assert ran.injected[f"form{number}"][1] == 1


@pytest.mark.parametrize("point", POINTS)
def test_a_rule_acts_at_its_point_when_on(switched, point):
    ran = leg(switched, QUERY, f"at-{point}")
    assert (ran.error, ran.rows) == (None, SHOWN)
    calls, changed_plan = ran.injected[f"at-{point}"]
    assert calls >= changed_plan >= 1


def test_a_check_fires_by_raising(switched):
    ran = leg(switched, QUERY, "at-check")
    assert ran.injected["at-check"] == (1, 1)
    assert "saw a 3" in ran.error["message"]


def test_a_rule_that_is_on_but_has_nothing_to_do_was_called_and_not_effective(switched):
    calls, changed_plan = leg(switched, "SELECT 1", "form0").injected["form0"]
    assert calls >= 1
    assert changed_plan == 0


def test_counts_start_again_with_each_leg(switched):
    assert leg(switched, QUERY, "form0").injected == leg(switched, QUERY, "form0").injected


def test_a_rule_without_a_name_is_called_as_its_class(switched):
    assert leg(switched, QUERY, "AsObject").injected["AsObject"][1] >= 1


def test_the_rules_of_an_extension_are_called_as_their_classes_and_have_switches(switched):
    ran = leg(switched, QUERY, "forms.FromExtension")
    assert ran.rows == SHOWN
    assert ran.injected["forms.FromExtension"][1] == 1
    assert leg(switched, QUERY, "forms.Physical").injected["forms.Physical"][1] >= 1


def test_a_function_of_an_extension_is_called_by_its_place(switched):
    assert leg(switched).injected["forms.Extension.check.3"] == (1, 0)


@pytest.mark.parametrize(("entry", "line"), WRONG.items(), ids=WRONG.keys())
def test_what_does_not_load_is_one_line(switched, unloaded, entry, line):
    assert line in unloaded
    assert line in switched.submit(switched_session.errors).result()


@pytest.mark.parametrize(("point", "name"), RAISING.items(), ids=RAISING.keys())
def test_a_rule_whose_constructor_raises_is_told_before_any_query_at_every_point(unloaded, point, name):
    assert f"{name}: java.lang.IllegalStateException: no rule today" in unloaded


def test_a_point_that_does_not_exist_is_named_with_those_that_do(unloaded):
    (line,) = [line for line in unloaded if "nowhere" in line]
    assert "there is no point nowhere; the points are resolution, post-hoc-resolution" in line


@pytest.mark.parametrize(
    "problem",
    [
        "forms.RaisingExtension: java.lang.IllegalStateException: no extension today",
        "forms.BringsRaising: java.lang.IllegalStateException: no rule today",
        "forms.NoExtension: no such class on the class path",
    ],
)
def test_an_extension_that_does_not_load_is_one_line(unloaded, problem):
    assert problem in unloaded


def test_what_loads_is_listed_with_class_and_point(switched):
    listed = switched.submit(switched_session.loaded).result()
    assert "at-pre-cbo=forms.AsClass@pre-cbo" in listed
    assert "forms.FromExtension=forms.Extension@optimizer" in listed
    assert not [line for line in listed if "Missing" in line or "NotARule" in line]


NAMED = "WITH c AS (SELECT * FROM VALUES (1), (2) x(k)) SELECT * FROM (SELECT k FROM c AS d) AS e"
HELD = f"SELECT k FROM ({NAMED}) AS f WHERE k IN (SELECT k FROM ({NAMED}) AS g)"


@pytest.mark.parametrize("sql", [NAMED, HELD], ids=["plan", "subquery"])
def test_a_rule_at_plan_normalization_sees_no_alias_and_no_empty_projection(switched, sql):
    ran = leg(switched, sql, "clean")
    assert ran.error is None
    assert ran.injected["clean"] == (1, 0)


def test_a_rule_at_plan_normalization_that_changes_nothing_leaves_no_trace(switched):
    assert leg(switched, HELD, "clean").fingerprint == leg(switched, HELD).fingerprint


EXCEPT = "SELECT * FROM VALUES (1), (2) l(k) EXCEPT SELECT * FROM VALUES (2) r(k)"


@pytest.mark.parametrize(
    "sql",
    [
        EXCEPT,
        f"WITH c AS ({EXCEPT}) SELECT k FROM c",
        f"WITH c AS ({EXCEPT}) SELECT k FROM c UNION SELECT k FROM c",
        f"SELECT k FROM VALUES (1), (2) t(k) WHERE k IN ({EXCEPT})",
        f"SELECT k FROM VALUES (1), (2) t(k) WHERE EXISTS (SELECT 1 FROM ({EXCEPT}) e WHERE e.k = t.k)",
    ],
    ids=["top", "cte", "cte used twice", "in subquery", "under a correlated exists"],
)
def test_a_rule_at_plan_normalization_reaches_every_plan_of_the_query(switched, sql):
    ran = leg(switched, sql, "leftmost")
    assert (ran.error, ran.rows) == (None, [(1,), (2,)])
    assert ran.injected["leftmost"] == (1, 1)


def test_the_columns_keep_their_names_when_a_rule_changed_the_cleaned_plan(switched):
    ran = leg(switched, f"SELECT Name FROM (SELECT k AS NAME FROM ({EXCEPT}) AS e) AS f", "leftmost")
    assert (ran.columns, ran.rows) == (["Name"], [(1,), (2,)])


def test_an_except_that_reaches_the_planner_is_an_internal_error(switched):
    ran = leg(switched, "SELECT * FROM VALUES (1) l(k) LEFT ANTI JOIN VALUES (2) r(j) ON k = j", "late")
    assert ran.rows is None
    assert ran.error["internal"]


@pytest.mark.parametrize("point", ["optimizer", "plan-normalization", "runtime-optimizer", "query-stage-prep"])
def test_the_plan_around_a_switched_rule(switched, point):
    conf = {**LAZY, f"spark.assay.rule.at-{point}": "true"}
    before, after = switched.submit(switched_session.around, QUERY, conf, f"at-{point}").result()
    assert before.count("Filter") == after.count("Filter") + 1


def test_the_plan_around_a_rule_of_spark_itself(switched):
    before, after = switched.submit(switched_session.around, EXCEPT, LAZY, "ReplaceExceptWithAntiJoin").result()
    assert "Except" in before
    assert "LeftAnti" in after


def test_there_is_no_plan_around_a_rule_that_did_nothing(switched):
    assert switched.submit(switched_session.around, "SELECT 1", {}, "ReplaceExceptWithAntiJoin").result() == ("", "")


NULLABLE = "SELECT k FROM VALUES (1), (NULL) t(k)"
PROMISES = {
    "no-null": "column 1 (k) of the optimized plan is declared without NULL and has it",
    "types": "the optimized plan has columns of (string), the query of (int)",
}


@pytest.mark.parametrize(("rule", "told"), PROMISES.items(), ids=PROMISES)
def test_rows_that_break_a_promise_of_the_plan_are_an_invalid_plan(switched, rule, told):
    ran = leg(switched, NULLABLE, rule)
    assert (ran.rows, ran.error["invalidPlan"], ran.error["internal"]) == (None, True, False)
    assert told in ran.error["message"]


def test_a_promise_that_holds_is_no_fault(switched):
    """The declaration is as wrong as before, but no row gives it the lie."""
    assert leg(switched, "SELECT k FROM VALUES (1), (2) t(k)", "no-null").rows == [(1,), (2,)]


@pytest.mark.parametrize(
    ("rule", "validation"),
    [("types", "spark.sql.planChangeValidation"), ("nullable", "spark.sql.planChangeValidation.nullability")],
    ids=["types", "nullability"],
)
def test_sparks_own_validation_refuses_a_planted_invalid_plan(switched, rule, validation):
    conf = {"spark.sql.planChangeValidation": "true", validation: "true"}
    ran = leg(switched, "SELECT k FROM VALUES (1), (2) t(k)", rule, **conf)
    assert (ran.rows, ran.error["invalidPlan"]) == (None, True)
    assert ran.error["condition"].startswith("PLAN_VALIDATION_FAILED")
