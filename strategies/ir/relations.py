"""Relations: the operators of a query as a tree, whose constructors refuse invalid ones.

Every relation has ``fields``, its output columns in order. A field keeps the qualifier of the scan or alias
that it comes from through joins, and through a filter right above them, just as SQL's FROM and WHERE do;
any other relation makes a new unqualified scope. A name may occur twice (a join's ``*``): such a column still
counts in results, set operators and DISTINCT, but expressions need a qualifier to refer to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol

from strategies.ir.aggregates import Agg
from strategies.ir.data import Column
from strategies.ir.expressions import Col, Expr, Lit
from strategies.ir.nested import has_free_element
from strategies.ir.node import Node, walk
from strategies.ir.references import columns_of, subqueries_of
from strategies.ir.types import BOOLEAN, InvalidQuery, SqlType, has_collation, type_text

JoinKind = Literal["inner", "left", "right", "full", "semi", "anti", "cross"]
JOIN_KINDS: tuple[JoinKind, ...] = ("inner", "left", "right", "full", "semi", "anti", "cross")


@dataclass(frozen=True, slots=True)
class Field:
    """An output column of a relation."""

    name: str
    type: SqlType
    qualifier: str | None = None

    @property
    def shown(self) -> str:
        """Its name in messages, with the qualifier if there is one."""
        return self.name if self.qualifier is None else f"{self.qualifier}.{self.name}"

    def column(self) -> Col:
        """The expression that refers to this field."""
        return Col(self.name, self.type, self.qualifier)


@dataclass(frozen=True, slots=True)
class Relation(Node):
    """A bag of rows. ``up_to_engine``: the engine may choose which rows it has (see AnyLimit). ``is_statement``: it
    changes a table (see strategies.ir.writes).
    """

    up_to_engine: ClassVar[bool] = False
    is_statement: ClassVar[bool] = False
    fields: tuple[Field, ...] = field(init=False, repr=False, compare=False)

    def _outputs(self, fields: Iterable[Field], *, as_stored: bool = False) -> None:
        made = tuple(fields)
        if not as_stored and any(has_collation(field.type) for field in made):
            raise self._refuse("the engine may choose among equal texts under a collation: cast them to STRING")
        object.__setattr__(self, "fields", made)

    def _refuse(self, why: str) -> InvalidQuery:
        return InvalidQuery(f"{type(self).__name__}: {why}")

    def _determined(self, *inputs: Relation) -> None:
        self._without_statements(*inputs)
        if any(relation.up_to_engine for relation in inputs):
            raise self._refuse("an AnyLimit may stand at the top or under count(*) alone")

    def _without_statements(self, *inputs: Relation) -> None:
        if any(relation.is_statement for relation in inputs):
            raise self._refuse("a statement is always a whole query")

    def _resolve(self, expression: Node, fields: tuple[Field, ...], *, bare: bool = False) -> None:
        """Raise InvalidQuery for columns that aren't in ``fields``; Outers may lack a qualifier only if ``bare``."""
        for subquery in () if bare else subqueries_of(expression):
            if any(column.qualifier is None for column in subquery.outer):
                raise self._refuse("what a subquery refers to outside needs a qualifier: alias it")
        if has_free_element(expression):
            raise self._refuse("an Element without its HigherOrder")
        for column in columns_of(expression):
            matches = resolve(column, fields)
            if len(matches) != 1 or matches[0].type != column.type:
                known = ", ".join(f"{f.shown} {type_text(f.type)}" for f in fields)
                problem = "no" if not matches else "ambiguous" if len(matches) > 1 else "other type of"
                raise self._refuse(f"{problem} column {column!r} in ({known})")

    def _predicate(self, expression: Expr, fields: tuple[Field, ...], *, bare: bool = False) -> None:
        if expression.type != BOOLEAN:
            raise self._refuse(f"a condition must be BOOLEAN, got {type_text(expression.type)}")
        self._resolve(expression, fields, bare=bare)

    def _unqualified(self, fields: Iterable[Field]) -> tuple[Field, ...]:
        return tuple(Field(f.name, f.type) for f in fields)


def resolve(column: Col, fields: Iterable[Field]) -> list[Field]:
    """The fields that ``column`` may refer to: one if it is valid, several if it is ambiguous."""
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
        self._outputs((Field(column.name, column.type, self.table) for column in self.columns), as_stored=True)


@dataclass(frozen=True, slots=True)
class ValuesRow(Node):
    """One row of :class:`Values`."""

    cells: tuple[Lit, ...]


@dataclass(frozen=True, slots=True)
class Values(Relation):
    """``VALUES rows AS (names)``: at least one row of constants, of one type in each column."""

    names: tuple[str, ...]
    rows: tuple[ValuesRow, ...]

    def __post_init__(self) -> None:
        if not self.names or len(set(self.names)) != len(self.names):
            raise self._refuse(f"needs at least one column and no name twice, got {list(self.names)}")
        kinds = {tuple(cell.type for cell in row.cells) for row in self.rows}
        if len(kinds) != 1 or any(len(found) != len(self.names) for found in kinds):
            raise self._refuse(f"needs rows of the same {len(self.names)} types, got {len(kinds)} kinds of rows")
        self._outputs(map(Field, self.names, *kinds))


@dataclass(frozen=True, slots=True)
class CteScan(Relation):
    """All rows of the common table expression ``name`` of a With around it; ``columns`` are its columns."""

    name: str
    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        self._outputs(Field(column.name, column.type, self.name) for column in self.columns)


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

    @property
    def is_bare(self) -> bool:
        """Whether it is a column under its own name, which needs no AS."""
        return isinstance(self.value, Col) and self.value.name == self.name


class Named(Protocol):
    """An object that makes a column called ``name``."""

    @property
    def name(self) -> str:
        """The column's name."""


def check_names(relation: Relation, items: Iterable[Named]) -> None:
    """Raise InvalidQuery unless there is at least one item, and the names are distinct."""
    names = [item.name for item in items]
    if not names or len(set(names)) != len(names):
        raise InvalidQuery(f"{type(relation).__name__}: needs at least one column and no name twice, got {names}")


@dataclass(frozen=True, slots=True)
class Project(Relation):
    """``SELECT items FROM child``; columns under their own names may occur twice (``SELECT b, b``)."""

    child: Relation
    items: tuple[Item, ...]

    def __post_init__(self) -> None:
        self._determined(self.child)
        bare = {item.name: item for item in self.items if item.is_bare}
        check_names(self, (*bare.values(), *(item for item in self.items if not item.is_bare)))
        for item in self.items:
            if isinstance(item.value, Agg):
                raise self._refuse(f"{item.name} is an aggregate")
            self._resolve(item, self.child.fields)
        self._outputs(Field(item.name, item.value.type) for item in self.items)


@dataclass(frozen=True, slots=True)
class OneRow(Relation):
    """``SELECT items``: one row of values without a column, in a subquery also of columns of the query around it."""

    items: tuple[Item, ...]

    def __post_init__(self) -> None:
        check_names(self, self.items)
        for item in self.items:
            if isinstance(item.value, Agg):
                raise self._refuse(f"{item.name} is an aggregate")
            if next(subqueries_of(item), None) is not None:
                raise self._refuse("an item must have no subquery")
            self._resolve(item, ())
        self._outputs(Field(item.name, item.value.type) for item in self.items)


JoinHint = Literal["broadcast", "merge", "shuffle_hash", "shuffle_replicate_nl"]
JOIN_HINTS: tuple[JoinHint, ...] = ("broadcast", "merge", "shuffle_hash", "shuffle_replicate_nl")
"""How Spark may be told to join, in the words of its hints."""

RandomOp = Literal["<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class RandomTest(Node):
    """``rand() op bound``, whose answer is the same for each number that is at least 0 and less than 1.

    OptimizeRand alone knows its answer; any other rule may neither move nor repeat it. ``first``: it stands before the
    condition that it is beside.
    """

    op: RandomOp
    bound: int
    first: bool = False

    def __post_init__(self) -> None:
        if self.op not in ("<", "<=", ">", ">="):
            raise InvalidQuery(f"RandomTest: no operator {self.op!r}")
        if not isinstance(self.bound, int) or (self.op in ("<=", ">") and self.bound == 0):
            raise InvalidQuery(f"RandomTest: rand() {self.op} {self.bound!r} is true for some numbers only")

    @property
    def holds(self) -> bool:
        """Its answer."""
        return self.bound > 0 if self.op in ("<", "<=") else self.bound <= 0


@dataclass(frozen=True, slots=True)
class Filter(Relation):
    """Rows of ``child`` for which ``condition`` is true (not NULL).

    ``random`` changes no row: the WHERE is ``condition AND random`` if that holds, else ``condition OR random``.
    """

    child: Relation
    condition: Expr
    random: RandomTest | None = None

    def __post_init__(self) -> None:
        self._determined(self.child)
        scope = from_fields(self.child)
        self._predicate(self.condition, scope)
        self._outputs(scope, as_stored=isinstance(self.child, Scan))


@dataclass(frozen=True, slots=True)
class Join(Relation):
    """A join with any predicate; only cross joins have no ``on``. Semi and anti joins have only the ``left`` fields.

    ``hint`` is about its right side, which has a name then.
    """

    left: Relation
    right: Relation
    kind: JoinKind
    on: Expr | None = None
    hint: JoinHint | None = None

    def __post_init__(self) -> None:
        self._determined(self.left, self.right)
        if self.kind not in JOIN_KINDS:
            raise self._refuse(f"no kind {self.kind!r}")
        if (self.on is None) != (self.kind == "cross"):
            raise self._refuse(f"a {self.kind} join {'needs' if self.on is None else 'has no'} ON")
        if self.hint is not None and (self.hint not in JOIN_HINTS or not takes_hint(self.right)):
            raise self._refuse(f"no hint {self.hint!r} for its right side")
        both = from_fields(self.left) + from_fields(self.right)
        shared = qualifiers(self.left) & qualifiers(self.right)
        if shared:
            raise self._refuse(f"both sides are called {sorted(shared)}: alias one")
        if self.on is not None:
            self._predicate(self.on, both)
            self._check_subqueries(self.on)
        self._outputs(from_fields(self.left) if self.kind in ("semi", "anti") else both)

    def _check_subqueries(self, on: Expr) -> None:
        """Check subqueries in ON: Spark joins each to one side, and refuses correlated scalar ones."""
        left, right = from_fields(self.left), from_fields(self.right)
        for subquery in subqueries_of(on):
            if subquery.outer and subquery.scalar:
                raise self._refuse("ON takes no correlated scalar subquery")
            columns = columns_of(subquery)
            if any(resolve(column, left) for column in columns) and any(resolve(column, right) for column in columns):
                raise self._refuse("a subquery in ON must not refer to both sides")


def takes_hint(side: Relation) -> bool:
    """Whether ``side`` of a join has a name of its own, by which a hint says what it is about."""
    return isinstance(side, (Scan, CteScan, Alias))


def from_fields(side: Relation) -> tuple[Field, ...]:
    """Fields of ``side`` for a join above it, without the qualifiers of a nested query."""
    if isinstance(side, (Scan, CteScan, Alias, Join)):
        return side.fields
    return tuple(Field(f.name, f.type) for f in side.fields)


def qualifiers(side: Relation) -> frozenset[str]:
    """Names of the scans and aliases that ``side`` brings into a FROM clause."""
    if isinstance(side, Join):
        return qualifiers(side.left) | qualifiers(side.right)
    if isinstance(side, Scan):
        return frozenset((side.table,))
    return frozenset((side.name,)) if isinstance(side, (Alias, CteScan)) else frozenset()


def scans(relation: Relation) -> tuple[Scan, ...]:
    """The scans of tables below ``relation``, also in subqueries, left to right, repeats included."""
    return tuple(node for node in walk(relation) if isinstance(node, Scan))


def operators(node: Node) -> int:
    """Number of relations in ``node`` other than scans, rows of constants and aliases: the size of a counterexample."""
    leaves = (Scan, CteScan, Values, OneRow, Alias)
    return sum(isinstance(part, Relation) and not isinstance(part, leaves) for part in walk(node))
