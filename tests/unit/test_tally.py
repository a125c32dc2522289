"""Counts of verdicts, and when a run has shown too little."""

from __future__ import annotations

from typing import Any

import pytest

from oracles.checks.tally import InvalidTally, Tally, ceilings_broken
from oracles.checks.verdict import NAMES, Name


def tally(**verdicts: int) -> Tally:
    """A tally whose agreements all have rows."""
    counts: Any = verdicts
    excused = {"known": verdicts["excused"]} if verdicts.get("excused") else {}
    return Tally(counts, verdicts.get("agree", 0), excused)


NO_CHECKS = "checks: 0 were made: look above, or in the logs, for what ended the run before its time"


def agree(count: int, of: int) -> str:
    """The line of a run in which so few checks agree."""
    return f"agree: only {count:,} of {of:,} checks, fewer than half: --record DIR keeps why each ended as it did"


BOUNDARIES: dict[str, tuple[Tally, list[str]]] = {
    "no checks": (Tally(), [NO_CHECKS]),
    "nothing but vacuous checks": (Tally({"vacuous": 2000}), [agree(0, 2000)]),
    "half of the checks agree": (tally(agree=500, vacuous=500), []),
    "fewer than half agree": (tally(agree=450, vacuous=550), [agree(450, 1000)]),
    "hardly fewer than half agree": (tally(agree=499, vacuous=501), [agree(499, 1000)]),
    "of many, hardly fewer than half agree": (tally(agree=49_999, vacuous=50_001), [agree(49_999, 100_000)]),
    "of a hundred, fewer than half agree by luck": (tally(agree=45, vacuous=55), []),
    "of a hundred, fewer than half agree": (tally(agree=37, vacuous=63), [agree(37, 100)]),
    "of few, fewer than half agree": (tally(agree=4, vacuous=6), []),
    "the only check doesn't agree": (tally(finding=1), [agree(0, 1)]),
    "all agree": (tally(agree=1), []),
    "2 % inconclusive": (tally(agree=98, inconclusive=2), []),
    "more than 2 % inconclusive": (
        tally(agree=979, inconclusive=21),
        ["inconclusive: 21 of 1,000 checks, more than 2 %"],
    ),
    "just more than 2 % inconclusive": (
        tally(agree=48, inconclusive=1),
        ["inconclusive: 1 of 49 checks, more than 2 %"],
    ),
    "5 % raised": (tally(agree=95, raised=5), []),
    "more than 5 % raised": (tally(agree=949, raised=51), ["raised: 51 of 1,000 checks, more than 5 %"]),
    "5 % excused": (tally(agree=95, excused=5), []),
    "more than 5 % excused": (tally(agree=949, excused=51), ["excused: 51 of 1,000 checks, more than 5 %"]),
    "percentages are of all checks, findings and vacuous ones too": (
        tally(agree=50, finding=24, vacuous=24, inconclusive=2),
        [],
    ),
    "half of the agreements with rows": (Tally({"agree": 10}, 5), []),
    "fewer than half of the agreements with rows": (
        Tally({"agree": 1000}, 450),
        ["nonempty: only 450 of 1,000 agreements had any row, fewer than half"],
    ),
    "hardly fewer than half of the agreements with rows": (
        Tally({"agree": 1000}, 499),
        ["nonempty: only 499 of 1,000 agreements had any row, fewer than half"],
    ),
    "half as many as half": (
        Tally({"agree": 40}, 10),
        ["nonempty: only 10 of 40 agreements had any row, fewer than half"],
    ),
    "few agreements": (Tally({"agree": 5}, 2), []),
    "rows are asked of agreements only": (Tally({"agree": 2, "vacuous": 2}, 1), []),
    "vacuous and finding have no ceiling of their own": (tally(agree=50, vacuous=25, finding=25), []),
    "everything at once": (
        Tally({"agree": 1, "inconclusive": 1, "raised": 1, "excused": 1}, 0, {"known": 1}),
        [
            "inconclusive: 1 of 4 checks, more than 2 %",
            "raised: 1 of 4 checks, more than 5 %",
            "excused: 1 of 4 checks, more than 5 %",
            "nonempty: only 0 of 1 agreements had any row, fewer than half",
        ],
    ),
}


@pytest.mark.parametrize(("counts", "reasons"), BOUNDARIES.values(), ids=BOUNDARIES)
def test_a_ceiling_is_broken_only_above_it(counts: Tally, reasons: list[str]) -> None:
    assert ceilings_broken(counts) == reasons


@pytest.mark.parametrize("counts", [{}, {"vacuous": 2000}], ids=["no check", "vacuous checks alone"])
def test_a_run_that_shows_nothing_breaks_a_ceiling(counts: dict[Name, int]) -> None:
    assert ceilings_broken(Tally(counts))


def test_a_tally_has_a_count_for_every_verdict_in_one_order() -> None:
    assert tuple(Tally({"finding": 1}).verdicts) == NAMES


def test_a_tally_does_not_share_its_counts_with_the_caller() -> None:
    counts: dict[Name, int] = {"finding": 1}
    kept = Tally(counts)
    counts["finding"] = 2
    assert kept.checks == 1


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (({"agreed": 1},), r"unknown verdicts: \['agreed'\]"),
        (({"agree": -1},), "negative counts"),
        (({"agree": 1}, 2), "2 agreements with rows among 1"),
        (({"excused": 2}, 0, {"a": 1}), "2 excused checks, but by divergence"),
    ],
    ids=repr,
)
def test_counts_that_no_run_has_are_refused(counts: Any, message: str) -> None:
    with pytest.raises(InvalidTally, match=message):
        Tally(*counts)
