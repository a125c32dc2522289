"""A rule on all small queries over all small databases: wrong ones are refuted, sound ones are not."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest
from hypothesis import strategies as st

from assay.coverage.own_rule import OwnProbes
from assay.fuzz.supervision import Guard
from assay.session.own_rule import own_rule
from assay.verify import bound, verifier
from assay.verify.bound import Bound
from assay.verify.databases import Versions
from assay.verify.grammar import Level
from assay.verify.pairs import PairFinder
from assay.verify.shaped import smallest_first
from assay.verify.sweeps import Sweeper
from assay.verify.text import headline, notes
from assay.verify.verifier import NotConfirmed, Verifier
from oracles.answers.plural import number
from oracles.checks.result import NO_SETTINGS
from oracles.engines.spark.jvm import SparkLost
from oracles.engines.spark.plan_pairs import PlanPair
from oracles.failures.failure import Subject, read_failure
from oracles.reductions.size import size
from strategies.ir import INT, Case, Column, Database, Filter, Scan, Table, walk
from strategies.shapes import load_shapes

pytestmark = pytest.mark.in_driver
TINY = Bound(operators=2, pairs=2, seconds=600)
"""The pairs end it: so much time only a machine takes that has other things to do."""
GUARD = Guard()
NO_SHAPES = {}
NOT_FILTER = "ReplaceExceptWithNotFilter"
ONE_INT = (Column("a", INT),)
A_SCAN = Case(Scan("t0", ONE_INT), Database((Table("t0", ONE_INT),)))


class Absorbing(Guard):
    """Supervision that counts a lost JVM as an incident, and goes on."""

    def attempt(self, case, what, otherwise):
        try:
            return what()
        except SparkLost:
            self.incidents += 1
            return otherwise


@pytest.fixture(autouse=True)
def few_levels(monkeypatch):
    """The example rules fire on two operators; the levels between take half a minute."""
    monkeypatch.setattr(bound, "LEVELS", (Level(1, 0), Level(2, 0)))


@pytest.fixture
def verified(harness, tmp_path):
    """The verification of an example rule."""

    def run(name, limits=TINY, guard=GUARD, shapes=NO_SHAPES):
        settings = own_rule(name).settings({}) if name.startswith("ReplaceExceptWithNot") else NO_SETTINGS
        verifier = Verifier(
            harness=harness,
            subject=Subject(settings=settings),
            folder=tmp_path,
            failures=tmp_path / "failures",
            bound=limits,
            guard=lambda rule: guard,
            stands_for={},
            probes=OwnProbes(classes={}),
            shapes=shapes,
        )
        return verifier.verify(harness.catalogue.rule(name))

    return run


def test_a_wrong_rule_is_refuted_by_a_smallest_case(verified):
    result = verified("ReplaceExceptWithNotFilterAsWritten")
    (finding,) = result.findings
    case = read_failure(finding.file).case
    assert (result.outcome, finding.checked.verdict.blame) == ("refuted", "on")
    assert (case.database.row_count, len(case.database.tables)) == (1, 1)
    assert finding.failure.confirmed
    assert size(case) == size(finding.checked.case)
    assert headline(result).startswith("refuted, after ")


def test_a_sound_rule_is_verified_to_the_bound_that_is_said(verified):
    result = verified("ReplaceExceptWithNotFilter")
    assert (result.outcome, len(result.sweeps), result.findings) == ("verified", 2, [])
    assert [sweep.rest for sweep in result.sweeps] == [0, 0]
    # Each pair reads one table: 55 bags in one partition, and in two.
    assert result.compared == sum(len(way.choices) for sweep in result.sweeps for way in sweep.ways) == 2 * 2 * 55
    assert "2 pairs of plans × all databases of at most 2 rows a table: 220 comparisons" in headline(result)
    said = "\n".join(notes(result))
    assert "all of 1 operator with at most" in said
    assert "the enumeration ended at 2 pairs" in said


@pytest.mark.slow  # enumerates all queries of one operator
def test_a_rule_that_never_fires_is_not_verified(verified):
    result = verified("ReplaceExceptWithNotFilter", replace(TINY, tables=1, operators=1))
    assert (result.outcome, result.finder.fired, result.compared) == ("never fired", 0, 0)
    assert result.finder.complete


def shape_of(name):
    """Small cases of the shape of the example rule, as the shape of ``name``."""
    cases = smallest_first(load_shapes()[NOT_FILTER].fires(), count=20)
    return {name: st.sampled_from(cases[:10])}


@pytest.fixture
def without_grammar(monkeypatch):
    """No small query is enumerated."""
    monkeypatch.setattr(Bound, "stages", lambda *_: iter(()))


@pytest.mark.usefixtures("without_grammar")
def test_a_wrong_rule_that_no_small_query_shows_is_refuted_by_one_of_its_shape(verified):
    wrong = "ReplaceExceptWithNotFilterAsWritten"
    result = verified(wrong, shapes=shape_of(wrong))
    (finding,) = result.findings
    assert (result.outcome, result.sweeps, result.finder.fired) == ("refuted", [], 0)
    assert read_failure(finding.file).case.database.row_count == 1
    assert headline(result).startswith("refuted by a query of its shape, after ")
    assert result.summary()["shaped"]["fired"] > 0


@pytest.mark.usefixtures("without_grammar")
def test_queries_of_its_shape_verify_no_rule(verified):
    result = verified(NOT_FILTER, shapes=shape_of(NOT_FILTER))
    assert (result.outcome, result.findings, result.shaped.fired > 0) == ("undecided", [], True)
    assert headline(result).startswith("undecided: ")
    assert result.shaped.line() in notes(result)


def test_after_the_queries_of_its_shape_the_enumeration_goes_on(verified, monkeypatch):
    monkeypatch.setattr(verifier, "SHAPED", 0.0)  # the shape comes first
    result = verified(NOT_FILTER, shapes=shape_of(NOT_FILTER))
    assert (result.outcome, len(result.sweeps), result.shaped.fired > 0) == ("verified", TINY.pairs, True)
    assert [sweep.rest for sweep in result.sweeps] == [0, 0]


@pytest.mark.usefixtures("without_grammar")
def test_a_rule_that_fires_on_no_query_of_its_shape_either_never_fired(verified):
    result = verified(NOT_FILTER, shapes={NOT_FILTER: st.just(A_SCAN)})
    assert (result.outcome, result.shaped.fired) == ("never fired", 0)


def test_of_a_part_of_another_rule_only_what_it_changed_itself_counts(verified):
    """PushDownPredicates fires on a filter over a projection; CombineFilters, its part, has two filters to combine."""
    result = verified("CombineFilters", replace(TINY, pairs=1, tables=1))
    assert result.finder.foreign > 0
    assert sum(isinstance(node, Filter) for node in walk(result.sweeps[0].pair.query)) == 2
    assert f"{result.finder.foreign:,} pairs of plans on which this part changed nothing" in "\n".join(notes(result))


def test_of_a_rule_that_is_no_part_everything_counts(verified):
    result = verified("PushDownPredicates", replace(TINY, pairs=1, tables=1))
    assert (result.finder.foreign, len(result.sweeps)) == (0, 1)
    assert "part of" not in "\n".join(notes(result))


def test_a_difference_that_only_the_jvm_sees_is_a_fault_of_the_suite(verified, monkeypatch):
    real = PlanPair.run
    monkeypatch.setattr(PlanPair, "run", lambda *given, **how: replace(real(*given, **how), differ=[0]))
    with pytest.raises(NotConfirmed, match="the check of the case ends in"):
        verified("ReplaceExceptWithNotFilter")


def test_a_jvm_that_sees_no_difference_is_found_out_by_the_sample(verified, monkeypatch):
    """The ordinary check runs over databases with new answers, DuckDB included."""
    real = PlanPair.run
    monkeypatch.setattr(PlanPair, "run", lambda *given, **how: replace(real(*given, **how), differ=[]))
    assert verified("ReplaceExceptWithNotFilterAsWritten").outcome == "refuted"


def swept(monkeypatch, change):
    """Change what each call of the JVM tells; ``change`` gets the databases' versions, too."""
    real = PlanPair.run

    def run(pair, choices, **how):
        versions = [number for (number,) in unpack_choices(choices)]
        return change(real(pair, choices, **how), versions)

    monkeypatch.setattr(PlanPair, "run", run)


def unpack_choices(choices):
    return struct.iter_unpack(">H", choices)


@pytest.mark.parametrize("late", [False, True], ids=["in time", "out of time"])
def test_a_difference_counts_though_its_call_ran_out_of_time(verified, monkeypatch, late):
    swept(monkeypatch, lambda told, versions: replace(told, late=late))
    assert verified("ReplaceExceptWithNotFilterAsWritten").outcome == "refuted"


def test_a_plan_that_does_not_end_verifies_nothing(verified, monkeypatch):
    swept(monkeypatch, lambda told, versions: replace(told, differ=[], late=len(versions) > 1))
    result = verified("ReplaceExceptWithNotFilter")
    assert (result.outcome, result.endless > 0, result.finished) == ("undecided", True, False)
    assert "did not end over some database" in "\n".join(notes(result))


def test_a_plan_that_has_no_rows_over_large_databases_alone_is_checked_by_jobs(verified, monkeypatch):
    """Databases of three rows come after the others were sampled."""
    large = [number for number, content in enumerate(Versions((INT, INT), 3).contents) if len(content) == 3]

    def one_sided(told, versions):
        places = [place for place, number in enumerate(versions) if number in large]
        return replace(told, differ=[], fresh=[], unrun=places[:1], one_sided=places[:1])

    swept(monkeypatch, one_sided)
    found, real = [], verifier._Run._finds

    def finds(self, sweep, way, choices):
        found.extend(choices)
        return real(self, sweep, way, choices)

    monkeypatch.setattr(verifier._Run, "_finds", finds)
    verified("ReplaceExceptWithNotFilter", replace(TINY, pairs=1, tables=1, rows=3))
    assert any(number in large for (number,) in found)


def test_a_pair_that_the_driver_never_runs_is_checked_over_tables_with_rows(verified, monkeypatch):
    swept(
        monkeypatch,
        lambda told, versions: replace(
            told, differ=[], fresh=[], ran=0, unrun=[*range(len(versions))][:8], one_sided=[]
        ),
    )
    assert verified("ReplaceExceptWithNotFilterAsWritten").outcome == "refuted"


def test_a_finding_of_another_cause_is_kept_and_counted(verified, monkeypatch):
    monkeypatch.setattr(verifier, "convicts", lambda verdict, rules, rule: False)
    monkeypatch.setattr(verifier, "has_part", lambda checked, rules, rule: False)
    swept(monkeypatch, lambda told, versions: replace(told, differ=[]))
    result = verified("ReplaceExceptWithNotFilterAsWritten")
    assert sum(result.others.values()) > 0
    assert all(file.exists() for file in result.files)
    assert "of another cause" in "\n".join(notes(result))


def test_a_difference_of_the_pair_counts_whichever_rule_is_guilty(verified, monkeypatch):
    """The plans with the rule and without it have other rows: it is not verified, whoever else has a part."""
    monkeypatch.setattr(verifier, "convicts", lambda verdict, rules, rule: False)
    monkeypatch.setattr(verifier, "has_part", lambda checked, rules, rule: False)
    result = verified("ReplaceExceptWithNotFilterAsWritten")
    assert (result.outcome, sum(result.unexplained.values()) > 0) == ("undecided", True)


def test_the_last_difference_of_a_call_is_tried_where_the_first_one_is_no_reason(verified, monkeypatch):
    """A known divergence may come first."""
    real, tried = verifier._Run._judged, []

    def judged(self, checked, **how):
        tried.append(checked.case.database)
        return len(tried) > 1 and real(self, checked, **how)

    monkeypatch.setattr(verifier._Run, "_judged", judged)
    assert verified("ReplaceExceptWithNotFilterAsWritten").outcome == "refuted"
    assert len(set(tried)) == 2


def test_pairs_beyond_the_most_are_counted(verified):
    """One of those that one call finds is run; the text of what was enumerated covers the queries of all of them."""
    result = verified("ReplaceExceptWithNotFilter", replace(TINY, pairs=1))
    finder = result.finder
    assert result.unbegun == finder.fired - finder.alike - finder.repeated - len(result.sweeps) > 0
    assert f"found and not run: {number(result.unbegun, 'more pair')} of these queries" in notes(result)


def test_pairs_that_no_time_is_left_for_are_counted(verified, monkeypatch):
    real = Sweeper.begin

    def begin(self, pairs):
        sweeps = real(self, pairs)
        if sweeps:
            self.left.__self__.end = 0.0
        return sweeps

    monkeypatch.setattr(Sweeper, "begin", begin)
    result = verified("ReplaceExceptWithNotFilter", replace(TINY, pairs=100))
    assert (result.outcome, result.sweeps, result.finished) == ("undecided", [], False)
    assert result.unbegun == result.finder.fired - result.finder.alike - result.finder.repeated > 0


def test_an_enumeration_that_an_incident_ends_verifies_nothing(verified, monkeypatch):
    """A generator that raised is at its end: the pairs before it are no whole bound."""
    real = PairFinder.batches

    def batches(finder):
        for batch in real(finder):
            yield batch
            if batch:
                raise SparkLost("the JVM is gone")

    monkeypatch.setattr(PairFinder, "batches", batches)
    result = verified("ReplaceExceptWithNotFilter", replace(TINY, pairs=100), guard=Absorbing())
    assert (result.outcome, result.cut_off, result.finished, result.lost) == ("undecided", True, False, 0)
    assert result.sweeps
    assert "an incident ended the enumeration" in notes(result)


def test_time_that_is_up_is_said(verified):
    result = verified("ReplaceExceptWithNotFilter", replace(TINY, seconds=0.01))
    assert result.outcome == "never fired"
    assert not result.finished
