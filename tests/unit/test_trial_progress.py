"""The progress of a trial: in a pipe each part begins with a line, and no line comes too soon after another."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from assay.evaluation.acquittal import EvaluationStats
from assay.evaluation.progress import EVERY, Finds, TrialProgress
from oracles.checks.evidence import RuleCount


class Clock:
    """A clock that stands still until it is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def lines_of(file: StringIO) -> list[str]:
    return file.getvalue().splitlines()


@pytest.fixture
def piped(clock: Clock) -> tuple[TrialProgress, StringIO]:
    file = StringIO()
    return TrialProgress(1000, console=Console(file=file, width=40), clock=clock), file


START = "compiling what has changed, and starting Spark | 0 s"


def test_the_first_line_in_a_pipe_comes_before_anything_is_done(piped: tuple[TrialProgress, StringIO]) -> None:
    progress, file = piped
    assert lines_of(file) == []
    with progress:
        assert lines_of(file) == [START]


def test_each_part_begins_with_a_line_at_once(piped: tuple[TrialProgress, StringIO], clock: Clock) -> None:
    progress, file = piped
    with progress:
        clock.now = 1.0
        progress.began("Mine")
        clock.now = 2.0
        Finds(progress.found).found()
    assert lines_of(file)[1:] == [
        "Mine: on trial | 1 s",
        "Mine: a difference, which is minimized and confirmed | 2 s",
    ]


@pytest.mark.parametrize(
    ("seconds", "printed"),
    [(0.0, []), (EVERY - 1, []), (EVERY, [f"Mine: fired in 3 of 5, up to 1,000 | {EVERY:.0f} s"])],
    ids=["at once", "a little early", "in time"],
)
def test_draws_are_told_now_and_then(
    piped: tuple[TrialProgress, StringIO], clock: Clock, seconds: float, printed: list[str]
) -> None:
    progress, file = piped
    stats = EvaluationStats(queries=5, count=RuleCount(fired=3))
    with progress:
        progress.began("Mine")
        clock.now = seconds
        progress.told(stats)
        progress.told(stats)
    assert lines_of(file)[2:] == printed


def test_a_line_of_another_kind_comes_between(piped: tuple[TrialProgress, StringIO]) -> None:
    progress, file = piped
    out = StringIO()
    with progress:
        progress.said(Console(file=out, width=40))("on trial, one by one: [Mine]")
    assert (lines_of(out), lines_of(file)) == (["on trial, one by one: [Mine]"], [START])


def test_a_terminal_gets_one_line_that_is_gone_in_the_end(clock: Clock) -> None:
    file = StringIO()
    with TrialProgress(10, console=Console(file=file, force_terminal=True, width=80), clock=clock) as progress:
        progress.began("Mine")
        progress.told(EvaluationStats())
    assert " s\n" not in file.getvalue()
    assert file.getvalue().endswith("\x1b[2K")
