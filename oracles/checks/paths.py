"""Two paths to one verdict: a plain one with files and jobs, and a fast one that spares what a rule can't change.

On the fast path tables are in the JVM's memory, and rows are computed in the driver. The optimizer is the real one on
both. What the fast path gives up is made good here: what it finds counts when the plain path finds it, or else jobs
over the same tables in memory; and a share of what it passes is run again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from oracles.checks.check import Checked, ChooseOff, Laboratory, LegSettings, fixed
from oracles.checks.extra_databases import Elsewhere, others_of
from oracles.rules.rule import Rule
from strategies.ir import Case

_PASSING = ("agree", "vacuous")
_SETTLED = (*_PASSING, "raised")
"""What isn't asked again but now and then. What all legs raise, jobs have raised: the driver leaves it to them."""
_ONE_IN = 100
"""One check in so many that found nothing is run again on the plain path."""


class PathsDiffer(RuntimeError):
    """The driver found or raised what neither files nor jobs over the same tables show, or what it doesn't find where
    it is asked again: Assay's own fault.
    """

    def __init__(self, fast: Checked, plain: Checked, *, way: str = "in jobs") -> None:
        super().__init__(f"run in the driver, a check ends in {_told(fast)}; run {way}, in {_told(plain)}")
        self.fast = fast
        self.plain = plain


@dataclass(frozen=True, slots=True)
class Paths:
    """Checks by the fast path where a case allows it, confirmed by the plain one; with ``fast`` false, plainly alone.

    ``excused`` says whether a known divergence accounts for a finding of the fast path: such a one need not show
    on the plain path, whose plans have other joins, and is run there now and then alone. On the fast path a pair of
    plans is run over so many ``databases``.
    """

    laboratory: Laboratory
    fast: bool
    excused: Callable[[Checked], bool]
    databases: int = 1

    def check(
        self, case: Case, choose_off: ChooseOff, settings: LegSettings, *, where_acting: Sequence[Rule] = ()
    ) -> Checked | None:
        """A check of ``case``; None where none of ``where_acting``, if these are given, acts.

        Raises PathsDiffer, and whatever Laboratory.check raises.
        """
        look = (
            partial(self.laboratory.check_where_acting, acting=where_acting) if where_acting else self.laboratory.check
        )
        fast = self.fast and case.settings.is_quick
        others = others_of(case, self.databases - 1) if fast else ()
        checked = look(case, choose_off, settings, fast=fast, others=others)
        if checked is None or not fast:
            return checked
        off = fixed(map(self.laboratory.catalogue.rule, checked.off))
        if checked.verdict.name in _PASSING and (elsewhere := checked.beside.elsewhere):
            return self._elsewhere(checked, elsewhere, off, settings)
        return self._confirmed(checked, off, settings)

    def _elsewhere(self, checked: Checked, elsewhere: Elsewhere, off: ChooseOff, settings: LegSettings) -> Checked:
        """A check over another database, where that is a finding; else ``checked``, which passed."""
        case = replace(checked.case, database=elsewhere.database)
        again = self.laboratory.check(case, off, settings, fast=True)
        if again.verdict.name in _PASSING and elsewhere.verdict.name == "finding":
            seen = replace(again, legs=elsewhere.legs, verdict=elsewhere.verdict)
            raise PathsDiffer(seen, again, way="over that database alone")
        confirmed = self._confirmed(again, off, settings)
        return confirmed if confirmed.verdict.name == "finding" else checked

    def _confirmed(self, checked: Checked, off: ChooseOff, settings: LegSettings) -> Checked:
        """``checked``, or how the plain path ends: for findings, for what can't be told, and for the share due."""
        case = checked.case
        known = checked.verdict.name == "finding" and self.excused(checked)
        if (known or checked.verdict.name in _SETTLED) and not _is_due(case):
            return checked
        plain = self.laboratory.check(case, off, settings)
        if _end(checked) == _end(plain):
            return replace(plain, fast=True, beside=checked.beside)
        if plain.verdict.name not in _PASSING or checked.verdict.name not in ("finding", "raised"):
            return plain
        if known:
            return checked
        # Tables in files have other partitions and sizes: that is Spark's own affair. What runs in the driver is ours.
        jobs = self.laboratory.check(case, off, settings, fast=True, in_driver=False)
        if _end(checked) == _end(jobs):
            return replace(jobs, memory_alone=True)
        raise PathsDiffer(checked, jobs)


def _end(checked: Checked) -> tuple[str, str | None, str | None]:
    verdict = checked.verdict
    return verdict.name, verdict.kind, verdict.blame


def _told(checked: Checked) -> str:
    return " ".join(part for part in _end(checked) if part)


def _is_due(case: Case) -> bool:
    """By the case alone, so that a run with the same seed runs the same checks again."""
    return int.from_bytes(hashlib.sha256(repr(case).encode()).digest()[:4], "big") % _ONE_IN == 0
