"""LimitPushDownThroughWindow: a LIMIT without an order over the ranks of all rows.

The engine may choose the rows, so such a limit is the root, where a row with a wrong rank is none of its input's, or
right below ``count(*)``.
"""

from __future__ import annotations

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.scopes import scope
from strategies.ir import AnyLimit, Case, Database, Filter, Item, Limit, Over, Project, Ranking, Relation, Window
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context, number_of_rows
from strategies.shapes.filters import PAIR, A, B
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.ranked import (
    PEERS,
    RANK,
    RANKS,
    SHARES,
    TABLE,
    WHOLE,
    N,
    ascending,
    compared,
    miss,
    over_pair,
    ranked,
)
from strategies.shapes.sides import source

RULE = "LimitPushDownThroughWindow"
_COUNTS = (1, 2, 3, 5)


def _some_columns(draw: DrawFn, window: Window) -> Relation:
    """The rank, and at most one more column."""
    fields = scope(window.fields)
    shown = fields[-1:] if one_in(draw, 3) else (pick(draw, fields[:-1]), fields[-1])
    return Project(window, tuple(Item(field.name, field.column()) for field in shown))


def _query(draw: DrawFn, schema: Database) -> Relation:
    window = ranked(draw, source(draw, schema), partitioned=False)
    limited = _some_columns(draw, window) if one_in(draw, 3) else window
    count = pick(draw, _COUNTS)
    # Rarely, since the rank that nobody asks for goes before the rule comes to it.
    if one_in(draw, 32):
        return in_context(draw, schema, number_of_rows(AnyLimit(limited, count)))
    return AnyLimit(limited, count, pick(draw, (0, 0, 0, 0, 1, 2)))


def fires() -> SearchStrategy[Case]:
    """``LIMIT`` over the ranks of all rows, or over some of the columns; now and then counted; shrinks to
    ``SELECT *, rank() OVER (ORDER BY a) AS n FROM t0 LIMIT 1``.
    """
    return file_cases(over_tables(_query))


# Where it must not, or does no harm: over a table of two columns.


def _limited(draw: DrawFn, child: Relation) -> Relation:
    return AnyLimit(child, pick(draw, (1, 2, 3)))


def _any_direction(draw: DrawFn) -> Relation:
    function = pick(draw, RANKS)
    return _limited(draw, over_pair(draw, Over("n", Ranking(function)), keys=pick(draw, _ORDERS[function != "rank"])))


_ORDERS = (((B,), (A, B)), ((A, B), (B, A)))


def _skipped(draw: DrawFn) -> Relation:
    """OFFSET: the rows to skip are needed, too."""
    return AnyLimit(over_pair(draw, *RANK), pick(draw, (1, 2)), pick(draw, (1, 2)))


def _partitioned(draw: DrawFn) -> Relation:
    return _limited(draw, over_pair(draw, *RANK, partition=(A,)))


def _shares(draw: DrawFn) -> Relation:
    return _limited(draw, over_pair(draw, pick(draw, SHARES)))


def _beside_a_share(draw: DrawFn) -> Relation:
    return _limited(draw, over_pair(draw, *RANK, pick(draw, SHARES)))


def _peers(draw: DrawFn) -> Relation:
    """The rows up to the current one and its peers, some of which the limit would cut off."""
    return _limited(draw, over_pair(draw, pick(draw, PEERS)))


def _whole(draw: DrawFn) -> Relation:
    return _limited(draw, Window(TABLE, (pick(draw, WHOLE),)))


def _filtered(draw: DrawFn) -> Relation:
    """A filter between them, which drops some of the limit's rows."""
    condition = pick(draw, (compared(">", 1), compared(">=", 2), compared("<>", 1), compared("=", 0, A)))
    return _limited(draw, Filter(over_pair(draw, *RANK), condition))


def _in_its_order(draw: DrawFn) -> Relation:
    """A limit in the order of the window that lets all rows through: adaptive execution drops it, and the columns must
    stay where they are (SPARK-50258).
    """
    turned = Project(TABLE, (Item("b", B), Item("a", A)))
    window = Window(turned, (Over("n", Ranking(pick(draw, RANKS))),), (), ascending(B, A))
    return Limit(window, ascending(B, A, N), pick(draw, (10, 2, 12)))


def _few_rows(draw: DrawFn) -> Relation:
    """There are no more rows than the limit lets through."""
    return AnyLimit(Window(Limit(TABLE, ascending(A, B), 2), RANK, (), ascending(B)), pick(draw, (2, 3)))


_STOCK = {"aqe": True, "codegen": True, "partitions": 2, "conf": ()}
NEAR_MISSES = (
    miss("any_direction", _any_direction, fires=True, weight=2),
    miss("skipped", _skipped, fires=True),
    miss("partitioned", _partitioned, fires=False),
    miss("shares", _shares, fires=False, weight=2),
    miss("beside_a_share", _beside_a_share, fires=False),
    miss("peers", _peers, fires=False, weight=2),
    miss("whole", _whole, fires=False),
    miss("filtered", _filtered, fires=False, weight=2),
    miss("few_rows", _few_rows, fires=False),
    NearMiss("in_its_order", lambda: file_cases(over_fixed(PAIR, _in_its_order), needs=_STOCK), fires=False),
)
