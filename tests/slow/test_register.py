"""Findings entered among the known divergences: live at once, each with a witness that shows it on a plain session."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.fuzz.corpus import CORPUS
from assay.replay.register import NotRegistered, entry_text, register
from assay.replay.regressions import replayed
from assay.session.known import known_divergences
from oracles.checks.choices import fixed
from oracles.failures.failure import Subject, failure_of
from oracles.triage.divergences import KNOWN, load
from strategies.ir import Settings
from tests.rules.corpus import read_regression
from tests.rules.test_third_opinion import REFUSED

DUCKDB = "26aadd4076d12357"
FILES = {
    "a rule's, shown without the rule": "6fea37f7a962ce32",
    "an error of both legs, shown by the right rows": "3edd0aa067734bbf",
    "DuckDB's own": DUCKDB,
}


@pytest.fixture(scope="module", params=FILES.values(), ids=FILES)
def registered(request, harness, tmp_path_factory):
    """A bug of the corpus, entered in a file of known divergences that lacks its own entry."""
    regression = read_regression(CORPUS / f"{request.param}.json")
    others = [entry for entry in load() if entry.id != regression.expected]
    known = tmp_path_factory.mktemp("known") / KNOWN.name
    known.write_text("\n".join(map(entry_text, others)), encoding="utf-8")
    entry = register(harness, regression.failure, known=known)
    return regression.failure, others, known, entry


def test_the_entry_excuses_the_finding_from_then_on(registered, harness):
    failure, others, known, entry = registered
    assert load(known) == (*others, entry)
    verdict = replayed(harness, failure, load(known)).verdict
    assert (verdict.name, verdict.divergence) == ("excused", entry.id)


def test_the_entry_is_about_this_release_and_has_an_end(registered, harness):
    _, _, _, entry = registered
    assert harness.spark.version.startswith(entry.releases[0] + ".")
    assert (entry.pattern.startswith("made of: "), entry.url) == (True, "")


def test_a_finding_is_registered_once(registered, harness):
    failure, _, known, entry = registered
    before = known.read_text()
    with pytest.raises(NotRegistered, match=f"{entry.id} excuses it already"):
        register(harness, failure, known=known)
    assert known.read_text() == before


def test_an_id_that_is_taken_is_refused(registered, harness, tmp_path):
    failure, others, _, _ = registered
    known = tmp_path / KNOWN.name
    known.write_text("\n".join(map(entry_text, others)), encoding="utf-8")
    with pytest.raises(NotRegistered, match=f"there is an entry called {others[0].id}"):
        register(harness, failure, name=others[0].id, known=known)


def test_what_fails_no_more_is_not_registered(harness, tmp_path):
    mended = read_regression(CORPUS / "7c384a08dc60982a.json").failure
    known = tmp_path / KNOWN.name
    known.write_text(KNOWN.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(NotRegistered, match="does not fail any more"):
        register(harness, mended, known=known)


def test_what_spark_alone_refuses_is_entered_as_sparks_fault(harness, tmp_path):
    """A third engine says whose fault it is; a finding that no third engine was asked of is excused by it, too."""
    rare = replace(REFUSED, settings=Settings(join="merge"))  # of few draws, as an entry must be
    checked = harness.check(rare, fixed(()))
    failure = failure_of(checked, (), subject=Subject(), versions={}, sql={}, seed=None, confirmed=True)
    known = tmp_path / KNOWN.name
    others = [entry for entry in load() if entry.pattern != "nested_comparison_of_a_group_in_having"]
    known.write_text("\n".join(map(entry_text, others)), encoding="utf-8")
    entry = register(harness, failure, known=known)
    assert (entry.blame, entry.raised.startswith("org")) == ("spark", True)
    assert replayed(harness, failure, load(known)).verdict.divergence == entry.id


def test_a_project_has_entries_in_a_file_of_its_own(harness, tmp_path):
    """The file is made with its first entry, and from then on the finding is known where the file is read."""
    regression = read_regression(CORPUS / f"{DUCKDB}.json")
    failure = regression.failure
    own = tmp_path / "known.toml"
    present = [entry for entry in load() if entry.id != regression.expected]
    entry = register(harness, failure, name="mine", known=own, present=present)
    assert load(own) == (entry,)
    assert own.read_text(encoding="utf-8").startswith("# ")
    verdict = replayed(harness, failure, [*present, *known_divergences(own)[len(load()) :]]).verdict
    assert (verdict.name, verdict.divergence) == ("excused", "mine")
