"""UNPIVOT: what it refuses, what is drawn, how it is written, and how cases with it are minimized."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracles.reductions.fit import splice
from oracles.reductions.repoint import Fit
from oracles.sql import DataFrameCompiler, DuckdbCompiler, SparkCompiler
from strategies.draw.queries import queries
from strategies.draw.unpivots import unpivots
from strategies.ir import (
    INT,
    STRING,
    Col,
    Column,
    Database,
    Field,
    InvalidQuery,
    Item,
    Join,
    Project,
    Relation,
    Scan,
    Table,
    Unpivot,
    walk,
)
from tests.unit.sample_tables import ONE, T0, T1, A, B, D
from tests.unit.strategy_asserts import assert_all_examples, find_any, minimal

_COLUMNS = (Column("a", INT), Column("b", INT), Column("c", STRING))
_SCHEMA = Database((Table("t0", _COLUMNS),))
_SCAN = Scan("t0", _COLUMNS)
_A, _B = Col("a", INT), Col("b", INT)

REFUSED: dict[str, tuple[Callable[[], Relation], str]] = {
    "no column": (lambda: Unpivot(T0, (), "x", "v"), "at least one column"),
    "a column twice": (lambda: Unpivot(T0, (A, A), "x", "v"), "none twice"),
    "two types": (lambda: Unpivot(T0, (A, B), "x", "v"), "columns of one type"),
    "another column": (lambda: Unpivot(T0, (Col("z", INT),), "x", "v"), "no column"),
    "a name that stays": (lambda: Unpivot(T0, (A,), "B", "v"), "must be new names"),
    "one new name": (lambda: Unpivot(T0, (A,), "x", "X"), "must be new names"),
    "an input with a name twice": (lambda: Unpivot(Join(T0, T1, "cross"), (D,), "x", "v"), "a name twice"),
}


@pytest.mark.parametrize(("make", "why"), REFUSED.values(), ids=REFUSED)
def test_refused(make: Callable[[], Relation], why: str) -> None:
    with pytest.raises(InvalidQuery, match=why):
        make()


def test_its_columns_are_those_that_stay_the_name_and_the_value() -> None:
    fields = Unpivot(_SCAN, (_B, _A), "a", "v").fields
    assert fields == (Field("c", STRING), Field("a", STRING), Field("v", INT))


TEXTS = {
    False: (
        "SELECT * FROM `t0` UNPIVOT (`v` FOR `x` IN (`b`, `a`))",
        'SELECT * FROM "t0" UNPIVOT ("v" FOR "x" IN ("b", "a"))',
        "t0.alias('t0').unpivot(['`c`'], ['`b`', '`a`'], 'x', 'v').where(F.col('`v`').isNotNull())",
    ),
    True: (
        "SELECT * FROM `t0` UNPIVOT INCLUDE NULLS (`v` FOR `x` IN (`b`, `a`))",
        'SELECT * FROM "t0" UNPIVOT INCLUDE NULLS ("v" FOR "x" IN ("b", "a"))',
        "t0.alias('t0').unpivot(['`c`'], ['`b`', '`a`'], 'x', 'v')",
    ),
}


@pytest.mark.parametrize("nulls", TEXTS, ids=["without NULLs", "with NULLs"])
def test_text(nulls: bool) -> None:
    query = Unpivot(_SCAN, (_B, _A), "x", "v", nulls)
    compilers = (SparkCompiler(), DuckdbCompiler(), DataFrameCompiler())
    assert tuple(compiler.compile(query) for compiler in compilers) == TEXTS[nulls]


def test_drawn_ones_have_columns_of_one_type_of_their_input() -> None:
    assert_all_examples(unpivots(_SCAN), lambda one: 1 <= len(one.columns) <= 2 and one.child == _SCAN)


@pytest.mark.parametrize(
    "reached",
    [
        lambda one: one.nulls and len(one.columns) == 2,
        lambda one: not one.nulls and one.columns == (_B,),
        lambda one: one.columns[0].type == STRING,
        lambda one: one.value in ("a", "b") or one.name in ("a", "b"),
    ],
    ids=["NULLs of two", "one", "texts", "the name of a column that it takes"],
)
def test_reached(reached: Callable[[Unpivot], bool]) -> None:
    find_any(unpivots(_SCAN), reached)


def test_shrinks_to_one_column() -> None:
    assert minimal(unpivots(_SCAN)) == Unpivot(_SCAN, (_A,), "a", "d")


def test_queries_have_it() -> None:
    find_any(queries(_SCHEMA, max_operators=3), lambda query: any(isinstance(node, Unpivot) for node in walk(query)))


def test_a_smaller_input_leaves_the_columns_that_it_has() -> None:
    query = Unpivot(_SCAN, (_B, _A), "x", "v")
    smaller = Project(_SCAN, (Item("k", _B), Item("c", Col("c", STRING))))
    found = splice(query, ("child",), Fit(smaller, (None, 0, 1)))
    assert found == Unpivot(smaller, (Col("k", INT),), "x", "v")


def test_an_input_without_its_columns_is_refused() -> None:
    with pytest.raises(InvalidQuery):
        splice(Unpivot(_SCAN, (_A,), "x", "v"), ("child",), Fit(Project(_SCAN, (Item("k", ONE),)), (None, None, None)))
