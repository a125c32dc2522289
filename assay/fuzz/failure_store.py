"""Writes findings to disk: the failure file, the script beside it, and the script's result on stock Spark."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.fuzz.supervision import Guard
from assay.fuzz.unjudged import Unjudged
from oracles.checks.check import Harness
from oracles.failures.failure import Failure, discard_failure, write_failure
from oracles.failures.scripts.confirm import StockSpark, with_script
from oracles.failures.scripts.script import Script
from oracles.triage.dedup import Known


@dataclass(slots=True, kw_only=True)
class FailureStore:
    """The store of a run's findings.

    :param folder: the folder of failure files.
    :param guard: the supervision of each check, and of each write.
    :param stock: writes a script for each finding, and runs it on stock Spark once the finding is minimized.
    :param known: the findings so far; a duplicate is counted, and leaves no file.
    :param originals: the folder that gets findings as they were before they were minimized; None: they are dropped.
    """

    folder: Path
    guard: Guard = field(default_factory=Guard)
    stock: StockSpark | None = None
    known: Known = field(default_factory=Known)
    originals: Path | None = None
    unjudged: Unjudged = field(init=False)

    def __post_init__(self) -> None:
        self.unjudged = Unjudged(self.folder)

    def write(self, failure: Failure, script: str | None = None) -> Path:
        """Write the file of ``failure``."""
        return self.guard.persist(lambda: write_failure(self.folder, failure, script))

    def file(self, failure: Failure, harness: Harness, *, ask: bool = False) -> tuple[Failure, Path]:
        """Write ``failure``, with its script if there is one; the failure as written, and its file.

        With ``ask``, the script runs on stock Spark, which costs the start of a session. A store without stock Spark
        writes no script.
        """
        stock = self.stock
        if stock is None:
            return failure, self.write(failure)
        rules = [harness.catalogue.rule(name) for name in failure.rules]
        without: tuple[Failure, Script | None] = (failure, None)
        told, script = self.guard.attempt(failure.case, lambda: with_script(failure, rules, stock.own), without)
        text = script.text if script else None
        file = self.write(told, text)
        if not ask or script is None:
            return told, file
        asked = replace(told, stock=self.guard.attempt(told.case, lambda: stock.asked(script), None))
        return asked, self.write(asked, text)

    def retire(self, first: Failure, fingerprint: str) -> None:
        """Remove the file of ``first`` if the finding now has another ``fingerprint``; keep a copy in ``originals``."""
        if fingerprint == first.fingerprint:
            return
        if self.originals is not None:
            originals = self.originals
            self.guard.persist(lambda: write_failure(originals, first))
        self.discard(first)

    def discard(self, failure: Failure) -> None:
        """Remove the file of ``failure``, which is no finding or a duplicate."""
        discard_failure(self.folder, failure)
