"""A wrong answer, or a lost, moved or invented error, of the on leg alone is a kill of a mutant."""

from __future__ import annotations

import pytest

from assay.fuzz.mutant_kills import is_excused_kill, is_kill
from oracles.checks.finding_kind import FindingKind
from oracles.checks.verdict import Verdict, excuse
from tests.unit.failure_samples import checked_of

KILLS = {
    kind: Verdict(name="finding", kind=kind, blame="on", reason="") for kind in (FindingKind.RULE, FindingKind.ERROR)
}
NO_KILLS = {
    "other rows of the off leg": Verdict(name="finding", kind=FindingKind.RULE, blame="off", reason=""),
    "an error that the off leg loses": Verdict(name="finding", kind=FindingKind.ERROR, blame="off", reason=""),
    "an error of nobody knows whom": Verdict(name="finding", kind=FindingKind.ERROR, blame="unknown", reason=""),
    "an internal error": Verdict(name="finding", kind=FindingKind.INTERNAL, blame="on", reason=""),
    "engines that differ": Verdict(name="finding", kind=FindingKind.ENGINE, blame="unknown", reason=""),
    "an error that all legs have": Verdict(name="same-error", reason=""),
    "an error that SQL leaves open": Verdict(name="order-open", reason=""),
}


@pytest.mark.parametrize("verdict", KILLS.values(), ids=KILLS)
def test_a_wrong_answer_or_error_of_the_on_leg_is_a_kill(verdict: Verdict) -> None:
    assert is_kill(checked_of(verdict=verdict), ("Mutant",), "Mutant")
    assert not is_excused_kill(checked_of(verdict=verdict), ("Mutant",), "Mutant")


@pytest.mark.parametrize("rules", [("CombineFilters",), ()], ids=["another", "none"])
def test_a_wrong_answer_of_which_the_mutant_is_not_guilty_is_no_kill(rules: tuple[str, ...]) -> None:
    """Rules that do the mutant's work go off with it, and may be the ones that are wrong."""
    assert not is_kill(checked_of(verdict=KILLS[FindingKind.RULE]), rules, "Mutant")


@pytest.mark.parametrize("verdict", KILLS.values(), ids=KILLS)
def test_a_kill_that_is_excused_is_counted_as_such(verdict: Verdict) -> None:
    excused = checked_of(verdict=excuse(verdict, "SPARK-1"))
    assert not is_kill(excused, ("Mutant",), "Mutant")
    assert is_excused_kill(excused, ("CombineFilters", "Mutant"), "Mutant")


@pytest.mark.parametrize("verdict", KILLS.values(), ids=KILLS)
def test_an_excused_difference_of_which_the_mutant_is_not_guilty_is_none(verdict: Verdict) -> None:
    """It is a bug of Spark's that the case shows as well."""
    assert not is_excused_kill(checked_of(verdict=excuse(verdict, "SPARK-1")), ("CombineFilters",), "Mutant")


@pytest.mark.parametrize("verdict", NO_KILLS.values(), ids=NO_KILLS)
def test_anything_else_is_no_kill(verdict: Verdict) -> None:
    assert not is_kill(checked_of(verdict=verdict), ("Mutant",), "Mutant")
