"""A rule that evaluates expressions which another thread's query shares is noticed where two threads plan at once."""

from __future__ import annotations

import pytest

from oracles.checks.choices import fixed
from oracles.checks.result import LegSettings
from oracles.rules.switch import switch_off, switched_on
from strategies.ir import (
    INT,
    Arith,
    Case,
    Col,
    Column,
    Database,
    Element,
    HigherOrder,
    Item,
    Lit,
    MakeArray,
    Project,
    Scan,
    Settings,
    Table,
)

pytestmark = pytest.mark.by("shape")

TRIES = 20
WRONG = "ConvertToLocalRelationSharesState"
COLUMNS = (Column("a", INT), Column("b", INT))
DATABASE = Database((Table("t0", COLUMNS, tuple((n, 7 + n) for n in range(12))),))
A, B = Col("a", INT), Col("b", INT)
NEXT = HigherOrder("transform", MakeArray(INT, (A, B, A)), Arith("+", Element(INT), Lit(INT, 1)))
QUERY = Project(Scan("t0", COLUMNS), (Item("p", NEXT),))


def checked(harness, settings):
    """A check of the wrong rule in the place of Spark's, which computes the same at one thread."""
    switch = harness.catalogue.rule("ConvertToLocalRelation").switch
    legs = LegSettings(on={**switch_off([switch]), **switched_on(WRONG)})
    return harness.check(Case(QUERY, DATABASE, settings), fixed([harness.catalogue.rule(WRONG)]), legs)


def test_one_thread_shows_nothing(harness):
    found = checked(harness, Settings("local"))
    assert (found.verdict.name, found.fired, found.has_rows) == ("agree", (WRONG,), True)


def test_two_threads_convict_the_rule_and_not_sparks_own(harness):
    """It takes luck: one thread may be done before the other one begins."""
    tries = (checked(harness, Settings("local", siblings=True)) for _ in range(TRIES))
    found = next(each for each in tries if each.verdict.name != "agree")
    assert (found.verdict.kind, found.verdict.blame) == ("error", "on")
    assert "two threads" in found.legs["on"].message
