"""The rules of NormalizedForms.scala: one acts on clean plans alone, one numbers columns anew, one always acts."""

from __future__ import annotations

from importlib.metadata import version

from packaging.version import Version

from oracles.checks.misbehaviour import ONCE
from oracles.engines.spark.start import InjectedRule

_LATER = {"pre-operator-optimization": Version("4.3")}
ONCE_HERE = tuple(point for point in ONCE if Version(version("pyspark")) >= _LATER.get(point, Version("0")))
"""Those points that the Spark at hand has."""

FORMS = (
    InjectedRule("wants", "normalized.WantsLeaves", "plan-normalization", on=False),
    InjectedRule("wants-uncleaned", "normalized.WantsLeaves", "post-hoc-resolution", on=False),
    InjectedRule("renumbers", "normalized.Renumbers", "plan-normalization", on=False),
    InjectedRule("wraps", "normalized.Wraps", "plan-normalization", on=False),
    InjectedRule("projects", "normalized.Projects", "plan-normalization", on=False),
    *(InjectedRule(f"wraps-{point}", "normalized.Wraps", point, on=False) for point in (*ONCE_HERE, "optimizer")),
)

FOR_MANY_ROWS = InjectedRule("three-thousand", "volume.AtMostThreeThousand", "plan-normalization", on=False)
"""Wrong of large answers alone."""
