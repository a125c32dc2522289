"""A window over another one, for rules that merge the two or change their order."""

from __future__ import annotations

from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.scopes import scope
from strategies.ir import (
    Agg,
    AggFunction,
    Col,
    Database,
    Expr,
    Filter,
    Frame,
    Item,
    Over,
    Project,
    RankFunction,
    Ranking,
    Relation,
    SortKey,
    Window,
    aggregate_type,
)
from strategies.shapes.context import in_context
from strategies.shapes.filters import A, B
from strategies.shapes.ranked import PEERS, RANK, TABLE, compared

Keys = tuple[Expr, ...]
Order = tuple[SortKey, ...]


def pair(draw: DrawFn, child: Relation, lower: tuple[Keys, Order], upper: tuple[Keys, Order]) -> Window:
    """Two windows over ``child`` with a column each, ``n`` and ``m``, by the given partitions and orders."""
    below = Window(child, (_over(draw, "n", child, lower[1]),), *lower)
    return Window(below, (_over(draw, "m", child, upper[1]),), *upper)


def _over(draw: DrawFn, name: str, child: Relation, order: Order) -> Over:
    """A function of a column that doesn't depend on the order of peers.

    Of any other operand Spark makes a column first, in a projection between the windows.
    """
    columns = [field.column() for field in scope(child.fields)]
    functions = [Agg(function, column) for column in columns for function in _EXTREMES if _can(function, column)]
    ranks = [Ranking(function) for function in _RANKS] if order else []
    options: tuple[Agg | Ranking, ...] = (Agg("count"), *functions, *ranks)
    function = pick(draw, options)
    frame = pick(draw, _FRAMES if order else _FRAMES[:2])
    return Over(name, function, frame if isinstance(function, Agg) else None)


_EXTREMES: tuple[AggFunction, ...] = ("max", "min", "count")
_RANKS: tuple[RankFunction, ...] = ("rank", "dense_rank", "percent_rank", "cume_dist")
_FRAMES = (None, Frame("rows", None, None), None, Frame("range", 0, None), Frame("range", 0, 0))


def _can(function: AggFunction, column: Col) -> bool:
    return aggregate_type(function, column.type) is not None


def in_some_context(draw: DrawFn, schema: Database, windows: Window) -> Relation:
    """``windows`` alone, or in few draws below another operator, which may not need both of them."""
    return windows if not one_in(draw, 4) else in_context(draw, schema, windows, reads=True)


# Near misses: over a table of two columns.

COUNT = Over("n", Agg("count"))
"""The lower window's column."""


def running(draw: DrawFn, name: str) -> Over:
    """A rank or an aggregate of the rows up to the current one and its peers."""
    return Over(name, pick(draw, (*RANK, *PEERS)).function)


def ordered(draw: DrawFn, lower: tuple[Keys, Order], upper: tuple[Keys, Order]) -> Relation:
    """Running functions over the pair of columns."""
    return Window(Window(TABLE, (running(draw, "n"),), *lower), (running(draw, "m"),), *upper)


def unordered(draw: DrawFn, lower: Keys, upper: Keys) -> Relation:
    """Aggregates of whole partitions."""
    function = pick(draw, PEERS).function
    return Window(Window(TABLE, (COUNT,), lower), (Over("m", function),), upper)


def reading(draw: DrawFn, lower: Keys, upper: Keys) -> Relation:
    """The upper window computes from the lower one's column."""
    function = Agg(pick(draw, ("max", "sum", "min")), Col("n", COUNT.type))
    return Window(Window(TABLE, (COUNT,), lower), (Over("m", function),), upper)


def filter_between(draw: DrawFn, lower: Keys, upper: Keys) -> Relation:
    """A filter that the lower window's rows pass or don't, so that the upper one has fewer."""
    ranks = Window(TABLE, RANK, lower, (SortKey(B),))
    kept = Filter(ranks, pick(draw, (compared("=", 1), compared(">", 1), compared("<>", 2))))
    return Window(kept, (Over("m", pick(draw, PEERS).function),), upper)


def columns_between(draw: DrawFn, lower: Keys, upper: Keys) -> Relation:
    """A projection to some of the columns, in another order."""
    below = Window(TABLE, (COUNT,), lower)
    columns = (Item("n", Col("n", COUNT.type)), Item("a", A), Item("b", B))
    shown = Project(below, pick(draw, (columns[:2], columns, columns[::-1])))
    return Window(shown, (Over("m", Agg(pick(draw, ("count", "max", "min")), A)),), upper)
