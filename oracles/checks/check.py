"""Run one case through its legs (rules on, rules off, DuckDB) and judge the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache, cached_property
from types import TracebackType

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.answers.rows import same
from oracles.answers.unordered_limit import settled
from oracles.checks.choices import Choices, ChooseOff
from oracles.checks.extra_databases import NO_EXTRA_DATABASES, ExtraDatabases, beside
from oracles.checks.legs import (
    Fired,
    changes_of,
    fired_of,
    parts_of,
    plans_differ,
    run_off,
    same_rows,
    unlimited_of,
    without_optimizer,
)
from oracles.checks.misbehaviour import faults_of, with_misbehaviour
from oracles.checks.result import NO_SETTINGS, CheckResult, LegSettings
from oracles.checks.verdict import Verdict, judge, needs_second_opinion
from oracles.engines.duckdb import DuckdbEngine
from oracles.engines.protocol import Engine, Leg, LegReport, Stage
from oracles.patterns.order import order_of
from oracles.rules.catalogue import Catalogue
from oracles.rules.rule import Rule
from oracles.rules.switch import Reference, analyzed_alike, switch_off
from strategies.ir import AnyLimit, Case, Database, Outer, Verbatim, walk


class SwitchFailed(RuntimeError):
    """A rule changed the plan of a leg on which it was turned off. The fault is Assay's own; there is no verdict."""


class Harness:
    """The engines of one process and the catalogue of its Spark; engines start when first used."""

    def __init__(self, spark: Engine, duckdb: DuckdbEngine) -> None:
        self.spark = spark
        self.duckdb = duckdb

    @cached_property
    def catalogue(self) -> Catalogue:
        """The rules of the running Spark, and the injected ones."""
        found, spark = self.spark.discovered(), self.spark
        return Catalogue.of_release(found, spark.injected, release=spark.version, brought=spark.brought)

    def check(
        self,
        case: Case,
        choose_off: ChooseOff,
        settings: LegSettings = NO_SETTINGS,
        *,
        fast: bool = False,
        in_driver: bool = True,
        others: Sequence[Database] = (),
    ) -> CheckResult:
        """Run ``case`` on every leg and judge it.

        :param fast: keep tables in the JVM's memory, and with ``in_driver`` compute rows in the driver, without Spark
            jobs, if the plan allows it (see :mod:`oracles.checks.paths`).
        :param others: extra databases for plans that run in the driver (see :mod:`oracles.checks.extra_databases`).
        :raises SwitchFailed: a rule changed the plan of a leg on which it was off; SparkLost if the JVM is gone.
        """
        checked = self._checked(case, choose_off, settings, None, fast, in_driver, others, differing=False)
        assert checked is not None  # no condition was put on the plan
        return checked

    def check_where_acting(
        self,
        case: Case,
        choose_off: ChooseOff,
        settings: LegSettings = NO_SETTINGS,
        *,
        fast: bool = False,
        in_driver: bool = True,
        others: Sequence[Database] = (),
        differing: bool = False,
        acting: Sequence[Rule] = (),
    ) -> CheckResult | None:
        """Check ``case`` only if its plan shows that a rule to turn off fires; else return None, and run no leg.

        If planning raises, the case is checked. Raises as :meth:`check` does.

        :param differing: return None, without running DuckDB, if both Spark legs have the same rows, too.
        :param acting: the rules of which one has to fire, in place of the rules to turn off.
        """

        def one_acts(planned: LegReport) -> bool:
            rules = acting or choose_off(self.catalogue.offered(planned.changed_plan))
            # Adaptive execution fires rules only at run time, and a plan that raised shows no rules.
            open_yet = case.settings.aqe or isinstance(planned.outcome, Raised)
            return open_yet or any({rule.rule_name, rule.carrier} & planned.changed_plan for rule in rules)

        return self._checked(case, choose_off, settings, one_acts, fast, in_driver, others, differing=differing)

    def _checked(
        self,
        case: Case,
        choose_off: ChooseOff,
        settings: LegSettings,
        worth: Callable[[LegReport], bool] | None,
        fast: bool,
        in_driver: bool,
        others: Sequence[Database],
        *,
        differing: bool,
    ) -> CheckResult | None:
        loading = self.spark.stage(case.database, case.settings, fast=fast, in_driver=in_driver, others=others)
        with loading as stage:
            with stage.leg(case.query, settings.on) as leg:
                if worth is not None and not worth(leg.plan()):
                    return None
                run_duckdb = self._duckdb(case, ahead=not differing)
                beside_it = (
                    ExtraDatabases(others, self.duckdb.begin(case.query, others))
                    if stage.databases > 1
                    else NO_EXTRA_DATABASES
                )
                on = leg.run(databases=stage.databases)
            off_rules = tuple(choose_off(self.catalogue.offered(on.changed_plan)))
            return self._against(
                stage, case, settings, (leg, on), off_rules, run_duckdb, others=beside_it, differing=differing
            )

    def check_each(
        self,
        case: Case,
        choices: Choices,
        settings: LegSettings = NO_SETTINGS,
        *,
        stage: Stage,
        skip_cross_joins: bool = False,
    ) -> list[CheckResult]:
        """Run ``case`` once with its rules on, then with each of the ``choices`` off: one check for each choice.

        Raises as :meth:`check` does.

        :param stage: the case's loaded tables.
        :param skip_cross_joins: don't run an off leg with a cross join if the on leg has none: it may never end.
        """
        duckdb = cache(self._duckdb(case, ahead=True))
        with stage.leg(case.query, settings.on) as leg:
            on = leg.run()
            skip_cross_joins = skip_cross_joins and not leg.pairs_all()
        every = [
            self._against(stage, case, settings, (leg, on), tuple(rules), duckdb, skip_cross_joins)
            for rules in choices(self.catalogue.offered(on.changed_plan))
        ]
        return [checked for checked in every if checked is not None]

    def _duckdb(self, case: Case, *, ahead: bool) -> Callable[[bool], Outcome]:
        """A function that runs DuckDB, optimized or not; with ``ahead``, the optimized run starts beside Spark's."""

        def run(optimize: bool) -> Outcome:
            return self.duckdb.run(case.query, case.database, optimize=optimize)

        if not ahead:
            return run
        begun = self.duckdb.begin(case.query, [case.database])
        return lambda optimize: begun()[0] if optimize else run(optimize)

    def _against(
        self,
        stage: Stage,
        case: Case,
        settings: LegSettings,
        on_leg: tuple[Leg, LegReport],
        off_rules: tuple[Rule, ...],
        run_duckdb: Callable[[bool], Outcome],
        skip_cross_joins: bool = False,
        *,
        others: ExtraDatabases = NO_EXTRA_DATABASES,
        differing: bool = False,
    ) -> CheckResult | None:
        leg, on = on_leg
        off_conf = switch_off([rule.switch for rule in off_rules if rule.switch], settings.off)
        two_legs = any(rule.switch is None for rule in off_rules)
        shared = leg if analyzed_alike(settings.on, off_conf, self.spark.analyzing) else None
        off = on if two_legs else run_off(stage, case, off_conf, on, shared, skip_cross_joins)
        if differing and off is not on and same_rows(on, off):
            return None
        spark_unlimited = unlimited_of(stage, case, off_conf)
        parts = parts_of(stage, case, settings.on, on)
        changes = changes_of(stage, case, settings.on, off_rules, on)
        off_leg = None if two_legs else off
        if off_leg is not None:
            require_off(off_rules, off_leg, case)
        fired = fired_of(off_rules, on, off_leg, changes)
        changed_plan = on.changed_plan | (parts.changed_plan if parts else frozenset())
        checked = self._judged(
            case, settings, off_rules, fired, changed_plan, on, off_leg, spark_unlimited, parts, run_duckdb
        )
        return replace(checked, fast=stage.in_memory, beside=beside(others, on, off_leg))

    def _judged(
        self,
        case: Case,
        settings: LegSettings,
        off_rules: Sequence[Rule],
        fired: Fired,
        changed_plan: frozenset[str],
        on: LegReport,
        off: LegReport | None,
        spark_unlimited: Outcome | None,
        parts: LegReport | None,
        run_duckdb: Callable[[bool], Outcome],
    ) -> CheckResult:
        @cache
        def duckdb_unlimited(*, optimize: bool) -> Outcome | None:
            if not isinstance(case.query, AnyLimit):
                return None
            return self.duckdb.run(case.query.child, case.database, optimize=optimize)

        # If the unlimited results already differ, compare those instead of the limited ones.
        theirs = duckdb_unlimited(optimize=True)
        whole = not (isinstance(spark_unlimited, Rows) and isinstance(theirs, Rows) and same(spark_unlimited, theirs))

        def as_judged(outcome: Outcome | None, unlimited: Outcome | None) -> Outcome:
            assert outcome is not None  # every leg was run
            if isinstance(case.query, AnyLimit) and unlimited is not None:
                return settled(outcome, unlimited, case.query, whole=whole)
            return outcome

        def ask_duckdb(*, optimize: bool) -> Outcome:
            return as_judged(run_duckdb(optimize), duckdb_unlimited(optimize=optimize))

        legs = {"on": as_judged(on.outcome, spark_unlimited)}
        if off is not None:
            legs["off"] = as_judged(off.outcome, spark_unlimited)
        if parts is not None and parts.outcome is not None:
            legs["parts"] = parts.outcome
        legs["duckdb"] = ask_duckdb(optimize=True)
        optimizer_failed = False
        if isinstance(legs["on"], Rows) and isinstance(legs["duckdb"], Raised):
            legs["duckdb"] = without_optimizer(legs["duckdb"], lambda: ask_duckdb(optimize=False))
            optimizer_failed = isinstance(legs["duckdb"], Rows)
        order = order_of(case.query)
        if needs_second_opinion(legs["on"], legs.get("off"), legs["duckdb"], order):
            legs["duckdb_unoptimized"] = ask_duckdb(optimize=False)

        def verdict_of(names: tuple[str, ...]) -> Verdict:
            return judge(
                legs["on"],
                legs.get("off"),
                legs["duckdb"],
                fired=bool(names),
                unoptimized=legs.get("duckdb_unoptimized"),
                parts=legs.get("parts"),
                order=order,
            )

        names, compared = fired.undone, off
        verdict = verdict_of(names)
        if verdict.name == "vacuous" and fired.kept:
            # All legs agree, but the off leg may have done the same work: drop it, and let DuckDB judge the on leg.
            names, compared = fired.kept, None
            del legs["off"]
            verdict = verdict_of(names)
        misbehaviour = faults_of([rule.rule_name for rule in off_rules], on.misbehaviour, self.spark.points)
        verdict = with_misbehaviour(verdict, misbehaviour, legs["on"], legs.get("off"))
        changed = tuple(rule.name for rule in self.catalogue.named(changed_plan))
        only_off = off.changed_plan - changed_plan if off else ()
        return CheckResult(
            case,
            tuple(rule.name for rule in off_rules),
            names,
            plans_differ(on, compared),
            verdict,
            legs,
            settings,
            changed,
            misbehaviour=misbehaviour,
            optimizer_failed=optimizer_failed,
            plan=on.shape,
            executors=tuple(sorted({*on.executors, *(off.executors if off else ())})),
            changed_only_off=tuple(rule.name for rule in self.catalogue.named(only_off)),
            kept=fired.kept,
        )

    def plans_around(self, checked: CheckResult, rules: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Plan the on leg again: for each of ``rules``, the plan right before and after its first change."""
        case = checked.case
        plans: dict[str, tuple[str, str]] = {}
        fast = checked.memory_alone
        with (
            self.spark.stage(case.database, case.settings, fast=fast) as stage,
            stage.leg(case.query, checked.settings.on) as leg,
        ):
            for name in rules:
                rule = self.catalogue.rule(name)
                around = leg.around(rule.carrier) or leg.around(rule.rule_name)
                if around is not None:
                    plans[name] = around
        return plans

    def __enter__(self) -> Harness:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with ExitStack() as stack:
            stack.callback(self.spark.close)
            stack.callback(self.duckdb.close)


def require_off(off_rules: Sequence[Rule], off: LegReport, case: Case) -> None:
    """Raise SwitchFailed where one of ``off_rules`` changed the off leg's plan."""
    # A set operator or DISTINCT that refers to the outer query has no reference operator, so its rule may rewrite it.
    # A query given as text may refer to the outer query.
    correlated = any(isinstance(node, (Outer, Verbatim)) for node in walk(case.query))
    still_on = [
        rule.name
        for rule in off_rules
        if rule.turned_off & off.changed_plan and not (correlated and isinstance(rule.switch, Reference))
    ]
    if still_on:
        raise SwitchFailed(f"turned off, and changed the plan all the same: {', '.join(still_on)}")
