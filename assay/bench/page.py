"""Page of the benchmark: charts of the rate of checks by size and over time, which need no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from assay.bench.figures import Moment, Spread
from assay.bench.measure import Grown
from assay.report.charts import Chart, axis, layout, line
from assay.report.render import render_charts

_AXES = ("rows", "operators", "columns")
_MEBI = 2**20


def write_page(path: Path, grown: Sequence[Grown], moments: Sequence[Moment]) -> None:
    """Write a self-contained page to ``path``, with the charting library in it; raises OSError if that fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render_charts("Checks per second", charts(grown, moments)), encoding="utf-8")


def charts(grown: Sequence[Grown], moments: Sequence[Moment]) -> list[Chart]:
    """A chart for each of what grows, with a line for the median and bars for the spread; another two for time."""
    by_size = [_growth([one for one in grown if one.load.kind == kind], kind) for kind in _AXES] if grown else []
    return [*by_size, *(_over_time(moments) if moments else ())]


def _growth(points: Sequence[Grown], kind: str) -> Chart:
    known = [(one.load.size, spread) for one in points if (spread := Spread.of(one.rates))]
    spreads = [spread for _, spread in known]
    bars = {
        "array": [each.most - each.median for each in spreads],
        "arrayminus": [each.median - each.least for each in spreads],
        "color": "--accent",
    }
    rates = line([size for size, _ in known], [each.median for each in spreads], mode="lines+markers", error_y=bars)
    drawn = layout(xaxis=axis(kind, type="log"), yaxis=axis("checks/s", rangemode="tozero"))
    told = f"The median of all rounds by the number of {kind}; bars from the least to the most."
    return Chart(
        id=f"by-{kind}", title=f"Checks per second by {kind}", told=told, figure={"data": [rates], "layout": drawn}
    )


def _over_time(moments: Sequence[Moment]) -> Iterator[Chart]:
    minutes = [moment.seconds / 60 for moment in moments]
    earlier = [Moment(0.0, 0, 0, 0), *moments]
    rates = [(b.checks - a.checks) / (b.seconds - a.seconds) for a, b in zip(earlier, moments, strict=False)]
    drawn = layout(xaxis=axis("minutes"), yaxis=axis("checks/s", rangemode="tozero"))
    told = "Between one measurement and the next."
    yield Chart(
        id="rate",
        title="Checks per second over time",
        told=told,
        figure={"data": [line(minutes, rates)], "layout": drawn},
    )
    python = line(minutes, [moment.python_memory / _MEBI for moment in moments], "--faded", name="Python")
    jvm = line(minutes, [moment.jvm_memory / _MEBI for moment in moments], name="JVM")
    drawn = layout(xaxis=axis("minutes"), yaxis=axis("MB", rangemode="tozero"), showlegend=True)
    yield Chart(
        id="memory",
        title="Memory over time",
        told="Blue: the JVM. Grey: Python.",
        figure={"data": [python, jvm], "layout": drawn},
    )
