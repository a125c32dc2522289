"""Check that a cluster is usable before any check runs on it; each problem is one line.

Spark itself waits a minute for a master that doesn't answer, and for ever for executors that the cluster can't give. A
table that executors can't read would look like a query that raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from oracles.engines.spark.master import EXECUTORS, addresses

if TYPE_CHECKING:
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

_MASTER_SECONDS = 5
_EXECUTOR_SECONDS = 30
_SHARED = "tables are files: let TMPDIR name a folder that driver and executors share, and may write to"


def refused(jvm: Any, master: str, conf: SparkConf) -> str:
    """Why no master of a standalone cluster can give the executors that ``conf`` asks for; '' if a master can."""
    if not addresses(master):
        return ""
    asked: str = jvm.org.apache.spark.deploy.assay.Masters.problem(
        ",".join(f"{host}:{port}" for host, port in addresses(master)),
        jvm.org.apache.spark.network.util.JavaUtils.byteStringAsMb(conf.get("spark.executor.memory", "1g")),
        int(conf.get("spark.executor.cores", "1") or 1),
        _MASTER_SECONDS,
    )
    return asked


def cut_off(session: SparkSession) -> str:
    """Wait for an executor; the reason why there is none, '' if there is one."""
    jvm: Any = session._jvm
    executors = jvm.org.apache.spark.sql.assay.Executors
    if executors.come(_context(session), _EXECUTOR_SECONDS * 1000):
        return ""
    wanted = {key: session.sparkContext.getConf().get(f"spark.{key}") for key in ("executor.memory", "cores.max")}
    return (
        f"no executor within {_EXECUTOR_SECONDS} s (asked for: {', '.join(f'{k} {v}' for k, v in wanted.items())}): "
        "its workers may be taken by other applications, or their logs say why executors end"
    )


def unseen(session: SparkSession, folder: Path) -> str:
    """Why executors and the driver can't read each other's tables in ``folder``; '' if they can."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    ours, theirs = folder / "ours.txt", folder / "theirs"
    ours.write_text("seen\n")
    try:
        lines = session.read.text(f"file:{ours}").collect()
        session.range(EXECUTORS, numPartitions=EXECUTORS).write.parquet(f"file:{theirs}")
    except (PySparkException, Py4JJavaError) as error:
        return f"executors can't use {folder} ({str(error).strip().splitlines()[0][:160]}); {_SHARED}"
    if len(lines) != 1 or len(list(theirs.glob("part-*.parquet"))) != EXECUTORS:
        return f"executors see another {folder}; {_SHARED}"
    return ""


@contextmanager
def cancelled_after(session: SparkSession, seconds: float) -> Iterator[None]:
    """Cancel jobs that still run after ``seconds`` of the context: without executors they would wait for ever."""
    alarm = Timer(seconds, session.sparkContext.cancelAllJobs)
    alarm.daemon = True
    alarm.start()
    try:
        yield
    finally:
        alarm.cancel()


def lost_executors(session: SparkSession) -> list[str]:
    """A line for each executor that ended since the last call, and why."""
    jvm: Any = session._jvm
    told: str = jvm.org.apache.spark.sql.assay.Executors.lost(_context(session))
    return told.splitlines()


def none_left(session: SparkSession) -> str:
    """Why ``session`` can't run jobs any more; '' if it can."""
    jvm: Any = session._jvm
    told: str = jvm.org.apache.spark.sql.assay.Executors.noneLeft(_context(session))
    return told


def _context(session: SparkSession) -> Any:
    context: Any = session.sparkContext._jsc
    return context.sc()
