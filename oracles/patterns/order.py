"""Say whether SQL fixes that a query raises: whether all engines evaluate its expressions that may raise."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Literal

from oracles.answers.outcome import Outcome, Raised
from strategies.ir import (
    FLOATING,
    Agg,
    Alias,
    AnyLimit,
    Call,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Expr,
    Item,
    Lit,
    MakeArray,
    MakeMap,
    MakeStruct,
    Node,
    Project,
    RaiseError,
    Raising,
    RaisingArith,
    RaisingCast,
    RaisingElement,
    Relation,
    Scan,
    SetOp,
    Verbatim,
    When,
    WithField,
    children,
    may_raise,
    raising_nodes,
    walk,
)

Order = Literal["silent", "fixed", "open", "unknown"]
"""Whether SQL fixes that a query raises.

``silent``: nothing in it may raise. ``fixed``: each expression that may raise is evaluated for the same rows by every
engine, so that all engines raise, or none does. ``open``: an engine may evaluate such an expression or not.
``unknown``: the query is a text, or a LIMIT without an order over an input that may raise.
"""

_CHOOSING = frozenset({"if", "nvl", "nvl2"})
"""Functions that evaluate the chosen argument, as CASE and COALESCE do."""

_EXTREMES = frozenset({"greatest", "least", "nanvl"})
"""Other functions whose value is one of their arguments."""


_QUOTIENT = frozenset({"DIVIDE_BY_ZERO", "REMAINDER_BY_ZERO"})
_OVERFLOW = frozenset({"ARITHMETIC_OVERFLOW", "BINARY_ARITHMETIC_OVERFLOW"})
_CAST = frozenset({"CAST_INVALID_INPUT", "CAST_OVERFLOW", "NUMERIC_VALUE_OUT_OF_RANGE"})
_ELEMENT = frozenset({"INVALID_ARRAY_INDEX"})
_RAISED = frozenset({"USER_RAISED_EXCEPTION", "java.lang.RuntimeException"})  # the second one up to 3.5


def order_for(query: Relation, ends: Iterable[Outcome]) -> Order:
    """:func:`order_of` for a check whose Spark legs ended in ``ends``.

    SQL leaves no error open that nothing in ``query`` may raise: then the order is ``silent``, as of a query in which
    nothing may raise.
    """
    order = order_of(query)
    conditions = {end.condition.partition(".")[0] for end in ends if isinstance(end, Raised) and end.kind == "user"}
    return "silent" if order in ("fixed", "open") and conditions - conditions_of(query) else order


def conditions_of(query: Relation) -> frozenset[str]:
    """The conditions of the errors that Spark has for the expressions of ``query`` that may raise."""
    return frozenset().union(*(_conditions(node) for node in raising_nodes(query)))


def _conditions(node: Raising) -> frozenset[str]:
    match node:
        case RaisingArith(op="/" | "%"):
            return _QUOTIENT
        case RaisingArith():
            return _OVERFLOW
        case RaisingCast():
            return _CAST
        case RaisingElement():
            return _ELEMENT
    return _RAISED


def order_of(query: Relation) -> Order:
    """Whether SQL fixes that ``query`` raises; ``open`` in every case of doubt.

    The order is fixed if the expressions that may raise stand in the outermost select list (or in those of the branches
    of a UNION ALL), where nothing above may drop a row or a column, and there

    - alone, or as results of CASE and IF or arguments of COALESCE, which evaluate only the chosen result, or under a
      cast. Any other operator may be NULL, or known, by its other operands: SQL lets an engine skip one that raises.
    - with a column among the operands: Spark computes constant expressions beforehand, whether there is a row or not.
      So no select list below may have a constant either, nor what Spark may simplify to one, since that would take the
      column's place. A choice by a column of a table between two constants is none.
    """
    if any(isinstance(node, Verbatim) for node in walk(query)):
        return "unknown"
    if not may_raise(query):
        return "silent"
    if isinstance(query, AnyLimit):
        return "unknown"  # its rows are judged by its input's, and are an error where that raises
    return "fixed" if _is_fixed(query) else "open"


def _is_fixed(relation: Relation) -> bool:
    if not may_raise(relation):
        return True
    if isinstance(relation, SetOp):
        return relation.kind == "union" and relation.all and _is_fixed(relation.left) and _is_fixed(relation.right)
    if not isinstance(relation, Project) or may_raise(relation.child) or _has_possible_constant(relation.child):
        return False
    varies = not any(
        isinstance(node, Relation) and not isinstance(node, (Scan, Alias)) for node in walk(relation.child)
    )
    return all(_is_evaluated(item.value, varies=varies) for item in relation.items)


def has_constant(relation: Relation) -> bool:
    """Whether a select list or a list of keys in ``relation`` has a value without a column."""
    return any(isinstance(node, Item) and _is_constant(node.value) for node in walk(relation))


def _is_constant(expression: Node) -> bool:
    return not any(isinstance(part, (Agg, Col)) for part in walk(expression))


def _has_possible_constant(relation: Relation) -> bool:
    return any(isinstance(node, Item) and _is_possible_constant(node.value) for node in walk(relation))


def _is_possible_constant(expression: Node) -> bool:
    """Whether Spark may simplify ``expression`` to a constant: a choice to one result, a read to one of many parts."""
    match expression:
        case Agg() | Col():
            return False
        case CaseWhen() | When() | Coalesce() | MakeArray() | MakeMap() | MakeStruct() | WithField():
            return any(map(_is_possible_constant, children(expression)))
        case Call(function="array_get" | "array_at", arguments=(array, _)):
            return _is_possible_constant(array)
        case Call(function=name, arguments=arguments) if name in _CHOOSING or name in _EXTREMES:
            return any(map(_is_possible_constant, arguments))
    return all(map(_is_possible_constant, children(expression)))


def _varies(expression: Node) -> bool:
    """Whether ``expression`` chooses by columns alone, with one constant where the first one is true and another where
    none is: no rule can simplify that to a constant unless it knows a column. Spark takes 0.0 for -0.0.
    """
    match expression:
        case CaseWhen(branches=branches, otherwise=Lit() as last):
            conditions, first = [branch.condition for branch in branches], branches[0].result
        case Call(function="if", arguments=(condition, first, Lit() as last)):
            conditions = [condition]
        case _:
            return False
    if not isinstance(first, Lit) or first.type in FLOATING:
        return False
    return all(isinstance(condition, Col) for condition in conditions) and first != last


def _is_evaluated(expression: Expr | Agg, *, varies: bool) -> bool:
    """Whether every engine evaluates all parts of ``expression`` that may raise, for the same rows.

    :param varies: whether no rule can know a column: all are of tables, as they are stored.
    """
    evaluated = partial(_is_evaluated, varies=varies)
    if not may_raise(expression):
        return True
    match expression:
        case RaiseError():
            return True
        case RaisingArith() | RaisingElement():
            parts = children(expression)
            constant = all(_is_possible_constant(part) and not (varies and _varies(part)) for part in parts)
            return not constant and not any(may_raise(part) for part in parts)
        case RaisingCast(operand=operand):
            return not _is_possible_constant(expression) and evaluated(operand)
        case Cast(operand=operand):
            return evaluated(operand)
        case CaseWhen(branches=branches, otherwise=otherwise):
            results = [branch.result for branch in branches] + ([otherwise] if otherwise is not None else [])
            return not any(may_raise(branch.condition) for branch in branches) and all(map(evaluated, results))
        case Coalesce(operands=operands):
            return all(map(evaluated, operands))
        case Call(function=name, arguments=arguments) if name in _CHOOSING:
            # nvl2 has a condition, too: its first argument.
            tested = () if name == "nvl" else arguments[:1]
            return not any(map(may_raise, tested)) and all(map(evaluated, arguments))
    return False
