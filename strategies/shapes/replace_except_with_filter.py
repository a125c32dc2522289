"""ReplaceExceptWithFilter: an EXCEPT of a plan and the same plan under more filters.

The rule finds the condition's columns in the left side's output by name, so it acts only where every column of the
condition is shown under its own name. Where that name is another column's, it acts and is wrong (SPARK-58383).
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import Fields, kinds
from strategies.draw.queries import scope
from strategies.draw.tables import schemas
from strategies.draw.values import draw_literal
from strategies.ir import (
    COMPARE_OPS,
    INT,
    Alias,
    Case,
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
    Project,
    Relation,
    SetOp,
    Table,
    TryArith,
    from_fields,
)
from strategies.shapes import NearMiss
from strategies.shapes.conditions import plain_expressions, plain_predicates
from strategies.shapes.context import in_context
from strategies.shapes.data import counted, repeated
from strategies.shapes.forms import Question, file_cases, over_fixed, over_one_table
from strategies.shapes.sides import scan

RULE = "ReplaceExceptWithFilter"


@st.composite
def _questions(draw: DrawFn) -> Question:
    schema = draw(schemas(max_tables=2))
    base = _base(draw, schema)
    fields = scope(from_fields(base))
    items, shown = _columns(draw, fields)
    condition = draw(plain_predicates(shown))
    left = Filter(base, draw(plain_predicates(shown))) if one_in(draw, 3) else base
    under = left if one_in(draw, 4) else base
    sides = (left, Filter(under, condition))
    return schema, in_context(draw, schema, _difference(*(_projected(side, items) for side in sides)))


def _difference(left: Relation, right: Relation) -> Relation:
    return SetOp("except", left, right)


def _base(draw: DrawFn, schema: Database) -> Relation:
    """A table most of the time; any other plan will do as well."""
    table = scan(schema.tables[0])
    return pick(draw, (*[table] * 9, Alias(table, "s0"), Distinct(table), _turned(table)))


def _turned(relation: Relation) -> Relation:
    """``relation`` with each column under the name of the next one."""
    fields = scope(from_fields(relation))
    names = [field.name for field in (*fields[1:], *fields[:1])]
    return Project(relation, tuple(Item(name, field.column()) for name, field in zip(names, fields, strict=True)))


def _columns(draw: DrawFn, fields: Fields) -> tuple[tuple[Item, ...], Fields]:
    """The items that both sides select, none for ``*``, and the columns that a condition may use: those kept by name.

    Whatever is computed or renamed has a name that no column of the base has.
    """
    if not one_in(draw, 3):
        return (), fields
    first = pick(draw, range(len(fields)))
    kept = fields[first:] if draw(st.booleans()) else fields[first : first + 1]
    items = [Item(field.name, field.column()) for field in kept]
    if draw(st.booleans()):
        items.append(Item("made", draw(plain_expressions(fields, pick(draw, kinds(fields)), depth=1))))
    return tuple(items), kept


def _projected(side: Relation, items: tuple[Item, ...]) -> Relation:
    return Project(side, items) if items else side


def fires() -> SearchStrategy[Case]:
    """``SELECT … FROM t [WHERE p] EXCEPT SELECT … FROM t WHERE c``; shrinks to ``t EXCEPT t WHERE a = 0``."""
    return file_cases(_questions())


_PAIR = Database((Table("t0", (Column("a", INT), Column("b", INT))),))
_OTHER = Table("t1", (Column("a", INT), Column("b", INT)))


def _over_pair(draw: DrawFn, left_items: tuple[Item, ...], right_items: tuple[Item, ...]) -> Relation:
    """``SELECT left FROM t0 EXCEPT SELECT right FROM t0 WHERE`` a condition on ``a``, both columns INT."""
    base = scan(_PAIR.tables[0])
    condition = _on_a(draw)
    return _difference(_projected(base, left_items), _projected(Filter(base, condition), right_items))


def _on_a(draw: DrawFn) -> Expr:
    """A condition that needs the column ``a``."""
    if draw(st.booleans()):
        return IsNull(_A, negated=draw(below(4)) > 0)
    return Compare(pick(draw, COMPARE_OPS), _A, draw_literal(draw, INT))


def _items(*named: tuple[str, Expr]) -> tuple[Item, ...]:
    return tuple(Item(name, value) for name, value in named)


_A, _B = (Col(column.name, column.type) for column in _PAIR.tables[0].columns)
_ONE_MORE = TryArith("+", _A, Lit(INT, 1))
_RENAMED = _items(("x", _A), ("y", _B))
_REUSED = (
    _items(("a", _ONE_MORE)),
    _items(("a", _B), ("b", _A)),
    _items(("x", _A), ("a", _B)),
    _items(("a", _ONE_MORE), ("b", _B)),
)
"""A base column's name for something else. Both sides select it, and the condition is on the base column ``a``."""


def _same_columns(items: tuple[Item, ...]) -> SearchStrategy[Case]:
    return file_cases(over_fixed(_PAIR, _over_pair, items, items))


def _reused_name() -> SearchStrategy[Case]:
    return st.sampled_from(_REUSED).flatmap(_same_columns)


def _another_order() -> SearchStrategy[Case]:
    """Both columns on either side, on one of them in reverse."""
    turned = _items(("b", _B), ("a", _A))
    return st.sampled_from((((), turned), (turned, ()))).flatmap(
        lambda items: file_cases(over_fixed(_PAIR, _over_pair, *items))
    )


def _null_condition(draw: DrawFn) -> Relation:
    """A comparison with NULL: no row of the left is on the right."""
    base = scan(_PAIR.tables[0])
    return _difference(base, Filter(base, Compare("=", draw(st.sampled_from((_A, _B))), Lit(INT, None))))


def _both_filtered(draw: DrawFn, schema: Database) -> Relation:
    base = scan(schema.tables[0])
    fields = scope(base.fields)
    return _difference(*(Filter(base, draw(plain_predicates(fields))) for _ in range(2)))


@st.composite
def _other_relation(draw: DrawFn) -> Question:
    other = scan(_OTHER)
    return Database((*_PAIR.tables, _OTHER)), _difference(
        scan(_PAIR.tables[0]), Filter(other, draw(plain_predicates(scope(other.fields))))
    )


def _unfiltered_right(draw: DrawFn, schema: Database) -> Relation:
    base = scan(schema.tables[0])
    return _difference(Filter(base, draw(plain_predicates(scope(base.fields)))), base)


def _names_twice(draw: DrawFn) -> Relation:
    """A join's ``*`` has every name twice: a condition on it could mean either."""
    base = scan(_PAIR.tables[0])
    both = Join(base, Alias(base, "s0"), "cross")
    return _difference(both, Filter(both, draw(plain_predicates(from_fields(both), depth=1))))


NEAR_MISSES = (
    NearMiss("null_condition", lambda: file_cases(over_fixed(_PAIR, _null_condition)), fires=True),
    NearMiss("both_filtered", lambda: file_cases(over_one_table(_both_filtered)), fires=True),
    NearMiss("repeats_on_the_left", lambda: repeated(fires()), fires=True),
    NearMiss("column_renamed", lambda: _same_columns(_RENAMED), fires=False),
    NearMiss("name_reused", _reused_name, fires=True, known_bug="SPARK-58383"),
    NearMiss("another_order", _another_order, fires=False, weight=6),
    NearMiss("other_relation", lambda: file_cases(_other_relation()), fires=False),
    NearMiss("unfiltered_right", lambda: file_cases(over_one_table(_unfiltered_right)), fires=False),
    NearMiss("names_twice", lambda: file_cases(over_fixed(_PAIR, _names_twice)), fires=False),
    NearMiss("except_all", lambda: counted("except", keeps_all=True), fires=False),
)
