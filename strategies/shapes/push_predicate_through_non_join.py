"""PushPredicateThroughNonJoin: a filter over any operator of one input, or over a union."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.scopes import scope
from strategies.draw.values import draw_literal
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    COMPARE_OPS,
    INT,
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
    CompareOp,
    Database,
    Expr,
    Filter,
    Generate,
    IsNull,
    Item,
    Join,
    Lit,
    MakeArray,
    Or,
    Over,
    Pivot,
    PivotValue,
    Project,
    Relation,
    RowNumbers,
    SetOp,
    SortKey,
    Table,
    TryArith,
    Window,
)
from strategies.shapes import NearMiss
from strategies.shapes.combine_filters import limited
from strategies.shapes.context import in_context
from strategies.shapes.data import INT_AND_TEXT
from strategies.shapes.filters import PAIR, A, B
from strategies.shapes.forms import Question, file_cases, not_of_pivots, over_fixed, over_one_table, over_tables
from strategies.shapes.pushable import on_count, over_operator, where
from strategies.shapes.sides import scan

RULE = "PushPredicateThroughNonJoin"
_cases_of = partial(file_cases, forms_of=not_of_pivots)


def _query(draw: DrawFn, schema: Database) -> Relation:
    return in_context(draw, schema, over_operator(draw, schema))


def fires() -> SearchStrategy[Case]:
    """A filter over a DISTINCT, an aggregate, a union, a projection, a window, an explode or a pivot; shrinks to
    ``a = 0`` over a DISTINCT.
    """
    return _cases_of(over_tables(_query))


_TABLE = PAIR.tables[0]
_SCAN = scan(_TABLE)
_COUNT = (Item("n", Agg("count")),)
_EXTREMES: tuple[AggFunction, ...] = ("max", "min")


def _on_a(draw: DrawFn) -> Expr:
    """A condition on the column ``a`` alone."""
    if one_in(draw, 3):
        return IsNull(A, negated=draw(st.booleans()))
    return Compare(pick(draw, COMPARE_OPS), A, draw_literal(draw, INT))


def _key_and_aggregate(draw: DrawFn) -> Relation:
    """``WHERE a > 0 AND m > 0``: the second is of ``max(b)``, and stays."""
    function = pick(draw, _EXTREMES)
    grouped = Aggregate(_SCAN, (Item("a", A),), (Item("m", Agg(function, B)),))
    on_aggregate = Compare(pick(draw, COMPARE_OPS), Col("m", INT), draw_literal(draw, INT))
    return Filter(grouped, And(_on_a(draw), on_aggregate))


def _aggregate_alone(draw: DrawFn) -> Relation:
    """A condition on an aggregate, or on one or a key: neither can be told before the groups are made."""
    function = pick(draw, _EXTREMES)
    extreme, made = (Item("m", Agg(function, B)),), Col("m", INT)
    if one_in(draw, 3):
        condition = Or(_on_a(draw), Compare(pick(draw, COMPARE_OPS), made, draw_literal(draw, INT)))
        return Filter(Aggregate(_SCAN, (Item("a", A),), extreme), condition)
    # Two large groups, and what rows may fulfil though the greatest or the least of them doesn't.
    op: CompareOp = pick(draw, ("<", "<>") if function == "max" else (">", "<>"))
    few = Lit(INT, pick(draw, (1, 0, 2)))
    return Filter(Aggregate(_SCAN, (Item("k", IsNull(A)),), extreme), Compare(op, made, few))


def _no_keys(draw: DrawFn) -> Relation:
    """HAVING without keys: the group of all rows is there even when no row is."""
    condition = pick(draw, (Lit(BOOLEAN, False), Lit(BOOLEAN, None), on_count(draw)))
    return Aggregate(_SCAN, (), _COUNT, condition)


def _turned() -> Relation:
    """``SELECT b AS a, a AS b``."""
    return Project(_SCAN, (Item("a", B), Item("b", A)))


def _names_turned(draw: DrawFn) -> Relation:
    """A projection that gives a column's name to another one."""
    return Filter(_turned(), _on_a(draw))


def _union_turned(draw: DrawFn) -> Relation:
    """``SELECT a, b UNION ALL SELECT b AS a, a AS b FROM`` the same table, or with the columns in another order."""
    other_order = Project(_SCAN, (Item("b", B), Item("a", A)))
    other = pick(draw, (_turned(), other_order, other_order))
    left, right = (_SCAN, other) if draw(st.booleans()) else (other, _SCAN)
    return Filter(SetOp("union", left, right, all=True), _on_a(draw))


@st.composite
def _union_widened(draw: DrawFn) -> Question:
    """INT on one side and BIGINT on the other, under different names."""
    wide = Table("t1", (Column("x", BIGINT),))
    narrow = Project(_SCAN, (Item("a", A),))
    union = SetOp("union", narrow, scan(wide), all=True)
    if draw(st.booleans()):
        union = SetOp("union", scan(wide), narrow, all=True)
    column = scope(union.fields)[0].column()
    return Database((_TABLE, wide)), Filter(union, Compare(pick(draw, COMPARE_OPS), column, draw_literal(draw, BIGINT)))


def _projected_table(draw: DrawFn) -> Relation:
    """The file scan does much the same without the rule."""
    computed = TryArith("+", A, B)
    return Filter(
        Project(_SCAN, (Item("c", computed),)),
        Compare(pick(draw, COMPARE_OPS), Col("c", INT), draw_literal(draw, INT)),
    )


def _cast_key(draw: DrawFn) -> Relation:
    """A condition on a key that is computed: below the aggregate it is one on what computes it."""
    grouped = Aggregate(_SCAN, (Item("b", Cast(A, BIGINT)), Item("a", B)), _COUNT)
    return Filter(grouped, _on_a(draw))


_TEXT = Table("t0", INT_AND_TEXT)
_PATTERNS = ("_%_", "A_", "_")
"""None that LIKE can do without looking at every sign for."""


@st.composite
def _costly(draw: DrawFn) -> Question:
    """LIKE is costly: below the projection it would be asked once for the filter, and once more above it.

    (Over a DISTINCT the projection would become a part of the aggregate; for = another rule would add filters.)
    """
    base, other = scan(_TEXT), Alias(scan(_TEXT), "s0")
    joined = Join(base, other, "left", Compare("<=>", Col("a", INT, "t0"), Col("a", INT, "s0")))
    matches = Call("like", (Col("b", STRING, "t0"), Lit(STRING, pick(draw, _PATTERNS))))
    matched = Col("c", BOOLEAN)
    condition = IsNull(matched, draw(st.booleans())) if one_in(draw, 2) else Compare("=", matched, Lit(BOOLEAN, True))
    return Database((_TEXT,)), Filter(Project(joined, (Item("c", matches),)), condition)


def _below_a_limit(draw: DrawFn) -> Relation:
    """The filter would let other rows into the limit."""
    return Filter(limited(_TABLE, pick(draw, (1, 2, 3))), _on_a(draw))


def _counted_by(*keys: Col) -> Window:
    return Window(_SCAN, (Over("n", Agg("count")),), keys)


def _on_a_partition_and_count(draw: DrawFn) -> Relation:
    """The second condition is of what the window makes, and stays."""
    return Filter(_counted_by(A), And(_on_a(draw), on_count(draw)))


def _within_partitions(draw: DrawFn) -> Relation:
    """A condition on another column, or on what the window makes: rows that it drops are counted.

    (It passes the projection above the window alone.)
    """
    if one_in(draw, 3):
        return Filter(_counted_by(A), on_count(draw))
    return Filter(pick(draw, (_counted_by(), _counted_by(B))), _on_a(draw))


def _two_windows(draw: DrawFn) -> Relation:
    """The condition passes the upper window alone."""
    upper = Window(_counted_by(B), (Over("m", Agg("count")),), (A,))
    return Filter(upper, _on_a(draw))


_ELEMENT = Col("e", INT)


def _exploded(draw: DrawFn) -> Generate:
    return Generate(_SCAN, MakeArray(INT, (A, B)), "e", outer=one_in(draw, 3))


def _on_elements(draw: DrawFn) -> Relation:
    """Not all elements of a row fulfil what one does."""
    condition: Expr = Compare(pick(draw, COMPARE_OPS), _ELEMENT, draw_literal(draw, INT))
    return Filter(_exploded(draw), IsNull(_ELEMENT, draw(st.booleans())) if one_in(draw, 3) else condition)


def _on_elements_and_a(draw: DrawFn) -> Relation:
    """The condition on the table's own column goes below, and the other one stays."""
    on_element = Compare(pick(draw, COMPARE_OPS), _ELEMENT, draw_literal(draw, INT))
    return Filter(_exploded(draw), And(_on_a(draw), on_element))


def _on_a_pivots_value(draw: DrawFn) -> Relation:
    """How many rows of a value there are can't be told before they are counted: the condition passes the
    projection above the groups alone.
    """
    values = tuple(PivotValue(f"p{place}", Lit(BOOLEAN, place == 0)) for place in range(2))
    counted = Pivot(_SCAN, (Item("a", A),), Agg("count"), IsNull(B), values)
    count = Col(f"p{pick(draw, range(2))}", BIGINT)
    return Filter(counted, Compare(pick(draw, COMPARE_OPS), count, Lit(BIGINT, pick(draw, (1, 2)))))


def _numbered(draw: DrawFn) -> Relation:
    """The filter would let other rows be counted."""
    return Filter(RowNumbers(_SCAN, (SortKey(A), SortKey(B)), "n"), _on_a(draw))


def _over_a_table(draw: DrawFn, schema: Database) -> Relation:
    return where(draw, scan(schema.tables[0]))


NEAR_MISSES = (
    NearMiss("key_and_aggregate", lambda: _cases_of(over_fixed(PAIR, _key_and_aggregate)), fires=True, weight=3),
    NearMiss("names_turned", lambda: _cases_of(over_fixed(PAIR, _names_turned)), fires=True, weight=2),
    NearMiss("union_turned", lambda: _cases_of(over_fixed(PAIR, _union_turned)), fires=True, weight=3),
    NearMiss("union_widened", lambda: _cases_of(_union_widened()), fires=True),
    NearMiss("projected_table", lambda: _cases_of(over_fixed(PAIR, _projected_table)), fires=True),
    NearMiss("cast_key", lambda: _cases_of(over_fixed(PAIR, _cast_key)), fires=True),
    NearMiss("partition_and_count", lambda: _cases_of(over_fixed(PAIR, _on_a_partition_and_count)), fires=True),
    NearMiss("two_windows", lambda: _cases_of(over_fixed(PAIR, _two_windows)), fires=True),
    NearMiss("elements_and_a", lambda: _cases_of(over_fixed(PAIR, _on_elements_and_a)), fires=True),
    NearMiss("aggregate_alone", lambda: _cases_of(over_fixed(PAIR, _aggregate_alone)), fires=False, weight=5),
    NearMiss("no_keys", lambda: _cases_of(over_fixed(PAIR, _no_keys)), fires=False, weight=2),
    NearMiss("within_partitions", lambda: _cases_of(over_fixed(PAIR, _within_partitions)), fires=True, weight=3),
    NearMiss("on_elements", lambda: _cases_of(over_fixed(PAIR, _on_elements)), fires=False, weight=3),
    NearMiss("on_a_pivots_value", lambda: _cases_of(over_fixed(PAIR, _on_a_pivots_value)), fires=True),
    NearMiss("costly", lambda: _cases_of(_costly()), fires=False),
    NearMiss("below_a_limit", lambda: _cases_of(over_fixed(PAIR, _below_a_limit)), fires=False),
    NearMiss("numbered", lambda: _cases_of(over_fixed(PAIR, _numbered)), fires=False, weight=2),
    NearMiss("over_a_table", lambda: _cases_of(over_one_table(_over_a_table)), fires=False),
)
