"""The page as data: the content of each of its sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.coverage.report import share_text
from assay.ledger.blocks import code_of
from assay.report import coverage, inversions, kills, summary, tables, throughput
from assay.report.campaigns import Campaigns
from assay.report.charts import Chart
from assay.report.findings import Card, card
from assay.report.summary import Share, Status, Tile
from assay.report.tables import Table
from oracles.triage.divergences import Divergence


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The first section: the status, and the verdicts."""

    status: Status
    facts: Sequence[str]
    tiles: Sequence[Tile]
    shares: Sequence[Share]
    excused: Table
    silent: Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """A table of the findings, and a card for each; ``checked``: whether anything was."""

    checked: bool
    table: Table
    cards: Sequence[Card]
    lost: Sequence[str]
    unread: Sequence[str]


@dataclass(frozen=True, slots=True)
class Code:
    """The optimizer's code of one release: the share of its blocks that ran, and a table of its rules."""

    spark: str
    told: str
    rules: Table


@dataclass(frozen=True, slots=True)
class Covered:
    """The section about coverage; ``code`` is empty for campaigns without probes.

    ``never`` are the rules that never changed a plan, by the reason.
    """

    discovery: Sequence[Chart]
    matrices: Sequence[Chart]
    rules: Table
    code: Sequence[Code]
    never: Sequence[tuple[str, Sequence[str]]]
    verified: Table

    @property
    def never_count(self) -> int:
        """Rules that never changed a plan."""
        return sum(len(names) for _, names in self.never)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """The section about the runs: throughput, trends, incidents and sources of queries."""

    throughput: Chart | None
    trends: Sequence[Chart]
    table: Table
    incidents: Table
    sources: Table


@dataclass(frozen=True, slots=True)
class Mutants:
    """The hunts for planted wrong rules, and the inverted conditionals: ``told`` is '' without these."""

    convictions: Chart | None
    kills: Table
    survivors: Table
    told: str
    inverted: Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """All data that the template shows, in its order."""

    names: tuple[str, ...]
    summary: Summary
    findings: Findings
    covered: Covered
    runs: Runs
    mutants: Mutants

    @property
    def charts(self) -> list[Chart]:
        """All charts, in the order of the page."""
        alone = (self.runs.throughput, *self.runs.trends, self.mutants.convictions)
        return [*self.covered.discovery, *self.covered.matrices, *(chart for chart in alone if chart is not None)]


def page_of(campaigns: Campaigns, divergences: Sequence[Divergence]) -> Page:
    """The page of ``campaigns``; ``divergences`` are the known ones, by which excuses are explained."""
    matrices = (coverage.heat_map(campaigns.heat_map), coverage.pair_matrix(campaigns.pairs))
    return Page(
        names=campaigns.names,
        summary=Summary(
            status=summary.status(campaigns),
            facts=summary.facts_text(campaigns),
            tiles=summary.tiles(campaigns),
            shares=summary.shares(campaigns),
            excused=tables.excused(campaigns, divergences),
            silent=tables.silent(campaigns, divergences),
        ),
        findings=Findings(
            checked=campaigns.totals["checks"] > 0,
            table=tables.found(campaigns),
            cards=[card(each) for each in campaigns.findings],
            lost=campaigns.lost,
            unread=campaigns.unread,
        ),
        covered=Covered(
            coverage.discovery(campaigns.discovery),
            [chart for chart in matrices if chart is not None],
            tables.rules(campaigns),
            [
                Code(each.spark, share_text(each.parts, each.ran), tables.code(each))
                for each in code_of(campaigns.blocks)
            ],
            summary.never_fired(summary.coverage(campaigns)),
            tables.verified(campaigns),
        ),
        runs=Runs(
            throughput=throughput.throughput(campaigns.throughput),
            trends=throughput.trends(campaigns.trends),
            table=tables.runs(campaigns),
            incidents=tables.incidents(campaigns),
            sources=tables.sources(campaigns),
        ),
        mutants=Mutants(
            kills.convictions(campaigns.kills),
            tables.kills("kills", campaigns.kills),
            tables.kills("survivors", [kill for kill in campaigns.kills if not kill["killed"]]),
            inversions.told(campaigns.inverted) if campaigns.inverted else "",
            inversions.inverted(campaigns.inverted),
        ),
    )
