"""The three parts of a query convict wrong rules by themselves, without the off leg and without a second engine."""

from __future__ import annotations

import pytest

from assay.session.mutant_sources import load_mutants
from strategies.shapes import load_shapes
from strategies.shapes.data import counted
from tests.mutants.parts import convicted_by_parts

MUTANTS = {mutant.name: mutant for mutant in load_mutants()}
COUNT = 900
# Of each kind of query that is put together from parts in a way of its own.
CONVICTED = {
    "CombineFiltersEither": "WHERE",
    "PushPredicateThroughNonJoinFirstBranch": "a union",
    "EliminateOuterJoinAlwaysRejects": "an outer join",
    "ReorderJoinThroughOuterJoin": "several joins",
    "RemoveLiteralFromGroupExpressionsLiteralWithin": "an aggregate",
    "ReplaceExceptWithFilterNoDistinct": "a set operator",
}
HERE = {name: what for name, what in CONVICTED.items() if name in MUTANTS}


def test_each_is_a_wrong_rule_of_the_newest_release():
    assert CONVICTED.keys() <= {mutant.name for mutant in load_mutants(release="99.0")}


@pytest.mark.by("shape")
@pytest.mark.parametrize("name", HERE, ids=[f"{name} by {what}" for name, what in HERE.items()])
def test_convicted_by_its_own_parts(run, harness, name):
    mutant = MUTANTS[name]
    cases = load_shapes()[mutant.rule].cases()
    assert convicted_by_parts(harness, mutant, cases, count=COUNT, run_seed=run.options.seed)


@pytest.mark.by("shape")
def test_where_a_wrong_rule_finds_nothing_to_do_it_is_not_convicted(run, harness):
    """Of ``t0 EXCEPT ALL t1`` and its parts none has two filters, one on the other."""
    mutant, cases = MUTANTS["CombineFiltersEither"], counted("except", keeps_all=True)
    assert convicted_by_parts(harness, mutant, cases, count=60, run_seed=run.options.seed) is None
