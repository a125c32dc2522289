"""Blocks that no drawn query can run, each with its reason.

Reasons for whole rules are in :mod:`oracles.rules.entries.unreached`; a block's own code may show that it can't run
(:attr:`oracles.engines.spark.probes.Block.unreachable`). A block that has run counts as run in spite of these reasons.
"""

from __future__ import annotations

from collections.abc import Mapping

from oracles.engines.spark.probes import Block
from oracles.rules.entries.unreached import UNREACHED

_RARE = "rare"
"""The first word of a reason that says that queries reach the rule, if seldom."""
_MAP = "needs a MAP column"

HELPERS: Mapping[str, str] = {
    "CheckCartesianProducts": "needs spark.sql.crossJoin.enabled=false",
    "InsertMapSortExpression": _MAP,
    "InsertMapSortInAggregate": _MAP,
    "InsertMapSortInRepartitionExpressions": _MAP,
    "ReplaceCurrentLike": "needs current_catalog(), current_database() or current_user()",
    "ReplaceTranspose": "needs DataFrame.transpose()",
    "ReusableBroadcastValueProjection": "needs a partitioned table",
    "RewriteAsOfJoin": "needs an as-of join",
    "RewriteNearestByJoin": "needs a join NEAREST BY",
}
"""Reasons for helpers and parts of rules; they take precedence over UNREACHED for the same name."""


def reason_of(part: str, block: Block) -> str:
    """Why no drawn query can run ``block`` of the rule or helper ``part``; '' if nothing is known against it."""
    if block.unreachable:
        return block.unreachable
    why = HELPERS.get(part) or UNREACHED.get(part, "")
    return "" if why.startswith(_RARE) else why
