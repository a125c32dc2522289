"""Shape of ExtractPythonUDFs: calls of functions in Python, which a worker computes below the operator."""

from __future__ import annotations

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.operands import columns
from strategies.draw.scopes import scope
from strategies.ir import (
    BIGINT,
    INT,
    STRING,
    Case,
    CaseWhen,
    Cast,
    Compare,
    Database,
    Filter,
    Item,
    Lit,
    Project,
    Relation,
    UserCall,
    When,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.filters import PAIR, A, B
from strategies.shapes.forms import file_cases, over_fixed, over_tables
from strategies.shapes.python_calls import SEVEN, call_of, call_of_both, listed, met, python
from strategies.shapes.same_base import BOTH
from strategies.shapes.sides import source

RULE = "ExtractPythonUDFs"


def _query(draw: DrawFn, schema: Database) -> Relation:
    child = source(draw, schema)
    known = columns(scope(child.fields))
    call = call_of(draw, pick(draw, known))
    form = pick(draw, (0, 0, 1, 2))
    if form == 1:
        return in_context(draw, schema, Filter(child, met(draw, call)))
    # Every column is a call, so that whichever is read needs a worker.
    calls = (call, call_of(draw, pick(draw, known))) if form == 2 else (call,)
    return in_context(draw, schema, listed(child, *calls), reads=True)


def fires() -> SearchStrategy[Case]:
    """A call in a condition, or one or two in a select list; shrinks to ``SELECT python_is_even(a) AS u0 FROM t0``."""
    return file_cases(over_tables(_query))


# Near misses, over a table of two columns.


def _two_calls(draw: DrawFn) -> Relation:
    """One function of different columns."""
    one, two = pick(draw, ((A, B), (B, A)))
    calls = pick(
        draw,
        (
            (python("is_even", one), python("is_even", two)),
            (python("add", one, two), python("add", two, two)),
            (python("mark", Cast(one, STRING)), python("mark", Cast(two, STRING))),
        ),
    )
    return listed(BOTH, *calls) if not one_in(draw, 3) else Filter(BOTH, Compare("=", *calls))


def _of_null(draw: DrawFn) -> Relation:
    """A function that makes a value of NULL."""
    column = pick(draw, (A, B))
    calls = (
        python("add", column, Lit(INT, 1)),
        python("mark", Cast(column, STRING)),
        python("zero_if_null", Cast(column, BIGINT)),
        call_of_both(draw, A, B),
    )
    return listed(BOTH, pick(draw, calls))


def _nested(draw: DrawFn) -> Relation:
    """A call of a call, of which a worker computes both where the outer one has no other operand."""
    column = pick(draw, (A, B))
    calls = (
        python("is_even", python("add", A, column)),
        python("mark", python("mark", Cast(column, STRING))),
        python("add", python("add", column, column), column),
        python("add", column, SEVEN),
    )
    call = pick(draw, calls)
    return Filter(BOTH, met(draw, call)) if one_in(draw, 3) else listed(BOTH, call)


def _in_case(draw: DrawFn) -> Relation:
    """A call under a condition, which a worker computes for all rows."""
    condition = Compare(pick(draw, ("<", ">=")), A, Lit(INT, 0))
    return listed(BOTH, CaseWhen((When(condition, call_of(draw, B)),)))


def _without_columns(draw: DrawFn) -> Relation:
    return listed(BOTH, SEVEN) if not one_in(draw, 3) else Filter(BOTH, Compare("<", A, SEVEN))


def _unread(draw: DrawFn) -> Relation:
    """A call that nothing reads."""
    listed = Project(BOTH, (Item("u", call_of(draw, A)), Item("b", B)))
    return Project(listed, (Item("b", B),))


def _in_scala(draw: DrawFn) -> Relation:
    call = call_of(draw, pick(draw, (A, B)))
    return listed(BOTH, UserCall("scala", call.function, call.operands))


NEAR_MISSES = (
    NearMiss("two_calls", lambda: file_cases(over_fixed(PAIR, _two_calls)), fires=True, weight=2),
    NearMiss("of_null", lambda: file_cases(over_fixed(PAIR, _of_null)), fires=True),
    NearMiss("nested", lambda: file_cases(over_fixed(PAIR, _nested)), fires=True, weight=2),
    NearMiss("in_case", lambda: file_cases(over_fixed(PAIR, _in_case)), fires=True),
    NearMiss("without_columns", lambda: file_cases(over_fixed(PAIR, _without_columns)), fires=True),
    NearMiss("unread", lambda: file_cases(over_fixed(PAIR, _unread)), fires=False),
    NearMiss("in_scala", lambda: file_cases(over_fixed(PAIR, _in_scala)), fires=False),
)
