"""DecimalAggregates: sums and averages of decimals of few digits."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields
from strategies.draw.scopes import scope
from strategies.draw.values import value_at
from strategies.ir import (
    INT,
    Agg,
    AggFunction,
    Aggregate,
    Case,
    CaseWhen,
    Col,
    Column,
    Database,
    Decimal,
    Expr,
    IsNull,
    Item,
    Lit,
    Over,
    Relation,
    Scan,
    SortKey,
    Table,
    TryCast,
    When,
    Window,
    can_try_cast,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.filters import about
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.groups import one_table
from strategies.shapes.sides import scan

RULE = "DecimalAggregates"
_NARROW = (Decimal(7, 2), Decimal(8, 0), Decimal(5, 4), Decimal(8, 2))
"""Types of whose sums the rule makes sums of BIGINT; averages may have one digit more."""


def _narrow(draw: DrawFn, fields: Fields) -> Expr:
    """A decimal of few digits: a cast of a column, or a constant for each of NULL and not NULL if none has a cast."""
    kind = pick(draw, _NARROW)
    columns = [field.column() for field in fields]
    sources = [column for column in columns if can_try_cast(column.type, kind)]
    if sources:
        return TryCast(pick(draw, sources), kind)
    one, two = (Lit(kind, value_at(kind, place)) for place in (1, 2))
    return CaseWhen((When(IsNull(pick(draw, columns)), one),), two)


def _function(draw: DrawFn, fields: Fields, function: AggFunction, *, distinct: bool = False) -> Agg:
    native = [field.column() for field in fields if field.type == Decimal(9, 2)]
    operand = pick(draw, native) if function == "avg" and native and one_in(draw, 2) else _narrow(draw, fields)
    where = about(draw, fields) if one_in(draw, 5) else None
    return Agg(function, operand, distinct, where)


def _aggregated(draw: DrawFn, child: Relation) -> Relation:
    fields = scope(child.fields)
    keys = (Item("k", pick(draw, fields).column()),) if one_in(draw, 3) else ()
    named: list[AggFunction] = [pick(draw, ("sum", "avg")) for _ in range(pick(draw, (1, 1, 1, 2)))]
    functions = [_function(draw, fields, name, distinct=one_in(draw, 5)) for name in named]
    return Aggregate(child, keys, tuple(Item(f"n{place}", function) for place, function in enumerate(functions)))


def _windowed(draw: DrawFn, child: Relation) -> Relation:
    fields = scope(child.fields)
    partition = (pick(draw, fields).column(),) if one_in(draw, 2) else ()
    return Window(child, (Over("n", _function(draw, fields, "sum")),), partition)


def _query(draw: DrawFn, schema: Database) -> Relation:
    relation = pick(draw, (_aggregated, _aggregated, _windowed))(draw, scan(pick(draw, schema.tables)))
    # Half of them alone: a projection above may drop the sum before the rule comes to it.
    return relation if not one_in(draw, 2) else in_context(draw, schema, relation, reads=True)


def fires() -> SearchStrategy[Case]:
    """Sums and averages of decimals of few digits, by groups or over windows; shrinks to
    ``SELECT *, sum(try_cast(a AS DECIMAL(7, 2))) OVER () AS n FROM t0``.
    """
    return file_cases(over_tables(_query))


# Where it must not, or does no harm: over a table of decimals.

_K, _FEW, _NINE, _MANY = (
    Col("k", INT),
    Col("d", Decimal(8, 2)),
    Col("e", Decimal(9, 2)),
    Col("f", Decimal(18, 4)),
)
_DATABASE, _TABLE = one_table(*(Column(column.name, column.kind) for column in (_K, _FEW, _NINE, _MANY)))


def _by_key(draw: DrawFn, *functions: Agg) -> Relation:
    keys = (Item("k", _K),) if draw(st.booleans()) else ()
    return Aggregate(_TABLE, keys, tuple(Item(f"n{place}", function) for place, function in enumerate(functions)))


def _one_of(draw: DrawFn, *functions: Agg) -> Relation:
    return _by_key(draw, pick(draw, functions))


def _running(draw: DrawFn) -> Relation:
    """The sum of the rows up to the current one and its peers, or of those of a partition."""
    order = pick(draw, ((SortKey(_K),), ()))
    return Window(_TABLE, (Over("n", Agg("sum", _FEW)),), () if order else (_K,), order)


def _of_no_value(draw: DrawFn) -> Relation:
    """No value at all, which is NULL and not 0, beside a count."""
    function = Agg(pick(draw, ("sum", "avg")), _FEW, where=IsNull(_FEW))
    return _by_key(draw, function, Agg("count"))


def _distinct(draw: DrawFn) -> Relation:
    return _one_of(draw, Agg("sum", _FEW, True), Agg("avg", _FEW, True))


def _rounded_twice() -> SearchStrategy[Case]:
    """Seven values of eleven digits, whose average as a double has another last digit."""
    value = Column("a", Decimal(11, 0))
    rows = (*[("99999999999",)] * 6, ("99999999998",))
    average = Aggregate(Scan("t0", (value,)), (), (Item("x", Agg("avg", Col("a", value.type))),))
    return st.just(Case(average, Database((Table("t0", (value,), rows),))))


def _miss(name: str, *functions: Agg, fires: bool, weight: int = 1) -> NearMiss:
    """One of ``functions``, over all rows or by a key."""
    return NearMiss(name, lambda: file_cases(over_fixed(_DATABASE, _one_of, *functions)), fires=fires, weight=weight)


NEAR_MISSES = (
    _miss("sum", Agg("sum", _FEW), fires=True, weight=2),
    _miss("average", Agg("avg", _FEW), Agg("avg", _NINE), fires=True, weight=2),
    NearMiss("of_no_value", lambda: file_cases(over_fixed(_DATABASE, _of_no_value)), fires=True, weight=2),
    NearMiss("distinct", lambda: file_cases(over_fixed(_DATABASE, _distinct)), fires=True),
    NearMiss("running", lambda: file_cases(over_fixed(_DATABASE, _running)), fires=True),
    NearMiss("rounded_twice", _rounded_twice, fires=True, known_bug="average-of-a-decimal-rounded-twice"),
    _miss("sum_of_many_digits", Agg("sum", _NINE), Agg("sum", _MANY), fires=False),
    _miss("average_of_many_digits", Agg("avg", _MANY), fires=False),
    _miss("extremes", Agg("max", _FEW), Agg("min", _FEW), Agg("count", _FEW), fires=False),
    _miss("integers", Agg("sum", _K), Agg("avg", _K), fires=False),
)
