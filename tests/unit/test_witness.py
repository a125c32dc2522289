"""A witness on DuckDB: it fails where two queries that mean the same differ, in one of many runs at least.

And the command that runs witnesses: what it prints, stores and refuses, with DuckDB alone.
"""

from __future__ import annotations

import json
from dataclasses import replace

import duckdb
import pytest

from assay.replay.register import entry_text
from oracles.triage.divergences import Divergence, Witness, load
from oracles.triage.witness import main, sides_on_duckdb
from oracles.triage.witness_results import read

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
    with duckdb.connect() as connection:
        assert sides_on_duckdb(connection, entry).differ is fails


@pytest.mark.parametrize(
    ("query", "fails"), [("SELECT a FROM t", False), (ENTRY.witness.query, True)], ids=["t", "bug"]
)
def test_a_witness_with_a_setting_fails_where_that_changes_the_answer(query: str, fails: bool) -> None:
    setup = (*ENTRY.witness.setup, "CREATE TABLE t AS SELECT 1 AS a")
    entry = replace(ENTRY, witness=Witness(setup, query, {"disable_optimizer": ""}))
    with duckdb.connect() as connection:
        assert sides_on_duckdb(connection, entry).differ is fails


@pytest.fixture
def command(tmp_path, monkeypatch):
    """Runs the command on an entry that shows its bug and one that shows nothing; its exit code and its results."""
    mended = replace(ENTRY, id="mended", witness=replace(ENTRY.witness, query="SELECT 1"))
    entries, results = tmp_path / "entries.toml", tmp_path / "results.json"
    entries.write_text("\n".join(map(entry_text, (ENTRY, mended))))

    def run(*options: str) -> tuple[int, list[str]]:
        asked = ["witness", "--entries", str(entries), "--results", str(results), *options]
        monkeypatch.setattr("sys.argv", asked)
        return main(), list(read(results))

    return run


def test_the_result_of_a_witness_that_fails_is_stored(command, capsys):
    assert command("--only", ENTRY.id) == (0, [ENTRY.id])
    assert json.loads(capsys.readouterr().out) == {ENTRY.id: True}


def test_a_witness_that_shows_nothing_has_no_result_and_is_named(command, capsys):
    assert command() == (1, [ENTRY.id])
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {ENTRY.id: True, "mended": False}
    assert printed.err == "mended: its witness does not fail, so it has no result to store\n"


def test_an_id_that_no_entry_has_is_refused(command, capsys):
    with pytest.raises(SystemExit):
        command("--only", "nowhere")
    assert "no entry is called nowhere" in capsys.readouterr().err
