"""Scripts of findings on stock Spark, for real: known bugs show, however the tables are held, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import strategies as st

from assay.fuzz.failure_store import FailureStore
from assay.fuzz.fuzzer import Fuzzer
from assay.fuzz.policy import Policy, draw_fixed
from assay.fuzz.record import Recorder
from oracles.answers.outcome import Raised
from oracles.engines.spark.java import java_environment
from oracles.failures.failure import read_failure, script_path
from oracles.failures.scripts.confirm import StockSpark
from oracles.failures.scripts.own_rules import StockRule
from oracles.failures.scripts.script import script_of
from oracles.rules.points import Point
from oracles.rules.rule import Rule
from oracles.rules.switch import ByConf, Injected, Reference
from strategies.draw.planner_conf import GROUPS
from strategies.ir import (
    ATOMIC,
    INT,
    Agg,
    Aggregate,
    AnyLimit,
    Arith,
    Array,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Element,
    Filter,
    HigherOrder,
    InList,
    Item,
    Join,
    Lit,
    MakeArray,
    Project,
    Scan,
    SetOp,
    Settings,
    Struct,
    Table,
)
from tests.unit.script_samples import BROKEN, EXCLUDED, ONE, REFUSED, RULE_LEGS, SIBLINGS, found

COLUMNS = (Column("a", INT), Column("b", INT))
T = Scan("t0", COLUMNS)
A, B = Col("a", INT), Col("b", INT)
DATABASE = Database((Table("t0", COLUMNS, ((1, 1), (2, 1), (3, None))),))
DEFAULTS = Settings()

NEXT = (Item("a", Arith("+", A, Lit(INT, 1))),)
REUSED = SetOp("except", Project(T, NEXT), Project(Filter(T, Compare("=", A, Lit(INT, 2))), NEXT))
REPLACES = Rule(
    name="ReplaceExceptWithFilter",
    rule_name="",
    batch="",
    switch=ByConf("spark.sql.optimizer.replaceExceptWithFilter", "false"),
)
REWRITES = Rule(name="RewriteExceptAll", rule_name="", batch="", switch=Reference(("except-all",)))
TWICE = SetOp("except", Project(T, (Item("b", B), Item("b", B))), T, all=True)
IN_ORC = Case(Filter(T, InList(A, (Lit(INT, 0), Lit(INT, None)))), DATABASE, Settings("orc"))
UNREAD = Raised("FAILED_READ_FILE", None, "", "internal")
NOTHING = Table("t1", (Column("c", INT),), ((5,),))
BESIDE_NOTHING = Join(T, Scan("t1", NOTHING.columns), "left", Compare("=", Col("c", INT), Lit(INT, 0)))
COUNTED = Aggregate(AnyLimit(BESIDE_NOTHING, 1), (), (Item("n", Agg("count")),))
LIMITED = Case(COUNTED, Database((*DATABASE.tables, NOTHING)))


def reused(settings=DEFAULTS, *, fast=False):
    """SPARK-58383, over tables as ``settings`` have them."""
    return found("rule", "on", [REPLACES], case=Case(REUSED, DATABASE, settings), fast=fast, **RULE_LEGS)


def limited(settings):
    """A LIMIT over a join with nothing, on which DuckDB is wrong."""
    legs = {"on": ONE, "off": ONE, "duckdb": RULE_LEGS["off"], "duckdb_unoptimized": ONE}
    return found("engine", "duckdb", case=replace(LIMITED, settings=settings), **legs)


SHOWN = {
    "a rule": reused(),
    "DataFrames": reused(Settings(form="dataframe", aqe=True, codegen=True, partitions=3)),
    "ORC, analyzed": reused(Settings("orc", statistics=True, vectorized=False)),
    "CSV": reused(Settings("csv", join="merge")),
    "cached": reused(Settings("cached", ansi=False)),
    "in folders": reused(Settings("partitioned", table_partitions=2)),
    "under a group of entries": reused(Settings(**GROUPS["sorted groups"].settings)),
    "rows of no plan": reused(fast=True),
    "an invalid plan": found(
        "invalid-plan", "on", [REWRITES], case=Case(TWICE, DATABASE), on=REFUSED, off=ONE, duckdb=ONE
    ),
    "an internal error": found("internal", "unknown", case=IN_ORC, on=UNREAD, off=UNREAD, duckdb=ONE),
    "DuckDB": limited(DEFAULTS),
    # Not with the rule's bug: over rows in the plan its operators are gone before it comes to them.
    "rows in the plan": limited(Settings("local")),
}

KINDS = [*ATOMIC.values(), Decimal(18, 2), Array(ATOMIC["TIMESTAMP"]), Struct((("p", INT), ("q", ATOMIC["STRING"])))]
VALUES = (
    *(True, -32768, 2**31 - 1, -(2**63), "nan", "it's \\ $", "00ff", "0001-01-01"),
    *("2024-02-29 23:59:59.999999", "1969-12-31 23:59:59.000001", "-1.50"),
    *(("1900-01-01 00:00:00.000000", None), (1, "")),
)
EVERY = tuple(Column(f"c{place}", kind) for place, kind in enumerate(KINDS))
OF_EVERY_TYPE = Case(Scan("t0", EVERY), Database((Table("t0", EVERY, (VALUES, (None,) * len(EVERY), VALUES)),)))


BY_PATH = Project(OF_EVERY_TYPE.query, tuple(Item(column.name, Col(column.name, column.type)) for column in EVERY))


def every_type(settings=DEFAULTS, *, query=OF_EVERY_TYPE.query, fast=False):
    """All rows of a table with a column of each type: the engines are of one mind."""
    legs = {"on": ONE, "off": ONE, "duckdb": RULE_LEGS["off"]}
    return found("engine", "unknown", case=replace(OF_EVERY_TYPE, query=query, settings=settings), fast=fast, **legs)


STATEFUL = Case(
    Project(T, (Item("p", HigherOrder("transform", MakeArray(INT, (A, B)), Arith("+", Element(INT), Lit(INT, 1)))),)),
    DATABASE,
    Settings("local", siblings=True),
)

HEALTHY = {
    "every type": every_type(),
    "every type, in the plan": every_type(Settings("local")),
    "every type, in memory": every_type(fast=True),
    "every type, in folders": every_type(Settings("partitioned")),
    "every type, in a VARIANT": every_type(Settings("variant")),
    "every type, in a VARIANT that the query reads": every_type(Settings("variant"), query=BY_PATH),
    **{
        f"every type, {name}": every_type(Settings(**group.settings))
        for name, group in GROUPS.items()
        if "time_zone" in group.needs
    },
    "a promise": found("invalid-plan", "on", [EXCLUDED], case=Case(T, DATABASE), on=BROKEN, off=ONE, duckdb=ONE),
    "two threads": found("error", "on", [EXCLUDED], case=STATEFUL, on=SIBLINGS, off=ONE, duckdb=ONE),
    "any rows": found("rule", "on", [EXCLUDED], case=Case(AnyLimit(T, 2), DATABASE), **RULE_LEGS),
    "three parts": found(
        *("metamorphic", "on", [EXCLUDED]),
        case=Case(T, DATABASE, partition=Compare("=", A, B)),
        **{**RULE_LEGS, "off": ONE, "parts": ONE},
    ),
}

ALL_IN_ONE = """
import json, runpy, sys
print(json.dumps({path: runpy.run_path(path)["main"]() for path in sys.argv[1:]}))
"""
"""Each script has a session of its own; the JVM, which takes longest to start, is one."""


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """The exit code of each script, and all that was printed."""
    folder = tmp_path_factory.mktemp("scripts")
    paths = {name: folder / f"{number}.py" for number, name in enumerate([*SHOWN, *HEALTHY])}
    for name, path in paths.items():
        path.write_text(script_of(*{**SHOWN, **HEALTHY}[name]).text, encoding="utf-8")
    environment = {**os.environ, **java_environment()}
    environment.pop("SPARK_HOME", None)
    command = [sys.executable, "-c", ALL_IN_ONE, *map(str, paths.values())]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=900, check=False
    )
    codes = json.loads(done.stdout.splitlines()[-1])
    return {name: codes[str(path)] for name, path in paths.items()}, done.stdout


@pytest.mark.parametrize("name", SHOWN)
def test_a_known_bug_shows_on_stock_spark(ended, name):
    codes, told = ended
    assert codes[name] == 1, told


@pytest.mark.parametrize("name", HEALTHY)
def test_where_nothing_is_wrong_no_script_says_so(ended, name):
    codes, told = ended
    assert codes[name] == 0, told


def test_a_finding_that_stock_spark_does_not_show_is_told_as_such():
    """One that is made up: Spark and DuckDB agree."""
    asked = StockSpark().asked(script_of(*HEALTHY["any rows"]))
    assert (asked.shown, asked.reason) == ("assay-only", "its script ends with 0")


RULES = Path(__file__).parents[1] / "cli" / "rules"
FILTERED = Case(Filter(T, Compare("=", A, Lit(INT, 1))), DATABASE)
ADAPTIVE = Case(SetOp("union", FILTERED.query, FILTERED.query), DATABASE, Settings(aqe=True))
AT_POINTS = {
    "DropsFilters.scala:DropsFilters": [
        *(Point.RESOLUTION, Point.POST_HOC_RESOLUTION, Point.HINT_RESOLUTION, Point.PLAN_NORMALIZATION),
        *(Point.PRE_OPERATOR_OPTIMIZATION, Point.OPTIMIZER, Point.PRE_CBO, Point.EXPERIMENTAL),
    ],
    "PhysicalRules.scala:PlansNoFilters": [Point.PLANNER_STRATEGY],
    "PhysicalRules.scala:DropsFiltersOfColumns": [Point.COLUMNAR],
    "PhysicalRules.scala:DropsFilterExecs": [Point.QUERY_STAGE_PREP],
}


def of_own_rule(file, name, point, *, source=True):
    """The finding of a rule of a file, and the rule for the script."""
    text = (RULES / file).read_text(encoding="utf-8")
    own = StockRule(name=name, class_name=f"rules.{name}", point=point, source=text if source else None)
    rule = Rule(name=name, rule_name=f"rules.{name}", batch="", switch=Injected(name))
    case = ADAPTIVE if point.adaptive else FILTERED
    return *found("rule", "on", [rule], case=case, **RULE_LEGS), (own,)


@pytest.mark.parametrize(
    ("rule", "point"), [(rule, point) for rule, points in AT_POINTS.items() for point in points], ids=str
)
def test_a_wrong_rule_of_a_file_shows_on_stock_spark(rule, point):
    asked = StockSpark().asked(script_of(*of_own_rule(*rule.split(":"), point)))
    assert (asked.shown, asked.reason) == ("confirmed", "under Spark's own settings")


def test_a_rule_that_the_script_does_not_find_leaves_it_untold():
    asked = StockSpark().asked(
        script_of(*of_own_rule("DropsFilters.scala", "DropsFilters", Point.OPTIMIZER, source=False))
    )
    assert asked.shown == "impossible"


def test_what_a_hunt_finds_is_confirmed_on_stock_spark_before_it_is_told(harness, tmp_path):
    recorder = Recorder(tmp_path / "record.jsonl")
    rules = draw_fixed([harness.catalogue.rule("ReplaceExceptWithFilter")])
    subject = replace(SHOWN["a rule"][0].subject)
    fuzzer = Fuzzer(
        harness=harness,
        subject=subject,
        recorder=recorder,
        store=FailureStore(folder=tmp_path / "found", stock=StockSpark()),
        policy=Policy(draw_off=rules, shrink_seconds=2.0),
        run_seed=1,
    )
    (finding,) = fuzzer.run(st.just(Case(REUSED, DATABASE)), "one", 1)
    recorder.close()
    assert finding.failure.stock is not None
    assert finding.failure.stock.shown == "confirmed"
    assert read_failure(finding.file) == finding.failure
    text = fuzzer.text(finding)
    assert "  stock    confirmed on stock Spark: under Spark's own settings\n" in text
    assert f"  script   python {script_path(finding.file)}\n" in text
    lines = map(json.loads, (tmp_path / "record.jsonl").read_text().splitlines())
    assert [line["finding"]["stock"] for line in lines if "finding" in line] == [None, "confirmed"]
