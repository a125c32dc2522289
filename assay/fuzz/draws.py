"""A fixed sample of the cases that a fuzz run draws, for measuring the share of cases that an entry's pattern fits."""

from __future__ import annotations

import sys
from functools import cache

from hypothesis import HealthCheck, given, seed
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from assay.fuzz.case_mix import fuzz_cases
from assay.fuzz.drawing import generating
from strategies.ir import Case
from strategies.shapes import load_shapes

COUNT = 5_000
_SEED = 0


@cache
def fuzz_draws(sample: int = 0) -> tuple[Case, ...]:
    """``COUNT`` cases, drawn with one seed in about half a minute; a terminal shows how many there are so far. Each
    ``sample`` has a seed of its own.

    Hypothesis sometimes draws constants from loaded modules, so another command gets slightly different cases.
    """
    cases: list[Case] = []
    columns = (TextColumn("drawing cases"), BarColumn(), MofNCompleteColumn())
    silent = not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=silent) as progress:
        task = progress.add_task("", total=COUNT)

        @seed(_SEED + sample)
        @generating(COUNT, suppress_health_check=[HealthCheck.too_slow])  # slow draws cost time, and judge nothing
        @given(fuzz_cases(load_shapes(), ()))
        def collect(case: Case) -> None:
            cases.append(case)
            progress.advance(task)

        collect()
    return tuple(cases)
