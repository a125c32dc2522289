"""Every shape keeps its promise on the running Spark: its rule fires, and the answers are right."""

from __future__ import annotations

import pytest

from strategies.shapes import load_shapes
from tests.rules.shape_checks import checks, mostly, wrong

DRAWS = 20
SHAPES = {rule: shape for rule, shape in load_shapes().items() if not shape.own}


def has_rows(check):
    return check.has_rows


@pytest.mark.one_in(4)  # each is drawn twenty times, and the hunts for mutants draw it, too
@pytest.mark.parametrize("rule", SHAPES)
def test_fires_in_nine_of_ten_draws_mostly_changes_what_is_run_and_answers_rightly(harness, rule):
    def draws(count):
        return mostly(lambda more: checks(harness, rule, SHAPES[rule].fires(), more), count, 0.2, has_rows)

    found = mostly(draws, DRAWS, 0.9, lambda check: rule in check.fired)
    assert sum(rule in check.fired for check in found) >= 0.9 * len(found)
    # Other rules may do the same work, or undo it: then the rule has fired, and both legs run one plan.
    compared = [check for check in found if "off" in check.legs]
    assert sum(check.differed for check in compared) >= 0.7 * len(compared)
    assert sum(map(has_rows, found)) >= 0.2 * len(found)
    assert wrong(found) == []
