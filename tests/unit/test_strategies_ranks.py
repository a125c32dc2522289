"""Bounds of ranks: whole-numbered ranks of the windows on top are found, and queries ask for the first rows."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from strategies.draw.draws import without_mutation
from strategies.draw.queries import queries
from strategies.draw.ranks import UPPER_BOUNDS, among_the_first, ranks
from strategies.ir import (
    BIGINT,
    INT,
    Agg,
    And,
    Col,
    Column,
    Compare,
    CompareOp,
    Database,
    Distinct,
    Expr,
    Field,
    Filter,
    Join,
    Lit,
    Or,
    Over,
    Peek,
    Ranking,
    Relation,
    Scan,
    SortKey,
    Table,
    Window,
    columns_of,
    walk,
)
from tests.unit.strategy_asserts import Sample, assert_all_examples, drawn, minimal

COLUMNS = (Column("a", INT), Column("b", INT))
T0 = Scan("t0", COLUMNS)
ORDER = (SortKey(Col("a", INT)), SortKey(Col("b", INT)))
NUMBERED = Window(T0, (Over("n", Ranking("row_number")), Over("c", Agg("count"))), (), ORDER)
RANKED = Window(NUMBERED, (Over("r", Ranking("rank")), Over("p", Ranking("percent_rank"))), (), ORDER)
RANKS = (Field("n", INT), Field("r", INT))
BOUNDS = st.composite(lambda draw: among_the_first(draw, RANKS))()
QUERIES = Sample(without_mutation(queries(Database((Table("t0", COLUMNS), Table("t1", COLUMNS))))))

FOUND: dict[str, tuple[Relation, tuple[str, ...]]] = {
    "a rank beside a count": (NUMBERED, ("n",)),
    "those of two windows, without shares": (RANKED, ("n", "r")),
    "none, of a window below another operator": (Distinct(NUMBERED), ()),
    "none, of a table": (T0, ()),
    "none whose name is in doubt": (Window(T0, (Over("a", Ranking("rank")),), (), ORDER), ()),
}


@pytest.mark.parametrize(("child", "names"), FOUND.values(), ids=FOUND)
def test_ranks_are_found(child: Relation, names: tuple[str, ...]) -> None:
    assert tuple(field.name for field in ranks(child)) == names


def test_a_condition_is_about_ranks_and_bounds_one() -> None:
    def holds(condition: Expr) -> bool:
        first = condition.left if isinstance(condition, (And, Or)) else condition
        return isinstance(first, Compare) and first.op in UPPER_BOUNDS and {*columns_of(condition)} <= {*NAMED}

    assert_all_examples(BOUNDS, holds)


NAMED = tuple(field.column() for field in RANKS)


def test_a_bound_shrinks_to_the_first_row() -> None:
    assert minimal(BOUNDS) == Compare("<=", Col("n", INT), Lit(INT, 1))


@pytest.mark.parametrize(("op", "bound"), [("<=", 1), ("=", 1), ("<", 2)])
def test_half_of_the_bounds_keep_the_first_row_alone(op: CompareOp, bound: int) -> None:
    """None is for no row at all."""
    bounds = st.composite(lambda draw: (draw(st.integers(0, 10**9)), among_the_first(draw, RANKS[:1], (op,))))()
    found = [each.right for _, each in drawn(bounds, count=400) if isinstance(each, Compare)]
    numbers = [each.value for each in found if isinstance(each, Lit)]
    assert 0.4 < numbers.count(bound) / len(numbers) < 0.6
    assert set(numbers) == {bound, bound + 1, bound + 2}


def asks_for_the_first(query: Relation, *, beside: type[Ranking | Peek] | None = None) -> bool:
    """Whether ``query`` has a filter by a rank, of a window that computes ``beside``, too, if that is given."""

    def holds(node: object) -> bool:
        if not isinstance(node, Filter) or not isinstance(node.child, Window):
            return False
        found = {field.column() for field in ranks(node.child)}
        others = [over for over in node.child.columns if over.name not in {column.name for column in found}]
        others = [over for over in others if beside is None or isinstance(over.function, beside)]
        return bool(found & {*columns_of(node.condition)}) and (beside is None or bool(others))

    return any(map(holds, walk(query)))


@pytest.mark.parametrize("beside", [None, Peek, Ranking], ids=["alone", "lead or lag", "a share"])
def test_queries_ask_for_the_first_rows(beside: type[Ranking | Peek] | None) -> None:
    assert QUERIES.find_any(lambda query: asks_for_the_first(query, beside=beside), within=4_000)


def test_the_check_for_it_sees_no_rank_in_a_count() -> None:
    counted = Filter(NUMBERED, Compare("<=", Col("c", BIGINT), Lit(BIGINT, 1)))
    assert not asks_for_the_first(counted)
    assert not asks_for_the_first(Filter(Join(T0, NUMBERED, "cross"), Compare("=", Col("n", INT), Lit(INT, 1))))
    assert asks_for_the_first(Filter(NUMBERED, Compare("=", Col("n", INT), Lit(INT, 1))))
