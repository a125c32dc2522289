"""A user's own queries, from files outside of the checkout, in one command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oracles.failures.failure import read_failure
from tests.cli.assay import RULES, queries, replay

SCHEMA = "CREATE TABLE t (a INT, b STRING, d DOUBLE);\nCREATE TABLE a (b INT);\n"
QUERIES = {
    "filtered": "SELECT b, sum(a) AS s\nFROM t -- as it is\nWHERE a > 0 AND b <> 'x' GROUP BY b;",
    "unstable": "SELECT first(a) FROM t WHERE a > 0",
    "untouched": "SELECT b, count(*) FROM t GROUP BY b",
    "alone": "SELECT count(*), max(b) FROM t",
    "unreadable": "SELECT missing FROM t",
    "command": "SET spark.sql.ansi.enabled = true",
    "otherwise": "SELECT CAST(d AS INT) FROM t LEFT ANTI JOIN t AS u ON abs(t.d) < abs(u.d)",
}


def laid_out(folder: Path) -> None:
    (folder / "my.sql").write_text(SCHEMA)
    (folder / "queries").mkdir()
    for name, text in QUERIES.items():
        (folder / "queries" / f"{name}.sql").write_text(text)


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    """Queries under a rule that keeps every row: the folder, how the run ended, and its summary."""
    folder = tmp_path_factory.mktemp("theirs")
    laid_out(folder)
    (folder / "Wrong.scala").write_text((RULES / "DropsFilters.scala").read_text())
    size = ("--max-examples", 6, "--hypothesis-seed", 1, "--summary-json", "s.json", "--failures", "found")
    ours = ("--rule", "Wrong.scala@plan-normalization", "--without-duckdb", "alone")
    ended = queries("--schema", "my.sql", "--queries", "queries", *ours, *size, cwd=folder)
    return folder, ended, json.loads((folder / "s.json").read_text())["queries"]


def test_a_wrong_rule_is_found_and_named_with_few_rows(wrong):
    _, ended, told = wrong
    failure = read_failure(Path(told["filtered"]["files"][0]))
    assert (ended.code, failure.verdict.kind, failure.rules) == (1, "rule", ("DropsFilters",)), ended.text
    assert (failure.case.database.row_count, failure.confirmed) == (1, True)
    assert f"  spark    {QUERIES['filtered'].splitlines()[0]}" in ended.text


def test_the_finding_replays(wrong):
    _, _, told = wrong
    ended = replay(told["filtered"]["files"][0])
    assert (ended.code, "rule finding[DropsFilters], blame on" in ended.text) == (1, True), ended.text


def test_an_answer_that_rows_do_not_determine_is_no_finding(wrong):
    _, ended, told = wrong
    assert (told["unstable"]["findings"], told["unstable"]["unjudged"] > 0) == (0, True), ended.text
    assert "not judged: first may go by the order in which rows come" in ended.text


def test_three_way_agreement_needs_duckdb(wrong):
    _, ended, told = wrong
    counts = {name: (told[name]["all"], told[name]["spark"], told[name]["findings"]) for name in ("untouched", "alone")}
    assert counts == {"untouched": (6, 0, 0), "alone": (0, 6, 0)}, ended.text
    assert "alone: 6 by Spark alone: UnsupportedNode: DuckDB was not to be asked" in ended.text


def test_what_duckdb_alone_has_is_a_finding_without_a_culprit(wrong):
    """Spark's CAST truncates, DuckDB's rounds, and the translation leaves it at that."""
    _, ended, told = wrong
    failure = read_failure(Path(told["otherwise"]["files"][0]))
    assert (failure.verdict.kind, failure.verdict.blame, failure.rules) == ("engine", "unknown", ()), ended.text
    assert [table.name for table in failure.case.database.tables] == ["t"]


def test_a_finding_leaves_a_script_that_was_run_on_stock_spark(wrong):
    _, ended, told = wrong
    file = Path(told["otherwise"]["files"][0])
    assert (file.with_suffix(".py").is_file(), read_failure(file).stock.shown) == (True, "confirmed"), ended.text
    assert f"script   python {file.with_suffix('.py')}" in ended.text


def test_a_text_that_is_no_query_has_its_own_line_and_the_rest_goes_on(wrong):
    _, ended, told = wrong
    assert "unreadable was not judged: Spark can't take it: [UNRESOLVED_COLUMN" in ended.text
    assert "command: SET is a command: only queries are checked" in ended.text
    assert (told["unreadable"]["checks"], told["command"]["checks"], "\x1b" in ended.text) == (0, 0, False)
