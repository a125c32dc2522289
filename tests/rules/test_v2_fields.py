"""The data source in memory gives the fields of structs that a query reads, and no others in their place."""

from __future__ import annotations

import pytest

from oracles.checks.choices import all_that_changed
from strategies.draw.field_reads import fields_of
from strategies.draw.values import PAIR
from strategies.ir import BIGINT, Array, Case, Col, Column, Database, Item, Project, Scan, Settings, Struct, Table

COLUMNS = (Column("s", PAIR), Column("n", Struct((("n", PAIR), ("r", BIGINT)))), Column("e", Array(PAIR)))
ROWS = (
    ((1, "a"), ((2, "b"), 3), ((4, "c"), None, (None, "d"))),
    ((None, ""), (None, None), ()),
    (None, None, None),
    ((5, None), ((None, "f"), 6), ((7, None),)),
)
DATABASE = Database((Table("t0", COLUMNS, ROWS),))
READS = [read for column in COLUMNS for read in fields_of(Col(column.name, column.type))]


@pytest.mark.parametrize("capabilities", [(), ("columns",), ("columns", "filters", "identity")], ids=" and ".join)
@pytest.mark.parametrize("read", READS, ids=str)
def test_a_field_alone_is_that_field(harness, read, capabilities):
    case = Case(Project(Scan("t0", COLUMNS), (Item("x", read),)), DATABASE, Settings("v2", capabilities=capabilities))
    checked = harness.check(case, all_that_changed, fast=True)
    assert (checked.verdict.kind, checked.has_rows) == (None, True), checked.verdict


def test_all_fields_together_are_those_of_the_rows(harness):
    items = tuple(Item(f"x{place}", read) for place, read in enumerate(READS))
    case = Case(Project(Scan("t0", COLUMNS), items), DATABASE, Settings("v2", capabilities=("columns",)))
    checked = harness.check(case, all_that_changed, fast=True)
    assert (checked.verdict.kind, checked.has_rows) == (None, True), checked.verdict
