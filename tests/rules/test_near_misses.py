"""Every near miss is told apart on the running Spark, and answered rightly, or shows the bug that it is known for."""

from __future__ import annotations

import pytest

from strategies.shapes import load_shapes
from tests.rules.shape_checks import checks, wrong

DRAWS, KNOWN_DRAWS = 3, 12
NEAR_MISSES = [(shape.rule, miss) for shape in load_shapes().values() if not shape.own for miss in shape.near_misses]
SOUND = [(rule, miss) for rule, miss in NEAR_MISSES if miss.known_bug is None]
KNOWN_BUGS = [(rule, miss) for rule, miss in NEAR_MISSES if miss.known_bug is not None]


@pytest.mark.one_in(10)  # each is drawn, and run with mutants by shape
@pytest.mark.parametrize(("rule", "miss"), SOUND, ids=[f"{rule}-{miss.name}" for rule, miss in SOUND])
def test_near_miss_is_told_apart_and_answered_rightly(harness, rule, miss):
    found = checks(harness, rule, miss.cases(), DRAWS)
    assert {rule in check.fired for check in found} == {miss.fires}
    assert wrong(found) == []


@pytest.mark.parametrize(("rule", "miss"), KNOWN_BUGS, ids=[f"{rule}-{miss.name}" for rule, miss in KNOWN_BUGS])
def test_known_bug_still_shows_and_is_blamed_on_the_leg_with_the_rule(harness, rule, miss):
    found = checks(harness, rule, miss.cases(), KNOWN_DRAWS)
    findings = [check.verdict for check in found if check.verdict.name == "finding"]
    assert findings
    assert {verdict.blame for verdict in findings} == {"on"}
