"""The signs of zeros as texts: where each engine has the same, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from assay.fuzz.case_mix import forms_of
from oracles.answers.outcome import Rows
from oracles.engines.duckdb import DuckdbEngine
from strategies.edits.edits import is_member
from strategies.edits.shown import signed_cases, with_signs, without_signs
from strategies.ir import (
    DOUBLE,
    FLOAT,
    INT,
    Aggregate,
    Arith,
    Call,
    Case,
    Cast,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Expr,
    Filter,
    Item,
    Lit,
    Project,
    RaisingArith,
    Relation,
    Scan,
    Table,
    walk,
)
from tests.unit.strategy_asserts import drawn, minimal

ZERO, MINUS_ZERO = (0.0).hex(), (-0.0).hex()
COLUMNS = (Column("a", DOUBLE), Column("b", INT), Column("c", FLOAT))
T0 = Scan("t0", COLUMNS)
A, B, C = Col("a", DOUBLE), Col("b", INT), Col("c", FLOAT)
DATABASE = Database((Table("t0", COLUMNS, ((ZERO, 1, MINUS_ZERO), (MINUS_ZERO, 2, None), ((1.0).hex(), 3, ZERO))),))
SUM = Project(T0, (Item("s", Arith("+", A, Lit(DOUBLE, ZERO))),))
SUMS = Project(T0, (Item("a", A), Item("d", A), Item("s", Arith("+", A, A)), Item("b", Arith("-", A, A))))
NUMBERS = [Col(name, DOUBLE) for name in "adsb"]
POSITIVE = Filter(T0, Compare(">", Call("sign", (A,)), Lit(DOUBLE, ZERO)))


def case_of(query: Relation) -> Case:
    return Case(query, DATABASE)


def texts(*values: Expr) -> list[Expr]:
    return [Call("zero_text", (value,)) for value in values]


SHOWN: dict[str, tuple[Relation, Project]] = {
    "of a table": (
        T0,
        Project(T0, (*map(Item, "abc", (A, B, C)), *map(Item, ("d", "w0"), texts(A, Cast(C, DOUBLE))))),
    ),
    "of a sum": (SUM, Project(SUM, (Item("s", Col("s", DOUBLE)), Item("a", texts(Col("s", DOUBLE))[0])))),
    "of sums before those of columns": (
        SUMS,
        Project(SUMS, (*map(Item, "adsb", NUMBERS), *map(Item, ("c", "w0"), texts(*NUMBERS[2:])))),
    ),
    "below a condition about any expression": (
        POSITIVE,
        Project(POSITIVE, (*map(Item, "abc", (A, B, C)), *map(Item, ("d", "w0"), texts(A, Cast(C, DOUBLE))))),
    ),
}


@pytest.mark.parametrize(("query", "expected"), SHOWN.values(), ids=SHOWN)
def test_texts_of_zeros_stand_beside_the_columns(query: Relation, expected: Project) -> None:
    found = with_signs(case_of(query))
    assert found is not None
    assert found.query == expected


HIDDEN: dict[str, Relation] = {
    "no floating number": Project(T0, (Item("b", B),)),
    "one of equal rows": Distinct(T0),
    "one of a group": Aggregate(T0, (Item("a", A),), ()),
    "a function that rounds": Project(T0, (Item("a", Call("round", (A,))),)),
    "a rounded number in a sum": Project(T0, (Item("a", Arith("+", A, Call("round", (A,)))),)),
    "constants of which both zeros may be one": Project(T0, (Item("a", Arith("*", A, Lit(DOUBLE, MINUS_ZERO))),)),
    "a constant that is folded": Project(T0, (Item("a", Arith("*", A, Call("negative", (Lit(DOUBLE, ZERO),)))),)),
    "a constant further down": Project(Project(T0, (Item("a", Lit(DOUBLE, ZERO)),)), (Item("a", A),)),
    "two columns of one name": Project(T0, (Item("a", A), Item("a", A))),
    "a sum that may raise": Project(T0, (Item("a", A), Item("b", RaisingArith("+", B, B)))),
}


@pytest.mark.parametrize("query", HIDDEN.values(), ids=HIDDEN)
def test_signs_that_may_differ_are_not_shown(query: Relation) -> None:
    assert with_signs(case_of(query)) is None


def test_a_sum_with_zero_has_other_signs_than_its_number() -> None:
    """An answer hides them, and a wrong rule may change them."""
    same, other = (Project(T0, (Item("s", value),)) for value in (A, Arith("+", A, Lit(DOUBLE, ZERO))))
    with DuckdbEngine() as engine:
        hidden = [engine.run(query, DATABASE) for query in (same, other)]
        shown = [engine.run(found.query, DATABASE) for query in (same, other) if (found := with_signs(case_of(query)))]
    assert isinstance(hidden[0], Rows)
    assert hidden[0] == hidden[1]
    assert [[row[-1] for row in answer.rows] for answer in shown if isinstance(answer, Rows)] == [
        [("string", "0.0"), ("string", "-0.0"), None],
        [("string", "0.0"), ("string", "0.0"), None],
    ]


def signed(those: SearchStrategy[Case]) -> SearchStrategy[Case]:
    return signed_cases(those, forms_of=forms_of)


def shows_signs(case: Case) -> bool:
    return any(isinstance(node, Call) and node.function == "zero_text" for node in walk(case.query))


def test_half_of_the_cases_that_can_show_signs() -> None:
    with_another = drawn(signed(st.integers(0, 10**9).map(sum_of_table)), count=200)
    assert 0.35 < sum(map(shows_signs, with_another)) / len(with_another) < 0.65


def sum_of_table(number: int) -> Case:
    """A sum over a table that hardly another draw has."""
    table = replace(DATABASE.tables[0], name=f"t{number}")
    return Case(replace(SUM, child=replace(T0, table=table.name)), Database((table,)))


def test_a_case_shrinks_to_one_without_signs() -> None:
    assert minimal(signed(st.just(case_of(SUM)))) == case_of(SUM)


def test_a_case_without_the_signs_is_as_it_was() -> None:
    found = with_signs(case_of(SUM))
    assert found is not None
    assert without_signs(found) == without_signs(case_of(SUM)) == case_of(SUM)


def test_edits_leave_such_cases_alone() -> None:
    """A DISTINCT that an edit puts below would let each engine choose a sign."""
    found = with_signs(case_of(SUM))
    assert found is not None
    assert is_member(case_of(SUM))
    assert not is_member(found)
