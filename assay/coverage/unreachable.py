"""Blocks that no drawn query can run, each with its reason."""

from __future__ import annotations

from oracles.engines.spark.probes import Block
from oracles.rules.entries.unreached import UNREACHED

_RARE = "rare"
"""Such a rule is reached, if seldom."""


def reason_of(part: str, block: Block) -> str:
    """Why no drawn query can run ``block`` of the rule or helper ``part``; '' if nothing is known against it."""
    if block.unreachable:
        return block.unreachable
    why = UNREACHED.get(part, "")
    return "" if why.startswith(_RARE) else why
