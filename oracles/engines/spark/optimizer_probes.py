"""The probes of the optimizer's rules in whichever JVM an engine has: another JVM gets them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.probes import OPTIMIZER, Probes


@dataclass(slots=True)
class OptimizerProbes:
    """Probes in the optimizer's package, in the rules that it lists, and in rules that are not Spark's.

    :param own: classes of rules of one's own, whose source files get probes; rules of extensions are added.
    """

    own: Sequence[str] = ()
    _probes: Probes | None = None
    _pid: int | None = None

    def of(self, spark: SparkEngine) -> Probes:
        """The probes of the running JVM, which is started for this.

        :raises ProbesFailed: the JVM has no agent, or a class can't have probes.
        """
        if self._probes is None or spark.pid != self._pid:
            self._probes, self._pid = None, spark.pid
            listed = sorted({rule.rule_name for rule in spark.discovered()})
            self._probes = Probes(spark, packages=[OPTIMIZER], rules=listed, own=(*self.own, *spark.brought))
        return self._probes
