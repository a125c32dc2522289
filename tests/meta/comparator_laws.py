"""The laws of comparing two results, stated for any comparator, so that planted wrong ones can be tried too.

A law takes a ``Comparator`` and raises AssertionError when it is broken. Results are Arrow tables, as engines
return them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyarrow as pa
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from oracles.answers.outcome import Row, Rows, rows_from_arrow
from oracles.answers.rows import diff, same
from tests.meta.comparator_pairs import (
    BIGINT,
    BINARY,
    DATE,
    DIFFERENT,
    DOUBLE,
    EQUAL,
    INSTANT,
    INT,
    INTS,
    MICROS_PER_DAY,
    NAN,
    NTZ,
    STRING,
    STRUCT,
    Pair,
    ints,
    table,
)


@dataclass(frozen=True, slots=True)
class Comparator:
    """The three functions that comparing is made of, and the name under which they are tried."""

    name: str
    rows: Callable[[pa.Table, bool], Rows] = rows_from_arrow
    diff: Callable[[Rows, Rows], dict[Row, int]] = diff
    same: Callable[[Rows, Rows], bool] = same


@dataclass(frozen=True, slots=True)
class Law:
    name: str
    check: Callable[[Comparator], None]


def broken_by(law: Law, comparator: Comparator) -> bool:
    """Whether ``comparator`` breaks ``law``. Only a failed assertion counts: a comparator that crashes is none."""
    try:
        law.check(comparator)
    except AssertionError:
        return True
    return False


def _equal(pair: Pair) -> Law:
    def check(comparator: Comparator) -> None:
        one, two = _read(comparator, pair)
        assert comparator.same(one, two)
        assert comparator.same(two, one)
        assert comparator.diff(one, two) == {}
        assert comparator.diff(two, one) == {}

    return Law(f"equal: {pair.name}", check)


def _different(pair: Pair) -> Law:
    def check(comparator: Comparator) -> None:
        one, two = _read(comparator, pair)
        assert not comparator.same(one, two)
        assert not comparator.same(two, one)
        assert bool(comparator.diff(one, two)) == pair.in_diff
        assert bool(comparator.diff(two, one)) == pair.in_diff

    return Law(f"different: {pair.name}", check)


def _read(comparator: Comparator, pair: Pair) -> tuple[Rows, Rows]:
    first, second = pair.ordered
    return comparator.rows(pair.one, first), comparator.rows(pair.two, second)


def _surplus_is_counted(comparator: Comparator) -> None:
    one, two = comparator.rows(ints(1, 1, 1, 2, 4), False), comparator.rows(ints(1, 3, 3, 4), False)
    assert sorted(comparator.diff(one, two).values()) == [-2, 1, 2]
    assert sorted(comparator.diff(two, one).values()) == [-2, -1, 2]


# Values of a type that are all different, and a type to which they can be cast without a loss.
Pool = tuple[pa.DataType, pa.DataType, tuple[Any, ...]]
POOLS: tuple[Pool, ...] = (
    (pa.bool_(), pa.int8(), (True, False)),
    (pa.int16(), INT, (0, 1, -1, 32767)),
    (INT, BIGINT, (0, 1, 2, 2**31 - 1)),
    (BIGINT, pa.decimal128(19, 0), (0, 2**53, 2**53 + 1, -(2**63))),
    (DOUBLE, pa.float32(), (0.0, 1.0, 5.0, NAN, float("inf"), float("-inf"))),
    (STRING, BINARY, ("", "a", "A", "a ", "NULL", "1", "true")),
    (BINARY, STRING, (b"", b"a", b"A", b"a\0")),
    (DATE, NTZ, (0, 1, -719162)),
    (NTZ, INSTANT, (0, 1, 1000, MICROS_PER_DAY)),
    (INTS, pa.list_(BIGINT), ([], [1], [1, 2], [2, 1], [None])),
    (
        STRUCT,
        pa.struct([("p", BIGINT), ("q", STRING)]),
        ({"p": 1, "q": "a"}, {"p": None, "q": "a"}, {"p": None, "q": None}),
    ),
)


Edit = tuple[pa.Table, pa.Table]


@st.composite
def edits(draw: st.DrawFn) -> Edit:
    """A result, and the same after one edit: a row dropped or repeated, a value or a column's type changed."""
    pools = draw(st.lists(st.sampled_from(POOLS), min_size=1, max_size=3))
    rows = draw(st.lists(st.tuples(*map(_cells, pools)), min_size=1, max_size=4))
    at, where = draw(st.integers(0, len(rows) - 1)), draw(st.integers(0, len(pools) - 1))
    others = [value for value in (None, *pools[where][2]) if value is not rows[at][where]]
    changed = (*rows[at][:where], draw(st.sampled_from(others)), *rows[at][where + 1 :])
    before = _table(rows, pools)
    retyped = before.column(where).cast(pools[where][1])
    after = {
        "drop": _table(rows[:at] + rows[at + 1 :], pools),
        "repeat": _table([*rows, rows[at]], pools),
        "value": _table([*rows[:at], changed, *rows[at + 1 :]], pools),
        "type": before.set_column(where, f"c{where}", retyped),
    }
    return before, after[draw(st.sampled_from(sorted(after)))]


@st.composite
def shuffles(draw: st.DrawFn) -> Edit:
    """A result, and the same rows in another order, or in the same."""
    pools = draw(st.lists(st.sampled_from(POOLS), min_size=1, max_size=3))
    rows = draw(st.lists(st.tuples(*map(_cells, pools)), max_size=4))
    return _table(rows, pools), _table(draw(st.permutations(rows)), pools)


def _cells(pool: Pool) -> st.SearchStrategy[Any]:
    return st.none() | st.sampled_from(pool[2])


def _table(rows: Sequence[tuple[Any, ...]], pools: Sequence[Pool]) -> pa.Table:
    return table(*((pool[0], [row[index] for row in rows]) for index, pool in enumerate(pools)))


def sees_edit(comparator: Comparator, edit: Edit) -> None:
    one, two = (comparator.rows(each, False) for each in edit)
    assert not comparator.same(one, two)
    assert not comparator.same(two, one)
    assert comparator.diff(one, two) or one.schema != two.schema


def ignores_shuffle(comparator: Comparator, shuffle: Edit) -> None:
    one, two = (comparator.rows(each, False) for each in shuffle)
    assert comparator.same(one, two)
    assert comparator.diff(one, two) == {}


def sees_order_where_it_counts(comparator: Comparator, shuffle: Edit) -> None:
    one, two = (comparator.rows(each, True) for each in shuffle)
    assert comparator.same(one, two) == (one.rows == two.rows)


def _sampled(name: str, draws: st.SearchStrategy[Edit], check: Callable[[Comparator, Edit], None]) -> Law:
    """A property over one sample, drawn once: dozens of comparators are asked about the same draws."""

    def check_all(comparator: Comparator) -> None:
        for each in sample():
            check(comparator, each)

    @lru_cache(maxsize=1)
    def sample() -> list[Edit]:
        drawn: list[Edit] = []

        @settings(
            settings.get_profile("default"),
            max_examples=150,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
        )
        @given(draws)
        def collect(each: Edit) -> None:
            drawn.append(each)

        collect()
        return drawn

    return Law(name, check_all)


LAWS = (
    *map(_equal, EQUAL),
    *map(_different, DIFFERENT),
    Law("every surplus copy is counted, with its sign", _surplus_is_counted),
    _sampled("any single edit is seen", edits(), sees_edit),
    _sampled("no shuffle is seen", shuffles(), ignores_shuffle),
    _sampled("order is seen where it counts", shuffles(), sees_order_where_it_counts),
)
