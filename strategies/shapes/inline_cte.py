"""Shape of InlineCTE: common table expressions, whose query stands in each place that reads them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import sql_only
from strategies.draw.draws import one_in, pick
from strategies.draw.joins import join_conditions
from strategies.draw.operands import columns
from strategies.draw.scopes import fresh_alias, scope
from strategies.ir import (
    INT,
    SET_KINDS,
    Agg,
    Aggregate,
    Alias,
    Case,
    Column,
    Compare,
    CteScan,
    Database,
    Distinct,
    Filter,
    InSubquery,
    Item,
    Join,
    JoinKind,
    Limit,
    Project,
    Relation,
    ScalarSubquery,
    SetOp,
    SortKey,
    With,
    inlined,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context, number_of_rows
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.filters import about
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import scan, source, union_all

RULE = "InlineCTE"
_cases_of = partial(file_cases, forms_of=sql_only)
_KINDS: tuple[JoinKind, ...] = ("inner", "left", "full", "semi", "anti", "right")


def common(name: str, definition: Relation) -> CteScan:
    """A reference to the common table expression ``name`` of ``definition``."""
    return CteScan(name, tuple(Column(field.name, field.type) for field in definition.fields))


def _definition(draw: DrawFn, schema: Database) -> Relation:
    """A table, now and then filtered, its distinct rows, its first rows, or counts by a column."""
    rows = source(draw, schema)
    form = pick(draw, (0, 0, 0, 1, 2, 3))
    if form == 1:
        return Distinct(rows)
    if form == 2:
        return Limit(rows, tuple(SortKey(field.column()) for field in rows.fields), pick(draw, (3, 2, 5)))
    if form == 3:
        key = pick(draw, scope(rows.fields)).column()
        return Aggregate(rows, (Item("k", key),), (Item("n", Agg("count")),))
    return rows


def _once(draw: DrawFn, read: CteScan, schema: Database) -> Relation:
    return Filter(read, about(draw, scope(read.fields))) if one_in(draw, 2) else read


def _on_two_sides(draw: DrawFn, read: CteScan, schema: Database) -> Relation:
    kind, keeps_all = pick(draw, SET_KINDS), one_in(draw, 2)
    return SetOp(kind, _once(draw, read, schema), _once(draw, read, schema), keeps_all)


def _joined(draw: DrawFn, read: CteScan, schema: Database) -> Relation:
    other = Alias(read, fresh_alias(read))
    join = Join(read, other, pick(draw, _KINDS), draw(join_conditions(read, other)))
    return Project(join, tuple(Item(f"j{place}", field.column()) for place, field in enumerate(scope(join.fields))))


def _in_a_subquery(draw: DrawFn, read: CteScan, schema: Database) -> Relation:
    column = pick(draw, columns(scope(read.fields)))
    return Filter(
        read, InSubquery((column,), Project(_once(draw, read, schema), (Item("x", column),)), one_in(draw, 3))
    )


def _for_a_value(draw: DrawFn, read: CteScan, schema: Database) -> Relation:
    count = ScalarSubquery(Aggregate(_once(draw, read, schema), (), (Item("x", Agg("count")),)))
    return Project(scan(pick(draw, schema.tables)), (Item("n", count),))


def _beside_its_rows(draw: DrawFn, read: CteScan, schema: Database) -> Relation:
    """A column beside the number of all rows, which is to be computed first (SPARK-45584)."""
    count = ScalarSubquery(Aggregate(read, (), (Item("x", Agg("count")),)))
    return Project(read, (Item("p", pick(draw, columns(scope(read.fields)))), Item("n", count)))


def _by_another(draw: DrawFn, read: CteScan, schema: Database) -> Relation:
    """A second common table expression over the first one."""
    second = common("c1", read)
    return With("c1", _once(draw, read, schema), pick(draw, _BODIES)(draw, second, schema))


_BODIES: tuple[Callable[[DrawFn, CteScan, Database], Relation], ...] = (
    _once,
    _on_two_sides,
    _joined,
    _in_a_subquery,
    _for_a_value,
    _beside_its_rows,
)


def _query(draw: DrawFn, schema: Database) -> Relation:
    definition = _definition(draw, schema)
    body = pick(draw, (*_BODIES, _by_another))(draw, common("c0", definition), schema)
    return in_context(draw, schema, With("c0", definition, body))


def fires() -> SearchStrategy[Case]:
    """A common table expression that is read once, twice, in a subquery or by another one; shrinks to
    ``WITH c0 AS (t0) c0``.
    """
    return _cases_of(over_tables(_query))


# Near misses, over a table of two columns.

_TABLE = scans_of(PAIRS)[0]
_READ = common("c0", _TABLE)
_BY_BOTH = tuple(SortKey(field.column(), nulls_first=False) for field in scope(_TABLE.fields))


def _with(definition: Relation, body: Relation) -> With:
    return With("c0", definition, body)


def _each_under_its_filter(draw: DrawFn) -> Relation:
    """Two places with a condition each, or one that has none."""
    one, two = (field.column() for field in scope(_READ.fields))
    first = Filter(_READ, Compare(pick(draw, ("<", ">=", "=")), one, known_literal(draw, INT)))
    second = Filter(_READ, Compare(pick(draw, ("<>", "<=", ">")), two, known_literal(draw, INT)))
    return _with(_TABLE, union_all(first, pick(draw, (_READ, second))))


def _first_rows(draw: DrawFn) -> Relation:
    """A definition with a limit, below a filter, a count or another limit."""
    definition = Limit(_TABLE, _BY_BOTH, pick(draw, (1, 2, 3)))
    read = common("c0", definition)
    column = pick(draw, scope(read.fields)).column()
    filtered = Filter(read, Compare(pick(draw, ("<", ">=", "<>")), column, known_literal(draw, INT)))
    return _with(definition, pick(draw, (number_of_rows(read), filtered, union_all(read, read))))


def _twice(draw: DrawFn) -> Relation:
    """The same rows twice, which stay twice."""
    rows = union_all(_READ, _READ)
    return _with(_TABLE, pick(draw, (rows, number_of_rows(rows))))


def _with_itself(draw: DrawFn) -> Relation:
    """Two places in one join, whose columns are different ones."""
    other = Alias(_READ, "s0")
    a, b = (field.column() for field in _READ.fields)
    c, d = (field.column() for field in other.fields)
    join = Join(_READ, other, pick(draw, ("inner", "left", "full")), Compare(pick(draw, ("=", "<", "<=>")), a, d))
    return _with(_TABLE, Project(join, tuple(Item(f"j{place}", value) for place, value in enumerate((a, b, c, d)))))


def _never_read(draw: DrawFn) -> Relation:
    return _with(_TABLE, pick(draw, (_TABLE, Filter(_TABLE, about(draw, scope(_TABLE.fields))))))


def _by_hand(draw: DrawFn) -> Relation:
    """The query in the places, in which no rule has put it."""
    drawn = pick(draw, (_twice, _with_itself))(draw)
    assert isinstance(drawn, With)  # as both make it
    return inlined(drawn)


NEAR_MISSES = (
    NearMiss("each_under_its_filter", lambda: _cases_of(over_fixed(PAIRS, _each_under_its_filter)), True, weight=2),
    NearMiss("first_rows", lambda: _cases_of(over_fixed(PAIRS, _first_rows)), fires=True, weight=2),
    NearMiss("twice", lambda: _cases_of(over_fixed(PAIRS, _twice)), fires=True, weight=2),
    NearMiss("with_itself", lambda: _cases_of(over_fixed(PAIRS, _with_itself)), fires=True),
    NearMiss("never_read", lambda: _cases_of(over_fixed(PAIRS, _never_read)), fires=True),
    NearMiss("by_hand", lambda: _cases_of(over_fixed(PAIRS, _by_hand)), fires=False),
)
