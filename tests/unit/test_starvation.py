"""A query that ran out of time because its process had no processor is no slow query."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from assay.fuzz.isolated_rerun import judge_alone, lost
from assay.fuzz.starvation import Times, is_starved, times_of
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
        ({"1": Times(0, 2.0), "2": Times()}, {"1": Times(1, 2.1), "2": Times(1, 6.0)}, True),
        ({"1": Times(0, 2.0), "2": Times()}, {"1": Times(1, 2.1), "2": Times(1, 5.0)}, False),
        ({"1": Times(50, 100.0)}, {"1": Times(50, 100.5)}, False),
        ({"1": Times(50, 100.0)}, {"1": Times(51, 109.0)}, True),
        ({}, {"3": Times(1.9, 9.0)}, True),
        ({}, {"3": Times(2.0, 9.0)}, False),
        ({}, {"3": Times(1.0, 9.0), "4": Times(3.0, 0.0)}, False),
        ({}, {}, False),
    ],
    ids=[
        "one thread waits",
        "half of the time",
        "it waited earlier",
        "it ran earlier",
        "a new thread waits",
        "it had what it needed",
        "another thread had what was needed",
        "no counts",
    ],
)
def test_a_process_is_starved_if_a_thread_waits_most_of_the_time_and_none_has_run_enough(
    before: Mapping[str, Times], after: Mapping[str, Times], starved: bool
) -> None:
    assert is_starved(before, after, 10.0, 2.0) == starved


def test_the_kernels_counts_are_read_for_each_thread(tmp_path: Path) -> None:
    for thread, text in {"7": "1000000000 2500000000 3", "8": "gone", "9": "1 0 1"}.items():
        folder = tmp_path / "7" / "task" / thread
        folder.mkdir(parents=True)
        (folder / "schedstat").write_text(text)
    assert times_of(7, tmp_path) == {"7": Times(1.0, 2.5), "9": Times(1e-9, 0.0)}
    assert times_of(6, tmp_path) == {}


def test_this_process_has_counts_where_the_kernel_keeps_them() -> None:
    kept = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/schedstat").is_file()
    assert bool(times_of(os.getpid())) == kept
