"""Charts as plain data: what plotly takes, with colours by the names that the page's style gives them.

A colour is written ``--name``; the page's script looks each name up in the style that is in force, light or dark, so
that a figure knows of neither.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Figure = dict[str, Any]
"""``data`` and ``layout``, as plotly's ``newPlot`` takes them."""


@dataclass(frozen=True, slots=True)
class View:
    """Another view of a chart: the attributes that replace those of its first trace."""

    name: str
    trace: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A figure with its place on the page: ``told`` describes it in words; ``height`` is in pixels.

    One with a ``width`` is never narrower than so many pixels: on a narrow screen it is moved sideways in its place.
    The first of the ``views``, if there are any, is the one that is shown at first.
    """

    id: str
    title: str
    told: str
    figure: Figure
    height: int = 280
    width: int = 0
    views: tuple[View, ...] = ()


def figures_of(charts: Sequence[Chart]) -> dict[str, Any]:
    """The figures and views that the page's script draws, by the charts' ids."""
    return {
        chart.id: {"figure": chart.figure, "views": [{"trace": dict(view.trace)} for view in chart.views]}
        for chart in charts
    }


def label(text: str) -> str:
    """``text`` as a chart shows it: plotly reads a few tags in its texts."""
    return html.escape(text, quote=False)


def axis(title: str = "", **more: Any) -> dict[str, Any]:
    """An axis in the page's colours."""
    return {
        **({"title": {"text": title, "font": {"size": 12}}} if title else {}),
        "gridcolor": "--line",
        "linecolor": "--line",
        "zerolinecolor": "--line",
        "tickfont": {"size": 11},
        "automargin": True,
        "fixedrange": True,
        **more,
    }


def layout(**more: Any) -> dict[str, Any]:
    """The layout that all charts share, with ``more`` on top; the page's script adds the size."""
    return {
        "paper_bgcolor": "--clear",
        "plot_bgcolor": "--clear",
        "font": {"color": "--text-soft", "family": "--font", "size": 12},
        "margin": {"l": 8, "r": 12, "t": 8, "b": 8},
        "hoverlabel": {"bgcolor": "--raised", "bordercolor": "--line", "font": {"color": "--text", "family": "--font"}},
        "hovermode": "closest",
        "showlegend": False,
        "dragmode": False,
        **more,
    }


def line(x: Sequence[Any], y: Sequence[Any], colour: str = "--accent", **more: Any) -> dict[str, Any]:
    """A line through points."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": list(x),
        "y": list(y),
        "line": {"color": colour, "width": 2},
        **more,
    }


HEAT = [[step / 4, f"--heat-{step}"] for step in range(5)]
"""Five colours from little to much."""


def heat(x: Sequence[str], y: Sequence[str], z: Sequence[Sequence[Any]], **more: Any) -> dict[str, Any]:
    """A square of colour for each pair of names that has a number; nothing where it is None."""
    return {
        "type": "heatmap",
        "x": [label(name) for name in x],
        "y": [label(name) for name in y],
        "z": [list(row) for row in z],
        "colorscale": HEAT,
        "xgap": 1,
        "ygap": 1,
        "hoverongaps": False,
        "colorbar": {"thickness": 10, "outlinewidth": 0, "len": 220, "lenmode": "pixels", "yanchor": "top", "y": 1},
        **more,
    }


def names_axis(count: int, **more: Any) -> dict[str, Any]:
    """An axis of names, every one of which is shown."""
    return axis(type="category", showgrid=False, tickmode="linear", dtick=1, range=[-0.5, count - 0.5], **more)
