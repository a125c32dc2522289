"""Run a check on the fast path, and confirm it on the plain path.

The plain path reads tables from files and runs Spark jobs. The fast path keeps tables in the JVM's memory and computes
rows in the driver. Both use Spark's real optimizer. A finding of the fast path counts if the plain path finds it too,
or else if jobs over the same tables in memory do. Of the checks that pass, one in a hundred runs on the plain path as
well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from oracles.answers.outcome import is_timeout
from oracles.checks.check import Harness
from oracles.checks.choices import ChooseOff, fixed
from oracles.checks.extra_databases import Mismatch, others_of
from oracles.checks.result import CheckResult, LegSettings
from oracles.rules.rule import Rule
from strategies.ir import Case

_PASSING = ("agree", "vacuous")
_SETTLED = (*_PASSING, "raised", "same-error", "order-open")
"""Verdicts that the plain path confirms in one check of a hundred. An error that all legs raise was raised by jobs: the
driver leaves queries that raise to them.
"""
_ONE_IN = 100
"""One in this many checks with a settled verdict runs on the plain path, too."""


class PathsDiffer(RuntimeError):
    """The fast path ends in a finding or an error that neither files nor jobs over the same tables confirm, or that it
    does not repeat itself. The fault is Assay's own.
    """

    def __init__(self, fast: CheckResult, plain: CheckResult, *, way: str = "in jobs") -> None:
        super().__init__(f"run in the driver, a check ends in {_told(fast)}; run {way}, in {_told(plain)}")
        self.fast = fast
        self.plain = plain


@dataclass(frozen=True, slots=True)
class Paths:
    """Checks on the fast path where a case allows it, confirmed on the plain path.

    :param fast: if false, all checks run on the plain path alone.
    :param excused: whether a known divergence excuses a finding of the fast path. The plain path need not confirm
        such a finding, because its plans have other joins.
    :param databases: how many databases the plans of one check run over on the fast path.
    """

    harness: Harness
    fast: bool
    excused: Callable[[CheckResult], bool]
    databases: int = 1

    def check(
        self, case: Case, choose_off: ChooseOff, settings: LegSettings, *, if_fired: Sequence[Rule] = ()
    ) -> CheckResult | None:
        """Check ``case``; None if rules are given in ``if_fired`` and none of them fires.

        :raises PathsDiffer: the plain path does not confirm what the fast path found. Harness.check's errors pass.
        """
        look = partial(self.harness.check_if_fired, rules=if_fired) if if_fired else self.harness.check
        fast = self.fast and case.settings.is_quick
        others = others_of(case, self.databases - 1) if fast and not case.settings.plans_by_rows else ()
        checked = look(case, choose_off, settings, fast=fast, others=others)
        if checked is None or not fast:
            return checked
        off = fixed(map(self.harness.catalogue.rule, checked.off))
        elsewhere = checked.beside.elsewhere
        if elsewhere is not None and self._says_more(elsewhere, checked):
            return self._elsewhere(checked, elsewhere, off, settings)
        return self._confirmed(checked, off, settings)

    def _says_more(self, elsewhere: Mismatch, checked: CheckResult) -> bool:
        """Whether the extra database counts: over the first one the check passes, is unclear, or is excused."""
        verdict = checked.verdict
        if verdict.name in _PASSING:
            return True
        if not elsewhere.convicts:
            return False
        return verdict.kind is None or (not verdict.kind.convicts and self.excused(checked))

    def _elsewhere(
        self, checked: CheckResult, elsewhere: Mismatch, off: ChooseOff, settings: LegSettings
    ) -> CheckResult:
        """Check the case over the extra database that gave different answers; ``checked`` if neither these answers nor
        that check are a finding.

        A check over it in which a leg took too long is the result, too: that case has an isolated rerun.

        :raises PathsDiffer: that check does not confirm a finding.
        """
        case = replace(checked.case, database=elsewhere.database)
        again = self.harness.check(case, off, settings, fast=True)
        found = elsewhere.verdict.name == "finding"
        seen = replace(again, legs=elsewhere.legs, verdict=elsewhere.verdict)
        if found and again.verdict.name in _PASSING:
            raise PathsDiffer(seen, again, way="over that database alone")
        confirmed = self._confirmed(again, off, settings)
        if confirmed.verdict.name == "finding" or _is_late(confirmed):
            return confirmed
        if found:
            raise PathsDiffer(seen, confirmed, way="over that database alone")
        return checked

    def _confirmed(self, checked: CheckResult, off: ChooseOff, settings: LegSettings) -> CheckResult:
        """Run ``checked`` on the plain path if its verdict needs confirmation; else ``checked`` itself."""
        case = checked.case
        known = checked.verdict.name == "finding" and self.excused(checked)
        if (known or checked.verdict.name in _SETTLED) and not _is_due(case):
            return checked
        plain = self.harness.check(case, off, settings)
        if _end(checked) == _end(plain):
            return replace(plain, fast=True, beside=checked.beside)
        found = checked.verdict.name == "finding"
        if found and not known and plain.verdict.name == "finding" and _says_less(plain, checked):
            jobs = self.harness.check(case, off, settings, fast=True, in_driver=False)
            kind = jobs.verdict.kind
            return replace(jobs, memory_alone=True) if kind is not None and kind.convicts else plain
        if plain.verdict.name == "finding" or not (found or plain.verdict.name in _PASSING):
            return plain
        if checked.verdict.name not in ("finding", "raised", "same-error") or (_is_late(plain) and not found):
            return plain
        if known:
            return checked
        # Files have other partitions and sizes; jobs over the same tables in memory tell whether the driver is wrong.
        jobs = self.harness.check(case, off, settings, fast=True, in_driver=False)
        if _end(checked) == _end(jobs) or jobs.verdict.name == "finding":
            return replace(jobs, memory_alone=True)
        if _is_late(plain) or _is_late(jobs):
            return plain if _is_late(plain) else jobs
        raise PathsDiffer(checked, jobs)


def _end(checked: CheckResult) -> tuple[str, str | None, str | None]:
    verdict = checked.verdict
    return verdict.name, verdict.kind, verdict.blame


def _says_less(plain: CheckResult, fast: CheckResult) -> bool:
    """Whether the finding of the fast path alone speaks against a rule: that over files may have its own cause."""
    one, other = plain.verdict.kind, fast.verdict.kind
    return one is not None and other is not None and other.convicts and not one.convicts


def _is_late(checked: CheckResult) -> bool:
    """Whether a leg took too long: an isolated rerun then has the word."""
    return any(map(is_timeout, checked.legs.values()))


def _told(checked: CheckResult) -> str:
    return " ".join(part for part in _end(checked) if part)


def _is_due(case: Case) -> bool:
    """Whether the plain path is due, chosen by the case alone: a run with the same seed chooses the same checks."""
    return int.from_bytes(hashlib.sha256(repr(case).encode()).digest()[:4], "big") % _ONE_IN == 0
