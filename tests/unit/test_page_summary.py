"""The summary at the top of the page, and the first rows of its tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assay.report import summary, tables
from assay.report.campaigns import Campaigns, read_campaigns
from assay.report.summary import Status
from assay.report.tables import Table
from oracles.triage.divergences import load
from tests.unit.page_samples import LATER, VERIFICATION, found, write_campaign

BROAD = {"changed": 9, "checked": 9, "fired": 9, "differed": 9, "two_legs": 0, "agreed": 9}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Campaigns:
    return read_campaigns([write_campaign(tmp_path_factory.mktemp("page") / "campaign", found())])


@pytest.fixture
def clean(whole: Campaigns) -> Campaigns:
    """Nothing found, and nothing to complain of."""
    verdicts = [{"verdict": "agree", "checks": 200}]
    totals = {**whole.totals, "checks": 200, "queries": 200, "nonempty": 150}
    kills = tuple(kill for kill in whole.kills if kill["killed"])
    rules = [*whole.rules, *({**BROAD, "rule": f"Rule{number}"} for number in range(30))]
    return replace(whole, findings=(), verdicts=verdicts, excused=(), totals=totals, kills=kills, rules=rules)


def test_proof_is_good_and_says_what_was_proven(clean: Campaigns) -> None:
    told = "150 agreements with rows over 31 rules that fired, no finding"
    assert summary.status(clean) == Status("good", told, ())
    assert summary.tiles(clean)[0].mood == "good"


def test_a_campaign_that_proved_nothing_is_not_good(clean: Campaigns) -> None:
    """652 checks, of which 4 agree, one with rows."""
    verdicts = [{"verdict": "vacuous", "checks": 648}, {"verdict": "agree", "checks": 4}]
    starved = replace(clean, verdicts=verdicts, totals={**clean.totals, "checks": 652, "nonempty": 1})
    assert summary.status(starved).mood == "poor"
    assert summary.tiles(starved)[0].mood == ""


ABOUT = {"mutants": None, "stale_divergences": None}


@pytest.mark.parametrize(
    ("named", "mood", "headline"),
    [
        ([["CombineFilters"]], "poor", "Fired in 7 of 200 checks: nothing is known about this rule"),
        ([["CombineFilters"], []], "good", "150 agreements with rows over 31 rules that fired, no finding"),
        ([None], "good", "150 agreements with rows over 31 rules that fired, no finding"),
    ],
    ids=["about one rule", "one run about all rules", "an earlier Assay's run"],
)
def test_a_campaign_about_a_rule_says_what_is_known_of_it(
    clean: Campaigns, named: list[list[str] | None], mood: str, headline: str
) -> None:
    status = summary.status(replace(clean, runs=[{**ABOUT, "named": names} for names in named]))
    assert (status.mood, status.headline) == (mood, headline)


def test_findings_are_counted_and_whatever_else_is_wrong_is_told(whole: Campaigns) -> None:
    status = summary.status(replace(whole, lost=("f",), unread=("old.json",)))
    assert (status.mood, status.headline) == ("bad", "4 findings; 103 agreements with rows over 1 rule that fired")
    assert status.lines[:3] == (
        "1 mutant survived",
        "1 finding of the rounds without a failure file",
        "1 file among the findings can't be read",
    )


def changed(**what: Any) -> dict[str, Any]:
    return what


POOR: dict[str, tuple[dict[str, Any], str, str]] = {
    "a fault of Assay's own": (
        changed(incidents=[{"kind": "fault"}, {"kind": "jvm"}]),
        "bad",
        "1 fault of Assay's own, 1 lost JVM: see the incidents",
    ),
    "too little evidence": (
        changed(verdicts=[{"verdict": "agree", "checks": 190}, {"verdict": "inconclusive", "checks": 10}]),
        "poor",
        "inconclusive: 10 of 200 checks, more than 2 %",
    ),
    "a mutant that survived": (changed(kills=({"killed": False},)), "poor", "1 mutant survived"),
    "an unreadable finding": (changed(unread=("a", "b")), "poor", "2 files among the findings can't be read"),
    "wrong rules planted": (
        changed(
            runs=[
                {"mutants": ["B", "A"], "stale_divergences": None, "named": []},
                {"mutants": ["A"], "stale_divergences": [], "named": None},
            ]
        ),
        "poor",
        "planted: A, B",
    ),
    "a stale known divergence": (
        changed(runs=[{"mutants": None, "stale_divergences": ["SPARK-1"], "named": None}]),
        "poor",
        "stale known divergences, whose witness fails no more: SPARK-1",
    ),
    "nothing checked": (
        changed(totals={"checks": 0, "queries": 0, "nonempty": 0}, verdicts=[]),
        "none",
        "checks: 0 were made: look above, or in the logs, for what ended the run before its time",
    ),
    "a leg without evidence": (
        changed(legs=[{"leg": "on", "checks": 200}, {"leg": "off", "checks": 200}]),
        "poor",
        "duckdb leg: DuckDB had rows in none of 200 checks, so Spark was compared with itself alone: "
        "--record DIR keeps why each check ended as it did",
    ),
}


@pytest.mark.parametrize(("what", "mood", "line"), POOR.values(), ids=POOR)
def test_without_a_finding_it_may_still_not_be_good(
    clean: Campaigns, what: dict[str, Any], mood: str, line: str
) -> None:
    status = summary.status(replace(clean, **what))
    assert (status.mood, status.lines) == (mood, (line,) if line else ())


@pytest.mark.parametrize(
    ("kind", "mood"),
    [("jvm", "bad"), ("worker", "bad"), ("lost", "bad"), ("repeated", "good"), ("late", "good"), ("disk", "good")],
)
def test_a_loss_that_nothing_explains_is_not_good(clean: Campaigns, kind: str, mood: str) -> None:
    assert summary.status(replace(clean, incidents=[{"kind": kind}])).mood == mood


def test_tiles(whole: Campaigns) -> None:
    shown = {tile.name: (tile.value, tile.remark) for tile in summary.tiles(whole)}
    assert shown == {
        "findings": ("3", "1 unconfirmed"),
        "checks": ("111", "2.6/s and worker"),
        "rules changed a plan": ("1", "of 2 in this Spark, and 3 others"),
        "pairs of rules": ("3", "that changed one plan"),
        "distinct plans": ("5", ""),
        "agreements with rows": ("100 %", "103 of 103"),
    }


def test_shares_are_of_all_checks_and_name_every_verdict(whole: Campaigns) -> None:
    shares = {share.name: (share.checks, round(share.percent, 1)) for share in summary.shares(whole)}
    assert shares == {
        "agree": (103, 92.8),
        "vacuous": (0, 0.0),
        "raised": (0, 0.0),
        "same-error": (0, 0.0),
        "order-open": (0, 0.0),
        "inconclusive": (0, 0.0),
        "finding": (4, 3.6),
        "excused": (4, 3.6),
    }


def test_facts(whole: Campaigns) -> None:
    assert summary.facts_text(whole) == [
        "Spark 4.3.0, DuckDB 2.0.0",
        "4 rounds in 2 runs",
        "42 s of workers' time",
        "runs begun 2030-01-02 03:05 to 2030-01-02 03:08 UTC",
    ]


def test_rules_that_never_changed_a_plan_are_told_with_the_reason(whole: Campaigns) -> None:
    assert summary.never_fired(summary.coverage(whole)) == [("", ["Never"])]


def texts(table: Table) -> list[tuple[str, ...]]:
    return [tuple(cell.text for cell in row) for row in table.rows]


def test_the_excused_are_explained_by_their_entries(whole: Campaigns) -> None:
    (entry, *_) = load()
    excused = [{"divergence": entry.id, "checks": 3}, {"divergence": "forgotten", "checks": 1}]
    table = tables.excused(replace(whole, excused=excused), [entry])
    known, forgotten = table.rows
    assert (known[0].href, known[3].text) == (entry.url, entry.reason)
    assert [cell.text for cell in forgotten] == ["forgotten", "1", "0.90 %", "no entry of this Assay", ""]


def test_silent_entries_are_listed_with_their_share_and_all_together(whole: Campaigns) -> None:
    assert texts(tables.silent(whole, [])) == [
        ("SPARK-1", "8", "7.21 %", "4"),
        ("SPARK-2", "4", "3.60 %", "0"),
        ("all together", "8", "7.21 %", "4"),
    ]


def test_where_no_silent_entry_fits_none_is_listed(whole: Campaigns) -> None:
    assert texts(tables.silent(replace(whole, fits=[], fitting={"checks": 0, "of": 0}), [])) == []


def test_findings_at_a_glance_lead_to_all_of_it(whole: Campaigns) -> None:
    first = tables.found(whole).rows[0]
    assert (first[0].href, first[-2].text, first[-1].text) == (f"#f-{found()[0].fingerprint}", "yes", "shows too")


def test_the_rules_table_has_what_became_of_a_rules_mutants(whole: Campaigns) -> None:
    rows = {row[0]: row[1:] for row in texts(tables.rules(whole))}
    assert rows["CombineFilters"] == ("13", "10", "7", "4", "2 of 2")
    assert rows["ColumnPruning"][-1] == "0 of 1"
    assert rows["Unswitchable"] == ("1", "0", "0", "0", "")
    assert "Never" not in rows


@pytest.mark.parametrize(
    ("two_legs", "shown"),
    [(7, "-"), (3, "4"), (0, "4")],
    ids=["two legs in all", "two legs in some", "an off leg in all"],
)
def test_where_no_plans_were_compared_the_rules_table_has_a_dash(whole: Campaigns, two_legs: int, shown: str) -> None:
    row = {"rule": "A", "changed": 9, "checked": 8, "fired": 7, "differed": 0 if shown == "-" else 4}
    (only,) = texts(tables.rules(replace(whole, rules=[{**row, "two_legs": two_legs}], kills=())))
    assert only == ("A", "9", "8", "7", shown)


def test_without_mutants_the_rules_table_has_no_column_for_them(whole: Campaigns) -> None:
    table = tables.rules(replace(whole, kills=()))
    assert (table.head[-1], {len(row) for row in table.rows}) == ("differed", {5})


def test_runs_say_how_they_ended(whole: Campaigns) -> None:
    latest, killed = texts(tables.runs(whole))
    assert latest[:6] == ("2030-01-03 00:00", "1 h 2 min", "budget used up", "1 of 1", "2", "7")
    assert killed[:6] == ("2030-01-02 03:04", "", "killed, or still running", "1 of 1", "2", str(2**70))
    assert (latest[6:9], killed[6:9]) == (("19", "1.8", "1"), ("92", "2.9", "1"))


def test_a_run_is_told_of_although_it_finished_no_round_or_has_no_file(whole: Campaigns) -> None:
    without_rounds = tables.runs(replace(whole, trends=[row for row in whole.trends if row["run"] != LATER]))
    without_files = tables.runs(replace(whole, runs=()))
    assert texts(without_rounds)[0][6:] == ("0", "", "", "")
    assert [row[:3] for row in texts(without_files)] == [
        ("2030-01-02 03:08", "", "killed, or still running"),
        ("2030-01-02 03:05", "", "killed, or still running"),
    ]


def test_incidents_and_sources(whole: Campaigns) -> None:
    incident = {"when": "2030-01-02T03:04:05+00:00", "kind": "jvm", "told": "it died", "id": "1"}
    assert texts(tables.incidents(replace(whole, incidents=[incident]))) == [("2030-01-02 03:04", "jvm", "it died")]
    assert texts(tables.sources(whole))[0] == ("composite", "subquery over an aggregate", "1", "5", "0.5")


def test_verifications_are_told_with_what_they_reached_and_the_refuted_ones_first(whole: Campaigns) -> None:
    rows = texts(tables.verified(whole))
    assert [row[:2] for row in rows] == [
        ("ColumnPruning", "refuted"),
        ("CombineFilters", "verified up to this bound"),
        ("CombineUnions", "undecided"),
    ]
    assert rows[1][2:] == (VERIFICATION["briefly"], VERIFICATION["databases"], "100", "30,250", "42", "")
    assert rows[2][-1] == "SPARK-1"


def test_a_hunt_says_how_it_ended(whole: Campaigns) -> None:
    rows = texts(tables.kills("kills", whole.kills))
    assert rows[0] == ("ColumnPruningAll", "ColumnPruning", "shape", "SURVIVED", "300", "1.5", "", "")
    assert [row[3] for row in rows[1:]] == ["killed", "killed"]
