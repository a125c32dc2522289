"""Queries on stock Spark, as SQL text or as DataFrames: their rows, the rules that changed their plan, the plan."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pytest

from oracles.rules.entries.known import PUSHES_PREDICATES
from strategies.ir import Database

PLAIN = {
    "spark.sql.adaptive.enabled": "false",
    # Classes that are made and compiled for a handful of rows take longer than all else.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
WITHOUT_PUSHDOWN = {"spark.sql.optimizer.excludedRules": ",".join(PUSHES_PREDICATES)}
WITHOUT_FILTER_RULE = {"spark.sql.optimizer.replaceExceptWithFilter": "false"}


def without(rule: str) -> dict[str, str]:
    """The settings under which one of the optimizer's excludable rules, by its short name, does nothing."""
    return {"spark.sql.optimizer.excludedRules": f"org.apache.spark.sql.catalyst.optimizer.{rule}"}


def tables_of(database: Database):
    """A fixture for a module's tests: ``database`` in files while they run."""

    @pytest.fixture(scope="module", autouse=True)
    def tables(harness):
        with harness.spark.loaded(database, "parquet"):
            yield

    return tables


@dataclass(frozen=True)
class Answer:
    """How one query ended: ``rows`` with their copies, the short names of the rules that changed its plan, the
    optimized plan's text, in which expression ids are renumbered, and the text of the plan that ran.
    """

    rows: Counter[tuple[Any, ...]]
    rules: frozenset[str]
    optimized: str
    executed: str

    @property
    def plain(self) -> str:
        """The optimized plan's text without expression ids."""
        return re.sub(r"#[0-9]+L?", "", self.optimized)


def answer(spark, query: str | Callable[[Any], Any], conf: Mapping[str, str] | None = None) -> Answer:
    """``query`` is SQL text, or makes a DataFrame of the session."""
    runner, jsession = spark._jvm.org.apache.spark.sql.assay.LegRunner, spark._jsparkSession
    runner.configure(jsession, json.dumps({**PLAIN, **(conf or {})}))
    try:
        frame = query(spark) if callable(query) else spark.sql(query)
        report = runner.runInDriver(frame._jdf, 60_000)
    finally:
        runner.restore(jsession)
    facts = json.loads(report.facts())
    assert facts["error"] is None, facts["error"]
    changed = frozenset(name.rsplit(".", 1)[-1] for name, (_, changed_plan) in facts["rules"].items() if changed_plan)
    table = pa.ipc.open_stream(report.arrow()).read_all()
    rows = Counter(zip(*(column.to_pylist() for column in table.columns), strict=True))
    return Answer(rows, changed, report.optimizedPlan(), report.executedPlan())


def operators(answered: Answer) -> list[str]:
    """The first words of the optimized plan's lines: its operators from the top down."""
    return [line.lstrip(" :+-").split(" ")[0].split("[")[0] for line in answered.optimized.splitlines()]


def assert_rewrites(spark, rule: str, query: str, shown: str) -> None:
    """``rule`` changes the plan of ``query`` so that it shows the text ``shown``, and the answer is as without it."""
    got, kept = answer(spark, query), answer(spark, query, without(rule))
    assert rule in got.rules
    assert shown in got.plain
    assert shown not in kept.plain
    assert got.rows == kept.rows


def assert_keeps_away(spark, rule: str, query: str) -> None:
    """``rule`` leaves the plan of ``query`` as it is, and the answer is as without it."""
    got, kept = answer(spark, query), answer(spark, query, without(rule))
    assert rule not in got.rules
    assert got.rows == kept.rows
