"""The rules of NormalizedForms.scala: one acts on clean plans alone, one numbers columns anew, one always acts."""

from __future__ import annotations

from oracles.conduct import ONCE
from oracles.engines.start import InjectedRule

FORMS = (
    InjectedRule("wants", "normalized.WantsLeaves", "plan-normalization", on=False),
    InjectedRule("wants-uncleaned", "normalized.WantsLeaves", "post-hoc-resolution", on=False),
    InjectedRule("renumbers", "normalized.Renumbers", "plan-normalization", on=False),
    InjectedRule("wraps", "normalized.Wraps", "plan-normalization", on=False),
    *(InjectedRule(f"wraps-{point}", "normalized.Wraps", point, on=False) for point in (*ONCE, "optimizer")),
)

FOR_MANY_ROWS = InjectedRule("three-thousand", "volume.AtMostThreeThousand", "plan-normalization", on=False)
"""Wrong of large answers alone."""
