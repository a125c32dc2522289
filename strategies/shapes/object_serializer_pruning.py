"""Shape of ObjectSerializerPruning: some columns, or fields of structs, of what a typed map makes."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import below, pick
from strategies.draw.scopes import scope
from strategies.ir import (
    INT,
    STRING,
    Case,
    Col,
    Compare,
    Database,
    Expr,
    Filter,
    GetField,
    IsNull,
    Item,
    Lit,
    Project,
    Relation,
    TypedMap,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.forms import dataframe_only, file_cases, over_fixed, over_tables
from strategies.shapes.sides import scan, source
from strategies.shapes.typed_rows import ROWS, P, changed, filtered, mapped

RULE = "ObjectSerializerPruning"


def _query(draw: DrawFn, schema: Database) -> Relation:
    child = source(draw, schema)
    if len(child.fields) == 1:
        one = scope(child.fields)[0].column()
        child = Project(child, (Item("x0", one), Item("x1", one)))
    made = mapped(draw, child)
    place = draw(below(len(made.fields)))
    kept = made.fields[place:] if place else made.fields[:1]
    return in_context(draw, schema, Project(made, tuple(Item(f.name, f.column()) for f in kept)), reads=True)


def fires() -> SearchStrategy[Case]:
    """Not all columns of a map; shrinks to one of two."""
    return file_cases(over_tables(_query), forms_of=dataframe_only)


_SCAN = scan(ROWS.tables[0])
_A, _B, _S, _R = Col("a", INT), Col("b", INT), Col("s", STRING), Col("r", P)


def _listed(child: Relation, *values: Expr) -> Project:
    return Project(child, tuple(Item(f"u{place}", value) for place, value in enumerate(values)))


def _columns(draw: DrawFn) -> Relation:
    """One of two columns of a type, alone or beside others."""
    values = pick(draw, ((_B,), (_A,), (_B, _S), (_S, _A), (Compare("<", _B, Lit(INT, 2)),)))
    return _listed(changed(draw, _SCAN), *values)


def _fields(draw: DrawFn) -> Relation:
    """Some fields of a struct, of which NULL has none."""
    made = pick(draw, (TypedMap(_SCAN, "r", "same"), changed(draw, _SCAN)))
    fields = pick(draw, (("q",), ("p",), ("s",), ("q", "s"), ("q", "p")))
    others = pick(draw, ((), (_B,)))
    return _listed(made, *(GetField(_R, name) for name in fields), *others)


def _whole_struct(draw: DrawFn) -> Relation:
    """A field beside its struct, which stays whole."""
    return _listed(TypedMap(_SCAN, "r", "same"), GetField(_R, pick(draw, ("q", "p"))), IsNull(_R), _R)


def _in_condition(draw: DrawFn) -> Relation:
    """A column that a condition alone reads, below the columns that are shown."""
    condition = IsNull(pick(draw, (_A, _B, _S)), negated=pick(draw, (True, False)))
    return _listed(Filter(changed(draw, _SCAN), condition), pick(draw, (_B, _S)))


def _all_columns(draw: DrawFn) -> Relation:
    """All columns, in another order."""
    return _listed(changed(draw, _SCAN), _R, _B, _S, _A)


def _of_a_filter(draw: DrawFn) -> Relation:
    """Columns of a typed filter, which makes no new rows."""
    return _listed(filtered(draw, _SCAN), pick(draw, (_B, _S)))


def _cases(build: Callable[[DrawFn], Relation]) -> SearchStrategy[Case]:
    return file_cases(over_fixed(ROWS, build), forms_of=dataframe_only)


NEAR_MISSES = (
    NearMiss("columns", lambda: _cases(_columns), fires=True, weight=2),
    NearMiss("fields", lambda: _cases(_fields), fires=True, weight=2),
    NearMiss("whole_struct", lambda: _cases(_whole_struct), fires=True),
    NearMiss("in_condition", lambda: _cases(_in_condition), fires=False),
    NearMiss("all_columns", lambda: _cases(_all_columns), fires=False),
    NearMiss("of_a_filter", lambda: _cases(_of_a_filter), fires=False),
)
