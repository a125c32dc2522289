"""Structs of which a field is set, added or dropped: how they are drawn, and in which form their queries run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assay.fuzz.case_mix import forms_of
from oracles.sql import DataFrameCompiler, SparkCompiler, needs_methods
from strategies.draw.exprs import expressions
from strategies.draw.scopes import scope
from strategies.draw.values import PAIR
from strategies.ir import (
    INT,
    Alias,
    And,
    CaseWhen,
    Coalesce,
    Col,
    Column,
    Compare,
    Exists,
    Expr,
    Filter,
    GetField,
    InList,
    IsNull,
    Item,
    MakeArray,
    MakeStruct,
    Not,
    Or,
    Project,
    Scan,
    When,
    WithField,
    WithoutField,
    spelled_out,
    walk,
)
from tests.unit.strategy_asserts import assert_all_examples, find_any, minimal

A, S = Col("a", INT), Col("s", PAIR)
TABLE = Scan("t0", (Column("a", INT), Column("s", PAIR)))
STRUCTS = expressions(scope(TABLE.fields), PAIR, depth=2)
SET = WithField(S, "p", A)

REACHED: dict[str, Callable[[Expr], bool]] = {
    "a field of a column set": lambda found: isinstance(found, WithField) and found.operand == S,
    "a field added": lambda found: isinstance(found, WithField) and found.operand.type != PAIR,
    "a field dropped": lambda found: isinstance(found, WithoutField),
    "a field of a changed struct changed": lambda found: (
        isinstance(found, WithField) and isinstance(found.operand, (WithField, WithoutField))
    ),
}


@pytest.mark.parametrize("reached", REACHED.values(), ids=REACHED)
def test_structs_are_drawn_with(reached: Callable[[Expr], bool]) -> None:
    assert reached(find_any(STRUCTS, reached))


def test_a_changed_struct_has_the_type_that_was_asked_for() -> None:
    assert_all_examples(STRUCTS, lambda found: found.type == PAIR)


def test_a_changed_struct_shrinks_to_a_changed_column() -> None:
    least = minimal(STRUCTS, lambda found: isinstance(found, WithField))
    assert isinstance(least, WithField)
    assert (least.operand, least.name) == (S, "p")


@pytest.mark.parametrize("changed", [SET, WithoutField(S, "p"), WithField(S, "u", A)], ids=["set", "dropped", "added"])
def test_sql_makes_a_changed_struct_anew(changed: WithField | WithoutField) -> None:
    made = spelled_out(changed)
    assert made.type == changed.type
    assert SparkCompiler().expression(changed) == SparkCompiler().expression(made)
    assert not any(isinstance(node, (WithField, WithoutField)) for node in walk(made))
    assert any(isinstance(node, MakeStruct) for node in walk(made))


_SET = "F.expr('s').withField('p', F.expr('a'))"
PROGRAMS = {
    "set": (SET, "F.expr('s').withField('p', F.expr('a'))"),
    "dropped": (WithoutField(SET, "q"), "F.expr('s').withField('p', F.expr('a')).dropFields('q')"),
    "read": (GetField(SET, "p"), "F.expr('s').withField('p', F.expr('a')).getField('p')"),
    "read of the column": (GetField(S, "p"), "F.expr('(s).p')"),
    "compared": (Compare("=", SET, S), f"({_SET} == F.expr('s'))"),
    "compared with NULL": (Compare("<=>", S, SET), f"F.expr('s').eqNullSafe({_SET})"),
    "in a condition": (
        And(Not(IsNull(SET)), Or(IsNull(A), IsNull(SET, negated=True))),
        f"((~{_SET}.isNull()) & (F.expr('(a IS NULL)') | {_SET}.isNotNull()))",
    ),
    "in a struct": (MakeStruct(("x",), (SET,)), f"F.named_struct(F.lit('x'), {_SET})"),
    "in an array": (MakeArray(PAIR, (S, SET)), f"F.array(F.expr('s'), {_SET})"),
    "in a choice": (Coalesce((SET, S)), f"F.coalesce({_SET}, F.expr('s'))"),
    "in branches": (
        CaseWhen((When(IsNull(A), SET),), S),
        f"F.when(F.expr('(a IS NULL)'), {_SET}).otherwise(F.expr('s'))",
    ),
    "in an operand without a method": (
        InList(SET, (S,)),
        "F.expr(\"(CASE WHEN (s IS NOT NULL) THEN named_struct('p', a, 'q', (s).q) END IN (s))\")",
    ),
}


@pytest.mark.parametrize(("value", "column"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_dataframe_program_calls_the_methods_of_columns(value: Expr, column: str) -> None:
    program = DataFrameCompiler().compile(Project(TABLE, (Item("v", value),)))
    assert program.replace("`", "") == f"t0.alias('t0').select({column}.alias('v'))"


def test_a_filter_calls_them_too() -> None:
    program = DataFrameCompiler().compile(Filter(TABLE, IsNull(SET)))
    assert program.replace("`", "") == f"t0.alias('t0').where({_SET}.isNull())"


def test_a_query_that_changes_fields_is_a_dataframe_program_if_it_can() -> None:
    changed = Project(TABLE, (Item("v", SET),))
    assert needs_methods(changed)
    assert forms_of(changed) == ("dataframe", "sql")
    assert forms_of(Filter(changed, Exists(Alias(TABLE, "other")))) == ("sql",)


def test_other_queries_are_sql_first() -> None:
    read = Project(TABLE, (Item("v", GetField(S, "p")),))
    assert not needs_methods(read)
    assert forms_of(read) == ("sql", "dataframe")
