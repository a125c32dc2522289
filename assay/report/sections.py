"""The page as data: what stands in each of its sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.report import coverage, kills, summary, tables, throughput
from assay.report.campaigns import Campaigns
from assay.report.charts import Chart
from assay.report.findings import Card, card
from assay.report.summary import Share, Status, Tile
from assay.report.tables import Table
from oracles.triage.divergences import Divergence


@dataclass(frozen=True, slots=True)
class Page:
    """All that the template shows, in its order."""

    names: tuple[str, ...]
    status: Status
    facts: Sequence[str]
    tiles: Sequence[Tile]
    shares: Sequence[Share]
    excused: Table
    silent: Table
    checked: bool
    found: Table
    findings: Sequence[Card]
    lost: Sequence[str]
    unread: Sequence[str]
    discovery: Sequence[Chart]
    matrices: Sequence[Chart]
    rules: Table
    never: Sequence[tuple[str, Sequence[str]]]
    throughput: Chart | None
    trends: Sequence[Chart]
    runs: Table
    incidents: Table
    sources: Table
    convictions: Chart | None
    kills: Table
    survivors: Table

    @property
    def never_count(self) -> int:
        """Rules that never changed a plan."""
        return sum(len(names) for _, names in self.never)

    @property
    def charts(self) -> list[Chart]:
        """All charts, in the order of the page."""
        alone = (self.throughput, *self.trends, self.convictions)
        return [*self.discovery, *self.matrices, *(chart for chart in alone if chart is not None)]

    @property
    def figures(self) -> dict[str, Any]:
        """What the page's script draws, by the charts' ids."""
        return {
            chart.id: {"figure": chart.figure, "views": [{"trace": dict(view.trace)} for view in chart.views]}
            for chart in self.charts
        }


def page_of(campaigns: Campaigns, divergences: Sequence[Divergence]) -> Page:
    """The page of ``campaigns``; ``divergences`` are the known ones, by which excuses are explained."""
    matrices = (coverage.heat_map(campaigns.heat_map), coverage.pair_matrix(campaigns.pairs))
    return Page(
        names=campaigns.names,
        status=summary.status(campaigns),
        facts=summary.told_facts(campaigns),
        tiles=summary.tiles(campaigns),
        shares=summary.shares(campaigns),
        excused=tables.excused(campaigns, divergences),
        silent=tables.silent(campaigns, divergences),
        checked=campaigns.totals["checks"] > 0,
        found=tables.found(campaigns),
        findings=[card(each) for each in campaigns.findings],
        lost=campaigns.lost,
        unread=campaigns.unread,
        discovery=coverage.discovery(campaigns.discovery),
        matrices=[chart for chart in matrices if chart is not None],
        rules=tables.rules(campaigns),
        never=summary.never_fired(summary.coverage(campaigns)),
        throughput=throughput.throughput(campaigns.throughput),
        trends=throughput.trends(campaigns.trends),
        runs=tables.runs(campaigns),
        incidents=tables.incidents(campaigns),
        sources=tables.sources(campaigns),
        convictions=kills.convictions(campaigns.kills),
        kills=tables.kills("kills", campaigns.kills),
        survivors=tables.kills("survivors", [kill for kill in campaigns.kills if not kill["killed"]]),
    )
