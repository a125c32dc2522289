"""Statistics of checks: each check counts once, and the counts of several workers add up."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.checks.stats import Stats, check_line
from oracles.checks.tally import Tally
from oracles.checks.verdict import Verdict, broken_relation, excuse
from tests.unit.failure_samples import answer, checked_of

AGREE = Verdict(name="agree", reason="all equal")
VACUOUS = Verdict(name="vacuous", reason="all equal")
FINDING = broken_relation("on", "twice")

Check = tuple[Verdict, bool]
"""A verdict, and whether the answer has rows."""


def stats_of(checks: Iterable[Check]) -> Stats:
    stats = Stats()
    for verdict, nonempty in checks:
        rows = answer(1) if nonempty else answer()
        checked = checked_of(verdict=verdict, legs={"on": rows, "off": rows, "duckdb": rows})
        stats.add(check_line(checked, verdict, "digest"))
    return stats


@pytest.mark.parametrize(
    ("verdict", "nonempty", "expected"),
    [
        (AGREE, True, Tally({"agree": 1}, 1)),
        (AGREE, False, Tally({"agree": 1}, 0)),
        (VACUOUS, True, Tally({"vacuous": 1}, 0)),
        (FINDING, True, Tally({"finding": 1}, 0)),
        (excuse(FINDING, "slow"), True, Tally({"excused": 1}, 0, {"slow": 1})),
    ],
    ids=["agree with rows", "agree without", "vacuous", "finding", "excused"],
)
def test_a_check_counts_once(verdict: Verdict, nonempty: bool, expected: Tally) -> None:
    stats = stats_of([(verdict, nonempty)])
    assert stats.tally == expected
    assert stats.checks == 1


CHECKS = st.lists(
    st.tuples(st.sampled_from([AGREE, VACUOUS, FINDING, excuse(FINDING, "a"), excuse(FINDING, "b")]), st.booleans())
)


@given(CHECKS, CHECKS)
def test_statistics_of_two_workers_add_up_to_those_of_one(first: list[Check], second: list[Check]) -> None:
    both = stats_of(first)
    both.update(stats_of(second))
    assert both == stats_of(first + second)
    assert both.checks == len(first) + len(second)
