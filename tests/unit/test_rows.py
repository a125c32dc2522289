"""Comparing, showing and storing results. tests/meta has the differences that the comparator must see or ignore."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.answers.outcome import KINDS, Cell, InvalidOutcome, Outcome, Raised, Row, Rows, rows_from_arrow
from oracles.answers.rows import diff, difference_table, from_plain, same, show, show_row, to_plain


def ints(*values: int | None, ordered: bool = False) -> Rows:
    return rows_from_arrow(pa.table([pa.array(values, pa.int32())], names=["c"]), ordered)


def row(value: int | None) -> Row:
    return (None if value is None else ("int32", value),)


NUMBERS = st.lists(st.none() | st.integers(0, 2), max_size=5)


@given(NUMBERS, NUMBERS)
def test_diff_is_what_turns_the_second_into_the_first(first: list[int | None], second: list[int | None]) -> None:
    surplus = diff(ints(*first), ints(*second))
    assert {value: second.count(value) + surplus.get(row(value), 0) for value in (None, 0, 1, 2)} == {
        value: first.count(value) for value in (None, 0, 1, 2)
    }


@given(NUMBERS, NUMBERS)
def test_unordered_results_are_the_same_exactly_when_there_is_no_diff(
    first: list[int | None], second: list[int | None]
) -> None:
    assert same(ints(*first), ints(*second)) == (diff(ints(*first), ints(*second)) == {})


@given(NUMBERS, NUMBERS, st.booleans(), st.booleans())
def test_same_is_symmetric(first: list[int | None], second: list[int | None], one: bool, two: bool) -> None:
    assert same(ints(*first, ordered=one), ints(*second, ordered=two)) == same(
        ints(*second, ordered=two), ints(*first, ordered=one)
    )


def test_the_table_has_each_row_that_differs_with_its_copies_per_leg() -> None:
    table = difference_table({"on": ints(1, 1, 2), "off": ints(2, 1, None), "duckdb": ints(1, 2, None)})
    assert table.legs == ("on", "off", "duckdb")
    assert table.counts == ((row(1), (2, 1, 1)), (row(None), (0, 1, 1)))
    assert table.parting is None


def test_the_table_of_equal_legs_is_empty() -> None:
    table = difference_table({"on": ints(1, 2), "off": ints(2, 1)})
    assert (table.counts, table.parting, table.types) == ((), None, "types equal: (int32)")


def test_the_table_names_the_types_that_differ() -> None:
    wide = rows_from_arrow(pa.table([pa.array([None], pa.int64())], names=["c"]))
    table = difference_table({"on": ints(None), "off": wide})
    assert (table.counts, table.types) == ((), "types differ: on (int32), off (int64)")


def test_the_table_shows_where_ordered_legs_part() -> None:
    table = difference_table({"on": ints(1, 2, 3, ordered=True), "off": ints(1, 3, 2, ordered=True)})
    assert (table.counts, table.parting) == ((), (1, (row(2), row(3))))


def test_the_table_has_no_parting_where_one_leg_is_unordered() -> None:
    assert difference_table({"on": ints(1, 2, ordered=True), "off": ints(2, 1)}).parting is None


def pairs(*rows: tuple[int, int], keys: tuple[int, ...] = (0,)) -> Rows:
    columns = [pa.array(column, pa.int32()) for column in zip(*rows, strict=True)]
    return rows_from_arrow(pa.table(columns, names=["k", "v"]), keys=keys)


ONE, BY_KEY = pairs((1, 7), (2, 8), (2, 9)), pairs((1, 7), (2, 9), (2, 8))


@pytest.mark.parametrize(
    ("other", "are_same", "parting"),
    [
        (BY_KEY, True, None),
        (pairs((2, 8), (1, 7), (2, 9)), False, 0),
        (pairs((2, 8), (1, 7), (2, 9), keys=()), True, None),
        (pairs((2, 8), (1, 7), (2, 9), keys=(1,)), True, None),
        (pairs((1, 7), (2, 8), (2, 8)), False, None),
    ],
    ids=["equal keys change places", "keys change places", "unordered", "ordered by another column", "other rows"],
)
def test_of_columns_that_order_the_rows_the_sequence_counts(other: Rows, are_same: bool, parting: int | None) -> None:
    table = difference_table({"on": ONE, "off": other})
    assert (same(ONE, other), same(other, ONE)) == (are_same, are_same)
    assert (table.parting and table.parting[0]) == parting
    assert from_plain(to_plain(ONE)) == ONE


def test_the_table_of_no_legs_is_empty() -> None:
    table = difference_table({})
    assert (table.legs, table.counts, table.parting, table.types) == ((), (), None, "types equal: ()")


SHOWN: dict[str, Cell] = {
    "NULL": None,
    "TRUE": ("bool", True),
    "FALSE": ("bool", False),
    "-7": ("int16", -7),
    "0.1": ("double", "0x1.999999999999ap-4"),
    "nan": ("double", "nan"),
    "-inf": ("float", "-inf"),
    "1.50": ("decimal128(10, 2)", "1.50"),
    "'NULL'": ("string", "NULL"),
    "'a\\n'": ("string", "a\n"),
    "X'ff'": ("string", b"\xff"),
    "X'00'": ("binary", b"\0"),
    "2024-01-31": ("date32[day]", 19_753),
    "0001-01-01": ("date32[day]", -719_162),
    "day -719163": ("date32[day]", -719_163),
    "day 2932897": ("date32[day]", 2_932_897),
    "1969-12-31 23:59:59.999999": ("timestamp[us, tz=UTC]", -1),
    "microsecond 9223372036854775807": ("timestamp[us]", 2**63 - 1),
    "3": ("timestamp[ns]", 3),
    "[1, NULL]": ("list<int32>", (("int32", 1), None)),
    "(1, 'a')": ("struct<p: int32, q: string>", (("int32", 1), ("string", "a"))),
}


@pytest.mark.parametrize(("text", "cell"), SHOWN.items(), ids=SHOWN)
def test_a_value_is_shown_as_a_reader_would_write_it(text: str, cell: Cell) -> None:
    assert show(cell) == text


def test_a_row_is_shown_with_all_its_values() -> None:
    assert show_row((None, ("string", "a"))) == "(NULL, 'a')"


CELLS: st.SearchStrategy[Any] = st.sampled_from(list(SHOWN.values()))
STORED: st.SearchStrategy[Outcome] = st.one_of(
    st.builds(Raised, st.text(), st.none() | st.text(), st.text(), st.sampled_from(KINDS)),
    st.lists(CELLS.filter(bool), max_size=3).flatmap(
        lambda cells: st.builds(
            Rows,
            st.just(tuple(tag for tag, _ in cells)),
            st.lists(st.tuples(*(st.sampled_from([None, cell]) for cell in cells)), max_size=3).map(tuple),
            st.booleans(),
        )
    ),
)


@given(STORED)
def test_an_outcome_survives_json(outcome: Outcome) -> None:
    assert from_plain(json.loads(json.dumps(to_plain(outcome), allow_nan=False))) == outcome


@given(CELLS, CELLS)
def test_values_of_one_type_are_shown_alike_only_when_they_are_equal(one: Cell, two: Cell) -> None:
    types = {cell[0] for cell in (one, two) if cell is not None}
    assert len(types) > 1 or (show(one) == show(two)) == (one == two)


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        (None, "neither rows nor an error: None"),
        ({"schema": ["int32"]}, "neither rows nor an error"),
        ({"schema": [1], "ordered": False, "rows": []}, "neither rows nor an error"),
        ({"schema": ["int32"], "ordered": False, "keys": [1], "rows": []}, "an order by the columns"),
        ({"schema": ["int32"], "ordered": False, "keys": ["c"], "rows": []}, "not the numbers of columns"),
        ({"schema": [], "ordered": 0, "rows": []}, "neither rows nor an error"),
        ({"schema": ["int32"], "ordered": False, "rows": [1]}, "not a row: 1"),
        ({"schema": ["int32"], "ordered": False, "rows": [[1]]}, "not a cell: 1"),
        ({"schema": ["int32"], "ordered": False, "rows": [[]]}, "a row of 0 cells"),
        ({"schema": ["int32"], "ordered": False, "rows": [[["int64", 1]]]}, "not a cell of type int32"),
        ({"schema": ["int32"], "ordered": False, "rows": [[["int32", True]]]}, "not a value of type int32: True"),
        ({"schema": ["int32"], "ordered": False, "rows": [[["int32", 1.0]]]}, "not a value: 1.0"),
        ({"schema": ["bool"], "ordered": False, "rows": [[["bool", 1]]]}, "not a value of type bool: 1"),
        ({"schema": ["double"], "ordered": False, "rows": [[["double", 1]]]}, "not a value of type double: 1"),
        ({"schema": ["binary"], "ordered": False, "rows": [[["binary", "00"]]]}, "not a value of type binary: '00'"),
        ({"schema": ["binary"], "ordered": False, "rows": [[["binary", {"hex": "0"}]]]}, "not hexadecimal: '0'"),
        ({"schema": ["list<bool>"], "ordered": False, "rows": [[["list<bool>", [1]]]]}, "not a cell: 1"),
        ({"raised": {"condition": "X", "sqlstate": None, "message": ""}}, "neither rows nor an error"),
        ({"raised": {"condition": "X", "sqlstate": None, "message": "", "kind": "odd"}}, "unknown kind of error 'odd'"),
    ],
    ids=repr,
)
def test_what_was_not_stored_here_is_refused(plain: object, message: str) -> None:
    with pytest.raises(InvalidOutcome, match=message):
        from_plain(plain)
