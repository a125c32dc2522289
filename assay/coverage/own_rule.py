"""The lines of a rule of one's own that never ran while it was evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.coverage.lines import never_run
from assay.coverage.parts import Part
from assay.coverage.report import lines_text
from assay.coverage.unreachable import reason_of
from oracles.engines.protocol import Engine
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.probes import Block, Probes, ProbesFailed


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """The blocks of one rule's source file, at least one, and the numbers of those that ran.

    ``fired``: whether the rule changed a plan, so that some of its blocks must have run.
    """

    part: Part
    ran: frozenset[int]
    fired: bool = False

    def with_runs_of(self, other: RuleCoverage | None) -> RuleCoverage:
        """This coverage, with what ran in ``other``, if both were counted by the same probes."""
        if other is None or other.part.blocks != self.part.blocks:
            return self
        return RuleCoverage(self.part, self.ran | other.ran, self.fired or other.fired)

    @property
    def is_broken(self) -> bool:
        """Whether the probes counted nothing though the rule fired: what ran isn't known then."""
        return self.fired and not self.ran

    def lines(self) -> list[str]:
        """The lines that never ran, as text."""
        if self.is_broken:
            return [f"no coverage: {self.part.name} fired, and its probes counted nothing"]
        return lines_text(self.part, self.ran)

    def summary(self) -> dict[str, Any] | None:
        """The coverage of one rule in ``--summary-json``; None if the probes counted nothing though the rule fired."""
        if self.is_broken:
            return None
        missing = self.part.missing(self.ran)
        return {
            "blocks": len(self.part.blocks),
            "ran": len(self.ran),
            "never_run": {
                file: list(map(list, lines)) for file, lines in never_run(self.part.blocks, self.ran, missing).items()
            },
        }


@dataclass(slots=True, kw_only=True)
class OwnProbes:
    """Probes in the source files of ``classes``, by rule; a new session gets them when :meth:`begin` is called.

    ``sparks``: the classes of rules of Spark, by rule. They get probes by themselves, because their files hold many
    rules. A JVM that was lost takes its counts with it. Where there can't be any probes, there is no coverage, and no
    error.

    :param told: called with one line that says why there is no coverage.
    """

    classes: Mapping[str, str]
    sparks: Mapping[str, str] = field(default_factory=dict)
    told: Callable[[str], None] = print
    _probes: Probes | None = None
    _pid: int | None = None
    _failed: bool = False
    _ran: set[int] = field(default_factory=set)

    def begin(self, spark: Engine) -> None:
        """Start to count from 0, if there is a class to count in."""
        self._ran = set()
        if not (self.classes or self.sparks) or not isinstance(spark, SparkEngine):
            return
        if self._failed and spark.pid == self._pid:
            return
        try:
            if self._probes is None or spark.pid != self._pid:
                self._probes, self._failed, self._pid = None, False, spark.pid
                own, rules = sorted(set(self.classes.values())), sorted(set(self.sparks.values()))
                self._probes = Probes(spark, own=own, rules=rules)
            self._probes.resume()
            self._probes.take()
        except ProbesFailed as error:
            self._fail(error)

    def new(self, spark: Engine) -> frozenset[int]:
        """The blocks that ran for the first time since :meth:`begin`, as seen at this call; none without probes."""
        if self._probes is None or spark.pid != self._pid:
            return frozenset()
        try:
            new = frozenset(self._probes.take().keys() - self._ran)
        except ProbesFailed as error:
            self._fail(error)
            return frozenset()
        self._ran |= new
        return new

    def pause(self, spark: Engine) -> None:
        """Take the probes out of the classes until :meth:`begin` is called, for times that are to be compared."""
        if self._probes is not None and spark.pid == self._pid:
            self._probes.pause()

    def of(self, rule: str, spark: Engine, *, fired: bool) -> RuleCoverage | None:
        """The coverage of ``rule`` since :meth:`begin`; None if it has no probes, or if their JVM is gone."""
        class_name = self.classes.get(rule) or self.sparks.get(rule)
        if self._probes is None or class_name is None or spark.pid != self._pid:
            return None
        self.new(spark)
        if self._probes is None:
            return None
        own = {number: block for number, block in enumerate(self._probes.blocks) if _is_of(class_name, block)}
        if rule in self.classes:
            files = {(_package(block), block.file) for block in own.values()}
            own = {n: block for n, block in enumerate(self._probes.blocks) if (_package(block), block.file) in files}
        named = rule if rule in self.sparks else ""
        reasons = {number: why for number, block in own.items() if (why := reason_of(named, block))}
        if not own:
            self.told(f"no coverage: no class file of {class_name} was found")
            return None
        return RuleCoverage(Part(rule, True, own, reasons), frozenset(own.keys() & self._ran), fired)

    def _fail(self, error: ProbesFailed) -> None:
        self._probes, self._failed = None, True
        self.told(f"no coverage: {error}")


def _package(block: Block) -> str:
    return block.key.class_name.rpartition(".")[0]


def _is_of(class_name: str, block: Block) -> bool:
    name = class_name.removesuffix("$")
    return block.key.class_name == name or block.key.class_name.startswith(f"{name}$")
