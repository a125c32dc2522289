"""Rounds and folders to write down and read, without an engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

from assay.coverage.parts import Part
from assay.ledger.blocks import block_id
from assay.ledger.rounds import ADDED, Round, RoundId, Work, table_bytes, table_of, to_bytes
from oracles.checks.evidence import RuleCount
from oracles.engines.spark.probes import Block, BlockKey

BEGIN = datetime(2030, 1, 2, 3, 4, 5, 678901, tzinfo=timezone.utc)
GENERAL = Work("general")
SHAPE = Work("shape", "CombineFilters")
COMPOSITE = Work("composite", "subquery over an aggregate")
FOUND: Mapping[str, Any] = {
    "fingerprint": "3f9c5b1e07d2a684",
    "kind": "rule",
    "blame": "on",
    "rules": ["CombineFilters"],
    "operators": 2,
    "rows": 1,
    "count": 3,
    "confirmed": True,
}


CODE = (
    Part(
        "CombineFilters",
        True,
        {
            0: Block(BlockKey("p.CombineFilters$", "apply()V", 0), "Optimizer.scala", (7, 8), ""),
            1: Block(BlockKey("p.CombineFilters$", "apply()V", 1), "Optimizer.scala", (9,), ""),
            2: Block(BlockKey("p.CombineFilters$", "apply()V", 2), "Optimizer.scala", (), "it throws"),
        },
        {2: "it throws"},
    ),
    Part("Helper", False, {3: Block(BlockKey("p.Helper", "help()V", 0), "Helper.scala", (1,), "")}, {}),
)
"""The optimizer's blocks: a rule with one that no query can run, and a helper."""


def as_before(rounds: Iterable[Round]) -> bytes:
    """A file of ``rounds`` as an Assay wrote it that did not count what silent entries fit, nor legs, nor blocks."""
    return table_bytes(table_of(to_bytes(rounds)).drop_columns(list(ADDED)))


def round_of(
    number: int = 1,
    work: Work = GENERAL,
    *,
    run: str = "20300102T030405-abcdef",
    shard: tuple[int, int] = (1, 1),
    agree: int = 3,
    **own: Any,
) -> Round:
    """The round of this ``number``, started so many minutes after the first one, with all that a round may have."""
    given: dict[str, Any] = {
        "cases": agree + 2,
        "nonempty": agree,
        "optimizer_failures": 1,
        "verdicts": {"agree": agree, "excused": 1, "finding": 1},
        "excused": {"SPARK-1": 1},
        "rules": {
            "CombineFilters": RuleCount(checked=3, fired=2, differed=1, changed=4),
            "ColumnPruning": RuleCount(changed=agree),
        },
        "pairs": {("ColumnPruning", "CombineFilters"): (3, 2)},
        "plans": {"00000000000000ff": (4, 1), f"{number:016x}": (1, 3)},
        "blocks": {block_id(CODE[0].blocks[0].key): 1, 2**64 - 1 - number: 3},
        "findings": (FOUND,),
        "fits": {"SPARK-1": 2, "SPARK-2": 1},
        "fitting": 2,
        "legs": {"duckdb": agree, "off": agree, "on": agree + 1},
        **own,
    }
    return Round(
        id=RoundId(run, *shard, number),
        work=work,
        run_seed=2**70,
        worker=0,
        started=BEGIN + timedelta(minutes=number),
        seconds=10.5,
        ended="full",
        versions={"spark": "4.3.0", "duckdb": "2.0.0"},
        **given,
    )
