"""The stored results of witnesses: what is written, what a later run replaces, and which results are at fault."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, datetime

import duckdb
import pytest

from oracles.triage.divergences import Divergence, Witness, load
from oracles.triage.witness import sides_on_duckdb
from oracles.triage.witness_results import Witnessed, faults, json_text, merged, read, store
from oracles.triage.witness_sides import Answer, Side, Sides, cell, lines_of

ENTRIES = load()
OURS: Divergence = next(entry for entry in ENTRIES if entry.id == "SPARK-58383")
DUCKDBS: Divergence = next(entry for entry in ENTRIES if entry.blame == "duckdb" and entry.witness.instead)
WRONG, RIGHT = Answer(("a int",), (("1",),)), Answer(("a int",), (("2",),))
RAISED = Answer(error="AnalysisException", condition="UNRESOLVED_COLUMN", message="No such column.")


def witnessed(query: Answer = WRONG, other: Answer = RIGHT, engine: str = "Spark 4.3.0") -> Witnessed:
    return Witnessed(engine, Sides(Side(query, ("Project",)), Side(other, ("Scan",))), {"t": RIGHT})


def stored(entry: Divergence = OURS, **changes) -> dict:
    return merged({}, [entry], {entry.id: witnessed(**changes)})


def test_a_run_of_one_release_leaves_the_results_of_others():
    both = merged(stored(engine="Spark 4.0.5"), [OURS], {OURS.id: witnessed()})
    assert sorted(both[OURS.id]) == ["Spark 4.0.5", "Spark 4.3.0"]
    assert list(faults(both, OURS)) == []


def test_a_later_run_of_the_same_release_replaces_its_result():
    again = merged(stored(), [OURS], {OURS.id: witnessed(query=RAISED)})
    assert again[OURS.id]["Spark 4.3.0"]["query"]["condition"] == "UNRESOLVED_COLUMN"


@pytest.mark.parametrize(
    "entry",
    [
        replace(OURS, id="another"),
        replace(OURS, releases=("4.0",)),
        replace(OURS, witness=replace(OURS.witness, query="SELECT 1")),
    ],
    ids=["no entry", "another release", "another witness"],
)
def test_a_result_that_is_out_of_date_is_deleted(entry):
    assert merged(stored(), [entry], {}) == {}


def test_a_witness_that_shows_nothing_has_no_result():
    assert merged(stored(), [OURS], {OURS.id: witnessed(query=RIGHT)}) == {}


def test_rows_of_memory_that_is_read_too_early_stay_as_they_are_stored():
    before = stored(DUCKDBS, engine="DuckDB 2.0.1")
    again = {DUCKDBS.id: witnessed(query=Answer(("a int",), (("3",),)), engine="DuckDB 2.0.1")}
    assert merged(before, [DUCKDBS], again) == before


def test_rows_of_a_bug_that_always_shows_do_not_stay():
    again = merged(stored(), [OURS], {OURS.id: witnessed(query=Answer(("a int",), (("3",),)))})
    assert again[OURS.id]["Spark 4.3.0"]["query"]["rows"] == [["3"]]


def test_a_file_is_the_same_after_the_same_run(tmp_path):
    files = [tmp_path / name for name in ("one.json", "two.json")]
    for file in files:
        for engine in ("Spark 4.3.0", "Spark 4.0.5"):
            store(file, ENTRIES, {OURS.id: witnessed(engine=engine)})
    store(files[1], ENTRIES, {OURS.id: witnessed()})
    assert files[0].read_bytes() == files[1].read_bytes()
    assert read(files[0]) == json.loads(files[0].read_text())


def test_there_are_no_results_before_the_first_run(tmp_path):
    assert read(tmp_path / "results.json") == {}


def test_an_entry_without_a_result_is_at_fault_and_the_command_is_named():
    (fault,) = faults({}, OURS)
    assert fault == (
        "SPARK-58383 has no stored result: "
        "run python -m oracles.triage.witness --results docs/_gallery/results.json --only SPARK-58383 "
        "on Spark 3.5 or 4.0 or 4.1 or 4.2 or 4.3"
    )


def test_equal_sides_are_at_fault():
    results = stored()
    results[OURS.id]["Spark 4.3.0"]["query"] = results[OURS.id]["Spark 4.3.0"]["other"]
    (fault,) = faults(results, OURS)
    assert "both sides are equal" in fault


def test_a_result_of_another_witness_is_at_fault():
    (fault,) = faults(stored(), replace(OURS, witness=replace(OURS.witness, query="SELECT 1")))
    assert "another witness" in fault


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        (WRONG, RIGHT, True),
        (WRONG, replace(WRONG, columns=("b bigint",)), False),
        (WRONG, RAISED, True),
        (RAISED, replace(RAISED, message="x", condition="Y"), False),
        (RAISED, replace(RAISED, error="Py4JJavaError"), True),
    ],
    ids=["rows", "names", "an error", "its text", "its class"],
)
def test_answers_differ_in_their_rows_or_in_the_class_of_their_errors(one, other, differ):
    assert (one.differs(other), other.differs(one)) == (differ, differ)


VALUES = [
    *(None, "NULL", True, "true", 1, 1.0, -0.0, 0.0, float("nan"), "nan", b"a", "X'61'"),
    *(date(2024, 1, 1), datetime(2024, 1, 1), [None], [], (), (None,), ["a"], "['a']", {"a": 1}),
]


def test_texts_of_values_differ_as_the_values_do():
    assert len({cell(value) for value in VALUES}) == len(VALUES)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Filter (a#1 > b#2)", "Filter (a#7 > b#9)"),
        (
            "WithCTE\nCTERelationDef 4, false\nCTERelationRef 4, true",
            "WithCTE\nCTERelationDef 9, false\nCTERelationRef 9, true",
        ),
        ("Project [rand(-12) AS r#1]", "Project [rand(99) AS r#1]"),
        ("file:/tmp/a/t/part-0", "file:/tmp/b/t/part-0"),
        (
            "part-00000-0a1b2c3d-0000-1111-2222-0123456789ab-c000.orc",
            "part-00000-1a1b2c3d-0000-1111-2222-0123456789ab-c000.orc",
        ),
        ("Some$Class@1a2b3c4d", "Some$Class@5e6f7a8b"),
        ("have the same expression ID 20 but", "have the same expression ID 316 but"),
    ],
    ids=["ids", "CTEs", "seeds", "folders", "files", "objects", "ids in words"],
)
def test_what_changes_from_run_to_run_is_left_out(one, other):
    assert lines_of(one, "/tmp/a") == lines_of(other, "/tmp/b")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Filter (a#1 > b#2)", "Filter (a#1 > a#1)"),
        ("CTERelationRef 1\nCTERelationRef 2", "CTERelationRef 1\nCTERelationRef 1"),
        ("Filter (a#1 > 1)", "Filter (a#1 > 2)"),
    ],
    ids=["ids", "CTEs", "constants"],
)
def test_plans_that_differ_stay_apart(one, other):
    assert lines_of(one, "/tmp/a") != lines_of(other, "/tmp/a")


@pytest.mark.parametrize(
    "value", [{}, [], "a", {"b": ["é" * 200, "x"], "a": {"c": [["1", "2"]] * 30}}, {"a": {"b": 1}}]
)
def test_the_text_of_a_result_is_json(value):
    assert json.loads(json_text(value)) == value


def test_a_row_takes_a_line():
    assert json_text({"rows": [["1", "2"]] * 30}).count("\n") == 33


def test_both_sides_on_duckdb_have_their_plans():
    entry = replace(DUCKDBS, witness=Witness(("CREATE TABLE t AS SELECT 1 AS a",), "SELECT a + 1 FROM t", {}, "FROM t"))
    with duckdb.connect() as connection:
        both = sides_on_duckdb(connection, entry)
    assert (both.query.answer.rows, both.other.answer.rows) == ((("2",),), (("1",),))
    assert both.query.plan[-1].lstrip(" :+-").startswith("SeqScan Table:")
