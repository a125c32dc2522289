"""The first section of the page: the status, the number of findings, and the number of checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from assay.fuzz.coverage import Coverage, Listed
from assay.report.campaigns import Campaigns, Row
from oracles.answers.plural import duration_text, number
from oracles.checks.conclusion import Conclusion, conclude
from oracles.checks.evidence import Evidence, RuleCount
from oracles.checks.tally import Tally
from oracles.checks.verdict import NAMES
from oracles.failures.incidents import faults_text


@dataclass(frozen=True, slots=True)
class Status:
    """The page's first line: what was proven.

    ``mood``: 'good' (proof), 'bad' (a finding, or a fault of Assay's own), 'poor' (no finding, and no proof) or 'none'
    (nothing was checked).
    """

    mood: str
    headline: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """A number, what it counts, and a remark."""

    value: str
    name: str
    remark: str = ""
    mood: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """A verdict's part of all checks, in percent."""

    name: str
    checks: int
    percent: float
    told: str


_TOLD = {
    "agree": "all answers equal, and the rule under test fired",
    "vacuous": "all answers equal, but the rule under test made no difference to the plan",
    "raised": "every leg raised the same error, in a query that was not drawn to raise",
    "same-error": "every leg raised the same error, in a query that was drawn to raise",
    "order-open": "some legs raised an error, and SQL leaves open whether the query raises",
    "inconclusive": "a leg had no answer that could be compared",
    "excused": "a known divergence",
    "finding": "answers differ, or a leg failed",
}


def tally(campaigns: Campaigns) -> Tally:
    """All checks by verdict."""
    return Tally(
        {row["verdict"]: row["checks"] for row in campaigns.verdicts},
        campaigns.totals["nonempty"],
        {row["divergence"]: row["checks"] for row in campaigns.excused},
    )


def coverage(campaigns: Campaigns) -> Coverage:
    """Which rules of the Sparks that ran changed a plan, and which never did."""
    listed = {row["rule"]: Listed(row["batch"], row["switchable"], row["known"]) for row in campaigns.releases}
    return Coverage(listed, {row["rule"]: row["changed"] for row in campaigns.rules if row["changed"]}, {})


def evidence(campaigns: Campaigns) -> Evidence:
    """The evidence of the campaigns, about the named rules if every run named rules, else about all rules."""
    legs = {row["leg"]: row["checks"] for row in campaigns.legs}
    rules = {
        row["rule"]: RuleCount(
            checked=row["checked"],
            fired=row["fired"],
            differed=row["differed"],
            two_legs=row["two_legs"],
            agreed=row["agreed"],
            changed=row["changed"],
        )
        for row in campaigns.rules
    }
    about = [row["named"] or () for row in campaigns.runs]
    named = sorted({name for names in about for name in names}) if all(about) else []
    return Evidence(legs=legs, rules=rules, named=named, asked=None, queries=campaigns.totals["queries"])


def conclusion(campaigns: Campaigns) -> Conclusion:
    """The conclusion from the checks, the evidence and the findings of the campaigns."""
    return conclude(tally(campaigns), evidence(campaigns), _found(campaigns))


def _found(campaigns: Campaigns) -> int:
    return len(campaigns.findings) + len(campaigns.lost)


def status(campaigns: Campaigns) -> Status:
    """The status of the campaigns; if not all is well, a line for each reason."""
    found = _found(campaigns)
    faults = faults_text(Counter(row["kind"] for row in campaigns.incidents), "the incidents")
    survivors = sum(not kill["killed"] for kill in campaigns.kills)
    shown = conclusion(campaigns)
    planted = _all_of(campaigns.runs, "mutants")
    stale = _all_of(campaigns.runs, "stale_divergences")
    lines = [
        *([f"planted: {', '.join(planted)}"] if planted else []),
        *faults,
        *([number(survivors, "mutant") + " survived"] if survivors else []),
        *([number(len(campaigns.lost), "finding") + " of the rounds without a failure file"] if campaigns.lost else []),
        *([number(len(campaigns.unread), "file") + " among the findings can't be read"] if campaigns.unread else []),
        *([f"stale known divergences, whose witness fails no more: {', '.join(stale)}"] if stale else []),
        *shown.broken,
        *shown.thin,
    ]
    if found or faults:
        mood = "bad"
    elif not campaigns.totals["checks"]:
        mood = "none"
    else:
        mood = "good" if shown.proof and not lines else "poor"
    return Status(mood, shown.sentence[0].upper() + shown.sentence[1:], tuple(lines))


def _all_of(runs: Sequence[Row], name: str) -> list[str]:
    return sorted({each for row in runs for each in row[name] or ()})


def tiles(campaigns: Campaigns) -> list[Tile]:
    """The numbers that matter most."""
    totals, known = campaigns.totals, coverage(campaigns)
    agreed = tally(campaigns).verdicts["agree"]
    unconfirmed = sum(not each.failure.confirmed for each in campaigns.findings)
    listed = len(known.changed.keys() & known.release.keys())
    rate = totals["checks"] / totals["seconds"] if totals["seconds"] else 0.0
    return [
        Tile(
            f"{len(campaigns.findings):,}",
            "findings",
            f"{unconfirmed:,} unconfirmed" if unconfirmed else "",
            "bad" if campaigns.findings else "good" if conclusion(campaigns).proof else "",
        ),
        Tile(f"{totals['checks']:,}", "checks", f"{rate:.1f}/s and worker{_of_queries(totals)}"),
        Tile(f"{listed:,}", "rules changed a plan", _of_release(known, len(known.changed) - listed)),
        Tile(f"{totals['pairs']:,}", "pairs of rules", "that changed one plan"),
        Tile(f"{totals['plans']:,}", "distinct plans"),
        Tile(_percent(totals["nonempty"], agreed), "agreements with rows", f"{totals['nonempty']:,} of {agreed:,}"),
    ]


def _of_queries(totals: Row) -> str:
    """A remark on the number of queries, if it differs from the number of checks."""
    return f", of {totals['queries']:,} queries" if totals["queries"] > totals["checks"] else ""


def _of_release(known: Coverage, others: int) -> str:
    """A remark on the release's number of rules, and on the ``others``: mutants and rules of users."""
    also = f", and {number(others, 'other')}" if others else ""
    return f"of {len(known.release):,} in this Spark{also}"


def shares(campaigns: Campaigns) -> list[Share]:
    """The share of each verdict, including verdicts without checks."""
    counted = tally(campaigns)
    of = max(1, counted.checks)
    return [Share(name, counted.verdicts[name], 100 * counted.verdicts[name] / of, _TOLD[name]) for name in NAMES]


def facts_text(campaigns: Campaigns) -> list[str]:
    """The facts about the campaigns as a few short texts: versions, rounds, workers' time and start times."""
    totals, runs = campaigns.totals, campaigns.trends
    facts = [f"Spark {row['spark'] or '?'}, DuckDB {row['duckdb'] or '?'}" for row in campaigns.versions]
    if runs:
        facts.append(f"{number(totals['rounds'], 'round')} in {number(len(runs), 'run')}")
        facts.append(f"{duration_text(totals['seconds'])} of workers' time")
        since, till = (f"{row['started']:%Y-%m-%d %H:%M}" for row in (runs[0], runs[-1]))
        facts.append(f"begun {since} UTC" if since == till else f"runs begun {since} to {till} UTC")
    return facts


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"


def never_fired(known: Coverage) -> list[tuple[str, Sequence[str]]]:
    """The release's rules that changed no plan, by the reason why they can't, or hardly; '' where there is none."""
    reasons = sorted(set(known.never.values()))
    return [(why, sorted(name for name, own in known.never.items() if own == why)) for why in reasons]
