"""An inverted conditional changes what it decides and nothing else; what a run with it shows is put under one fate."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace

import pyarrow as pa
import pytest

from assay.coverage import inverted as inverted_module
from assay.coverage import inverted_main
from assay.coverage.inverted import SEEN, Base, Inverted, Inverting, fate_of
from assay.coverage.inverted_main import InversionScore, rules_table, summary, totals_text, undecided
from assay.coverage.measure import MOST_LOSSES, Job
from assay.session.console import text_of
from assay.session.ending import BadInput
from assay.session.options import RuleRequest
from oracles.answers.outcome import Raised, outcome_of
from oracles.checks.verdict import judge
from oracles.engines.protocol import LegReport
from oracles.engines.spark.inversions import Conditional
from oracles.engines.spark.probes import ProbesFailed
from oracles.patterns.order import order_of
from strategies.ir import INT, AnyLimit, Case, Col, Column, Compare, Database, Filter, Lit, RaisingArith, Scan, Table
from tests.unit.coverage_samples import options
from tests.unit.planted_jvm import LISTED_ELSEWHERE, SOURCE, planted_jvm

T = Scan("t", (Column("a", INT),))
DATABASE, OTHER, THIRD = (
    Database((Table("t", (Column("a", INT),), values),)) for values in (((1,), (2,), (9,)), ((3,),), ((5,), (6,)))
)
PACKAGE = "org.apache.spark.sql.catalyst.optimizer."
BASE = ["1", "2", "3", "0", "one", "text", "1"]
"""The results of the planted methods: both choices, two loops, a made text, two matches."""


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    return planted_jvm(tmp_path_factory.mktemp("planted"))


@pytest.fixture(scope="module")
def inverted(planted):
    """The results of the planted methods by the text of the line whose conditional is inverted."""
    told = json.loads(planted("planted.run.PlantedInversions").stdout.splitlines()[-1])
    assert told["problems"] == ""
    assert told["runs"] > 0
    lines = [SOURCE.splitlines()[each["line"] - 1].strip() for each in told["conditionals"]]
    # Of several conditionals in a line, the first.
    return told, dict(reversed(list(zip(lines, told["inverted"], strict=True))))


def test_without_an_inversion_nothing_changes(inverted):
    told, _ = inverted
    assert told["base"] == BASE
    assert told["after"] == BASE


def test_an_inverted_conditional_takes_the_other_branch_and_no_other_one_does(inverted):
    _, results = inverted
    assert results["if (first) 1"] == ["2", "1", *BASE[2:]]
    assert results['if (first) "one"'] == [*BASE[:4], "other", *BASE[5:]]


def test_a_loop_that_would_not_end_ends_all_until_another_conditional_is_inverted(inverted):
    _, results = inverted
    assert results["while (done < times)"] == ["1", "2", "0", *["Loops"] * 4]


@pytest.mark.slow  # loads every class
def test_every_class_with_conditionals_is_verified(planted):
    ended = planted("planted.run.PlantedInversions", *LISTED_ELSEWHERE)
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout.splitlines()[-1])
    assert told["problems"] == ""
    assert len(told["conditionals"]) > 3_000


def rows(*values):
    return outcome_of(lambda: pa.table({"a": pa.array(values, pa.int32())}))


def report(outcome, *others):
    return LegReport(outcome=outcome, changed_plan=frozenset(), plan="plan", others=others)


CASE = Case(T, DATABASE)
BASIS = Base(CASE, (OTHER, THIRD), (rows(1, 2), rows(3), None), "other plan")
FINDING = judge(rows(1), rows(2), rows(2), fired=True)
AGREE = judge(rows(1), rows(1), rows(1), fired=True)
OPEN = Filter(T, Compare("=", RaisingArith("%", Col("a", INT), Col("a", INT)), Lit(INT, 0)))


def never(database):
    raise AssertionError("no check over one database alone is needed")


@pytest.mark.parametrize(
    ("ran", "fate"),
    [
        (report(None), "same plan"),
        (report(rows(1, 2), rows(3), None), "another plan"),
        (report(rows(2, 1), rows(3), None), "another plan"),
        (report(rows(1), rows(3), None), "wrong rows"),
        (report(rows(1, 2)), "another plan"),
        (report(Raised("X", None, "", "internal")), "error"),
        (report(Raised("X", None, "", "user")), "error"),
        (report(Raised("X", None, "", "invalid-plan")), "invalid plan"),
        (report(Raised("PLAN_VALIDATION_FAILED_RULE_IN_BATCH", None, "", "internal")), "invalid plan"),
        (report(Raised("X", None, "", "timeout")), "inconclusive"),
        (report(Raised("X", None, "", "unsupported")), "inconclusive"),
    ],
)
def test_a_run_has_the_fate_that_a_check_gives_it(ran, fate):
    assert fate_of(ran, BASIS, never) == fate


@pytest.mark.parametrize(("kind", "fate"), [("user", "inconclusive"), ("internal", "error")])
def test_an_error_that_sql_allows_is_no_finding(kind, fate):
    assert order_of(OPEN) == "open"
    base = replace(BASIS, case=Case(OPEN, DATABASE))
    assert fate_of(report(Raised("DIVIDE_BY_ZERO", "22012", "", kind)), base, never) == fate


@pytest.mark.parametrize(
    ("others", "checked"),
    [((None, None), OTHER), ((rows(3), rows(9)), THIRD), ((rows(4), rows(9)), OTHER), ((rows(4), None), OTHER)],
)
@pytest.mark.parametrize(("verdict", "fate"), [(FINDING, "wrong rows"), (AGREE, "another plan")])
def test_the_first_extra_database_that_mismatches_is_checked_alone(others, checked, verdict, fate):
    alone = []

    def check(database):
        alone.append(database)
        return verdict

    assert fate_of(report(rows(1, 2), *others), BASIS, check) == fate
    assert alone == [checked]


@pytest.mark.parametrize(("ran", "fate"), [(rows(2, 9), "another plan"), (rows(1), "wrong rows")])
def test_under_a_limit_without_an_order_the_number_of_rows_counts(ran, fate):
    base = Base(Case(AnyLimit(T, 2), DATABASE), (), (rows(1, 2),), "other plan")
    assert fate_of(report(ran), base, never) == fate


class Lost(Exception):
    """The JVM is gone."""


class Session:
    """Counts one run of conditional 7, and one of conditional 8, in each run of a case."""

    version = "4.3.0"

    def __init__(self):
        self.conditionals = tuple(Conditional(f"{PACKAGE}A$", "apply", "A.scala", line) for line in range(20))
        self.closed, self.inverting, self.seen = 0, -1, Counter()

    def lost(self, error):
        return "died" if isinstance(error, Lost) else None

    def close(self):
        self.closed += 1

    def take(self):
        taken, self.seen = self.seen, Counter()
        return taken

    @contextmanager
    def inverted(self, number):
        self.inverting = number
        try:
            yield
        finally:
            self.inverting = -1


class Planted(Inverting):
    """Runs nothing: ``ends`` gives the report of each run, or raises, by the case and the conditional in question."""

    def __init__(self, ends, cases=(CASE,)):
        super().__init__(harness=None, shapes={}, run_seed=1)
        self.ends, self.cases, self.session, self.ran = ends, cases, Session(), []

    spark = inversions = property(lambda self: self.session)
    conditionals = property(lambda self: self.session.conditionals)

    def _run(self, case, others, known=""):
        self.ran.append((case.database, self.session.inverting))
        self.session.seen.update({7: 1, 8: 1})
        return self.ends(case, self.session.inverting)


@pytest.fixture
def collected(monkeypatch):
    """A function that collects cases; all of one job are those of the planted session."""

    def collect(planted):
        monkeypatch.setattr(inverted_module, "cases_of", lambda *given: planted.cases)
        planted.collect([Job("general", "", 0, len(planted.cases))])
        return planted

    return collect


def in_driver(*values, plan="plan", others=()):
    return LegReport(outcome=rows(*values), changed_plan=frozenset(), plan=plan, in_driver=True, others=others)


def test_a_case_runs_twice_and_its_conditionals_count_once(collected):
    planted = collected(Planted(lambda case, number: in_driver(1)))
    assert len(planted.ran) == 2
    assert len(planted.bases) == 1
    assert dict(planted.runs) == {7: 1, 8: 1}


@pytest.mark.parametrize(
    "again",
    [
        in_driver(1, plan="plan with another fingerprint"),
        in_driver(2),
        in_driver(1, others=(rows(4),)),
        in_driver(1, others=(None,)),
    ],
)
def test_a_case_whose_two_runs_differ_is_not_kept(again, collected):
    ends = iter([in_driver(1, others=(rows(3),)), again])
    with pytest.raises(ProbesFailed, match="no conditional was seen to run"):
        collected(Planted(lambda case, number: next(ends)))


def test_a_lost_jvm_takes_its_case_with_it_and_no_other(collected):
    def ends(case, number):
        if case.query == OPEN:
            raise Lost
        return in_driver(1)

    planted = collected(Planted(ends, (Case(OPEN, DATABASE), CASE)))
    assert [base.case.query for base in planted.bases] == [T]
    assert (planted.losses, planted.session.closed) == (1, 1)


def test_too_many_lost_jvms_end_the_run(collected):
    def ends(case, number):
        raise Lost

    planted = Planted(ends, (CASE,) * 9)
    with pytest.raises(Lost):
        collected(planted)
    assert planted.losses == MOST_LOSSES + 1


def test_a_lost_jvm_is_no_evidence_and_its_conditional_is_tried_no_more(collected):
    def ends(case, number):
        if number == 7:
            raise Lost
        return in_driver(1) if number < 0 else report(rows(1))

    planted = collected(Planted(ends, (CASE,) * 3))
    first, second = planted.tried_each([7, 8])
    assert (first.fate, first.cases, planted.losses) == ("inconclusive", 1, 1)
    assert (second.fate, second.cases) == ("another plan", 3)
    assert first.fate not in SEEN


def test_conditionals_after_too_many_lost_jvms_are_not_tried(collected):
    def ends(case, number):
        if number >= 0:
            raise Lost
        return in_driver(1)

    planted = collected(Planted(ends))
    tried = planted.tried_each([7, 8, 7, 8, 7, 8])
    assert len(tried) == MOST_LOSSES + 1
    assert undecided(InversionScore(tried, {}, 2, {}), 6) == "ended after 4 of 6 conditionals: too many JVMs were lost"


def test_over_one_database_alone_both_runs_are_anew(collected):
    """Over the first database the inverted plan needs jobs for one extra database, where its rows are wrong."""

    def ends(case, number):
        if number < 0:
            return in_driver(1, others=(rows(3), rows(4), rows(5)))
        return (
            in_driver(1, plan="other", others=(rows(3), None, rows(5)))
            if case == Case(T, DATABASE)
            else report(rows(2))
        )

    planted = collected(Planted(ends))
    assert planted.tried(7).fate == "wrong rows"
    (_, *others) = planted.bases[0].others
    assert planted.ran[-2:] == [(others[0], -1), (others[0], 7)]


@pytest.mark.parametrize(
    ("fates", "said"),
    [
        (["same plan", "same plan"], "none of the 2 inverted conditionals changed anything"),
        (["same plan", "inconclusive"], "none of the 2 inverted conditionals changed anything"),
        ([], "no conditional was tried"),
        (["same plan", "another plan"], ""),
        (["error"], ""),
    ],
)
def test_a_run_in_which_no_inversion_changes_anything_is_undecided(fates, said):
    one = Conditional(f"{PACKAGE}A$", "apply", "A.scala", 7)
    assert undecided(InversionScore([Inverted(one, fate, 1) for fate in fates], {}, 2, {}), len(fates)) == said


def test_a_rule_of_ones_own_is_bad_input_before_anything_starts(tmp_path, monkeypatch):
    def start():
        raise AssertionError("Java was looked for")

    monkeypatch.setattr(inverted_main, "prepare_java", start)
    own = RuleRequest(
        text="My.scala:MyRule@optimizer", name="MyRule", class_name="com.acme.MyRule", source=tmp_path / "My.scala"
    )
    with pytest.raises(BadInput) as told:
        inverted_main.run(replace(options(), rules=(own,)), 5)
    assert str(told.value) == "--rule MyRule: only conditionals of Spark's own rules are inverted"


def score():
    def one(name, fate, runs):
        return Inverted(Conditional(f"{PACKAGE}{name}$", "apply", f"{name}.scala", 7), fate, runs, 1)

    tried = [
        one("A", "wrong rows", 5),
        one("A", "another plan", 2),
        one("A", "another plan", 9),
        one("B", "error", 1),
        one("C", "same plan", 1),
    ]
    return InversionScore(tried, {"A": 4, "D": 1}, 10, {f"{PACKAGE}A": "A", f"{PACKAGE}B": "B"})


def test_the_score_is_of_those_that_change_a_plan_without_an_error():
    assert score().shown == pytest.approx(1 / 3)
    assert [each.runs for each in score().survivors] == [9, 2]


def test_the_fates_add_up_by_rule():
    told = summary(score())
    assert told["conditionals"] == 15
    assert told["rules"]["A"] == {
        "wrong rows": 1,
        "error": 0,
        "invalid plan": 0,
        "another plan": 2,
        "inconclusive": 0,
        "same plan": 0,
        "never run": 4,
    }
    assert told["rules"]["D"]["never run"] == 1
    assert sum(told["fates"].values()) == 5


def test_the_totals_say_what_a_check_sees():
    first, last = totals_text(score(), 3, 1.5)
    assert first.startswith("3 cases ran 10 of 15 conditionals; 5 were inverted: 1 wrong rows, 1 error")
    assert last.startswith(
        "a check sees 40 % of them; of those that change a plan without an error, 33 % give wrong rows"
    )


def test_the_fates_by_rule_are_a_table():
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in text_of(rules_table(score())).splitlines()]
    assert ["A", "1", "", "", "2", "", "", "4"] in cells
    assert ["all", "1", "1", "0", "2", "0", "1", "5"] in cells
