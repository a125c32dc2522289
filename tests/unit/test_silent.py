"""Silent entries: which known divergences are told by the query alone, and which cases they fit."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from oracles.triage.divergences import Divergence
from oracles.triage.silent import is_silent, silent_fits
from strategies.ir import Case, Compare, Filter, Settings
from tests.unit.failure_samples import EXCEPT, T0, A, case_of
from tests.unit.test_divergences import ENTRY

TODAY = date(2027, 1, 1)
RULE = "org.apache.spark.sql.catalyst.optimizer.ColumnPruning"
FILTER = replace(ENTRY, pattern="made of: Filter, source=orc")
ORC = Settings(source="orc")


@pytest.mark.parametrize(
    ("entry", "silent"),
    [
        (ENTRY, True),
        (replace(ENTRY, kind="engine", blame="unknown"), True),
        (replace(ENTRY, raised="INTERNAL_ERROR"), False),
        (replace(ENTRY, kind="engine", blame="duckdb"), False),
        (replace(ENTRY, under=RULE), False),
    ],
    ids=["a rule's", "an engine's", "an error tells it", "DuckDB's", "a rule has to be off"],
)
def test_an_entry_is_silent_where_only_the_query_tells_it(entry: Divergence, silent: bool) -> None:
    assert is_silent(entry) == silent


def test_an_entry_fits_a_case_that_its_pattern_takes_in() -> None:
    assert silent_fits([FILTER], case_of(EXCEPT, settings=ORC), "4.3.0", TODAY) == ("SPARK-1",)


@pytest.mark.parametrize(
    ("entry", "case", "spark", "today"),
    [
        (FILTER, case_of(T0, settings=ORC), "4.3.0", TODAY),
        (FILTER, case_of(Filter(T0, Compare(">", A, A))), "4.3.0", TODAY),
        (FILTER, case_of(EXCEPT, settings=ORC), "4.2.0", TODAY),
        (FILTER, case_of(EXCEPT, settings=ORC), "4.3.0", date(2028, 1, 1)),
        (replace(FILTER, raised="ERROR"), case_of(EXCEPT, settings=ORC), "4.3.0", TODAY),
    ],
    ids=["another query", "another source", "another release", "expired", "not silent"],
)
def test_an_entry_that_lacks_a_condition_fits_nothing(entry: Divergence, case: Case, spark: str, today: date) -> None:
    assert silent_fits([entry], case, spark, today) == ()


def test_entries_are_told_in_their_order() -> None:
    entries = [replace(FILTER, id=name) for name in "ba"]
    assert silent_fits(entries, case_of(EXCEPT, settings=ORC), "4.3.0", TODAY) == ("b", "a")
