"""A witness on DuckDB: it fails where two queries that mean the same differ, in one of many runs at least."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.triage.divergences import Divergence, Witness, load
from oracles.triage.witness import still_fails_on_duckdb

SETUP = ("CREATE SEQUENCE runs", "CREATE TABLE t AS SELECT 1 AS a")
ENTRY: Divergence = next(entry for entry in load() if entry.blame == "duckdb")


@pytest.mark.parametrize(
    ("query", "fails"),
    [
        ("SELECT a FROM t", False),
        ("SELECT a + 1 FROM t", True),
        ("SELECT CASE WHEN nextval('runs') % 500 = 0 THEN 2 ELSE a END FROM t", True),
        ("SELECT CASE WHEN nextval('runs') % 5000 = 0 THEN 2 ELSE a END FROM t", False),
    ],
    ids=["never", "always", "in one of 500 runs", "in none of as many as are made"],
)
def test_a_witness_with_a_query_that_means_the_same_is_given_many_chances(query: str, fails: bool) -> None:
    entry = replace(ENTRY, witness=Witness(SETUP, query, {}, "SELECT 1"))
    assert still_fails_on_duckdb(entry) is fails


@pytest.mark.parametrize(
    ("query", "fails"), [("SELECT a FROM t", False), (ENTRY.witness.query, True)], ids=["t", "bug"]
)
def test_a_witness_with_a_setting_fails_where_that_changes_the_answer(query: str, fails: bool) -> None:
    setup = (*ENTRY.witness.setup, "CREATE TABLE t AS SELECT 1 AS a")
    entry = replace(ENTRY, witness=Witness(setup, query, {"disable_optimizer": ""}))
    assert still_fails_on_duckdb(entry) is fails
