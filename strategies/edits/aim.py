"""An aim: the parts of queries that draws should have more often, by the names of the query algebra."""

from __future__ import annotations

from dataclasses import dataclass, fields

from strategies.ir import AggFunction, CompareOp, JoinKind, RankFunction, SqlType


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """The parts that a query should have. Without any, an aim leaves draws as they are.

    ``operators`` are names of relations (:data:`strategies.edits.aimed_operators.OPERATORS`), ``joins`` kinds of joins,
    ``expressions`` names of expressions (:data:`strategies.edits.aimed_expressions.EXPRESSIONS`), ``comparisons`` their
    operators, ``functions``, ``aggregates`` and ``ranks`` (of rows in a window) names of functions, ``types`` types of
    values, ``constants`` the boolean constants, ``statements`` kinds of statements
    (:data:`strategies.draw.statements.KINDS`), ``groups`` names of groups of configuration
    (:data:`strategies.draw.planner_conf.GROUPS`). One draw in ``raising`` has an expression that may raise (none
    if it is 0), and ``accepting`` says that tables are in a source that accepts parts of the query
    (:mod:`strategies.draw.capabilities`), ``in_variant`` that their columns are fields of a VARIANT.
    """

    operators: tuple[str, ...] = ()
    joins: tuple[JoinKind, ...] = ()
    expressions: tuple[str, ...] = ()
    comparisons: tuple[CompareOp, ...] = ()
    functions: tuple[str, ...] = ()
    aggregates: tuple[AggFunction, ...] = ()
    ranks: tuple[RankFunction, ...] = ()
    types: tuple[SqlType, ...] = ()
    constants: tuple[bool, ...] = ()
    statements: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    raising: int = 0
    accepting: bool = False
    in_variant: bool = False

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))
