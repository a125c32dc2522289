"""Databases up to a bound: all of them, each class of alike ones once, the smallest first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb

import pytest

from assay.verify import databases as module
from assay.verify.databases import Choice, Versions, databases, packed, row_count
from strategies.ir import BOOLEAN, DOUBLE, INT, STRING

TYPES = {"a number": (INT,), "two": (INT, INT), "a text": (STRING,), "a double": (DOUBLE,), "both": (INT, STRING)}
SYMMETRIES = [(ordered, named) for ordered in (True, False) for named in (True, False)]
VALUES = {INT: 3, STRING: 3, DOUBLE: 5, BOOLEAN: 3}


def rows_of(types):
    """The number of rows of columns of these types, counted by hand: NULL and the values of each."""
    number = 1
    for kind in types:
        number *= VALUES[kind]
    return number


@pytest.mark.parametrize("types", TYPES.values(), ids=TYPES)
@pytest.mark.parametrize(("most", "tables"), [(0, 2), (1, 1), (1, 2), (2, 1), (2, 2)])
def test_there_are_as_many_sequences_and_bags_as_the_formulas_say(types, most, tables):
    rows, every = rows_of(types), Versions(types, most)
    sequences = sum(rows**count for count in range(most + 1))
    bags = sum(comb(rows + count - 1, count) for count in range(most + 1))
    assert len(databases(every, tables, ordered=False, named=True)) == bags**tables
    assert len(databases(every, tables, ordered=True, named=True)) == sequences**tables


def test_two_tables_of_two_numbers_have_3025_databases():
    assert len(databases(Versions((INT, INT), 2), 2, ordered=False, named=True)) == 3_025


@pytest.mark.parametrize("values", [1, 2, 3, 4])
def test_as_many_values_as_are_asked_for(values):
    every = Versions((INT, STRING), 1, values)
    assert len(every.contents) == 1 + (values + 1) ** 2


def test_the_values_are_null_and_those_that_matter():
    assert {row[0] for row in Versions((DOUBLE,), 1).rows} == {
        None,
        "-0x0.0p+0",
        "0x0.0p+0",
        "0x1.0000000000000p+0",
        "nan",
    }
    assert {row[0] for row in Versions((STRING,), 1).rows} == {None, "", "a"}
    assert {row[0] for row in Versions((INT,), 1).rows} == {None, 0, 1}
    assert {row[0] for row in Versions((BOOLEAN,), 1).rows} == {None, False, True}


def alike(every: Versions, choice: Choice, *, ordered: bool, named: bool) -> set[Choice]:
    """All databases that the same symmetries make of ``choice``, by their definition: row by row and value by value."""
    numbers, texts = [0, 1], ["", "a"]
    turned = [{}]
    if not named:
        turned = [
            {**dict(zip(numbers, one, strict=True)), **dict(zip(texts, other, strict=True))}
            for one in (numbers, numbers[::-1])
            for other in (texts, texts[::-1])
        ]
    found = set()
    for names in turned:
        tables = [
            tuple(tuple(value if value is None else names.get(value, value) for value in row) for row in content)
            for content in (every.contents[number] for number in choice)
        ]
        orders = [[every.numbers[content]] for content in tables]
        if not ordered:
            orders = [
                [number for number, content in enumerate(every.contents) if sorted_rows(content) == sorted_rows(table)]
                for table in tables
            ]
        found |= set(product(*orders))
    return found


def sorted_rows(content):
    return sorted(content, key=repr)


def problems(every: Versions, found: Sequence[Choice], tables: int, *, ordered: bool, named: bool) -> list[str]:
    """The reasons why ``found`` doesn't stand for all databases of ``tables`` tables, once each."""
    whole = set(product(range(len(every.contents)), repeat=tables))
    classes = [alike(every, choice, ordered=ordered, named=named) for choice in found]
    covered = set().union(*classes)
    told = []
    if covered != whole:
        told.append(f"{len(whole - covered)} databases have nobody who stands for them")
    if sum(map(len, classes)) != len(covered):
        told.append("two stand for one")
    counts = [row_count(every, choice) for choice in found]
    if counts != sorted(counts):
        told.append("not in the order of rows")
    return told


SMALL = [
    ((INT,), 2, 2),
    ((STRING,), 2, 2),
    ((INT, INT), 1, 2),
    ((INT, INT), 2, 1),
    ((INT, STRING), 1, 2),
    ((DOUBLE,), 2, 1),
]


@pytest.mark.parametrize(("types", "most", "tables"), SMALL, ids=str)
@pytest.mark.parametrize(("ordered", "named"), SYMMETRIES)
def test_each_database_has_one_that_stands_for_it(types, most, tables, ordered, named):
    every = Versions(types, most)
    found = databases(every, tables, ordered=ordered, named=named)
    assert problems(every, found, tables, ordered=ordered, named=named) == []


@pytest.mark.parametrize("place", [0, 3, -1])
def test_a_database_that_is_left_out_is_noticed(place):
    every = Versions((INT,), 2)
    found = list(databases(every, 2, ordered=False, named=False))
    del found[place]
    assert problems(every, found, 2, ordered=False, named=False) != []


def test_a_value_that_is_left_out_is_noticed(monkeypatch):
    """By the count of databases, which the test makes of the values itself."""
    monkeypatch.setattr(module, "domain", lambda kind, values: (None, 0))
    assert len(Versions((INT, INT), 1).contents) != 1 + rows_of((INT, INT))


def test_a_renaming_that_loses_a_value_is_noticed(monkeypatch):
    monkeypatch.setattr(module, "_permutations", lambda values: iter([{}, dict.fromkeys(values, values[0])]))
    databases.cache_clear()
    every = Versions((INT,), 2)
    found = databases(every, 2, ordered=False, named=False)
    databases.cache_clear()
    assert problems(every, found, 2, ordered=False, named=False) != []


def test_renaming_halves_the_databases_that_it_changes():
    """Burnside: as many classes as databases that a renaming leaves as they are, on average."""
    every = Versions((INT,), 2)
    bags, fixed = 10, 3 + 1  # fixed: no rows, NULL, two of NULL; and one of each value
    assert len(databases(every, 1, ordered=False, named=False)) == (bags + fixed) // 2


def test_databases_are_packed_as_two_bytes_a_table_the_high_one_first():
    assert packed([(0, 1), (258, 3)]) == bytes([0, 0, 0, 1, 1, 2, 0, 3])
