"""Files that an earlier Assay wrote (commit 106bcdf, on Spark 4.3.0): failures, a campaign's folder, summaries."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from assay.campaign.resume import unfinished
from assay.ledger.folder import Folder
from assay.ledger.merge import merge
from assay.ledger.read import Ledger
from assay.report.campaigns import read_campaigns
from assay.report.render import render
from assay.report.sections import page_of
from oracles.failures.failure import read_failure
from oracles.triage.divergences import load

EARLIER = Path(__file__).resolve().parents[1] / "data" / "106bcdf"
FAILURES = sorted(EARLIER.rglob("findings/**/*.json"))


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """The campaign's folder, which tests may change."""
    return Path(shutil.copytree(EARLIER / "campaign", tmp_path / "campaign"))


@pytest.mark.parametrize("file", FAILURES, ids=lambda file: file.parent.name)
def test_a_failure_is_read(file: Path) -> None:
    failure = read_failure(file)
    assert (failure.verdict.kind, failure.verdict.blame, failure.rules) == (
        "rule",
        "on",
        ("BooleanSimplificationLosesEquality",),
    )
    assert failure.fingerprint == file.stem


def test_both_kinds_of_failures_are_there() -> None:
    assert sorted(file.parent.name for file in FAILURES) == ["findings", "original"]


def test_a_campaign_goes_on_where_it_was(campaign: Path) -> None:
    folder = Folder(campaign)
    rounds = list(folder.read_rounds())
    assert [(one.id.number, one.checks) for one in rounds] == [(1, 60), (2, 60), (3, 60)]
    assert [run["seed"] for run in folder.read_runs()] == [1]
    assert sum(1 for _ in folder.findings.glob("*.json")) == 1
    assert unfinished(folder.findings) == []


def test_a_campaign_has_the_same_figures_as_its_summary(campaign: Path) -> None:
    summary = json.loads((EARLIER / "summary.json").read_text())
    with Ledger([campaign]) as ledger:
        totals = ledger.totals()
        assert (totals["checks"], totals["rounds"]) == (summary["checks"], summary["rounds"])
        assert len(ledger.findings()) == len(summary["findings"])


def test_a_campaign_is_merged_with_itself_into_the_same(campaign: Path, tmp_path: Path) -> None:
    merge([campaign, campaign], tmp_path / "all")
    with Ledger([campaign]) as one, Ledger([tmp_path / "all"]) as all_:
        assert one.totals() == all_.totals()


def test_a_page_is_made_of_a_campaign_and_a_summary_of_mutants(campaign: Path) -> None:
    campaigns = read_campaigns([campaign], [EARLIER / "mutants.json"], campaign.parent)
    assert (campaigns.unread, len(campaigns.kills), len(campaigns.findings)) == ((), 1, 1)
    assert "BooleanSimplificationLosesEquality" in render(page_of(campaigns, load()))
