"""Run one case through its legs (rules on, rules off, DuckDB) and judge the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
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
from oracles.patterns.order import Order, order_for
from oracles.rules.catalogue import Catalogue
from oracles.rules.rule import Rule
from oracles.rules.switch import Reference, analyzed_alike, switch_off
from strategies.ir import AnyLimit, Case, Database, Outer, Verbatim, walk


class SwitchFailed(RuntimeError):
    """A rule changed the plan of a leg on which it was turned off. The fault is Assay's own; there is no verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Running:
    """A check whose on leg has run.

    :param leg: the on leg, and ``on`` its report.
    :param run_duckdb: runs DuckDB, optimized or not.
    :param others: the extra databases for plans that run in the driver.
    :param differing: whether two Spark legs with the same rows end the check.
    :param skip_cross_joins: whether an off leg with a cross join is not run.
    """

    stage: Stage
    case: Case
    settings: LegSettings
    leg: Leg
    on: LegReport
    run_duckdb: Callable[[bool], Outcome]
    others: ExtraDatabases = NO_EXTRA_DATABASES
    differing: bool = False
    skip_cross_joins: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ends:
    """The reports of the other Spark legs; ``unlimited`` is the result without the limit of a query that has one."""

    off: LegReport | None
    parts: LegReport | None
    unlimited: Outcome | None
    fired: Fired
    changed_plan: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answers:
    """The outcomes of the legs as they are compared.

    :param legs: outcomes by leg, as in :class:`CheckResult`; so are ``optimizer_failed`` and ``unlimited``.
    :param order: whether SQL fixes that the query raises.
    """

    legs: Mapping[str, Outcome]
    order: Order
    optimizer_failed: bool
    unlimited: bool

    def without_off(self) -> _Answers:
        """These answers as those of a check without an off leg."""
        return replace(self, legs={name: outcome for name, outcome in self.legs.items() if name != "off"})


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
        with self.spark.stage(case.database, case.settings, fast=fast, in_driver=in_driver, others=others) as stage:
            checked = self._on_stage(stage, case, choose_off, settings, others)
        assert checked is not None  # no condition was put on the plan
        return checked

    def check_if_fired(
        self,
        case: Case,
        choose_off: ChooseOff,
        settings: LegSettings = NO_SETTINGS,
        *,
        fast: bool = False,
        in_driver: bool = True,
        others: Sequence[Database] = (),
        differing: bool = False,
        rules: Sequence[Rule] = (),
    ) -> CheckResult | None:
        """Check ``case`` only if its plan shows that a rule to turn off fires; else return None, and run no leg.

        If planning raises, the case is checked. Raises as :meth:`check` does.

        :param differing: return None, without running DuckDB, if both Spark legs have the same rows, too.
        :param rules: the rules of which one has to fire, in place of the rules to turn off.
        """

        def one_fires(planned: LegReport) -> bool:
            targets = rules or choose_off(self.catalogue.offered(planned.changed_plan))
            # Adaptive execution fires rules only at run time, and a plan that raised shows no rules.
            open_yet = case.settings.aqe or isinstance(planned.outcome, Raised)
            return open_yet or any({rule.rule_name, rule.carrier} & planned.changed_plan for rule in targets)

        with self.spark.stage(case.database, case.settings, fast=fast, in_driver=in_driver, others=others) as stage:
            return self._on_stage(stage, case, choose_off, settings, others, worth=one_fires, differing=differing)

    def _on_stage(
        self,
        stage: Stage,
        case: Case,
        choose_off: ChooseOff,
        settings: LegSettings,
        others: Sequence[Database],
        *,
        worth: Callable[[LegReport], bool] | None = None,
        differing: bool = False,
    ) -> CheckResult | None:
        with stage.leg(case.query, settings.on) as leg:
            if worth is not None and not worth(leg.plan()):
                return None
            run_duckdb = self._duckdb(case, ahead=not differing)
            extra = NO_EXTRA_DATABASES
            if stage.databases > 1:
                extra = ExtraDatabases(others, self.duckdb.begin(case.query, others, time_zone=case.settings.time_zone))
            on = leg.run(databases=stage.databases)
        running = _Running(
            stage=stage,
            case=case,
            settings=settings,
            leg=leg,
            on=on,
            run_duckdb=run_duckdb,
            others=extra,
            differing=differing,
        )
        return self._against(running, tuple(choose_off(self.catalogue.offered(on.changed_plan))))

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
        run_duckdb = cache(self._duckdb(case, ahead=True))
        with stage.leg(case.query, settings.on) as leg:
            on = leg.run()
            skip_cross_joins = skip_cross_joins and not leg.pairs_all()
        running = _Running(
            stage=stage,
            case=case,
            settings=settings,
            leg=leg,
            on=on,
            run_duckdb=run_duckdb,
            skip_cross_joins=skip_cross_joins,
        )
        choice = choices(self.catalogue.offered(on.changed_plan))
        every = [self._against(running, tuple(rules)) for rules in choice]
        return [checked for checked in every if checked is not None]

    def _duckdb(self, case: Case, *, ahead: bool) -> Callable[[bool], Outcome]:
        """A function that runs DuckDB, optimized or not; with ``ahead``, the optimized run starts beside Spark's."""

        def run(optimize: bool) -> Outcome:
            return self.duckdb.run(case.query, case.database, optimize=optimize, time_zone=case.settings.time_zone)

        if not ahead:
            return run
        begun = self.duckdb.begin(case.query, [case.database], time_zone=case.settings.time_zone)
        return lambda optimize: begun()[0] if optimize else run(optimize)

    def _against(self, running: _Running, off_rules: tuple[Rule, ...]) -> CheckResult | None:
        """Run the off leg and judge; None where both Spark legs have the same rows and the check is ``differing``."""
        stage, case, settings, on = running.stage, running.case, running.settings, running.on
        off_conf = switch_off([rule.switch for rule in off_rules if rule.switch], settings.off)
        two_legs = any(rule.switch is None for rule in off_rules)
        shared = running.leg if analyzed_alike(settings.on, off_conf, self.spark.analyzing) else None
        run = partial(run_off, stage, case, off_conf, on, shared, skip_cross_joins=running.skip_cross_joins)
        off = on if two_legs else run()
        if running.differing and off is not on and same_rows(on, off):
            return None
        unlimited = unlimited_of(stage, case, off_conf)
        parts = parts_of(stage, case, settings.on, on)
        changes = changes_of(stage, case, settings.on, off_rules, on)
        off_leg = None if two_legs else off
        if off_leg is not None:
            require_off(off_rules, off_leg, case)
        ends = _Ends(
            off=off_leg,
            parts=parts,
            unlimited=unlimited,
            fired=fired_of(off_rules, on, off_leg, changes),
            changed_plan=on.changed_plan | (parts.changed_plan if parts else frozenset()),
        )
        checked = self._judged(running, off_rules, ends)
        if off_leg is not None and off_leg.outcome is on.outcome and checked.verdict.name == "finding":
            # The off leg was taken to end like the on leg, as their plans are the same: a finding asks it.
            off_leg = run(anyway=True)
            require_off(off_rules, off_leg, case)
            checked = self._judged(running, off_rules, replace(ends, off=off_leg))
        return replace(checked, fast=stage.in_memory, beside=beside(running.others, on, off_leg))

    def _judged(self, running: _Running, off_rules: Sequence[Rule], ends: _Ends) -> CheckResult:
        case, on, off, fired = running.case, running.on, ends.off, ends.fired
        answers = self._answers(running, ends)
        names, compared = fired.undone, off
        verdict = _verdict(answers, fired=bool(names))
        if verdict.name == "vacuous" and fired.kept:
            # All legs agree, but the off leg may have done the same work: drop it, and let DuckDB judge the on leg.
            names, compared, answers = fired.kept, None, answers.without_off()
            verdict = _verdict(answers, fired=True)
        misbehaviour = faults_of([rule.rule_name for rule in off_rules], on.misbehaviour, self.spark.points)
        only_off = off.changed_plan - ends.changed_plan if off else ()
        return CheckResult(
            case=case,
            off=tuple(rule.name for rule in off_rules),
            fired=names,
            differed=plans_differ(on, compared),
            verdict=with_misbehaviour(verdict, misbehaviour, answers.legs["on"], answers.legs.get("off")),
            legs=answers.legs,
            settings=running.settings,
            changed_plan=tuple(rule.name for rule in self.catalogue.named(ends.changed_plan)),
            misbehaviour=misbehaviour,
            optimizer_failed=answers.optimizer_failed,
            unlimited=answers.unlimited,
            plan=on.shape,
            executors=tuple(sorted({*on.executors, *(off.executors if off else ())})),
            changed_only_off=tuple(rule.name for rule in self.catalogue.named(only_off)),
            kept=fired.kept,
        )

    def _answers(self, running: _Running, ends: _Ends) -> _Answers:
        """The outcomes of the legs; a limit without an order is settled, and DuckDB runs unoptimized where needed."""
        case, off, parts = running.case, ends.off, ends.parts

        @cache
        def duckdb_unlimited(*, optimize: bool) -> Outcome | None:
            if not isinstance(case.query, AnyLimit):
                return None
            return self.duckdb.run(
                case.query.child, case.database, optimize=optimize, time_zone=case.settings.time_zone
            )

        # If the unlimited results already differ, compare those instead of the limited ones.
        theirs = duckdb_unlimited(optimize=True)
        whole = not (isinstance(ends.unlimited, Rows) and isinstance(theirs, Rows) and same(ends.unlimited, theirs))

        def as_judged(outcome: Outcome | None, unlimited: Outcome | None) -> Outcome:
            assert outcome is not None  # every leg was run
            if isinstance(case.query, AnyLimit) and unlimited is not None:
                return settled(outcome, unlimited, case.query, whole=whole)
            return outcome

        def ask_duckdb(*, optimize: bool) -> Outcome:
            return as_judged(running.run_duckdb(optimize), duckdb_unlimited(optimize=optimize))

        legs = {"on": as_judged(running.on.outcome, ends.unlimited)}
        if off is not None:
            legs["off"] = as_judged(off.outcome, ends.unlimited)
        if parts is not None and parts.outcome is not None:
            legs["parts"] = parts.outcome
        legs["duckdb"] = ask_duckdb(optimize=True)
        optimizer_failed = False
        some_rows = any(isinstance(legs.get(leg), Rows) for leg in ("on", "off"))
        if some_rows and isinstance(legs["duckdb"], Raised):
            legs["duckdb"] = without_optimizer(legs["duckdb"], lambda: ask_duckdb(optimize=False))
            optimizer_failed = isinstance(legs["duckdb"], Rows)
        order = order_for(case.query, (legs["on"], *([legs["off"]] if "off" in legs else [])))
        if needs_second_opinion(legs["on"], legs.get("off"), legs["duckdb"], order):
            legs["duckdb_unoptimized"] = ask_duckdb(optimize=False)
        unlimited = isinstance(case.query, AnyLimit) and whole
        return _Answers(legs=legs, order=order, optimizer_failed=optimizer_failed, unlimited=unlimited)

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
        if kind is KeyboardInterrupt:
            self.spark.kill()  # it may be amid a leg, and would end that first
        with ExitStack() as stack:
            stack.callback(self.spark.close)
            stack.callback(self.duckdb.close)


def _verdict(answers: _Answers, *, fired: bool) -> Verdict:
    legs = answers.legs
    return judge(
        legs["on"],
        legs.get("off"),
        legs["duckdb"],
        fired=fired,
        unoptimized=legs.get("duckdb_unoptimized"),
        parts=legs.get("parts"),
        order=answers.order,
    )


def require_off(off_rules: Sequence[Rule], off: LegReport, case: Case) -> None:
    """Raise SwitchFailed where one of ``off_rules`` changed the off leg's plan."""
    # A set operator or DISTINCT that refers to the outer query has no reference operator, so its rule may rewrite it.
    # A query given as text may refer to the outer query.
    correlated = any(isinstance(node, (Outer, Verbatim)) for node in walk(case.query))
    still_on = [
        rule.name
        for rule in off_rules
        if rule.turned_off & off.changed_plan
        and not (correlated and isinstance(rule.switch, Reference))
        and not rule.scratch
    ]
    if still_on:
        raise SwitchFailed(f"turned off, and changed the plan all the same: {', '.join(still_on)}")
