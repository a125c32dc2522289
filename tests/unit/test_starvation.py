"""A query that ran out of time because its process had no processor is no slow query."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from assay.fuzz.isolated_rerun import judge_alone, lost
from assay.fuzz.starvation import is_starved, waits
from oracles.answers.outcome import Outcome, Raised, Rows

LATE = Raised("TIMEOUT", None, "took too long", "timeout")
ROWS = Rows(("int32",), ((("int32", 1),),))
DIED = lost("died")


@pytest.mark.parametrize(
    ("legs", "starved", "verdict", "blame"),
    [
        ({"on": LATE, "off": ROWS}, (), "finding", "on"),
        ({"on": LATE, "off": ROWS}, ("on",), "inconclusive", None),
        ({"on": LATE, "off": ROWS}, ("off",), "finding", "on"),
        ({"on": LATE, "off": LATE}, ("on", "off"), "inconclusive", None),
        ({"on": LATE, "off": LATE}, ("off",), "finding", "on"),
        ({"on": DIED, "off": ROWS}, ("on",), "finding", "on"),
    ],
    ids=["slow", "starved", "the other one starved", "both starved", "slow beside a starved one", "dead"],
)
def test_a_starved_leg_convicts_nobody_of_being_slow(
    legs: Mapping[str, Outcome], starved: tuple[str, ...], verdict: str, blame: str | None
) -> None:
    judged = judge_alone(legs, "it timed out", starved)
    assert (judged.name, judged.blame) == (verdict, blame)
    if verdict == "inconclusive":
        assert "waited for a processor" in judged.reason


@pytest.mark.parametrize(
    ("before", "after", "starved"),
    [
        ({"1": 2.0, "2": 0.0}, {"1": 2.1, "2": 6.0}, True),
        ({"1": 2.0, "2": 0.0}, {"1": 2.1, "2": 5.0}, False),
        ({"1": 100.0}, {"1": 100.5}, False),
        ({}, {"3": 9.0}, True),
        ({}, {}, False),
    ],
    ids=["one thread waits", "half of the time", "it waited earlier", "a new thread waits", "no counts"],
)
def test_a_process_is_starved_if_a_thread_waits_most_of_the_time(
    before: Mapping[str, float], after: Mapping[str, float], starved: bool
) -> None:
    assert is_starved(before, after, 10.0) == starved


def test_the_kernels_counts_are_read_for_each_thread(tmp_path: Path) -> None:
    for thread, text in {"7": "100 2500000000 3", "8": "gone", "9": "1 0 1"}.items():
        folder = tmp_path / "7" / "task" / thread
        folder.mkdir(parents=True)
        (folder / "schedstat").write_text(text)
    assert waits(7, tmp_path) == {"7": 2.5, "9": 0.0}
    assert waits(6, tmp_path) == {}


def test_this_process_has_counts_where_the_kernel_keeps_them() -> None:
    kept = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/schedstat").is_file()
    assert bool(waits(os.getpid())) == kept
