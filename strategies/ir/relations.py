"""Relations: what a query computes, as a tree whose constructors refuse what has no meaning.

Every relation has ``fields``, its output columns in order. A field keeps the qualifier of the scan or alias
that it comes from through joins, and through a filter right above them, just as SQL's FROM and WHERE do;
anything else makes a new unqualified scope. A name may occur twice (a join's ``*``): such a column still
counts in results, set operators and DISTINCT, but only a qualifier can refer to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from strategies.ir.data import Column
from strategies.ir.expressions import Agg, Col, Expr, columns_of
from strategies.ir.node import Node, walk
from strategies.ir.types import BOOLEAN, InvalidQuery, SqlType, common_type, type_text

JoinKind = Literal["inner", "left", "right", "full", "semi", "anti", "cross"]
JOIN_KINDS: tuple[JoinKind, ...] = ("inner", "left", "right", "full", "semi", "anti", "cross")
SetKind = Literal["union", "except", "intersect"]
SET_KINDS: tuple[SetKind, ...] = ("union", "except", "intersect")


@dataclass(frozen=True, slots=True)
class Field:
    """An output column of a relation."""

    name: str
    type: SqlType
    qualifier: str | None = None

    @property
    def shown(self) -> str:
        """Its name in messages, with the qualifier where there is one."""
        return self.name if self.qualifier is None else f"{self.qualifier}.{self.name}"

    def column(self) -> Col:
        """The expression that refers to this field."""
        return Col(self.name, self.type, self.qualifier)


@dataclass(frozen=True, slots=True)
class Relation(Node):
    """A bag of rows. ``any_limit`` says that which rows it holds is up to the engine (see AnyLimit)."""

    fields: tuple[Field, ...] = field(init=False, repr=False, compare=False)

    def _outputs(self, fields: Iterable[Field]) -> None:
        object.__setattr__(self, "fields", tuple(fields))

    def _refuse(self, why: str) -> InvalidQuery:
        return InvalidQuery(f"{type(self).__name__}: {why}")

    def _determined(self, *inputs: Relation) -> None:
        if any(isinstance(relation, AnyLimit) for relation in inputs):
            raise self._refuse("an AnyLimit may stand at the top or under count(*) alone")

    def _resolve(self, expression: Node, fields: tuple[Field, ...]) -> None:
        for column in columns_of(expression):
            matches = resolve(column, fields)
            if len(matches) != 1 or matches[0].type != column.type:
                known = ", ".join(f"{f.shown} {type_text(f.type)}" for f in fields)
                problem = "no" if not matches else "ambiguous" if len(matches) > 1 else "other type of"
                raise self._refuse(f"{problem} column {column!r} in ({known})")

    def _predicate(self, expression: Expr, fields: tuple[Field, ...]) -> None:
        if expression.type != BOOLEAN:
            raise self._refuse(f"a condition must be BOOLEAN, got {type_text(expression.type)}")
        self._resolve(expression, fields)

    def _unqualified(self, fields: Iterable[Field]) -> tuple[Field, ...]:
        return tuple(Field(f.name, f.type) for f in fields)


def resolve(column: Col, fields: Iterable[Field]) -> list[Field]:
    """The fields that ``column`` may mean: one if it is good, several if it is ambiguous."""
    return [
        f for f in fields if f.name == column.name and (column.qualifier is None or f.qualifier == column.qualifier)
    ]


def referable(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """The fields that an expression can refer to without ambiguity."""
    return tuple(f for f in fields if len(resolve(f.column(), fields)) == 1)


@dataclass(frozen=True, slots=True)
class Scan(Relation):
    """All rows of a base table."""

    table: str
    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        self._outputs(Field(column.name, column.type, self.table) for column in self.columns)


@dataclass(frozen=True, slots=True)
class Alias(Relation):
    """``child AS name``: the same rows, columns qualified by ``name``."""

    child: Relation
    name: str

    def __post_init__(self) -> None:
        self._determined(self.child)
        self._outputs(Field(f.name, f.type, self.name) for f in self.child.fields)


@dataclass(frozen=True, slots=True)
class Item(Node):
    """An expression with the name of the column that it makes."""

    name: str
    value: Expr | Agg


def _check_names(relation: Relation, items: tuple[Item, ...]) -> None:
    names = [item.name for item in items]
    if not names or len(set(names)) != len(names):
        raise InvalidQuery(f"{type(relation).__name__}: needs at least one column and no name twice, got {names}")


@dataclass(frozen=True, slots=True)
class Project(Relation):
    """``SELECT items FROM child``."""

    child: Relation
    items: tuple[Item, ...]

    def __post_init__(self) -> None:
        self._determined(self.child)
        _check_names(self, self.items)
        for item in self.items:
            if isinstance(item.value, Agg):
                raise self._refuse(f"{item.name} is an aggregate")
            self._resolve(item, self.child.fields)
        self._outputs(Field(item.name, item.value.type) for item in self.items)


@dataclass(frozen=True, slots=True)
class Filter(Relation):
    """Rows of ``child`` for which ``condition`` is true (not NULL)."""

    child: Relation
    condition: Expr

    def __post_init__(self) -> None:
        self._determined(self.child)
        scope = from_fields(self.child)
        self._predicate(self.condition, scope)
        self._outputs(scope)


@dataclass(frozen=True, slots=True)
class Join(Relation):
    """A join with any predicate; ``on`` is absent just for cross joins. Semi and anti keep ``left`` alone."""

    left: Relation
    right: Relation
    kind: JoinKind
    on: Expr | None = None

    def __post_init__(self) -> None:
        self._determined(self.left, self.right)
        if self.kind not in JOIN_KINDS:
            raise self._refuse(f"no kind {self.kind!r}")
        if (self.on is None) != (self.kind == "cross"):
            raise self._refuse(f"a {self.kind} join {'needs' if self.on is None else 'has no'} ON")
        both = from_fields(self.left) + from_fields(self.right)
        shared = qualifiers(self.left) & qualifiers(self.right)
        if shared:
            raise self._refuse(f"both sides are called {sorted(shared)}: alias one")
        if self.on is not None:
            self._predicate(self.on, both)
        self._outputs(from_fields(self.left) if self.kind in ("semi", "anti") else both)


def from_fields(side: Relation) -> tuple[Field, ...]:
    """Fields of ``side`` as seen from a join above it: a nested query loses its qualifiers."""
    if isinstance(side, (Scan, Alias, Join)):
        return side.fields
    return tuple(Field(f.name, f.type) for f in side.fields)


def qualifiers(side: Relation) -> frozenset[str]:
    """Names of the scans and aliases that ``side`` brings into a FROM clause."""
    if isinstance(side, Join):
        return qualifiers(side.left) | qualifiers(side.right)
    if isinstance(side, Scan):
        return frozenset((side.table,))
    return frozenset((side.name,)) if isinstance(side, Alias) else frozenset()


@dataclass(frozen=True, slots=True)
class Aggregate(Relation):
    """``SELECT keys, aggregates FROM child GROUP BY keys HAVING having``; no keys is one group, even of no rows.

    ``having`` is a condition over the output columns, by their names.
    """

    child: Relation
    keys: tuple[Item, ...]
    aggregates: tuple[Item, ...]
    having: Expr | None = None

    def __post_init__(self) -> None:
        if isinstance(self.child, AnyLimit) and not self._only_counts():
            self._determined(self.child)
        _check_names(self, (*self.keys, *self.aggregates))
        for item in (*self.keys, *self.aggregates):
            self._resolve(item, self.child.fields)
        if any(isinstance(key.value, Agg) for key in self.keys):
            raise self._refuse("a key must not be an aggregate")
        if not all(isinstance(item.value, Agg) for item in self.aggregates):
            raise self._refuse("aggregates must be Agg")
        self._outputs(Field(item.name, item.value.type) for item in (*self.keys, *self.aggregates))
        if self.having is not None:
            self._predicate(self.having, self.fields)

    def _only_counts(self) -> bool:
        return not self.keys and all(item.value == Agg("count") for item in self.aggregates)


@dataclass(frozen=True, slots=True)
class Distinct(Relation):
    """Each row of ``child`` once."""

    child: Relation

    def __post_init__(self) -> None:
        self._determined(self.child)
        self._outputs(self._unqualified(self.child.fields))


@dataclass(frozen=True, slots=True)
class Deduplicate(Relation):
    """One row of ``child`` for each value of ``keys`` (``dropDuplicates``).

    Which row would be up to the engine, so the keys must determine the others: they are all columns, or
    ``child`` is a projection whose other items are computed from its key columns and constants alone.
    """

    child: Relation
    keys: tuple[str, ...]

    def __post_init__(self) -> None:
        self._determined(self.child)
        names = [f.name for f in self.child.fields]
        if len(set(names)) != len(names) or not set(self.keys) <= set(names):
            raise self._refuse(f"keys {self.keys} must be among the columns {names}, each named once")
        if set(self.keys) != set(names) and not self._keys_determine_the_rest():
            raise self._refuse(f"keys {self.keys} don't determine the other columns of {names}")
        self._outputs(self._unqualified(self.child.fields))

    def _keys_determine_the_rest(self) -> bool:
        if not isinstance(self.child, Project):
            return False
        known = {item.value for item in self.child.items if item.name in self.keys}
        rest = [item.value for item in self.child.items if item.name not in self.keys]
        return all(column in known for value in rest for column in columns_of(value))


@dataclass(frozen=True, slots=True)
class SetOp(Relation):
    """``left UNION | EXCEPT | INTERSECT [ALL] right``, by position; names are the left side's."""

    kind: SetKind
    left: Relation
    right: Relation
    all: bool = False

    def __post_init__(self) -> None:
        self._determined(self.left, self.right)
        if self.kind not in SET_KINDS:
            raise self._refuse(f"no kind {self.kind!r}")
        if len(self.left.fields) != len(self.right.fields):
            raise self._refuse(f"{len(self.left.fields)} columns against {len(self.right.fields)}")
        outputs = []
        for one, two in zip(self.left.fields, self.right.fields, strict=True):
            kind = common_type(one.type, two.type)
            if kind is None:
                raise self._refuse(f"{type_text(one.type)} against {type_text(two.type)}")
            outputs.append(Field(one.name, kind))
        self._outputs(outputs)


@dataclass(frozen=True, slots=True)
class SortKey(Node):
    """One key of an ORDER BY; NULLs come first or last as said, never by an engine's default."""

    column: Col
    descending: bool = False
    nulls_first: bool = True


@dataclass(frozen=True, slots=True)
class Limit(Relation):
    """``ORDER BY order LIMIT count OFFSET offset`` under a total order: the keys are all columns of ``child``,
    so ties are equal rows, and the result is one sequence.
    """

    child: Relation
    order: tuple[SortKey, ...]
    count: int
    offset: int = 0

    def __post_init__(self) -> None:
        self._determined(self.child)
        _check_limit(self, self.count, self.offset)
        for key in self.order:
            self._resolve(key, self.child.fields)
        sorted_by = {resolve(key.column, self.child.fields)[0] for key in self.order}
        if sorted_by != set(self.child.fields) or len(referable(self.child.fields)) != len(self.child.fields):
            raise self._refuse("the order must name every column, or ties would be up to the engine")
        self._outputs(self._unqualified(self.child.fields))


@dataclass(frozen=True, slots=True)
class AnyLimit(Relation):
    """``LIMIT count OFFSET offset`` without an order: any min(count, max(0, rows - offset)) rows of ``child``.

    It may stand at the top (judged by its size and as a sub-multiset of ``child``) or under ``count(*)``.
    """

    child: Relation
    count: int
    offset: int = 0

    def __post_init__(self) -> None:
        self._determined(self.child)
        _check_limit(self, self.count, self.offset)
        self._outputs(self._unqualified(self.child.fields))


def _check_limit(relation: Relation, count: int, offset: int) -> None:
    if count < 0 or offset < 0:
        raise InvalidQuery(f"{type(relation).__name__}: count {count} and offset {offset} must not be negative")


def scans(relation: Relation) -> tuple[Scan, ...]:
    """The scans below ``relation``, left to right, repeats included."""
    return tuple(node for node in walk(relation) if isinstance(node, Scan))


def operators(relation: Relation) -> int:
    """Number of relation nodes other than scans and aliases: the size of a counterexample."""
    return sum(isinstance(node, Relation) and not isinstance(node, (Scan, Alias)) for node in walk(relation))
