"""An inverted conditional changes what it decides and nothing else; what a run with it shows is put under one fate."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from assay.coverage.inverted import Base, Inverted, fate_of
from assay.coverage.inverted_main import InversionScore, summary, totals_text
from oracles.answers.outcome import Raised, outcome_of
from oracles.engines.protocol import LegReport
from oracles.engines.spark.inversions import Conditional
from strategies.ir import INT, AnyLimit, Case, Column, Database, Scan, Table
from tests.unit.planted_jvm import LISTED_ELSEWHERE, SOURCE, planted_jvm

T = Scan("t", (Column("a", INT),))
DATABASE = Database((Table("t", (Column("a", INT),), ((1,), (2,), (9,))),))
PACKAGE = "org.apache.spark.sql.catalyst.optimizer."
BASE = ["1", "2", "3", "0", "one", "text", "1"]
"""What the planted methods return: both choices, two loops, a made text, two matches."""


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    return planted_jvm(tmp_path_factory.mktemp("planted"))


@pytest.fixture(scope="module")
def inverted(planted):
    """What the planted methods return by the text of the line whose conditional is inverted."""
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


def test_every_class_with_conditionals_is_verified(planted):
    ended = planted("planted.run.PlantedInversions", *LISTED_ELSEWHERE)
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout.splitlines()[-1])
    assert told["problems"] == ""
    assert len(told["conditionals"]) > 3_000


def rows(*values):
    return outcome_of(lambda: pa.table({"a": pa.array(values, pa.int32())}))


def report(outcome, *others):
    return LegReport(outcome, frozenset(), "plan", others=others)


@pytest.mark.parametrize(
    ("ran", "fate"),
    [
        (report(None), "same plan"),
        (report(rows(1, 2), rows(3)), "another plan"),
        (report(rows(2, 1), rows(3)), "another plan"),
        (report(rows(1), rows(3)), "wrong rows"),
        (report(rows(1, 2), rows(3, 3)), "wrong rows"),
        (report(rows(1, 2), None), "another plan"),
        (report(rows(1, 2)), "another plan"),
        (report(Raised("X", None, "", "internal")), "error"),
        (report(Raised("X", None, "", "user")), "error"),
        (report(Raised("X", None, "", "invalid-plan")), "invalid plan"),
    ],
)
def test_a_run_has_one_fate(ran, fate):
    assert fate_of(ran, Base(Case(T, DATABASE), (), (rows(1, 2), rows(3)), "other plan")) == fate


@pytest.mark.parametrize(("ran", "fate"), [(rows(2, 9), "another plan"), (rows(1), "wrong rows")])
def test_under_a_limit_without_an_order_the_number_of_rows_counts(ran, fate):
    assert fate_of(report(ran), Base(Case(AnyLimit(T, 2), DATABASE), (), (rows(1, 2),), "other plan")) == fate


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
