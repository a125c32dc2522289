"""Blocks that ran become shares by rule and lines that never ran; jobs are the same for any number of workers."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from types import SimpleNamespace

import pytest

from assay.coverage import main, measure
from assay.coverage.lines import as_text, never_run, partly_run
from assay.coverage.main import CoverageRequest
from assay.coverage.measure import Measurement, Ran, cases_of, jobs_of, shape_names
from assay.coverage.parts import parts_of
from assay.coverage.report import BlockCoverage, lines_text, reasons_table, rules_table, summary, totals_text
from assay.coverage.sources import SOURCES
from assay.coverage.unreachable import HELPERS, reason_of
from assay.fuzz.corpus import corpus_files
from assay.session.console import text_of
from assay.session.ending import Exit
from jars.build import find_spark_jars
from oracles.checks.result import NO_SETTINGS
from oracles.engines.spark.leg_conf import leg_conf
from oracles.engines.spark.probes import Block, BlockKey
from oracles.rules.entries.unreached import UNREACHED
from oracles.rules.rule import Rule
from oracles.rules.switch import Excluded
from strategies.ir import Settings
from strategies.shapes import load_shapes
from tests.unit.coverage_samples import options

PACKAGE = "org.apache.spark.sql.catalyst.optimizer."
RULES = {f"{PACKAGE}One": "One", f"{PACKAGE}Optimizer$Two": "Optimizer$Two"}


def block(class_name, place, *lines, unreachable=""):
    return Block(BlockKey(PACKAGE + class_name, "apply()V", place), "rules.scala", lines, unreachable)


BLOCKS = (
    block("One$", 0, 10),
    block("One$", 1, 11, 12),
    block("One$$anonfun$apply$1", 0, 14),
    block("One$$anonfun$apply$1", 1, 14, 20),
    block("One$$anonfun$apply$1", 2, 30, unreachable="dead code"),
    block("Optimizer$Two$", 0, 40),
    block("Optimizer", 0, 50),
    block("RewriteAsOfJoin$", 0, 60),
)


def coverage(**ran):
    by_source = {}
    for source, cases in ran.items():
        own = by_source[source] = Ran()
        known = set().union(*(other.cases_of.keys() for other in by_source.values()))
        for case in cases:
            own.add("agree", case, known)
    return BlockCoverage(BLOCKS, parts_of(BLOCKS, RULES), by_source)


def part(name):
    return next(each for each in parts_of(BLOCKS, RULES) if each.name == name)


def test_blocks_belong_to_the_innermost_rule_or_else_to_the_outermost_class():
    parts = [(each.name, each.is_rule, sorted(each.blocks)) for each in parts_of(BLOCKS, RULES)]
    assert parts == [
        ("One", True, [0, 1, 2, 3, 4]),
        ("Optimizer$Two", True, [5]),
        ("Optimizer", False, [6]),
        ("RewriteAsOfJoin", False, [7]),
    ]


def test_a_share_is_of_the_blocks_that_a_query_can_run():
    assert part("One").share({0, 1, 5}) == 0.5
    assert part("One").missing({0, 1, 5}) == {2, 3}
    assert part("RewriteAsOfJoin").share(set()) is None


def test_a_rule_that_queries_hardly_run_is_told_apart():
    assert part("One").is_drawn
    assert not part("RewriteAsOfJoin").is_drawn


def test_an_unreachable_block_that_ran_counts_as_run():
    assert part("One").ran({4}) == {4}
    assert part("One").share({4}) == 0.2


@pytest.mark.parametrize(
    ("ran", "whole", "partly"),
    [
        ({0}, [(11, 20)], []),
        ({0, 2}, [(11, 12), (20, 20)], [14]),
        ({2}, [(10, 12), (20, 20)], [14]),
        ({0, 1, 2, 3}, [], []),
        (set(), [(10, 20)], []),
    ],
)
def test_lines_never_run_make_ranges_over_lines_without_code(ran, whole, partly):
    one = part("One")
    missing = one.missing(ran)
    assert never_run(one.blocks, ran, missing) == ({"rules.scala": whole} if whole else {})
    assert partly_run(one.blocks, ran, missing) == ({"rules.scala": partly} if partly else {})


def test_ranges_are_written_as_people_write_them():
    assert as_text([(31, 34), (40, 40)]) == "31-34, 40"


def test_the_lines_of_a_rule_are_named_with_its_file():
    assert lines_text(part("One"), {0, 2}) == ["One: lines 11-12, 20 of rules.scala never ran; in part: 14"]
    assert lines_text(part("Optimizer$Two"), set()) == ["Optimizer$Two: line 40 of rules.scala never ran"]
    assert lines_text(part("One"), {0, 1, 2, 3}) == []


def test_a_summary_tells_sources_apart():
    told = summary(coverage(general=[{0, 5}, {0, 1}], shapes=[{2}]))
    assert (told["blocks"], told["ran"], told["unreachable"]) == (8, 4, 2)
    assert {source: own["ran"] for source, own in told["sources"].items()} == {"general": 3, "shapes": 1}
    one = told["rules"]["One"]
    assert (one["ran"], one["general"], one["shapes"], one["share"]) == (3, 2, 1, 0.75)
    assert one["never_run"] == {"rules.scala": [[20, 20]]}
    assert told["curve"] == [[1, 2], [2, 3], [3, 4]]
    (first, *_) = told["methods"]
    assert (first["lines"], first["cases"]) == ([[10], [11, 12]], [2, 1])


def test_a_rule_that_no_query_can_run_has_no_share_in_the_summary():
    told = json.loads(json.dumps(summary(coverage(general=[{0}]))))
    assert told["rules"]["RewriteAsOfJoin"]["share"] is None
    assert told["rules"]["Optimizer$Two"]["share"] == 0.0


def test_a_method_lists_no_reason_for_a_block_that_ran():
    def reasons(*cases):
        (nested,) = (
            each
            for each in summary(coverage(general=[set(case) for case in cases]))["methods"]
            if "anonfun" in each["class"]
        )
        return nested["unreachable"]

    assert reasons({0}) == {"2": "dead code"}
    assert reasons({4}) == {}


class _OnlyAsked(frozenset):
    """A set that answers whether it has a number, and is never copied."""

    def __iter__(self):
        raise AssertionError("copied")


def test_a_part_does_not_copy_the_blocks_of_all_parts():
    numbers = _OnlyAsked({0, 1, 5})
    assert (part("One").ran(numbers), part("One").missing(numbers), part("One").share(numbers)) == ({0, 1}, {2, 3}, 0.5)


@pytest.mark.parametrize("of", [summary, rules_table, reasons_table, lambda told: totals_text(told, 1.0)])
def test_what_ran_is_computed_once(of, monkeypatch):
    accesses, computed = [], BlockCoverage.ran.fget
    monkeypatch.setattr(BlockCoverage, "ran", property(lambda told: accesses.append(1) or computed(told)))
    of(coverage(general=[{0, 5}, {0, 1}], shapes=[{2}]))
    assert len(accesses) == 1


def test_tables_have_a_row_for_each_part_and_reason():
    text = text_of(rules_table(coverage(general=[{0, 5}])), reasons_table(coverage(general=[{0, 5}])))
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in text.splitlines()]
    assert ["One", "5", "1", "25 %", "1", "1", "3"] in rows
    assert ["RewriteAsOfJoin (helper)", "1", "0", "-", "0", "1", "0"] in rows
    assert [HELPERS["RewriteAsOfJoin"], "1", "RewriteAsOfJoin"] in rows


def test_the_totals_leave_out_what_no_query_can_run():
    *_, last = totals_text(coverage(general=[{0, 5}, {0, 1}]), 2.0)
    assert last.startswith("all: 2 cases in 2 s ran 3 of 8 blocks, 37.5 %; 50.0 % without the 2 that")


def test_what_two_workers_ran_adds_up():
    one, other = (coverage(general=cases).of("general") for cases in ([{0, 1}], [{1, 2}]))
    one.join(other)
    assert (one.cases, dict(one.cases_of)) == (2, {0: 1, 1: 2, 2: 1})


def test_a_reason_of_the_block_itself_comes_first():
    helper = block("RewriteAsOfJoin$", 0, 60)
    assert reason_of("RewriteAsOfJoin", helper) == HELPERS["RewriteAsOfJoin"]
    assert reason_of("RewriteAsOfJoin", block("RewriteAsOfJoin$", 0, 60, unreachable="dead code")) == "dead code"
    assert reason_of("WidenStatefulOperatorAttributeNullability", helper) == "needs streaming"
    assert reason_of("OptimizeRand", helper) == ""
    assert reason_of("SchemaPruning", helper) == ""
    assert reason_of("LimitPushDown", helper) == ""


@pytest.mark.parametrize(
    "part", ["CostBasedJoinReorder", "JoinReorderDP", "JoinReorderDPFilters", "OrderedJoin", "StarSchemaDetection"]
)
def test_what_cases_with_statistics_run_counts_against_the_coverage(part):
    assert reason_of(part, block(f"{part}$", 0, 60)) == ""


def test_no_reason_names_a_setting_that_some_case_turns_on():
    turned_on = leg_conf(Settings(statistics=True))
    assert "spark.sql.cbo.joinReorder.enabled" in turned_on
    reasons = [*HELPERS.values(), *UNREACHED.values()]
    assert [why for why in reasons if any(key in why for key in turned_on)] == []


def test_every_helper_with_a_reason_is_a_class_of_this_spark():
    (catalyst,) = find_spark_jars().glob("spark-catalyst_*.jar")
    names = set(zipfile.ZipFile(catalyst).namelist())
    assert [name for name in HELPERS if f"{PACKAGE.replace('.', '/')}{name}.class" not in names] == []


@pytest.mark.parametrize("count", [1, 7, 250, 1000])
def test_as_many_cases_are_drawn_as_were_asked_for(count):
    shapes = shape_names(load_shapes(), [])
    jobs = jobs_of(count, SOURCES, shapes)
    assert sum(job.count for job in jobs if job.source != "corpus") == count
    assert sum(job.count for job in jobs if job.source == "corpus") == len(corpus_files())
    assert sum(job.count for job in jobs_of(count, ("general",), shapes)) == count
    assert sum(job.count for job in jobs_of(count, ("shapes",), shapes)) == count


def test_without_a_corpus_there_is_no_job_for_it(monkeypatch):
    monkeypatch.setattr(measure, "corpus_files", list)
    assert jobs_of(10, ("corpus",), []) == []


REQUEST = CoverageRequest(options(), ("general",), plan_only=False, workers=1)


@pytest.mark.parametrize(("cases", "code"), [([], Exit.UNDECIDED), ([{0, 1}], Exit.GREEN)])
def test_a_run_that_counted_no_case_is_undecided(cases, code, monkeypatch, capsys):
    by_source = {"general": Ran()}
    for case in cases:
        by_source["general"].add("agree", case, set())
    measured = main.Measured(spark="4.3.0", blocks=BLOCKS, rules=RULES, by_source=by_source, losses=3)
    monkeypatch.setattr(main, "prepare_java", lambda: None)
    monkeypatch.setattr(main, "prepare", lambda options, *, probes: None)
    monkeypatch.setattr(main, "_here", lambda *given: measured)
    assert main.run(REQUEST) == code
    assert ("no case was counted" in capsys.readouterr().out) == (code == Exit.UNDECIDED)


def test_a_corpus_without_files_is_undecided_and_starts_no_spark(monkeypatch, capsys):
    monkeypatch.setattr(measure, "corpus_files", list)
    monkeypatch.setattr(main, "prepare_java", lambda: None)
    monkeypatch.setattr(main, "prepare", lambda options, *, probes: None)
    assert main.run(replace(REQUEST, sources=("corpus",))) == Exit.UNDECIDED
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("no case was counted")


def test_a_subset_goes_off_with_the_rules_that_do_its_work():
    called = Rule(name="Called", rule_name=f"{PACKAGE}Called", batch="a batch", switch=Excluded((f"{PACKAGE}Called",)))
    caller, other = (replace(called, name=name, rule_name=PACKAGE + name) for name in ("Caller", "Other"))
    changed = [replace(called, callers=frozenset({caller.rule_name})), caller, other]
    chosen = []

    class Checks:
        def check(self, case, choose_off, settings, *, fast):
            chosen.extend({rule.name for rule in choose_off(changed)} for _ in range(300))
            return SimpleNamespace(verdict=SimpleNamespace(name="agree"), changed_plan=("Other",), plan="0")

    case = cases_of(jobs_of(1, ("general",), [])[0], {}, 1, "4.3.0")[0]
    assert Measurement(harness=Checks(), own=(), shapes={}, run_seed=1, settings=NO_SETTINGS)._checked(case) == (
        "agree",
        ("Other",),
        "0",
    )
    assert {"Other"} in chosen
    assert {"Called", "Caller"} in chosen
    assert {"Called"} not in chosen


def test_the_shapes_of_named_rules_are_drawn_alone():
    assert shape_names(load_shapes(), ["LimitPushDown", "NoShapeOfIts"]) == ["LimitPushDown"]
    assert {"LimitPushDown", "ConstantFolding"} < set(shape_names(load_shapes(), []))


def test_without_a_shape_all_cases_are_general():
    assert {job.source for job in jobs_of(10, ("general", "shapes"), [])} == {"general"}
    assert sum(job.count for job in jobs_of(10, ("general", "shapes"), [])) == 10


def test_the_cases_of_a_job_are_the_same_each_time():
    shapes = load_shapes()
    for job in (jobs_of(12, ("general",), [])[0], jobs_of(12, ("shapes",), ["LimitPushDown"])[0]):
        first, again = cases_of(job, shapes, 1, "4.3.0"), cases_of(job, shapes, 1, "4.3.0")
        assert first == again
        assert len(first) == 12
        assert cases_of(job, shapes, 2, "4.3.0") != first
