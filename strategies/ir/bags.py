"""Relations that keep, drop or combine whole rows: DISTINCT, set operators and limits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

from strategies.ir.expressions import Col, Expr, Lit
from strategies.ir.node import Node
from strategies.ir.references import columns_of, subqueries_of
from strategies.ir.relations import Field, Project, Relation, referable, resolve
from strategies.ir.types import InvalidQuery, common_type, type_text

SetKind = Literal["union", "except", "intersect"]
SET_KINDS: tuple[SetKind, ...] = ("union", "except", "intersect")


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


def names_every_column(values: Iterable[Expr], fields: tuple[Field, ...]) -> bool:
    """Whether ``values``, resolved in ``fields``, hold each of them, so that rows equal in all values are equal."""
    named = {resolve(value, fields)[0] for value in values if isinstance(value, Col)}
    return named == set(fields) and len(referable(fields)) == len(fields)


@dataclass(frozen=True, slots=True)
class SortKey(Node):
    """One key of an ORDER BY, with an explicit place of NULLs, because the engines' defaults differ.

    Keys are columns and other expressions; ORDER BY takes a constant for the number of a column.
    """

    value: Expr
    descending: bool = False
    nulls_first: bool = True


@dataclass(frozen=True, slots=True)
class Limit(Relation):
    """``ORDER BY order LIMIT count OFFSET offset`` under a total order: all columns of ``child`` are keys, beside other
    expressions, so ties are equal rows, and the result is one sequence.
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
        if any(isinstance(key.value, Lit) for key in self.order):
            raise self._refuse("a constant key means the column at that place")
        if any(next(subqueries_of(key), None) is not None for key in self.order):
            raise self._refuse("a key must have no subquery")
        if not names_every_column([key.value for key in self.order], self.child.fields):
            raise self._refuse("the order must name every column, or ties would be up to the engine")
        self._outputs(self._unqualified(self.child.fields))


@dataclass(frozen=True, slots=True)
class AnyLimit(Relation):
    """``LIMIT count OFFSET offset`` without an order: any min(count, max(0, rows - offset)) rows of ``child``.

    It may be the root (judged by its size and as a sub-multiset of ``child``) or below ``count(*)``.
    """

    up_to_engine: ClassVar[bool] = True
    child: Relation
    count: int
    offset: int = 0

    def __post_init__(self) -> None:
        self._determined(self.child)
        _check_limit(self, self.count, self.offset)
        self._outputs(self._unqualified(self.child.fields))


def without_limit(query: Relation) -> Relation:
    """The input of a limit without an order, which may take any rows of it; another query, also ``Limit``, as it is."""
    return query.child if isinstance(query, AnyLimit) else query


def _check_limit(relation: Relation, count: int, offset: int) -> None:
    if count < 0 or offset < 0:
        raise InvalidQuery(f"{type(relation).__name__}: count {count} and offset {offset} must not be negative")
