"""Report a run over a user's queries: the closing table, the exit code with its reasons, and the figures as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console

from assay.queries.fuzzer import Count
from assay.session.console import table
from assay.session.ending import Ended, ending
from oracles.checks.tally import fewer_than_half

NO_ROW = "no answer had a row"
_COLUMNS = ("checks", "rules fired", "agreed by all", "by Spark alone", "with rows", "not judged", "known", "findings")


def ended(counts: Mapping[str, Count], named: Sequence[str]) -> Ended:
    """The exit code of a run and its reasons: findings, rules that never fired, queries of which fewer than half of the
    checks were judged or none agreed, and no answer with a row.

    :param named: the rules that the user named: each has to have changed the plan that ran in an agreement with rows.
    """
    fired: Counter[str] = sum((count.fired for count in counts.values()), Counter())
    shown: Counter[str] = sum((count.shown for count in counts.values()), Counter())
    silent = [name for name in named if not fired[name]]
    unshown = [name for name in named if fired[name] and not shown[name]]
    asked = {name: count for name, count in counts.items() if not count.command}
    excused = [name for name, count in asked.items() if count.classes["known"] and not count.agreed]
    unjudged = [name for name, count in asked.items() if not count.judged]
    hardly = [name for name, count in asked.items() if count.judged and fewer_than_half(count.judged, count.checks)]
    agreed = sum(count.agreed for count in asked.values())
    empty = [NO_ROW] if agreed and not any(count.with_rows for count in asked.values()) else []
    checked = any(count.checks for count in counts.values())
    nothing = [] if fired or named or not checked else ["no rule that can be turned off"]
    code = ending(
        suite_failed=False,
        findings=sum(count.classes["finding"] for count in counts.values()),
        thin=[*silent, *unshown, *nothing, *unjudged, *hardly, *excused, *empty, *([] if checked else ["nothing"])],
    )
    lines = (
        *(f"{name} never fired" for name in (*silent, *nothing)),
        *(f"{name} fired, and in no agreement with rows did it change the plan that ran" for name in unshown),
        *(f"{name} was not judged: {counts[name].refused or _most(counts[name].reasons)}" for name in unjudged),
        *(f"of {name} only {counts[name].judged:,} of {counts[name].checks:,} checks were judged" for name in hardly),
        *(f"of {name} no check agreed: a known divergence excuses what was found" for name in excused),
        *empty,
        *([] if checked else ["no query was checked"]),
    )
    return Ended(code, lines)


def _most(reasons: Counter[str]) -> str:
    return next((reason for reason, _ in reasons.most_common(1)), "nothing was asked").removeprefix("not judged: ")


def print_table(console: Console, counts: Mapping[str, Count], seconds: float) -> None:
    """Print a line for each query, and below the reasons why checks were not judged, or not by DuckDB."""
    made = table("queries", ("query", *_COLUMNS))
    for name, count in counts.items():
        made.add_row(name, *(f"{figure:,}" for figure in _figures(count)))
    if len(counts) > 1:
        made.add_section()
        everything = [sum(column) for column in zip(*map(_figures, counts.values()), strict=True)]
        everything[1] = len({rule for count in counts.values() for rule in count.fired})
        made.add_row("all", *(f"{figure:,}" for figure in everything))
    console.print(made)
    for name, count in counts.items():
        if count.command:
            console.print(f"{name}: {count.refused}", markup=False, highlight=False, soft_wrap=True)
        for reason, times in count.reasons.most_common():
            console.print(f"{name}: {times:,} {reason}", markup=False, highlight=False, soft_wrap=True)
        if count.classes["all"] + count.classes["spark"] and not count.with_rows:
            console.print(f"{name}: {NO_ROW}", markup=False, highlight=False)
    checks = sum(count.checks for count in counts.values())
    console.print(f"{checks:,} checks in {seconds:.0f} s ({checks / max(seconds, 0.1):.1f}/s)", highlight=False)


def _figures(count: Count) -> list[int]:
    by = count.classes
    judged = [by["all"], by["spark"], count.with_rows, by["unjudged"], by["known"], by["finding"]]
    return [count.checks, len(count.fired), *judged]


def summary(counts: Mapping[str, Count]) -> dict[str, Any]:
    """The figures of the table as data, by query; ``fired`` by rule, ``files`` of the findings."""
    return {
        name: {
            "checks": count.checks,
            "all": count.classes["all"],
            "spark": count.classes["spark"],
            "with_rows": count.with_rows,
            "unjudged": count.classes["unjudged"],
            "known": count.classes["known"],
            "findings": count.classes["finding"],
            "fired": dict(sorted(count.fired.items())),
            "reasons": dict(count.reasons),
            "refused": count.refused,
            "files": [str(file) for file in count.files],
        }
        for name, count in counts.items()
    }
