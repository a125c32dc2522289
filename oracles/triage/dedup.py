"""Recognize findings that show the same bug, so that a report lists each bug once.

The fingerprint of a failure does not suffice: two queries of different shapes may show one bug, and two workers
minimize one bug to two different cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from oracles.answers.rows import from_plain
from oracles.checks.verdict import judge
from oracles.failures.failure import Failure, UnreadableFailure, read_failure
from oracles.patterns.features import operator_parts, parts
from oracles.patterns.order import order_of
from oracles.triage.third_opinion import LEG
from strategies.ir import operators, walk

_SPARK = ("on", "off", "parts")
"""The kinds of a finding that one rule's wrong rows may cause."""


def same_bug(known: Failure, other: Failure) -> bool:
    """Whether ``other`` shows the bug of ``known``, which is minimized.

    Two findings with different guilty rules are two bugs. Findings without guilty rules are one bug if ``other`` has
    every feature of ``known``, unusual settings included.
    """
    if _errors(known) != _errors(other):
        return False
    if known.rules or other.rules:
        same_kind = _wrong_rows(known, other) or known.verdict.kind == other.verdict.kind
        return same_kind and sorted(known.rules) == sorted(other.rules) and _same_blame(known, other)
    same_verdict = (known.verdict.kind, _first_blame(known)) == (other.verdict.kind, _first_blame(other))
    return same_verdict and _same_blame(known, other) and parts(known.case) <= parts(other.case)


def repeated(known: Iterable[Failure], other: Failure) -> Failure | None:
    """The failure among ``known`` that ``other`` duplicates; None if there is none.

    A finding with several guilty rules duplicates several bugs at once if each rule is guilty of a known bug, alone or
    with some of the others. The first of these bugs is returned.
    """
    single: list[Failure] = []
    for each in known:
        if same_bug(each, other):
            return each
        if _wrong_rows(each, other) and each.rules and _same_blame(each, other):
            single += [each] if set(each.rules) < set(other.rules) else []
    covered = {rule for part in single for rule in part.rules}
    return single[0] if covered and covered == set(other.rules) else None


def distinct(failures: Iterable[Failure]) -> dict[str, str]:
    """Map each failure's fingerprint to the fingerprint of the failure that represents its bug, in any order of input.

    A confirmed failure represents unconfirmed ones, one with fewer guilty rules those with more, a smaller one larger.
    """
    kept: list[Failure] = []
    standing: dict[str, str] = {}
    for failure in sorted(failures, key=preference):
        if failure.fingerprint not in standing:
            earlier = repeated(kept, failure)
            standing[failure.fingerprint] = (earlier or failure).fingerprint
            kept += [] if earlier else [failure]
    return standing


def preference(failure: Failure) -> tuple[bool, int, bool, bool, int, int, int, str]:
    """Sort key of failures: the first one represents its bug."""
    query = failure.case.query
    size = operators(query), failure.case.database.row_count, sum(1 for _ in walk(query))
    unknown = failure.verdict.blame == "unknown"
    in_parts = failure.verdict.kind == "metamorphic"
    return not failure.confirmed, len(failure.rules), in_parts, unknown, *size, failure.fingerprint


def _wrong_rows(one: Failure, other: Failure) -> bool:
    return all(each.verdict.kind is not None and each.verdict.kind.of_rows for each in (one, other))


def _same_blame(one: Failure, other: Failure) -> bool:
    """Whether the blames don't contradict each other; 'unknown' contradicts no blame."""
    blames = {one.verdict.blame, other.verdict.blame}
    return len(blames - {"unknown"}) < 2


def _first_blame(failure: Failure) -> str | None:
    """The blame of ``failure`` before the third opinion, which only minimized findings have."""
    if LEG not in failure.legs:
        return failure.verdict.blame
    legs = {name: from_plain(leg) for name, leg in failure.legs.items()}
    unoptimized = legs.get("duckdb_unoptimized")
    order = order_of(failure.case.query)
    return judge(legs["on"], legs.get("off"), legs["duckdb"], fired=True, unoptimized=unoptimized, order=order).blame


def _errors(failure: Failure) -> set[tuple[str, str]]:
    """The names of Spark's legs that raised, each with its error condition."""
    return {
        (name, leg["raised"]["condition"]) for name, leg in failure.legs.items() if name in _SPARK and "raised" in leg
    }


@dataclass(frozen=True, slots=True)
class Filed:
    """A failure and its file."""

    failure: Failure
    file: Path


@dataclass(slots=True)
class Known:
    """The findings that need not be minimized again: those of this fuzzer, and the confirmed ones in ``folder``.

    Other processes may write to ``folder`` at any time.

    :param by_operators: whether a duplicate also has each operator of the finding that it duplicates. A rule on trial
        may make several mistakes, which its name alone doesn't tell apart.
    """

    folder: Path | None = None
    by_operators: bool = False
    own: list[Filed] = field(default_factory=list)
    _read: dict[tuple[Path, int], Filed | None] = field(default_factory=dict)

    def add(self, failure: Failure, file: Path) -> None:
        """Add ``failure`` to the known ones."""
        self.own.append(Filed(failure, file))

    def earlier(self, failure: Failure) -> Filed | None:
        """The known failure that ``failure`` duplicates; None if there is none."""
        filed = [*self._confirmed(), *self.own]
        if self.by_operators:
            operators_of = operator_parts(failure.case)
            filed = [each for each in filed if operator_parts(each.failure.case) <= operators_of]
        again = repeated([each.failure for each in filed], failure)
        return next((each for each in filed if each.failure is again), None)

    def _confirmed(self) -> Sequence[Filed]:
        if self.folder is None:
            return []
        present: dict[tuple[Path, int], Filed | None] = {}
        for file in sorted(self.folder.glob("*.json")):
            try:
                key = file, file.stat().st_mtime_ns
                present[key] = self._read[key] if key in self._read else _confirmed(file)
            except (OSError, UnreadableFailure):
                continue  # another process replaced it, or it has another format
        self._read = present
        return [each for each in present.values() if each is not None]


def _confirmed(file: Path) -> Filed | None:
    failure = read_failure(file)
    return Filed(failure, file) if failure.confirmed else None
