"""The results of campaigns on several releases, as data, and as tables for a terminal and for Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from assay.ledger.read import Ledger
from assay.session.ending import Exit
from oracles.triage.divergences import ANY, Divergence

Shown = Literal["shows", "gone", "not judged"]
"""The result of a finding on a release: it still fails, it doesn't, or that can't be judged."""

_SHOWN: Mapping[int, Shown] = {Exit.FOUND: "shows", Exit.GREEN: "gone"}


def shown_by(code: int) -> Shown:
    """The result of a finding on a release, from the exit code of ``replay`` there."""
    return _SHOWN.get(code, "not judged")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bug:
    """A finding of one release's campaign, and its result on each release: ``shown`` by the releases' names."""

    fingerprint: str
    release: str
    kind: str
    rules: tuple[str, ...]
    file: Path
    shown: Mapping[str, Shown] = field(default_factory=dict)

    def history(self, releases: Sequence[str]) -> str:
        """The first of ``releases``, the oldest first, that has the bug, and the one that fixed it, as text."""
        told = [name for name in releases if self.shown.get(name) in ("shows", "gone")]
        showing = [name for name in told if self.shown[name] == "shows"]
        if not showing:
            return "not seen again"
        first, last = told.index(showing[0]), told.index(showing[-1])
        since = f"since {showing[0]}" if first else f"in {showing[0]} or before"
        return f"{since}, " + (f"fixed in {told[last + 1]}" if last + 1 < len(told) else f"still in {showing[-1]}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One release's campaign. ``rules`` has the numbers of checks in which each rule fired, and was turned off.

    ``excused`` counts checks by the known divergence that excused them; ``exit`` is the campaign's own exit code.
    """

    name: str
    spark: str
    checks: int
    exit: int
    rules: Mapping[str, tuple[int, int]]
    bugs: tuple[Bug, ...] = ()
    excused: Mapping[str, int] = field(default_factory=dict)

    def convicted(self, rule: str) -> int:
        """The number of findings with ``rule`` among their guilty rules."""
        return sum(rule in bug.rules for bug in self.bugs)

    def known(self, rule: str, entries: Iterable[Divergence]) -> list[str]:
        """The known divergences that ``rule`` alone is guilty of and that excused a check."""
        return [entry.id for entry in entries if entry.id in self.excused and entry.rules == (rule,) != (ANY,)]


def read_column(name: str, folder: Path, code: int) -> Column:
    """Read the results of the campaign in ``folder``, which ended with the exit code ``code``."""
    with Ledger([folder]) as ledger:
        versions = ledger.versions()
        return Column(
            name=name,
            spark=versions[0]["spark"] if versions else "",
            checks=ledger.totals()["checks"],
            exit=code,
            rules={row["rule"]: (row["fired"], row["checked"]) for row in ledger.rules()},
            bugs=tuple(
                Bug(
                    fingerprint=row["fingerprint"],
                    release=name,
                    kind=row["kind"],
                    rules=tuple(row["rules"]),
                    file=Path(row["file"]),
                )
                for row in ledger.findings()
            ),
            excused={row["divergence"]: row["checks"] for row in ledger.excused()},
        )


def cell(column: Column, rule: str, entries: Sequence[Divergence]) -> str:
    """The text for ``rule`` in ``column``: how often it fired, and its findings; '' if the release lacks the rule."""
    if rule not in column.rules:
        return ""
    fired, checked = column.rules[rule]
    said = [f"{fired:,}/{checked:,}" if checked else "never off"]
    if found := column.convicted(rule):
        said.append(f"convicted {found}x")
    said += column.known(rule, entries)
    return " ".join(said)


def rule_rows(columns: Sequence[Column], entries: Sequence[Divergence]) -> list[list[str]]:
    """A row for each rule that was turned off in some campaign, or that a release before the last has alone."""
    names = sorted({rule for column in columns for rule in column.rules})
    asked = [name for name in names if any(column.rules.get(name, (0, 0))[1] for column in columns)]
    return [[name, *(cell(column, name, entries) for column in columns)] for name in asked]


def bug_rows(bugs: Sequence[Bug], releases: Sequence[str]) -> list[list[str]]:
    """A row for each finding: its kind and rules, where it was found, its result on each release, its history."""
    return [
        [
            f"{bug.kind}: {', '.join(bug.rules) or 'no rule'} ({bug.fingerprint[:8]})",
            bug.release,
            *(bug.shown.get(name, "") for name in releases),
            bug.history(releases),
        ]
        for bug in bugs
    ]


def heads(columns: Sequence[Column]) -> list[str]:
    """The heading of each release's column."""
    return [f"{column.spark or column.name} ({column.checks:,} checks)" for column in columns]


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(text.replace("|", "\\|") for text in line) + " |\n" for line in lines)


def as_json(columns: Sequence[Column], bugs: Sequence[Bug], seed: int) -> dict[str, Any]:
    """The whole matrix as data, for ``matrix.json``."""
    return {
        "format": 1,
        "seed": seed,
        "releases": {
            column.name: {
                "spark": column.spark,
                "checks": column.checks,
                "exit": column.exit,
                "rules": {
                    rule: {"fired": fired, "checked": checked} for rule, (fired, checked) in column.rules.items()
                },
                "excused": dict(column.excused),
            }
            for column in columns
        },
        "findings": [
            {
                "fingerprint": bug.fingerprint,
                "release": bug.release,
                "kind": bug.kind,
                "rules": list(bug.rules),
                "file": str(bug.file),
                "shown": dict(bug.shown),
                "history": bug.history([column.name for column in columns]),
            }
            for bug in bugs
        ],
    }
