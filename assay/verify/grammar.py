"""All queries of a small grammar, level by level: by their number of operators, and of parts of expressions.

A scan is no operator. ``count(*)`` of a LIMIT without an order counts as one operator, and so does a subquery with the
condition that correlates it, beside the filter or the projection that it is in. Tables are numbered in the order in
which a query reads them first, because all of them have the same columns: of queries that differ in the names of tables
alone there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial

from assay.verify.nesting import Making, order, read_in_part, read_twice, subqueries
from assay.verify.vocabulary import aggregates, computed, constant, matches, predicates
from strategies.ir import (
    INT,
    SET_KINDS,
    Agg,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Coalesce,
    Column,
    Compare,
    Distinct,
    Expr,
    Field,
    Filter,
    Generate,
    GroupingSets,
    InList,
    InvalidQuery,
    Item,
    Join,
    JoinKind,
    Limit,
    Lit,
    MakeArray,
    Or,
    Over,
    Project,
    Ranking,
    Relation,
    Scan,
    SetOp,
    SortKey,
    SqlType,
    Values,
    ValuesRow,
    Window,
)
from strategies.ir.relations import from_fields, referable

_OF_BINARY = 2
"""The most parts of a join's condition."""
KINDS: tuple[JoinKind, ...] = ("inner", "left", "right", "full", "semi", "anti")


@dataclass(frozen=True, slots=True, order=True)
class Level:
    """Queries of exactly so many operators, and parts of expressions beyond the simplest ones."""

    operators: int
    parts: int


_ORDER = ((1, 0), (1, 1), (1, 2), (2, 0), (1, 3), (2, 1), (3, 0), (2, 2))
LEVELS = tuple(Level(operators, parts) for operators, parts in _ORDER)
"""The levels in the order in which they are enumerated: a further operator weighs as much as two further parts, and of
levels of one weight those with fewer queries come first.
"""
NAMED_ORDER = tuple(Level(*each) for each in ((1, 0), (1, 1), (2, 0), (1, 2), (2, 1), (3, 0), (2, 2), (1, 3)))
"""The same levels for a rule that is about some operators: two of these come before long conditions of one."""


@dataclass(frozen=True, slots=True)
class Schema:
    """So many tables with these columns each."""

    types: tuple[SqlType, ...]
    tables: int

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of each table: a, b, and so on."""
        return tuple(Column("abc"[place], kind) for place, kind in enumerate(self.types))


Made = tuple[Relation, int]
"""A relation, and the number of tables that it and all before it in the query read."""


@dataclass(frozen=True)
class Grammar:
    """The queries over one schema."""

    schema: Schema
    accepts: Callable[[Relation], bool] = lambda relation: True
    """Whether a relation, and with it each query that it is in, is among the queries."""
    _lists: dict[tuple[int, int, int], tuple[Made, ...]] = field(default_factory=dict, repr=False)

    def queries(self, level: Level) -> Iterator[Relation]:
        """All queries of ``level``, each once."""
        seen: set[Relation] = set()
        for relation, _ in self._made(level.operators, level.parts, 0):
            if not relation.up_to_engine and relation not in seen:
                seen.add(relation)
                yield relation

    def _all(self, operators: int, parts: int, tables: int) -> tuple[Made, ...]:
        key = operators, parts, tables
        if key not in self._lists:
            self._lists[key] = tuple(self._made(*key))
        return self._lists[key]

    def _made(self, operators: int, parts: int, tables: int) -> Iterator[Made]:
        """Relations of exactly this size that are accepted, after ``tables`` tables were read."""
        return ((made, read) for made, read in self._sized(operators, parts, tables) if self.accepts(made))

    def _sized(self, operators: int, parts: int, tables: int) -> Iterator[Made]:
        if not operators:
            yield from self._leaves(parts, tables)
            return
        for inner in range(parts + 1):
            for child, read in self._all(operators - 1, inner, tables):
                yield from ((made, read) for made in valid(unary(child, parts - inner)))
            if operators > 1:
                for child, read in self._all(operators - 2, inner, tables):
                    yield from self._with_subqueries(child, parts - inner, read)
        yield from self._with_names(operators, parts, tables)
        for below in range(operators):
            for left_parts in range(parts + 1):
                for left, read in self._all(below, left_parts, tables):
                    for right_parts in range(parts - left_parts + 1):
                        own = parts - left_parts - right_parts
                        if own <= _OF_BINARY:
                            for right, both in self._all(operators - 1 - below, right_parts, read):
                                yield from ((made, both) for made in valid(binary(left, right, own)))

    def _with_names(self, operators: int, parts: int, tables: int) -> Iterator[Made]:
        """Common table expressions that are read twice: WITH and the operator that both readings meet in are two."""
        for definition, read in self._all(operators - 2, parts, tables) if operators > 1 else ():
            yield from ((made, read) for made in valid(read_twice(definition)))
        for definition, read in self._all(operators - 3, parts, tables) if operators > 2 else ():
            yield from ((made, read) for made in valid(read_in_part(definition)))

    def _leaves(self, parts: int, tables: int) -> Iterator[Made]:
        if not parts:
            for number in range(min(tables + 1, self.schema.tables)):
                yield Scan(f"t{number}", self.schema.columns), max(tables, number + 1)
        if parts == 1:
            yield from ((values, tables) for values in self._values)

    @cached_property
    def _values(self) -> tuple[Values, ...]:
        """Two equal rows of constants, with a row of NULL alone, and without one: of columns that are never NULL."""
        constants = [constant(kind) or Lit(kind, None) for kind in self.schema.types]
        nothing = ValuesRow(tuple(Lit(kind, None) for kind in self.schema.types))
        one = ValuesRow(tuple(constants))
        names = tuple(column.name for column in self.schema.columns)
        return Values(names, (one, one, nothing)), Values(names, (one, one))

    def _with_subqueries(self, child: Relation, parts: int, tables: int) -> Iterator[Made]:
        """``child`` under a filter or a projection with a subquery over a table."""
        if parts > 1:
            return
        named = child if isinstance(child, (Scan, Alias, Join)) else Alias(child, "x")
        for scan, read in self._leaves(0, tables):
            yield from ((made, read) for made in valid(subqueries(named, Alias(scan, "s"), parts)))


def valid(makings: Iterator[Making]) -> Iterator[Relation]:
    """The relations that the constructors accept."""
    for make in makings:
        with suppress(InvalidQuery):
            yield make()


def unary(child: Relation, parts: int) -> Iterator[Making]:
    """One operator over ``child``, with ``parts`` parts of its own."""
    if child.up_to_engine:
        return
    scope, fields = referable(from_fields(child)), referable(child.fields)
    for condition in predicates(scope, parts):
        yield partial(Filter, child, condition)
    yield from _projections(child, fields, parts)
    yield from _groupings(child, fields, parts)
    if not parts:
        yield partial(Distinct, child)
        yield partial(Aggregate, AnyLimit(child, 1), (), (Item("n", Agg("count")),))
        yield partial(Limit, child, order(fields), 1)
    if parts == 1:
        yield partial(Aggregate, AnyLimit(child, 1, 1), (), (Item("n", Agg("count")),))
        yield partial(Limit, child, order(fields), 1, 1)
        yield partial(Limit, child, order(fields, descending=True), 1)
        yield partial(Limit, child, order(fields, descending=True), 2)
        yield partial(Limit, child, order(fields), 2)
        yield partial(Limit, child, order(fields), 0)
        yield partial(Aggregate, AnyLimit(child, 2), (), (Item("n", Agg("count")),))
        for one in fields:
            yield partial(Window, child, (Over("w", Agg("count")),), (one.column(),))
            yield partial(Window, child, (Over("w", Ranking("rank")),), (), (SortKey(one.column()),))
            yield partial(Window, child, (Over("w", Agg("max", fields[-1].column())),), (), (SortKey(one.column()),))
        yield partial(Window, child, (Over("w", Ranking("row_number")),), (), order(fields))
        if len(fields) > 1:
            last = (SortKey(fields[-1].column()),)
            yield partial(Window, child, (Over("w", Ranking("rank")),), (fields[0].column(),), last)
            yield partial(Window, child, (Over("w", Ranking("row_number")),), (fields[0].column(),), order(fields))
        if fields and all(one.type == fields[0].type for one in fields):
            yield partial(Generate, child, MakeArray(fields[0].type, tuple(one.column() for one in fields)), "e")


def _projections(child: Relation, fields: tuple[Field, ...], parts: int) -> Iterator[Making]:
    if not parts:
        for one in fields:
            yield partial(Project, child, (Item(one.name, one.column()),))
        if len(fields) > 1:
            first, last = fields[0], fields[-1]
            yield partial(Project, child, (Item(last.name, last.column()), Item(first.name, first.column())))
            yield partial(Project, child, (Item(first.name, last.column()), Item(last.name, first.column())))
    if parts == 1:
        for value in computed(fields):
            yield partial(Project, child, (Item("x", value),))
            if fields:
                first = fields[0]
                yield partial(Project, child, (Item(first.name, first.column()), Item("x", value)))
    if parts > 1:
        for condition in (*(predicates(fields, 1) if parts == 2 else ()), *predicates(fields, parts)):
            yield partial(Project, child, (Item("x", condition),))


def _groupings(child: Relation, fields: tuple[Field, ...], parts: int) -> Iterator[Making]:
    keys = tuple(Item(one.name, one.column()) for one in fields)
    for function in aggregates(fields, parts):
        counted = (Item("n", function),)
        yield partial(Aggregate, child, (), counted)
        for key in keys:
            yield partial(Aggregate, child, (key,), counted)
        if len(keys) > 1 and not parts:
            yield partial(Aggregate, child, keys, counted)
    if parts == 1 and isinstance(child, Join):
        both = referable(from_fields(child))
        sides = tuple(Item(f"k{place}", one.column()) for place, one in enumerate((both[0], both[-1]))) if both else ()
        yield partial(Aggregate, child, sides, (Item("n", Agg("count")),))
    if parts == 1:
        constants = (Item("k", Lit(INT, 1)),)
        yield partial(Aggregate, child, constants, (Item("n", Agg("count")),))
        for key in keys:
            yield partial(Aggregate, child, (key, *constants), (Item("n", Agg("count")),))
        if keys:
            yield partial(GroupingSets, child, "rollup", keys[:1], (Item("n", Agg("count")),))
    if parts == 2:
        for computed_keys in _computed_keys(fields):
            named = tuple(Item(f"k{place}", key) for place, key in enumerate(computed_keys))
            yield partial(Aggregate, child, named, (Item("n", Agg("count")),))
        for one in fields:
            pair = (Item("n", Agg("count", one.column(), distinct=True)), Item("m", Agg("count")))
            yield partial(Aggregate, child, (), pair)
            for other in fields:
                if other != one:
                    for more in (Agg("count", other.column(), distinct=True), _pairs(one, other)):
                        yield partial(Aggregate, child, (), (pair[0], Item("m", more)))


def _pairs(one: Field, other: Field) -> Agg:
    return Agg("count", one.column(), distinct=True, others=(other.column(),))


def _computed_keys(fields: tuple[Field, ...]) -> Iterator[tuple[Expr, ...]]:
    """Other keys of a grouping than columns: a column twice, a constant in a key, the same columns twice."""
    for place, one in enumerate(fields):
        yield one.column(), one.column()
        value = constant(one.type)
        if value is not None:
            yield (Coalesce((one.column(), value)),)
            yield from ((other.column(), Coalesce((one.column(), value))) for other in fields[:place])
            yield from (
                (Compare("<", one.column(), other.column()), Compare("<", other.column(), one.column()))
                for other in fields[:place]
                if other.type == one.type
            )


def binary(left: Relation, right: Relation, parts: int) -> Iterator[Making]:
    """One join or set operator of two relations, with ``parts`` parts of its own."""
    if left.up_to_engine or right.up_to_engine:
        return
    if not parts:
        for kind in SET_KINDS:
            for all_ in (True, False):
                yield partial(SetOp, kind, left, right, all_)
    one, other = sides(left, right)
    if not parts:
        yield partial(Join, one, other, "cross")
    mine, theirs = referable(from_fields(one)), referable(other.fields)
    if not mine or not theirs:
        return
    equal = matches(mine[0], theirs[0], 0)
    conditions: list[Expr] = list(matches(mine[0], theirs[0], parts)) if parts < _OF_BINARY else []
    if parts == _OF_BINARY:
        conditions = [And(match, more) for match in equal for more in _of_one_side(mine, theirs, 1)]
    elif parts:
        conditions += [
            connect(first, more)
            for first in equal[:1]
            for more in _of_one_side(mine, theirs, 0)
            for connect in (And, Or)
        ]
        conditions += [And(*pair) for pair in zip(equal, matches(mine[-1], theirs[-1], 0), strict=False)]
        conditions += [*matches(mine[0], theirs[-1], 0), *matches(mine[-1], theirs[0], 0)]
        conditions += _of_one_side(mine, theirs, 0)
        if isinstance(one, Join):
            conditions += [And(match, more) for match in equal for more in _of_all_sides(mine, theirs[0])]
    for condition in conditions:
        for joined in KINDS:
            yield partial(Join, one, other, joined, condition)


def sides(left: Relation, right: Relation) -> tuple[Relation, Alias]:
    """The sides of a join, with names; a join on the left keeps the names of its own sides."""
    if not isinstance(left, Join):
        return Alias(left, "l"), Alias(right, "r")
    return left, Alias(right, "s" if isinstance(left.left, Alias) else "t")


def _of_all_sides(mine: tuple[Field, ...], theirs: Field) -> Iterator[Expr]:
    """A condition on three tables: the last one's column is the first one's, or that of the right side."""
    if mine[0].type == mine[-1].type == theirs.type and len(mine) > 1:
        yield InList(mine[-1].column(), (mine[0].column(), theirs.column()))


def _of_one_side(mine: tuple[Field, ...], theirs: tuple[Field, ...], parts: int) -> list[Expr]:
    return [condition for side in (mine, theirs) for condition in predicates(side[-1:], parts)]
