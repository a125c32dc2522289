"""Queries in all forms that people have, over a schema of all forms of statements: who judges them, in which shares."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.assay import queries

HERE = Path(__file__).parent
ALL, PARTLY, ALONE, NONE = 0.95, 0.03, 0.03, 0
"""Shares of the queries: judged by all three legs in every check, at least; in some checks, by Spark alone, in none, at
most. The first two of Spark's own test inputs were 0.87 and 0.05."""


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """How the run ended, and its figures by query."""
    folder = tmp_path_factory.mktemp("forms")
    given = ("--schema", HERE / "own_schema.sql", "--queries", HERE / "own_queries", "-n", 2)
    size = ("--max-examples", 4, "--hypothesis-seed", 1, "--summary-json", "s.json", "--failures", "found")
    ended = queries(*given, *size, cwd=folder)
    return ended, json.loads((folder / "s.json").read_text())["queries"]


def standing(query):
    """'all' for a query that all legs judge in every check (a known divergence is judged), partly, spark or none."""
    by_all, judged = query["all"] + query["known"], query["checks"] - query["unjudged"]
    if not judged:
        return "none"
    if by_all == query["checks"]:
        return "all"
    return "partly" if by_all else "spark"


def test_most_queries_are_judged_by_all_three_legs(ran):
    ended, told = ran
    stand = {name: standing(query) for name, query in told.items() if not name.startswith(("spark_alone", "refused"))}
    share = {each: [*stand.values()].count(each) / len(stand) for each in ("all", "partly", "spark", "none")}
    assert len(stand) >= 60
    assert share["all"] >= ALL, (stand, ended.text)
    assert (share["partly"] <= PARTLY, share["spark"] <= ALONE, share["none"] <= NONE) == (True, True, True), stand


def test_no_query_has_a_finding(ran):
    ended, told = ran
    assert {name: query["files"] for name, query in told.items() if query["findings"]} == {}, ended.text


def test_what_only_spark_has_is_judged_by_spark_alone(ran):
    ended, told = ran
    alone = {name: standing(query) for name, query in told.items() if name.startswith("spark_alone")}
    assert set(alone.values()) == {"spark"}, (alone, ended.text)


def test_rules_fire_and_answers_have_rows(ran):
    _, told = ran
    queries_of_tables = [query for query in told.values() if query["checks"]]
    assert sum(bool(query["fired"]) for query in queries_of_tables) / len(queries_of_tables) > 0.8
    assert sum(query["with_rows"] > 0 for query in queries_of_tables) / len(queries_of_tables) > 0.7


def test_each_text_that_is_no_query_has_its_own_line(ran):
    ended, told = ran
    refused = {name: query["refused"].split(": ")[0] for name, query in told.items() if query["refused"]}
    assert refused == {
        "refused:1": "SET is a command",
        "refused:2": "Spark can't take it",
        "refused:3": "EXPLAIN is a command",
        "refused:4": "Spark can't take it",
    }, ended.text
    assert ended.code == 3, ended.text


def test_what_is_drawn_otherwise_is_told_once(ran):
    ended, _ = ran
    lines = [line for line in ended.text.splitlines() if line.startswith("drawn otherwise: ")]
    assert lines == [
        "drawn otherwise: CHAR(3) as STRING, comparisons don't ignore the blanks at its end: customers.code",
        "drawn otherwise: left out, HYPERTYPE can't be drawn: events.shape",
    ]


def test_a_pipe_has_lines_of_progress_and_no_codes_of_a_terminal(ran):
    ended, _ = ran
    assert (" queries | " in ended.text, "\x1b" in ended.text) == (True, False), ended.text
