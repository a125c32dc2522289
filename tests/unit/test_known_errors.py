"""A finding in which the legs fail by different known bugs: one entry excuses it if others know the other errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

import pytest

from oracles.answers.outcome import Outcome
from oracles.triage.divergences import Divergence, fitting
from strategies.ir import SetOp
from tests.unit.test_divergences import INTERNAL, NOT_FINISHED, RAISING, TODAY, T, found

TWICE = SetOp("except", T, T, all=True)
IN_A_WINDOW = replace(
    RAISING, id="SPARK-2", blame="any", rules=("any",), raised="Unsupported window", pattern="set_operator_all"
)
BOTH_FAIL = {"on": NOT_FINISHED, "off": replace(NOT_FINISHED, message="Unsupported window function")}


@pytest.mark.parametrize(
    ("other", "legs", "own", "fits"),
    [
        (IN_A_WINDOW, BOTH_FAIL, (), True),
        (replace(IN_A_WINDOW, blame="off"), BOTH_FAIL, (), True),
        (replace(IN_A_WINDOW, blame="on"), BOTH_FAIL, (), False),
        (replace(IN_A_WINDOW, raised="another"), BOTH_FAIL, (), False),
        (replace(IN_A_WINDOW, kind="invalid-plan"), BOTH_FAIL, (), False),
        (replace(IN_A_WINDOW, pattern="window_aggregate_with_a_filter"), BOTH_FAIL, (), False),
        (replace(IN_A_WINDOW, releases=("4.2",)), BOTH_FAIL, (), False),
        (replace(IN_A_WINDOW, expires=date(2025, 12, 31)), BOTH_FAIL, (), False),
        (replace(IN_A_WINDOW, under="a.Hides"), BOTH_FAIL, (), False),
        (replace(IN_A_WINDOW, done_by="C"), BOTH_FAIL, (), False),
        (IN_A_WINDOW, BOTH_FAIL, ("A",), False),
        (IN_A_WINDOW, {**BOTH_FAIL, "on": BOTH_FAIL["off"]}, (), False),
    ],
    ids=[
        "known",
        "known of that leg",
        "known of the other leg",
        "unknown",
        "of another kind",
        "of another query",
        "of another release",
        "expired",
        "hidden",
        "of a rule that left the plan alone",
        "of an own rule",
        "none of its own",
    ],
)
def test_another_leg_may_fail_by_another_known_bug(
    other: Divergence, legs: Mapping[str, Outcome], own: tuple[str, ...], fits: bool
) -> None:
    known = fitting((RAISING, other), found(INTERNAL, TWICE, legs), ("A", "B"), "4.3.0", TODAY, own=own)
    assert (RAISING in known) == fits
