"""The benchmark of a rule of one's own: its data, its ways of running the query, its table."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from assay.bench.seed import ANTI_JOIN, PARTS, QUERY, WAYS, Timed, Way, make_flights, table
from assay.commands.cli import main
from assay.session.ending import Exit
from oracles.rules.switch import INJECTED

RULED = [way for way in WAYS if any(key.startswith(INJECTED) for key in way.conf)]


@pytest.fixture(scope="module")
def flights(tmp_path_factory) -> Path:
    return make_flights(tmp_path_factory.mktemp("flights"), 1)


def months(path: Path) -> list[str]:
    with path.open(newline="") as file:
        return [row["month"] for row in csv.DictReader(file)]


def test_the_file_has_a_header_and_about_the_size_that_was_asked_for(flights):
    header = flights.read_text().partition("\n")[0]
    assert header == "year,month,day,carrier,number,tail,origin,destination,delay,distance"
    assert 950_000 < flights.stat().st_size < 1_050_000


def test_months_are_numbers_as_text_now_and_then_missing_or_no_number(flights):
    assert set(months(flights)) == {*map(str, range(1, 13)), "", "NA"}


def test_a_file_that_is_there_is_kept(flights):
    written = flights.stat().st_mtime_ns
    assert make_flights(flights.parent, 1) == flights
    assert flights.stat().st_mtime_ns == written
    assert list(flights.parent.iterdir()) == [flights]


def test_a_file_is_the_same_whenever_it_is_made(flights, tmp_path):
    assert make_flights(tmp_path / "again", 1).read_bytes() == flights.read_bytes()


@pytest.mark.parametrize("way", RULED, ids=lambda way: way.name)
def test_a_rule_is_all_that_differs_from_the_anti_join(way):
    assert [key for key in way.conf if way.conf[key] != ANTI_JOIN.conf.get(key)] == [
        key for key in way.conf if key.startswith(INJECTED)
    ]
    assert way.query == ANTI_JOIN.query == QUERY


def test_three_rules_are_timed_and_todays_way_is_without_any_setting_of_the_query():
    assert len(RULED) == 3
    assert "spark.sql.optimizer.replaceExceptWithFilter" not in WAYS[-1].conf
    assert len({way.name for way in (*WAYS, *PARTS)}) == len(WAYS) + len(PARTS)


def test_the_table_tells_median_spread_and_ratio_and_no_ratio_of_a_part():
    timed = [
        Timed(ANTI_JOIN, (4.0, 6.0, 5.0), ("Aggregate", "Join")),
        Timed(Way("rule", {}), (2.0, 2.5, 9.0), ("Aggregate", "Filter")),
        Timed(Way("part", {}, "SELECT 1"), (1.0,), ("Project",)),
    ]
    assert table(timed).splitlines() == [
        "           median   least    most   ratio  plan",
        "anti join   5.00s   4.00s   6.00s   1.00x  Aggregate Join",
        "rule        2.50s   2.00s   9.00s   2.00x  Aggregate Filter",
        "part        1.00s   1.00s   1.00s          Project",
    ]


@pytest.mark.parametrize("option", ["--megabytes", "--turns"])
def test_a_number_below_one_is_refused(option, capsys):
    assert main(["seed-bench", option, "0"]) == Exit.BAD_INPUT
    assert capsys.readouterr().err == f"{option} 0: needs a whole number above 0\n"
