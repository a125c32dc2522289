"""Shape of OptimizeUpdateFields: a struct whose fields are changed by one projection after another, in a DataFrame
program: SQL has no function that changes a field.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.operands import Fields, columns_of
from strategies.draw.scopes import scope
from strategies.draw.values import PAIR, draw_literal
from strategies.ir import (
    INT,
    STRING,
    Case,
    CaseWhen,
    Col,
    Column,
    Database,
    Expr,
    IsNull,
    Item,
    Lit,
    MakeStruct,
    Project,
    Relation,
    SqlType,
    Struct,
    When,
    WithField,
    WithoutField,
    referable,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.forms import Question, dataframe_only, file_cases, over_fixed, over_tables, sql_alone
from strategies.shapes.groups import one_table
from strategies.shapes.sides import scan

RULE = "OptimizeUpdateFields"
_Change = Callable[[DrawFn, Expr, Fields], Expr]
"""Draws a change of a struct, with new values over some columns."""


def _value(draw: DrawFn, fields: Fields, kind: SqlType) -> Expr:
    """A column, a constant or NULL."""
    return pick(draw, (*columns_of(fields, kind)[:1], draw_literal(draw, kind), Lit(kind, None)))


def _kinds(struct: Expr) -> tuple[tuple[str, SqlType], ...]:
    assert isinstance(struct.type, Struct)
    return struct.type.fields


def _set(draw: DrawFn, struct: Expr, fields: Fields) -> Expr:
    name, kind = pick(draw, _kinds(struct))
    return WithField(struct, name, _value(draw, fields, kind))


def _added(draw: DrawFn, struct: Expr, fields: Fields) -> Expr:
    """The field ``u``: a new one, unless there is one already."""
    return WithField(struct, "u", _value(draw, fields, dict(_kinds(struct)).get("u", INT)))


def _dropped(draw: DrawFn, struct: Expr, fields: Fields) -> Expr:
    """One field less, or a field set if there is only one."""
    if len(_kinds(struct)) == 1:
        return _set(draw, struct, fields)
    return WithoutField(struct, pick(draw, _kinds(struct))[0])


_CHANGES: tuple[_Change, ...] = (_set, _set, _set, _added, _dropped)


def _changed(draw: DrawFn, relation: Relation, struct: Expr, changes: Sequence[_Change]) -> Relation:
    """``struct`` of ``relation`` changed by one projection after another."""
    kept = scope(relation.fields)
    for place, change in enumerate(changes):
        fields = scope(relation.fields)
        items = [Item(f"v{place}", change(draw, struct, fields))]
        if place < len(changes) - 1:
            items += [Item(field.name, field.column()) for field in kept]
        relation = Project(relation, tuple(items))
        struct = Col(f"v{place}", items[0].value.type)
    return relation


def _struct(draw: DrawFn, relation: Relation) -> Expr:
    """A column that is a struct, or a new struct of the first columns, half of the time NULL where the first one is: of
    a struct that is never NULL all plans may come to the same new struct.
    """
    columns = [field.column() for field in referable(scope(relation.fields))]
    structs = [column for column in columns if isinstance(column.type, Struct)]
    if structs:
        return pick(draw, structs)
    parts = columns[:3]
    made = MakeStruct(tuple(f"p{place}" for place in range(len(parts))), tuple(parts))
    return CaseWhen((When(IsNull(parts[0], negated=True), made),)) if one_in(draw, 2) else made


def _query(draw: DrawFn, schema: Database) -> Relation:
    table = scan(pick(draw, schema.tables))
    changes = [pick(draw, _CHANGES) for _ in range(pick(draw, (2, 2, 3)))]
    return in_context(draw, schema, _changed(draw, table, _struct(draw, table), changes), reads=True)


def _cases_of(questions: SearchStrategy[Question]) -> SearchStrategy[Case]:
    return file_cases(questions, forms_of=dataframe_only)


def fires() -> SearchStrategy[Case]:
    """Two or three changes of a struct; shrinks to one field set twice."""
    return _cases_of(over_tables(_query))


# Near misses.

_TABLES, _TABLE = one_table(Column("a", INT), Column("c", STRING), Column("s", PAIR), Column("r", PAIR))
_S, _R = Col("s", PAIR), Col("r", PAIR)


def _set_to(name: str) -> _Change:
    """The field ``name`` set."""
    return lambda draw, struct, fields: WithField(struct, name, _value(draw, fields, dict(_kinds(struct))[name]))


def _without(name: str) -> _Change:
    return lambda draw, struct, fields: WithoutField(struct, name)


def _over(*changes: _Change) -> Callable[[DrawFn], Relation]:
    """The struct ``s`` with these changes, one after the other."""
    return lambda draw: _changed(draw, _TABLE, _S, changes)


def _both(draw: DrawFn) -> Relation:
    """All fields set, in either order: a NULL struct stays NULL."""
    names = ("p", "q") if one_in(draw, 2) else ("q", "p")
    return _over(*map(_set_to, names))(draw)


def _two_structs(draw: DrawFn) -> Relation:
    """A change of one struct, and then of another."""
    fields = scope(_TABLE.fields)
    one = Project(_TABLE, (Item("v", _set(draw, _S, fields)), Item("r", _R), Item("a", fields[0].column())))
    return Project(one, (Item("v", Col("v", PAIR)), Item("w", _set_to("q")(draw, _R, scope(one.fields)))))


def _miss(name: str, build: Callable[[DrawFn], Relation], *, fires: bool, weight: int = 1) -> NearMiss:
    return NearMiss(name, lambda: _cases_of(over_fixed(_TABLES, build)), fires=fires, weight=weight)


NEAR_MISSES = (
    _miss("one_field_twice", _over(_set_to("p"), _set_to("p")), fires=True, weight=2),
    _miss("all_fields", _both, fires=True, weight=2),
    _miss("set_and_another_dropped", _over(_set_to("p"), _without("q")), fires=True, weight=2),
    _miss("dropped_and_added", _over(_without("p"), _added), fires=True),
    _miss("added_and_set_again", _over(_added, _set_to("q"), _added), fires=True),
    _miss("once", _over(_set_to("p")), fires=False),
    _miss("two_structs", _two_structs, fires=False),
    NearMiss(
        "in_sql",
        lambda: file_cases(over_fixed(_TABLES, _over(_set_to("p"), _set_to("p"))), forms_of=sql_alone),
        fires=False,
    ),
)
