"""Typed Datasets on Spark: each function has its meaning for hostile values of each type, in both forms."""

from __future__ import annotations

import pytest

from oracles.checks.check import Harness
from oracles.checks.choices import all_that_changed
from strategies.draw.typed import known_changes, known_tests
from strategies.draw.values import domain
from strategies.ir import (
    ATOMIC,
    INT,
    Array,
    Case,
    Column,
    Database,
    Decimal,
    Form,
    Relation,
    Scan,
    Settings,
    SqlType,
    Struct,
    Table,
    Typed,
    TypedCount,
    TypedFilter,
    TypedMap,
    is_row_key,
    type_text,
)

KINDS: list[SqlType] = [
    *ATOMIC.values(),
    Decimal(18, 4),
    Array(INT),
    Struct((("p", INT), ("q", Array(Decimal(9, 2))))),
]
OPERATIONS: dict[str, tuple[SqlType, type[Typed], str]] = {
    f"{kind.__name__} {function} {type_text(each)}": (each, kind, function)
    for each in KINDS
    for kind, functions in ((TypedFilter, known_tests(each)), (TypedMap, known_changes(each)))
    for function in dict.fromkeys(functions)
}
OPERATIONS |= {f"count {type_text(each)}": (each, TypedCount, "n") for each in KINDS if is_row_key(each)}


def agreed(harness: Harness, query: Relation, database: Database, form: Form) -> set[str]:
    """The rules that change the plan of ``query``, on whose answer all legs agree."""
    checked = harness.check(Case(query, database, Settings(source="parquet", form=form)), all_that_changed)
    assert checked.verdict.name in {"agree", "vacuous"}, checked.verdict.reason
    return {name.rpartition(".")[2] for name in checked.changed_plan}


@pytest.mark.parametrize("form", ["dataframe", "sql"])
@pytest.mark.parametrize(("kind", "operation", "argument"), OPERATIONS.values(), ids=OPERATIONS)
def test_a_function_has_its_meaning(harness: Harness, kind: SqlType, operation: type, argument: str, form: Form):
    columns = (Column("k", INT), Column("x", kind))
    rows = tuple((number, value) for number, value in enumerate((*domain(kind), None, None)))
    query = operation(Scan("t0", columns), "x", argument)
    agreed(harness, query, Database((Table("t0", columns, rows),)), form)


def test_a_planted_function_of_another_meaning_is_noticed(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program asks for another test than the text for DuckDB means."""
    columns = (Column("a", INT),)
    database = Database((Table("t0", columns, ((1,), (None,))),))
    monkeypatch.setattr("oracles.sql.dataframe.DataFrameCompiler.visit_TypedFilter", _of_null)
    checked = harness.check(
        Case(TypedFilter(Scan("t0", columns), "a", "is_known"), database, Settings(form="dataframe")), all_that_changed
    )
    assert checked.verdict.kind == "engine"


def _of_null(self, node: TypedFilter) -> str:
    return f"typed('filter', {self.visit(node.child)}, 'is_null', {node.place})"
