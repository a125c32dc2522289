"""A Spark session with switched rules of its own, in a process of its own.

The rules of a session are fixed when its JVM starts, and a process has one JVM: the suite's own session cannot be used.
The functions here run in the other process; see :func:`process`.
"""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession

from oracles.engines.spark.java import java_environment


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg's outcome: its columns and rows (None where it raised), the counts of its switched rules, its error and
    its plan.
    """

    columns: list[str] | None
    rows: list[tuple[Any, ...]] | None
    injected: Mapping[str, tuple[int, int]]
    error: Mapping[str, Any] | None
    fingerprint: str


@contextmanager
def process(jars: Sequence[Path], conf: Mapping[str, str]) -> Iterator[ProcessPoolExecutor]:
    """A process whose Spark session has ``jars`` and ``conf``; the functions below are to be submitted to it."""
    spawn = multiprocessing.get_context("spawn")
    class_path = os.pathsep.join(map(str, jars))
    with ProcessPoolExecutor(1, mp_context=spawn, initializer=_start, initargs=(class_path, dict(conf))) as pool:
        yield pool


def _start(class_path: str, conf: Mapping[str, str]) -> None:
    os.environ.update(java_environment())
    builder = SparkSession.builder.master("local[1]")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.driver.extraClassPath": class_path,
        "spark.sql.extensions": "assay.SwitchExtensions",
        "spark.sql.shuffle.partitions": "1",
        **conf,
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    builder.getOrCreate()


def _runner() -> Any:
    return SparkSession.active()._jvm.org.apache.spark.sql.assay.LegRunner


def ready() -> list[str]:
    """The classes that could not be loaded, one line each."""
    return _runner().ready(SparkSession.active()._jsparkSession).splitlines()


def errors() -> list[str]:
    """The same, as the extension itself tells it."""
    return list(SparkSession.active()._jvm.assay.SwitchExtensions.errors())


def loaded() -> list[str]:
    """The rules that were loaded, as ``name=class@point``."""
    return list(SparkSession.active()._jvm.assay.SwitchExtensions.loaded())


def leg(sql: str, conf: Mapping[str, str]) -> Leg:
    """Run ``sql`` under ``conf``."""
    report = _runner().sql(SparkSession.active()._jsparkSession, json.dumps(dict(conf)), sql, 60_000, True)
    facts = json.loads(report.facts())
    data = report.arrow()
    columns, rows = (None, None) if data is None else _read(data)
    injected = {name: (calls, changed_plan) for name, (calls, changed_plan) in facts["injected"].items()}
    return Leg(columns, rows, injected, facts["error"], facts["fingerprint"])


def around(sql: str, conf: Mapping[str, str], rule: str) -> tuple[str, str]:
    """The plan of ``sql`` before and after ``rule`` first acted."""
    runner, jsession = _runner(), SparkSession.active()._jsparkSession
    runner.configure(jsession, json.dumps(dict(conf)))
    try:
        before, after = runner.aroundRule(SparkSession.active().sql(sql)._jdf, rule)
    finally:
        runner.restore(jsession)
    return before, after


def _read(data: bytes) -> tuple[list[str], list[tuple[Any, ...]]]:
    table = pa.ipc.open_stream(data).read_all()
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    return table.column_names, sorted(rows, key=lambda row: [(cell is not None, cell) for cell in row])
