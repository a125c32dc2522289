"""Drawn cases of a shape, checked on the running Spark with its rule on and off."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from importlib.metadata import version

from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as examples
from hypothesis.strategies import SearchStrategy

from oracles.checks.check import Harness
from oracles.checks.choices import with_their_callers
from oracles.checks.paths import Paths
from oracles.checks.result import CheckResult, LegSettings
from oracles.patterns.unsupported import supported_on
from oracles.triage.divergences import fitting, load
from strategies.ir import Case, Settings
from strategies.shapes import load_shapes

DIVERGENCES = load()

# The complaints of plan validation about nullability are known (see the divergences); the answers are judged here.
_CONF = {"spark.sql.planChangeValidation.nullability": "false"}
SETTINGS = LegSettings(on=_CONF, off=_CONF)


def checks(harness: Harness, rule: str, cases: SearchStrategy[Case], count: int) -> list[CheckResult]:
    """So many draws with ``rule`` on, with it (and those that do its work) off, and on DuckDB."""
    off = with_their_callers([harness.catalogue.rule(rule)])
    paths = Paths(harness, True, known)
    kept = load_shapes()[rule].needs
    return [checked for case in drawn(cases, count, kept=kept) if (checked := paths.check(case, off, SETTINGS))]


def drawn(cases: SearchStrategy[Case], count: int, *, kept: Iterable[str] = ()) -> list[Case]:
    """``count`` draws, the same in every run, each different case once; all on the fast path but those over local rows.
    Cases over tables of the source "v2" keep the capabilities of these tables, statements over files all settings,
    others those that are ``kept``, by name.

    Here it is queries that matter: other ways to run them are for the hunts, where they are drawn.
    """
    found: dict[str, Case] = {}

    @seed(0)
    @examples(
        max_examples=count,
        phases=(Phase.generate,),
        database=None,
        deadline=None,
        # How slow the machine is, and how much an old release refuses, isn't what is tested.
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(supported_on(version("pyspark"), cases))
    def collect(case: Case) -> None:
        settings = case.settings
        if settings.source == "v2":
            case = replace(case, settings=settings.quickened())
        elif settings.source != "local" and not case.query.is_statement:
            own = {name: getattr(settings, name) for name in kept}
            case = replace(case, settings=Settings(form=settings.form, ansi=settings.ansi, **own))  # plain literals
        found[repr(case)] = case

    collect()
    return list(found.values())


def mostly(
    of: Callable[[int], list[CheckResult]], count: int, share: float, holds: Callable[[CheckResult], bool]
) -> list[CheckResult]:
    """``of(count)``, or of fifteen times as many where ``holds`` is true of fewer than ``share``: few may be
    unlucky.
    """
    found = of(count)
    return found if sum(map(holds, found)) >= share * len(found) else of(15 * count)


def wrong(checks: list[CheckResult]) -> list[str]:
    """The checks whose legs agree neither in rows nor in a drawn error, unless a known divergence of both legs alike is
    the reason.
    """
    right = ("agree", "vacuous", "same-error")
    return [f"{c.verdict} {c.case}" for c in checks if c.verdict.name not in right and not known(c)]


def known(check: CheckResult) -> bool:
    """Whether a known divergence that no rule is guilty of excuses a check."""
    return bool(fitting(DIVERGENCES, check, (), version("pyspark"), date.today()))
