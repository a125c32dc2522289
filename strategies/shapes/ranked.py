"""Windows of ranks, and conditions on a rank, for rules that drop the rows that come after the ranks asked for."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.draws import below, pick
from strategies.draw.orders import sort_key
from strategies.draw.scopes import scope
from strategies.ir import (
    INT,
    Agg,
    Col,
    Compare,
    CompareOp,
    Expr,
    Frame,
    Lit,
    Over,
    RankFunction,
    Ranking,
    Relation,
    SortKey,
    Window,
)
from strategies.shapes import NearMiss
from strategies.shapes.filters import PAIR, A, B
from strategies.shapes.forms import file_cases, over_fixed
from strategies.shapes.sides import scan

RANKS: tuple[RankFunction, ...] = ("rank", "row_number", "dense_rank")
"""The functions that a row has the same value of whatever rows come after it."""
RANK = (Over("n", Ranking("rank")),)
"""The rank, which equal rows share."""
N = Col("n", INT)
"""The rank's column."""
TABLE = scan(PAIR.tables[0])
"""A table of two columns, for windows made by hand."""
SHARED: tuple[RankFunction, ...] = ("rank", "dense_rank")
"""The rank functions whose value equal rows share."""
SHARES = (Over("m", Ranking("cume_dist")), Over("m", Ranking("percent_rank")))
"""Ranks that depend on the number of rows."""
PEERS = (Over("m", Agg("count")), Over("m", Agg("max", A)), Over("m", Agg("min", A)))
"""Aggregates of the rows up to the current one and its peers, if the window has an order."""
WHOLE = tuple(Over(over.name, over.function, Frame("rows", None, None)) for over in PEERS)
"""Aggregates of all rows of a partition."""


def ranked(draw: DrawFn, child: Relation, *, partitioned: bool) -> Window:
    """``child`` with the rank ``n`` of each row among all rows; if ``partitioned``, in half of the draws among the rows
    that are equal in a column. Shrinks to the rank by the first column.
    """
    fields = scope(child.fields)
    partition = (pick(draw, fields).column(),) if partitioned and draw(st.booleans()) else ()
    function = pick(draw, RANKS)
    turn = draw(below(len(fields)))
    keys = fields[turn:] + fields[:turn]
    some = pick(draw, (1, 2))
    # The number of a row needs an order in which peers are equal rows.
    size = len(keys) if function == "row_number" else some
    order = tuple(sort_key(draw, field.column()) for field in keys[:size])
    return Window(child, (Over("n", Ranking(function)),), partition, order)


def over_pair(draw: DrawFn, *columns: Over, partition: tuple[Expr, ...] = (), keys: tuple[Col, ...] = (B,)) -> Window:
    """``columns`` over a table of two columns, in an order by ``keys`` in any direction."""
    return Window(TABLE, columns, partition, tuple(sort_key(draw, key) for key in keys))


def ascending(*keys: Col) -> tuple[SortKey, ...]:
    """An order by ``keys``."""
    return tuple(SortKey(key) for key in keys)


def compared(op: CompareOp, count: int, column: Col = N) -> Expr:
    """``n op count``."""
    return Compare(op, column, Lit(INT, count))


_TURNED: dict[CompareOp, CompareOp] = {"<=": ">=", "<": ">", "=": "="}
_BOUNDS: tuple[CompareOp, ...] = tuple(_TURNED)


def at_most(draw: DrawFn, column: Col = N, *, counts: tuple[int, ...] = (1, 2, 3)) -> Expr:
    """A condition that no rank beyond a small one meets, with the rank on either side; shrinks to ``n <= 1``."""
    op = pick(draw, _BOUNDS)
    # No rank is less than 1.
    count = pick(draw, counts) + (op == "<")
    return Compare(_TURNED[op], Lit(INT, count), column) if draw(st.booleans()) else compared(op, count, column)


def miss(name: str, build: Callable[[DrawFn], Relation], *, fires: bool, weight: int = 1) -> NearMiss:
    """A near miss with the queries that ``build`` draws over the table of two columns."""
    return NearMiss(name, lambda: file_cases(over_fixed(PAIR, build)), fires=fires, weight=weight)
