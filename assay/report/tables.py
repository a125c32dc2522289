"""The tables of the page: texts in rows, and the alignment of each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from assay.coverage.report import lines_text
from assay.ledger.blocks import Code
from assay.report.campaigns import Campaigns
from assay.report.coverage import source_name
from oracles.answers.plural import duration_text
from oracles.triage.divergences import Divergence

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """A text, perhaps with a link, and its look: 'bad', 'good', 'code' or '' for the usual one."""

    text: str
    href: str = ""
    look: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """``head`` names the columns; those in ``numbers`` are set to the right."""

    id: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numbers: frozenset[int] = frozenset()


def table_of(name: str, head: Sequence[str], rows: Sequence[Sequence[Cell | str]], numbers: Sequence[int]) -> Table:
    """The table ``name`` of the page; the columns ``numbers`` are set to the right."""
    cells = tuple(tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row) for row in rows)
    return Table(name, tuple(head), cells, frozenset(numbers))


def excused(campaigns: Campaigns, known: Sequence[Divergence]) -> Table:
    """The known divergences that excused checks: their numbers of checks, reasons and expiry dates."""
    entries = {entry.id: entry for entry in known}
    checks = max(1, campaigns.totals["checks"])
    rows = []
    for row in campaigns.excused:
        entry = entries.get(row["divergence"])
        told = (entry.reason, entry.expires.isoformat()) if entry else ("no entry of this Assay", "")
        name = Cell(row["divergence"], entry.url if entry else "")
        rows.append((name, f"{row['checks']:,}", f"{100 * row['checks'] / checks:.2f} %", *told))
    return table_of("excused", ("divergence", "checks", "of all", "why", "excused until"), rows, (1, 2))


def silent(campaigns: Campaigns, known: Sequence[Divergence]) -> Table:
    """The silent entries that fit cases of checks, and all of them together: the space in which a bug could hide."""
    entries = {entry.id: entry for entry in known}
    counted = campaigns.fitting

    def row(name: Cell | str, checks: int, excused: int) -> tuple[Cell | str, ...]:
        return name, f"{checks:,}", f"{100 * checks / max(1, counted['of']):.2f} %", f"{excused:,}"

    rows = []
    for each in campaigns.fits:
        entry = entries.get(each["divergence"])
        rows.append(row(Cell(each["divergence"], entry.url if entry else ""), each["checks"], each["excused"]))
    if rows:
        rows.append(row("all together", counted["checks"], sum(each["excused"] for each in campaigns.fits)))
    return table_of("silent", ("divergence", "fits", "of all", "excused"), rows, (1, 2, 3))


_STOCK: Mapping[str, Cell] = {
    "confirmed": Cell("shows too", look="good"),
    "assay-only": Cell("doesn't show", look="bad"),
    "impossible": Cell("can't be shown", look="soft"),
}


def code(of: Code) -> Table:
    """The rules of a release, and the helpers of its optimizer: their blocks, and the lines that no check ran."""
    parts = sorted(of.parts, key=lambda part: (-len(part.missing(of.ran)), part.name))
    rows = [
        (
            part.title,
            f"{len(part.blocks):,}",
            f"{len(part.ran(of.ran)):,}",
            part.percent(of.ran),
            f"{len(part.missing(of.ran)):,}",
            "; ".join(text.removeprefix(f"{part.name}: ") for text in lines_text(part, of.ran)),
        )
        for part in parts
    ]
    head = ("rule", "blocks", "ran", "share", "missing", "lines")
    return table_of(f"code-{of.spark.replace('.', '-')}", head, rows, (1, 2, 3, 4))


def found(campaigns: Campaigns) -> Table:
    """The findings at a glance, each with a link to all of it."""
    rows = []
    for each in campaigns.findings:
        row, stock = each.row, each.failure.stock
        rows.append(
            (
                Cell(row["fingerprint"], f"#f-{row['fingerprint']}", "code"),
                row["kind"],
                ", ".join(row["rules"]) or "–",
                row["blame"],
                f"{row['operators']:,}",
                f"{row['rows']:,}",
                f"{row['count']:,}",
                Cell("yes", look="good") if row["confirmed"] else Cell("no", look="bad"),
                _STOCK[stock.shown] if stock else Cell("not asked", look="soft"),
            )
        )
    head = ("finding", "kind", "guilty rules", "blame", "operators", "rows", "checks", "failed again", "without Assay")
    return table_of("found", head, rows, (4, 5, 6))


def rules(campaigns: Campaigns) -> Table:
    """Every rule that did anything, and how many of its mutants were killed."""
    killed: dict[str, set[str]] = {}
    planted: dict[str, set[str]] = {}
    for kill in campaigns.kills:
        planted.setdefault(kill["rule"], set()).add(kill["name"])
        if kill["killed"]:
            killed.setdefault(kill["rule"], set()).add(kill["name"])
    rows = []
    for row in campaigns.rules:
        if row["changed"] or row["checked"]:
            numbers = [f"{row[name]:,}" for name in ("changed", "checked", "fired")]
            numbers.append(_differed(row))
            ours, all_of_them = len(killed.get(row["rule"], ())), len(planted.get(row["rule"], ()))
            mutants = Cell(f"{ours} of {all_of_them}", look="" if ours == all_of_them else "bad")
            rows.append((Cell(row["rule"], look="code"), *numbers, mutants if all_of_them else ""))
    head = ("rule", "changed", "checked", "fired", "differed", "mutants killed")
    last = len(head) - (not campaigns.kills)
    return table_of("rules", head[:last], [row[:last] for row in rows], range(1, last))


def _differed(row: Row) -> str:
    """The number of checks whose plans differed; a dash if all had two legs, because no plans were compared."""
    return "-" if row["fired"] and row["two_legs"] == row["fired"] else f"{row['differed']:,}"


def sources(campaigns: Campaigns) -> Table:
    """The sources that queries were drawn from."""
    rows = [
        (
            row["kind"],
            Cell(source_name(row), look="code" if row["kind"] == "shape" else ""),
            f"{row['rounds']:,}",
            f"{row['checks']:,}",
            f"{row['checks'] / max(row['seconds'], 1e-6):.1f}",
        )
        for row in campaigns.sources
    ]
    return table_of("sources", ("kind", "source", "rounds", "checks", "checks/s and worker"), rows, (2, 3, 4))


def runs(campaigns: Campaigns) -> Table:
    """The runs of the campaigns, the latest first; one that was killed has no end."""
    asked = {row["run"]: row for row in campaigns.runs}
    counted = {row["run"]: row for row in campaigns.trends}
    rows = [_run(name, asked.get(name, {}), counted.get(name)) for name in sorted({*asked, *counted}, reverse=True)]
    head = ("begun, UTC", "took", "end", "shard", "workers", "seed", "checks", "/s and worker", "findings", "new plans")
    return table_of("runs", head, rows, (4, 5, 6, 7, 8, 9))


_ENDS = {"budget": "budget used up", "stopped": "stopped", "gave up": "gave up"}


def _run(name: str, asked: Row, counted: Row | None) -> tuple[Cell | str, ...]:
    started = _moment(asked.get("started")) or (counted["started"] if counted else None)
    ended = _moment(asked.get("ended"))
    took = duration_text((ended - started).total_seconds()) if ended and started else ""
    how = _ENDS.get(asked.get("how") or "", "killed, or still running")
    return (
        Cell(f"{started:%Y-%m-%d %H:%M}" if started else name),
        took,
        Cell(how, look="" if ended else "soft"),
        f"{asked['shard']} of {asked['shards']}" if asked.get("shards") else "",
        f"{asked['workers']}" if asked.get("workers") else "",
        asked.get("seed") or "",
        *(
            (
                f"{counted['checks']:,}",
                f"{counted['per_second']:.1f}",
                Cell(f"{counted['findings']:,}", look="bad" if counted["findings"] else ""),
                f"{counted['new_plans']:,}",
            )
            if counted
            else ("0", "", "", "")
        ),
    )


def _moment(text: str | None) -> datetime | None:
    """A moment as a run's file has it; None where it is none."""
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None


def incidents(campaigns: Campaigns) -> Table:
    """The incidents of the campaigns: time, kind and text of each."""
    rows = [
        ((row["when"] or "")[:16].replace("T", " "), Cell(row["kind"] or "", look="code"), row["told"] or "")
        for row in campaigns.incidents
    ]
    return table_of("incidents", ("when, UTC", "kind", "what happened"), rows, ())


_VERDICTS = {"refuted": "bad", "verified": "good", "undecided": "", "never fired": "soft"}
"""The looks of the verdicts of a verification, in the order of the page."""


def verified(campaigns: Campaigns) -> Table:
    """The verifications of rules up to a bound, and how far each came."""
    order = list(_VERDICTS)
    rows = [
        (
            Cell(row["rule"], look="code"),
            Cell(verdict_text(row["verdict"]), look=_VERDICTS[row["verdict"]]),
            row["briefly"],
            row["databases"],
            f"{row['pairs']:,}",
            f"{row['comparisons']:,}",
            f"{row['seconds']:.0f}",
            ", ".join(row["excused"]),
        )
        for row in sorted(campaigns.verified, key=lambda row: order.index(row["verdict"]))
    ]
    head = ("rule", "verdict", "queries", "databases", "pairs of plans", "comparisons", "seconds", "excused by")
    return table_of("verified", head, rows, (4, 5, 6))


def verdict_text(verdict: str) -> str:
    """The verdict of a verification as the page names it."""
    return "verified up to this bound" if verdict == "verified" else verdict


def kills(name: str, hunts: Sequence[Row]) -> Table:
    """Hunts for planted wrong rules, and how each ended."""
    rows = []
    for kill in hunts:
        sizes = ("" if kill.get(key) is None else f"{kill[key]:,}" for key in ("operators", "rows"))
        rows.append(
            (
                Cell(kill["name"], look="code"),
                Cell(kill["rule"], look="code"),
                kill["by"],
                Cell("killed", look="good") if kill["killed"] else Cell("SURVIVED", look="bad"),
                f"{kill['examples']:,}",
                f"{kill['seconds']:.1f}",
                *sizes,
            )
        )
    head = ("mutant", "rule", "hunted by", "", "examples", "seconds", "operators", "rows")
    return table_of(name, head, rows, (4, 5, 6, 7))
