"""Benchmark of large tables: time and memory of EXCEPT ALL, by rows, with rules on, with rules off, and on DuckDB."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from assay.bench.worker import Fault
from assay.session.options import Options
from assay.volume.check import VolumeCheckResult, check
from assay.volume.costs import Cost
from assay.volume.dataset import dataset
from assay.volume.execution import MASTER, SESSION, SETTINGS, leg_settings
from assay.volume.main import volume_setup
from oracles.checks.check import Harness
from oracles.checks.choices import all_that_changed
from oracles.failures.scale import Scale
from strategies.draw.large import KEY
from strategies.ir import DOUBLE, STRING, TIMESTAMP, Case, Column, Database, Decimal, Scan, SetOp, Table

_COLUMNS = (
    KEY,
    Column("d", DOUBLE),
    Column("s", STRING),
    Column("p", Decimal(18, 4)),
    Column("t", TIMESTAMP),
)
SCHEMA = Database((Table("t0", _COLUMNS), Table("t1", _COLUMNS)))
EXCEPT_ALL = SetOp("except", Scan("t0", _COLUMNS), Scan("t1", _COLUMNS), all=True)

Measured = Sequence[tuple[int, Mapping[str, Cost]]]
"""The cost of each step of a check, by the rows of a table."""


def volume(options: Options, scales: Sequence[int], tell: Callable[[str], None]) -> Measured:
    """Measure a check at each of ``scales``, after a small warm-up; raises Fault if the legs do not agree."""
    options = replace(options, spark_master=MASTER, spark_conf={**SESSION, **options.spark_conf})
    with tempfile.TemporaryDirectory(prefix="assay-volume-") as folder, volume_setup(options).harness() as engines:
        at(engines, Scale(10_000, options.seed), Path(folder) / "warm-up")
        measured = []
        for rows in scales:
            done = at(engines, Scale(rows, options.seed), Path(folder) / str(rows))
            if done.checked.verdict.name != "agree":
                raise Fault(f"EXCEPT ALL of {rows:,} rows: {done.checked.verdict.name}: {done.checked.verdict.reason}")
            spilled = done.exercise["on"].spilled
            taken = ", ".join(f"{step} {cost.seconds:.1f} s" for step, cost in done.costs.items())
            tell(f"{rows:,} rows, {done.rows:,} in the answer, {spilled / 2**20:.0f} MB spilled: {taken}")
            measured.append((rows, done.costs))
    return measured


def at(engines: Harness, scale: Scale, folder: Path) -> VolumeCheckResult:
    """Check EXCEPT ALL of two tables of that ``scale``, compared exactly."""
    with dataset(engines, SCHEMA, scale, folder) as made:
        return check(
            made, Case(EXCEPT_ALL, SCHEMA, SETTINGS), all_that_changed, leg_settings(scale.rows), rows=scale.rows
        )


def by_rows(measured: Measured) -> dict[str, dict[str, dict[str, float]]]:
    """The figures of the summary: by rows and step, seconds and MB of each process at most."""
    return {
        str(rows): {
            step: {
                "seconds": round(cost.seconds, 2),
                "duckdb_mb": round(cost.python_memory / 2**20),
                "jvm_mb": round(cost.jvm_memory / 2**20),
            }
            for step, cost in costs.items()
        }
        for rows, costs in measured
    }
