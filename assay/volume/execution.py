"""Settings with which Spark spills, merges and re-plans over large tables, and a record of what a leg used of these.

Adaptive execution is on, no table is broadcast, and operators have little memory: joins sort both sides and merge them,
sorts and aggregates spill to disk, and adaptive execution reads shuffles in other partitions than were planned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from oracles.checks.result import LegSettings
from strategies.ir import Settings

SETTINGS = Settings(aqe=True, codegen=True, partitions=16)

MASTER = "local[2]"
SESSION = {
    # The heap: operators that stand in for rules without a switch hold their rows there.
    "spark.driver.memory": "6g",
    # Operators that spill have 0.6 of this, all tasks together. Spark's own tests set it so.
    "spark.testing.memory": str(32 * 2**20),
    "spark.testing.reservedMemory": "0",
}
"""The settings that the session is started with."""

_ROW_BYTES = 16
"""The advised bytes of a partition for each row of a table; in a shuffle a row takes more."""


def leg_settings(rows: int) -> LegSettings:
    """Both legs' settings for tables of ``rows`` rows."""
    advised = max(2**16, rows * _ROW_BYTES)
    conf = {
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false",
        "spark.sql.adaptive.advisoryPartitionSizeInBytes": str(advised),
        "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": str(advised),
        "spark.sql.adaptive.skewJoin.skewedPartitionFactor": "2",
        # Tables are read in parts.
        "spark.sql.files.maxPartitionBytes": str(advised),
        # Of a row group in which every zero is -0.0, Spark's reader says that it has no 0.0: skipped for `a = 0.0`.
        "spark.sql.parquet.filterPushdown": "false",
        # As DuckDB reads and writes them.
        "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
        "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
    }
    return LegSettings(conf, conf)


def patience(rows: int) -> float:
    """Seconds that a leg over tables of ``rows`` rows may take."""
    return 120 + rows / 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """A leg's use of Spark's machinery for many rows.

    ``spilled`` bytes, ``merges`` (sort-merge joins), ``shuffles`` and ``partitions`` of the widest, those that adaptive
    execution read otherwise than planned (``replanned``), and because of skew (``skewed``).
    """

    rows: int = 0
    spilled: int = 0
    merges: int = 0
    shuffles: int = 0
    partitions: int = 0
    replanned: int = 0
    skewed: int = 0

    @classmethod
    def of(cls, written: Mapping[str, int]) -> Exercise:
        """The figures ``written`` by the jar; all are 0 for a leg that raised."""
        return cls(**written)

    @property
    def used(self) -> tuple[str, ...]:
        """The names in WANTED that the leg used."""
        found = {"spilling": self.spilled, "sort-merge joins": self.merges, "re-planned shuffles": self.replanned}
        return tuple(name for name in WANTED if found[name])


WANTED = ("spilling", "sort-merge joins", "re-planned shuffles")
"""The machinery that large tables must exercise: a run that never uses one of these says so."""
