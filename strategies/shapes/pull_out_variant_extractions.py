"""Shape of PullOutVariantExtractions: fields of one VARIANT in files, which an aggregate function, a join's condition,
the list above a join, or ORDER BY reads by path.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.scopes import fresh_alias, scope
from strategies.ir import (
    Agg,
    AggFunction,
    Aggregate,
    Alias,
    Case,
    Compare,
    Database,
    Expr,
    Field,
    Filter,
    Item,
    Join,
    JoinKind,
    Limit,
    Over,
    Project,
    Relation,
    SortKey,
    Window,
    from_fields,
    is_plain,
    referable,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import apart, in_context
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.filters import A, B, about
from strategies.shapes.forms import Question, dataframe_only, file_cases, over_fixed, over_tables, sql_alone
from strategies.shapes.sides import joined, scan

RULE = "PullOutVariantExtractions"
NEEDS = {"source": "variant"}
_PLAIN = {"source": "parquet"}


def _cases_of(questions: SearchStrategy[Question]) -> SearchStrategy[Case]:
    return file_cases(questions, forms_of=sql_alone, needs=NEEDS)


def _table(draw: DrawFn, schema: Database) -> Relation:
    """A table, now and then filtered."""
    table = scan(pick(draw, schema.tables))
    return Filter(table, about(draw, scope(table.fields))) if one_in(draw, 4) else table


_JOINS: tuple[JoinKind, ...] = ("inner", "left", "right", "full", "semi", "anti")


def _join(draw: DrawFn, schema: Database) -> Join:
    return joined(draw, schema, pick(draw, _JOINS))


_ORDERED: tuple[AggFunction, ...] = ("min", "max", "count")


def _function(draw: DrawFn, fields: tuple[Field, ...]) -> Agg:
    """An aggregate function of a column, of some rows in one of four draws."""
    column: Expr = pick(draw, fields).column()
    function = pick(draw, _ORDERED if is_plain(column.type) else ("count",))
    return Agg(function, column, where=about(draw, fields) if one_in(draw, 4) else None)


def _functions_of(draw: DrawFn, relation: Relation) -> Relation:
    fields = referable(scope(from_fields(relation)))
    if not fields:
        return relation
    keys = (Item("k", pick(draw, fields).column()),) if one_in(draw, 2) else ()
    functions = tuple(Item(name, _function(draw, fields)) for name in ("n", "m")[: pick(draw, (1, 2))])
    return Aggregate(relation, keys, functions)


def _grouped(draw: DrawFn, schema: Database) -> Relation:
    return _functions_of(draw, _table(draw, schema))


def _listed(draw: DrawFn, schema: Database) -> Relation:
    """The columns of a join, or some of them."""
    join = _join(draw, schema)
    fields = scope(join.fields)
    return apart(join, pick(draw, (fields, fields[:1], fields[-1:])))


def _grouped_join(draw: DrawFn, schema: Database) -> Relation:
    return _functions_of(draw, _join(draw, schema))


def _first(draw: DrawFn, schema: Database) -> Relation:
    """The first rows of a table by all of its columns."""
    return _limited(draw, _table(draw, schema))


def _limited(draw: DrawFn, relation: Relation) -> Relation:
    order = tuple(
        SortKey(field.column(), descending=one_in(draw, 2), nulls_first=one_in(draw, 2))
        for field in scope(relation.fields)
    )
    return Limit(relation, order, pick(draw, (1, 2, 3)), pick(draw, (0, 0, 1)))


_FORMS = (_grouped, _grouped, _listed, _listed, _grouped_join, _first)


def _query(draw: DrawFn, schema: Database) -> Relation:
    return in_context(draw, schema, pick(draw, _FORMS)(draw, schema), reads=True)


def fires() -> SearchStrategy[Case]:
    """A table in a VARIANT whose fields are read above it; shrinks to the least value of a column."""
    return _cases_of(over_tables(_query))


# Near misses, over two tables of two columns.

_ONE, _OTHER = scans_of(PAIRS)
_THIRD = Alias(_OTHER, fresh_alias(_ONE, _OTHER))


def _two_fields(draw: DrawFn) -> Relation:
    """Functions of both fields of one VARIANT."""
    one, two = (Agg(pick(draw, _ORDERED), column) for column in pick(draw, ((A, B), (B, A))))
    return Aggregate(_ONE, (), (Item("n", one), Item("m", two)))


def _some_rows(draw: DrawFn) -> Relation:
    """A function of some rows beside one of all of them, of groups or of the whole table."""
    some = Agg(pick(draw, ("count", "max")), B, where=about(draw, scope(_ONE.fields)))
    keys = (Item("k", A),) if one_in(draw, 2) else ()
    return Aggregate(_ONE, keys, (Item("n", some), Item("m", Agg("count"))))


def _on(draw: DrawFn, left: Relation, right: Relation) -> Expr:
    one, two = (pick(draw, side.fields).column() for side in (left, right))
    return Compare(pick(draw, ("=", "=", "<=>", "<")), one, two)


def _pair(draw: DrawFn, *kinds: JoinKind) -> Join:
    return Join(_ONE, _OTHER, pick(draw, kinds), _on(draw, _ONE, _OTHER))


def _both_sides(draw: DrawFn) -> Relation:
    """The fields of either side of a join, which keeps rows without a partner, or does not."""
    join = _pair(draw, "inner", "left", "right", "full")
    return apart(join, join.fields)


def _left_side(draw: DrawFn) -> Relation:
    join = _pair(draw, "semi", "anti")
    return apart(join, join.fields)


def _joined_twice(draw: DrawFn) -> Relation:
    """Fields of three tables, above two joins."""
    first = _pair(draw, "inner", "left")
    join = Join(first, _THIRD, pick(draw, ("inner", "left")), _on(draw, first, _THIRD))
    return apart(join, join.fields)


def _of_joined(draw: DrawFn) -> Relation:
    """Functions of the fields of either side of a join."""
    join = _pair(draw, "inner", "left", "full")
    one, two = (Agg(pick(draw, _ORDERED), pick(draw, side.fields).column()) for side in (_ONE, _OTHER))
    return Aggregate(join, (), (Item("n", one), Item("m", two)))


def _in_order(draw: DrawFn) -> Relation:
    return _limited(draw, _ONE)


def _read_alone(draw: DrawFn) -> Relation:
    """Fields right above the file, under a condition or not."""
    table = Filter(_ONE, about(draw, scope(_ONE.fields))) if one_in(draw, 2) else _ONE
    return Project(table, (Item("p", B), Item("q", A)))


def _keys_alone(draw: DrawFn) -> Relation:
    """Groups by a field, which another rule pulls out, and their sizes."""
    return Aggregate(_ONE, (Item("k", pick(draw, (A, B))),), (Item("n", Agg("count")),))


def _windowed(draw: DrawFn) -> Relation:
    """A function over a window, whose expressions another rule pulls out."""
    return Window(_ONE, (Over("w", Agg(pick(draw, _ORDERED), B)),), (A,))


def _miss(name: str, build: Callable[[DrawFn], Relation], *, fires: bool, weight: int = 1) -> NearMiss:
    return NearMiss(name, lambda: _cases_of(over_fixed(PAIRS, build)), fires=fires, weight=weight)


NEAR_MISSES = (
    _miss("two_fields", _two_fields, fires=True, weight=2),
    _miss("some_rows", _some_rows, fires=True, weight=2),
    _miss("both_sides_of_a_join", _both_sides, fires=True, weight=2),
    _miss("left_side_of_a_join", _left_side, fires=True),
    _miss("two_joins", _joined_twice, fires=True),
    _miss("functions_of_a_join", _of_joined, fires=True),
    _miss("in_order", _in_order, fires=True, weight=2),
    _miss("above_the_file", _read_alone, fires=False),
    _miss("keys_alone", _keys_alone, fires=False),
    _miss("in_a_window", _windowed, fires=False),
    NearMiss("in_columns", lambda: file_cases(over_fixed(PAIRS, _two_fields), needs=_PLAIN), fires=False),
    NearMiss(
        "in_a_program",
        lambda: file_cases(over_fixed(PAIRS, _two_fields), forms_of=dataframe_only, needs=NEEDS),
        fires=False,
    ),
)
