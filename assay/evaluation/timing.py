"""Measures a query's time with a rule on and with it off, alternately in one session, over tables of a given size."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from assay.evaluation.scaled_tables import grown
from oracles.checks.check import Harness
from oracles.checks.result import LegSettings
from oracles.engines.spark.leg import SparkLeg
from oracles.rules.rule import Rule
from oracles.rules.switch import switch_off
from oracles.sql import spark_text
from strategies.ir import Case

TURNS = 5
QUERIES = 3
_LIMIT_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of one query in milliseconds, turn by turn: with the rule on and with the rule off."""

    sql: str
    rows: int
    on: tuple[float, ...]
    off: tuple[float, ...]

    @property
    def ratios(self) -> list[float]:
        """The speed-up by the rule in each turn (time off / time on), in ascending order."""
        return sorted(off / on for on, off in zip(self.on, self.off, strict=True))

    @property
    def ratio(self) -> float:
        """The median of the ratios."""
        return median(self.ratios)


def measured(
    harness: Harness,
    rule: Rule,
    cases: Sequence[Case],
    settings: LegSettings,
    *,
    rows: int,
    seed: int,
    budget_seconds: float = 120.0,
) -> list[Timing]:
    """The times of the first ``cases``, at most three, that end in time over tables of ``rows`` rows.

    The list is empty for a rule that can't be turned off. The first turn of a query is a warm-up and is not counted.
    """
    timings: list[Timing] = []
    ends = time.monotonic() + budget_seconds
    for case in cases:
        if case.query.is_statement:  # it needs tables in memory, and these are files
            continue
        if rule.switch is None or len(timings) == QUERIES or time.monotonic() > ends:
            break
        timing = _timing(harness, rule, case, settings, rows, seed)
        if timing is not None:
            timings.append(timing)
    return timings


def _timing(harness: Harness, rule: Rule, case: Case, settings: LegSettings, rows: int, seed: int) -> Timing | None:
    assert rule.switch is not None  # asked by the caller
    spark = harness.spark
    from_files = replace(case.settings, source="parquet")
    confs = (settings.on, switch_off([rule.switch], settings.off))
    times: tuple[list[float], list[float]] = ([], [])
    with spark.loaded(grown(case.database, rows, seed), "parquet", statistics=from_files.statistics):
        for turn in range(TURNS + 1):
            for leg in (0, 1) if turn % 2 else (1, 0):
                with spark.leg(case.query, from_files, confs[leg], timeout_seconds=_LIMIT_SECONDS) as running:
                    assert isinstance(running, SparkLeg)  # no other has its times
                    took = running.milliseconds()
                if took is None:
                    return None
                times[leg].append(took)
    on, off = (tuple(each[1:]) for each in times)
    return Timing(spark_text(case.query, case.settings), rows, on, off)
