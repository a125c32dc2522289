"""Columns of other types: all tables have the type, cells keep their repeats and NULL, and aims ask for them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.tables import databases
from strategies.edits.aim import Aim
from strategies.edits.aims import aimed_cases
from strategies.edits.column_types import is_alike, with_column_of
from strategies.ir import (
    BINARY,
    DATE,
    DOUBLE,
    INT,
    STRING,
    Array,
    Case,
    Column,
    Database,
    Decimal,
    Scan,
    Settings,
    SqlType,
    Struct,
    Table,
)
from tests.unit.strategy_asserts import drawn, find_any, minimal

WORDS = Database(
    (
        Table("t0", (Column("a", STRING),), (("",), ("a",), (None,), ("a",))),
        Table("t1", (Column("a", STRING), Column("b", DATE)), (("b", None),)),
    )
)
PAIR = Struct((("p", INT), ("q", STRING)))

ALIKE: dict[str, tuple[SqlType, tuple[SqlType, ...], bool]] = {
    "the same type": (DOUBLE, (INT, DOUBLE), True),
    "another decimal": (Decimal(5, 1), (Decimal(9, 2),), True),
    "another array": (Array(DATE), (Array(INT),), True),
    "another struct": (PAIR, (Struct((("n", INT),)),), True),
    "another plain type": (INT, (DOUBLE,), False),
    "a decimal, for a double": (Decimal(9, 2), (DOUBLE,), False),
}


@pytest.mark.parametrize(("kind", "kinds", "alike"), ALIKE.values(), ids=ALIKE)
def test_types_are_alike(kind: SqlType, kinds: tuple[SqlType, ...], alike: bool) -> None:
    assert is_alike(kind, kinds) == alike


@st.composite
def changed(draw: DrawFn, database: Database, *kinds: SqlType) -> Database:
    return with_column_of(draw, database, kinds)


def test_a_value_becomes_the_one_of_the_same_place_and_null_stays() -> None:
    assert minimal(changed(WORDS, DOUBLE)) == Database(
        (
            Table("t0", (Column("a", DOUBLE),), (((0.0).hex(),), ((1.0).hex(),), (None,), ((1.0).hex(),))),
            Table("t1", (Column("a", DOUBLE), Column("b", DATE)), (((-0.0).hex(), None),)),
        )
    )


@pytest.mark.parametrize("kind", [DOUBLE, BINARY, Decimal(28, 6), Array(INT), PAIR], ids=str)
def test_one_column_of_all_tables_has_the_type(kind: SqlType) -> None:
    """Cells that were NULL, and no others, are."""

    def nulls(database: Database) -> list[list[bool]]:
        return [[value is None for value in row] for table in database.tables for row in table.rows]

    for before in drawn(databases(), count=30):
        after = minimal(changed(before, kind))
        assert all(table.columns[0].type == kind for table in after.tables)
        assert nulls(before) == nulls(after)


def of_words(number: int) -> Case:
    """A scan of a table of texts that hardly another draw has."""
    table = Table(f"t{number}", (Column("a", STRING),))
    return Case(Scan(table.name, table.columns), Database((table,)))


def in_text_files(case: Case) -> Case:
    return replace(case, settings=Settings(source="csv"))


def types(case: Case) -> set[SqlType]:
    return {column.type for table in case.database.tables for column in table.columns}


NUMBERED = st.integers(0, 10**9)


def test_an_aim_at_a_type_gets_tables_with_it() -> None:
    aim = Aim(operators=("Filter",), types=(DOUBLE,))
    find_any(aimed_cases(NUMBERED.map(of_words), aim), lambda case: DOUBLE in types(case))


@pytest.mark.parametrize(
    ("those", "aim"),
    [
        (NUMBERED.map(of_words), Aim(operators=("Filter",))),
        (NUMBERED.map(of_words), Aim(operators=("Filter",), types=(STRING,))),
        (NUMBERED.map(of_words).map(in_text_files), Aim(operators=("Filter",), types=(PAIR,))),
    ],
    ids=["an aim at no type", "a type that is there", "files that lack the type"],
)
def test_other_tables_keep_their_types(those: st.SearchStrategy[Case], aim: Aim) -> None:
    assert {kind for case in drawn(aimed_cases(those, aim), count=200) for kind in types(case)} == {STRING}
