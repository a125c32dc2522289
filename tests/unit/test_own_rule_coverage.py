"""A rule's own source file is what its coverage is about, and a JVM that is gone takes its counts along."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import pytest

from assay.coverage import own_rule
from assay.coverage.own_rule import OwnProbes, RuleCoverage
from assay.coverage.parts import Part
from assay.evaluation import check_rule
from assay.fuzz.supervision import Guard
from assay.session.ending import BadInput
from assay.session.options import RuleRequest
from oracles.checks.result import NO_SETTINGS
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.probes import Block, BlockKey, ProbesFailed
from tests.unit.coverage_samples import options

BLOCKS = {
    number: Block(BlockKey("com.acme.MyRule$", "apply()V", number), "MyRule.scala", lines, why)
    for number, (lines, why) in enumerate([((20,), ""), ((31, 34), ""), ((40,), "dead code"), ((20,), "")])
}


def coverage(*ran, fired=True):
    return RuleCoverage(Part("MyRule", True, BLOCKS, {2: "dead code"}), frozenset(ran), fired)


def test_the_lines_that_never_ran_are_named():
    assert coverage(0, 3).lines() == ["MyRule: lines 31-34 of MyRule.scala never ran"]
    assert coverage(0, 1).lines() == ["MyRule: in part: 20 of MyRule.scala"]


def test_nothing_is_said_of_a_rule_that_ran_as_a_whole():
    assert coverage(0, 1, 3).lines() == []


def test_a_summary_has_ranges():
    told = coverage(0, 3).summary()
    assert told == {"blocks": 4, "ran": 2, "never_run": {"MyRule.scala": [[31, 34]]}}


def test_probes_that_count_nothing_of_a_rule_that_fired_are_no_coverage():
    assert coverage().lines() == ["no coverage: MyRule fired, and its probes counted nothing"]
    assert coverage().summary() is None


def test_a_rule_that_was_never_called_has_lines_that_never_ran():
    assert coverage(fired=False).lines() == ["MyRule: lines 20-34 of MyRule.scala never ran"]
    assert coverage(fired=False).summary()["ran"] == 0


def test_without_classes_no_session_is_started():
    none = OwnProbes(classes={})
    none.begin(None)
    assert none.of("MyRule", None, fired=False) is None


class Session(SparkEngine):
    """An engine without a JVM."""

    pid = 1

    def __init__(self):
        pass


class PlantedProbes:
    """Counts block 0; ``fails`` names the call that ends in ProbesFailed."""

    def __init__(self, fails=""):
        self.blocks, self.fails, self.calls = tuple(BLOCKS.values()), fails, []

    def __call__(self, spark, *, own, rules):
        self.calls.append("begin")
        self._fail("begin")
        return self

    def resume(self):
        self.calls.append("resume")

    def pause(self):
        self.calls.append("pause")

    def take(self):
        self.calls.append("take")
        if self.calls.count("take") > 1:
            self._fail("take")
        return {0: 1}

    def _fail(self, call):
        if self.fails == call:
            raise ProbesFailed(f"no probes in 1 classes: {call}")


@pytest.fixture
def measured(monkeypatch):
    """A function that plants probes, and returns OwnProbes of MyRule with the list of the lines that they print."""

    def planted(probes, class_name="com.acme.MyRule"):
        monkeypatch.setattr(own_rule, "Probes", probes)
        told = []
        return OwnProbes(classes={"MyRule": class_name}, told=told.append), told

    return planted


def test_a_block_is_new_once_and_the_coverage_has_it_all_the_same(measured):
    own, told = measured(PlantedProbes())
    own.begin(Session())
    assert [own.new(Session()) for _ in range(2)] == [{0}, frozenset()]
    assert own.of("MyRule", Session(), fired=True).ran == {0}
    assert told == []


def test_a_block_is_new_again_in_the_next_evaluation(measured):
    own, _ = measured(PlantedProbes())
    for _ in range(2):
        own.begin(Session())
        assert own.new(Session()) == {0}


def test_without_probes_no_block_is_new(measured):
    own, told = measured(PlantedProbes("take"))
    assert own.new(Session()) == frozenset()
    own.begin(Session())
    assert own.new(Session()) == frozenset()
    assert told == ["no coverage: no probes in 1 classes: take"]


def test_the_blocks_of_the_rules_file_are_its_coverage(measured):
    own, told = measured(PlantedProbes())
    own.begin(Session())
    found = own.of("MyRule", Session(), fired=True)
    assert (len(found.part.blocks), found.ran, found.fired, told) == (4, {0}, True, [])
    assert own.of("Another", Session(), fired=True) is None


def test_the_coverage_of_a_rule_of_sparks_is_its_class_and_not_the_file(measured):
    measured(PlantedProbes())
    own = OwnProbes(classes={}, sparks={"MyRule": "com.acme.MyRule", "Another": "com.acme.MyR"}, told=print)
    own.begin(Session())
    found = own.of("MyRule", Session(), fired=True)
    assert (len(found.part.blocks), found.ran) == (4, {0})
    assert own.of("Another", Session(), fired=True) is None


def test_a_rule_without_a_class_file_has_no_coverage_and_says_so(measured):
    own, told = measured(PlantedProbes(), "com.acme.Another")
    own.begin(Session())
    assert own.of("MyRule", Session(), fired=True) is None
    assert told == ["no coverage: no class file of com.acme.Another was found"]


@pytest.mark.parametrize("call", ["begin", "take"])
def test_a_class_that_can_not_have_probes_ends_no_evaluation(call, measured):
    own, told = measured(PlantedProbes(call))
    own.begin(Session())
    assert own.of("MyRule", Session(), fired=True) is None
    own.begin(Session())
    own.pause(Session())
    assert told == [f"no coverage: no probes in 1 classes: {call}"]


def test_a_pause_lasts_until_the_next_rule(measured):
    probes = PlantedProbes()
    own, _ = measured(probes)
    own.pause(Session())
    own.begin(Session())
    own.pause(Session())
    own.begin(Session())
    assert probes.calls == ["begin", "resume", "take", "pause", "resume", "take"]


def test_times_are_compared_without_probes(monkeypatch):
    done = []
    stats = SimpleNamespace(all_alone=False, cases=())
    evaluator = SimpleNamespace(
        evaluate=lambda *given, **more: _Evaluation("acquitted", stats),
        guard=lambda rule: Guard(),
        harness=SimpleNamespace(spark=None),
        probes=SimpleNamespace(pause=lambda spark: done.append("pause")),
        subject=SimpleNamespace(settings=NO_SETTINGS),
    )
    monkeypatch.setattr(check_rule, "measured", lambda *given, **more: done.append("time") or ["times"])
    asked = check_rule.EvaluationRequest(options=options(), shapes={}, rows=500, keep_going=False)
    rule = SimpleNamespace(name="MyRule")
    assert check_rule._tried(asked, evaluator, rule).timings == ["times"]
    assert done == ["pause", "time"]


@dataclass
class _Evaluation:
    outcome: str
    stats: SimpleNamespace
    timings: list = field(default_factory=list)
    rows: int = 0


OWN = RuleRequest(text="com.acme.MyRule", name="MyRule", class_name="com.acme.MyRule")
SPARKS = RuleRequest(text="LimitPushDown", name="LimitPushDown")


@pytest.mark.parametrize(
    ("given", "probes"),
    [
        ({"rules": (SPARKS,)}, False),
        ({"rules": (SPARKS, OWN), "spark_conf": {"spark.driver.extraClassPath": "mine.jar"}}, True),
        ({"extensions": ("com.acme.Extension",)}, True),
        ({"rules": (SPARKS,), "extensions": ("com.acme.Extension",)}, True),
    ],
)
def test_only_rules_that_are_not_sparks_have_the_agent(given, probes, monkeypatch):
    def prepare(options, *, probes):
        raise BadInput(str(probes))

    monkeypatch.setattr(check_rule, "prepare_java", lambda: None)
    monkeypatch.setattr(check_rule, "prepare", prepare)
    with pytest.raises(BadInput, match=f"^{probes}$"):
        check_rule.run(
            check_rule.EvaluationRequest(options=replace(options(), **given), shapes={}, rows=0, keep_going=False)
        )
