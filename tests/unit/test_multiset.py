"""Multisets of any size are compared by the laws of the suite's own comparator: both see the same on every pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from pathlib import Path
from random import Random

import duckdb
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from assay.volume import multiset
from assay.volume.multiset import compared, differing
from oracles.answers.outcome import Rows, UnsupportedType, rows_from_arrow
from oracles.answers.rows import diff, same
from oracles.engines.arrow import arrow_table
from strategies.draw.values import COLUMN_TYPES, NESTED_TYPES, domain
from strategies.ir import INT, INTERVAL, MONTHS, Column, Table
from tests.meta.comparator_pairs import DIFFERENT, EQUAL, Pair

PAIRS = [pair for pair in (*EQUAL, *DIFFERENT) if pair.one.num_columns and not any(pair.ordered)]
BROKEN_TEXT = [pair for pair in PAIRS if "UTF-8" in pair.name]
"""DuckDB reads no such file: there is no comparison then, and none that says "equal"."""
OTHERWISE_EQUAL = [
    pair
    for pair in PAIRS
    if any(
        is_a(pair.one.schema.field(0).type) for is_a in (pa.types.is_map, pa.types.is_interval, pa.types.is_duration)
    )
]
"""Of types that DuckDB compares in another way."""
READABLE = [pair for pair in PAIRS if pair not in (*BROKEN_TEXT, *OTHERWISE_EQUAL)]
NUMBERS = count()


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        yield connection


def in_file(connection, folder: Path, table: pa.Table) -> str:
    path = folder / f"{next(NUMBERS)}.parquet"
    parquet.write_table(table.rename_columns([f"x{at}" for at in range(table.num_columns)]), path)
    return f"read_parquet('{path}')"


def in_table(connection, folder: Path, table: pa.Table) -> str:
    name = f"t{next(NUMBERS)}"
    connection.from_arrow(table.rename_columns([f"x{at}" for at in range(table.num_columns)])).create(name)
    return name


PLACES = {"files": in_file, "tables": in_table}


def agrees(connection, folder: Path, pair: Pair, place: Callable[..., str]) -> bool:
    """Whether the two comparators say the same of a pair, and name the same rows."""
    one, two = rows_from_arrow(pair.one), rows_from_arrow(pair.two)
    sources = {"one": place(connection, folder, pair.one), "two": place(connection, folder, pair.two)}
    found = compared(connection, sources)
    ends = found.outcomes()
    same_rows = one.schema != two.schema or diff(ends["one"], ends["two"]) == diff(one, two)
    return same(one, two) == found.equal == same(ends["one"], ends["two"]) and same_rows


@pytest.mark.parametrize("pair", OTHERWISE_EQUAL, ids=lambda pair: pair.name)
def test_a_type_that_duckdb_compares_in_another_way_is_refused(connection, tmp_path, pair):
    sources = {name: in_table(connection, tmp_path, each) for name, each in (("one", pair.one), ("two", pair.two))}
    with pytest.raises(UnsupportedType, match="many rows of type"):
        compared(connection, sources)


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("pair", READABLE, ids=lambda pair: pair.name)
def test_both_comparators_see_the_same(connection, tmp_path, pair, place):
    assert agrees(connection, tmp_path, pair, place)


@pytest.mark.parametrize("pair", BROKEN_TEXT, ids=lambda pair: pair.name)
def test_text_that_is_none_is_not_compared(connection, tmp_path, pair):
    with pytest.raises(duckdb.Error):
        agrees(connection, tmp_path, pair, in_file)


TYPES = (*(kind for kind in COLUMN_TYPES if kind not in (INTERVAL, MONTHS)), *NESTED_TYPES)


def drawn(number: int) -> list[pa.Table]:
    """Three tables of hostile rows from one pool of a few, with NULLs, -0.0, NaN and repeats."""
    random = Random(number)
    columns = tuple(Column(f"c{at}", random.choice(TYPES)) for at in range(random.randint(1, 3)))
    pool = [tuple(random.choice((None, *domain(column.type))) for column in columns) for _ in range(3)]
    whole = [random.choice(pool) for _ in range(random.randrange(6))]
    legs = [list(whole), list(whole), list(whole)]
    for leg in legs:
        if random.random() < 0.4:
            leg.append(random.choice(pool))
        if leg and random.random() < 0.2:
            leg.remove(random.choice(leg))
        random.shuffle(leg)
    return [arrow_table(Table("t", columns, tuple(leg))) for leg in legs]


def test_of_three_legs_each_pair_is_told_apart_or_not(connection, tmp_path):
    """The sample alone tells which legs have the same rows, as the verdict asks."""
    kinds = Counter()
    for number in range(250):
        legs = {f"leg{at}": table for at, table in enumerate(drawn(number))}
        sources = {name: in_table(connection, tmp_path, table) for name, table in legs.items()}
        found = compared(connection, sources)
        ends, rows = found.outcomes(), {name: rows_from_arrow(table) for name, table in legs.items()}
        wanted = [same(rows[one], rows[two]) for one, two in combinations(legs, 2)]
        assert [same(ends[one], ends[two]) for one, two in combinations(legs, 2)] == wanted, number
        assert found.equal == all(wanted)
        assert dict(found.rows) == {name: len(each.rows) for name, each in rows.items()}
        named = dict(found.sample)
        assert named == {row: copies for row in named if len(set(copies := counts(rows, row))) > 1}
        kinds[tuple(wanted)] += 1
    assert min(kinds[way] for way in ((True,) * 3, (True, False, False), (False, False, True))) > 10, kinds


def counts(legs: dict[str, Rows], row) -> tuple[int, ...]:
    return tuple(each.rows.count(row) for each in legs.values())


def numbers(*values: int) -> pa.Table:
    return arrow_table(Table("t", (Column("a", INT),), tuple((value,) for value in values)))


def test_differing_rows_are_counted_and_named_with_their_copies(connection, tmp_path):
    legs = {"on": numbers(*range(1_000)), "off": numbers(*range(990), 7, 7), "duckdb": numbers(*range(990), 7, 7)}
    found = compared(connection, {name: in_file(connection, tmp_path, table) for name, table in legs.items()})
    assert (found.equal, found.differing, dict(found.rows)) == (False, 11, {"on": 1_000, "off": 992, "duckdb": 992})
    gone = [f"({number})  on x1  off x0  duckdb x0" for number in range(990, 1_000)]
    assert found.lines() == [*gone, "(7)  on x1  off x3  duckdb x3"]


def test_of_many_differing_rows_those_with_fewest_copies_are_named(connection, tmp_path):
    legs = {"on": numbers(*range(100), *range(50)), "off": numbers()}
    found = compared(connection, {name: in_file(connection, tmp_path, table) for name, table in legs.items()})
    assert (found.differing, len(found.sample)) == (100, multiset.SHOWN)
    assert found.lines()[0] == "(50)  on x1  off x0"


def test_of_very_many_copies_the_order_is_kept(connection):
    sources = {name: f"(SELECT 1 AS a FROM range({number}))" for name, number in (("on", 5_000), ("off", 4_999))}
    found = compared(connection, {**sources, "duckdb": "(SELECT 1 AS a FROM range(4999))"})
    ends = found.outcomes()
    assert found.lines() == ["(1)  on x5,000  off x4,999  duckdb x4,999"]
    assert [len(ends[leg].rows) for leg in ("on", "off", "duckdb")] == [2, 1, 1]


@dataclass(frozen=True)
class Fault:
    """The same comparison, with other rows: ``edit`` changes a column, ``text`` the statement."""

    edit: str = "{}"
    text: tuple[str, str] = ("", "")

    def differing(self, sources: Sequence[str], width: int) -> str:
        columns = [f"c{at}" for at in range(width)]
        names, edited = ", ".join(columns), ", ".join(map(self.edit.format, columns))
        each = [f"(SELECT {edited} FROM (SELECT * FROM {source}) AS e({names}))" for source in sources]
        return differing(each, width).replace(*self.text)


FAULTS = {
    "a hash decides": Fault("hash({}) % 32"),
    "its text decides": Fault("CAST({} AS VARCHAR)"),
    "NULL is no text": Fault("coalesce(CAST({} AS VARCHAR), '')"),
    "NULL is its word": Fault("coalesce(CAST({} AS VARCHAR), 'NULL')"),
    "case of letters": Fault("lower(CAST({} AS VARCHAR))"),
    "trailing blanks": Fault("rtrim(CAST({} AS VARCHAR))"),
    "long texts": Fault("left(CAST({} AS VARCHAR), 30)"),
    "numbers as doubles": Fault("coalesce(CAST(TRY_CAST({0} AS DOUBLE) AS VARCHAR), CAST({0} AS VARCHAR))"),
    "days alone": Fault("coalesce(CAST(TRY_CAST({0} AS DATE) AS VARCHAR), CAST({0} AS VARCHAR))"),
    "no column": Fault("0"),
    "copies": Fault(text=("sum(n0) <> sum(n1)", "max(n0) <> max(n1)")),
    "rows that are missing alone": Fault(text=("sum(n0) <> sum(n1)", "sum(n0) = 0")),
    "rows that are added alone": Fault(text=("sum(n0) <> sum(n1)", "sum(n1) = 0")),
    "rows with NULL": Fault(text=(" GROUP BY", " WHERE c0 IS NOT NULL GROUP BY")),
    "the first row alone": Fault(text=(") AS leg(", " LIMIT 1) AS leg(")),
}


@pytest.fixture(scope="module")
def loaded(connection):
    """Each pair's tables, and whether they hold the same."""
    folder = Path()  # nothing goes there
    return [
        (
            {"one": in_table(connection, folder, pair.one), "two": in_table(connection, folder, pair.two)},
            same(rows_from_arrow(pair.one), rows_from_arrow(pair.two)),
        )
        for pair in READABLE
    ]


def is_right(connection, loaded) -> bool:
    return all(compared(connection, sources).equal == wanted for sources, wanted in loaded)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_each_broken_law_is_noticed(connection, loaded, monkeypatch, fault):
    monkeypatch.setattr(multiset, "differing", fault.differing)
    assert not is_right(connection, loaded)


def test_without_a_fault_nothing_is_noticed(connection, loaded, monkeypatch):
    monkeypatch.setattr(multiset, "differing", Fault().differing)
    assert is_right(connection, loaded)
