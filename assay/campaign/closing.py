"""Closing text and summary of a campaign: the run's own figures, and those of the folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.campaign.campaign_state import CampaignState
from assay.coverage.report import share_text
from assay.fuzz.finding_text import finding_line
from assay.fuzz.silent_table import silent_table
from assay.ledger.blocks import code_of
from assay.ledger.read import Ledger
from assay.session.console import table, text_of
from oracles.checks.conclusion import Conclusion
from oracles.checks.evidence import stock_lines, two_legs_lines


def closing_text(ledger: Ledger, state: CampaignState, shown: Conclusion, seconds: float, red: Sequence[str]) -> str:
    """The closing text: conclusion, verdicts of the run and of the folder, coverage, findings, and ``red`` lines."""
    totals = ledger.totals()
    of_all = {row["verdict"]: row["checks"] for row in ledger.verdicts()}
    verdicts = table(
        "verdicts",
        ("verdict", "this run", "%", "all runs"),
        (
            (name, str(own := state.verdicts[name]), f"{100 * own / max(1, state.checks):.1f}", str(count))
            for name, count in of_all.items()
        ),
    )
    lines = [
        f"{state.checks} checks in {state.rounds} rounds, {seconds:.0f} s "
        f"({state.checks / max(seconds, 0.001):.1f}/s), {state.nonempty} agreements with rows",
        f"the folder has {totals['checks']} checks in {totals['rounds']} rounds: {totals['rules']} rules, "
        f"{totals['pairs']} pairs, {totals['plans']} plans",
        *_steering_lines(state),
        *(f"optimizer of {code.spark}: {share_text(code.parts, code.ran)} ran" for code in code_of(ledger.blocks())),
        *two_legs_lines(state.legs),
        *stock_lines(state.legs, state.checks),
        *(f"excused by {name}: {count}" for name, count in sorted(state.excused.items())),
        *(f"incidents: {kind} {count}" for kind, count in sorted(state.incidents.items())),
        *(finding_line(row, earlier=row["fingerprint"] not in state.findings) for row in ledger.findings()),
        *red,
    ]
    silent = [silent_table(state.fits, state.fitting, state.excused, state.checks)] if state.fits else []
    return text_of(shown.sentence, verdicts, *silent, *lines)


def _steering_lines(state: CampaignState) -> list[str]:
    """How many checks were steered, and by what; nothing for a campaign without steering."""
    if not state.blocks:
        return []
    return [
        f"steering: {state.steered} checks of edited cases; the corpus has {state.members} cases, "
        f"and {state.blocks} blocks of the optimizer ran"
    ]


def run_summary(state: CampaignState, versions: Mapping[str, str], seed: int, seconds: float) -> dict[str, Any]:
    """The run's ``--summary-json``: that of a fuzz run, with the rounds and the incidents of the campaign."""
    return {
        "format": 1,
        **versions,
        "seed": seed,
        **state.summary(),
        "rounds": state.rounds,
        "steering": {"checks": state.steered, "members": state.members, "blocks": state.blocks},
        "seconds": round(seconds, 1),
        "findings": list(state.findings.values()),
        "incidents": dict(state.incidents),
    }
