"""The lines of a rule of one's own that never ran while it was evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.coverage.lines import never_run
from assay.coverage.parts import Part
from assay.coverage.report import lines_text
from assay.coverage.unreachable import reason_of
from oracles.engines.protocol import Engine
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.probes import Block, Probes


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """The blocks of one rule's source file, and the numbers of those that ran."""

    part: Part
    ran: frozenset[int]

    def lines(self) -> list[str]:
        """The lines that never ran, as text."""
        return lines_text(self.part, set(self.ran))

    def summary(self) -> dict[str, Any]:
        """The coverage of one rule in ``--summary-json``."""
        missing = self.part.missing(self.ran)
        return {
            "blocks": len(self.part.blocks),
            "ran": len(self.ran),
            "never_run": {
                file: list(map(list, lines)) for file, lines in never_run(self.part.blocks, self.ran, missing).items()
            },
        }


@dataclass(slots=True)
class OwnProbes:
    """Probes in the source files of ``classes``, by rule; a new session gets them when :meth:`begin` is called.

    A JVM that was lost takes its counts with it.
    """

    classes: Mapping[str, str]
    _probes: Probes | None = None
    _pid: int | None = None

    def begin(self, spark: Engine) -> None:
        """Start to count from 0, if there is a class to count in.

        :raises ProbesFailed: a class can't have probes.
        """
        if not self.classes or not isinstance(spark, SparkEngine):
            return
        if self._probes is None or spark.pid != self._pid:
            self._probes, self._pid = Probes(spark, own=sorted(set(self.classes.values()))), spark.pid
        self._probes.take()

    def of(self, rule: str, spark: Engine) -> RuleCoverage | None:
        """The coverage of ``rule`` since :meth:`begin`; None if it has no probes, or if their JVM is gone."""
        if self._probes is None or rule not in self.classes or spark.pid != self._pid:
            return None
        blocks = self._probes.blocks
        files = {(_package(block), block.file) for block in blocks if _is_of(self.classes[rule], block)}
        own = {number: block for number, block in enumerate(blocks) if (_package(block), block.file) in files}
        reasons = {number: why for number, block in own.items() if (why := reason_of("", block))}
        ran = frozenset(own.keys() & self._probes.take().keys())
        return RuleCoverage(Part(rule, True, own, reasons), ran)


def _package(block: Block) -> str:
    return block.key.class_name.rpartition(".")[0]


def _is_of(class_name: str, block: Block) -> bool:
    name = class_name.removesuffix("$")
    return block.key.class_name == name or block.key.class_name.startswith(f"{name}$")
