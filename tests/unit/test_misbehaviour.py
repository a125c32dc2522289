"""A rule's faults beside the answer, and the verdict of a check that sees them."""

from __future__ import annotations

import pytest

from oracles.answers.outcome import Raised, Rows
from oracles.checks.misbehaviour import (
    LOOPS,
    NOT_IDEMPOTENT,
    ONCE,
    SCHEMA,
    THROWS,
    faults_of,
    is_restless,
    with_misbehaviour,
)
from oracles.checks.verdict import Verdict

AGREE = Verdict(name="agree", reason="all equal")
INCONCLUSIVE = Verdict(name="inconclusive", reason="on raises")
WRONG = Verdict(name="finding", kind="rule", blame="on", reason="on and off differ")
REFUSED = Verdict(name="finding", kind="invalid-plan", blame="on", reason="refused")
ENGINE = Verdict(name="finding", kind="engine", blame="unknown", reason="DuckDB has others")
ROWS = Rows(("int32",), ())
RAISED = Raised("NO_IDEA", None, "no idea", "user")


@pytest.mark.parametrize("point", ["optimizer", "experimental", "runtime-optimizer"])
def test_not_being_idempotent_is_noted_where_rules_run_until_nothing_changes(point: str) -> None:
    faults = faults_of(["Mine"], {"Mine": [NOT_IDEMPOTENT]}, {"Mine": point})
    assert (is_restless(faults), with_misbehaviour(AGREE, faults, ROWS, ROWS)) == (True, AGREE)


@pytest.mark.parametrize("point", sorted(ONCE))
def test_not_being_idempotent_is_a_fault_where_rules_run_once(point: str) -> None:
    faults = faults_of(["Mine"], {"Mine": [NOT_IDEMPOTENT]}, {"Mine": point})
    assert (is_restless(faults), with_misbehaviour(AGREE, faults, ROWS, ROWS).kind) == (False, "not-idempotent")


def test_the_faults_of_other_rules_do_not_count() -> None:
    assert faults_of(["Mine"], {"Yours": [LOOPS, SCHEMA]}, {"Mine": "optimizer", "Yours": "optimizer"}) == ()


BECOMES = {
    "nothing": (AGREE, (), AGREE),
    "a loop": (AGREE, (LOOPS,), "loop"),
    "a loop that isn't idempotent either": (AGREE, (LOOPS, NOT_IDEMPOTENT), "loop"),
    "a loop beside an engine's difference": (ENGINE, (LOOPS,), "loop"),
    "wrong rows are worse than a loop": (WRONG, (LOOPS,), "rule"),
    "another schema explains a plan that was refused": (REFUSED, (SCHEMA,), "schema"),
    "another schema that nobody noticed": (AGREE, (SCHEMA,), "schema"),
    "an exception that is a finding already": (REFUSED, (THROWS,), "invalid-plan"),
}


@pytest.mark.parametrize(("verdict", "faults", "becomes"), BECOMES.values(), ids=BECOMES)
def test_a_fault_makes_a_finding_unless_there_is_a_worse_one(verdict, faults, becomes) -> None:
    judged = with_misbehaviour(verdict, faults, ROWS, ROWS)
    assert becomes in (judged, judged.kind)


def test_a_rule_that_raises_where_there_is_an_answer_without_it_is_in_error() -> None:
    found = with_misbehaviour(INCONCLUSIVE, (THROWS,), RAISED, ROWS)
    assert (found.kind, found.blame, "NO_IDEA" in found.reason) == ("error", "on", True)


@pytest.mark.parametrize("off", [RAISED, None], ids=["raises too", "no off leg"])
def test_a_rule_that_raises_what_the_query_raises_anyway_is_not(off) -> None:
    assert with_misbehaviour(INCONCLUSIVE, (THROWS,), RAISED, off) == INCONCLUSIVE
