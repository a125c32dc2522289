"""RewriteDistinctAggregates: aggregates of different sets of values each of which counts once, in one query."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import below, one_in, pick
from strategies.draw.exactness import field_bits
from strategies.draw.exprs import Fields
from strategies.draw.operands import columns
from strategies.draw.scopes import scope
from strategies.ir import (
    INT,
    SMALLINT,
    Agg,
    Aggregate,
    Call,
    Case,
    Cast,
    Col,
    Compare,
    Database,
    Decimal,
    Expr,
    Item,
    Lit,
    Project,
    Relation,
)
from strategies.shapes import NearMiss
from strategies.shapes.conditions import plain_aggregates
from strategies.shapes.context import in_context
from strategies.shapes.filters import PAIR, A, B, about
from strategies.shapes.forms import Question, file_cases, over_tables
from strategies.shapes.groups import without_rows
from strategies.shapes.sides import scan, side

RULE = "RewriteDistinctAggregates"


def _once(draw: DrawFn, fields: Fields, column: Col, *, filtered: bool) -> Agg:
    """A count or a sum of a column's values, each once; sums only of what can't overflow."""
    summed = column.type in (SMALLINT, INT) and one_in(draw, 3)
    return Agg("sum" if summed else "count", column, True, about(draw, fields, depth=0) if filtered else None)


def _query(draw: DrawFn, schema: Database) -> Relation:
    table = pick(draw, schema.tables)
    base = side(draw, table, len(table.columns))
    fields = scope(base.fields)
    known = columns(fields)
    first = draw(below(len(known)))
    # The operators above may ask for one of several functions alone; the others are pruned first.
    alone = one_in(draw, 3)
    if len(known) > 1 and not alone and draw(below(3)) > 0:
        others = [known[(first + 1 + step) % len(known)] for step in range(pick(draw, (1, 1, len(known) - 1)))]
        functions = [_once(draw, fields, column, filtered=False) for column in (known[first], *others)]
    else:
        functions = [_once(draw, fields, known[first], filtered=True)]
    for _ in range(0 if alone else draw(below(3))):
        functions.append(draw(plain_aggregates(fields, bits=field_bits(base))))
    keys = [pick(draw, known)] if not alone and one_in(draw, 2) else []
    aggregate = Aggregate(
        base,
        tuple(Item(f"k{place}", key) for place, key in enumerate(keys)),
        tuple(Item(f"n{place}", function) for place, function in enumerate(map(_known, functions))),
    )
    return in_context(draw, schema, aggregate, reads=True) if alone else aggregate


def _known(function: Agg) -> Agg:
    """Not listagg of DISTINCT, which fails beside another DISTINCT (SPARK-42746)."""
    return Agg("count", function.operand, True) if function.function == "listagg" and function.distinct else function


def fires() -> SearchStrategy[Case]:
    """Counts and sums of several columns, or those under a FILTER, each value once, with other aggregates beside;
    shrinks to ``SELECT count(DISTINCT a) FILTER (WHERE a = 0) AS n0 FROM t0``.
    """
    return file_cases(over_tables(_query))


_SCAN = scan(PAIR.tables[0])
_NOTHING = without_rows(PAIR.tables[0])
_COUNT_A, _COUNT_B = Agg("count", A, True), Agg("count", B, True)


def _of(relation: Relation, *functions: Agg, keys: tuple[Expr, ...] = ()) -> Question:
    return PAIR, Aggregate(
        relation,
        tuple(Item(f"k{place}", key) for place, key in enumerate(keys)),
        tuple(Item(f"n{place}", function) for place, function in enumerate(functions)),
    )


def _keys(draw: DrawFn) -> tuple[Expr, ...]:
    return pick(draw, ((), (A,), (B,)))


@st.composite
def _beside_others(draw: DrawFn) -> Question:
    """Counts and sums of all rows, repeats included."""
    other = pick(draw, (Agg("count", B), Agg("sum", A), Agg("count", A)))
    return _of(_SCAN, _COUNT_A, _COUNT_B, other, keys=_keys(draw))


@st.composite
def _filtered(draw: DrawFn) -> Question:
    """Values that only some rows have fulfilled the condition with."""
    condition = Compare(pick(draw, ("=", "<>", "<", ">=")), pick(draw, (A, B)), pick(draw, (A, B)))
    wanted = about(draw, scope(_SCAN.fields), depth=0) if draw(below(2)) == 0 else condition
    return _of(_SCAN, Agg("count", A, True, wanted), _COUNT_B, keys=_keys(draw))


@st.composite
def _two_columns(draw: DrawFn) -> Question:
    """Pairs of values beside the values of one of the columns."""
    return _of(_SCAN, Agg("count", A, True, others=(B,)), pick(draw, (_COUNT_A, _COUNT_B)))


@st.composite
def _of_nothing(draw: DrawFn) -> Question:
    """No rows: one group with counts of 0, or no group."""
    return _of(_NOTHING, _COUNT_A, _COUNT_B, Agg("count", B), Agg("sum", A), keys=_keys(draw))


@st.composite
def _one_set(draw: DrawFn) -> Question:
    """Several functions of the same values, and others of all rows."""
    return _of(_SCAN, _COUNT_A, Agg("sum", A, True), Agg("count", B), keys=_keys(draw))


@st.composite
def _insensitive(draw: DrawFn) -> Question:
    """Max and min, which are the same with and without DISTINCT."""
    return _of(_SCAN, Agg("max", A, True), Agg("min", B, True), keys=_keys(draw))


@st.composite
def _by_a_constant(draw: DrawFn) -> Question:
    """Groups by a constant that is also written elsewhere: there it is no key (SPARK-49261)."""
    key = Lit(INT, pick(draw, (1, 2, 0)))
    values = {"k": key, "a": A, "b": B, "c": Cast(A, Decimal(12, 2))}
    rows = Project(_SCAN, tuple(Item(name, value) for name, value in values.items()))
    k, a, b, c = columns(scope(rows.fields))
    functions = {"n0": Agg("count", a, True), "n1": Agg("count", b, True), "n2": Agg("sum", c)}
    groups = Aggregate(rows, (Item("k", k),), tuple(Item(name, function) for name, function in functions.items()))
    _, n0, n1, n2 = columns(scope(groups.fields))
    return PAIR, Project(groups, (Item("n0", n0), Item("n1", n1), Item("n2", Call("decimal_round", (n2, key)))))


@st.composite
def _plain(draw: DrawFn) -> Question:
    return _of(_SCAN, Agg("count", A), Agg("sum", B), keys=_keys(draw))


NEAR_MISSES = (
    NearMiss("beside_others", lambda: file_cases(_beside_others()), fires=True, weight=3),
    NearMiss("filtered", lambda: file_cases(_filtered()), fires=True, weight=2),
    NearMiss("two_columns", lambda: file_cases(_two_columns()), fires=True, weight=2),
    NearMiss("of_nothing", lambda: file_cases(_of_nothing()), fires=True),
    NearMiss("by_a_constant", lambda: file_cases(_by_a_constant()), fires=True),
    NearMiss("one_set", lambda: file_cases(_one_set()), fires=False),
    NearMiss("insensitive", lambda: file_cases(_insensitive()), fires=False),
    NearMiss("plain", lambda: file_cases(_plain()), fires=False),
)
