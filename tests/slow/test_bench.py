"""The bench as its users run it, very small: what it measures, what it writes, and when it fails."""

from __future__ import annotations

import json

import pytest

from assay.bench.figures import KEYS
from tests.cli.assay import RULES, bench

SMALL = ("--rounds", 2, "--checks", 3, "--warm-up", "0s", "--hypothesis-seed", 5)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """One run of everything."""
    folder = tmp_path_factory.mktemp("bench")
    ended = bench(*SMALL, "--long-run", "1s", "--summary-json", "figures.json", "--plot", "page.html", cwd=folder)
    assert ended.code == 0, ended.text
    return folder, ended


def test_every_figure_is_in_the_summary(measured):
    folder, _ = measured
    figures = json.loads((folder / "figures.json").read_text())
    assert tuple(figures) == KEYS
    assert all(value > 0 for value in figures.values())


@pytest.mark.parametrize(
    "told",
    ["fast_over_naive", "ms of processors", "ms generate", "ms duckdb", "as a fuzz run draws", "10,000", "tenth"],
)
def test_what_was_measured_is_printed(measured, told):
    _, ended = measured
    assert told in ended.text


def test_the_charts_are_in_a_page_of_their_own(measured):
    folder, _ = measured
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert all(title in page for title in ("by rows", "by operators", "by columns", "over time"))


def test_where_verdicts_differ_the_suite_has_failed(tmp_path):
    """A wrong rule that Assay's session alone has: the naive one sees nothing of it."""
    rule = f"{RULES / 'DropsFilters.scala'}@optimizer"
    options = ("--parts", "paths", "--rounds", 1, "--checks", 12, "--warm-up", "0s", "--rule", rule)
    ended = bench(*options, "--failures", "found", "--summary-json", "figures.json", cwd=tmp_path)
    assert (ended.code, "verdicts differ between harnesses" in ended.text) == (4, True), ended.text
    assert not (tmp_path / "figures.json").exists()
    fast = next((tmp_path / "found" / "paths").glob("*.fast.json"))
    naive, plain = (fast.with_name(fast.name.replace(".fast.", f".{other}.")) for other in ("naive", "plain"))
    assert [json.loads(file.read_text())["kind"] for file in (fast, plain, naive)] == ["rule", "rule", None]
    assert str(fast) in ended.text


def test_what_the_driver_alone_finds_is_the_suites_own_failure(tmp_path):
    rule = f"{RULES / 'KeepsAllInTheDriver.scala'}@pre-operator-optimization"
    options = ("--parts", "workers", "--rounds", 1, "--checks", 20, "--warm-up", "0s", "--rule", rule)
    ended = bench(*options, "--failures", "found", cwd=tmp_path)
    assert (ended.code, "run in the driver, a check ends in finding rule on" in ended.text) == (4, True), ended.text
    assert len(list((tmp_path / "found" / "paths").glob("*.json"))) == 2
