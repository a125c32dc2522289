"""One check on the real engines: evidence, switches that don't work, whom a finding is blamed on."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from oracles.answers.outcome import Raised, Rows
from oracles.checks import check
from oracles.checks.check import SwitchFailed
from oracles.checks.choices import all_that_changed, fixed
from oracles.rules.releases import is_among
from oracles.rules.rule import Rule
from oracles.rules.switch import Excluded
from oracles.triage.attribution import judged
from oracles.triage.bisect import blamed_on_rules, guilty_rules
from oracles.triage.divergences import fitting, load
from strategies.ir import (
    BIGINT,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Case,
    Cast,
    Col,
    Column,
    Compare,
    Database,
    Deduplicate,
    Exists,
    Filter,
    InList,
    IsNull,
    Item,
    Join,
    Limit,
    Lit,
    Outer,
    Project,
    Scan,
    SetOp,
    Settings,
    SortKey,
    Table,
    TryArith,
    Verbatim,
)

A = Col("a", INT)
T0 = Table("t0", (Column("a", INT),), ((1,), (1,), (2,), (None,)))
SCAN = Scan("t0", T0.columns)
ONES = Filter(SCAN, Compare("=", A, Lit(INT, 1)))
NO_FILTERS = "org.apache.spark.sql.catalyst.optimizer.InferFiltersFromConstraints"


DEFAULT = Settings()


def _case(query, settings=DEFAULT):
    return Case(query, Database((T0,)), settings)


def test_all_legs_agree_and_the_rules_fired(harness):
    checked = harness.check(_case(ONES), all_that_changed)
    assert (checked.verdict.name, "InferFiltersFromConstraints" in checked.fired, checked.differed) == (
        "agree",
        True,
        True,
    )


def test_a_rule_that_did_nothing_makes_a_check_vacuous(harness):
    off = fixed([harness.catalogue.rule("EliminateOuterJoin")])
    checked = harness.check(_case(ONES), off)
    assert (checked.verdict.name, checked.fired) == ("vacuous", ())


@pytest.mark.parametrize(
    ("rule", "aqe", "checks"),
    [
        ("EliminateOuterJoin", False, False),
        ("EliminateOuterJoin", True, True),
        ("InferFiltersFromConstraints", False, True),
    ],
    ids=["idle", "idle so far", "firing"],
)
def test_nothing_is_run_where_the_plan_shows_that_a_rule_is_idle(harness, rule, aqe, checks):
    """Adaptive execution goes on planning, so that nothing is known before it."""
    off = fixed([harness.catalogue.rule(rule)])
    case = _case(ONES, Settings(aqe=aqe))
    checked = harness.check_if_fired(case, off)
    assert (checked is not None) == checks
    assert checked is None or checked == harness.check(case, off)


def test_duckdb_is_not_asked_where_both_legs_have_the_same_rows(harness, known_bug, monkeypatch):
    """Whoever looks for a difference between the legs sees the same of it as ever."""
    off = fixed([harness.catalogue.rule(name) for name in ("InferFiltersFromConstraints", "ReplaceExceptWithFilter")])
    assert harness.check_if_fired(known_bug, off, differing=True) == harness.check(known_bug, off)
    monkeypatch.delattr(type(harness.duckdb), "run")
    assert harness.check_if_fired(_case(ONES), off, differing=True) is None


def test_a_switch_that_does_not_work_is_no_check(harness):
    """A misspelt exclusion is taken in silence by Spark; here the rule is seen at work on the off leg."""
    misspelt = Rule(
        name="InferFiltersFromConstraints", rule_name=NO_FILTERS, batch="a batch", switch=Excluded((NO_FILTERS + "s",))
    )
    with pytest.raises(SwitchFailed, match="InferFiltersFromConstraints"):
        harness.check(_case(ONES), fixed([misspelt]))


def test_a_rule_without_a_switch_is_judged_by_two_legs(harness):
    off = fixed([harness.catalogue.rule("NormalizeFloatingNumbers")])
    checked = harness.check(_case(ONES), off)
    assert sorted(checked.legs) == ["duckdb", "on"]


def test_a_finding_asks_the_off_leg_although_its_plan_looks_like_the_on_legs(harness, known_bug, monkeypatch):
    """Else a rule whose work the fingerprint does not show would have no part in what it makes wrong."""
    run, anyway = check.run_off, []

    def taken_for_the_same(stage, case, conf, on, analyzed, **how):
        anyway.append(how.get("anyway", False))
        off = run(stage, case, conf, on, analyzed, **how)
        return replace(off, plan=on.plan, **({} if anyway[-1] else {"outcome": on.outcome, "others": on.others}))

    monkeypatch.setattr(check, "run_off", taken_for_the_same)
    checked = harness.check(known_bug, fixed([harness.catalogue.rule("ReplaceExceptWithFilter")]))
    assert (checked.verdict.kind, checked.verdict.blame, anyway) == ("rule", "on", [False, True])


def test_of_a_check_that_passes_an_off_leg_with_the_same_plan_is_not_run(harness, monkeypatch):
    run, outcomes = check.run_off, []

    def noted(*given, **how):
        off = run(*given, **how)
        outcomes.append(off.outcome is given[3].outcome)
        return off

    monkeypatch.setattr(check, "run_off", noted)
    checked = harness.check(_case(ONES), fixed([harness.catalogue.rule("ReplaceExceptWithFilter")]))
    assert (checked.verdict.name, outcomes) == ("vacuous", [True])


@pytest.mark.parametrize("form", ["sql", "dataframe"])
@pytest.mark.parametrize("aqe", [False, True], ids=["static", "adaptive"])
@pytest.mark.parametrize("codegen", [False, True], ids=["interpreted", "generated"])
def test_how_a_leg_runs_changes_nothing(harness, form, aqe, codegen):
    query = Aggregate(SetOp("except", SCAN, ONES, all=True), (Item("k", A),), (Item("n", Agg("count")),))
    checked = harness.check(_case(query, Settings(form=form, aqe=aqe, codegen=codegen)), all_that_changed)
    assert (checked.verdict.name, "RewriteExceptAll" in checked.fired) == ("agree", True)


def test_a_limit_without_order_is_judged_by_its_size_and_its_input(harness):
    checked = harness.check(_case(AnyLimit(SetOp("union", SCAN, ONES, all=True), 2, 1)), all_that_changed)
    assert (checked.verdict.name, checked.has_rows) == ("agree", True)


def test_a_limit_under_a_total_order_is_a_sequence(harness):
    checked = harness.check(_case(Limit(SCAN, (SortKey(A, descending=True),), 3)), all_that_changed)
    on = checked.legs["on"]
    assert isinstance(on, Rows)
    assert (checked.verdict.kind, on.ordered, on.rows[0][0]) == (None, True, None)


@pytest.fixture(scope="module")
def known_bug():
    """SPARK-58383: the condition on a is bound to the computed column of that name."""
    one = Lit(INT, 1)
    left = Project(SCAN, (Item("a", TryArith("+", A, one)),))
    right = Project(ONES, (Item("a", TryArith("+", A, one)),))
    return _case(SetOp("except", left, right))


def test_an_engine_finding_is_put_to_the_rules_that_both_legs_had_on(harness, known_bug):
    """Off is a rule that has nothing to do with it, so both legs are wrong alike; DuckDB isn't."""
    first = harness.check(known_bug, fixed([harness.catalogue.rule("EliminateOuterJoin")]))
    again = blamed_on_rules(harness, first)
    assert (first.verdict.kind, again.verdict.kind, again.verdict.blame) == ("engine", "rule", "on")
    assert guilty_rules(harness, again) == ("ReplaceExceptWithFilter",)


def test_a_limit_over_wrong_rows_is_put_to_the_rule_that_made_them(harness, known_bug):
    """Its one row is right; that another one is not there to be taken shows in its input alone."""
    known_bug = replace(known_bug, database=Database((Table("t0", T0.columns, ((0,), (3,))),)))
    limited = replace(known_bug, query=AnyLimit(known_bug.query, 1))
    first = harness.check(limited, fixed([harness.catalogue.rule("EliminateOuterJoin")]))
    again = blamed_on_rules(harness, first)
    assert first.verdict.kind == "engine"
    assert (again.verdict.kind, again.verdict.blame, again.case) == ("rule", "on", known_bug)
    assert guilty_rules(harness, again) == ("ReplaceExceptWithFilter",)


def test_where_other_bugs_show_without_all_rules_one_at_a_time_is_turned_off(harness, known_bug):
    """Predicate pushdown hides another known bug: an EXISTS that is left in a join's ON can't be run."""
    twos = Alias(Project(SCAN, (Item("b", Lit(INT, 2)),)), "r")
    there = Exists(Filter(Alias(SCAN, "s"), IsNull(Outer("b", INT, "r"), negated=True)))
    query = Join(Alias(known_bug.query, "l"), twos, "semi", there)
    first = harness.check(replace(known_bug, query=query), fixed([harness.catalogue.rule("EliminateOuterJoin")]))
    without_all = harness.check(first.case, all_that_changed)
    again = blamed_on_rules(harness, first)
    assert (first.verdict.kind, without_all.verdict.blame) == ("engine", "off")
    assert (again.verdict.kind, again.verdict.blame) == ("rule", "on")
    assert guilty_rules(harness, again) == ("ReplaceExceptWithFilter",)


@pytest.mark.parametrize(("kind", "culprit"), [("except", "RewriteExceptAll"), ("intersect", "RewriteIntersectAll")])
def test_a_refused_plan_is_put_to_the_rule_that_made_it(harness, kind, culprit):
    """No leg gets so far as to have the rule among those that fired; a column listed twice is a known bug of it."""
    twice = Project(SCAN, (Item("a", A), Item("a", A)))
    first = harness.check(_case(SetOp(kind, twice, twice, all=True)), all_that_changed)
    again = blamed_on_rules(harness, first)
    guilty = guilty_rules(harness, again)
    (entry,) = fitting(load(), again, guilty, harness.spark.version, date(2026, 12, 1))
    assert (first.verdict.kind, first.verdict.blame) == ("invalid-plan", "unknown")
    assert (again.verdict.kind, again.verdict.blame, guilty) == ("invalid-plan", "on", (culprit,))
    assert entry.id == f"{kind}-all-over-a-column-twice"


def test_a_refused_plan_is_put_to_the_rule_that_made_it_where_nothing_turns_the_asked_one_off(harness):
    twice = Project(SCAN, (Item("a", A), Item("a", A)))
    asked = harness.catalogue.rule("V2ScanRelationPushDown")
    first = harness.check(_case(SetOp("intersect", twice, twice, all=True)), fixed([asked]))
    assert (first.verdict.kind, first.verdict.blame, "off" in first.legs) == ("invalid-plan", "on", False)
    assert guilty_rules(harness, blamed_on_rules(harness, first)) == ("RewriteIntersectAll",)


@pytest.mark.parametrize(("known", "ending"), [(True, "excused"), (False, "finding")], ids=["known", "unknown"])
def test_parts_that_fail_are_looked_at_as_a_query_of_their_own(harness, known, ending):
    """ORC's filters fail over a NULL in an IN list, whichever rule was off: only the on leg was asked for the parts."""
    in_list = InList(A, (Lit(INT, 0), Lit(INT, None)))
    case = replace(_case(SCAN, Settings(source="orc")), partition=in_list)
    first = harness.check(case, fixed([harness.catalogue.rule("EliminateOuterJoin")]))
    checked, rules = judged(harness, first, load() if known else ())
    assert (first.verdict.kind, first.verdict.blame) == ("internal", "on")
    assert (checked.verdict.name, checked.verdict.blame, rules, checked.case.partition) == (ending, "unknown", (), None)
    assert checked.verdict.divergence == ("orc-in-list-with-null" if known else None)


TWICE = Project(SCAN, (Item("a", A), Item("a", A)))
TWO_BUGS = _case(SetOp("intersect", SetOp("except", TWICE, TWICE, all=True), TWICE, all=True))
BOTH = ["except-all-over-a-column-twice", "intersect-all-over-a-column-twice"]


@pytest.mark.parametrize(
    ("known", "ending"), [(BOTH, "excused"), (BOTH[:1], "finding"), (BOTH[1:], "finding")], ids=["both", "one", "other"]
)
def test_two_bugs_that_meet_are_excused_where_both_are_known(harness, known, ending):
    """The first rule's error hides the second's; each is looked for with the other rule off."""
    first = harness.check(TWO_BUGS, all_that_changed)
    entries = [entry for entry in load() if entry.id in known]
    checked, rules = judged(harness, first, entries)
    assert (first.verdict.kind, first.verdict.blame) == ("invalid-plan", "unknown")
    assert (checked.verdict.name, sorted(rules)) == (ending, ["RewriteExceptAll", "RewriteIntersectAll"])


def test_a_known_divergence_excuses_its_own_rule_alone(harness, known_bug):
    checked = harness.check(known_bug, all_that_changed)
    today = date(2026, 12, 1)
    fit = [
        fitting(load(), checked, rules, harness.spark.version, today)
        for rules in (("ReplaceExceptWithFilter",), ("ReplaceExceptWithAntiJoin",))
    ]
    assert [[entry.id for entry in entries] for entries in fit] == [["SPARK-58383"], []]


def test_the_types_of_an_answer_count(harness):
    """INT and BIGINT sides make a BIGINT answer on all legs."""
    query = SetOp("intersect", SCAN, Project(SCAN, (Item("a", Cast(A, BIGINT)),)))
    on = harness.check(_case(query), all_that_changed).legs["on"]
    assert isinstance(on, Rows)
    assert on.schema == ("int64",)


def test_a_form_that_a_query_has_not_is_inconclusive(harness):
    """The reducer tries it: dropDuplicates has no SQL."""
    checked = harness.check(_case(Deduplicate(SCAN, ("a",)), Settings(form="sql")), all_that_changed)
    assert checked.verdict.name == "inconclusive"


def test_where_duckdbs_optimizer_stumbles_duckdb_answers_without(harness):
    """It casts before it groups, what HAVING would have left out: a text that is no number raises."""
    texts = Table("t", (Column("s", STRING),), (("x",), ("1",), ("1",)))
    spark = "SELECT s FROM t GROUP BY s HAVING count(*) > 1 AND try_cast(s AS INT) = 1"
    case = Case(Verbatim(spark, spark.replace("try_cast", "CAST")), Database((texts,)))
    assert isinstance(harness.duckdb.run(case.query, case.database, optimize=True), Raised)
    checked = harness.check(case, all_that_changed)
    assert checked.optimizer_failed
    assert checked.legs["duckdb"] == harness.duckdb.run(case.query, case.database, optimize=False)
    assert checked.legs["duckdb"].rows == ((("string", "1"),),)
    assert checked.verdict.name in ("agree", "vacuous")


def test_duckdb_answers_without_its_optimizer_where_the_off_leg_alone_has_rows(harness):
    """Otherwise DuckDB would confirm an error that a rule makes of rows."""
    texts = Table("t", (Column("s", STRING),), (("x",), ("1",), ("1",)))
    text = "SELECT s FROM t GROUP BY s HAVING count(*) > 1 AND CAST(s AS INT) = 1"
    case = Case(Verbatim(text, text), Database((texts,)))
    pushed = [harness.catalogue.rule(name) for name in ("PushDownPredicates", "PushPredicateThroughNonJoin")]
    checked = harness.check(case, fixed(pushed))
    assert isinstance(checked.legs["on"], Raised)
    assert isinstance(checked.legs["off"], Rows)
    assert checked.optimizer_failed
    assert (checked.verdict.kind, checked.verdict.blame) == ("error", "on")


def test_a_closed_engine_starts_anew(harness):
    """A finding that doesn't repeat gets a fresh session."""
    harness.spark.close()
    assert harness.check(_case(ONES), all_that_changed).verdict.name == "agree"


@pytest.mark.parametrize("fast", [True, False], ids=["in the driver", "in jobs"])
@pytest.mark.parametrize(
    ("value", "theirs"),
    [("array(1, 2)", "CAST([1, 2] AS INTEGER[2])"), ("'a'", "CAST('a' AS ENUM('a', 'b'))")],
    ids=["a list of a fixed size", "an enumeration"],
)
def test_an_answer_that_cannot_be_compared_proves_nothing(harness, value, theirs, fast):
    query = Verbatim(f"SELECT {value} AS x FROM t0", f"SELECT {theirs} AS x FROM t0")
    checked = harness.check(_case(query), fixed([]), fast=fast)
    assert checked.legs["duckdb"].kind == "unsupported"
    assert checked.verdict.name == "inconclusive"


@pytest.mark.parametrize("fast", [True, False], ids=["in the driver", "in jobs"])
@pytest.mark.parametrize(
    ("value", "theirs", "verdict"),
    [
        ("make_interval(0, 1, 0, 2)", "INTERVAL '1 month 2 days'", "vacuous"),
        ("make_interval(0, 1, 0, 2)", "INTERVAL '32 days'", "finding"),
        ("TIME'01:02:03'", "TIME '01:02:03'", "vacuous"),
        ("TIME'01:02:03'", "TIME '01:02:04'", "finding"),
        ("map(1, 2, 3, 4)", "MAP {3: 4, 1: 2}", "vacuous"),
        ("map(1, 2)", "MAP {1: 3}", "finding"),
    ],
    ids=["an interval", "another interval", "a time", "another time", "a map in another order", "another map"],
)
def test_intervals_times_and_maps_are_compared(harness, value, theirs, verdict, fast):
    if value.startswith("TIME") and not is_among(harness.spark.version, ">=4.1"):
        pytest.skip("this release has no TIME")
    query = Verbatim(f"SELECT {value} AS x FROM t0", f"SELECT {theirs} AS x FROM t0")
    assert harness.check(_case(query), fixed([]), fast=fast).verdict.name == verdict
