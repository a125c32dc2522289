"""Aggregates: all functions reached, nothing overflows, and no sum depends on the order of the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import DrawFn

from oracles.answers.outcome import Rows
from oracles.answers.rows import same
from oracles.engines.duckdb import DuckdbEngine
from strategies.draw.aggregates import aggregate_of, aggregates, distinct_alone, distinct_too, with_distinct
from strategies.draw.draws import without_mutation
from strategies.draw.exactness import Bits, expression_bits, field_bits, integer_bits, is_summable
from strategies.ir import (
    AGG_FUNCTIONS,
    BIGINT,
    BOOLEAN,
    DISTINCT_AGGREGATES,
    DOUBLE,
    INT,
    STRING,
    Agg,
    AggFunction,
    Aggregate,
    Arith,
    Call,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Column,
    Database,
    Decimal,
    Distinct,
    Expr,
    Field,
    Item,
    Lit,
    Map,
    MapRead,
    Node,
    NullIf,
    Project,
    Relation,
    Scan,
    SetOp,
    SqlType,
    Table,
    columns_of,
)
from tests.unit.hostile_fields import EVERYTHING, FIELDS, TABLE, extremes, is_guarded, reads_back
from tests.unit.strategy_asserts import assert_all_examples, drawn, minimal

BITS = field_bits(TABLE)
A, D = Field("a", INT), Field("d", DOUBLE)
COL_A = Col("a", INT)


@pytest.fixture(scope="module")
def sampled_aggregates() -> list[Agg]:
    """Aggregates, enough for each function to be among them."""
    return drawn(without_mutation(aggregates(FIELDS, bits=BITS)), count=2_000)


# Promise.


def test_aggregates_read_back(sampled_aggregates: list[Agg]) -> None:
    assert [found for found in sampled_aggregates if not reads_back(found)] == []


def test_everything_that_could_raise_is_guarded(sampled_aggregates: list[Agg]) -> None:
    assert [found for found in sampled_aggregates if not is_guarded(found)] == []


@pytest.mark.parametrize("depth", [-1, 5])
def test_an_impossible_depth_is_refused(depth: int) -> None:
    with pytest.raises(InvalidArgument, match=f"depth={depth} must be in 0..4"):
        aggregates(FIELDS, depth=depth)


# Reach.


@pytest.mark.parametrize(
    ("function", "distinct"),
    [*((function, False) for function in AGG_FUNCTIONS), *((function, True) for function in DISTINCT_AGGREGATES)],
)
def test_aggregates_reach_every_function(function: str, distinct: bool, sampled_aggregates: list[Agg]) -> None:
    assert any((found.function, found.distinct) == (function, distinct) for found in sampled_aggregates)


@pytest.mark.parametrize(
    "holds",
    [
        lambda found: found == Agg("count"),
        lambda found: found.where is not None,
        lambda found: found.function == "sum" and found.operand.type == DOUBLE,
        lambda found: found.function == "sum" and found.operand.type == BIGINT,
        lambda found: found.function == "avg" and found.operand.type == BIGINT,
        lambda found: found.function == "sum" and found.type not in (BIGINT, DOUBLE),
        lambda found: found.function == "min" and found.operand.type == BOOLEAN,
        lambda found: isinstance(found.operand, CaseWhen),
        lambda found: found.function == "count" and found.others and found.distinct,
        lambda found: found.function == "avg" and isinstance(found.operand.type, Decimal),
    ],
    ids=[
        "count(*)",
        "FILTER",
        "sum of doubles",
        "sum of BIGINT",
        "avg of BIGINT",
        "sum of decimals",
        "min of BOOLEAN",
        "CASE",
        "DISTINCT of several",
        "avg of decimals",
    ],
)
def test_aggregates_reach(holds: Callable[[Agg], bool], sampled_aggregates: list[Agg]) -> None:
    assert any(map(holds, sampled_aggregates))


# Minimum.


@pytest.mark.parametrize(
    ("holds", "least"),
    [
        (lambda _: True, Agg("count")),
        (lambda found: found.function == "max", Agg("max", COL_A)),
        (lambda found: found.distinct and found.function == "sum", Agg("sum", COL_A, distinct=True)),
    ],
    ids=["count(*)", "max", "DISTINCT"],
)
def test_aggregates_shrink_to(holds: Callable[[Agg], bool], least: Agg) -> None:
    assert minimal(aggregates((A, Field("b", INT))), holds) == least


# Exactness.


@pytest.mark.parametrize(
    ("expression", "bits"),
    [
        (Lit(DOUBLE, None), Bits(0, 0)),
        (Lit(DOUBLE, "nan"), Bits(0, 0)),
        (Lit(DOUBLE, (2.75).hex()), Bits(2, 2)),
        (Lit(DOUBLE, (-0.5).hex()), Bits(0, 1)),
        (D.column(), Bits(3, 2)),
        (Cast(COL_A, DOUBLE), Bits(31, 0)),
        (Arith("+", D.column(), Lit(DOUBLE, (0.5).hex())), Bits(4, 2)),
        (Arith("*", D.column(), D.column()), Bits(6, 4)),
        (Call("nanvl", (D.column(), Lit(DOUBLE, (8.0).hex()))), Bits(4, 2)),
        (MapRead(Col("m", Map(STRING, DOUBLE)), Lit(STRING, "")), Bits(3, 2)),
        (Col("inexact", DOUBLE), None),
        (Arith("-", D.column(), Col("inexact", DOUBLE)), None),
    ],
    ids=[
        "NULL",
        "NaN",
        "2.75",
        "-0.5",
        "column",
        "INT",
        "sum",
        "product",
        "nanvl",
        "read of a map",
        "inexact",
        "inexact part",
    ],
)
def test_bits_of(expression: Expr, bits: Bits | None) -> None:
    fields = (A, D, Field("inexact", DOUBLE), Field("m", Map(STRING, DOUBLE)))
    assert expression_bits(expression, fields, (None, Bits(3, 2), None, Bits(3, 2))) == bits


WIDE = Cast(COL_A, BIGINT)
SUMS: dict[str, tuple[Expr, int, bool]] = {
    "an INT": (COL_A, 31, True),
    "a BIGINT": (Col("b", BIGINT), 63, False),
    "a wider INT": (WIDE, 31, True),
    "a constant": (Lit(BIGINT, 5), 3, True),
    "a sum": (Arith("+", WIDE, Lit(BIGINT, 1)), 32, True),
    "a sum of sums": (Arith("-", WIDE, Arith("+", WIDE, WIDE)), 33, True),
    "a product": (Arith("*", WIDE, WIDE), 62, False),
    "a sum with a BIGINT": (Arith("+", WIDE, Col("b", BIGINT)), 64, False),
}


@pytest.mark.parametrize(("expression", "bits", "summable"), SUMS.values(), ids=SUMS)
def test_integers_have_bits_and_sums_of_them_fit_or_do_not(expression: Expr, bits: int, summable: bool) -> None:
    assert (integer_bits(expression), is_summable(expression)) == (bits, summable)


def test_a_sum_that_may_not_fit_is_guarded_and_one_that_fits_is_not() -> None:
    both = aggregates((A, Field("b", BIGINT)), functions=("sum",))
    sums = [found for found in drawn(both, count=300) if found.function == "sum" and found.operand is not None]
    operands = [found.operand for found in sums if found.operand is not None and found.operand.type == BIGINT]
    assert all(isinstance(operand, CaseWhen) or is_summable(operand) for operand in operands)
    assert {isinstance(operand, CaseWhen) for operand in operands} == {True, False}


@st.composite
def aggregates_of(draw: DrawFn, operand: Expr, functions: tuple[AggFunction, ...]) -> Agg:
    return aggregate_of(draw, operand, (A, D), bits=(None, None), functions=functions)


OPERANDS: dict[str, tuple[Expr, tuple[AggFunction, ...], AggFunction]] = {
    "one that takes its type": (COL_A, ("every", "max"), "max"),
    "its count, as none takes its type": (COL_A, ("every", "listagg"), "count"),
    "its count, as its sum may round": (D.column(), ("sum",), "count"),
    "its sum": (WIDE, ("sum",), "sum"),
}


@pytest.mark.parametrize(("operand", "functions", "function"), OPERANDS.values(), ids=OPERANDS)
def test_an_aggregate_of_an_operand_is(
    operand: Expr, functions: tuple[AggFunction, ...], function: AggFunction
) -> None:
    assert_all_examples(aggregates_of(operand, functions), lambda found: found == Agg(function, operand), count=20)


def test_a_table_knows_the_bits_of_doubles_in_its_maps() -> None:
    kinds: tuple[SqlType, ...] = (DOUBLE, Map(STRING, DOUBLE), Map(STRING, INT))
    assert [
        bits is not None for bits in field_bits(Scan("t", tuple(Column(f"c{n}", kind) for n, kind in enumerate(kinds))))
    ] == [True, True, False]


def test_a_percentile_has_the_bits_of_a_quarter_of_a_difference() -> None:
    quarter = Agg("percentile", Col("c3", DOUBLE), others=(Lit(DOUBLE, (0.25).hex()),))
    both = Aggregate(TABLE, (), (Item("a", quarter), Item("b", Agg("max", Col("c3", DOUBLE)))))
    percentile, column = field_bits(both)
    assert percentile == Bits(column.whole, column.fraction + 2)


@pytest.mark.parametrize(
    ("bits", "summable"), [(Bits(3, 2), True), (Bits(31, 8), True), (Bits(31, 9), False), (Bits(63, 0), False)], ids=str
)
def test_a_sum_that_may_need_more_than_53_bits_is_not_exact(bits: Bits, summable: bool) -> None:
    assert bits.summable is summable


def test_an_average_is_not_summed_again() -> None:
    averages = Aggregate(
        TABLE, (), (Item("a", Agg("avg", Col("c3", DOUBLE))), Item("b", Agg("sum", Col("c3", DOUBLE))))
    )
    assert [bits is None for bits in field_bits(averages)] == [True, False]


def sums_doubles(found: Node) -> bool:
    """Whether this aggregate depends on the order of the rows, if its doubles aren't exact."""
    return isinstance(found, Agg) and found.function in ("sum", "avg") and found.operand.type == DOUBLE


def sums_a_column_of_doubles(found: Agg) -> bool:
    return any(column.type == DOUBLE for value in results(found.operand) for column in columns_of(value))


def results(value: Expr) -> list[Expr]:
    """The expressions whose values ``value`` may have."""
    match value:
        case NullIf(left=left):
            return results(left)
        case Coalesce(operands=operands):
            return [part for operand in operands for part in results(operand)]
        case CaseWhen(branches=branches, otherwise=otherwise):
            parts = [branch.result for branch in branches] + ([] if otherwise is None else [otherwise])
            return [part for each in parts for part in results(each)]
    return [value]


def test_without_bits_no_column_of_doubles_is_summed() -> None:
    assert_all_examples(
        aggregates(FIELDS), lambda found: not (sums_doubles(found) and sums_a_column_of_doubles(found)), count=300
    )


def test_sums_of_doubles_are_the_same_in_every_order(sampled_aggregates: list[Agg]) -> None:
    rows = extremes() * 3
    sums = [Aggregate(TABLE, (), (Item("a", found),)) for found in sampled_aggregates if sums_doubles(found)]
    with DuckdbEngine() as engine:
        forth = [engine.run(query, Database((Table("t0", EVERYTHING, rows),))) for query in sums]
        back = [engine.run(query, Database((Table("t0", EVERYTHING, rows[::-1]),))) for query in sums]
    assert len(sums) > 5
    assert all(
        isinstance(one, Rows) and isinstance(two, Rows) and same(one, two) for one, two in zip(forth, back, strict=True)
    )


# Several together.

MAXIMUM, COUNT, TOTAL = Agg("max", COL_A), Agg("count"), Agg("sum", COL_A)


def test_the_first_two_that_can_be_are_distinct_beside_the_others() -> None:
    assert distinct_too([COUNT, MAXIMUM, TOTAL, MAXIMUM]) == [
        COUNT,
        replace(MAXIMUM, distinct=True),
        replace(TOTAL, distinct=True),
        MAXIMUM,
    ]


def test_those_that_can_be_are_distinct_alone() -> None:
    assert distinct_alone([COUNT, MAXIMUM, TOTAL]) == [replace(MAXIMUM, distinct=True), replace(TOTAL, distinct=True)]


def test_one_is_not_distinct_alone() -> None:
    assert distinct_alone([COUNT, MAXIMUM]) == [COUNT, MAXIMUM]


C0 = Col("c0", INT)
PAIRS = Project(TABLE, (Item("p", C0), Item("q", C0)))
ONE = Project(TABLE, (Item("p", C0),))


@st.composite
def _over(draw: DrawFn, child: Relation) -> list[Agg]:
    return with_distinct(draw, child, [COUNT], st.just(COUNT))


@pytest.mark.parametrize(
    "child",
    [
        Distinct(PAIRS),
        SetOp("except", PAIRS, PAIRS),
        Aggregate(TABLE, (Item("p", C0), Item("q", Col("c2", BIGINT))), ()),
        Aggregate(TABLE, (Item("p", C0), Item("q", Col("c2", BIGINT))), (Item("n", COUNT),)),
    ],
    ids=["distinct rows", "a set operator", "groups by two keys", "counts of groups by two keys"],
)
def test_a_column_of_different_rows_has_a_distinct_count(child: Relation) -> None:
    """Its values repeat: a rule that takes them for a key is wrong."""
    counts = [found for found in drawn(_over(child), count=60) if found != [COUNT]]
    assert {found.operand.name for (found,) in counts if isinstance(found.operand, Col)} == {"p", "q"}
    assert all((found.function, found.distinct) == ("count", True) for (found,) in counts)


@pytest.mark.parametrize(
    "child",
    [PAIRS, Distinct(ONE), SetOp("union", PAIRS, PAIRS, all=True), Aggregate(TABLE, (Item("p", C0),), ())],
    ids=["rows", "one column", "all rows of a set operator", "groups by one key"],
)
def test_other_aggregates_are_as_they_are_drawn(child: Relation) -> None:
    assert_all_examples(_over(child), lambda found: found == [COUNT])
