"""Ten million rows: compared exactly, within the machine's memory; and the command as its users run it."""

from __future__ import annotations

import json

import pytest

from assay.bench.volume import EXCEPT_ALL, SCHEMA
from assay.volume.check import check
from assay.volume.dataset import dataset
from assay.volume.execution import MASTER, SESSION, SETTINGS, WANTED, leg_settings
from assay.volume.main import volume_setup
from assay.volume.multiset import compared
from oracles.checks.choices import all_that_changed
from oracles.failures.scale import Scale
from strategies.ir import Case
from tests.cli.assay import ROOT, replay, volume
from tests.unit.command_lines import shared

MILLIONS = Scale(10_000_000, 5)
WRONG_OF_MANY = ROOT / "tests" / "rules" / "AtMostThreeThousand.scala"


@pytest.fixture(scope="module")
def made(harness, tmp_path_factory):
    """Two tables of ten million rows, and a session for them in place of the worker's."""
    harness.spark.close()
    options = shared("--spark-master", MASTER, *(f"--spark-conf={key}={value}" for key, value in SESSION.items()))
    folder = tmp_path_factory.mktemp("millions")
    with (
        volume_setup(options).harness() as engines,
        dataset(engines, SCHEMA, MILLIONS, folder / "dataset") as made,
    ):
        yield made


def test_except_all_of_ten_million_rows_is_compared_exactly(made):
    done = check(
        made, Case(EXCEPT_ALL, SCHEMA, SETTINGS), all_that_changed, leg_settings(MILLIONS.rows), rows=MILLIONS.rows
    )
    assert (done.checked.verdict.name, "RewriteExceptAll" in done.checked.fired) == ("agree", True), (
        done.checked.verdict
    )
    assert (done.comparison.equal, len(set(done.comparison.rows.values()))) == (True, 1)
    assert done.comparison.rows["on"] > 4_000_000
    on = done.exercise["on"]
    assert (on.spilled > 100 * 2**20, on.partitions, on.replanned > 0) == (True, 16, True), on
    assert max(cost.python_memory + cost.jvm_memory for cost in done.costs.values()) < 12 * 2**30


def test_one_row_in_ten_million_is_found_and_named(made):
    [[key, copies]] = made.connection.execute(
        "SELECT k, n FROM (SELECT k, count(*) AS n FROM t0 WHERE k > 9000000 GROUP BY k, d, s, p, t) LIMIT 1"
    ).fetchall()
    changed = f"(SELECT * REPLACE (CASE WHEN k = {key} THEN -12345 ELSE k END AS k) FROM t0)"
    found = compared(made.connection, {"one": "t0", "other": changed})
    assert (found.equal, found.differing, found.rows["one"]) == (False, 2, 10_000_000)
    named = {row[0]: of for row, of in found.sample}
    assert named == {("int64", key): (copies, 0), ("int64", -12345): (0, copies)}


def test_few_rows_exercise_nothing_and_the_run_says_so(tmp_path):
    ended = volume(
        "--scale", 1_000, "--max-examples", 2, "--hypothesis-seed", 1, "--summary-json", "s.json", cwd=tmp_path
    )
    assert (ended.code, "not exercised: spilling" in ended.text) == (3, True), ended.text
    told = json.loads((tmp_path / "s.json").read_text())
    assert (told["checks"], told["rows"], set(told["exercised"])) == (2, 1_000, set(WANTED))


def test_a_wrong_rule_of_ones_own_is_found_and_replayed_at_its_scale(tmp_path):
    """It is right of answers that are small, so no few rows show it."""
    rule = ("--rule", f"{WRONG_OF_MANY}@plan-normalization")
    ended = volume(
        *rule, "--scale", 10_000, "--max-examples", 1, "--hypothesis-seed", 39, "--failures", "f", cwd=tmp_path
    )
    assert (ended.code, "10,000 rows of each table, made from seed" in ended.text) == (1, True), ended.text
    file = next((tmp_path / "f").glob("*.json"))
    again = replay(file, cwd=tmp_path)
    assert (again.code, "10,000 rows of each table" in again.text) == (1, True), again.text
