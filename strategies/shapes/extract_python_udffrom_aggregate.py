"""Shape of ExtractPythonUDFFromAggregate: calls of functions in Python over aggregates and keys.

A projection over an aggregate is one operator with it by the time that the rule runs.
"""

from __future__ import annotations

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.operands import columns
from strategies.draw.scopes import scope
from strategies.ir import (
    BIGINT,
    INT,
    STRING,
    Agg,
    AggFunction,
    Aggregate,
    Case,
    Cast,
    Col,
    Database,
    Expr,
    Filter,
    Item,
    Project,
    Relation,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.filters import PAIR
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.groups import without_rows
from strategies.shapes.python_calls import SEVEN, call_of, call_of_both, met, python
from strategies.shapes.sides import scan, source

RULE = "ExtractPythonUDFFromAggregate"
_FUNCTIONS: tuple[AggFunction, ...] = ("max", "min", "count")


def _query(draw: DrawFn, schema: Database) -> Relation:
    child = source(draw, schema)
    known = columns(scope(child.fields))
    keys = (Item("k0", pick(draw, known)),) if one_in(draw, 2) else ()
    groups = Aggregate(child, keys, (Item("n0", Agg(pick(draw, _FUNCTIONS), pick(draw, known))),))
    values = columns(groups.fields)
    items = tuple(Item(f"u{place}", call_of(draw, value)) for place, value in enumerate(values))
    listed = Project(groups, items if one_in(draw, 3) else items[-1:])
    # A filter above would part the projection from the aggregate: most draws have nothing above.
    return in_context(draw, schema, listed, reads=True) if one_in(draw, 4) else listed


def fires() -> SearchStrategy[Case]:
    """A call over an aggregate's value, and now and then over a key; shrinks to
    ``SELECT python_is_even(max(a)) AS u0 FROM t0``.
    """
    return file_cases(over_tables(_query))


# Near misses, over a table of two columns.

_SCAN = scan(PAIR.tables[0])
_A, _B = Col("a", INT), Col("b", INT)


def _over(groups: Aggregate, *calls: Expr) -> Project:
    return Project(groups, tuple(Item(f"u{place}", call) for place, call in enumerate(calls)))


def _by_a(*functions: Agg, child: Relation = _SCAN) -> Aggregate:
    return Aggregate(child, (Item("k", _A),), tuple(Item(f"n{place}", each) for place, each in enumerate(functions)))


def _of_two(draw: DrawFn) -> Relation:
    """A call over two aggregates."""
    groups = _by_a(*pick(draw, ((Agg("max", _B), Agg("min", _B)), (Agg("min", _B), Agg("max", _B)))))
    one, two = (field.column() for field in groups.fields[1:])
    return _over(groups, pick(draw, (call_of_both(draw, one, two), python("is_even", python("add", one, two)))))


def _of_most(draw: DrawFn) -> Relation:
    """The function's order is not that of its operand."""
    groups = _by_a(Agg(pick(draw, ("max", "min")), _B))
    return _over(groups, python("is_even", groups.fields[1].column()))


def _of_nothing(draw: DrawFn) -> Relation:
    """NULL as the aggregate of no rows, or of NULLs alone."""
    child = pick(draw, (without_rows(PAIR.tables[0]), _SCAN))
    operand = pick(draw, (Cast(_A, BIGINT), Cast(_A, STRING)))
    groups = Aggregate(child, (), (Item("n", Agg("max", operand)),)) if one_in(draw, 2) else _by_a(Agg("max", operand))
    return _over(groups, call_of(draw, groups.fields[-1].column()))


def _without_columns(draw: DrawFn) -> Relation:
    return _over(_by_a(Agg("count")), SEVEN)


def _of_a_key(draw: DrawFn) -> Relation:
    groups = _by_a(Agg("count"))
    return _over(groups, call_of(draw, groups.fields[0].column()), groups.fields[1].column())


def _as_an_operand(draw: DrawFn) -> Relation:
    """A call inside an aggregate function, of other columns than keys."""
    call = pick(draw, (python("is_even", _B), python("add", _B, _B)))
    return _by_a(Agg(pick(draw, ("max", "min", "count")), call))


def _of_a_key_as_an_operand(draw: DrawFn) -> Relation:
    """A call of a key inside an aggregate function, for which the aggregate stays what it is."""
    return _by_a(Agg(pick(draw, ("max", "min", "count")), python("add", _A, _B)))


def _in_having(draw: DrawFn) -> Relation:
    """A call in a filter above the aggregate."""
    groups = _by_a(Agg("max", _B))
    return Filter(groups, met(draw, call_of_both(draw, groups.fields[0].column(), groups.fields[1].column())))


NEAR_MISSES = (
    NearMiss("of_two", lambda: file_cases(over_fixed(PAIR, _of_two)), fires=True, weight=2),
    NearMiss("of_most", lambda: file_cases(over_fixed(PAIR, _of_most)), fires=True),
    NearMiss("of_nothing", lambda: file_cases(over_fixed(PAIR, _of_nothing)), fires=True),
    NearMiss("without_columns", lambda: file_cases(over_fixed(PAIR, _without_columns)), fires=True),
    NearMiss("of_a_key", lambda: file_cases(over_fixed(PAIR, _of_a_key)), fires=True),
    NearMiss("of_a_key_as_an_operand", lambda: file_cases(over_fixed(PAIR, _of_a_key_as_an_operand)), fires=True),
    NearMiss("as_an_operand", lambda: file_cases(over_fixed(PAIR, _as_an_operand)), fires=False),
    NearMiss("in_having", lambda: file_cases(over_fixed(PAIR, _in_having)), fires=False),
)
