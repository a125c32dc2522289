"""Wrong rules hunted with the query's own three parts alone: neither the off leg nor DuckDB is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from assay.fuzz.fuzzer import shard_seed
from assay.session.mutant_sources import Mutant
from oracles.answers.outcome import Outcome, Rows
from oracles.answers.rows import same
from oracles.checks.check import Harness
from strategies.draw.exprs import predicates
from strategies.draw.scopes import scope
from strategies.ir import Case, columns_to_partition_by, partitioned

_ROUND = 30
"""Cases drawn at once: a hunt goes on for as many rounds as it needs."""


@st.composite
def _in_parts(draw: DrawFn, cases: SearchStrategy[Case]) -> Case:
    case = draw(cases)
    fields = scope(columns_to_partition_by(case.query))
    return replace(case, partition=draw(predicates(fields, depth=1)) if fields else None)


def in_parts(cases: SearchStrategy[Case]) -> SearchStrategy[Case]:
    """``cases``, each with a predicate to partition it by, where it can be."""
    return _in_parts(cases)


def convicted_by_parts(
    harness: Harness, mutant: Mutant, cases: SearchStrategy[Case], *, count: int, run_seed: int
) -> int | None:
    """After how many of at most ``count`` of ``cases`` a query has other rows than its three parts, both with
    ``mutant`` in its original's place, while without it they have the same; None where that never happens.
    """
    seen = 0
    while seen < count:
        convicted = _first_convicting(harness, mutant, cases, shard_seed(run_seed, "parts", mutant.name, seen))
        if convicted is not None:
            return seen + convicted
        seen += _ROUND
    return None


def _first_convicting(harness: Harness, mutant: Mutant, cases: SearchStrategy[Case], round_seed: int) -> int | None:
    drawn = 0
    convicted: int | None = None

    @seed(round_seed)
    @settings(max_examples=_ROUND, phases=(Phase.generate,), database=None, deadline=None, derandomize=False)
    @given(in_parts(cases))
    def examples(case: Case) -> None:
        nonlocal drawn, convicted
        drawn += 1
        if convicted is None and case.partition is not None and _convicts(harness, mutant, case):
            convicted = drawn

    examples()
    return convicted


def _convicts(harness: Harness, mutant: Mutant, case: Case) -> bool:
    harness.catalogue.rule(mutant.name)  # refuses one that isn't loaded, whose settings would mean nothing
    return _contradicts_itself(harness, case, mutant.settings(harness.catalogue).on) and not _contradicts_itself(
        harness, case, {}
    )


def _contradicts_itself(harness: Harness, case: Case, conf: Mapping[str, str]) -> bool:
    assert case.partition is not None  # asked before
    with harness.spark.stage(case.database, case.settings, fast=True) as stage:
        outcomes: list[Outcome | None] = []
        for query in (case.query, partitioned(case.query, case.partition)):
            with stage.leg(query, conf) as leg:
                outcomes.append(leg.run().outcome)
    whole, parts = outcomes
    return isinstance(whole, Rows) and isinstance(parts, Rows) and not same(whole, parts)
