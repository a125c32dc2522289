"""Planted wrong rules that the solver alone refutes: the ordinary check of its database convicts them."""

from __future__ import annotations

import pytest

from assay.coverage.own_rule import OwnProbes
from assay.fuzz.supervision import Guard
from assay.session.mutant_sources import named
from assay.verify.bound import Bound
from assay.verify.sweeps import Sweeper
from assay.verify.verifier import Verifier
from oracles.failures.failure import Subject

pytestmark = [pytest.mark.assay_run("mutants"), pytest.mark.by("shape"), pytest.mark.in_driver]
ROWS = {
    "RewriteExceptAllNoReplication": 2,  # as many copies as it takes
    "ReplaceIntersectWithSemiJoinPlainEquality": 1,  # a NULL
    "EliminateOuterJoinSwappedSides": 1,  # a row without a partner
}


@pytest.mark.parametrize(("name", "most"), ROWS.items(), ids=ROWS)
def test_a_refutation_is_confirmed_and_has_as_few_rows_as_it_takes(harness, tmp_path, monkeypatch, name, most):
    monkeypatch.setattr(Sweeper, "round", lambda *given: [])
    monkeypatch.setattr("assay.verify.verifier._Run._sampled", lambda *given: False)
    (mutant,) = named([name])
    result = Verifier(
        harness=harness,
        subject=Subject(mutant=name, settings=mutant.settings(harness.catalogue)),
        folder=tmp_path,
        failures=tmp_path / "failures",
        bound=Bound(pairs=2, seconds=120),
        guard=lambda rule: Guard(),
        stands_for={name: mutant.rule},
        probes=OwnProbes(classes={}),
        prove=True,
    ).verify(harness.catalogue.rule(name))
    assert (result.outcome, result.compared, result.proofs.undecided) == ("refuted", 0, 0)
    (finding,) = result.findings
    assert max(len(table.rows) for table in finding.checked.case.database.tables) == most
