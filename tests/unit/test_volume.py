"""Tables of a given size: the case's own rows, and many others of the right types."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from assay.evaluation.scaled_tables import grown
from strategies.draw.tables import schemas
from strategies.ir import INT, Column, Database, Table

OWN = Database((Table("t0", (Column("a", INT),), ((7,), (None,))),))


@settings(max_examples=30)
@given(schemas(max_tables=2))
def test_tables_of_every_type_grow_to_the_size_asked_for(schema) -> None:
    """Table's constructor refuses a value of another type."""
    assert [len(table.rows) for table in grown(schema, 50, 1).tables] == [50] * len(schema.tables)


def test_the_cases_own_rows_come_first() -> None:
    assert grown(OWN, 100, 1).tables[0].rows[:2] == ((7,), (None,))


def test_a_seed_gives_the_same_rows_again_and_another_gives_others() -> None:
    assert grown(OWN, 100, 1) == grown(OWN, 100, 1) != grown(OWN, 100, 2)


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_what_is_larger_already_stays_as_it_is(rows: int) -> None:
    assert grown(OWN, rows, 1) == OWN


def test_values_are_spread_so_that_joins_stay_small() -> None:
    values = [row[0] for row in grown(OWN, 1_000, 1).tables[0].rows]
    assert len(set(values)) > 500
    assert 50 < values.count(None) < 200
