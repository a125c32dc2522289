"""Draw calls of user-defined functions; those in Python, table functions too, stay where Spark accepts them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TypeVar, cast

from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.grammar import Grammar
from strategies.draw.operands import Fields, Types, own_types
from strategies.ir import (
    USER_FUNCTIONS,
    Field,
    HigherOrder,
    Join,
    JoinKind,
    Language,
    Lateral,
    Node,
    Outer,
    Relation,
    SqlType,
    Subquery,
    Typed,
    UserCall,
    WithField,
    WithoutField,
    columns_of,
    from_fields,
    is_in_python,
    may_raise,
    rebuild,
    resolve,
    transform,
    walk,
)

N = TypeVar("N", bound=Node)

_PYTHON = 6
"""One call in this many is of a function in Python: for each a worker has to run, and Spark has fewer rules for it."""
_TRANSLATED = 2
"""One call in this many of a function in Python is of one that may be translated."""
_METHODS = (Typed, WithField, WithoutField)
"""Nodes for which only DataFrames have methods; a table function in Python has words in SQL alone."""
_OF_BOTH_SIDES: tuple[JoinKind, ...] = ("inner", "cross")
"""The joins in whose ON Spark accepts a function in Python of columns of both sides."""


@lru_cache(maxsize=4096)
def user_functions(own: Types, kind: SqlType) -> tuple[str, ...]:
    """Names of the functions of columns of types ``own`` with results of ``kind``, the one without operands last."""
    return tuple(
        name for name, function in USER_FUNCTIONS.items() if function.result == kind and set(function.arguments) <= own
    )


def user_call(draw: DrawFn, of: Grammar, fields: Fields, kind: SqlType, depth: int) -> UserCall:
    """A call of a user-defined function; shrinks to one in Scala."""
    name = pick(draw, user_functions(own_types(fields), kind))
    kinds = USER_FUNCTIONS[name].arguments
    operands = tuple(draw(of.expressions(fields, each, 0 if place else depth - 1)) for place, each in enumerate(kinds))
    return UserCall(_language(draw), name, operands)


def _language(draw: DrawFn) -> Language:
    if not one_in(draw, _PYTHON):
        return "scala"
    return "translated" if one_in(draw, _TRANSLATED) else "python"


def with_python_where_it_runs(query: N) -> N:
    """``query`` with a function in Scala for each in Python that Spark refuses, or evaluates for more rows.

    It refuses them in the body of a function of elements, and, in ON of joins other than inner ones, of
    columns of both sides, which a column outside of a subquery may turn into. It evaluates them, with their operands,
    before any CASE around them, so beside expressions that may raise it would raise for other rows. A function that is
    translated runs in more places, but on the off leg it is one in Python.

    A table function of Spark's replaces one in Python of an outer column, which Spark refuses, and one in a query for
    which only DataFrames have a method.
    """
    if not any(map(_is_in_python, walk(query))):
        return query
    if may_raise(query):
        return _in_scala(query)
    if any(isinstance(node, _METHODS) for node in walk(query)):
        query = _by_the_engine(query)
    return cast(N, transform(query, _placed))


def _is_in_python(node: Node) -> bool:
    return is_in_python(node) or (isinstance(node, UserCall) and node.is_python)


def _placed(node: Node) -> Node:
    if isinstance(node, HigherOrder):
        return replace(node, body=_in_scala(node.body))
    if isinstance(node, Lateral) and node.on is not None:
        return replace(node, on=_in_scala(node.on))
    if isinstance(node, Join) and node.on is not None and node.kind not in _OF_BOTH_SIDES:
        return replace(node, on=_of_one_side(node.on, (from_fields(node.left), from_fields(node.right))))
    if isinstance(node, UserCall) and _has_scopes(node):
        return _in_scala(node)
    if is_in_python(node) and any(isinstance(part, Outer) for part in walk(node.array)):
        return replace(node, in_python=False)
    return node


def _has_scopes(call: UserCall) -> bool:
    return any(isinstance(part, (Outer, Subquery)) for part in walk(call))


def _of_one_side(condition: N, sides: tuple[tuple[Field, ...], ...]) -> N:
    """``condition`` with calls in Scala for those with columns of more than one of the ``sides``."""

    def placed(node: Node) -> Node:
        if isinstance(node, Relation):
            return node
        if isinstance(node, UserCall) and not any(
            all(len(resolve(column, side)) == 1 for column in columns_of(node)) for side in sides
        ):
            return _in_scala(node)
        return rebuild(node, placed)

    return cast(N, placed(condition))


def _in_scala(node: N) -> N:
    def changed(part: Node) -> Node:
        return replace(part, language="scala") if isinstance(part, UserCall) else part

    return _by_the_engine(cast(N, transform(node, changed)))


def _by_the_engine(node: N) -> N:
    """``node`` with a table function of the engine's for each in Python."""
    return cast(N, transform(node, lambda part: replace(part, in_python=False) if is_in_python(part) else part))
