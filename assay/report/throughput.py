"""Charts of campaigns: checks per second over time, and trends from run to run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from assay.report.charts import Chart, axis, layout, line

Row = Mapping[str, Any]

_RUNS = 12
"""The latest runs, whose throughput is drawn."""

_HOUR = 3_600.0
_MINUTES_UP_TO = 2 * _HOUR


def throughput(rows: Sequence[Row]) -> Chart | None:
    """Checks per second over each run's own time, the latest run on top; None without rounds.

    ``rows`` are :meth:`assay.ledger.read.Ledger.throughput`'s.
    """
    started: dict[str, datetime] = {}
    for row in rows:
        started.setdefault(row["run"], row["since"])
    latest = sorted(started, key=lambda run: (started[run], run))[-_RUNS:]
    if not latest:
        return None
    unit, seconds = _unit(max(row["after"] for row in rows))
    traces = []
    for run in latest:
        own = [row for row in rows if row["run"] == run]
        is_last = run == latest[-1]
        traces.append(
            line(
                [round(row["after"] / seconds, 3) for row in own],
                [round(row["per_second"], 3) for row in own],
                "--accent" if is_last else "--faded",
                mode="lines" if len(own) > 1 else "markers",
                marker={"color": "--accent" if is_last else "--faded", "size": 7},
                hovertemplate=f"%{{y:.2f}} checks/s<br>%{{x:.1f}} {unit} into the run of "
                f"{started[run]:%Y-%m-%d %H:%M}<extra></extra>",
            )
        )
    others = f" Grey: the {len(latest) - 1} runs before it." if len(latest) > 1 else ""
    return Chart(
        id="throughput",
        title="Checks per second over time",
        told=f"All workers together, by {unit} since a run began. Blue: the latest run.{others}",
        figure={
            "data": traces,
            "layout": layout(xaxis=axis(unit, rangemode="tozero"), yaxis=axis(rangemode="tozero"), hovermode="closest"),
        },
        height=260,
    )


def _unit(longest: float) -> tuple[str, float]:
    return ("minutes", 60.0) if longest < _MINUTES_UP_TO else ("hours", _HOUR)


_TRENDS: tuple[tuple[str, str, str, Callable[[Row], float], str], ...] = (
    ("findings", "Findings", "distinct ones that a run saw", lambda row: row["findings"], ",d"),
    (
        "new-plans",
        "New plans / 100 checks",
        "that no run before it had",
        lambda row: 100 * row["new_plans"] / max(1, row["checks"]),
        ".1f",
    ),
    ("per-second", "Checks/s and worker", "while rounds were under way", lambda row: row["per_second"], ".2f"),
    (
        "no-evidence",
        "Proving nothing",
        "inconclusive, excused, or ended in an error",
        lambda row: row["unproven"] / max(1, row["checks"]),
        ".1%",
    ),
)


def trends(rows: Sequence[Row]) -> list[Chart]:
    """The trends from run to run, a small chart for each figure; no charts if there is only one run.

    ``rows`` are :meth:`assay.ledger.read.Ledger.trends`', the oldest run first.
    """
    if len(rows) < 2:
        return []
    return [_trend(rows, *each) for each in _TRENDS]


def _trend(rows: Sequence[Row], name: str, title: str, told: str, value: Callable[[Row], float], form: str) -> Chart:
    bars = {
        "type": "bar",
        "x": list(range(1, len(rows) + 1)),
        "y": [round(value(row), 4) for row in rows],
        "customdata": [f"{row['started']:%Y-%m-%d %H:%M}" for row in rows],
        "marker": {"color": ["--faded"] * (len(rows) - 1) + ["--accent"]},
        "hovertemplate": f"%{{y:{form}}}<br>run %{{x}}, %{{customdata}}<extra></extra>",
    }
    count: dict[str, Any] = {"tickmode": "linear", "dtick": 1} if len(rows) <= 12 else {}
    figure = {
        "data": [bars],
        "layout": layout(
            xaxis=axis(showgrid=False, **count), yaxis=axis(rangemode="tozero", tickformat=form, nticks=4), bargap=0.3
        ),
    }
    return Chart(id=f"trend-{name}", title=title, told=told, figure=figure, height=150)
