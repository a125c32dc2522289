"""What a campaign says when it ends: its own run, and what the folder holds by now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from rich.console import Console
from rich.table import Table

from assay.campaign.campaign_state import CampaignState
from assay.fuzz.silent_table import silent_table
from assay.ledger.read import Ledger
from oracles.checks.conclusion import Conclusion
from oracles.checks.evidence import stock_lines, two_legs_lines
from oracles.failures.confirmation import Stock

_WIDTH = 150


def closing_text(ledger: Ledger, state: CampaignState, shown: Conclusion, seconds: float, red: Sequence[str]) -> str:
    """What the run has ``shown``, its verdicts beside the folder's, coverage, every finding's file, what is ``red``."""
    totals = ledger.totals()
    of_all = {row["verdict"]: row["checks"] for row in ledger.verdicts()}
    verdicts = Table("verdict", "this run", "%", "all runs", title="verdicts")
    for column in verdicts.columns[1:]:
        column.justify = "right"
    for name, count in of_all.items():
        own = state.verdicts[name]
        verdicts.add_row(name, str(own), f"{100 * own / max(1, state.checks):.1f}", str(count))
    lines = [
        f"{state.checks} checks in {state.rounds} rounds, {seconds:.0f} s "
        f"({state.checks / max(seconds, 0.001):.1f}/s), {state.nonempty} agreements with rows",
        f"the folder has {totals['checks']} checks in {totals['rounds']} rounds: {totals['rules']} rules, "
        f"{totals['pairs']} pairs, {totals['plans']} plans",
        *two_legs_lines(state.legs),
        *stock_lines(state.legs, state.checks),
        *(f"excused by {name}: {count}" for name, count in sorted(state.excused.items())),
        *(f"incidents: {kind} {count}" for kind, count in sorted(state.incidents.items())),
        *(_finding_line(row, row["fingerprint"] in state.findings) for row in ledger.findings()),
        *red,
    ]
    console = Console(file=StringIO(), width=_WIDTH, color_system=None)
    console.print(shown.sentence, highlight=False, markup=False, soft_wrap=True)
    console.print(verdicts)
    if state.fits:
        console.print(silent_table(state.fits, state.fitting, state.excused, state.checks))
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    written = console.file
    assert isinstance(written, StringIO)
    return written.getvalue()


def _finding_line(row: Mapping[str, Any], this_run: bool) -> str:
    return (
        f"{'finding' if this_run else 'earlier finding'} {row['fingerprint']}: {row['kind']}, blame {row['blame']}, "
        f"{', '.join(row['rules']) or 'no rule'}, {row['operators']} operators, {row['rows']} rows, "
        f"{'' if row['confirmed'] else 'unconfirmed, '}seen {row['count']} times{_on_stock(row)}: {row['file']}"
    )


def _on_stock(row: Mapping[str, Any]) -> str:
    return f", {Stock(row['stock']).told}" if row["stock"] else ""


def run_summary(state: CampaignState, versions: Mapping[str, str], seed: int, seconds: float) -> dict[str, Any]:
    """The run's ``--summary-json``, in the form of a fuzz run's, with its incidents beside."""
    return {
        "format": 1,
        **versions,
        "seed": seed,
        "checks": state.checks,
        "rounds": state.rounds,
        "seconds": round(seconds, 1),
        "verdicts": dict(state.tally.verdicts),
        "nonempty": state.nonempty,
        "queries": state.queries,
        "legs": dict(state.legs),
        "excused": dict(state.excused),
        "silent_entries": {"checks": state.fitting, "fits": dict(sorted(state.fits.items()))},
        "rules": {
            name: {
                "checked": seen.checked,
                "fired": seen.fired,
                "differed": seen.differed,
                "two_legs": seen.two_legs,
            }
            for name, seen in sorted(state.seen.items())
        },
        "findings": list(state.findings.values()),
        "incidents": dict(state.incidents),
    }
