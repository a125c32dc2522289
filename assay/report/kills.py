"""A chart of the number of examples that it took to convict each mutant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from assay.report.charts import Chart, axis, layout

Row = Mapping[str, Any]

_UP_TO = (1, 3, 10, 30, 100, 300, 1_000, 3_000)


def convictions(kills: Sequence[Row]) -> Chart | None:
    """Mutants by how many examples it took to convict them; None without mutants."""
    if not kills:
        return None
    names = [f"{before + 1:,}–{upto:,}" if upto > before + 1 else f"{upto}" for before, upto in pairwise((0, *_UP_TO))]
    ways = sorted({kill["by"] for kill in kills})
    longest = max((_bin(kill["examples"]) for kill in kills if kill["killed"]), default=0)
    shown = [*names, f"over {_UP_TO[-1]:,}"][: longest + 1]
    traces = []
    for way, colour in zip(ways, ("--accent", "--accent-2"), strict=False):
        own = [kill for kill in kills if kill["by"] == way]
        killed = [_bin(kill["examples"]) for kill in own if kill["killed"]]
        survived = len(own) - len(killed)
        counts = [killed.count(place) for place in range(len(shown))]
        traces.append(
            {
                "type": "bar",
                "name": way,
                "x": [*shown, "survived"],
                "y": [*counts, survived],
                "marker": {"color": [colour] * len(shown) + ["--bad"]},
                "hovertemplate": f"%{{y}} mutants, by {way}<br>%{{x}}<extra></extra>",
            }
        )
    dead = sum(bool(kill["killed"]) for kill in kills)
    figure = {
        "data": traces,
        "layout": layout(
            xaxis=axis("examples", type="category", showgrid=False), yaxis=axis(rangemode="tozero"), barmode="stack"
        ),
    }
    return Chart(
        id="convictions",
        title="Examples until a mutant was convicted",
        told=f"{dead:,} of {len(kills):,} hunts for planted wrong rules ended with a kill.",
        figure=figure,
        height=240,
    )


def _bin(examples: int) -> int:
    return next((place for place, upto in enumerate(_UP_TO) if examples <= upto), len(_UP_TO))
