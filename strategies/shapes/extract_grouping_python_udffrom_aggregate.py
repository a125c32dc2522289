"""Shape of ExtractGroupingPythonUDFFromAggregate: groups by a function in Python without operands.

Keys that are computed from something become columns of a projection long before the rule runs.
"""

from __future__ import annotations

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.operands import columns
from strategies.draw.scopes import scope
from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Case,
    Col,
    Database,
    Distinct,
    Expr,
    Item,
    Lit,
    Project,
    Relation,
    UserCall,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.filters import PAIR
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.groups import grouped, without_rows
from strategies.shapes.python_calls import SEVEN, call_of, python
from strategies.shapes.sides import scan, source

RULE = "ExtractGroupingPythonUDFFromAggregate"


def _query(draw: DrawFn, schema: Database) -> Relation:
    child = source(draw, schema)
    known = columns(scope(child.fields))
    others: list[Expr] = [pick(draw, known)] if one_in(draw, 2) else []
    keys = [*others, SEVEN] if one_in(draw, 3) else [SEVEN, *others]
    return in_context(draw, schema, grouped(draw, child, keys), reads=True)


def fires() -> SearchStrategy[Case]:
    """Groups by the function, and by a column or not; shrinks to
    ``SELECT python_seven() AS k0, count(*) AS n0 FROM t0 GROUP BY python_seven()``.
    """
    return file_cases(over_tables(_query))


# Near misses, over a table of two columns.

_SCAN = scan(PAIR.tables[0])
_A, _B = Col("a", INT), Col("b", INT)
_COUNT = Item("n", Agg("count"))


def _by(child: Relation, *keys: Expr) -> Aggregate:
    return Aggregate(child, tuple(Item(f"k{place}", key) for place, key in enumerate(keys)), (_COUNT,))


def _no_rows(draw: DrawFn) -> Relation:
    """No rows make no group: the function is a key, and no constant that goes."""
    return _by(without_rows(PAIR.tables[0]), SEVEN)


def _few_rows(draw: DrawFn) -> Relation:
    """One group of all rows, or one for each value of a column."""
    return _by(_SCAN, *pick(draw, ((SEVEN,), (SEVEN, _A), (_A, SEVEN))))


def _read_again(draw: DrawFn) -> Relation:
    """The function as a key, and within an aggregate."""
    function = Agg(pick(draw, ("max", "count")), pick(draw, (SEVEN, python("add", _A, SEVEN))))
    return Aggregate(_SCAN, (Item("k", SEVEN),), (Item("n", function),))


def _of_a_column(draw: DrawFn) -> Relation:
    return _by(_SCAN, call_of(draw, _A))


def _distinct(draw: DrawFn) -> Relation:
    return Distinct(Project(_SCAN, (Item("u", SEVEN), Item("b", _B))))


def _in_scala(draw: DrawFn) -> Relation:
    return _by(_SCAN, UserCall("scala", "seven", ()), pick(draw, (_A, _B)))


def _constant(draw: DrawFn) -> Relation:
    return _by(_SCAN, Lit(INT, 7), pick(draw, (_A, _B)))


NEAR_MISSES = (
    NearMiss("no_rows", lambda: file_cases(over_fixed(PAIR, _no_rows)), fires=True),
    NearMiss("few_rows", lambda: file_cases(over_fixed(PAIR, _few_rows)), fires=True, weight=2),
    NearMiss("read_again", lambda: file_cases(over_fixed(PAIR, _read_again)), fires=True),
    NearMiss("of_a_column", lambda: file_cases(over_fixed(PAIR, _of_a_column)), fires=False),
    NearMiss("distinct", lambda: file_cases(over_fixed(PAIR, _distinct)), fires=False),
    NearMiss("in_scala", lambda: file_cases(over_fixed(PAIR, _in_scala)), fires=False),
    NearMiss("constant", lambda: file_cases(over_fixed(PAIR, _constant)), fires=False),
)
