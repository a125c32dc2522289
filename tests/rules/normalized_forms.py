"""The rules of NormalizedForms.scala: what acts on clean plans alone, and what always finds something to do."""

from __future__ import annotations

from oracles.conduct import ONCE
from oracles.engines.start import InjectedRule

FORMS = (
    InjectedRule("wants", "normalized.WantsLeaves", "plan-normalization", on=False),
    InjectedRule("wants-uncleaned", "normalized.WantsLeaves", "post-hoc-resolution", on=False),
    InjectedRule("wraps", "normalized.Wraps", "plan-normalization", on=False),
    *(InjectedRule(f"wraps-{point}", "normalized.Wraps", point, on=False) for point in (*ONCE, "optimizer")),
)

FOR_MANY_ROWS = InjectedRule("three-thousand", "volume.AtMostThreeThousand", "plan-normalization", on=False)
"""Wrong of large answers alone."""
