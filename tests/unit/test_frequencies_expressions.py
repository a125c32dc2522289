"""Every kind of expression is drawn at every position that SQL allows, and queries read several tables.

Not one of 5,000 queries' cells is empty; 20,000 have the more. ``python -m tests.unit.expression_places`` prints the
table.
"""

from __future__ import annotations

import pytest

from strategies.ir import (
    BOOLEAN,
    INT,
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Arith,
    CaseWhen,
    Col,
    Column,
    Compare,
    Distinct,
    Exists,
    Filter,
    Item,
    Join,
    Lit,
    Over,
    Peek,
    Project,
    RaisingArith,
    Ranking,
    Relation,
    Scan,
    SetOp,
    SortKey,
    When,
    Window,
)
from tests.unit.campaign_queries import lacking, many_queries
from tests.unit.expression_places import FORBIDDEN, KINDS, POSITIONS, Cell, Places, cells_of, places_of, tables_read

pytestmark = pytest.mark.slow  # 5,000 draws take a minute or two

A = Col("a", INT)
SUM = Arith("+", A, Lit(INT, 1))
T0, T1 = (Scan(name, (Column("a", INT),)) for name in ("t0", "t1"))
COUNT = Item("n", Agg("count"))
POSITIVE = Compare(">", SUM, Lit(INT, 0))


@pytest.fixture(scope="module")
def places() -> Places:
    """The cells that the queries of a campaign's day fill."""
    return places_of(many_queries())


def test_no_cell_that_sql_allows_is_empty() -> None:
    assert lacking(lambda queries: places_of(queries).empty()) == set()


def test_what_sql_forbids_is_not_drawn(places: Places) -> None:
    assert [cell for cell in FORBIDDEN if places.cells[cell]] == []


@pytest.mark.parametrize("position", POSITIONS)
def test_no_position_is_rare(places: Places, position: str) -> None:
    assert sum(places.cells[kind, position] for kind in KINDS) >= 0.05 * places.queries


def test_about_half_of_the_queries_read_several_tables_and_some_read_three(places: Places) -> None:
    assert places.share_of_tables(1, 1) <= 54
    assert places.share_of_tables(2, 2) >= 25
    assert places.share_of_tables(3) >= 8


@pytest.mark.parametrize(
    "cell",
    [("Arith", "aggregate argument"), ("HigherOrder", "HAVING"), ("ScalarSubquery", "group key"), ("Agg", "HAVING")],
    ids=" as ".join,
)
def test_a_generator_that_never_draws_a_cell_is_caught(cell: Cell) -> None:
    assert cell in places_of(query for query in many_queries() if cell not in cells_of(query)).empty()


def test_a_generator_of_one_table_is_caught() -> None:
    assert places_of([T0, Filter(T0, POSITIVE)]).share_of_tables(2) == 0


WITH_SUM: dict[str, Relation] = {
    "select list": Project(T0, (Item("x", SUM),)),
    "filter": Filter(T0, POSITIVE),
    "ON": Join(T0, Alias(T1, "s"), "semi", Compare("=", Arith("+", Col("a", INT, "t0"), Lit(INT, 1)), Lit(INT, 0))),
    "aggregate argument": Aggregate(T0, (), (Item("x", Agg("max", SUM)),)),
    "group key": Aggregate(T0, (Item("x", SUM),), (COUNT,)),
    "HAVING": Aggregate(T0, (Item("a", A),), (COUNT,), POSITIVE),
    "window partition": Window(T0, (Over("w", Agg("count")),), (SUM,)),
    "window order": Window(T0, (Over("w", Ranking("rank")),), (), (SortKey(SUM),)),
    "window argument": Window(T0, (Over("w", Peek("lag", SUM, 1)),), (), (SortKey(A),)),
    "CASE branch": Filter(T0, Compare("=", CaseWhen((When(Lit(BOOLEAN, True), SUM),)), A)),
    "subquery": Filter(T0, Exists(Filter(Alias(T1, "s"), POSITIVE))),
    "side of a set operator": SetOp("union", T0, Distinct(Project(T1, (Item("a", SUM),)))),
    "child of a limit": AnyLimit(Filter(T0, POSITIVE), 1),
}


def test_each_position_has_an_example() -> None:
    assert tuple(WITH_SUM) == POSITIONS


@pytest.mark.parametrize(("position", "query"), WITH_SUM.items(), ids=WITH_SUM)
def test_a_sum_counts_where_it_stands(position: str, query: Relation) -> None:
    assert ("Arith", position) in cells_of(query)


def test_a_part_of_a_value_does_not_count_and_a_part_of_a_condition_does() -> None:
    nested = Compare("=", SUM, A)
    assert {kind for kind, at in cells_of(Project(T0, (Item("x", nested),))) if at == "select list"} == {"Compare"}
    assert {kind for kind, at in cells_of(Filter(T0, nested)) if at == "filter"} == {"Compare", "Arith", "Col", "Lit"}


def test_a_part_of_a_subquery_counts_there_and_not_around_it() -> None:
    found = cells_of(Filter(T0, Exists(Filter(Alias(T1, "s"), POSITIVE))))
    assert ("Exists", "filter") in found
    assert ("Exists", "subquery") not in found


def test_null_and_what_may_raise_are_kinds_of_their_own() -> None:
    raised = Project(T0, (Item("x", RaisingArith("+", A, A)), Item("y", Lit(INT, None))))
    assert cells_of(raised) == {("may raise", "select list"), ("Lit of NULL", "select list")}


@pytest.mark.parametrize(
    ("query", "number"),
    [(T0, 1), (SetOp("union", T0, T0), 1), (SetOp("union", T0, T1), 2)],
    ids=["one", "twice", "two"],
)
def test_a_table_counts_once(query: Relation, number: int) -> None:
    assert tables_read(query) == number
