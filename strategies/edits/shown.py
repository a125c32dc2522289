"""Show what answers hide: the value of a filter's condition, since the rows are the same whether that is FALSE or NULL,
and the sign of a zero, without which answers and conditions compare numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import FormsOf, sql_only
from strategies.draw.draws import one_in, without_mutation
from strategies.draw.operands import Fields
from strategies.draw.scopes import free_names, scope
from strategies.edits.edits import Edited
from strategies.edits.places import node_at, relation_places
from strategies.ir import (
    BOOLEAN,
    DOUBLE,
    FLOATING,
    Alias,
    Arith,
    Call,
    Case,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Expr,
    Filter,
    Item,
    Lit,
    Node,
    NullIf,
    Project,
    Relation,
    Scan,
    children,
    columns_of,
    from_fields,
    has_free_element,
    may_raise,
    referable,
    subqueries_of,
    walk,
)


def shown(case: Case, *, forms_of: FormsOf = sql_only) -> Case | None:
    """The columns of the input of the uppermost filter of ``case``, and as more columns the filter's condition and up
    to two floating numbers that are computed in it, whose zeros have the same sign in all engines; None without such a
    filter.

    Filters with subqueries are left out, as are those that refer to the query around: as a value such a condition is
    another one.

    :param forms_of: the forms in which a query can run, as for :func:`strategies.draw.cases.cases`.
    """
    for place in relation_places(case.query):
        found = node_at(case.query, place)
        if isinstance(found, Filter) and next(subqueries_of(found.condition), None) is None:
            return Edited(case, (), forms_of).with_query(_value_of(found))
    return None


def _value_of(found: Filter) -> Project:
    fields = scope(from_fields(found.child))
    values = (found.condition, *islice(_computed(found.condition), _MOST_ZEROS))
    return Project(found.child, (*_columns(fields), *map(Item, free_names(fields), values)))


def _computed(node: Node) -> Iterator[Expr]:
    """The floating numbers that are computed of columns within ``node``, none within another."""
    if isinstance(node, Expr) and node.type in FLOATING and not isinstance(node, (Col, Lit)) and columns_of(node):
        if keeps_signs(node) and not may_raise(node) and not has_free_element(node):
            yield node
        return
    for child in children(node):
        yield from _computed(child)


def _columns(fields: Fields) -> list[Item]:
    """The columns of ``fields``, the first one of each name."""
    known = [Item(field.name, field.column()) for field in referable(fields)]
    return [item for at, item in enumerate(known) if item.name not in {other.name for other in known[:at]}]


_STRAIGHT = (Scan, Alias, Filter, Project)
"""The operators that put no zero for another: a group, a join or a set operator may, because the two are equal."""
_EXACT = (Col, Arith, CaseWhen, Coalesce, Cast, NullIf)
_EXACT_CALLS = frozenset(
    {"abs", "divide", "double_modulo", "if", "integer_power", "nanvl", "negative", "nvl", "nvl2", "square_root"}
)
"""The expressions and functions whose zeros have the same sign in all engines: round and sign are others."""
_MOST_ZEROS = 2


def with_signs(case: Case, *, forms_of: FormsOf = sql_only) -> Case | None:
    """The answer of ``case``, and texts of the zeros in two columns of floating numbers, with their signs, in computed
    ones before those that a select list copies; None if there is no such column, if a name is ambiguous, if one zero
    may stand for another, or if an expression may raise, which a select list above leaves open.

    :param forms_of: the forms in which a query can run, as for :func:`strategies.draw.cases.cases`.
    """
    fields = scope(from_fields(case.query))
    items = case.query.items if isinstance(case.query, Project) else ()
    copied = {item.name for item in items if isinstance(item.value, Col)}
    floating = sorted((field for field in fields if field.type in FLOATING), key=lambda field: field.name in copied)
    numbers = [field.column() for field in floating[:_MOST_ZEROS]]
    if not numbers or referable(fields) != fields or may_raise(case.query) or not keeps_signs(case.query):
        return None
    texts = [Call("zero_text", (number if number.type == DOUBLE else Cast(number, DOUBLE),)) for number in numbers]
    shown = (*_columns(fields), *map(Item, free_names(fields), texts))
    return Edited(case, (), forms_of).with_query(Project(case.query, shown))


def without_signs(case: Case, *, forms_of: FormsOf = sql_only) -> Case:
    """``case`` as it is without what :func:`with_signs` puts on top; an edit may leave one zero for another.

    :param forms_of: the forms in which a query can run, as for :func:`strategies.draw.cases.cases`.
    """
    top = case.query
    if not isinstance(top, Project) or not any(isinstance(part, Call) and part.is_undrawn for part in walk(top)):
        return case
    return Edited(case, (), forms_of).with_query(top.child)


def keeps_signs(node: Node) -> bool:
    """Whether the zeros among the values of ``node`` have the same signs in all engines. Conditions tell none apart.

    Both engines take constants of 0.0 and -0.0 for one where they look for equal expressions.
    """
    if isinstance(node, Expr) and node.type == BOOLEAN:
        return True
    return _keeps_signs(node) and all(map(keeps_signs, children(node)))


def _keeps_signs(node: Node) -> bool:
    if isinstance(node, Relation):
        return isinstance(node, _STRAIGHT)
    if isinstance(node, Item):  # a rule may put a constant for the column further up
        return node.value.type not in FLOATING or bool(columns_of(node))
    if not isinstance(node, Expr) or node.type not in FLOATING:
        return True
    if isinstance(node, Lit):
        return node.value != _MINUS_ZERO
    if not columns_of(node):  # a constant that is folded to either zero
        return False
    return node.function in _EXACT_CALLS if isinstance(node, Call) else isinstance(node, _EXACT)


_MINUS_ZERO = (-0.0).hex()


def signed_cases(cases: SearchStrategy[Case], *, forms_of: FormsOf = sql_only) -> SearchStrategy[Case]:
    """``cases``, half of them :func:`with_signs` where that is possible; shrinks to a case as it was drawn.

    :param forms_of: the forms in which a query can run, as for :func:`strategies.draw.cases.cases`.
    """
    return without_mutation(_signed_cases(cases, forms_of))


@st.composite
def _signed_cases(draw: DrawFn, cases: SearchStrategy[Case], forms_of: FormsOf) -> Case:
    case = draw(cases)
    return (with_signs(case, forms_of=forms_of) or case) if one_in(draw, 2) else case
