"""A campaign with five wrong rules at once: each is a finding of its own, told once, however often it shows."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import pytest

from assay.ledger.folder import Folder
from assay.ledger.read import Ledger
from assay.session.mutant_sources import named
from oracles.failures.failure import UnreadableFailure, read_failure
from tests.slow.nightly_runs import Running

FIVE = (
    "EliminateOuterJoinAlwaysRejects",
    "PushDownPredicatesBelowLimit",
    "ReplaceDistinctWithAggregateMissingKey",
    "RewriteExceptAllRightCountsZero",
    "RewriteIntersectAllMoreThanOne",
)
LIMIT = 1_500.0
"""Seconds until all five have been met: about a thousand checks."""


def guilty(folder: Folder) -> set[str]:
    """All rules that a finding so far is blamed on."""
    rules: set[str] = set()
    for file in folder.findings.glob("*.json"):
        with suppress(UnreadableFailure):  # replaced by a smaller one right now
            rules.update(read_failure(file).rules)
    return rules


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """A campaign that goes on until all five are found, and for two rounds more, in which they show again."""
    out = tmp_path_factory.mktemp("planted") / "c"
    # Of small rounds there are more, and so of their sources.
    mutants = [word for name in FIVE for word in ("--mutant", name)]
    with Running(out, "--budget", "1h", "--round", 40, *mutants) as run:
        run.until(lambda: guilty(run.folder) >= set(FIVE), LIMIT)
        run.until_rounds(2)
        run.interrupt()
    return run


def test_the_five_stand_for_five_rules():
    assert len({mutant.rule for mutant in named(FIVE)}) == len(FIVE)


def test_each_wrong_rule_is_found_once_and_nothing_else_is(planted):
    """A difference of Spark's own is excused, and no finding."""
    found = [read_failure(file) for file in planted.folder.findings.glob("*.json")]
    assert Counter(failure.rules for failure in found) == Counter((name,) for name in FIVE), planted.text


def test_each_is_blamed_on_the_leg_that_has_it_and_shown_by_a_small_query(planted):
    with Ledger([planted.folder.path]) as ledger:
        rows = ledger.findings()
    assert {row["blame"] for row in rows} == {"on"}, planted.text
    assert all(row["confirmed"] and row["operators"] <= 4 and row["rows"] <= 4 for row in rows), planted.text


def test_what_shows_again_is_counted(planted):
    with Ledger([planted.folder.path]) as ledger:
        rows = ledger.findings()
        checks = sum(told["checks"] for told in ledger.verdicts() if told["verdict"] == "finding")
    assert sum(row["count"] for row in rows) == checks > len(FIVE), planted.text
