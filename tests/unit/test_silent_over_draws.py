"""The share of a fuzz run's cases that silent entries fit, and so could excuse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from oracles.engines.duckdb import DuckdbEngine
from oracles.triage.divergences import Divergence, load
from oracles.triage.explanation import shows
from oracles.triage.silent import silent_fits
from strategies.ir import Case
from tests.unit.campaign_queries import many_cases

pytestmark = pytest.mark.slow  # 5,000 draws take a minute or two

CEILING = 1.0
"""In percent of the draws, all silent entries together."""

ENTRIES = load()
TODAY = min(entry.expires for entry in ENTRIES)
"""A day on which all of them are in force."""


def as_run(case: Case) -> Case:
    """``case`` with the source that a fuzz run reads its tables from."""
    from_memory = case.settings.is_quick and case.settings.source != "v2"
    return replace(case, settings=replace(case.settings, source="memory")) if from_memory else case


@pytest.fixture(scope="module")
def duckdb() -> Iterator[DuckdbEngine]:
    with DuckdbEngine() as engine:
        yield engine


def share(entries: Sequence[Divergence], duckdb: DuckdbEngine) -> tuple[float, str]:
    """The percentage of the draws that at least one silent entry fits, and a table of each entry's."""
    counts: dict[str, int] = {}
    cases, fitting = many_cases(), 0
    for case in cases:
        found = silent_fits(
            entries, as_run(case), "4.3.0", TODAY, shows=lambda entry, case=case: shows(entry, case, duckdb)
        )
        fitting += bool(found)
        for name in found:
            counts[name] = counts.get(name, 0) + 1
    table = sorted(((100 * count / len(cases), name) for name, count in counts.items()), reverse=True)
    return 100 * fitting / len(cases), "\n".join(f"{percent:6.2f} % {name}" for percent, name in table)


def test_all_silent_entries_together_fit_few_draws(duckdb: DuckdbEngine) -> None:
    percent, table = share(ENTRIES, duckdb)
    assert percent <= CEILING, f"{percent:.2f} % of the draws, each alone:\n{table}"


def test_an_entry_that_fits_many_draws_breaks_the_ceiling_and_is_named(duckdb: DuckdbEngine) -> None:
    (some, *_) = (entry for entry in ENTRIES if entry.kind == "engine" and entry.is_silent and entry.covers("4.3.0"))
    wide = replace(some, id="too-wide", pattern="made of: Compare:=, Filter", without=None, under="")
    percent, table = share([wide], duckdb)
    assert percent > CEILING
    assert "too-wide" in table
