"""The suite is judged by the wrong rules it convicts: every planted one must be."""

from __future__ import annotations

import pytest

from assay.fuzz.case_mix import fuzz_cases
from assay.fuzz.mutant_streams import by_general
from assay.fuzz.report import survivors
from assay.fuzz.spread import suited
from assay.session.mutant_sources import load_mutants
from strategies.shapes import load_shapes

pytestmark = pytest.mark.assay_run("mutants")
MUTANTS = load_mutants()
QUICK = [*{mutant.shape_rule: mutant for mutant in reversed(MUTANTS)}.values()][::4]
"""One wrong version of every fourth rule: ``tox run`` hunts these alone, the rest is marked as slow."""
STREAMS = 2


def rarely(mutant):
    """``mutant``, marked as slow unless ``tox run`` hunts it."""
    marks = () if mutant in QUICK else pytest.mark.slow
    return pytest.param(mutant, id=mutant.name, marks=marks)


@pytest.mark.by("shape")
@pytest.mark.parametrize("mutant", [rarely(mutant) for mutant in MUTANTS])
def test_killed_by_the_shape_of_its_rule(fuzzer, mutant, request):
    """Within 300 examples, by a wrong answer that is blamed on it."""
    kill = fuzzer.by_shape(mutant, suited(load_shapes()[mutant.shape_rule].cases(), mutant.point))
    request.node.user_properties.append(("assay", "survivor"))
    assert kill.finding, f"{mutant.name} survived {kill.examples} examples of its shape: {mutant.law}"


@pytest.mark.by("general")
@pytest.mark.parametrize("stream", range(STREAMS))
def test_killed_by_general_queries(fuzzer, stream, request):
    """Within 3,000 queries, of which the first half know nothing of the rule, and the others what its class mentions; a
    few may survive, and the run's end counts them.
    """
    # By rule: those of one are tried together.
    rules = sorted({mutant.rule for mutant in MUTANTS})[stream::STREAMS]
    kills = by_general(fuzzer, [mutant for mutant in MUTANTS if mutant.rule in rules], fuzz_cases({}, ()))
    request.node.user_properties.append(("assay", "survivor"))
    assert not survivors([kill.entry() for kill in kills])
