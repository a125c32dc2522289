"""PushPredicateThroughNonJoin: a filter over a projection, an aggregate, a DISTINCT or a union.

Right over a table a projection is no obstacle: Spark's file scan finds the filter below it by itself. So the shape's
projections stand over something else.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.cases import cases_of
from strategies.draws import pick, rarely
from strategies.exprs import kinds
from strategies.ir import (
    ARITH_OPS,
    BIGINT,
    BOOLEAN,
    COMPARE_OPS,
    INT,
    INTEGERS,
    STRING,
    Agg,
    AggFunction,
    Aggregate,
    Alias,
    And,
    Call,
    Case,
    Cast,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Expr,
    Filter,
    IsNull,
    Item,
    Join,
    Lit,
    Or,
    Project,
    Relation,
    SetOp,
    Table,
    TryArith,
    from_fields,
)
from strategies.scopes import new_names, scope
from strategies.shapes import NearMiss
from strategies.shapes.combine_filters import limited
from strategies.shapes.conditions import plain_expressions
from strategies.shapes.context import in_context
from strategies.shapes.data import INT_AND_TEXT
from strategies.shapes.filters import PAIR, A, B, about
from strategies.shapes.forms import any_form, from_files
from strategies.shapes.sides import scan, side, sides
from strategies.tables import schemas
from strategies.values import draw_literal

RULE = "PushPredicateThroughNonJoin"
_Question = tuple[Database, Relation]


def _cases_of(questions: SearchStrategy[_Question]) -> SearchStrategy[Case]:
    return from_files(cases_of(questions, forms_of=any_form))


def over_operator(draw: DrawFn, schema: Database) -> Relation:
    """A filter over an operator that it can pass, at least with a part of its condition."""
    return pick(draw, _OPERATORS)(draw, schema)


def _distinct(draw: DrawFn, schema: Database) -> Relation:
    return _where(draw, Distinct(scan(schema.tables[0])))


def _where(draw: DrawFn, relation: Relation) -> Relation:
    return Filter(relation, about(draw, scope(from_fields(relation))))


def _grouped(draw: DrawFn, schema: Database) -> Relation:
    """A condition on the keys, now and then with one on the count beside it; as HAVING or as WHERE."""
    base = scan(schema.tables[0])
    fields = scope(base.fields)
    keys = [Item(field.name, field.column()) for field in fields[: 1 + pick(draw, range(min(2, len(fields))))]]
    if rarely(draw, 4):
        keys.append(Item("made", draw(plain_expressions(fields, pick(draw, kinds(fields)), depth=1))))
    grouped = Aggregate(base, tuple(keys), (Item("n", Agg("count")),))
    condition = about(draw, scope(grouped.fields[: len(keys)]))
    if rarely(draw, 3):
        condition = And(condition, on_count(draw))
    if rarely(draw, 2):
        return Aggregate(base, grouped.keys, grouped.aggregates, condition)
    return Filter(grouped, condition)


def on_count(draw: DrawFn) -> Expr:
    """A condition on a count called ``n``."""
    return Compare(pick(draw, (">", "<", "=", "<>")), Col("n", BIGINT), Lit(BIGINT, pick(draw, (1, 2))))


def _union(draw: DrawFn, schema: Database) -> Relation:
    return _where(draw, SetOp("union", *sides(draw, schema), all=not rarely(draw, 4)))


def _intersection(draw: DrawFn, schema: Database) -> Relation:
    return _where(draw, SetOp(pick(draw, ("intersect", "except")), *sides(draw, schema)))


def _projected(draw: DrawFn, schema: Database) -> Relation:
    """Columns renamed or added up, over a DISTINCT; the names may be those of others of its columns.

    (A projection of a limit or a union goes below that before the filter gets to it.)
    """
    table = schema.tables[0]
    base = Distinct(side(draw, table, len(table.columns)))
    fields = scope(base.fields)
    values = [_cheap(draw, field.column()) for field in fields]
    names = new_names(draw, fields, len(values))
    return _where(draw, Project(base, tuple(Item(name, value) for name, value in zip(names, values, strict=True))))


def _cheap(draw: DrawFn, column: Col) -> Expr:
    """What Spark doesn't mind to compute twice, once for the filter below."""
    if column.type in INTEGERS and rarely(draw, 3):
        return TryArith(pick(draw, ARITH_OPS), column, draw_literal(draw, column.type))
    return column


_OPERATORS: tuple[Callable[[DrawFn, Database], Relation], ...] = (
    *[_distinct] * 2,
    *[_grouped] * 4,
    *[_union] * 3,
    _intersection,
    *[_projected] * 2,
)


@st.composite
def _questions(draw: DrawFn) -> _Question:
    schema = draw(schemas())
    return schema, in_context(draw, schema, over_operator(draw, schema))


def fires() -> SearchStrategy[Case]:
    """A filter over a DISTINCT, an aggregate, a union or a projection; shrinks to ``a = 0`` over a DISTINCT."""
    return _cases_of(_questions())


_TABLE = PAIR.tables[0]
_SCAN = scan(_TABLE)
_COUNT = (Item("n", Agg("count")),)
_EXTREMES: tuple[AggFunction, ...] = ("max", "min")


def _on_a(draw: DrawFn) -> Expr:
    """A condition on the column ``a`` alone."""
    if rarely(draw, 3):
        return IsNull(A, negated=draw(st.booleans()))
    return Compare(pick(draw, COMPARE_OPS), A, draw_literal(draw, INT))


@st.composite
def _key_and_aggregate(draw: DrawFn) -> _Question:
    """``WHERE a > 0 AND m > 0``: the second is of ``max(b)``, and stays."""
    function = pick(draw, _EXTREMES)
    grouped = Aggregate(_SCAN, (Item("a", A),), (Item("m", Agg(function, B)),))
    on_aggregate = Compare(pick(draw, COMPARE_OPS), Col("m", INT), draw_literal(draw, INT))
    return PAIR, Filter(grouped, And(_on_a(draw), on_aggregate))


@st.composite
def _aggregate_alone(draw: DrawFn) -> _Question:
    """A condition on an aggregate, or on one or a key: neither can be told before the groups are made."""
    function = pick(draw, _EXTREMES)
    grouped = Aggregate(_SCAN, (Item("a", A),), (Item("m", Agg(function, B)),))
    condition: Expr = Compare(pick(draw, COMPARE_OPS), Col("m", INT), draw_literal(draw, INT))
    return PAIR, Filter(grouped, Or(_on_a(draw), condition) if rarely(draw, 3) else condition)


@st.composite
def _no_keys(draw: DrawFn) -> _Question:
    """HAVING without keys: the group of all rows is there even when no row is."""
    condition = pick(draw, (Lit(BOOLEAN, False), Lit(BOOLEAN, None), on_count(draw)))
    return PAIR, Aggregate(_SCAN, (), _COUNT, condition)


def _turned() -> Relation:
    """``SELECT b AS a, a AS b``"""
    return Project(_SCAN, (Item("a", B), Item("b", A)))


@st.composite
def _names_turned(draw: DrawFn) -> _Question:
    """A projection that gives a column's name to another one."""
    return PAIR, Filter(_turned(), _on_a(draw))


@st.composite
def _union_turned(draw: DrawFn) -> _Question:
    """``SELECT a, b UNION ALL SELECT b AS a, a AS b FROM`` the same table, or with the columns in another order."""
    other = pick(draw, (_turned(), Project(_SCAN, (Item("b", B), Item("a", A)))))
    left, right = (_SCAN, other) if draw(st.booleans()) else (other, _SCAN)
    return PAIR, Filter(SetOp("union", left, right, all=True), _on_a(draw))


@st.composite
def _union_widened(draw: DrawFn) -> _Question:
    """INT on one side and BIGINT on the other, under different names."""
    wide = Table("t1", (Column("x", BIGINT),))
    narrow = Project(_SCAN, (Item("a", A),))
    union = SetOp("union", narrow, scan(wide), all=True)
    if draw(st.booleans()):
        union = SetOp("union", scan(wide), narrow, all=True)
    column = scope(union.fields)[0].column()
    return Database((_TABLE, wide)), Filter(union, Compare(pick(draw, COMPARE_OPS), column, draw_literal(draw, BIGINT)))


@st.composite
def _projected_table(draw: DrawFn) -> _Question:
    """The file scan does much the same without the rule."""
    computed = TryArith("+", A, B)
    return PAIR, Filter(
        Project(_SCAN, (Item("c", computed),)),
        Compare(pick(draw, COMPARE_OPS), Col("c", INT), draw_literal(draw, INT)),
    )


@st.composite
def _cast_key(draw: DrawFn) -> _Question:
    """A condition on a key that is computed: below the aggregate it is one on what computes it."""
    grouped = Aggregate(_SCAN, (Item("b", Cast(A, BIGINT)), Item("a", B)), _COUNT)
    return PAIR, Filter(grouped, _on_a(draw))


_TEXT = Table("t0", INT_AND_TEXT)
_PATTERNS = ("_%_", "A_", "_")
"""None that LIKE can do without looking at every sign for."""


@st.composite
def _costly(draw: DrawFn) -> _Question:
    """LIKE is costly: below the projection it would be asked once for the filter, and once more above it.

    (Over a DISTINCT the projection would become a part of the aggregate; for = another rule would add filters.)
    """
    base, other = scan(_TEXT), Alias(scan(_TEXT), "s0")
    joined = Join(base, other, "left", Compare("<=>", Col("a", INT, "t0"), Col("a", INT, "s0")))
    matches = Call("like", (Col("b", STRING, "t0"), Lit(STRING, pick(draw, _PATTERNS))))
    matched = Col("c", BOOLEAN)
    condition = IsNull(matched, draw(st.booleans())) if rarely(draw, 2) else Compare("=", matched, Lit(BOOLEAN, True))
    return Database((_TEXT,)), Filter(Project(joined, (Item("c", matches),)), condition)


@st.composite
def _below_a_limit(draw: DrawFn) -> _Question:
    """The filter would let other rows into the limit."""
    return PAIR, Filter(limited(_TABLE, pick(draw, (1, 2, 3))), _on_a(draw))


@st.composite
def _over_a_table(draw: DrawFn) -> _Question:
    schema = draw(schemas(max_tables=1))
    return schema, _where(draw, scan(schema.tables[0]))


NEAR_MISSES = (
    NearMiss("key_and_aggregate", lambda: _cases_of(_key_and_aggregate()), fires=True, weight=2),
    NearMiss("names_turned", lambda: _cases_of(_names_turned()), fires=True),
    NearMiss("union_turned", lambda: _cases_of(_union_turned()), fires=True, weight=2),
    NearMiss("union_widened", lambda: _cases_of(_union_widened()), fires=True),
    NearMiss("projected_table", lambda: _cases_of(_projected_table()), fires=True),
    NearMiss("cast_key", lambda: _cases_of(_cast_key()), fires=True),
    NearMiss("aggregate_alone", lambda: _cases_of(_aggregate_alone()), fires=False, weight=5),
    NearMiss("no_keys", lambda: _cases_of(_no_keys()), fires=False, weight=2),
    NearMiss("costly", lambda: _cases_of(_costly()), fires=False),
    NearMiss("below_a_limit", lambda: _cases_of(_below_a_limit()), fires=False),
    NearMiss("over_a_table", lambda: _cases_of(_over_a_table()), fires=False),
)
