"""A finding in one line, from its entry in a run's summary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oracles.answers.plural import number
from oracles.failures.confirmation import Stock


def finding_title(summary: Mapping[str, Any]) -> str:
    """The title of a finding: its kind, the guilty rules, and the leg that is to blame."""
    return f"{summary['kind']} finding, {_guilty(summary)}, blame {summary['blame']}"


def finding_facts(summary: Mapping[str, Any]) -> str:
    """The kind of a finding, the leg that is to blame, the guilty rules, and the size of its case."""
    return (
        f"{summary['kind']}, blame {summary['blame']}, {_guilty(summary)}, {number(summary['operators'], 'operator')}, "
        f"{number(summary['rows'], 'row')}"
    )


def finding_line(summary: Mapping[str, Any], *, earlier: bool = False) -> str:
    """A line of a closing text; ``earlier`` says that the finding is of an earlier run of the same campaign."""
    shown = summary.get("stock")
    return (
        f"{'earlier finding' if earlier else 'finding'} {summary['fingerprint']}: {finding_facts(summary)}, "
        f"{'' if summary['confirmed'] else 'unconfirmed, '}seen {number(summary['count'], 'time')}"
        f"{f', {Stock(shown).told}' if shown else ''}: {summary['file']}"
    )


def _guilty(summary: Mapping[str, Any]) -> str:
    return ", ".join(summary["rules"]) or "no rule"
