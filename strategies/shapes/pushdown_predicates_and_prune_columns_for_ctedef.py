"""Shape of PushdownPredicatesAndPruneColumnsForCTEDef: a common table expression that stays one, as its rows depend on
random numbers, and of which each place that reads it needs some rows or columns.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import sql_only
from strategies.draw.draws import one_in, pick
from strategies.draw.joins import join_conditions
from strategies.draw.operands import columns
from strategies.draw.orders import total_order
from strategies.draw.random_tests import random_test, with_random_column
from strategies.draw.scopes import scope
from strategies.draw.setops import fitted
from strategies.ir import (
    BOOLEAN,
    COMPARE_OPS,
    INT,
    SET_KINDS,
    Agg,
    Aggregate,
    Alias,
    And,
    Case,
    Col,
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
    Lit,
    Project,
    RandomTest,
    Relation,
    RowNumbers,
    ScalarSubquery,
    SetOp,
    SortKey,
    With,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context, number_of_rows
from strategies.shapes.filters import about
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.groups import one_table
from strategies.shapes.inline_cte import common
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import source, union_all

RULE = "PushdownPredicatesAndPruneColumnsForCTEDef"
_cases_of = partial(file_cases, forms_of=sql_only)
_KINDS: tuple[JoinKind, ...] = ("inner", "left", "full", "semi", "anti", "right")
_TRUE = Lit(BOOLEAN, True)


def _by_chance(draw: DrawFn, rows: Relation) -> Relation:
    """``rows`` under a filter with a random test, or with a column that is not deterministic."""
    form = pick(draw, (0, 0, 1, 2))
    if form == 2:
        return with_random_column(draw, rows)
    return Filter(rows, about(draw, scope(rows.fields)) if form else _TRUE, random_test(draw))


def _definition(draw: DrawFn, schema: Database) -> Relation:
    """A table by chance, now and then its distinct rows, its first rows, or counts by a column."""
    rows = _by_chance(draw, source(draw, schema))
    form = pick(draw, (0, 0, 0, 1, 2, 3))
    if form == 1:
        return Distinct(rows)
    if form == 2:
        return Limit(rows, total_order(draw, scope(rows.fields)), pick(draw, (3, 2, 5)))
    if form == 3:
        key = pick(draw, scope(rows.fields)).column()
        return Aggregate(rows, (Item("k", key),), (Item("n", Agg("count")),))
    return rows


def _some(draw: DrawFn, read: CteScan) -> Relation:
    """Some rows of ``read``, in two of three draws with all columns, else with one or two of them."""
    rows = Filter(read, about(draw, scope(read.fields)))
    if not one_in(draw, 3):
        return rows
    shown = {pick(draw, read.fields).name: None for _ in range(2)}
    return Project(rows, tuple(Item(field.name, field.column()) for field in read.fields if field.name in shown))


def _on_two_sides(draw: DrawFn, read: CteScan) -> Relation:
    kind, keeps_all, left = pick(draw, SET_KINDS), one_in(draw, 2), _some(draw, read)
    return SetOp(kind, left, fitted(draw, _some(draw, read), tuple(field.type for field in left.fields)), keeps_all)


def _joined(draw: DrawFn, read: CteScan) -> Relation:
    left, right = Alias(_some(draw, read), "s0"), Alias(_some(draw, read), "s1")
    join = Join(left, right, pick(draw, _KINDS), draw(join_conditions(left, right)))
    shown = pick(draw, (join.fields, join.fields[:1], join.fields[-1:]))
    return Project(join, tuple(Item(f"j{place}", field.column()) for place, field in enumerate(shown)))


def _in_a_subquery(draw: DrawFn, read: CteScan) -> Relation:
    rows = _some(draw, read)
    column = pick(draw, columns(scope(rows.fields)))
    values = Project(Filter(read, about(draw, scope(read.fields))), (Item("x", column),))
    return Filter(rows, InSubquery((column,), values, one_in(draw, 3)))


def _beside_a_count(draw: DrawFn, read: CteScan) -> Relation:
    rows = _some(draw, read)
    count = ScalarSubquery(Aggregate(_some(draw, read), (), (Item("x", Agg("count")),)))
    return Project(rows, (Item("p", pick(draw, scope(rows.fields)).column()), Item("n", count)))


_BODIES: tuple[Callable[[DrawFn, CteScan], Relation], ...] = (_on_two_sides, _joined, _in_a_subquery, _beside_a_count)


def _query(draw: DrawFn, schema: Database) -> Relation:
    definition = _definition(draw, schema)
    return in_context(draw, schema, With("c0", definition, pick(draw, _BODIES)(draw, common("c0", definition))))


def fires() -> SearchStrategy[Case]:
    """A common table expression by chance, of which two places read some rows; shrinks to
    ``WITH c0 AS (SELECT * FROM t0 WHERE TRUE AND rand() < 1) SELECT * FROM c0 WHERE a = 0 UNION …`` the same again.
    """
    return _cases_of(over_tables(_query))


# Near misses, over a table of three columns.

_TABLES, _TABLE = one_table(Column("a", INT), Column("b", INT), Column("c", INT))
_SURE = RandomTest("<", 1)
_STAYS = Filter(_TABLE, _TRUE, _SURE)
_READ = common("c0", _STAYS)
_A, _B, _C = (Col(name, INT) for name in "abc")


def _where(draw: DrawFn, read: Relation, *of: Col) -> Filter:
    """``read`` under a comparison of one of the columns with a constant."""
    return Filter(read, Compare(pick(draw, COMPARE_OPS[:-1]), pick(draw, of), known_literal(draw, INT)))


def _only(read: Relation, *shown: Col) -> Project:
    return Project(read, tuple(Item(column.name, column) for column in shown))


def _each_under_its_condition(draw: DrawFn) -> Relation:
    """Two places with a condition each, of the same column or of others."""
    return With("c0", _STAYS, union_all(_where(draw, _READ, _A, _B), _where(draw, _READ, _C, _A)))


def _one_without_condition(draw: DrawFn) -> Relation:
    some = _where(draw, _READ, _A, _B, _C)
    return With("c0", _STAYS, union_all(*pick(draw, ((some, _READ), (_READ, some)))))


def _other_columns(draw: DrawFn) -> Relation:
    """Two of three columns, in the order of the table or in another one."""
    left, right = pick(draw, (((_A, _C), (_A, _C)), ((_C, _A), (_C, _A)), ((_C,), (_A,)), ((_B, _C), (_C, _B))))
    return With("c0", _STAYS, union_all(_only(_READ, *left), _only(_READ, *right)))


def _by_a_column_not_shown(draw: DrawFn) -> Relation:
    left, right = (_only(_where(draw, _READ, _C), _A) for _ in range(2))
    return With("c0", _STAYS, union_all(left, right))


def _counted(draw: DrawFn) -> Relation:
    """Places that need no column at all, or only in a condition."""
    one = number_of_rows(_READ)
    return With("c0", _STAYS, union_all(one, pick(draw, (one, number_of_rows(_where(draw, _READ, _B))))))


def _first_rows(draw: DrawFn) -> Relation:
    """A definition with a limit, of whose rows a condition in each place keeps some."""
    order = tuple(SortKey(column, nulls_first=False) for column in (_A, _B, _C))
    definition = Limit(_STAYS, order, pick(draw, (1, 2, 3)))
    return With("c0", definition, union_all(_where(draw, _READ, _A, _B), _where(draw, _READ, _A, _B)))


def _numbered(draw: DrawFn) -> Relation:
    """A definition with the places of rows, which are those among all rows."""
    definition = RowNumbers(_TABLE, tuple(SortKey(column) for column in (_A, _B, _C)), "n")
    read = common("c0", definition)
    return With("c0", definition, union_all(_where(draw, read, _A, _B), _where(draw, read, _A, _B)))


def _among_itself(draw: DrawFn) -> Relation:
    """A condition with a subquery that reads the same rows, which can't be evaluated below."""
    values = _only(_where(draw, _READ, _A, _B), _C)
    some = _where(draw, _READ, _A, _B)
    return With("c0", _STAYS, Filter(_READ, And(some.condition, InSubquery((_C,), values, one_in(draw, 2)))))


def _read_once(draw: DrawFn) -> Relation:
    return With("c0", _STAYS, _only(_where(draw, _READ, _A, _B), _A))


def _not_by_chance(draw: DrawFn) -> Relation:
    return With("c0", _TABLE, union_all(_where(draw, _READ, _A), _where(draw, _READ, _B)))


def _miss(build: Callable[[DrawFn], Relation], *, fires: bool, weight: int = 1) -> NearMiss:
    return NearMiss(build.__name__[1:], lambda: _cases_of(over_fixed(_TABLES, build)), fires=fires, weight=weight)


NEAR_MISSES = (
    _miss(_each_under_its_condition, fires=True, weight=3),
    _miss(_one_without_condition, fires=False, weight=3),
    _miss(_other_columns, fires=True, weight=3),
    _miss(_by_a_column_not_shown, fires=True),
    _miss(_counted, fires=True),
    _miss(_first_rows, fires=True, weight=3),
    _miss(_numbered, fires=True, weight=2),
    _miss(_among_itself, fires=True),
    _miss(_read_once, fires=False),
    _miss(_not_by_chance, fires=False),
)
