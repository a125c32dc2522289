"""What a trial prints: the verdict, what was tried, the counterexample, and the time that the rule saves."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from assay.evaluation.acquittal import Tried
from assay.evaluation.timing import Timing
from assay.evaluation.trial import Trial
from oracles.checks.check import Checked
from oracles.checks.evidence import LEAST
from oracles.checks.finding_kind import FindingKind
from oracles.checks.misbehaviour import THROWS
from oracles.checks.tally import CEILINGS
from oracles.rules.points import Point

_COLOURS = {"acquitted": "green", "convicted": "red", "never fired": "yellow", "thin evidence": "yellow"}
_MOST = 8
_LONGEST_SQL = 200


def print_trial(console: Console, trial: Trial) -> None:
    """The whole account of one trial: the counterexamples first, the verdict last where the eye ends up."""
    for text in trial.counterexamples:
        console.print(Text(text), soft_wrap=True)
        console.print()
    if trial.sentence != "convicted":
        console.print(_operators(trial))
    if trial.sentence == "never fired":
        console.print(_shapes(trial))
    if trial.timings:
        console.print(_times(trial.timings))
    console.print(_verdict(trial))


def _verdict(trial: Trial) -> Panel:
    colour = _COLOURS[trial.sentence]
    lines = [Text(headline(trial), style="bold"), *map(Text, [*hints(trial), *notes(trial)])]
    where = f"@{trial.point}" if trial.point else ""
    return Panel(Text("\n").join(lines), title=f"{trial.rule}{where}: {trial.sentence}", border_style=colour)


def headline(trial: Trial) -> str:
    """The verdict in one line: ``fired in 812, plans differed in 640 of 1,000 checks``."""
    tried = trial.tried
    counts = _counts(tried)
    if trial.sentence == "convicted":
        offences = ", ".join(sorted({_offence(each.checked) for each in trial.findings}))
        return f"convicted ({offences}): {counts}"
    if trial.sentence == "acquitted":
        return f"acquitted: {counts}, {tried.evidence:,} agreements with rows, no difference"
    if trial.sentence == "never fired":
        return f"never fired in {tried.queries:,} checks: nothing is known about this rule"
    return f"thin evidence: {counts}; {_lacking(tried)}"


def _counts(tried: Tried) -> str:
    if tried.all_alone:
        return f"fired in {tried.fired:,} of {tried.queries:,} checks, against DuckDB alone"
    alone = f" ({tried.alone:,} against DuckDB alone)" if tried.alone else ""
    return f"fired in {tried.fired:,}, plans differed in {tried.differed:,} of {tried.queries:,} checks{alone}"


def _lacking(tried: Tried) -> str:
    """How far the evidence goes, and what speaks against it."""
    where = "" if tried.all_alone else " where the plans differed"
    found = [
        f"{tried.evidence:,} agreements with rows{where} ({LEAST} needed)",
        f"{tried.excused.total():,} excused" if tried.excused else "",
        f"{tried.unexplained.total():,} unexplained" if tried.unexplained else "",
    ]
    return ", ".join(filter(None, found))


def _offence(checked: Checked) -> str:
    kind = checked.verdict.kind
    if THROWS in checked.conduct and kind in (FindingKind.INTERNAL, FindingKind.ERROR):
        return "it throws"
    return "" if kind is None else kind.label


def hints(trial: Trial) -> list[str]:
    """Why a rule never fired, as far as the plans that it was given tell; what to do where the evidence is thin."""
    if trial.sentence == "thin evidence":
        return _next_steps(trial.tried)
    if trial.sentence != "never fired" or not trial.point:
        return []
    if not trial.handed.legs:
        return [f"no plan came to {trial.point}: the rule was never called"]
    return [_missing(name, trial) for name in trial.operators if name not in trial.handed.nodes]


def _next_steps(tried: Tried) -> list[str]:
    lines = []
    if not tried.differed and not tried.alone:
        lines.append("the plans that ran never differed: other rules do the same, or undo what it does")
    if tried.evidence < LEAST:
        enough = f" (about {_enough(tried):,} at this rate)" if tried.evidence else ""
        lines.append(
            "for more evidence: --shapes FILE.py with queries that suit the rule, "
            f"--max-examples N{enough}, or another --hypothesis-seed"
        )
    for found, what in ((tried.excused, "excused by"), (tried.unexplained, "not known to have another cause:")):
        if found:
            which = ", ".join(f"{name} ({count:,})" for name, count in sorted(found.items()))
            lines.append(f"{what} {which}: the rule may have a part in it; --shapes takes queries without it")
    return lines


def _enough(tried: Tried) -> int:
    """Queries that are likely to be enough, to two digits and rounded up."""
    needed = ceil(tried.queries * LEAST / tried.evidence)
    unit: int = 10 ** max(0, len(str(needed)) - 2)
    return ceil(needed / unit) * unit


def _missing(operator: str, trial: Trial) -> str:
    if operator in trial.analyzed.nodes and trial.point != Point.PLAN_NORMALIZATION:
        return f"{operator} no longer exists at {trial.point}; try @{Point.PLAN_NORMALIZATION}"
    return f"no query had a node {operator} at {trial.point}: --shapes takes queries of your own"


def notes(trial: Trial) -> list[str]:
    """What the reader should know beside the verdict."""
    tried = trial.tried
    lines = []
    if trial.sentence == "acquitted":
        lines += _weak(trial)
    if trial.rows and not trial.timings:
        lines.append(f"time: no query over tables of {trial.rows:,} rows ended in time, with the rule on and off")
    if trial.timings and not any(each.ratios[0] > 1 or each.ratios[-1] < 1 for each in trial.timings):
        lines.append("time: no difference beyond what varies from turn to turn")
    if tried.restless:
        lines.append(
            f"note: not idempotent in {tried.restless:,} checks (it changes its own result again); rules at "
            f"{trial.point} are run until nothing changes"
        )
    lines += [
        f"note: {count} finding{'s' * (count > 1)} ({what}) that the rule has no part in: tox run -e fuzz looks into "
        f"{'these' if count > 1 else 'it'}"
        for what, count in sorted(tried.others.items())
    ]
    if tried.files:
        lines.append(f"note: on disk, one of each bug: {', '.join(map(str, tried.files))}")
    return lines


def _weak(trial: Trial) -> list[str]:
    tried = trial.tried
    shares = ((name, tried.verdicts[name], percent) for name, percent in CEILINGS.items())
    return [
        f"weak evidence: {count:,} of {tried.checked:,} queries that were run ended {name}"
        for name, count, percent in shares
        if count * 100 > tried.checked * percent
    ]


def _operators(trial: Trial) -> Table:
    """What the rule speaks of, and what it was given most."""
    given = trial.handed
    table = Table(
        "operator", "queries", "the rule names it", title=f"plans at {trial.point or 'Spark'}: {given.legs:,}"
    )
    table.columns[1].justify = "right"
    often = sorted(given.nodes, key=lambda name: (-given.nodes[name], name))[:_MOST]
    for name in [*trial.operators, *(name for name in often if name not in trial.operators)]:
        table.add_row(name, f"{given.nodes.get(name, 0):,}", "yes" if name in trial.operators else "")
    return table


def _shapes(trial: Trial) -> Table:
    table = Table("plan", "queries", title="the most frequent plans that the rule was given")
    table.columns[1].justify = "right"
    for name, count in trial.handed.shapes.items():
        table.add_row(Text(name), f"{count:,}")
    return table


def _times(timings: Sequence[Timing]) -> Table:
    rows = max(timing.rows for timing in timings)
    table = Table("query", "on", "off", "times as fast", "from-to", title=f"time with tables of {rows:,} rows")
    for column in table.columns[1:]:
        column.justify, column.no_wrap = "right", True
    for timing in timings:
        low, *_, high = timing.ratios
        on, off = (f"{sorted(times)[len(times) // 2]:,.0f} ms" for times in (timing.on, timing.off))
        shown = timing.sql if len(timing.sql) <= _LONGEST_SQL else timing.sql[:_LONGEST_SQL] + "…"
        table.add_row(Text(shown), on, off, f"{timing.ratio:.2f}", f"{low:.2f}-{high:.2f}")
    return table
