"""The verdict about two plans: proven, refuted by a database that the interpreter confirms, or why there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import z3

from assay.proof import cells, prove, rows
from assay.proof.algebra import (
    Aggregate,
    Aggregated,
    Apply,
    Column,
    Constant,
    Counted,
    Filter,
    Item,
    Join,
    NotEncodable,
    OneRow,
    Project,
    Replicate,
    Table,
    Union,
)
from assay.proof.prove import Outside, Proven, Refuted, Undecided, proved
from assay.proof.rows import Row
from tests.unit.proof_interpreter import answer

STORED = json.loads(Path(__file__).with_name("proof_plans.json").read_text(encoding="utf-8"))
A, B = Column(0), Column(1)
T, U = Table("t", (0,), ("number",)), Table("u", (1,), ("number",))
F = Table("f", (0,), ("boolean",))


def apply(name, *arguments):
    return Apply(name, arguments)


def only(name):
    return lambda condition: Join(name, T, U, condition)


EQUAL, SAME = apply("EqualTo", A, B), apply("EqualNullSafe", A, B)
SIGNED = Union(
    (Project((Item(0, A), Item(2, Constant(1))), T), Project((Item(1, B), Item(3, Constant(-1))), U)),
)
SUMMED = Aggregate((A,), (Item(0, A), Item(4, Aggregated("Sum", (Column(2),)))), SIGNED)
REWRITTEN = Replicate(Column(4), (), (A,), (5,), Filter(apply("GreaterThan", Column(4), Constant(0)), SUMMED))
GROUPED = Aggregate((A,), (Item(0, A),), T)
LEFT, INNER = only("left")(EQUAL), only("inner")(EQUAL)


def where(condition, plan):
    return Filter(condition, plan)


KNOWN_B = apply("IsNotNull", B)
SOUND = {
    "EXCEPT ALL by sums": (REWRITTEN, Counted("ExceptAll", (T, U))),
    "DISTINCT by groups": (GROUPED, Counted("Distinct", (T,))),
    "INTERSECT by a semi join": (
        Aggregate((A,), (Item(0, A),), only("semi")(SAME)),
        Counted("Intersect", (T, U)),
    ),
    "EXCEPT by an anti join": (Counted("Distinct", (only("anti")(SAME),)), Counted("Except", (T, U))),
    "an outer join whose padding is filtered away": (where(KNOWN_B, LEFT), where(KNOWN_B, INNER)),
    "a condition on the left, pushed": (
        where(apply("EqualTo", A, Constant(1)), LEFT),
        Join("left", where(apply("EqualTo", A, Constant(1)), T), U, EQUAL),
    ),
    "NOT of an order": (
        where(apply("Not", apply("LessThan", A, Constant(5))), T),
        where(apply("GreaterThanOrEqual", A, Constant(5)), T),
    ),
    "a truth value": (where(apply("Cast to boolean", A), T), where(apply("Not", apply("EqualTo", A, Constant(0))), T)),
    "no 33rd bit": (where(apply("LessThanOrEqual", A, Constant(2**31 - 1)), T), where(apply("IsNotNull", A), T)),
}
UNSOUND = {
    "EXCEPT ALL as EXCEPT": (Counted("Except", (T, U)), Counted("ExceptAll", (T, U))),
    "DISTINCT left out": (T, Counted("Distinct", (T,))),
    "INTERSECT by equality": (
        Aggregate((A,), (Item(0, A),), only("semi")(EQUAL)),
        Counted("Intersect", (T, U)),
    ),
    "EXCEPT by equality": (Counted("Distinct", (only("anti")(EQUAL),)), Counted("Except", (T, U))),
    "an outer join whose padding stays": (LEFT, INNER),
    "a condition on the right, pushed": (
        where(apply("EqualTo", B, Constant(1)), LEFT),
        Join("left", T, where(apply("EqualTo", B, Constant(1)), U), EQUAL),
    ),
    "NOT that takes NULL for FALSE": (
        where(apply("Not", apply("LessThan", A, Constant(5))), T),
        where(apply("Coalesce", apply("GreaterThanOrEqual", A, Constant(5)), Constant(True)), T),
    ),
    "a value that no small domain has": (where(apply("EqualTo", A, Constant(-4711)), T), where(Constant(False), T)),
    "a group that has no rows": (
        Aggregate((), (Item(9, Aggregated("Max", (Constant(1),))),), T),
        Project((Item(9, Constant(1)),), OneRow()),
    ),
    "truth values": (where(A, F), where(apply("Not", A), F)),
    "a column of the other side": (Project((Item(9, A),), INNER), Project((Item(9, B),), only("right")(EQUAL))),
}


def verdict(plans, most=2):
    return proved(*plans, rows=most, seconds=60)


@pytest.mark.parametrize("plans", SOUND.values(), ids=SOUND)
def test_plans_with_the_same_rows_are_proven_up_to_the_bound(plans):
    assert verdict(plans) == Proven(2)


def confirmed(plans, found):
    """Whether the plans have other rows over the database that was found."""
    tables = {"t": [], "u": [], "f": [], **{name: list(content) for name, content in found.items()}}
    return answer(plans[0], tables) != answer(plans[1], tables)


@pytest.mark.parametrize("plans", UNSOUND.values(), ids=UNSOUND)
def test_plans_with_other_rows_are_refuted_by_a_database_over_which_they_have_them(plans):
    found = verdict(plans)
    assert isinstance(found, Refuted)
    assert confirmed(plans, found.database)
    assert max(map(len, found.database.values())) <= 2


def test_what_takes_two_rows_is_proven_for_one():
    plans = Counted("Distinct", (T,)), T
    assert (verdict(plans, most=1), type(verdict(plans))) == (Proven(1), Refuted)


def test_a_refutation_is_one_of_as_few_rows_as_it_takes():
    legs = STORED["RewriteIntersectAll"]["on"], STORED["ReplaceIntersectWithSemiJoin"]["on"]
    found = prove.prove(*map(json.dumps, legs), rows=3, seconds=60)
    assert [len(content) for content in found.database.values()] == [2, 2]


def test_no_answer_in_time_is_undecided(monkeypatch):
    monkeypatch.setattr(z3.Solver, "check", lambda self: z3.unknown)
    assert verdict(SOUND["DISTINCT by groups"]) == Undecided()


def test_plans_with_other_numbers_of_columns_are_not_encodable():
    with pytest.raises(NotEncodable, match="different columns"):
        verdict((T, only("inner")(EQUAL)))


PROMISED = Column(0, promised=True)
PROMISES = {
    "that a table breaks": (T, False),
    "that a filter keeps": (where(apply("IsNotNull", A), T), True),
    "that an outer join breaks": (Join("right", where(apply("IsNotNull", A), T), U, EQUAL), False),
}


@pytest.mark.parametrize(("plan", "kept"), PROMISES.values(), ids=PROMISES)
def test_a_column_declared_without_null_has_none_or_nothing_is_proven(plan, kept):
    plans = [Project((Item(9, column),), plan) for column in (PROMISED, A)]
    try:
        found = verdict(plans)
    except NotEncodable as reason:
        found = str(reason)
    assert found == (Proven(2) if kept else "a column declared without NULL that may have one")


def test_a_text_that_is_no_plan_says_why():
    assert prove.prove("", "", rows=2, seconds=1) == Outside("no JSON of the plan")


REAL_SYMBOLIC, REAL_COUNTED = prove.symbolic, rows._counted
FAULTS = {
    "a table of one row fewer": (prove, "symbolic", lambda name, kinds, most: REAL_SYMBOLIC(name, kinds, most - 1)),
    "rows that are always there": (
        prove,
        "symbolic",
        lambda *given: [Row(z3.BoolVal(True), row.cells) for row in REAL_SYMBOLIC(*given)],
    ),
    "bags compared as sets": (
        rows,
        "copies",
        lambda row, several: cells.chosen(
            cells.either(*(cells.both(each.present, cells.all_alike(row.cells, each.cells)) for each in several)), 1, 0
        ),
    ),
    "= for <=> where rows are compared": (
        rows,
        "all_alike",
        lambda left, right: cells.both(
            *(cells.holds(cells.applied("EqualTo", pair)) for pair in zip(left, right, strict=True))
        ),
    ),
    "EXCEPT ALL without counts": (
        rows,
        "_counted",
        lambda kind, sides: REAL_COUNTED(kind.removesuffix("All"), sides),
    ),
    "a left join without the rows that match nothing": (rows, "_alone", lambda row, *_: Row(False, row.cells)),
    "a filter that keeps NULL": (rows, "holds", lambda cell: cells.either(cell.null, cell.value)),
}


@pytest.mark.parametrize(("place", "name", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_makes_a_verdict_wrong(place, name, fault, monkeypatch):
    """A sound pair is refuted, an unsound one proven, or a refutation isn't confirmed."""
    monkeypatch.setattr(place, name, fault)
    right = [verdict(plans) == Proven(2) for plans in SOUND.values()]
    for plans in UNSOUND.values():
        found = verdict(plans)
        right.append(isinstance(found, Refuted) and confirmed(plans, found.database))
    assert not all(right)
