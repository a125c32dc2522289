"""The campaign hears of rounds one after the other, while their files are on disk at once."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from assay.campaign.campaign import Campaign, Plan
from assay.campaign.campaign_state import CampaignState
from assay.campaign.sources import GENERAL
from assay.ledger.folder import PACK, Folder
from tests.unit.ledger_samples import round_of


def test_a_round_is_read_that_was_written_before_others_were_packed(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    pool: Any = SimpleNamespace(folder=folder)
    nobody: Any = None
    plan = Plan(choices=[GENERAL], size=1, budget=0, workers=0, first=1)
    campaign = Campaign(pool=pool, plan=plan, subject=nobody, state=CampaignState(), display=nobody)
    assert campaign.run() == "budget"

    files = [folder.write_round(round_of(number)) for number in range(PACK + 1)]
    worker: Any = SimpleNamespace(doing=None, deaths=0, verdicts={})
    for file in files:
        campaign._done(worker, {"file": str(file), "members": 0, "blocks": 0})
    assert (campaign.state.rounds, len(folder.read_rounds())) == (PACK + 1, PACK + 1)
    assert [file for file in files if file.exists()] == files[-1:]
