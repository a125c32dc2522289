"""The summary of a run in Markdown, for the page of a CI job (on GitHub, GITHUB_STEP_SUMMARY names its file)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.fuzz.incident_log import red_lines
from assay.fuzz.record import Record
from assay.fuzz.report import conclude_kills
from oracles.checks.conclusion import Conclusion
from oracles.checks.tally import Tally
from oracles.failures.confirmation import Stock

VARIABLE = "GITHUB_STEP_SUMMARY"


def add_to_job_summary(text: str, environ: Mapping[str, str] | None = None) -> None:
    """Append ``text`` to the file that the CI's job shows, if there is one."""
    file = (os.environ if environ is None else environ).get(VARIABLE)
    if file:
        with Path(file).open("a", encoding="utf-8") as summary:
            summary.write(text + "\n")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """The lines of a Markdown table; empty if there are no rows."""
    body = [_row(row) for row in rows]
    return [_row(head), _row(["---"] * len(head)), *body, ""] if body else []


def _row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(_cell(each) for each in cells)} |"


def _cell(value: object) -> str:
    return " ".join(str(value).split()).replace("|", "\\|")


def fuzz_markdown(record: Record, shown: Conclusion, *, seed: int, seconds: float) -> str:
    """The summary of a fuzz run: its conclusion, why it is red, verdicts, findings, and excused checks."""
    tally, coverage = record.tally, record.coverage
    told = [
        f"{tally.checks} checks in {seconds:.0f} s, {len(coverage.changed)} of {len(coverage.release)} rules changed a "
        f"plan, {len(coverage.pairs)} pairs together. Again with `--hypothesis-seed {seed}`."
    ]
    return checks_markdown("Fuzz", shown, tally, record.findings, told, [*red_lines(record.incidents), *shown.red])


def checks_markdown(
    title: str,
    shown: Conclusion,
    tally: Tally,
    findings: Sequence[Mapping[str, Any]],
    told: Sequence[str],
    red: Sequence[str],
) -> str:
    """The summary of a run's checks under a ``title``, with the conclusion ``shown``.

    ``told`` has further lines, ``red`` the lines that make the run red apart from findings.
    """
    sign = "" if shown.proof and not red else ", red"
    return "\n".join(
        [
            f"## {title}{sign}: {shown.sentence}",
            "",
            *told,
            "",
            *(f"- {line}" for line in red),
            *([""] if red else []),
            *table(("verdict", "checks"), tally.verdicts.items()),
            *table(
                ("finding", "kind", "guilty rules", "blame", "operators", "rows", "seen", "stock Spark", "file"),
                map(_finding, findings),
            ),
            *table(("excused by", "checks"), tally.excused.items()),
        ]
    )


def _finding(finding: Mapping[str, Any]) -> list[object]:
    shown = finding.get("stock")
    return [
        f"`{finding['fingerprint']}`{'' if finding['confirmed'] else ' (unconfirmed)'}",
        finding["kind"],
        ", ".join(finding["rules"]) or "none",
        finding["blame"],
        finding["operators"],
        finding["rows"],
        finding["count"],
        Stock(shown).told if shown else "not asked",
        f"`{Path(str(finding['file'])).name}`",
    ]


def mutants_markdown(record: Record) -> str:
    """The summary of a mutants run: how many mutants were killed, and which survived."""
    alive = [kill for kill in record.kills if not kill["killed"]]
    shown = conclude_kills(record.kills)
    return "\n".join(
        [
            f"## Mutants{'' if shown.proof else ', red'}: {shown.sentence}",
            "",
            *table(("survivor", "rule", "by"), ((kill["name"], kill["rule"], kill["by"]) for kill in alive)),
        ]
    )
