"""Every shape keeps its promise on the running Spark: its rule fires, near misses are told apart, answers are right."""

from __future__ import annotations

from datetime import date
from importlib.metadata import version

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from oracles.check import Checked, LegSettings, fixed
from oracles.divergences import excusing, load
from strategies.ir import Case
from strategies.shapes import load_shapes

DRAWS = 30
NEAR_DRAWS = 10
SHAPES = load_shapes()
DIVERGENCES = load()
NEAR_MISSES = [(shape.rule, miss) for shape in SHAPES.values() for miss in shape.near_misses]
SOUND = [(rule, miss) for rule, miss in NEAR_MISSES if miss.known_bug is None]
KNOWN_BUGS = [(rule, miss) for rule, miss in NEAR_MISSES if miss.known_bug is not None]

# What plan validation says of nullability is known (see the divergences); here the answers are judged.
_CONF = {"spark.sql.planChangeValidation.nullability": "false"}
SETTINGS = LegSettings(on=_CONF, off=_CONF)


def drawn(cases: SearchStrategy[Case], count: int) -> list[Case]:
    """``count`` draws, the same in every run, each different case once."""
    found: dict[str, Case] = {}

    @seed(0)
    @settings(
        max_examples=count,
        phases=(Phase.generate,),
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],  # a slow machine isn't what is tested
    )
    @given(cases)
    def collect(case: Case) -> None:
        found[repr(case)] = case

    collect()
    return list(found.values())


@pytest.fixture
def checked(laboratory):
    """Checks so many draws with the rule on, with it off, and on DuckDB."""

    def check(rule: str, cases: SearchStrategy[Case], count: int) -> list[Checked]:
        off = fixed([laboratory.catalogue.rule(rule)])
        return [laboratory.check(case, off, SETTINGS) for case in drawn(cases, count)]

    return check


def wrong(checks: list[Checked]) -> list[str]:
    """The checks whose legs don't agree, where no known divergence of both legs alike is the reason."""
    return [f"{c.verdict} {c.case}" for c in checks if c.verdict.name not in ("agree", "vacuous") and not known(c)]


def known(check: Checked) -> bool:
    """Whether a known divergence that no rule is guilty of excuses a check."""
    return excusing(DIVERGENCES, check.verdict, (), check.case, version("pyspark"), date.today()) is not None


@pytest.mark.parametrize("rule", SHAPES)
def test_fires_in_nine_of_ten_draws_mostly_changes_what_is_run_and_answers_rightly(checked, rule):
    checks = checked(rule, SHAPES[rule].fires(), DRAWS)
    assert sum(rule in check.fired for check in checks) >= 0.9 * len(checks)
    # Other rules may do the same work, or undo it: then the rule has fired, and both legs run one plan.
    assert sum(check.differed for check in checks) >= 0.7 * len(checks)
    assert sum(check.has_rows for check in checks) >= 0.2 * len(checks)
    assert wrong(checks) == []


@pytest.mark.parametrize(("rule", "miss"), SOUND, ids=[f"{rule}-{miss.name}" for rule, miss in SOUND])
def test_near_miss_is_told_apart_and_answered_rightly(checked, rule, miss):
    checks = checked(rule, miss.cases(), NEAR_DRAWS)
    assert {rule in check.fired for check in checks} == {miss.fires}
    assert wrong(checks) == []


@pytest.mark.parametrize(("rule", "miss"), KNOWN_BUGS, ids=[f"{rule}-{miss.name}" for rule, miss in KNOWN_BUGS])
def test_known_bug_still_shows_and_is_blamed_on_the_leg_with_the_rule(checked, rule, miss):
    checks = checked(rule, miss.cases(), NEAR_DRAWS)
    findings = [check.verdict for check in checks if check.verdict.name == "finding"]
    assert findings
    assert {verdict.blame for verdict in findings} == {"on"}
