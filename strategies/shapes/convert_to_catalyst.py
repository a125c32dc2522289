"""Shape of ConvertToCatalyst: calls of functions in Python that Spark translates to expressions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.operands import columns
from strategies.draw.scopes import scope
from strategies.ir import (
    BIGINT,
    INT,
    STRING,
    Agg,
    Aggregate,
    Case,
    CaseWhen,
    Cast,
    Col,
    Compare,
    Database,
    Expr,
    Filter,
    Item,
    Lit,
    Project,
    Relation,
    Sort,
    SortKey,
    UserCall,
    When,
    can_cast,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.filters import PAIR, A, B
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.python_calls import listed, met, number, python, text
from strategies.shapes.same_base import BOTH
from strategies.shapes.sides import source

RULE = "ConvertToCatalyst"

_SEVEN = UserCall("translated", "seven", ())


def translated(function: str, *operands: Expr) -> UserCall:
    """A call of the function in Python that may be translated."""
    return UserCall("translated", function, operands)


def _call_of(draw: DrawFn, value: Expr) -> UserCall:
    """A call over ``value``, or over what it becomes as a number or as a text; shrinks to one function of it."""
    if value.type == BIGINT:
        return translated("zero_if_null", value)
    if value.type != INT and (value.type == STRING or can_cast(value.type, STRING)):
        one = text(value)
        filled = translated("first_filled", one, Lit(STRING, "x"))
        return pick(draw, (translated("mark", one), translated("same", one, Lit(STRING, "")), filled))
    one = number(value)
    others = (Lit(INT, 0), Lit(INT, None), one)
    compared = [translated("compare", one, other) for other in others]
    # One draw, as for texts: so a column's type can shrink.
    return pick(draw, (translated("is_even", one), translated("is_positive", one), *compared))


def _call_of_both(draw: DrawFn, left: Expr, right: Expr) -> UserCall:
    """A call over ``left`` and ``right``; shrinks to their comparison."""
    options: list[Callable[[], UserCall]] = [lambda: translated("compare", number(left), number(right))]
    if all(each.type == STRING or can_cast(each.type, STRING) for each in (left, right)):
        options.append(lambda: translated("first_filled", text(left), text(right)))
        options.append(lambda: translated("same", text(left), text(right)))
    return pick(draw, options)()


def _query(draw: DrawFn, schema: Database) -> Relation:
    child = source(draw, schema)
    known = columns(scope(child.fields))
    call = _call_of(draw, pick(draw, known))
    form = pick(draw, (0, 0, 1, 2, 3))
    if form == 1:
        return in_context(draw, schema, Filter(child, met(draw, call)))
    if form == 2:
        call = _call_of_both(draw, pick(draw, known), pick(draw, known))
    if form == 3:
        groups = Aggregate(child, (Item("k0", call),), (Item("n0", Agg("count")),))
        return in_context(draw, schema, groups, reads=True)
    return in_context(draw, schema, listed(child, call), reads=True)


def fires() -> SearchStrategy[Case]:
    """A call in a condition, a select list or a key; shrinks to ``SELECT translated_is_even(a) AS u0 FROM t0``."""
    return file_cases(over_tables(_query))


# Near misses, over a table of two columns.


def _of_both(draw: DrawFn) -> Relation:
    """A function whose operands have one type and different meanings."""
    one, two = pick(draw, ((A, B), (B, A)))
    calls = (
        translated("compare", one, two),
        translated("first_filled", Cast(one, STRING), Cast(two, STRING)),
        translated("first_filled", Lit(STRING, pick(draw, ("", None))), Cast(two, STRING)),
    )
    call = pick(draw, calls)
    return Filter(BOTH, met(draw, call)) if one_in(draw, 3) else listed(BOTH, call)


def _of_null(draw: DrawFn) -> Relation:
    """A function that makes a value of NULL."""
    column = pick(draw, (A, B))
    calls = (
        translated("mark", Cast(column, STRING)),
        translated("zero_if_null", Cast(column, BIGINT)),
        translated("is_positive", column),
        translated("same", Cast(A, STRING), Cast(B, STRING)),
    )
    return listed(BOTH, pick(draw, calls))


def _nested(draw: DrawFn) -> Relation:
    """A call of a call, which the outer function reads more than once: a column below has it."""
    column = pick(draw, (A, B))
    calls = (
        translated("is_even", translated("compare", A, column)),
        translated("mark", translated("mark", Cast(column, STRING))),
        translated("compare", translated("compare", A, B), column),
        translated("compare", python("add", A, B), column),
        translated("is_even", translated("add", A, column)),
    )
    call = pick(draw, calls)
    if one_in(draw, 3):
        return Filter(BOTH, met(draw, call))
    return Sort(listed(BOTH, call), (SortKey(Col("u0", call.type)),)) if one_in(draw, 3) else listed(BOTH, call)


def _of_groups(draw: DrawFn) -> Relation:
    """A call above an aggregate."""
    groups = Aggregate(BOTH, (Item("k", B),), (Item("m", Agg(pick(draw, ("max", "min")), A)),))
    most = Col("m", INT)
    calls = (translated("is_positive", most), translated("compare", most, Col("k", INT)), _SEVEN)
    return listed(groups, pick(draw, calls))


def _in_case(draw: DrawFn) -> Relation:
    condition = Compare(pick(draw, ("<", ">=")), A, Lit(INT, 0))
    return listed(BOTH, CaseWhen((When(condition, _call_of(draw, B)),)))


def _unread(draw: DrawFn) -> Relation:
    """A call that nothing reads, before columns are pruned."""
    listed = Project(BOTH, (Item("u", _call_of(draw, A)), Item("b", B)))
    return Project(listed, (Item("b", B),))


def _not_translated(draw: DrawFn) -> Relation:
    """A function whose text is more than an expression."""
    return listed(BOTH, translated("add", A, pick(draw, (A, B))))


def _registered_as_python(draw: DrawFn) -> Relation:
    """A function of which there is no translation, since the setting was off when it was registered."""
    call = _call_of(draw, pick(draw, (A, B)))
    return listed(BOTH, python(call.function, *call.operands))


def _in_scala(draw: DrawFn) -> Relation:
    call = _call_of(draw, pick(draw, (A, B)))
    return listed(BOTH, UserCall("scala", call.function, call.operands))


def _without_ansi(case: Case) -> Case:
    return replace(case, settings=replace(case.settings, ansi=False))


NEAR_MISSES = (
    NearMiss("of_both", lambda: file_cases(over_fixed(PAIR, _of_both)), fires=True, weight=2),
    NearMiss("of_null", lambda: file_cases(over_fixed(PAIR, _of_null)), fires=True),
    NearMiss("nested", lambda: file_cases(over_fixed(PAIR, _nested)), fires=True, weight=2),
    NearMiss("of_groups", lambda: file_cases(over_fixed(PAIR, _of_groups)), fires=True),
    NearMiss("in_case", lambda: file_cases(over_fixed(PAIR, _in_case)), fires=True),
    NearMiss("unread", lambda: file_cases(over_fixed(PAIR, _unread)), fires=True),
    NearMiss("without_ansi", lambda: file_cases(over_fixed(PAIR, _in_case)).map(_without_ansi), fires=True),
    NearMiss("not_translated", lambda: file_cases(over_fixed(PAIR, _not_translated)), fires=False),
    NearMiss("registered_as_python", lambda: file_cases(over_fixed(PAIR, _registered_as_python)), fires=False),
    NearMiss("in_scala", lambda: file_cases(over_fixed(PAIR, _in_scala)), fires=False),
)
