"""Translate a case's settings into session settings, the same on both Spark legs."""

from __future__ import annotations

from collections.abc import Mapping

from strategies.ir import UTC, JoinStrategy, Settings

_JOINS: Mapping[JoinStrategy, Mapping[str, str]] = {
    "broadcast": {"spark.assay.join": "broadcast"},
    "merge": {"spark.assay.join": "merge"},
    "hash": {"spark.assay.join": "shuffle_hash"},
    "left hash": {"spark.assay.join": "shuffle_hash", "spark.assay.join.left": "true"},
}
"""Spark's names of join hints; the jar gives the hint to every join, also to joins that rules make."""

_HASH = {
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.join.preferSortMergeJoin": "false",
    "spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold": "1g",
}

_STOCK_JOINS: Mapping[JoinStrategy, Mapping[str, str]] = {
    "broadcast": {"spark.sql.autoBroadcastJoinThreshold": str(2**63 - 1)},
    "merge": {"spark.sql.autoBroadcastJoinThreshold": "-1"},
    "hash": _HASH,
    "left hash": _HASH,
}
"""The closest settings for a Spark without the jar, which uses hash joins only if table sizes suggest it."""

_READERS = (
    "spark.sql.parquet.enableVectorizedReader",
    "spark.sql.orc.enableVectorizedReader",
    "spark.sql.inMemoryColumnarStorage.enableVectorizedReader",
)
TIME_ZONE = "spark.sql.session.timeZone"
_JOINS_OF_A_SOURCE = {"spark.sql.optimizer.datasourceV2JoinPushdown": "true"}
"""The setting under which Spark offers joins to a source; a release without it ignores the key."""
_COST_BASED = (
    "spark.sql.cbo.enabled",
    "spark.sql.cbo.planStats.enabled",
    "spark.sql.cbo.joinReorder.enabled",
    "spark.sql.cbo.starSchemaDetection",
)


EACH_FILE = {"spark.sql.files.maxPartitionBytes": "1m"}
"""The setting under which each small file is a partition: less than Spark adds to the size of a file."""
TIMES = {"spark.sql.timeType.enabled": "true"}
"""The setting under which Spark 4.1 to 4.3 has tables of TIME."""


def leg_conf(settings: Settings) -> dict[str, str]:
    """The session settings of a leg under ``settings``."""
    # Spark 4.3.0 can't interpret what casts the typed fields of a VARIANT: ScalarCastHelper has generated code alone.
    generated = settings.codegen or settings.source == "variant"
    return {
        "spark.sql.adaptive.enabled": _flag(settings.aqe),
        "spark.sql.codegen.wholeStage": _flag(settings.codegen),
        "spark.sql.codegen.factoryMode": "FALLBACK" if generated else "NO_CODEGEN",
        "spark.sql.shuffle.partitions": str(settings.partitions),
        **({} if settings.ansi else {"spark.sql.ansi.enabled": "false"}),
        **_JOINS.get(settings.join, {}),
        **({"spark.assay.siblings": "true"} if settings.siblings else {}),
        **({} if settings.vectorized else dict.fromkeys(_READERS, "false")),
        **(dict.fromkeys(_COST_BASED, "true") if settings.statistics else {}),
        **table_conf(settings.table_partitions),
        **(_JOINS_OF_A_SOURCE if "joins" in settings.capabilities else {}),
        **({} if settings.time_zone == UTC else {TIME_ZONE: settings.time_zone}),
        **dict(settings.conf),
    }


def table_conf(partitions: int) -> dict[str, str]:
    """The session settings under which a table of this many small files, or of literal rows, has as many partitions."""
    return {} if partitions == 1 else {**EACH_FILE, "spark.sql.leafNodeDefaultParallelism": str(partitions)}


def stock_conf(settings: Settings) -> dict[str, str]:
    """The closest session settings for a Spark without the jar; settings of the jar are left out."""
    own = {key: value for key, value in leg_conf(settings).items() if not key.startswith("spark.assay.")}
    return {**own, **_STOCK_JOINS.get(settings.join, {})}


def _flag(value: bool) -> str:
    return str(value).lower()
