"""TPC-DS as users would run it: 99 queries, laid out by a DuckDB of their own, over hostile rows."""

from __future__ import annotations

import json
import subprocess
import venv

import pytest

from tests.cli.assay import ROOT, queries

NAMES = [f"q{number:02}" for number in range(1, 100)]
# Divisions by a sum of hostile rows, scalar subqueries over several, and sums beyond their type.
RAISING = {"q17", "q58", "q75"}


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory):
    """The folder that ``tox run -e tpcds -- ds 0.01`` leaves."""
    folder = tmp_path_factory.mktemp("tpcds")
    venv.create(folder / "own", with_pip=True)
    python = folder / "own" / "bin" / "python"
    pip = [python, "-m", "pip", "install", "-q"]
    subprocess.run([*pip, "--upgrade", "pip>=25.1"], check=True, capture_output=True)  # it knows dependency groups
    subprocess.run([*pip, "--group", f"{ROOT / 'pyproject.toml'}:tpcds"], check=True, capture_output=True)
    subprocess.run([python, "-m", "examples.tpcds.lay_out", folder / "ds", "0.01"], cwd=ROOT, check=True)
    return folder / "ds"


def test_schema_queries_and_rows_are_laid_out(laid_out):
    assert (laid_out / "schema.sql").read_text().count("CREATE TABLE") == 24
    assert [file.stem for file in sorted((laid_out / "queries").iterdir())] == NAMES
    assert len(list((laid_out / "rows").glob("*.parquet"))) == 24


def test_no_leg_contradicts_another_on_hostile_rows(laid_out, tmp_path):
    size = ("--max-examples", 1, "--hypothesis-seed", 1, "--summary-json", "s.json", "--failures", "found")
    ended = queries("--schema", laid_out / "schema.sql", "--queries", laid_out / "queries", *size, cwd=tmp_path)
    told = json.loads((tmp_path / "s.json").read_text())["queries"]
    counts = {name: (each["findings"], each["spark"]) for name, each in told.items()}
    assert counts == dict.fromkeys(NAMES, (0, 0)), ended.text
    assert {name for name, each in told.items() if not each["all"]} <= RAISING, ended.text
    assert sum(each["all"] for each in told.values()) > 0.95 * sum(each["checks"] for each in told.values())
    assert sum(each["with_rows"] > 0 for each in told.values()) >= 20, ended.text
