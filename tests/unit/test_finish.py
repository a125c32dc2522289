"""The evidence for the parts of FinishAnalysis, read from plans before and after."""

from __future__ import annotations

import pytest

from oracles.rules.entries.finish import FINISH
from oracles.rules.plans import read_plan

EVIDENCE = {rule.name: rule.evidence for rule in FINISH if rule.evidence is not None}
TABLE = "Relation default.t[a#0,b#1] parquet"
CHANGES = {
    "an alias goes": (f"Project [a#0]\n+- SubqueryAlias s\n   +- {TABLE}", f"Project [a#0]\n+- {TABLE}"),
    "a view goes": (f"View (`v`, [a#0])\n+- {TABLE}", TABLE),
    "a hint goes": (f"ResolvedHint (strategy=broadcast)\n+- {TABLE}", TABLE),
    "a function is replaced": (
        f"Project [nullif(a#0, b#1) AS p#2]\n+- {TABLE}",
        f"Project [with(if ((ref = b#1)) null else ref, a#0) AS p#2]\n+- {TABLE}",
    ),
    "an aggregate is replaced": (
        f"Aggregate [bool_and((a#0 > 0)) AS p#2]\n+- {TABLE}",
        f"Aggregate [min((a#0 > 0)) AS p#2]\n+- {TABLE}",
    ),
    "EXISTS is asked once": (f"Filter exists#3 []\n+- {TABLE}", f"Filter isnotnull(scalar-subquery#4 [])\n+- {TABLE}"),
    "a correlated EXISTS stays": (f"Filter exists#3 [a#0]\n+- {TABLE}", f"Filter exists#3 [a#0]\n+- {TABLE}"),
    "a key is pulled out": (
        f"Aggregate [(a#0 + 1)], [count(1) AS n#2]\n+- {TABLE}",
        "Aggregate [_groupingexpression#5], [count(1) AS n#2]\n"
        f"+- Project [a#0, (a#0 + 1) AS _groupingexpression#5]\n   +- {TABLE}",
    ),
    "a key that was pulled out stays": (
        "Aggregate [_groupingexpression#5], [count(1) AS n#2]",
        "Aggregate [_groupingexpression#5], [count(1) AS n#2]",
    ),
    "a time is computed": (
        f"Project [current_timestamp() AS p#2]\n+- {TABLE}",
        f"Project [2024-01-01 00:00:00 AS p#2]\n+- {TABLE}",
    ),
    "a catalog is named": (f"Project [current_catalog() AS p#2]\n+- {TABLE}", f"Project [spark AS p#2]\n+- {TABLE}"),
    "a name alone": (f"Project [a#0 AS nullif#2]\n+- {TABLE}", f"Project [a#0 AS p#2]\n+- {TABLE}"),
}
SHOWN = {
    "an alias goes": {"EliminateSubqueryAliases"},
    "a view goes": {"EliminateView"},
    "a hint goes": {"EliminateResolvedHint"},
    "a function is replaced": {"ReplaceExpressions"},
    "an aggregate is replaced": {"ReplaceExpressions"},
    "EXISTS is asked once": {"RewriteNonCorrelatedExists"},
    "a correlated EXISTS stays": set(),
    "a key is pulled out": {"PullOutGroupingExpressions"},
    "a key that was pulled out stays": set(),
    "a time is computed": {"ComputeCurrentTime"},
    "a catalog is named": {"ReplaceCurrentLike"},
    "a name alone": set(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_part_shows_by_what_it_took_out(change: str) -> None:
    before, after = map(read_plan, CHANGES[change])
    assert {name for name, evidence in EVIDENCE.items() if evidence(before, after)} == SHOWN[change]
