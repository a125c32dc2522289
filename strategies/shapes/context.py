"""Draw operators above a shape: mostly none, so that a counterexample shrinks to the shape alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import Fields, predicates
from strategies.draw.queries import scope
from strategies.draw.setops import fitted
from strategies.ir import (
    SET_KINDS,
    Agg,
    Aggregate,
    Alias,
    Database,
    Filter,
    Item,
    Project,
    Relation,
    SetOp,
    from_fields,
    referable,
)
from strategies.shapes.sides import scan

_Context = Callable[[DrawFn, Database, Relation], Relation]


def in_context(draw: DrawFn, schema: Database, relation: Relation, *, reads: bool = False) -> Relation:
    """``relation`` by itself, or in three of eight draws below a filter, a projection, a count, an alias or a set
    operator; shrinks to itself. With ``reads``, the operator above needs at least one column, unlike ``count(*)``.
    """
    return pick(draw, _READING if reads else _CONTEXTS)(draw, schema, relation)


def _alone(draw: DrawFn, schema: Database, relation: Relation) -> Relation:
    return relation


def _filtered(draw: DrawFn, schema: Database, relation: Relation) -> Relation:
    return Filter(relation, draw(predicates(scope(from_fields(relation)), depth=1)))


def _named(draw: DrawFn, schema: Database, relation: Relation) -> Relation:
    return _filtered(draw, schema, Alias(relation, "outer_query"))


def _projected(draw: DrawFn, schema: Database, relation: Relation) -> Relation:
    columns = referable(scope(relation.fields))
    return Project(relation, (Item("p", pick(draw, columns).column()),)) if columns else relation


def _counted(draw: DrawFn, schema: Database, relation: Relation) -> Relation:
    return number_of_rows(relation)


def _grouped(draw: DrawFn, schema: Database, relation: Relation) -> Relation:
    columns = referable(scope(relation.fields))
    keys = (Item("k", pick(draw, columns).column()),) if columns else ()
    return Aggregate(relation, keys, (Item("n", Agg("count")),))


def _chained(draw: DrawFn, schema: Database, relation: Relation) -> Relation:
    """A set operator, with or without ALL, with ``relation`` as either side."""
    if not relation.fields:
        return relation
    other = fitted(draw, scan(pick(draw, schema.tables)), tuple(field.type for field in relation.fields))
    kind, keeps_all, first = pick(draw, _CHAINS)
    # ALL over one column twice is a known bug of Spark; random queries cover it.
    keeps_all = keeps_all and not _lists_one_twice(other)
    return SetOp(kind, relation, other, keeps_all) if first else SetOp(kind, other, relation, keeps_all)


def _lists_one_twice(relation: Relation) -> bool:
    values = [item.value for item in relation.items] if isinstance(relation, Project) else []
    return len(set(values)) < len(values)


_CHAINS = tuple(
    (kind, keeps_all, first) for first in (True, False) for kind in SET_KINDS for keeps_all in (True, False)
)


_CONTEXTS: tuple[_Context, ...] = (*[_alone] * 10, _filtered, _projected, _counted, _grouped, _named, _chained)
_READING: tuple[_Context, ...] = tuple(context for context in _CONTEXTS if context is not _counted)


def joined_in_context(draw: DrawFn, schema: Database, relation: Relation, width: int) -> Relation:
    """As :func:`in_context` for a join or a filter of one, whose columns may share names.

    The operator above gets all columns under distinct names, or only the first ``width`` (the left side's), or only the
    others.
    """
    if not one_in(draw, 2):
        return relation
    fields = scope(relation.fields)
    shown = pick(draw, (fields, fields[:width], fields[width:])) or fields
    return in_context(draw, schema, apart(relation, shown))


def in_some_context(
    draw: DrawFn, schema: Database, forms: Sequence[Callable[[DrawFn, Database], Relation]]
) -> Relation:
    """A relation that one of ``forms`` makes of drawn tables, alone or below another operator."""
    return in_context(draw, schema, pick(draw, forms)(draw, schema))


def number_of_rows(relation: Relation) -> Aggregate:
    """``SELECT count(*) AS n FROM relation``."""
    return Aggregate(relation, (), (Item("n", Agg("count")),))


def apart(relation: Relation, shown: Fields) -> Project:
    """The columns ``shown`` of ``relation``, under distinct names."""
    return Project(relation, tuple(Item(f"j{place}", field.column()) for place, field in enumerate(shown)))
