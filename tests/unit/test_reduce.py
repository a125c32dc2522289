"""Laws of the reducer, on big cases that wrong operators of a tiny engine fail on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count, islice
from operator import attrgetter
from typing import Any

import pytest
from hypothesis import given, settings

from oracles.reductions.reducer import candidates, reduce, size
from strategies import ir
from strategies.draw.cases import cases
from strategies.ir import (
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Between,
    Call,
    Case,
    Cast,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Deduplicate,
    Distinct,
    Filter,
    Item,
    Join,
    Lit,
    NullIf,
    Project,
    Relation,
    Remainder,
    Scan,
    SetOp,
    Settings,
    Table,
    TryArith,
    from_plain,
    operators,
    to_plain,
)
from tests.unit.wrong_operators import (
    DATABASE,
    PLANTED,
    SAME,
    T0,
    T2,
    A,
    B,
    Planted,
    number,
)

PLENTY = 1e9
MIXED = (
    Column("small", SMALLINT),
    Column("double", DOUBLE),
    Column("price", Decimal(5, 2)),
    Column("day", DATE),
    Column("moment", TIMESTAMP),
    Column("raw", BINARY),
    Column("yes", BOOLEAN),
    Column("text", STRING),
)
MIXED_ROWS = (
    (-32768, "nan", "-999.99", "9999-12-31", "1969-12-31 23:59:59.999999", "00ff", True, ""),
    (17, "-0x0.0p+0", "0.10", "2024-02-29", "2024-02-29 00:00:00.000000", "", False, "ß"),
    (None, None, None, None, None, None, None, None),
)
MIXED_SCAN = Scan("mixed", MIXED)
SMALL, DAY, TEXT = Col("small", SMALLINT), Col("day", DATE), Col("text", STRING)
ZOO = (
    Deduplicate(Project(T0, (Item("a", A), Item("one", number(1)))), ("a",)),
    Deduplicate(Project(T0, SAME), ("a", "b", "s")),
    Aggregate(AnyLimit(T0, 5, 2), (), (Item("n", Agg("count")),)),
    AnyLimit(Distinct(T0), 3, 1),
    Join(T0, Project(T2, (Item("k", Col("k", INT)),)), "semi", Compare("<=>", A, Col("k", INT))),
    Join(
        Alias(T0, "x1"),
        Alias(Filter(T0, Compare(">", A, B)), "x2"),
        "inner",
        Compare("=", Col("a", INT, "x2"), Col("b", INT, "x1")),
    ),
    SetOp("intersect", Project(T0, SAME[:2]), T2),
    SetOp("except", Join(T0, T2, "cross"), Join(T0, T2, "full", Compare("=", A, Col("k", INT))), all=True),
    Filter(MIXED_SCAN, Between(DAY, Lit(DATE, "2020-05-05"), Call("date_add", (DAY, number(31))), negated=True)),
    Filter(MIXED_SCAN, Compare("<", Cast(SMALL, INT), number(5))),
    Project(MIXED_SCAN, (Item("text", Call("substring", (TEXT, number(2), number(9)))), Item("x", NullIf(TEXT, TEXT)))),
    Project(MIXED_SCAN, (Item("small", TryArith("*", SMALL, Remainder(SMALL, 3))),)),
    Aggregate(
        MIXED_SCAN,
        (Item("yes", Col("yes", BOOLEAN)),),
        (Item("sum", Agg("sum", Col("price", Decimal(5, 2)), where=Compare(">", SMALL, SMALL))),),
        having=Compare(">", Col("sum", Decimal(15, 2)), Lit(Decimal(15, 2), "3.00")),
    ),
)


def case_of(query: Relation, **rows: tuple[Any, ...]) -> Case:
    """``query`` over the tables that it scans, each with the rows of that name, or those of the big database."""
    columns = {scan.table: scan.columns for scan in ir.scans(query)}
    known = {table.name: table.rows for table in DATABASE.tables} | {"mixed": MIXED_ROWS} | rows
    return Case(query, Database(tuple(Table(name, columns[name], known[name]) for name in columns)))


def always(case: Case) -> bool:
    return True


def never(case: Case) -> bool:
    return False


class Diary:
    """A predicate that remembers what it was asked, and what it said."""

    def __init__(self, fails: Callable[[Case], bool]) -> None:
        self.fails = fails
        self.asked: list[Case] = []
        self.failed: list[Case] = []

    def __call__(self, case: Case) -> bool:
        self.asked.append(case)
        answer = self.fails(case)
        self.failed += [case] * answer
        return answer


zoo = pytest.mark.parametrize("query", ZOO, ids=lambda query: type(query).__name__)
planted = pytest.mark.parametrize("fault", PLANTED, ids=attrgetter("name"))


@planted
def test_big_case_shows_the_fault(fault: Planted) -> None:
    """Else the tests below would show nothing."""
    assert fault.fails(fault.case)
    assert operators(fault.case.query) >= 12
    assert fault.case.database.row_count == 20


@planted
def test_reduces_to_the_smallest_counterexample(fault: Planted) -> None:
    reduction = reduce(fault.case, fault.fails, deadline_seconds=PLENTY)
    assert fault.fails(reduction.case)
    assert size(reduction.case)[:2] == (fault.operators, fault.rows)
    assert reduction.case.settings == Settings()
    assert reduction.complete


@planted
def test_each_try_is_new_and_each_success_smaller(fault: Planted) -> None:
    diary = Diary(fault.fails)
    reduction = reduce(fault.case, diary, deadline_seconds=PLENTY)
    sizes = [size(case) for case in (fault.case, *diary.failed)]
    assert len(set(diary.asked)) == len(diary.asked) == reduction.tried
    assert sizes == sorted(set(sizes), reverse=True)
    assert len(diary.failed) == reduction.kept
    assert diary.failed[-1] == reduction.case


@planted
def test_takes_few_tries(fault: Planted) -> None:
    """A try costs two runs of Spark and one of DuckDB."""
    assert reduce(fault.case, fault.fails, deadline_seconds=PLENTY).tried <= 80


@planted
def test_reducing_again_finds_nothing(fault: Planted) -> None:
    reduction = reduce(fault.case, fault.fails, deadline_seconds=PLENTY)
    again = reduce(reduction.case, fault.fails, deadline_seconds=PLENTY)
    assert (again.case, again.kept) == (reduction.case, 0)


@pytest.mark.parametrize("fault", PLANTED[:3], ids=attrgetter("name"))
@pytest.mark.parametrize("seconds", [0, 1, 5, 20])
def test_tries_nothing_after_the_deadline(fault: Planted, seconds: int) -> None:
    clock = count()  # a second goes by between two looks at it
    reduction = reduce(fault.case, fault.fails, deadline_seconds=seconds, clock=lambda: next(clock))
    assert reduction.tried == max(0, seconds - 1)
    assert not reduction.complete
    assert fault.fails(reduction.case)


def test_smallest_case_so_far_is_kept_at_the_deadline() -> None:
    clock = count()
    diary = Diary(PLANTED[0].fails)
    reduction = reduce(PLANTED[0].case, diary, deadline_seconds=12, clock=lambda: next(clock))
    assert reduction.case == diary.failed[-1]
    assert reduction.kept == len(diary.failed) > 0


@zoo
def test_whatever_fails_ends_as_an_empty_table(query: Relation) -> None:
    reduction = reduce(case_of(query), always, deadline_seconds=PLENTY)
    (table,) = reduction.case.database.tables
    assert reduction.case.query == Scan(table.name, table.columns)
    assert (len(table.columns), table.rows) == (1, ())


@zoo
def test_candidates_are_smaller_well_typed_and_different(query: Relation) -> None:
    case = case_of(query)
    found = list(candidates(case))
    assert len(set(found)) == len(found) > 0
    assert all(size(candidate) < size(case) for candidate in found)
    assert [from_plain(to_plain(candidate)) for candidate in found] == found


@settings(max_examples=15, deadline=None)
@given(case=cases())
def test_candidates_of_any_case_are_smaller_and_well_typed(case: Case) -> None:
    found = list(candidates(case))
    assert all(size(candidate) < size(case) for candidate in found)
    assert [from_plain(to_plain(candidate)) for candidate in found] == found


def test_a_candidate_whose_columns_could_be_meant_twice_is_passed_over() -> None:
    """Without the projection the window's column has the name of one of the table's, by which it is ordered."""
    table = ir.Scan("t0", (Column("a", INT), Column("b", INT)))
    counted = ir.Over("b", Agg("count", None))
    one = ir.Window(ir.Project(table, (ir.Item("a", Col("a", INT)),)), (counted,))
    keys = tuple(ir.SortKey(field.column()) for field in one.fields)
    ranked = ir.Over("c", Agg("count", None), ir.Frame("rows", None, 0))
    case = Case(ir.Window(one, (ranked,), order=keys), Database((ir.Table("t0", table.columns),)))
    assert all(size(candidate) < size(case) for candidate in candidates(case))


def test_what_never_fails_again_stays_as_it_was() -> None:
    """All candidates of a case are tried before it is given back, each once."""
    case = case_of(ZOO[-1])
    reduction = reduce(case, never, deadline_seconds=PLENTY)
    assert reduction.case == case
    assert (reduction.kept, reduction.complete) == (0, True)
    assert reduction.tried == len(list(candidates(case)))


def test_candidates_are_made_when_they_are_asked_for() -> None:
    """The first one has default settings and all else."""
    case = PLANTED[0].case
    assert list(islice(candidates(case), 1)) == [replace(case, settings=Settings())]
