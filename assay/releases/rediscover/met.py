"""The tickets that campaigns met: findings that look like their bugs, and checks that a known divergence excused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.ledger.read import Ledger
from assay.releases.rediscover.tickets import Likeness, Ticket
from oracles.failures.failure import Failure, read_failure
from oracles.triage.divergences import Divergence, fits_pattern


@dataclass(frozen=True, slots=True)
class Met:
    """A ticket as campaigns met it: in how many of their checks, with which guilty rules, in which failure files."""

    ticket: str
    checks: int
    rules: tuple[str, ...]
    files: tuple[Path, ...]


def looks_like(like: Likeness, failure: Failure) -> bool:
    """Whether ``failure`` fits all that ``like`` gives."""
    messages = [leg["raised"]["message"] for leg in failure.legs.values() if "raised" in leg]
    return (
        (not like.kinds or failure.verdict.kind in like.kinds)
        and (not like.rules or not set(like.rules).isdisjoint(failure.rules))
        and (not like.raised or any(re.search(like.raised, message) for message in messages))
        and fits_pattern(like.pattern, failure.case)
    )


def met_in(ledger: Ledger, tickets: Iterable[Ticket], entries: Sequence[Divergence]) -> list[Met]:
    """The tickets of releases that ``ledger``'s campaigns ran on that they met, in the tickets' order."""
    spark = {row["spark"] for row in ledger.versions()}
    rows = [(row, read_failure(Path(row["file"]))) for row in ledger.findings()]
    excused = {row["divergence"]: row["checks"] for row in ledger.excused()}
    found = (_met(each, rows, excused, entries) for each in tickets if spark & set(each.releases))
    return [each for each in found if each.checks]


def _met(
    ticket: Ticket,
    rows: Sequence[tuple[Mapping[str, Any], Failure]],
    excused: Mapping[str, int],
    entries: Sequence[Divergence],
) -> Met:
    known = [entry for entry in entries if entry.url == ticket.url and entry.id in excused]
    like = ticket.like
    shown = [(row, failure) for row, failure in rows if like is not None and looks_like(like, failure)]
    rules = {rule for _, failure in shown for rule in failure.rules} | {rule for entry in known for rule in entry.rules}
    # A finding whose round was cut off has no count, and a file.
    checks = sum(max(1, row["count"]) for row, _ in shown) + sum(excused[entry.id] for entry in known)
    return Met(ticket.id, checks, tuple(sorted(rules)), tuple(Path(row["file"]) for row, _ in shown))
