"""The basic blocks of a release's optimizer as the ledger keeps them, so that a reader needs no Spark to name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa

from assay.coverage.parts import Part
from assay.ledger.rounds import table_bytes
from oracles.answers.atomic import write_bytes
from oracles.engines.spark.probes import Block, BlockKey

SCHEMA = pa.schema(
    {
        "spark": pa.string(),
        "block": pa.uint64(),
        "part": pa.string(),
        "is_rule": pa.bool_(),
        "file": pa.string(),
        "lines": pa.list_(pa.int32()),
        "unreachable": pa.string(),
    }
)
"""The columns of a file of blocks; ``unreachable`` is NULL for a block that a drawn query can run."""


def block_id(key: BlockKey) -> int:
    """64 bits for a block's name: the same in every session of a release, whatever else has probes there."""
    return int.from_bytes(sha256("\t".join(map(str, key)).encode()).digest()[:8], "big")


def write_blocks(folder: Path, spark: str, parts: Iterable[Part]) -> None:
    """Write the blocks of ``parts`` to the file of the release ``spark`` in ``folder``."""
    rows = [
        {
            "spark": spark,
            "block": block_id(block.key),
            "part": part.name,
            "is_rule": part.is_rule,
            "file": block.file,
            "lines": block.lines,
            "unreachable": part.unreachable.get(number),
        }
        for part in parts
        for number, block in part.blocks.items()
    ]
    write_bytes(folder / f"{spark}.parquet", table_bytes(pa.Table.from_pylist(rows, SCHEMA)))


@dataclass(frozen=True, slots=True)
class Code:
    """The optimizer of one release: its parts, and the numbers of the blocks that some check ran."""

    spark: str
    parts: Sequence[Part]
    ran: frozenset[int]


def code_of(rows: Iterable[Mapping[str, Any]]) -> list[Code]:
    """The optimizer of each release in rows of :data:`SCHEMA` with ``ran``; rules come before helpers."""
    releases: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        releases.setdefault(row["spark"], []).append(row)
    return [_code(spark, own) for spark, own in releases.items()]


def _code(spark: str, rows: Sequence[Mapping[str, Any]]) -> Code:
    numbers: dict[tuple[bool, str], dict[int, Mapping[str, Any]]] = {}
    for number, row in enumerate(rows):
        numbers.setdefault((not row["is_rule"], row["part"]), {})[number] = row
    parts = [
        Part(
            name,
            not is_helper,
            {number: _block(row) for number, row in own.items()},
            {number: row["unreachable"] for number, row in own.items() if row["unreachable"]},
        )
        for (is_helper, name), own in sorted(numbers.items())
    ]
    return Code(spark, parts, frozenset(number for number, row in enumerate(rows) if row["ran"]))


def _block(row: Mapping[str, Any]) -> Block:
    return Block(BlockKey(row["part"], "", row["block"]), row["file"], tuple(row["lines"]), row["unreachable"] or "")
