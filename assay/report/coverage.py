"""Charts of coverage: rules by the sources of their queries, pairs of rules, and new plans and pairs over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil, log10
from typing import Any

from assay.report.charts import Chart, View, axis, heat, layout, line, names_axis

Row = Mapping[str, Any]

_CELL = 14
"""Pixels of a square of colour."""

_KINDS = ("general", "steered", "composite", "shape")
_HEAT_HOVER = (
    "<b>%{y}</b><br>%{x}<br>fired in %{customdata[0]} of the %{customdata[1]} checks in which it was off"
    "<br>changed the plan in %{customdata[2]} of %{customdata[3]} checks<extra></extra>"
)


def source_name(row: Row) -> str:
    """The source of a round's queries: 'general', 'steered', or the name of a shape."""
    return str(row["name"] or row["kind"])


def heat_map(rows: Sequence[Row]) -> Chart | None:
    """Rules × sources: of the checks in which a rule was off, those in which it fired; None where there were none.

    ``rows`` are :meth:`assay.ledger.read.Ledger.heat_map`'s. Rules that could not be turned off have their places
    in the view of changed plans.
    """
    sources = sorted({(_KINDS.index(row["kind"]), source_name(row)) for row in rows})
    rules = sorted({row["rule"] for row in rows}, reverse=True)
    if not rules:
        return None
    columns = {source: place for place, source in enumerate(sources)}
    lines = {rule: place for place, rule in enumerate(rules)}
    share, often, changed, told = (_empty(len(rules), len(sources)) for _ in range(4))
    for row in rows:
        y, x = lines[row["rule"]], columns[_KINDS.index(row["kind"]), source_name(row)]
        told[y][x] = [row["fired"], row["checked"], row["changed"], row["checks"]]
        changed[y][x] = round(row["changed"] / max(1, row["checks"]), 4)
        if row["checked"]:
            share[y][x] = round(row["fired"] / row["checked"], 4)
            often[y][x] = _log(row["fired"])
    percents = {
        "zmin": 0,
        "zmax": 1,
        "colorbar.tickformat": ".0%",
        "colorbar.tickvals": None,
        "colorbar.ticktext": None,
    }
    views = (
        View("fired / checked", {"z": share, **percents}),
        View("times fired", {"z": often, **_powers(max((row["fired"] for row in rows), default=1))}),
        View("changed / checks", {"z": changed, **percents}),
    )
    names = [name for _, name in sources]
    trace = heat(names, rules, share, zmin=0, zmax=1, customdata=told, hovertemplate=_HEAT_HOVER)
    trace["colorbar"] |= {"tickformat": ".0%"}
    return _squares(
        "heat-map",
        "Rules by source of the queries",
        "Each square is a rule in the queries of one source: general ones, composite shapes, each rule's own shape. "
        "A rule is checked where it is turned off on the off leg; it fired where this made a difference to its plan.",
        trace,
        (len(names), len(rules)),
        views,
    )


def _squares(
    identity: str, title: str, told: str, trace: dict[str, Any], size: tuple[int, int], views: tuple[View, ...] = ()
) -> Chart:
    """A heat map with so many names across and down."""
    across, down = size
    axes = {
        "xaxis": names_axis(across, side="top", tickangle=-60, tickfont={"size": 10}),
        "yaxis": names_axis(down, tickfont={"size": 10}),
    }
    figure = {"data": [trace], "layout": layout(**axes)}
    return Chart(
        id=identity,
        title=title,
        told=told,
        figure=figure,
        height=_CELL * down + 240,
        width=_CELL * across + 360,
        views=views,
    )


def pair_matrix(rows: Sequence[Row]) -> Chart | None:
    """Rules × rules: in how many checks both changed one plan; None without a pair.

    ``rows`` are :meth:`assay.ledger.read.Ledger.pair_matrix`'s. The rules that met most often come first, so that
    what is missing shows as a corner.
    """
    met: Counter[str] = Counter()
    for row in rows:
        met[row["one"]] += row["checks"]
        met[row["other"]] += row["checks"]
    rules = sorted(met, key=lambda name: (-met[name], name))
    if not rules:
        return None
    place = {rule: number for number, rule in enumerate(rules)}
    last = len(rules) - 1
    z, told = _empty(len(rules), len(rules)), _empty(len(rules), len(rules))
    for row in rows:
        for x, y in ((row["one"], row["other"]), (row["other"], row["one"])):
            z[last - place[y]][place[x]] = _log(row["checks"])
            told[last - place[y]][place[x]] = row["checks"]
    powers = _powers(max(row["checks"] for row in rows))
    trace = heat(
        rules,
        rules[::-1],
        z,
        customdata=told,
        hovertemplate="<b>%{x}</b><br><b>%{y}</b><br>together in %{customdata} checks<extra></extra>",
        zmin=powers["zmin"],
        zmax=powers["zmax"],
    )
    trace["colorbar"] |= {"tickvals": powers["colorbar.tickvals"], "ticktext": powers["colorbar.ticktext"]}
    possible = len(rules) * last // 2
    return _squares(
        "pair-matrix",
        "Pairs of rules",
        f"Rules that changed the same plan: {len(rows):,} of the {possible:,} pairs of the {len(rules)} rules "
        "that ever met another one. The most sociable first; an empty square is a pair that was never seen together.",
        trace,
        (len(rules), len(rules)),
    )


def discovery(rows: Sequence[Row]) -> list[Chart]:
    """Distinct plans, pairs of rules, and blocks of the optimizer, by how many checks it took; none without checks.

    A campaign without probes has no chart of blocks.

    ``rows`` are :meth:`assay.ledger.read.Ledger.discovery`'s.
    """
    if not rows or not rows[-1]["plans"]:
        return []
    checks = [0, *(row["checks"] for row in rows)]
    charts = [("plans", "Distinct plans"), ("pairs", "Pairs of rules"), ("blocks", "Blocks of the optimizer")]
    return [
        _discovered(what, title, checks, [0, *(row[what] for row in rows)])
        for what, title in charts
        if what != "blocks" or rows[-1][what]
    ]


def _discovered(what: str, title: str, checks: Sequence[int], seen: Sequence[int]) -> Chart:
    curve = line(
        checks,
        seen,
        fill="tozeroy",
        fillcolor="--accent-soft",
        hovertemplate=f"%{{y:,}} {what}<br>after %{{x:,}} checks<extra></extra>",
    )
    figure = {
        "data": [curve],
        "layout": layout(xaxis=axis("checks", rangemode="tozero"), yaxis=axis(rangemode="tozero")),
    }
    return Chart(
        id=f"discovery-{what}", title=f"{title} over checks", told=_pace(what, checks, seen), figure=figure, height=240
    )


def _pace(what: str, checks: Sequence[int], seen: Sequence[int]) -> str:
    """The rate of new plans or pairs in the first and the last tenth of the checks: whether going on still pays."""
    tenth = max(1, (len(checks) - 1) // 10)
    first = _per_thousand(checks[0], checks[tenth], seen[0], seen[tenth])
    last = _per_thousand(checks[-1 - tenth], checks[-1], seen[-1 - tenth], seen[-1])
    return f"{seen[-1]:,} in all. New {what} per 1,000 checks: {first} in the first tenth, {last} in the last."


def _per_thousand(since: int, till: int, before: int, after: int) -> str:
    rate = 1_000 * (after - before) / max(1, till - since)
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"


def _empty(height: int, width: int) -> list[list[Any]]:
    return [[None] * width for _ in range(height)]


def _log(count: int) -> float | None:
    return round(log10(count), 3) if count else None


def _powers(most: int) -> dict[str, Any]:
    """A scale of powers of ten up to ``most``."""
    top = max(1, ceil(log10(max(1, most))))
    return {
        "zmin": 0,
        "zmax": top,
        "colorbar.tickformat": "",
        "colorbar.tickvals": list(range(top + 1)),
        "colorbar.ticktext": [f"{10**power:,}" for power in range(top + 1)],
    }
