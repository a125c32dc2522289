"""The statistics of a run over large tables, and their report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from rich.console import Console

from assay.session.console import table
from assay.session.ending import Ended, ending
from assay.volume.costs import Cost
from assay.volume.execution import WANTED
from assay.volume.fuzzer import CheckedQuery
from oracles.checks.tally import fewer_than_half
from oracles.sql import spark_text

_MEBI = 2**20
STEPS = ("tables", "on", "off", "duckdb", "comparison")


@dataclass(slots=True)
class RunStats:
    """A run so far, over tables of ``rows`` rows."""

    rows: int
    done: list[CheckedQuery] = field(default_factory=list)

    def add(self, done: CheckedQuery) -> None:
        """Add one check."""
        self.done.append(done)

    @property
    def verdicts(self) -> Counter[str]:
        """Checks by their verdict."""
        return Counter(each.name for each in self.done)

    @property
    def fired(self) -> Counter[str]:
        """The number of checks in which a rule was off and fired, by rule."""
        return Counter(rule for each in self.done for rule in each.checked.checked.fired)

    @property
    def shown(self) -> Counter[str]:
        """The number of agreements with rows in which a rule was off and fired, by rule."""
        agreed = (each.checked for each in self.done if each.name == "agree" and each.checked.rows)
        return Counter(rule for each in agreed for rule in each.checked.fired)

    @property
    def exercised(self) -> dict[str, int]:
        """The number of compared checks in which the on leg used it, for each name in WANTED."""
        used = Counter(name for each in self.done if each.is_compared for name in each.used)
        return {name: used[name] for name in WANTED}

    def costs(self, step: str) -> list[Cost]:
        """The cost of a step in each check that has it."""
        return [each.checked.costs[step] for each in self.done if step in each.checked.costs]


def ended(stats: RunStats, named: Sequence[str]) -> Ended:
    """The exit code of a run and its reasons: findings, few checks in which all legs had rows, rules that never fired
    in an agreement with rows, machinery that was never exercised.

    :param named: the rules that the user named: each has to have fired in such an agreement, else any rule.
    """
    silent = [name for name in named if not stats.fired[name]]
    unshown = [name for name in named if stats.fired[name] and not stats.shown[name]]
    nothing = [] if named or stats.shown else ["no rule fired in an agreement with rows"]
    unused = [name for name, checks in stats.exercised.items() if not checks]
    checks, compared = len(stats.done), sum(each.is_compared for each in stats.done)
    few = [f"only {compared} of {checks} checks were compared"] if fewer_than_half(compared, checks) else []
    thin = [*silent, *unshown, *nothing, *unused, *few]
    code = ending(suite_failed=False, findings=stats.verdicts["finding"], thin=thin)
    lines = (
        *few,
        *(f"{name} never fired" for name in silent),
        *(f"{name} fired in no agreement with rows" for name in unshown),
        *nothing,
        *(f"not exercised: {name}, in none of {checks} checks: a larger --scale may" for name in unused),
    )
    return Ended(code, lines)


def print_done(console: Console, done: CheckedQuery, number: int, of: int) -> None:
    """A line about one check, and a finding's text."""
    checked = done.checked
    seconds = "  ".join(f"{step} {checked.costs[step].seconds:.1f} s" for step in STEPS if step in checked.costs)
    on = checked.exercise.get("on")
    used = "" if on is None else f"; spilled {on.spilled / _MEBI:.0f} MB, {on.merges} sort-merge joins, "
    used += "" if on is None else f"{on.replanned} of {on.shuffles} shuffles re-planned"
    console.print(
        f"{number} of {of}: {done.name}, {checked.rows:,} rows: {seconds}{used}", highlight=False, soft_wrap=True
    )
    query = spark_text(checked.checked.case.query, checked.checked.case.settings)
    console.print(f"  {query}", markup=False, highlight=False, overflow="ellipsis", no_wrap=True)
    if done.name not in ("agree", "vacuous"):
        console.print(f"  {done.reason[:300]}", markup=False, highlight=False, soft_wrap=True)
    if done.told:
        console.print(done.told, markup=False, highlight=False, soft_wrap=True)


def print_stats(console: Console, stats: RunStats, seconds: float) -> None:
    """Print the verdicts, the machinery that was used, and the cost of each step."""
    rows = ((name, f"{checks:,}") for name, checks in stats.verdicts.most_common())
    console.print(table(f"over tables of {stats.rows:,} rows", ("verdict", "checks"), rows, left=(0, 1)))
    used = ", ".join(f"{name} in {checks}" for name, checks in stats.exercised.items())
    console.print(f"{len(stats.done)} checks in {seconds:.0f} s; of those compared: {used}", highlight=False)
    print_costs(console, [(stats.rows, {step: stats.costs(step) for step in STEPS})])


def print_costs(console: Console, measured: Iterable[tuple[int, dict[str, list[Cost]]]]) -> None:
    """Seconds and memory of each step, by rows."""
    head = ("rows", "step", "seconds", "MB of DuckDB's process", "MB of the JVM")
    made = table("a check: median (most) seconds, and the most memory", head, left=(1,))
    for rows, steps in measured:
        for step, costs in steps.items():
            if costs:
                taken = [cost.seconds for cost in costs]
                memory = (max(cost.python_memory for cost in costs), max(cost.jvm_memory for cost in costs))
                figures = (f"{median(taken):.1f} ({max(taken):.1f})", *(f"{each / _MEBI:,.0f}" for each in memory))
                made.add_row(f"{rows:,}", step, *figures)
        made.add_section()
    console.print(made)


def summary(stats: RunStats) -> dict[str, Any]:
    """The statistics as data."""
    return {
        "rows": stats.rows,
        "checks": len(stats.done),
        "verdicts": dict(stats.verdicts),
        "with_rows": sum(each.checked.rows > 0 for each in stats.done),
        "fired": dict(sorted(stats.fired.items())),
        "exercised": stats.exercised,
        "seconds": {step: [round(cost.seconds, 2) for cost in stats.costs(step)] for step in STEPS},
        "findings": [str(each.file) for each in stats.done if each.file],
    }
