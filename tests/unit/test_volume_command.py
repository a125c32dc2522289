"""The command over large tables: what it refuses, and how it ends by what was seen."""

from __future__ import annotations

import time
from dataclasses import replace
from io import StringIO

import psutil
import pytest
from rich.console import Console

from assay.commands.cli import main
from assay.session.ending import Exit
from assay.volume.check import VolumeCheckResult
from assay.volume.costs import Cost, Costs
from assay.volume.execution import WANTED, Exercise, leg_settings, patience
from assay.volume.fuzzer import CheckedQuery
from assay.volume.table import RunStats, ended, print_done, print_stats, summary
from oracles.answers.outcome import Raised, Rows
from oracles.checks.result import CheckResult
from oracles.checks.verdict import Verdict
from strategies.draw.large import KEY
from strategies.ir import Case, Database, Distinct, Scan, Table

BAD = {
    "no number": (("--scale", "many"), "--scale many: needs a number of rows"),
    "too few": (("--scale", "999"), "--scale 999: needs a number of rows, from 1,000 on"),
    "no seed": (("--hypothesis-seed", "x"), "--hypothesis-seed x: needs a whole number"),
    "no checks": (("--max-examples", "0"), "--max-examples 0: needs"),
    "an unknown rule": (("--rule", "NoSuchRule"), "--rule NoSuchRule: no rule called 'NoSuchRule' in Spark "),
    "the same rule twice": (("--rule", "CombineFilters", "--rule", "CombineFilters"), "CombineFilters stands twice"),
    "no rule": (("--rule", "missing.scala"), "--rule: no such file"),
}


@pytest.mark.parametrize(("options", "said"), BAD.values(), ids=BAD)
def test_what_makes_no_sense_is_one_line_and_exit_code_2(capsys, options, said):
    assert main(["volume", *options]) == Exit.BAD_INPUT
    told = capsys.readouterr().err
    assert (len(told.splitlines()), said in told) == (1, True), told


TABLE = Table("t0", (KEY,))
CASE = Case(Distinct(Scan("t0", (KEY,))), Database((TABLE,)))
ROWS = Rows(("int64",), ())
LOST = Raised("LOST", None, "it is gone", "internal")
ALL_USED = Exercise(rows=5, spilled=2**20, merges=1, shuffles=2, partitions=16, replanned=1)


def done(name="agree", used=ALL_USED, fired=("R",), on=ROWS) -> CheckedQuery:
    kind, blame = ("rule", "on") if name in ("finding", "excused") else (None, None)
    legs = {"on": on, "off": ROWS, "duckdb": ROWS}
    checked = CheckResult(
        case=CASE,
        off=("R",),
        fired=fired,
        differed=True,
        verdict=Verdict(
            name=name, kind=kind, blame=blame, reason="why", divergence="SPARK-1" if name == "excused" else None
        ),
        legs=legs,
    )
    exercise = {"on": used} if isinstance(on, Rows) else {}
    return CheckedQuery(
        checked=VolumeCheckResult(checked, None, exercise, {"on": Cost(1.5, 2**20, 2**21)}), name=name, reason="why"
    )


NOTHING = "no rule fired in an agreement with rows"
ENDS = {
    "all was used": ([done()], [], Exit.GREEN, []),
    "a finding": ([done(), done("finding")], [], Exit.FOUND, []),
    "nothing was used": ([done(used=Exercise(rows=5))], [], Exit.UNDECIDED, [f"not exercised: {w}" for w in WANTED]),
    "one was never used": (
        [done(used=Exercise(rows=5, merges=1, replanned=1))],
        [],
        Exit.UNDECIDED,
        ["not exercised: spilling"],
    ),
    "one uses this, one that": (
        [done(used=Exercise(rows=5, spilled=1, merges=1)), done(used=Exercise(rows=5, replanned=3))],
        [],
        Exit.GREEN,
        [],
    ),
    "what was used was not compared": (
        [done("inconclusive", on=LOST)],
        [],
        Exit.UNDECIDED,
        ["only 0 of 1 checks were compared", NOTHING, *["not exercised"] * 3],
    ),
    "few were compared": (
        [done(), *[done("inconclusive", on=LOST)] * 19],
        [],
        Exit.UNDECIDED,
        ["only 1 of 20 checks were compared"],
    ),
    "a finding among few that were compared": (
        [done("finding"), *[done("inconclusive", on=LOST)] * 19],
        [],
        Exit.FOUND,
        ["only 1", NOTHING],
    ),
    "a rule that fired": ([done()], ["R"], Exit.GREEN, []),
    "a rule that didn't": ([done(fired=())], ["R"], Exit.UNDECIDED, ["R never fired"]),
    "no rule fired": ([done("vacuous", fired=())], [], Exit.UNDECIDED, [NOTHING]),
    "no answer has a row": (
        [done(used=replace(ALL_USED, rows=0))],
        [],
        Exit.UNDECIDED,
        [NOTHING],
    ),
    "a rule that fired where nothing agreed": (
        [done(fired=("S",)), done("excused")],
        ["R", "S"],
        Exit.UNDECIDED,
        ["R fired in no agreement with rows"],
    ),
    "no check": ([], ["R"], Exit.UNDECIDED, ["R never fired", *["not exercised"] * 3]),
}


@pytest.mark.parametrize(("checks", "named", "code", "why"), ENDS.values(), ids=ENDS)
def test_a_run_ends_by_what_it_saw(checks, named, code, why):
    stats = RunStats(1_000, list(checks))
    end = ended(stats, named)
    assert end.code == code
    assert [line.startswith(start) for line, start in zip(end.why, why, strict=True)] == [True] * len(why)


def test_what_was_seen_is_told_and_written():
    stats = RunStats(1_000, [done(), done("finding")])
    text = StringIO()
    console = Console(file=text, width=150)
    for number, each in enumerate(stats.done, 1):
        print_done(console, each, number, 2)
    print_stats(console, stats, 12.0)
    told = text.getvalue()
    wanted = ("1 of 2: agree, 5 rows", "on 1.5 s", "spilled 1 MB", "SELECT DISTINCT", "spilling in 2", "why", "1,000")
    assert [part for part in wanted if part not in told] == []
    data = summary(stats)
    assert (data["verdicts"], data["exercised"]) == ({"agree": 1, "finding": 1}, dict.fromkeys(WANTED, 2))
    assert (data["fired"], data["with_rows"], data["seconds"]["on"]) == ({"R": 2}, 2, [1.5, 1.5])


def test_more_rows_get_more_time_and_larger_partitions():
    assert patience(10**7) > patience(10**5) > 60
    sizes = [leg_settings(rows).on["spark.sql.adaptive.advisoryPartitionSizeInBytes"] for rows in (10**5, 10**7)]
    assert int(sizes[0]) < int(sizes[1])


def test_a_step_costs_its_time_and_the_memory_that_is_held_meanwhile():
    costs = Costs(lambda: None)
    with costs.of("little"):
        pass
    with costs.of("much"):
        held = bytearray(200 * 2**20)
        time.sleep(0.3)
    little, much = costs.steps["little"], costs.steps["much"]
    assert (len(held), much.seconds > 0.3 > little.seconds, much.jvm_memory) == (200 * 2**20, True, 0)
    assert much.python_memory > little.python_memory + 150 * 2**20


def test_the_other_process_is_watched_too_and_may_end():
    own = psutil.Process().pid
    costs = Costs(lambda: own)
    with costs.of("step"):
        pass
    assert costs.steps["step"].jvm_memory > 2**20
