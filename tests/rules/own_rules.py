"""Example rules on a session that has loaded them: plans with one of them on, and drawn cases with it on and off."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis.strategies import SearchStrategy

from assay.fuzz.mutant_kills import only_on_is_wrong
from assay.session.own_rule import own_rule
from oracles.checks.check import Harness
from oracles.checks.choices import fixed
from oracles.checks.paths import Paths
from oracles.checks.result import CheckResult
from strategies.ir import Case
from tests.rules.shape_checks import SETTINGS, drawn, known
from tests.rules.stock import Answer, answer


def with_rule(harness: Harness, name: str, query: str, conf: Mapping[str, str] | None = None) -> Answer:
    """``query`` answered with the example ``name`` on."""
    return answer(harness.spark.session, query, own_rule(name).settings(conf or {}).on)


def without_rule(harness: Harness, name: str, query: str, conf: Mapping[str, str] | None = None) -> Answer:
    """``query`` answered as on the leg without it."""
    return answer(harness.spark.session, query, own_rule(name).settings(conf or {}).off)


def own_checks(harness: Harness, name: str, cases: SearchStrategy[Case], count: int) -> list[CheckResult]:
    """So many draws with the example ``name`` on, with it off, and on DuckDB."""
    own = own_rule(name)
    off = fixed([harness.catalogue.rule(name)])
    paths = Paths(harness, True, known)
    settings = own.settings(SETTINGS.on)
    return [checked for case in drawn(cases, count) if (checked := paths.check(case, off, settings))]


def convicting(checks: list[CheckResult]) -> list[CheckResult]:
    """The checks in which the leg with the rule alone gave a wrong answer."""
    return [checked for checked in checks if only_on_is_wrong(checked)]
