"""The standing of a ticket on a release: whether the check of its witness ends as the ticket says."""

from __future__ import annotations

from enum import Enum

from assay.releases.rediscover.tickets import Benchmark, Ticket
from oracles.checks.result import CheckResult


class Standing(Enum):
    """The end of a witness's check, beside what the ticket expects of the release."""

    FOUND = "found"
    MISSED = "missed"
    MISSED_AS_KNOWN = "missed, as known"
    NO_LONGER_MISSED = "found, though known as missed"
    MENDED = "mended"
    BACK = "found where it is mended"
    SEEN = "found, not tried before"
    NOT_SEEN = "not found, not tried before"
    REFUSED = "the release lacks its syntax"
    NO_WITNESS = "no witness"

    @property
    def is_wrong(self) -> bool:
        """Whether the ticket's record is wrong, or Assay finds less than before, or a mended bug is back."""
        return self in (Standing.MISSED, Standing.NO_LONGER_MISSED, Standing.BACK)


def is_asked(ticket: Ticket, spark: str) -> bool:
    """Whether the witness of ``ticket`` is checked on release ``spark``."""
    return ticket.witness is not None and spark not in ticket.refused


def standing(benchmark: Benchmark, ticket: Ticket, spark: str, checked: CheckResult | None) -> Standing:
    """The standing of ``ticket`` on release ``spark``; ``checked`` is None if nothing was asked."""
    if checked is None:
        return Standing.NO_WITNESS if ticket.witness is None else Standing.REFUSED
    found = checked.verdict.name in ("finding", "excused")
    if spark not in benchmark.tried:
        return Standing.SEEN if found else Standing.NOT_SEEN
    if spark not in ticket.releases:
        return Standing.BACK if found else Standing.MENDED
    if spark in ticket.found:
        return Standing.FOUND if found else Standing.MISSED
    return Standing.NO_LONGER_MISSED if found else Standing.MISSED_AS_KNOWN


def result_text(checked: CheckResult, rules: tuple[str, ...]) -> str:
    """A check's result in a few words: the kind of the finding and its guilty rules, or the verdict's name."""
    verdict = checked.verdict
    if verdict.kind is None:
        return verdict.name
    known = f", known as {verdict.divergence}" if verdict.divergence else ""
    return f"{verdict.kind}: {', '.join(rules) or 'no rule'}{known}"
