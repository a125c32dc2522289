"""How far a pair of plans was run: a plan that never ends, or has no rows in the driver, is no whole bound."""

from __future__ import annotations

from assay.evaluation.small_queries import with_small_queries
from assay.verify.bound import Bound
from assay.verify.databases import Versions, databases, row_count
from assay.verify.grammar import Schema
from assay.verify.pairs import Enumerated, Pair, PairFinder
from assay.verify.sweeps import Sweep, Sweeper, Way
from assay.verify.text import headline
from assay.verify.verification import Verification
from oracles.checks.result import NO_SETTINGS
from oracles.engines.spark.plan_pairs import Swept
from oracles.rules.rule import Rule
from oracles.rules.switch import Excluded
from strategies.ir import INT, Scan, Settings
from tests.unit.test_verdict_text import evaluation, stats

BOUND = Bound(tables=1)
RULE = Rule(name="Mine", rule_name="com.acme.Mine", batch="", switch=Excluded(("com.acme.Mine",)))
SCHEMA = Schema((INT,), 1)
PAIR = Pair(query=Scan("t0", SCHEMA.columns), schema=SCHEMA, on={}, off={})
CHOICES = databases(Versions((INT,), BOUND.rows, BOUND.values), 1, ordered=False, named=True)


class Hangs:
    """Two plans of which one ends over the empty table alone; the clock runs on meanwhile."""

    def __init__(self) -> None:
        self.left = 40.0

    def run(self, choices: bytes, *, tables: int, seconds: float) -> Swept:
        late = len(choices) > 2
        self.left -= seconds if late else 0.0
        return Swept(differ=[], unrun=[], one_sided=[], fresh=[], ran=0 if late else 1, late=late)


def verification(*ways: Way) -> Verification:
    finder = PairFinder(harness=None, rule=RULE, settings=NO_SETTINGS, bound=BOUND, fired=len(ways))
    finder.stages = [Enumerated(stage, 1, complete=True) for stage in BOUND.stages()]
    sweeps = [Sweep(PAIR, [way]) for way in ways]
    return Verification(rule="Mine", point="optimizer", bound=BOUND, finder=finder, sweeps=sweeps)


def test_a_plan_that_does_not_end_verifies_nothing_though_the_time_is_nearly_up() -> None:
    every = Versions((INT,), BOUND.rows, BOUND.values)
    plans = Hangs()
    way = Way(Settings(), plans, CHOICES, [row_count(every, choice) for choice in CHOICES])
    sweeper = Sweeper(spark=None, bound=BOUND, left=lambda: plans.left)
    for most_rows in range(BOUND.rows + 1):
        sweeper.round(Sweep(PAIR, [way]), most_rows)
    result = verification(way)
    assert (result.compared, result.endless, result.outcome) == (1, 1, "undecided")
    assert with_small_queries(evaluation(stats()), result).outcome == "thin evidence"


def test_pairs_that_the_driver_does_not_run_are_no_whole_bound() -> None:
    run = Way(Settings(), None, CHOICES[:1], [0], covered=1, compared=1)
    unrun = Way(Settings(), None, unrun=(1,), problem="no equality of map")
    assert (verification(run).finished, verification(run, unrun).finished) == (True, False)


def test_pairs_without_rows_are_not_counted_as_run() -> None:
    run = Way(Settings(), None, CHOICES[:1], [0], covered=1, compared=1)
    unrun = Way(Settings(), None, unrun=(1,), problem="no equality of map")
    one_of_two = verification(run, unrun)
    assert one_of_two.outcome == "verified"
    assert ": 1 pair of plans (1 more had no rows) × all databases of at most 2 rows a table: 1 comp" in headline(
        one_of_two
    )
    assert (one_of_two.summary()["pairs"], one_of_two.summary()["pairs_without_rows"]) == (1, 1)
    assert "more had no rows" not in headline(verification(run, run))


def test_a_rule_whose_pairs_have_rows_in_fewer_than_half_is_not_verified() -> None:
    run = Way(Settings(), None, CHOICES[:1], [0], covered=1, compared=1)
    unrun = Way(Settings(), None, unrun=(1,), problem="no equality of map")
    assert verification(run, unrun, unrun).outcome == "undecided"
    assert verification(unrun).outcome == "undecided"
