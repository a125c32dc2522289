"""The bench's page: how the rate of checks grows, and what it is over time, as charts that need no network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.bench.figures import Moment, Spread
from assay.bench.measure import Grown

_AXES = ("rows", "operators", "columns")
_MEBI = 2**20


def write_page(path: Path, grown: Sequence[Grown], moments: Sequence[Moment]) -> None:
    """A self-contained page at ``path``: the charting library is in it. OSError where it can't be written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure(grown, moments).write_html(path, include_plotlyjs=True, full_html=True)


def figure(grown: Sequence[Grown], moments: Sequence[Moment]) -> Any:
    """A chart for each of what grows, with a line for the median and bars for the spread; another two for time."""
    from plotly.subplots import make_subplots

    titles = [f"checks/s by {axis}" for axis in _AXES] if grown else []
    titles += ["checks/s over time", "memory over time"] if moments else []
    made = make_subplots(rows=len(titles), cols=1, subplot_titles=titles)
    row = 1
    for axis in _AXES if grown else ():
        _add_growth(made, [one for one in grown if one.load.kind == axis], axis, row)
        row += 1
    if moments:
        _add_time(made, moments, row)
    made.update_layout(height=360 * len(titles), showlegend=False, title_text="Assay: checks per second")
    return made


def _add_growth(made: Any, points: Sequence[Grown], axis: str, row: int) -> None:
    from plotly.graph_objects import Scatter

    known = [(one.load.size, spread) for one in points if (spread := Spread.of(one.rates))]
    spreads = [spread for _, spread in known]
    bars = {
        "array": [each.most - each.median for each in spreads],
        "arrayminus": [each.median - each.least for each in spreads],
    }
    line = Scatter(
        x=[size for size, _ in known], y=[each.median for each in spreads], error_y=bars, mode="lines+markers"
    )
    made.add_trace(line, row=row, col=1)
    made.update_xaxes(type="log", title_text=axis, row=row, col=1)
    made.update_yaxes(rangemode="tozero", title_text="checks/s", row=row, col=1)


def _add_time(made: Any, moments: Sequence[Moment], row: int) -> None:
    from plotly.graph_objects import Scatter

    minutes = [moment.seconds / 60 for moment in moments]
    earlier = [Moment(0.0, 0, 0, 0), *moments]
    rates = [(b.checks - a.checks) / (b.seconds - a.seconds) for a, b in zip(earlier, moments, strict=False)]
    made.add_trace(Scatter(x=minutes, y=rates, mode="lines"), row=row, col=1)
    python, jvm = [moment.python_memory for moment in moments], [moment.jvm_memory for moment in moments]
    for name, taken in (("Python", python), ("JVM", jvm)):
        line = Scatter(x=minutes, y=[each / _MEBI for each in taken], mode="lines", name=name)
        made.add_trace(line, row=row + 1, col=1)
    for place, title in ((row, "checks/s"), (row + 1, "MB")):
        made.update_xaxes(title_text="minutes", row=place, col=1)
        made.update_yaxes(rangemode="tozero", title_text=title, row=place, col=1)
