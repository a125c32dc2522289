"""Windows: every function is reached, each has one answer, and no sum of a frame depends on the order of the rows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from oracles.answers.outcome import Rows
from oracles.engines.duckdb import DuckdbEngine
from strategies.draw.draws import without_mutation
from strategies.draw.exactness import Bits, expression_bits, field_bits
from strategies.draw.scopes import scope
from strategies.draw.windows import window, window_over, windows
from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    FRAME_UNITS,
    INT,
    INTEGERS,
    PEEK_FUNCTIONS,
    RANK_FUNCTIONS,
    SMALLINT,
    STRING,
    TIMESTAMP,
    Agg,
    Aggregate,
    CaseWhen,
    Col,
    Column,
    Database,
    Decimal,
    Distinct,
    Expr,
    Frame,
    Item,
    Join,
    Lit,
    Over,
    Peek,
    Ranking,
    Relation,
    Scan,
    SortKey,
    Table,
    Window,
    walk,
)
from tests.unit.hostile_fields import TABLE, extremes, is_guarded, reads_back
from tests.unit.strategy_asserts import assert_all_examples, drawn, find_any, minimal

COLUMNS = (Column("a", INT), Column("d", DOUBLE), Column("s", STRING), Column("day", DATE))
T0 = Scan("t0", COLUMNS)
WIDE = Scan("t1", (Column("n", Decimal(10, 2)), Column("b", BIGINT), Column("t", TIMESTAMP), Column("x", BINARY)))
A, D = Col("a", INT), Col("d", DOUBLE)
IN_DOUBT = Distinct(Join(T0, Scan("t1", COLUMNS), "cross"))
_AVERAGES = Aggregate(T0, (Item("a", A),), (Item("d", Agg("avg", D)),))


@st.composite
def two_windows(draw: DrawFn, child: Relation) -> Window:
    """A window over a window of ``child``; the lower one alone where names are in doubt."""
    return window_over(draw, window(draw, child))


@pytest.fixture(scope="module")
def sample() -> list[Window]:
    counts = {windows(T0): 1_500, windows(WIDE): 500, two_windows(T0): 300, two_windows(WIDE): 300}
    # Copies of parts of other examples would make rare frames rarer still, or none.
    return [each for kind, count in counts.items() for each in drawn(without_mutation(kind), count=count)]


@pytest.fixture(scope="module")
def sampled_columns(sample: list[Window]) -> list[Over]:
    return [column for window in sample for column in window.columns]


# Promise.


def test_windows_read_back(sample: list[Window]) -> None:
    assert [window for window in sample if not reads_back(window)] == []


def test_a_window_has_the_columns_of_its_input_first(sample: list[Window]) -> None:
    assert {tuple(field.type for field in window.fields[:4]) for window in sample} == {
        tuple(column.type for column in scan.columns) for scan in (T0, WIDE)
    }


def test_an_order_is_total_where_names_are_in_no_doubt() -> None:
    """A window can't be built otherwise, so what there is to see is that none is tried over a name in doubt."""
    assert_all_examples(windows(IN_DOUBT), lambda window: not any(over.needs_total_order for over in window.columns))


def test_a_second_window_needs_keys_whose_names_are_in_no_doubt() -> None:
    find_any(two_windows(T0), lambda upper: upper.partition and isinstance(upper.child, Window))
    found = find_any(two_windows(T0), lambda upper: not isinstance(upper.child, Window))
    assert {over.name for over in found.columns} & {column.name for column in COLUMNS}


_ALIKE: dict[str, Callable[[Window, Window], bool]] = {
    "in the same partition and order": lambda one, two: one.partition == two.partition and one.order == two.order != (),
    "by the first of the keys": lambda one, two: len(one.partition) == 1 and one.partition == two.partition[:-1],
    "by one more key": lambda one, two: bool(two.partition) and one.partition[:-1] == two.partition,
    "by the last of the keys": lambda one, two: len(one.partition) == 1 and one.partition == two.partition[1:],
    "in the other direction": lambda one, two: (
        [(key.value, not key.descending) for key in one.order[:1]]
        == [(key.value, key.descending) for key in two.order[:1]]
        != []
    ),
    "in another order": lambda one, two: one.order != () and one.order[0].value not in [key.value for key in two.order],
}


@pytest.mark.parametrize("alike", _ALIKE.values(), ids=_ALIKE)
def test_a_second_window_is_like_the_first(alike: Callable[[Window, Window], bool]) -> None:
    find_any(two_windows(T0), lambda upper: isinstance(upper.child, Window) and alike(upper, upper.child))


def moved(window: Window) -> bool:
    return any(over.frame and over.frame.unit == "range" and over.frame.has_offset for over in window.columns)


def bounded(key: Expr) -> bool:
    """Whether no value of an integer ``key`` is near the ends of its type."""
    return key.type not in INTEGERS or (isinstance(key, CaseWhen) and is_guarded(key) and key.otherwise is None)


def test_what_a_range_moves_from_is_far_from_the_ends_of_its_type(sample: list[Window]) -> None:
    keys = [window.order[0].value for window in sample if moved(window)]
    assert {key.type for key in keys} == {INT, DOUBLE, DATE, Decimal(10, 2), BIGINT, TIMESTAMP}
    assert [key for key in keys if not bounded(key)] == []


def inexact(window: Window) -> list[Agg]:
    fields, bits = scope(window.child.fields), field_bits(window.child)
    sums = [over.function for over in window.columns if over.function.function in ("sum", "avg")]
    doubles = [found for found in sums if isinstance(found, Agg) and found.operand and found.operand.type == DOUBLE]
    known = [(found, expression_bits(found.operand, fields, bits)) for found in doubles if found.operand]
    return [found for found, operand in known if operand is None or not operand.summable]


def test_no_sum_of_a_frame_depends_on_the_order_of_the_rows(sample: list[Window]) -> None:
    assert [window for window in sample if inexact(window)] == []
    assert_all_examples(windows(_AVERAGES), lambda window: not inexact(window))


def test_the_check_for_inexact_sums_sees_one() -> None:
    assert inexact(Window(_AVERAGES, (Over("w", Agg("sum", D)),)))
    assert not inexact(Window(T0, (Over("w", Agg("sum", D)),)))


@pytest.mark.slow  # DuckDB runs 400 windows
def test_windows_over_hostile_rows_run() -> None:
    """On DuckDB with its optimizer off, where no guard is moved."""
    database = Database((Table("t0", TABLE.columns, extremes()),))
    with DuckdbEngine() as engine:
        drawn_windows = [*drawn(windows(TABLE), count=300), *drawn(two_windows(TABLE), count=100)]
        answers = [engine.run(each, database, optimize=False) for each in drawn_windows]
    assert [answer for answer in answers if not isinstance(answer, Rows)] == []


# Reach.


@pytest.mark.parametrize("name", [*RANK_FUNCTIONS, *PEEK_FUNCTIONS])
def test_windows_reach_every_function(name: str, sampled_columns: list[Over]) -> None:
    assert sum(over.function.function == name for over in sampled_columns) >= 20


@pytest.mark.parametrize("bound", [None, -1, 0, 1], ids=["unbounded", "preceding", "current", "following"])
@pytest.mark.parametrize("end", ["low", "high"])
@pytest.mark.parametrize("unit", FRAME_UNITS)
def test_windows_reach_every_frame(unit: str, end: str, bound: int | None, sampled_columns: list[Over]) -> None:
    frames = [over.frame for over in sampled_columns if over.frame is not None and over.frame.unit == unit]
    bounds = [getattr(frame, end) for frame in frames]
    assert [None if found is None else (found > 0) - (found < 0) for found in bounds].count(bound) >= 5


@pytest.mark.parametrize(
    "holds",
    [
        lambda window: window.columns == (Over("b", Agg("count")),),
        lambda window: not window.partition and not window.order,
        lambda window: len(window.partition) == 2,
        lambda window: any(not isinstance(part, Col) for part in window.partition),
        lambda window: any(not isinstance(key.value, Col) for key in window.order),
        lambda window: any(key.descending and key.nulls_first for key in window.order),
        lambda window: any(not key.descending and not key.nulls_first for key in window.order),
        lambda window: len(window.columns) == 3,
        lambda window: {over.name for over in window.columns} & {field.name for field in window.child.fields},
        lambda window: any(isinstance(part, Agg) and part.where is not None for part in walk(window)),
        lambda window: any(isinstance(part, Peek) and part.ignore_nulls for part in walk(window)),
        lambda window: any(isinstance(part, Peek) and part.default is not None for part in walk(window)),
        lambda window: any(isinstance(part, Peek) and part.offset == 0 for part in walk(window)),
        lambda window: any(isinstance(part, Peek) and part.offset == -1 for part in walk(window)),
        lambda window: any(isinstance(part, Ranking) and part.buckets == 9 for part in walk(window)),
        lambda window: any(isinstance(part, Agg) and part.type == DOUBLE for part in walk(window)),
        lambda window: any(isinstance(part, Agg) and part.type == BOOLEAN for part in walk(window)),
    ],
    ids=[
        "count alone",
        "OVER ()",
        "two parts",
        "part computed",
        "order computed",
        "DESC NULLS FIRST",
        "ASC NULLS LAST",
        "three functions",
        "a name again",
        "FILTER",
        "IGNORE NULLS",
        "default",
        "lag by none",
        "lag backwards",
        "more buckets than rows",
        "doubles",
        "every",
    ],
)
def test_windows_reach(holds: Callable[[Window], object], sample: list[Window]) -> None:
    assert any(map(holds, sample))


def test_windows_over_names_in_doubt_have_an_order() -> None:
    find_any(windows(IN_DOUBT), lambda window: window.order and window.partition)


# Minimum.


@pytest.mark.parametrize(
    ("holds", "least"),
    [
        (lambda _: True, Window(T0, (Over("b", Agg("count")),))),
        (lambda found: found.partition, Window(T0, (Over("b", Agg("count")),), (A,))),
        (
            lambda found: found.columns[0].function == Ranking("rank"),
            Window(T0, (Over("b", Ranking("rank")),), (), (SortKey(A),)),
        ),
        (
            lambda found: found.columns[0].frame == Frame("range", -1, 1),
            Window(
                Scan("t0", COLUMNS[1:2]),
                (Over("a", Agg("count"), Frame("range", -1, 1)),),
                (),
                (SortKey(D),),
            ),
        ),
    ],
    ids=["count(*)", "partition", "rank", "range"],
)
def test_windows_shrink_to(holds: Callable[[Window], bool], least: Window) -> None:
    assert minimal(windows(least.child), holds) == least


def test_a_total_order_shrinks_to_the_columns_in_order() -> None:
    found = minimal(windows(T0), lambda window: isinstance(window.columns[0].function, Peek))
    peek = found.columns[0].function
    assert (len(found.columns), isinstance(peek, Peek) and peek.operand) == (1, A)
    assert [key.value for key in found.order] == [field.column() for field in scope(T0.fields)]


# Exactness.


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (Agg("sum", D), Bits(2 + 14, 2)),
        (Agg("max", D), Bits(2, 2)),
        (Agg("avg", D), None),
        (Peek("lag", D, 1), Bits(2, 2)),
        (Peek("lag", D, 1, Lit(DOUBLE, (0.125).hex())), Bits(2, 3)),
        (Peek("lag", A, 1), None),
        (Ranking("percent_rank"), None),
        (Ranking("rank"), None),
    ],
    ids=["sum", "max", "avg", "lag", "default", "lag of INT", "share", "rank"],
)
def test_bits_of_a_window_column(function: Agg | Peek | Ranking, expected: Bits | None) -> None:
    total = tuple(SortKey(field.column()) for field in scope(T0.fields))
    below: Relation = T0
    assert field_bits(Window(below, (Over("w", function),), (), total)) == (*field_bits(T0), expected)


def test_small_integers_can_be_moved() -> None:
    small = Scan("t0", (Column("a", SMALLINT),))
    find_any(windows(small), moved)
