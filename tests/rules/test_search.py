"""A search among drawn cases: what it finds, Hypothesis makes smaller, before any reducer does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import strategies as st

from oracles.repro import Subject
from oracles.run.hunt import Hunt, draw_fixed
from oracles.run.search import Search
from strategies.ir import (
    INT,
    Arith,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Item,
    Lit,
    Project,
    Scan,
    SetOp,
    Table,
)

COLUMNS = (Column("a", INT),)
T, A = Scan("t0", COLUMNS), Col("a", INT)
NEXT = (Item("a", Arith("+", A, Lit(INT, 1))),)
REUSED = SetOp("except", Project(T, NEXT), Project(Filter(T, Compare("=", A, Lit(INT, 2))), NEXT))
"""Wrong under ReplaceExceptWithFilter (SPARK-58383) wherever the table has a 1 or a 2."""

CASES = st.lists(st.tuples(st.integers(0, 3)), min_size=3, max_size=9).map(
    lambda rows: Case(REUSED, Database((Table("t0", COLUMNS, tuple(rows)),)))
)


@pytest.fixture
def hunt(laboratory, recorder, tmp_path):
    rules = draw_fixed([laboratory.catalogue.rule("ReplaceExceptWithFilter")])
    return Hunt(laboratory, Subject(), recorder, tmp_path / "found", (), rules, 1, on_record=False)


def search(hunt):
    part = Search(hunt, set(), 40)
    part.run(CASES, 8)
    assert part.finding is not None
    return part.finding


def test_what_is_found_is_drawn_smaller(hunt):
    finding = search(hunt)
    (table,) = finding.checked.case.database.tables
    assert sorted(table.rows) == [(0,), (0,), (1,)]
    assert finding.sure.case != finding.checked.case


def test_what_is_not_to_be_drawn_smaller_stays_as_it_was_found(hunt):
    finding = search(replace(hunt, drawn_smaller=False))
    assert finding.checked is finding.sure
