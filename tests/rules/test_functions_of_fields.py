"""Rules about changed fields of structs: they act on DataFrame programs, whose methods SQL lacks."""

from __future__ import annotations

import pytest

from oracles.checks.check import Harness
from oracles.checks.choices import all_that_changed
from strategies.draw.values import PAIR
from strategies.ir import (
    INT,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Expr,
    Filter,
    Form,
    GetField,
    Item,
    Lit,
    Project,
    Relation,
    Scan,
    Settings,
    Table,
    WithField,
    WithoutField,
)

A, S = Col("a", INT), Col("s", PAIR)
COLUMNS = (Column("a", INT), Column("s", PAIR))
SCAN = Scan("t0", COLUMNS)
DATABASE = Database((Table("t0", COLUMNS, ((1, (1, "a")), (2, (None, "b")), (3, None), (None, (0, None)))),))
SET = WithField(S, "p", A)


def changed(harness: Harness, query: Relation, form: Form) -> set[str]:
    """The rules that change the plan of ``query``, on whose answer all legs agree."""
    checked = harness.check(Case(query, DATABASE, Settings(source="parquet", form=form)), all_that_changed)
    assert checked.verdict.name in {"agree", "vacuous"}, checked.verdict.reason
    return {name.rpartition(".")[2] for name in checked.changed_plan}


def _of(value: Expr) -> Relation:
    return Project(SCAN, (Item("v", value), Item("a", A)))


CHANGED = {
    "field set": SET,
    "field added": WithField(S, "u", A),
    "field dropped": WithoutField(S, "p"),
    "field of a changed struct": GetField(SET, "q"),
}


@pytest.mark.parametrize("value", CHANGED.values(), ids=CHANGED)
def test_a_changed_struct_becomes_a_new_one_in_a_dataframe_program(harness: Harness, value: Expr) -> None:
    acting = changed(harness, _of(value), "dataframe")
    assert {"ReplaceUpdateFieldsExpression", "SimplifyExtractValueOps"} & acting
    assert "ReplaceUpdateFieldsExpression" not in changed(harness, _of(value), "sql")


V = Col("v", PAIR)
TWICE = {
    "set twice": WithField(V, "p", Lit(INT, 7)),
    "set and dropped": WithoutField(V, "q"),
    "set, another one added, and set again": WithField(WithField(V, "u", A), "p", Lit(INT, None)),
}


@pytest.mark.parametrize("value", TWICE.values(), ids=TWICE)
def test_changes_of_one_struct_become_one(harness: Harness, value: Expr) -> None:
    """In one projection the analyzer joins them: the optimizer meets those that CollapseProject brings together."""
    assert "OptimizeUpdateFields" in changed(harness, Project(_of(SET), (Item("w", value),)), "dataframe")


def test_one_change_of_a_struct_stays_as_it_is(harness: Harness) -> None:
    assert "OptimizeUpdateFields" not in changed(
        harness, Project(_of(S), (Item("w", WithField(V, "p", Lit(INT, 7))),)), "dataframe"
    )


def test_a_change_inside_a_condition_is_one_in_a_dataframe_program(harness: Harness) -> None:
    where = Filter(SCAN, Compare("<=>", GetField(SET, "q"), GetField(S, "q")))
    acting = changed(harness, Filter(where, Compare("=", SET, SET)), "dataframe")
    assert {"ReplaceUpdateFieldsExpression", "SimplifyExtractValueOps"} & acting


@pytest.mark.parametrize("form", ["sql", "dataframe"])
def test_a_changed_struct_is_compared_as_any_other(harness: Harness, form: Form) -> None:
    where = Filter(_of(SET), Compare("<=>", GetField(Col("v", PAIR), "p"), A))
    changed(harness, where, form)  # all legs agree, in both forms
