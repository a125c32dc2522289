"""InferWindowGroupLimit: a filter that no row beyond a small rank passes."""

from __future__ import annotations

from dataclasses import replace

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.scopes import scope
from strategies.ir import (
    INT,
    Agg,
    And,
    Case,
    Col,
    Database,
    Filter,
    Frame,
    Or,
    Over,
    Peek,
    RankFunction,
    Ranking,
    Relation,
    Window,
)
from strategies.shapes.context import in_context
from strategies.shapes.filters import A, B, about
from strategies.shapes.forms import file_cases, over_tables
from strategies.shapes.ranked import PEERS, RANK, SHARED, SHARES, WHOLE, at_most, compared, miss, over_pair, ranked
from strategies.shapes.sides import scan

RULE = "InferWindowGroupLimit"
_M = Col("m", INT)
_RUNNING = Frame("rows", None, 0)


def _query(draw: DrawFn, schema: Database) -> Relation:
    child = scan(pick(draw, schema.tables))
    window = ranked(draw, child, partitioned=True)
    if one_in(draw, 4):
        # Other functions may stand beside it, if they see no row behind the current one.
        beside = [Ranking("rank"), Ranking("dense_rank")]
        others = [Over("m", function) for function in beside]
        if window.is_total:
            others.append(Over("m", Agg("count"), _RUNNING))
        window = replace(window, columns=(*window.columns, pick(draw, others)))
    condition = at_most(draw)
    if one_in(draw, 4):
        condition = And(condition, about(draw, scope(child.fields)))
    return in_context(draw, schema, Filter(window, condition))


def fires() -> SearchStrategy[Case]:
    """A filter that asks for the first ranks, alone or beside another condition; shrinks to
    ``SELECT * FROM (SELECT *, rank() OVER (ORDER BY a) AS n FROM t0) WHERE n <= 1``.
    """
    return file_cases(over_tables(_query))


# Where it must not, or does no harm: over a table of two columns.


def _first(draw: DrawFn, *beside: Over, keys: tuple[Col, ...] = (B,)) -> Relation:
    """The first ranks, in a partition or among all rows, of a window with other functions beside."""
    partition = pick(draw, ((A,), ()))
    return Filter(over_pair(draw, *RANK, *beside, partition=partition, keys=keys), at_most(draw, counts=(1, 2)))


def _of_all(draw: DrawFn) -> Relation:
    """Ranks by one column, which many rows share, so that the first ranks are more rows than their number."""
    function = Ranking(pick(draw, SHARED))
    window = over_pair(draw, Over("n", function), partition=pick(draw, ((A,), ())), keys=(B,))
    return Filter(window, at_most(draw, counts=(1, 2)))


_TWO_RANKS: tuple[tuple[RankFunction, RankFunction], ...] = (
    ("rank", "row_number"),
    ("dense_rank", "rank"),
    ("dense_rank", "row_number"),
)


def _two_ranks(draw: DrawFn) -> Relation:
    """A condition on each of two ranks, which tell equal rows apart, or gaps."""
    first, second = pick(draw, _TWO_RANKS)
    columns = (Over("n", Ranking(first)), Over("m", Ranking(second)))
    keys = (B, A) if second == "row_number" else (B,)
    window = over_pair(draw, *columns, partition=pick(draw, ((A,), ())), keys=keys)
    return Filter(window, And(at_most(draw, counts=(1, 2)), at_most(draw, _M, counts=(2, 3))))


def _no_rank(draw: DrawFn) -> Relation:
    """No rank is less than 1."""
    condition = pick(draw, (compared("<", 1), compared("<=", 0), compared("=", 0), compared("<=", -1)))
    return Filter(over_pair(draw, *RANK, partition=(A,)), condition)


def _no_bound(draw: DrawFn) -> Relation:
    condition = pick(draw, (compared(">", 1), compared(">=", 2), compared("<>", 1), compared(">=", 1)))
    return Filter(over_pair(draw, *RANK, partition=(A,)), condition)


def _either(draw: DrawFn) -> Relation:
    condition = Or(at_most(draw, counts=(1, 2)), compared(pick(draw, ("=", ">")), 0, B))
    return Filter(over_pair(draw, *RANK, partition=pick(draw, ((A,), ()))), condition)


def _below_another(draw: DrawFn) -> Relation:
    """Rows are counted over the ranks, so a row with a greater rank counts.

    A count of all rows, or by a part of the ranks' partition, would change places with them.
    """
    ranks = over_pair(draw, *RANK, partition=(A,))
    counts = Window(ranks, (Over("m", Agg("count")),), (B,))
    return Filter(counts, at_most(draw, counts=(1, 2)))


NEAR_MISSES = (
    miss("of_all", _of_all, fires=True, weight=2),
    miss("two_ranks", _two_ranks, fires=True, weight=2),
    miss("no_rank", _no_rank, fires=True),
    miss("no_bound", _no_bound, fires=False, weight=2),
    miss("either", _either, fires=False, weight=2),
    miss("below_another", _below_another, fires=False, weight=2),
    miss("beside_a_share", lambda draw: _first(draw, pick(draw, SHARES)), fires=False, weight=2),
    miss("beside_the_peers", lambda draw: _first(draw, pick(draw, PEERS)), fires=False, weight=2),
    miss("beside_the_whole", lambda draw: _first(draw, pick(draw, WHOLE)), fires=False),
    miss(
        "beside_the_next",
        lambda draw: _first(draw, Over("m", Peek("lead", A, 1)), keys=(B, A)),
        fires=False,
    ),
)
