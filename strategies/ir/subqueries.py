"""Subqueries as expressions: scalar subqueries, EXISTS and IN."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from strategies.ir.arrangement import Repartition, Sort
from strategies.ir.bags import AnyLimit, Distinct, Limit
from strategies.ir.correlation import correlated
from strategies.ir.cte import With
from strategies.ir.expressions import And, Col, Compare, Expr
from strategies.ir.grouping import Aggregate
from strategies.ir.node import walk
from strategies.ir.references import Outer, Subquery
from strategies.ir.relations import Alias, Filter, OneRow, Project, Relation, Scan
from strategies.ir.types import BOOLEAN, STRING, Collated, type_text


def _correlate(node: Subquery, query: Relation) -> None:
    if query.is_statement:
        raise node._refuse("a statement is always a whole query")
    if query.up_to_engine:
        raise node._refuse("which rows an AnyLimit holds is up to the engine")
    object.__setattr__(node, "outer", correlated(query))


@dataclass(frozen=True, slots=True)
class ScalarSubquery(Subquery):
    """The value of ``query``, which has one column and at most one row; NULL if it has no row."""

    scalar: ClassVar[bool] = True
    query: Relation

    def __post_init__(self) -> None:
        if len(self.query.fields) != 1:
            raise self._refuse(f"needs one column, got {len(self.query.fields)}")
        if not at_most_one_row(self.query):
            raise self._refuse("the query may have more than one row")
        _correlate(self, self.query)
        self._has_type(self.query.fields[0].type)


@dataclass(frozen=True, slots=True)
class Exists(Subquery):
    """``[NOT] EXISTS (query)``, never NULL."""

    query: Relation
    negated: bool = False

    def __post_init__(self) -> None:
        _correlate(self, self.query)
        self._has_type(BOOLEAN)


@dataclass(frozen=True, slots=True)
class InSubquery(Subquery):
    """``(operands) [NOT] IN (query)``, whose columns have the operands' types; under the collation of one operand alone
    if that has one.

    It is three-valued at any place, as in SQL. (Spark treats unknown as FALSE if IN is used as a value: SPARK-58442, a
    known divergence.)
    """

    operands: tuple[Expr, ...]
    query: Relation
    negated: bool = False

    def __post_init__(self) -> None:
        wanted = tuple(operand.type for operand in self.operands)
        if len(wanted) == 1 and isinstance(wanted[0], Collated):
            if not takes_a_collation(self.query):
                raise self._refuse("Spark gives the operand's collation to the values of a SELECT list alone")
            wanted = (STRING,)
        given = tuple(field.type for field in self.query.fields)
        if not wanted or wanted != given:
            raise self._refuse(f"{list(map(type_text, wanted))} in a query of {list(map(type_text, given))}")
        _correlate(self, self.query)
        if self.outer and len(self.operands) > 1:
            raise self._refuse("DuckDB takes no correlated query for more than one operand")
        self._has_type(BOOLEAN)


def takes_a_collation(query: Relation) -> bool:
    """Whether Spark casts the column of ``query`` to the collation of IN's operand: it casts the values of a SELECT
    list without DISTINCT, ORDER BY, LIMIT, a set operator or WITH.
    """
    below = query.child if isinstance(query, (Filter, Project)) else None
    return isinstance(query, (Aggregate, Filter, Project, Scan)) and not isinstance(below, (AnyLimit, Limit, Sort))


def keys_of_outer_row(condition: Expr) -> frozenset[Expr]:
    """The columns that have one value in all rows that meet ``condition``, for one row of the query around: those that
    equal an outer column of the same type. Empty if an outer column stands elsewhere in ``condition``: Spark allows a
    scalar subquery to group such rows only if all correlation is by such equalities.
    """
    match condition:
        case And(left=left, right=right):
            parts = (keys_of_outer_row(left), keys_of_outer_row(right))
            apart = any(not keys and _is_correlated(side) for keys, side in zip(parts, (left, right), strict=True))
            return frozenset() if apart else parts[0] | parts[1]
        case Compare(op="=", left=Col() as column, right=Outer(kind=kind)) if column.type == kind:
            return frozenset({column})
    return frozenset()


def _is_correlated(condition: Expr) -> bool:
    return any(isinstance(node, Outer) for node in walk(condition))


def at_most_one_row(relation: Relation) -> bool:
    """Whether ``relation`` has at most one row over any tables, for one row of the query around it."""
    match relation:
        case Aggregate(keys=()) | OneRow():
            return True
        case Aggregate(keys=keys, child=Filter(condition=condition)):
            return {key.value for key in keys} <= keys_of_outer_row(condition)
        case Limit(count=count):
            return count <= 1
        case Filter(child=child) | Project(child=child) | Alias(child=child) | Distinct(child=child):
            return at_most_one_row(child)
        case Sort(child=child) | Repartition(child=child):
            return at_most_one_row(child)
        case With(body=body):
            return at_most_one_row(body)
    return False
