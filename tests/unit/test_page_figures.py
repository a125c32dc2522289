"""Charts as data: what rows of the ledger become, and that plotly and the page's style know all that is in them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import plotly.graph_objects as graphs
import pytest

from assay.ledger.read import Ledger
from assay.report import coverage, kills, throughput
from assay.report.charts import Chart, label
from tests.unit.page_samples import EARLIER, HOSTILE, KILLS, LATER, found, write_campaign

STYLE = (Path(coverage.__file__).parent / "templates" / "page.css").read_text(encoding="utf-8")
BEGIN = datetime(2030, 1, 1, tzinfo=timezone.utc)


def variables(block: str) -> dict[str, str]:
    """The variables that the first rule in ``block`` sets."""
    return dict(re.findall(r"(--[\w-]+):\s*([^;]+);", block[: block.index("}")]))


LIGHT = variables(STYLE)
DARK = LIGHT | variables(STYLE[STYLE.index("prefers-color-scheme: dark") :])


def coloured(value: Any, colours: dict[str, str]) -> Any:
    """``value`` as the page's script makes it; KeyError for a colour that the style doesn't have."""
    match value:
        case str() if value.startswith("--"):
            return colours[value]
        case list():
            return [coloured(each, colours) for each in value]
        case dict():
            return {key: coloured(each, colours) for key, each in value.items()}
    return value


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory):
    folder = write_campaign(tmp_path_factory.mktemp("page") / "campaign", found())
    with Ledger([folder]) as opened:
        yield opened


@pytest.fixture(scope="module")
def charts(ledger: Ledger) -> dict[str, Chart]:
    """Every chart that there is, by its id."""
    all_of_them = [
        coverage.heat_map(ledger.heat_map()),
        coverage.pair_matrix(ledger.pair_matrix()),
        *coverage.discovery(ledger.discovery()),
        throughput.throughput(ledger.throughput()),
        *throughput.trends(ledger.trends()),
        kills.convictions(KILLS),
    ]
    return {chart.id: chart for chart in all_of_them if chart}


IDS = [
    "heat-map",
    "pair-matrix",
    "discovery-plans",
    "discovery-pairs",
    "discovery-blocks",
    "throughput",
    "trend-findings",
    "trend-new-plans",
    "trend-per-second",
    "trend-no-evidence",
    "convictions",
]


def test_every_chart_is_tested_here(charts: dict[str, Chart]) -> None:
    assert list(charts) == IDS


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_plotly_takes_a_chart_in_the_colours_of_the_style(charts, name, colours) -> None:
    """Plotly raises for a property that it does not know; all properties of the views are put into the trace here."""
    chart = charts[name]
    figure = graphs.Figure(coloured(chart.figure, colours))
    for view in chart.views:
        figure.update_traces({key.replace(".", "_"): value for key, value in view.trace.items()})
    assert chart.title
    assert chart.told


@pytest.mark.parametrize("name", sorted(DARK))
def test_dark_has_other_colours_than_light(name: str) -> None:
    alike = {"--font", "--mono", "--clear"}
    assert (LIGHT[name] == DARK[name]) == (name in alike)


def test_a_colour_that_the_style_does_not_have_is_seen() -> None:
    with pytest.raises(KeyError, match="--no-such"):
        coloured({"line": [{"color": "--no-such"}]}, LIGHT)


def cell(chart: Chart, rule: str, source: str, key: str = "z") -> Any:
    (trace,) = chart.figure["data"]
    return trace[key][trace["y"].index(rule)][trace["x"].index(source)]


def test_the_heat_map_has_what_fired_of_what_was_checked(charts: dict[str, Chart]) -> None:
    chart = charts["heat-map"]
    assert cell(chart, "CombineFilters", "general") == pytest.approx(2 / 3, abs=1e-4)
    assert cell(chart, "CombineFilters", "general", "customdata") == [4, 6, 8, 24]
    assert cell(chart, "CombineFilters", "CombineFilters") == pytest.approx(2 / 3, abs=1e-4)


def test_a_rule_that_was_never_off_has_its_place_in_the_view_of_changes_alone(charts: dict[str, Chart]) -> None:
    chart = charts["heat-map"]
    (trace,) = chart.figure["data"]
    shares = {view.name: view.trace["z"][trace["y"].index("ColumnPruning")] for view in chart.views}
    assert set(shares["fired / checked"]) == {None}
    assert set(shares["times fired"]) == {None}
    assert shares["changed / checks"][trace["x"].index("general")] == pytest.approx(20 / 24, abs=1e-4)


def test_the_heat_map_goes_from_general_queries_to_shapes_and_from_a_to_z(charts: dict[str, Chart]) -> None:
    (trace,) = charts["heat-map"].figure["data"]
    assert trace["x"] == ["general", "subquery over an aggregate", "CombineFilters"]
    assert trace["y"] == ["Unswitchable", "CombineFilters", "ColumnPruning", label(HOSTILE)]


def test_the_pair_matrix_is_symmetric_and_begins_with_those_that_met_most(charts: dict[str, Chart]) -> None:
    chart = charts["pair-matrix"]
    (trace,) = chart.figure["data"]
    assert trace["x"] == ["ColumnPruning", "A", "CombineFilters", "B"]
    assert trace["y"] == trace["x"][::-1]
    assert cell(chart, "A", "ColumnPruning", "customdata") == cell(chart, "ColumnPruning", "A", "customdata") == 20
    assert cell(chart, "A", "A") is None
    assert "3 of the 6 pairs of the 4 rules" in chart.told


def test_a_campaign_without_probes_has_no_chart_of_blocks() -> None:
    rows = [{"checks": 100, "plans": 3, "pairs": 1, "blocks": 0}]
    assert [chart.id for chart in coverage.discovery(rows)] == ["discovery-plans", "discovery-pairs"]
    (*_, chart) = coverage.discovery([{**rows[0], "blocks": 7}])
    assert (chart.id, chart.told.split(".")[0]) == ("discovery-blocks", "7 in all")


def test_discovery_begins_at_nothing_and_says_how_fast_it_goes_on() -> None:
    rows = [{"checks": 100 * step, "plans": min(50, 5 * step), "pairs": 1, "blocks": 0} for step in range(1, 21)]
    plans, pairs = coverage.discovery(rows)
    (curve,) = plans.figure["data"]
    assert (curve["x"][:2], curve["y"][:2], curve["y"][-1]) == ([0, 100], [0, 5], 50)
    assert plans.told == "50 in all. New plans per 1,000 checks: 50 in the first tenth, 0.0 in the last."
    assert pairs.told.startswith("1 in all.")


def test_throughput_has_the_latest_run_on_top_and_in_its_own_colour(charts: dict[str, Chart]) -> None:
    earlier, latest = charts["throughput"].figure["data"]
    assert (earlier["line"]["color"], latest["line"]["color"]) == ("--faded", "--accent")
    assert (latest["x"], latest["mode"]) == ([0, *latest["x"][1:]], "lines" if len(latest["x"]) > 1 else "markers")


@pytest.mark.parametrize(
    ("seconds", "unit", "last"), [(7_000, "minutes", 116.667), (7_200, "hours", 2.0)], ids=["minutes", "hours"]
)
def test_throughput_is_told_in_minutes_or_hours(seconds: int, unit: str, last: float) -> None:
    rows = [{"run": "1", "since": BEGIN, "after": after, "per_second": 1.0} for after in (0, seconds)]
    chart = throughput.throughput(rows)
    assert chart is not None
    assert chart.figure["layout"]["xaxis"]["title"]["text"] == unit
    assert chart.figure["data"][0]["x"][-1] == last


def test_throughput_draws_the_latest_runs_alone() -> None:
    rows = [
        {"run": f"{day}", "since": BEGIN + timedelta(days=day), "after": 0, "per_second": float(day)}
        for day in range(30)
    ]
    chart = throughput.throughput(rows)
    assert chart is not None
    assert [trace["y"] for trace in chart.figure["data"]] == [[float(day)] for day in range(18, 30)]


def test_trends_are_a_bar_for_each_run(charts: dict[str, Chart]) -> None:
    (bars,) = charts["trend-new-plans"].figure["data"]
    assert (bars["x"], bars["marker"]["color"]) == ([1, 2], ["--faded", "--accent"])
    assert bars["y"] == [pytest.approx(100 * 4 / 92, abs=1e-3), pytest.approx(100 / 19, abs=1e-3)]


def test_one_run_has_no_trend(ledger: Ledger) -> None:
    assert [row["run"] for row in ledger.trends()] == [EARLIER, LATER]
    assert throughput.trends(ledger.trends()[:1]) == []


def test_convictions_count_mutants_by_examples_and_the_survivors_apart() -> None:
    chart = kills.convictions(KILLS)
    assert chart is not None
    general, shape = chart.figure["data"]
    assert (shape["x"][0], shape["x"][1], shape["x"][-2:]) == ("1", "2–3", ["over 3,000", "survived"])
    assert (general["y"][-2:], shape["y"][1], shape["y"][-1]) == ([1, 0], 1, 1)
    assert chart.told.startswith("2 of 3 hunts")


def test_nothing_makes_no_chart() -> None:
    assert (
        coverage.heat_map([]) is coverage.pair_matrix([]) is throughput.throughput([]) is kills.convictions([]) is None
    )
    assert coverage.discovery([]) == throughput.trends([]) == []


def test_plotly_sees_no_tag_in_a_name() -> None:
    rows = [{"one": "<b>A", "other": "<a href='x'>B", "checks": 1}]
    chart = coverage.pair_matrix(rows)
    assert chart is not None
    assert chart.figure["data"][0]["x"] == [label("<a href='x'>B"), "&lt;b&gt;A"]
