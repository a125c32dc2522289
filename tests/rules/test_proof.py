"""Pairs of optimized plans put to the solver: proven, or refuted by a database that the ordinary check confirms."""

from __future__ import annotations

import pytest

from assay.coverage.own_rule import OwnProbes
from assay.fuzz.supervision import Guard
from assay.proof import rows
from assay.proof.prove import Outside, Proven, Refuted, prove
from assay.session.own_rule import own_rule
from assay.verify import bound
from assay.verify.bound import Bound
from assay.verify.grammar import Level, Schema
from assay.verify.pairs import PairFinder
from assay.verify.sweeps import Sweeper
from assay.verify.text import notes
from assay.verify.verifier import NotConfirmed, Verifier
from oracles.checks.result import NO_SETTINGS
from oracles.failures.failure import Subject, read_failure
from strategies.ir import (
    INT,
    Alias,
    And,
    Arith,
    Compare,
    Distinct,
    Filter,
    InList,
    Item,
    Join,
    Lit,
    Project,
    Scan,
    SetOp,
    Values,
    ValuesRow,
)

pytestmark = pytest.mark.in_driver
SCHEMA = Schema((INT, INT), 2)
T, U = (Scan(name, SCHEMA.columns) for name in ("t0", "t1"))
L, R = Alias(T, "l"), Alias(U, "r")
A = T.fields[0].column()
LEFT_A, RIGHT_A, RIGHT_B = L.fields[0].column(), R.fields[0].column(), R.fields[1].column()
ZERO = Lit(INT, 0)
JOINED = Join(L, R, "left", Compare("=", LEFT_A, RIGHT_A))
IS_ZERO, RIGHT_IS_ZERO = Compare("=", A, ZERO), Compare("=", RIGHT_B, ZERO)
ROWS = Values(("a", "b"), (ValuesRow((ZERO, Lit(INT, None))), ValuesRow((ZERO, ZERO))))

PROVEN = {
    "except all": ("RewriteExceptAll", SetOp("except", T, U, all=True)),
    "intersect all": ("RewriteIntersectAll", SetOp("intersect", T, U, all=True)),
    "intersect all with rows of the plan": ("RewriteIntersectAll", SetOp("intersect", T, ROWS, all=True)),
    "distinct": ("ReplaceDistinctWithAggregate", Distinct(T)),
    "distinct over a union": ("ReplaceDistinctWithAggregate", Distinct(SetOp("union", T, U, all=True))),
    "intersect": ("ReplaceIntersectWithSemiJoin", SetOp("intersect", T, U)),
    "except": ("ReplaceExceptWithAntiJoin", SetOp("except", T, U)),
    "except of a condition": ("ReplaceExceptWithFilter", SetOp("except", T, Filter(T, IS_ZERO))),
    "outer join": ("EliminateOuterJoin", Filter(JOINED, RIGHT_IS_ZERO)),
    "full join": (
        "EliminateOuterJoin",
        Filter(Join(L, R, "full", Compare("=", LEFT_A, RIGHT_A)), And(RIGHT_IS_ZERO, Compare(">", LEFT_A, ZERO))),
    ),
    "pushed": ("PushPredicateThroughJoin", Filter(JOINED, InList(LEFT_A, tuple(Lit(INT, n) for n in range(12))))),
}
LEFT_OUT = {
    "arithmetic": (
        "ReplaceDistinctWithAggregate",
        Distinct(Project(T, (Item("c", Arith("+", A, Lit(INT, 1))),))),
        "arithmetic",
    ),
}


@pytest.fixture
def optimized(harness):
    """Both optimized plans of a query, as the verification has them."""

    def run(rule, query):
        limits = Bound(rows=1)
        finder = PairFinder(harness=harness, rule=harness.catalogue.rule(rule), settings=NO_SETTINGS, bound=limits)
        (pair,) = finder._found(SCHEMA, [query])
        (sweep,) = Sweeper(spark=harness.spark, bound=limits, left=lambda: 600.0).begin([pair])
        return sweep.ways[0].plans.optimized()

    return run


@pytest.mark.parametrize(("rule", "query"), PROVEN.values(), ids=PROVEN)
def test_what_a_sound_rule_does_is_proven_for_all_values(optimized, rule, query):
    assert prove(*optimized(rule, query), rows=2, seconds=120) == Proven(2)


@pytest.mark.parametrize(("rule", "query", "why"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_is_left_out_says_why(optimized, rule, query, why):
    assert prove(*optimized(rule, query), rows=2, seconds=120) == Outside(why)


def test_plans_of_other_queries_are_refuted(optimized):
    on, _ = optimized(*PROVEN["except all"])
    _, off = optimized("ReplaceExceptWithAntiJoin", SetOp("except", T, U))
    found = prove(on, off, rows=2, seconds=120)
    assert isinstance(found, Refuted)
    assert len(found.database["t0"]) == 2


@pytest.fixture
def verified(harness, tmp_path, monkeypatch):
    """The verification of a rule in which only the solver looks for differences."""
    monkeypatch.setattr(bound, "LEVELS", (Level(1, 0), Level(2, 0)))
    monkeypatch.setattr(Sweeper, "round", lambda *given: [])
    monkeypatch.setattr("assay.verify.verifier._Run._sampled", lambda *given: False)

    def run(name, settings=NO_SETTINGS):
        verifier = Verifier(
            harness=harness,
            subject=Subject(settings=settings),
            folder=tmp_path,
            failures=tmp_path / "failures",
            bound=Bound(operators=2, pairs=2, seconds=600),
            guard=lambda rule: Guard(),
            stands_for={},
            probes=OwnProbes(classes={}),
            prove=True,
        )
        return verifier.verify(harness.catalogue.rule(name))

    return run


def test_a_wrong_rule_that_the_solver_refutes_is_refuted_by_the_ordinary_check(verified):
    name = "ReplaceExceptWithNotFilterAsWritten"
    result = verified(name, own_rule(name).settings({}))
    assert (result.outcome, result.proofs.refuted, result.compared) == ("refuted", 2, 0)
    (finding,) = result.findings
    assert finding.checked.verdict.blame == "on"
    assert read_failure(finding.file).case.database.row_count == 1


def test_a_sound_rule_is_proven_and_the_text_says_so(verified):
    result = verified("RewriteExceptAll")
    assert result.summary()["proof"] == {"rows": 2, "proven": 2, "refuted": 0, "undecided": 0, "not_encodable": {}}
    assert "proven for all values, up to 2 rows a table: 2 of 2 pairs" in "\n".join(notes(result))


def test_a_refutation_that_does_not_reproduce_is_a_fault_of_the_suite(verified, monkeypatch):
    """Here the reference's EXCEPT ALL is encoded as EXCEPT."""
    real = rows._counted
    monkeypatch.setattr(rows, "_counted", lambda kind, sides: real(kind.removesuffix("All"), sides))
    with pytest.raises(NotConfirmed, match=r"the solver has a database .* the check of the case ends in agree"):
        verified("RewriteExceptAll")
