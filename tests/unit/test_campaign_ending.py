"""How a campaign ends, by what it has found."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from assay.campaign.campaign import Campaign
from assay.campaign.campaign_state import CampaignState
from assay.campaign.main import _code
from assay.session.ending import Exit
from oracles.checks.conclusion import conclude


def test_a_finding_that_was_gone_on_with_is_the_end_though_no_round_was_finished() -> None:
    state = CampaignState(findings={"f": {"fingerprint": "f", "count": 1}})
    shown = conclude(state.tally, state.evidence(()), len(state.findings))
    campaign = cast(Campaign, SimpleNamespace(state=state, unusable=""))
    assert _code(campaign, "budget", shown, []) == Exit.FOUND
