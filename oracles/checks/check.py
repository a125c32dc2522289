"""Run one case through its legs (rules on, rules off, DuckDB) and judge the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from types import TracebackType

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.answers.rows import same
from oracles.answers.unordered_limit import settled
from oracles.checks.extra_databases import NO_EXTRA_DATABASES, ExtraDatabases, ExtraResults, beside
from oracles.checks.legs import (
    Fired,
    changes_of,
    fired_of,
    parts_of,
    plans_differ,
    run_off,
    same_rows,
    unlimited_of,
    without_stumbling,
)
from oracles.checks.misbehaviour import faults_of, with_conduct
from oracles.checks.verdict import Verdict, judge, needs_second_opinion
from oracles.engines.duckdb import DuckdbEngine
from oracles.engines.protocol import Engine, Leg, LegReport, Stage
from oracles.rules.catalogue import Catalogue
from oracles.rules.rule import Rule, with_callers
from oracles.rules.switch import Reference, analyzed_alike, switch_off
from strategies.ir import AnyLimit, Case, Database, Outer, Verbatim, walk

ChooseOff = Callable[[Sequence[Rule]], Iterable[Rule]]
"""Choose the rules that the off leg turns off, given the switchable rules that changed the on leg's plan."""

Choices = Callable[[Sequence[Rule]], Iterable[Sequence[Rule]]]
"""Choose the rules to turn off for several off legs over one on leg."""


class SwitchFailed(RuntimeError):
    """A rule changed the plan of a leg on which it was turned off. The fault is Assay's own; there is no verdict."""


@dataclass(frozen=True, slots=True)
class LegSettings:
    """Session settings of the two Spark legs beyond the case's own, before any rule is turned off."""

    on: Mapping[str, str] = field(default_factory=dict)
    off: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check.

    ``off``: the rules that the off leg turned off. ``fired``: those of them that changed the on leg's plan, and neither
    they nor a rule that calls them changed the off leg's. ``differed``: the executed plans of both legs differ.
    Without an off leg, ``off`` holds rules that can't be turned off, or whose work the off leg may have done all the
    same, ``fired`` those of them that changed the on leg's plan, and ``differed`` is false. ``kept``: the rules that
    changed the on leg's plan and whose work the off leg may have done. ``effective``: all rules that changed the on
    leg's plan, switchable or not. ``emerged``: the rules that changed only the off leg's plan. ``legs``: outcomes by
    leg: on, off (absent with two legs), parts and duckdb_unoptimized (only if they ran), duckdb. ``fast``: found on the
    fast path; with ``memory_alone``, not on the plain path. ``conduct``: the misbehaviour on the on leg of the rules in
    ``off``, if it was watched. ``stumbled``: DuckDB's optimizer raised, and DuckDB's answer is the unoptimized one.
    ``plan``: 16 hex digits for the operators of the on leg's executed plan, '' if there is none. ``executors``: the
    executors of a cluster that ended tasks for a Spark leg. ``beside``: results over extra databases.
    """

    case: Case
    off: tuple[str, ...]
    fired: tuple[str, ...]
    differed: bool
    verdict: Verdict
    legs: Mapping[str, Outcome]
    settings: LegSettings = LegSettings()
    effective: tuple[str, ...] = ()
    fast: bool = False
    memory_alone: bool = False
    conduct: tuple[str, ...] = ()
    stumbled: bool = False
    plan: str = ""
    executors: tuple[str, ...] = ()
    emerged: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    beside: ExtraResults = field(default_factory=ExtraResults)

    @property
    def two_legs(self) -> bool:
        """Whether DuckDB alone judged the on leg."""
        return "off" not in self.legs and "duckdb" in self.legs

    @property
    def has_rows(self) -> bool:
        """Whether the answer has at least one row."""
        on = self.legs["on"]
        return isinstance(on, Rows) and len(on.rows) > 0


class Laboratory:
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
        settings: LegSettings = LegSettings(),
        *,
        fast: bool = False,
        in_driver: bool = True,
        others: Sequence[Database] = (),
    ) -> Checked:
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
        settings: LegSettings = LegSettings(),
        *,
        fast: bool = False,
        in_driver: bool = True,
        others: Sequence[Database] = (),
        differing: bool = False,
        acting: Sequence[Rule] = (),
    ) -> Checked | None:
        """Check ``case`` only if its plan shows that a rule to turn off fires; else return None, and run no leg.

        If planning raises, the case is checked. Raises as :meth:`check` does.

        :param differing: return None, without running DuckDB, if both Spark legs have the same rows, too.
        :param acting: the rules of which one has to fire, in place of the rules to turn off.
        """

        def one_acts(planned: LegReport) -> bool:
            rules = acting or choose_off(self.catalogue.offered(planned.effective))
            # Adaptive execution fires rules only at run time, and a plan that raised shows no rules.
            open_yet = case.settings.aqe or isinstance(planned.outcome, Raised)
            return open_yet or any({rule.rule_name, rule.carrier} & planned.effective for rule in rules)

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
    ) -> Checked | None:
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
            off_rules = tuple(choose_off(self.catalogue.offered(on.effective)))
            return self._against(
                stage, case, settings, (leg, on), off_rules, run_duckdb, others=beside_it, differing=differing
            )

    def check_each(
        self,
        case: Case,
        choices: Choices,
        settings: LegSettings = LegSettings(),
        *,
        stage: Stage,
        sparing: bool = False,
    ) -> list[Checked]:
        """Run ``case`` once with its rules on, then with each of the ``choices`` off: one check for each choice.

        Raises as :meth:`check` does.

        :param stage: the case's loaded tables.
        :param sparing: don't run an off leg with a cross join if the on leg has none: it may never end.
        """
        duckdb = cache(self._duckdb(case, ahead=True))
        with stage.leg(case.query, settings.on) as leg:
            on = leg.run()
            spare = sparing and not leg.pairs_all()
        every = [
            self._against(stage, case, settings, (leg, on), tuple(rules), duckdb, spare)
            for rules in choices(self.catalogue.offered(on.effective))
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
        spare: bool = False,
        *,
        others: ExtraDatabases = NO_EXTRA_DATABASES,
        differing: bool = False,
    ) -> Checked | None:
        leg, on = on_leg
        off_conf = switch_off([rule.switch for rule in off_rules if rule.switch], settings.off)
        two_legs = any(rule.switch is None for rule in off_rules)
        shared = leg if analyzed_alike(settings.on, off_conf, self.spark.analyzing) else None
        off = on if two_legs else run_off(stage, case, off_conf, on, shared, spare)
        if differing and off is not on and same_rows(on, off):
            return None
        spark_unlimited = unlimited_of(stage, case, off_conf)
        parts = parts_of(stage, case, settings.on, on)
        changes = changes_of(stage, case, settings.on, off_rules, on)
        off_leg = None if two_legs else off
        if off_leg is not None:
            require_off(off_rules, off_leg, case)
        fired = fired_of(off_rules, on, off_leg, changes)
        effective = on.effective | (parts.effective if parts else frozenset())
        checked = self._judged(
            case, settings, off_rules, fired, effective, on, off_leg, spark_unlimited, parts, run_duckdb
        )
        return replace(checked, fast=stage.in_memory, beside=beside(others, on, off_leg))

    def _judged(
        self,
        case: Case,
        settings: LegSettings,
        off_rules: Sequence[Rule],
        fired: Fired,
        effective: frozenset[str],
        on: LegReport,
        off: LegReport | None,
        spark_unlimited: Outcome | None,
        parts: LegReport | None,
        run_duckdb: Callable[[bool], Outcome],
    ) -> Checked:
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
        stumbled = False
        if isinstance(legs["on"], Rows) and isinstance(legs["duckdb"], Raised):
            legs["duckdb"] = without_stumbling(legs["duckdb"], lambda: ask_duckdb(optimize=False))
            stumbled = isinstance(legs["duckdb"], Rows)
        if needs_second_opinion(legs["on"], legs.get("off"), legs["duckdb"]):
            legs["duckdb_unoptimized"] = ask_duckdb(optimize=False)

        def verdict_of(names: tuple[str, ...]) -> Verdict:
            return judge(
                legs["on"],
                legs.get("off"),
                legs["duckdb"],
                fired=bool(names),
                unoptimized=legs.get("duckdb_unoptimized"),
                parts=legs.get("parts"),
            )

        names, compared = fired.undone, off
        verdict = verdict_of(names)
        if verdict.name == "vacuous" and fired.kept:
            # All legs agree, but the off leg may have done the same work: drop it, and let DuckDB judge the on leg.
            names, compared = fired.kept, None
            del legs["off"]
            verdict = verdict_of(names)
        conduct = faults_of([rule.rule_name for rule in off_rules], on.conduct, self.spark.points)
        verdict = with_conduct(verdict, conduct, legs["on"], legs.get("off"))
        changed = tuple(rule.name for rule in self.catalogue.named(effective))
        only_off = off.effective - effective if off else ()
        return Checked(
            case,
            tuple(rule.name for rule in off_rules),
            names,
            plans_differ(on, compared),
            verdict,
            legs,
            settings,
            changed,
            conduct=conduct,
            stumbled=stumbled,
            plan=on.shape,
            executors=tuple(sorted({*on.executors, *(off.executors if off else ())})),
            emerged=tuple(rule.name for rule in self.catalogue.named(only_off)),
            kept=fired.kept,
        )

    def plans_around(self, checked: Checked, rules: Iterable[str]) -> dict[str, tuple[str, str]]:
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

    def __enter__(self) -> Laboratory:
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
        if rule.turned_off & off.effective and not (correlated and isinstance(rule.switch, Reference))
    ]
    if still_on:
        raise SwitchFailed(f"turned off, and changed the plan all the same: {', '.join(still_on)}")


def fixed(rules: Iterable[Rule]) -> ChooseOff:
    """Turn off exactly ``rules``, whichever rules fired."""
    chosen = tuple(rules)
    return lambda _: chosen


def with_their_callers(rules: Iterable[Rule]) -> ChooseOff:
    """Turn off ``rules`` and, of the rules that call them, those that fired."""
    chosen = tuple(rules)
    return lambda effective: with_callers(chosen, effective)


def all_effective(rules: Sequence[Rule]) -> Iterable[Rule]:
    """Turn off every rule that changed the on leg's plan."""
    return rules
