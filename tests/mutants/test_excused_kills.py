"""A hunt has the known divergences in force, as entries of the rule whose place the wrong version takes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.fuzz.record import Recorder
from assay.session.mutant_sources import load_mutants
from oracles.patterns.causes import REWRITES
from oracles.triage.divergences import Without, load
from strategies.shapes import load_shapes

pytestmark = [pytest.mark.assay_run("mutants"), pytest.mark.by("shape")]
(MUTANT,) = (mutant for mutant in load_mutants() if mutant.name == "CombineFiltersEither")
(KNOWN,) = (entry for entry in load() if entry.id == "SPARK-58383")
TOO_WIDE = replace(KNOWN, rules=(MUTANT.rule,), pattern="anything", without=Without(rewrite="in_as_flags"))
"""An entry of the rule that fits all of its findings: each is gone over tables without rows."""


def without_rows(case):
    return replace(case, database=replace(case.database, tables=tuple(map(_emptied, case.database.tables))))


def _emptied(table):
    return replace(table, rows=())


@pytest.mark.parametrize(
    ("entries", "killed"),
    [((), True), ((TOO_WIDE,), False), ((replace(TOO_WIDE, rules=("ColumnPruning",)),), True)],
    ids=["no entry", "an entry of its rule", "an entry of another rule"],
)
def test_a_kill_that_an_entry_excuses_is_counted_and_is_none(fuzzer, tmp_path, monkeypatch, entries, killed):
    monkeypatch.setitem(REWRITES, "in_as_flags", without_rows)
    # Beside those of Spark's own bugs, which the cases show, too.
    every = (*load(), *entries)
    apart = replace(fuzzer, recorder=Recorder(tmp_path / "kills.jsonl"), failures=tmp_path, divergences=every)
    # Without rows a plan of adaptive execution is the same with each rule, so that nothing explains a difference.
    cases = load_shapes()[MUTANT.shape_rule].cases().filter(lambda case: case.settings.is_quick)
    kill = apart.by_shape(MUTANT, cases, count=40)
    assert (kill.finding is not None, kill.excused > 0) == (killed, not killed)
