"""The pattern about functions in Python of constants: the queries that it fits, and those next to them."""

from __future__ import annotations

import pytest

from oracles.patterns.features import parts
from oracles.patterns.queries import PATTERNS
from strategies.ir import (
    INT,
    Alias,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Exists,
    Expr,
    Filter,
    Join,
    Lit,
    Relation,
    Scan,
    Table,
    UserCall,
)
from strategies.shapes.python_calls import SEVEN, python

COLUMNS = (Column("a", INT),)
T0 = Scan("t0", COLUMNS)
L, R = Alias(T0, "l"), Alias(T0, "r")
A, LEFT, RIGHT = Col("a", INT), Col("a", INT, "l"), Col("a", INT, "r")


def _on(value: Expr) -> Join:
    return Join(L, R, "inner", Compare("=", value, RIGHT))


FITTING: dict[str, Relation] = {
    "in ON": _on(python("add", LEFT, SEVEN)),
    "of a constant computed in Python": _on(python("add", python("add", Lit(INT, 1), Lit(INT, 2)), LEFT)),
    "that may be translated": _on(UserCall("translated", "compare", (LEFT, UserCall("translated", "seven", ())))),
    "in a filter above a join": Filter(_on(LEFT), Compare("=", python("add", LEFT, SEVEN), RIGHT)),
    "in a query with EXISTS": Filter(T0, Compare("=", python("add", A, SEVEN), Lit(INT, 1))),
}
FITTING["in a query with EXISTS"] = Filter(FITTING["in a query with EXISTS"], Exists(T0))
OTHERS: dict[str, Relation] = {
    "without a join": Filter(T0, Compare("=", python("add", A, SEVEN), Lit(INT, 1))),
    "of a literal": _on(python("add", LEFT, Lit(INT, 7))),
    "of a column": _on(python("add", LEFT, python("add", LEFT, LEFT))),
    "in Scala": _on(UserCall("scala", "add", (LEFT, UserCall("scala", "seven", ())))),
    "of one operand": Join(L, R, "inner", python("is_even", SEVEN)),
    "of no column": _on(python("add", SEVEN, Lit(INT, 7))),
}


def _fits(query: Relation) -> bool:
    return PATTERNS["python_of_a_constant_in_a_join"](Case(query, Database((Table("t0", COLUMNS),))))


@pytest.mark.parametrize("query", FITTING.values(), ids=FITTING)
def test_fits(query: Relation) -> None:
    assert _fits(query)


@pytest.mark.parametrize("query", OTHERS.values(), ids=OTHERS)
def test_does_not_fit(query: Relation) -> None:
    assert not _fits(query)


def test_functions_and_their_languages_are_features() -> None:
    case = Case(FITTING["in ON"], Database((Table("t0", COLUMNS),)))
    assert {"UserCall:python_add", "UserCall:python_seven"} <= parts(case)
