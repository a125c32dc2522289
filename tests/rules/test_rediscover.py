"""Each known bug's witness as a case: a finding where the release has the bug, none where it is mended."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.fuzz.supervision import Guard
from assay.releases.rediscover.main import ask
from assay.releases.rediscover.standing import Standing
from assay.releases.rediscover.tickets import Benchmark, load
from oracles.triage.divergences import load as load_divergences

BENCHMARK = load()
ASKED = [ticket for ticket in BENCHMARK.tickets if ticket.witness is not None]


def standings(harness, *tickets):
    every = ask(harness, Benchmark(BENCHMARK.tried, tickets), load_divergences(), Guard())
    return [each.standing for each in every]


@pytest.mark.parametrize("ticket", ASKED, ids=lambda ticket: ticket.id)
def test_a_witness_ends_as_its_ticket_says(harness, ticket):
    (stands,) = standings(harness, ticket)
    assert not stands.is_wrong, stands.value


def test_a_witness_that_shows_nothing_is_missed(harness):
    """The query of a mended bug, planted as one that this release has."""
    spark = harness.spark.version
    mended = next(ticket for ticket in ASKED if ticket.id == "SPARK-58384")
    planted = replace(mended, releases=(spark,), found={spark: "rule: OptimizeJoinCondition"})
    tried = Benchmark((spark,), (planted,))
    assert [each.standing for each in ask(harness, tried, load_divergences(), Guard())] == [Standing.MISSED]


def test_a_finding_where_the_bug_is_mended_is_back(harness):
    """The query of a bug that is still there, planted as a mended one."""
    spark = harness.spark.version
    there = next(ticket for ticket in ASKED if ticket.id == "SPARK-58442")
    tried = Benchmark((spark,), (replace(there, releases=(), found={}),))
    assert [each.standing for each in ask(harness, tried, load_divergences(), Guard())] == [Standing.BACK]
