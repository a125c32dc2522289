"""Draw common table expressions that are read once, twice, by a subquery, or never."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.draws import below, one_in, pick
from strategies.draw.exprs import predicates
from strategies.draw.joins import join_conditions
from strategies.draw.limits import limited
from strategies.draw.operands import Fields
from strategies.draw.random_tests import IN_SUBQUERIES, random_test, with_random_column
from strategies.draw.scopes import fresh_alias, new_names, scope
from strategies.draw.setops import fitted
from strategies.draw.subqueries import around, draw_predicate
from strategies.ir import (
    SET_KINDS,
    Agg,
    Aggregate,
    Alias,
    Column,
    CteScan,
    Filter,
    Item,
    Join,
    JoinKind,
    Node,
    Project,
    RandomColumn,
    Relation,
    RowNumbers,
    SetOp,
    With,
    from_fields,
    operators,
    qualifiers,
    referable,
    transform,
    walk,
    without_random,
)

_KINDS: tuple[JoinKind, ...] = ("inner", "left", "full", "semi", "anti", "right")
_SMALL_KINDS: tuple[JoinKind, ...] = ("semi", "anti")
_TWICE = range(3, 6)
"""The forms of a body that is a set operator of two readings."""


def draw_with(
    draw: DrawFn,
    definition: Relation,
    other: Relation,
    room: int,
    level: int,
    *,
    joins: bool,
    stays_in: int = 4,
    mostly_filtered: bool = False,
) -> Relation:
    """A WITH of ``definition``; its body has about ``room`` operators, and may read ``other``, too.

    Without room for names that the columns need, it is ``definition``.

    :param level: how deep in a query it stands.
    :param joins: ``definition`` has few enough rows for a join with itself.
    :param stays_in: one in so many definitions has a random number, so that it stays if it is read twice.
    :param mostly_filtered: those that stay are read twice, the rows of each reading filtered or grouped, some with a
        part of the columns; the random number of some is below a limit, or is a column.
    """
    plain = definition
    definition = _with_names(draw, without_random(plain))
    room -= operators(definition) - operators(plain)
    if room < 0:
        return plain
    stays = room > 0 and level < IN_SUBQUERIES and one_in(draw, stays_in)
    room -= stays
    filtered = stays and mostly_filtered
    if filtered and one_in(draw, 3):
        definition = with_random_column(draw, definition)
    name = _fresh_name(definition, other)
    read = Alias(definition, name)
    form = _TWICE.start + draw(below(len(_TWICE))) if filtered else draw(below(12))
    body: Relation
    if form < 3 or room < 1:
        body = _over(draw, read, room)
    elif form in _TWICE:
        left = _over(draw, read, room - 1, filtered=filtered)
        right = fitted(draw, _over(draw, read, room - 2, filtered=filtered), tuple(field.type for field in left.fields))
        body = SetOp(pick(draw, SET_KINDS), left, right, one_in(draw, 2))
    elif form < 8:
        right = Alias(read, fresh_alias(read))
        kind = pick(draw, _KINDS if joins else _SMALL_KINDS)
        body = Join(read, right, kind, draw(join_conditions(read, right)))
    elif form < 10:
        body = Filter(read, draw_predicate(draw, around(read.fields, qualifiers(read), lambda _: st.just(read), room)))
    elif form == 10:
        body = SetOp("union", other, fitted(draw, read, tuple(field.type for field in other.fields)), all=True)
    else:
        body = other
    if stays and not isinstance(definition, (RandomColumn, RowNumbers)):
        definition = _sieved(draw, definition)
        definition = limited(draw, definition) if filtered and one_in(draw, 4) else definition
    return With(name, definition, _reading(body, read))


def _sieved(draw: DrawFn, rows: Relation) -> Filter:
    """``rows`` under a filter with a random number: Spark does not inline these where they are read twice."""
    return Filter(rows, draw(predicates(scope(from_fields(rows)), depth=0)), random_test(draw))


def _with_names(draw: DrawFn, definition: Relation) -> Relation:
    """``definition`` with distinct names of its columns."""
    fields = scope(definition.fields)
    if len({field.name for field in fields}) == len(fields):
        return definition
    known = referable(fields)
    if not known:
        return Aggregate(definition, (), (Item("n", Agg("count")),))
    names = new_names(draw, fields, len(known))
    return Project(definition, tuple(Item(name, field.column()) for name, field in zip(names, known, strict=True)))


def _fresh_name(*relations: Relation) -> str:
    taken = {node.name for relation in relations for node in walk(relation) if isinstance(node, (With, Alias))}
    return next(name for name in map("c{}".format, range(len(taken) + 1)) if name not in taken)


def _over(draw: DrawFn, read: Relation, room: int, *, filtered: bool = False) -> Relation:
    form = 0 if room < 1 else 3 + draw(below(3)) if filtered else draw(below(6))
    fields = scope(from_fields(read))
    if form < 3:
        return read
    known = referable(fields)
    if form < 5 or not known:
        rows = Filter(read, draw(predicates(fields, depth=1)))
        return _some_columns(draw, rows, known) if filtered and known and not one_in(draw, 3) else rows
    key = Item("a", pick(draw, known).column())
    return Aggregate(read, (key,), (Item("n", Agg("count")),))


def _some_columns(draw: DrawFn, rows: Relation, known: Fields) -> Project:
    """One or two columns of ``rows``; mostly two of one type if there are some, which a rule may mix up."""
    first = pick(draw, known)
    others = [field for field in known if field != first]
    alike = [field for field in others if field.type == first.type]
    chosen = [first, pick(draw, alike if alike and not one_in(draw, 4) else others)] if others else [first]
    return Project(rows, tuple(Item(f"p{place}", field.column()) for place, field in enumerate(chosen)))


def _reading(body: Relation, read: Alias) -> Relation:
    """``body`` with a reference in place of each copy of the definition, from which it was drawn."""
    columns = tuple(Column(field.name, field.type) for field in read.fields)

    def change(node: Node) -> Node:
        return CteScan(read.name, columns) if node == read else node

    changed = transform(body, change)
    assert isinstance(changed, Relation)  # a relation replaces a relation
    return changed
