"""Edits of a case: valid, bounded, of every kind, and none in the end."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from assay.fuzz.case_mix import forms_of, fuzz_cases
from oracles.answers.outcome import Raised, Rows
from oracles.engines.duckdb import DuckdbEngine
from strategies import ir
from strategies.draw.cases import cases
from strategies.draw.draws import without_mutation
from strategies.edits import edits
from strategies.edits.bounds import is_bounded
from strategies.edits.edits import MAX_EDITED_OPERATORS, Edited, edited_cases, is_member, neighbours
from strategies.edits.places import GUARDS, node_at, places, relation_places, with_node_at
from strategies.ir import (
    BIGINT,
    DOUBLE,
    INT,
    Agg,
    Aggregate,
    Alias,
    Arith,
    Case,
    CaseWhen,
    Col,
    Column,
    Compare,
    CteScan,
    Database,
    Distinct,
    Filter,
    InvalidQuery,
    Item,
    Join,
    Lit,
    Not,
    Project,
    RaisingCast,
    Relation,
    Scan,
    Settings,
    Table,
    may_raise,
    operators,
    scans,
    walk,
)
from strategies.shapes import load_shapes
from tests.unit.edit_samples import COL_A, FILTERED, PLAIN, SUM, T0, T1, A, case_of, conditions
from tests.unit.strategy_asserts import assert_all_examples, drawn, find_any, minimal


@cache
def calm() -> list[Case]:
    """Drawn cases that can't raise."""
    return [case for case in drawn(fuzz_cases(load_shapes(), ()), count=300) if not may_raise(case.query)]


@cache
def members() -> list[Case]:
    """Those of which edits may be made."""
    return list(filter(is_member, calm()))


def columns(case: Case) -> list[tuple[str, ir.SqlType]]:
    return [(field.name, field.type) for field in case.query.fields]


# Promises of an edited case.


def test_an_edited_query_has_the_columns_of_its_member():
    heads = [columns(case) for case in members()]
    assert_all_examples(neighbours(members(), forms_of=forms_of), lambda case: columns(case) in heads, count=100)


@pytest.mark.parametrize("case", PLAIN, ids=lambda case: type(case.query).__name__)
def test_each_edit_keeps_the_columns(case: Case):
    assert_all_examples(edited_cases(case, donors=PLAIN), lambda new: columns(new) == columns(case))


def test_an_edited_database_holds_exactly_the_tables_that_the_query_reads():
    def holds(case: Case) -> bool:
        return {table.name for table in case.database.tables} == {scan.table for scan in scans(case.query)}

    assert_all_examples(neighbours(members(), forms_of=forms_of), holds, count=100)


def test_edited_queries_stay_bounded_and_small():
    def holds(case: Case) -> bool:
        return is_bounded(case.query) and operators(case.query) <= MAX_EDITED_OPERATORS

    assert_all_examples(neighbours(members(), forms_of=forms_of), holds, count=100)


def test_drawn_queries_are_bounded():
    assert [case.query for case in calm() if not is_bounded(case.query)] == []


def test_an_edited_query_has_the_form_of_its_settings():
    assert_all_examples(
        neighbours(members(), forms_of=forms_of), lambda case: case.settings.form in forms_of(case.query), count=200
    )


def test_no_edit_may_raise():
    assert_all_examples(neighbours(members(), forms_of=forms_of), lambda case: not may_raise(case.query), count=100)


def test_edited_queries_run_and_many_of_them_return_rows():
    """On DuckDB with its optimizer off, where no guard is moved. Of 150 edits, 50 to 60 % do, by the seed."""
    with DuckdbEngine() as engine:
        new = drawn(neighbours(members(), forms_of=forms_of), count=150)
        answers = [(case, engine.run(case.query, case.database, optimize=False)) for case in new]
    assert [(case, answer) for case, answer in answers if isinstance(answer, Raised) and answer.kind == "user"] == []
    assert sum(isinstance(answer, Rows) and answer.rows != () for _, answer in answers) > 0.4 * len(answers)


RAISES = case_of(Project(T0, (Item("x", RaisingCast(COL_A, ir.SMALLINT)),)))


def test_of_a_query_that_may_raise_only_the_settings_are_edited():
    assert_all_examples(edited_cases(RAISES, donors=PLAIN), lambda case: case.query == RAISES.query)
    find_any(edited_cases(RAISES), lambda case: case.settings != RAISES.settings)
    assert_all_examples(edited_cases(RAISES), lambda case: case.settings.ansi)


def test_a_donor_brings_its_tables():
    other = Scan("t0", (Column("x", DOUBLE),))
    donor = Case(Filter(other, ir.IsNull(Col("x", DOUBLE))), Database((Table("t0", other.columns, ((None,),)),)))
    edited = without_mutation(edited_cases(PLAIN[0], donors=[donor]))
    found = find_any(edited, lambda case: len(case.database.tables) == 2)
    assert found.database.tables[1] == Table("t1", other.columns, ((None,),))
    assert Alias(Scan("t1", other.columns), "t0") in walk(found.query)


def test_most_edits_change_the_case():
    new = drawn(neighbours(members(), forms_of=forms_of), count=300)
    assert sum(case in members() for case in new) < 75


def test_edits_are_edited_again():
    """A corpus grows by edits of edits, so an edited case is a member like any other."""
    new = drawn(neighbours(members(), forms_of=forms_of), count=100)
    assert_all_examples(neighbours(new, forms_of=forms_of), lambda case: is_bounded(case.query))


# Edited cases shrink to their members.


@pytest.mark.parametrize("case", PLAIN, ids=lambda case: type(case.query).__name__)
def test_an_edited_case_shrinks_to_the_member(case: Case):
    assert minimal(edited_cases(case, donors=PLAIN)) == case


def test_neighbours_shrink_to_the_first_member():
    assert minimal(neighbours(PLAIN)) == PLAIN[0]


def test_an_edit_that_matters_shrinks_to_that_edit_alone():
    found = minimal(
        edited_cases(FILTERED, donors=PLAIN), lambda case: any(isinstance(c, Not) for c in conditions(case))
    )
    negations = [each for each in conditions(found) if isinstance(each, Not)]
    assert (len(negations), operators(found.query) - operators(FILTERED.query) <= 1) == (1, True)
    assert found.settings == Settings()


# Members and donors are refused.


def test_a_large_member_a_raising_donor_and_no_members_are_refused():
    with pytest.raises(InvalidArgument, match="max_operators=0"):
        edited_cases(FILTERED, max_operators=0)
    with pytest.raises(InvalidArgument, match="may raise"):
        edited_cases(FILTERED, donors=[RAISES])
    with pytest.raises(InvalidArgument, match="no members"):
        neighbours([])
    with pytest.raises(InvalidArgument, match="may raise"):
        neighbours([FILTERED, RAISES])


PAIRED = ir.MakeStruct(("p", "q"), (COL_A, COL_A))
FORMS: dict[str, tuple[Relation, ir.Form, ir.Form]] = {
    "what both say, in SQL": (Project(T0, (Item("x", PAIRED),)), "sql", "sql"),
    "what both say, in a program": (Project(T0, (Item("x", PAIRED),)), "dataframe", "dataframe"),
    "a changed field": (Project(T0, (Item("x", ir.WithField(PAIRED, "p", COL_A)),)), "sql", "dataframe"),
    "rows as objects": (ir.TypedFilter(Project(T0, (Item("a", COL_A),)), "a", "is_null"), "sql", "dataframe"),
    "a common table expression": (ir.With("c", T0, ir.CteScan("c", T0.columns)), "dataframe", "sql"),
}


@pytest.mark.parametrize(("query", "before", "after"), FORMS.values(), ids=FORMS)
def test_an_edited_query_runs_in_the_form_that_says_all_of_it(query: Relation, before: ir.Form, after: ir.Form):
    edited = Edited(replace(PLAIN[0], settings=ir.Settings(form=before)), (), forms_of)
    assert edited.with_query(query).settings.form == after


# A broken edit shows.


def test_a_broken_edit_is_noticed(monkeypatch: pytest.MonkeyPatch):
    """An edit that loses a column is refused by no constructor at the root: the promise of the columns fails."""

    def narrowed(draw, edited):
        return edited.with_query(Project(edited.query, (Item("a", COL_A),)))

    monkeypatch.setattr(edits, "EDITS", (narrowed,))
    with pytest.raises(AssertionError):
        assert_all_examples(edited_cases(PLAIN[0]), lambda case: columns(case) == columns(PLAIN[0]))


def big_sum(operand: ir.Expr, child: Relation) -> Aggregate:
    return Aggregate(child, (), (Item("s", Agg("sum", operand)),))


LONG, REAL = Scan("t0", (Column("a", BIGINT),)), Scan("t0", (Column("a", DOUBLE),))
COUNTED = Aggregate(T0, (), (Item("a", Agg("count")),))
HALVES = Project(REAL, (Item("a", Arith("*", Col("a", DOUBLE), Lit(DOUBLE, (2.0**-50).hex()))),))
GUARDED = CaseWhen((ir.When(ir.Between(Col("a", BIGINT), Lit(BIGINT, -1000), Lit(BIGINT, 1000)), Col("a", BIGINT)),))
WIDE = Join(Join(T0, Alias(T0, "x"), "cross"), Join(Alias(T0, "y"), Alias(T0, "z"), "cross"), "cross")


@pytest.mark.parametrize(
    ("query", "bounded"),
    [
        (big_sum(COL_A, T0), True),
        (big_sum(Col("a", BIGINT), LONG), False),
        (big_sum(GUARDED, LONG), True),
        (big_sum(Col("a", BIGINT), COUNTED), True),
        (big_sum(Col("a", DOUBLE), REAL), True),
        (big_sum(Col("a", DOUBLE), HALVES), False),
        (WIDE, False),
        (WIDE.left, True),
    ],
    ids=["ints", "longs", "guarded longs", "counts", "doubles", "small parts of doubles", "four joined", "two joined"],
)
def test_a_query_is_bounded(query: Relation, bounded: bool):
    assert is_bounded(query) is bounded


def test_a_query_with_a_map_in_a_column_is_no_member():
    made = ir.MakeMap((Lit(INT, 1),), (Col("a", INT),))
    read, kept = (ir.Project(T0, (ir.Item("m", value),)) for value in (ir.MapRead(made, Lit(INT, 1)), made))
    assert is_member(Case(read, FILTERED.database))
    assert not is_member(Case(ir.Project(Alias(kept, "s"), (ir.Item("n", Lit(INT, 1)),)), FILTERED.database))
    with pytest.raises(InvalidArgument, match="a map in a column"):
        neighbours([Case(kept, FILTERED.database)])


# Places.


def test_a_node_at_its_place_is_the_query_itself():
    found = [(case.query, path) for case in members()[:40] for path in places(case.query, lambda node: True)]
    assert all(with_node_at(query, path, node_at(query, path)) == query for query, path in found)


def test_a_node_above_refuses_other_columns():
    with pytest.raises(InvalidQuery):
        with_node_at(SUM, (("child", None), ("child", None)), T1)


def test_guards_are_no_places():
    query = big_sum(GUARDED, LONG)
    assert any(isinstance(node_at(query, path), ir.Between) for path in places(query, lambda node: True))
    inside = places(query, lambda node: isinstance(node, ir.Between), apart_from=GUARDS)
    assert list(inside) == []


def test_relations_with_outer_columns_are_no_places():
    inner = Filter(Alias(T1, "s"), Compare("=", Col("a", INT), ir.Outer("b", INT, "t0")))
    query = Filter(Alias(T0, "t0"), ir.Exists(inner))
    found = [node_at(query, path) for path in relation_places(query)]
    assert inner not in found
    assert Alias(T1, "s") in found


def test_references_to_a_cte_are_no_places():
    query = ir.With("c0", T1, Distinct(CteScan("c0", (A,))))
    assert [node_at(query, path) for path in relation_places(query)] == [query, T1]


def test_a_general_case_is_a_member_as_well():
    members = list(filter(is_member, drawn(cases(), count=60)))
    assert_all_examples(st.sampled_from(members).flatmap(edited_cases), lambda case: is_bounded(case.query))
