"""Counterexamples of bounded verification: as small as their order makes them, without any reduction."""

from __future__ import annotations

import pytest

from assay.coverage.own_rule import OwnProbes
from assay.fuzz.conviction import convicts
from assay.fuzz.supervision import Guard
from assay.session.mutant_sources import named
from assay.verify.bound import Bound
from assay.verify.verifier import Verifier
from oracles.checks.choices import fixed
from oracles.failures.failure import Subject
from oracles.reductions.reducer import reduce
from oracles.reductions.size import size

pytestmark = [pytest.mark.assay_run("mutants"), pytest.mark.by("shape"), pytest.mark.in_driver]
NAMES = ["RewriteExceptAllNoReplication", "EliminateDistinctCounts", "ReplaceIntersectWithSemiJoinPlainEquality"]
SECONDS = 120.0


@pytest.mark.parametrize("name", NAMES)
def test_the_reducer_leaves_no_operator_and_no_row_out(harness, tmp_path, name):
    """It may still drop a column that nothing reads, and put a plainer value or condition in another's place."""
    (mutant,) = named([name])
    rule, both = harness.catalogue.rule(name), mutant.settings(harness.catalogue)
    result = Verifier(
        harness=harness,
        subject=Subject(mutant=name, settings=both),
        folder=tmp_path,
        failures=tmp_path / "failures",
        bound=Bound(seconds=SECONDS),
        guard=lambda rule: Guard(),
        stands_for={name: mutant.rule},
        probes=OwnProbes(classes={}),
    ).verify(rule)
    (finding,) = result.findings
    case = finding.checked.case

    def refutes(smaller):
        checked = harness.check_if_fired(smaller, fixed([rule]), both, fast=True, differing=True)
        return checked is not None and convicts(checked.verdict, checked.off, name)

    assert refutes(case)
    reduction = reduce(case, refutes, deadline_seconds=SECONDS)
    assert reduction.complete
    assert size(reduction.case)[:2] == size(case)[:2]
