"""One check over large tables: rules on, rules off and DuckDB, compared where their answers lie."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Timer

import duckdb

from assay.volume.costs import Cost, Costs
from assay.volume.dataset import Dataset
from assay.volume.execution import Exercise, patience
from assay.volume.multiset import Comparison, compared
from oracles.answers.outcome import Kind, Outcome, Raised, UnsupportedType
from oracles.checks.check import require_off
from oracles.checks.choices import ChooseOff
from oracles.checks.legs import PAIRS_ALL, changes_of, fired_of, plans_differ
from oracles.checks.result import CheckResult, LegSettings
from oracles.checks.verdict import judge, needs_second_opinion
from oracles.engines.protocol import LegReport, Stage
from oracles.engines.spark.leg import SparkLeg
from oracles.rules.switch import switch_off
from oracles.sql import DuckdbCompiler, UnsupportedNode
from strategies.ir import Case, Relation

_UNOPTIMIZED = "duckdb_unoptimized"


@dataclass(frozen=True, slots=True)
class VolumeCheckResult:
    """A check over large tables. ``checked``: as any check, but its legs hold only rows in which they differ, and its
    case's tables none. ``comparison`` None: there were no two answers. ``exercise``: of the Spark legs that have rows.
    """

    checked: CheckResult
    comparison: Comparison | None
    exercise: Mapping[str, Exercise]
    costs: Mapping[str, Cost]

    @property
    def rows(self) -> int:
        """The number of rows in the on leg's answer; 0 if it has none."""
        return self.exercise["on"].rows if "on" in self.exercise else 0


def check(
    dataset: Dataset, case: Case, choose_off: ChooseOff, settings: LegSettings, *, rows: int
) -> VolumeCheckResult:
    """``case``, whose tables are on the ``dataset`` with ``rows`` rows each, on every leg.

    Raises SwitchFailed and SparkLost as Harness.check does.
    """
    return _Check(dataset, case, settings, patience(rows)).run(choose_off)


class _Check:
    """The state of one check: each leg's answer by its name, or how it ended otherwise."""

    def __init__(self, dataset: Dataset, case: Case, settings: LegSettings, seconds: float) -> None:
        self._dataset, self._case, self._settings, self._seconds = dataset, case, settings, seconds
        self._spark = dataset.harness.spark
        self._stage = Stage(engine=self._spark, settings=case.settings, in_memory=False, in_driver=False)
        self._costs = Costs(lambda: self._spark.pid)
        self._sources: dict[str, str] = {}
        self._raised: dict[str, Raised] = {}
        self._exercise: dict[str, Exercise] = {}

    def run(self, choose_off: ChooseOff) -> VolumeCheckResult:
        try:
            return self._run(choose_off)
        finally:
            for name in ("on", "off"):
                shutil.rmtree(self._folder(name), ignore_errors=True)
            for name in ("duckdb", _UNOPTIMIZED):
                self._dataset.connection.execute(f"DROP TABLE IF EXISTS {_table(name)}")

    def _run(self, choose_off: ChooseOff) -> VolumeCheckResult:
        harness = self._dataset.harness
        on = self._spark_leg("on", self._settings.on)
        off_rules = tuple(choose_off(harness.catalogue.offered(on.changed_plan)))
        two_legs = any(rule.switch is None for rule in off_rules)
        off: LegReport | None = None
        if not two_legs:
            switches = [rule.switch for rule in off_rules if rule.switch]
            off = self._spark_leg("off", switch_off(switches, self._settings.off))
            require_off(off_rules, off, self._case)
        self._duckdb_leg("duckdb", optimize=True)
        fired = fired_of(off_rules, on, off, changes_of(self._stage, self._case, self._settings.on, off_rules, on))
        comparison, legs = self._compared()
        on_end, off_end, duckdb_end = legs["on"], legs.get("off"), legs["duckdb"]
        if needs_second_opinion(on_end, off_end, duckdb_end):
            self._duckdb_leg(_UNOPTIMIZED, optimize=False)
            comparison, legs = self._compared()
            on_end, off_end, duckdb_end = legs["on"], legs.get("off"), legs["duckdb"]
        names = fired.undone
        verdict = judge(on_end, off_end, duckdb_end, fired=bool(names), unoptimized=legs.get(_UNOPTIMIZED))
        if verdict.name == "vacuous" and fired.kept:
            names, off = fired.kept, None
            del legs["off"]
            verdict = judge(on_end, None, duckdb_end, fired=True)
        checked = CheckResult(
            case=self._case,
            off=tuple(rule.name for rule in off_rules),
            fired=names,
            differed=plans_differ(on, off),
            verdict=verdict,
            legs=legs,
            settings=self._settings,
            changed_plan=tuple(rule.name for rule in harness.catalogue.named(on.changed_plan)),
            plan=on.shape,
            kept=fired.kept,
        )
        costs = {**self._dataset.costs.steps, **self._costs.steps}
        return VolumeCheckResult(checked, comparison, self._exercise, costs)

    def _spark_leg(self, name: str, conf: Mapping[str, str]) -> LegReport:
        folder = self._folder(name)
        with (
            self._costs.of(name),
            self._spark.leg(self._case.query, self._case.settings, conf, timeout_seconds=self._seconds) as leg,
        ):
            if leg.pairs_all():
                self._raised[name] = PAIRS_ALL
                return leg.plan()
            assert isinstance(leg, SparkLeg)  # no other writes its rows
            report = leg.write(folder)
        if isinstance(report.outcome, Raised):
            self._raised[name] = report.outcome
        else:
            self._sources[name] = f"read_parquet('{folder}/*.parquet')"
            self._exercise[name] = Exercise.of(report.written)
        return report

    def _duckdb_leg(self, name: str, *, optimize: bool) -> None:
        with self._costs.of(name):
            raised = self._answered(name, self._case.query, optimize=optimize)
        if raised is not None:
            self._raised[name] = raised
        else:
            self._sources[name] = _table(name)

    def _answered(self, name: str, query: Relation, *, optimize: bool) -> Raised | None:
        """Put DuckDB's answer into a table; how it failed, or None."""
        connection, late = self._dataset.connection, Event()
        columns = ", ".join(f"c{at}" for at in range(len(query.fields)))

        def interrupt() -> None:
            late.set()
            connection.interrupt()

        timer = Timer(self._seconds, interrupt)
        timer.start()
        try:
            text = DuckdbCompiler().compile(query)
            connection.execute(f"PRAGMA {'enable' if optimize else 'disable'}_optimizer")
            connection.execute(f"CREATE TABLE {_table(name)} AS SELECT * FROM ({text}) AS answer({columns})")
        except UnsupportedNode as error:
            return Raised("UnsupportedNode", None, str(error), "unsupported")
        except duckdb.Error as error:
            broken = isinstance(error, (duckdb.InternalException, duckdb.FatalException))
            kind: Kind = "timeout" if late.is_set() else "internal" if broken else "user"
            return Raised(type(error).__name__, None, str(error), kind)
        finally:
            timer.cancel()
            connection.execute("PRAGMA enable_optimizer")
        return None

    def _compared(self) -> tuple[Comparison | None, dict[str, Outcome]]:
        """The comparison of all legs that have rows, and each leg's end as :func:`judge` takes it."""
        legs: dict[str, Outcome] = dict(self._raised)
        comparison = None
        if len(self._sources) > 1:
            try:
                with self._costs.of("comparison"):
                    comparison = compared(self._dataset.connection, self._sources)
                legs.update(comparison.outcomes())
            except (UnsupportedType, duckdb.Error) as problem:
                unread = Raised("NOT_COMPARED", None, " ".join(str(problem).split())[:300], "unsupported")
                legs.update(dict.fromkeys(self._sources, unread))
        else:
            alone = Raised("NOT_COMPARED", None, "there is no other answer", "unsupported")
            legs.update(dict.fromkeys(self._sources, alone))
        return comparison, {name: legs[name] for name in ("on", "off", "duckdb", _UNOPTIMIZED) if name in legs}

    def _folder(self, name: str) -> Path:
        return self._dataset.folder / f"{name}.answer"


def _table(name: str) -> str:
    return f'"answer of {name}"'
