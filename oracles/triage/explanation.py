"""Explain a finding by the cause of a known divergence instead of the rules under test.

A finding without an error can't be recognized by its message, and a wrong rule may show on a query of any pattern. So
the case runs again: an engine finding has to persist without the rules under test, a difference of the off leg alone
has to be there without any rule, or the difference has to disappear once the entry's cause is removed, while the rules
still fire and change the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.answers.rows import same
from oracles.checks.check import Harness
from oracles.checks.choices import all_that_changed, with_their_callers
from oracles.checks.finding_kind import FindingKind
from oracles.checks.result import CheckResult, LegSettings
from oracles.engines.duckdb import DuckdbEngine
from oracles.patterns.causes import REWRITES
from oracles.rules.switch import AQE_EXCLUDED, EXCLUDED, Excluded, Injected, switch_off
from oracles.triage.divergences import Divergence, Without, as_run
from oracles.triage.third_opinion import third_opinion
from strategies.ir import AnyLimit, Case, without_limit

Excused = Callable[[CheckResult, Sequence[str]], bool]
"""Tells whether another entry excuses the finding that is left after one cause is removed."""


def explained(harness: Harness, checked: CheckResult, rules: Sequence[str], entry: Divergence, rest: Excused) -> bool:
    """Whether ``entry``, whose fields fit, explains the finding of ``checked``.

    :param rules: the guilty rules by their names in the catalogue; none for an engine finding.
    :param rest: decides if there is still a finding without the entry's cause: one case may have several causes.
    """
    if entry.blame == "duckdb" and checked.verdict.blame == "unknown":
        return third_opinion(harness, checked).verdict.blame == "duckdb"
    if not entry.is_silent:
        return True
    if not shows(entry, checked.case, harness.duckdb, checked.legs.get("duckdb")):
        return False
    if entry.blame == "spark" and third_opinion(harness, checked).verdict.blame == "duckdb":
        return False
    if _is_off_alone(checked) and without_on_both(harness, checked, rules).verdict.kind == "engine":
        # With the rules Spark has DuckDB's rows. Without any rule that can go off it has others: no rule makes these.
        return True
    if entry.under:
        return _is_gone(harness, checked, rules, checked.case, _with_rule(checked.settings, entry.under), rest)
    if entry.without is not None:
        return disappears(harness, checked, rules, entry.without, rest)
    return checked.verdict.kind == "engine" and _persists(harness, checked)


def clearer(
    harness: Harness, checked: CheckResult, rules: Sequence[str], entries: Iterable[Divergence]
) -> CheckResult | None:
    """The finding of ``checked`` with the cause of another bug removed, if DuckDB then agrees with one leg.

    If the legs differ, and another bug makes both differ from DuckDB, DuckDB can't tell which leg is right.
    """
    if (checked.verdict.kind, checked.verdict.blame) != ("rule", "unknown"):
        return None
    for entry in entries:
        if entry.kind != "engine" or entry.without is None or not entry.without.rewrite:
            continue
        rewritten = REWRITES[entry.without.rewrite](checked.case) if entry.fits(as_run(checked)) else None
        if rewritten is None:
            continue
        again = _again(harness, checked, rewritten, _with_settings(checked.settings, entry.without), rules)
        if again.verdict.kind == "rule" and again.verdict.blame in ("on", "off") and set(rules) <= set(again.fired):
            return again
    return None


def shows(entry: Divergence, case: Case, duckdb: DuckdbEngine, theirs: Outcome | None = None) -> bool:
    """Whether the entry's cause can make a difference over the case's rows, by DuckDB's answers.

    :param theirs: DuckDB's outcome for the case, if known.
    """
    if entry.without is None or not entry.without.shows:
        return True
    rewritten = REWRITES[entry.without.shows](case)
    if rewritten is None:
        # Without the cause to remove there is nothing to show; a bug that can't be put in may show all the same.
        return entry.without.shows != entry.without.rewrite
    # The outcome of a limit without an order has only some of the rows.
    known = theirs if isinstance(theirs, Rows) and not isinstance(case.query, AnyLimit) else None
    zone = case.settings.time_zone
    one = known or duckdb.run(without_limit(case.query), case.database, time_zone=zone)
    other = duckdb.run(without_limit(rewritten.query), rewritten.database, time_zone=zone)
    if isinstance(one, Rows) and isinstance(other, Rows):
        return not same(one, other)
    # A query that raises with the cause and without it has the same answer.
    return not _raises_alike(one, other)


def _raises_alike(one: Outcome, other: Outcome) -> bool:
    return (
        isinstance(one, Raised)
        and isinstance(other, Raised)
        and one.kind == other.kind == "user"
        and one.condition == other.condition
    )


def _persists(harness: Harness, checked: CheckResult) -> bool:
    """Whether Spark still differs from DuckDB, with the same rows, when all rules that fire on the query are off.

    A rule under test that can't go off may be the cause, whatever else does.
    """
    again = _again(harness, checked, checked.case, checked.settings, None)
    before, off, theirs = checked.legs["on"], again.legs.get("off"), again.legs["duckdb"]
    if off is None or again.verdict.kind != "engine" or not _suspects(harness, checked) <= set(again.off):
        return False
    if isinstance(before, Rows) and isinstance(off, Rows):
        return same(before, off) and not (isinstance(theirs, Rows) and same(off, theirs))
    return type(before) is type(off)


def disappears(
    harness: Harness,
    checked: CheckResult,
    rules: Sequence[str],
    without: Without,
    rest: Excused = lambda again, rules: False,
) -> bool:
    """Whether the difference disappears ``without`` its cause, while the guilty ``rules`` still change the plan."""
    case = REWRITES[without.rewrite](checked.case) if without.rewrite else checked.case
    return case is not None and _is_gone(harness, checked, rules, case, _with_settings(checked.settings, without), rest)


def _is_gone(
    harness: Harness,
    checked: CheckResult,
    rules: Sequence[str],
    case: Case,
    settings: LegSettings,
    rest: Excused,
) -> bool:
    off = tuple(rules) if checked.verdict.kind == "rule" else checked.off
    if isinstance(case.query, AnyLimit):
        # Its rows may be right by chance, over an input that is still wrong.
        whole = _again(harness, checked, replace(case, query=case.query.child, partition=None), settings, off)
        rules_of_whole = off if whole.verdict.kind == "rule" else ()
        if whole.verdict.name == "finding" and (_hides(whole, checked) or not rest(whole, rules_of_whole)):
            return False
    again = _again(harness, checked, case, settings, off)
    if again.verdict.name == "finding":
        if _hides(again, checked):
            return False
        return rest(again, off if again.verdict.kind == "rule" else ())
    if checked.verdict.kind != "rule":
        return again.verdict.name in ("agree", "vacuous") and {*rules, *_suspects(harness, checked)} <= set(again.fired)
    on, other = again.legs["on"], again.legs.get("off")
    equal = isinstance(on, Rows) and isinstance(other, Rows) and same(on, other)
    return equal and again.differed and set(rules) <= set(again.fired)


def _hides(again: CheckResult, checked: CheckResult) -> bool:
    """Whether ``again`` fails, so that it cannot tell whether the rows of ``checked`` still differ."""
    kind, before = again.verdict.kind, checked.verdict.kind
    return kind is not None and before is not None and kind.fails and not before.fails


def _is_off_alone(checked: CheckResult) -> bool:
    return (checked.verdict.kind, checked.verdict.blame) == (FindingKind.RULE, "off")


def _suspects(harness: Harness, checked: CheckResult) -> set[str]:
    """The rules under test that may cause a finding of another kind than 'rule'.

    These are all that fired in a check without an off leg; of a query that contradicts itself, which is asked of the on
    leg alone, the users' rules that fired.
    """
    if checked.two_legs:
        return set(checked.fired)
    own = (name for name in checked.fired if isinstance(harness.catalogue.rule(name).switch, Injected))
    return set(own) if checked.verdict.kind == FindingKind.METAMORPHIC else set()


def _again(
    harness: Harness, checked: CheckResult, case: Case, settings: LegSettings, off: Iterable[str] | None
) -> CheckResult:
    rules = None if off is None else [harness.catalogue.rule(name) for name in off]
    choose = all_that_changed if rules is None else with_their_callers(rules)
    alone = checked.memory_alone
    return harness.check(case, choose, settings, fast=checked.fast or alone, in_driver=not alone)


def without_on_both(harness: Harness, checked: CheckResult, names: Iterable[str]) -> CheckResult:
    """The check of the same case with the rules ``names`` off on both legs, and all that then fire on the off leg."""
    alone = checked.memory_alone
    both = off_on_both(harness, checked.settings, names)
    return harness.check(checked.case, all_that_changed, both, fast=checked.fast or alone, in_driver=not alone)


def off_on_both(harness: Harness, settings: LegSettings, names: Iterable[str]) -> LegSettings:
    """``settings`` with the rules ``names`` off on both legs, as far as they can go off."""
    switches = [rule.switch for rule in map(harness.catalogue.rule, names) if rule.switch]
    return LegSettings(switch_off(switches, settings.on), switch_off(switches, settings.off))


def _with_settings(settings: LegSettings, without: Without) -> LegSettings:
    switches = [Excluded((name,)) for name in without.rules]
    on, off = (switch_off(switches, {**leg, **without.settings}) for leg in (settings.on, settings.off))
    return LegSettings(on, off)


def _with_rule(settings: LegSettings, rule_name: str) -> LegSettings:
    """``settings`` with ``rule_name`` excluded on neither leg."""
    on, off = (
        {key: _less(value, rule_name) if key in (EXCLUDED, AQE_EXCLUDED) else value for key, value in leg.items()}
        for leg in (settings.on, settings.off)
    )
    return LegSettings(on, off)


def _less(names: str, one: str) -> str:
    return ",".join(name for name in names.split(",") if name != one)
