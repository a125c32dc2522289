"""A literal as users write it has the type and the value of the cast in whose place it stands."""

from __future__ import annotations

import pytest

from oracles.checks.check import Harness
from oracles.sql import SparkCompiler
from oracles.sql.spark_literals import plain_literal
from strategies.draw.values import COLUMN_TYPES, domain
from strategies.ir import BINARY, INT, STRING, Decimal, Lit, SqlType, type_text

PLAIN, CASTS = SparkCompiler("plain"), SparkCompiler("cast")
KINDS = (*COLUMN_TYPES, Decimal(2, 2), Decimal(1, 0), Decimal(18, 0))


@pytest.mark.parametrize("kind", KINDS, ids=type_text)
def test_a_plain_literal_has_the_type_and_the_value_of_its_cast(harness: Harness, kind: SqlType) -> None:
    literals = [Lit(kind, value) for value in domain(kind)]
    plain, casts = (
        harness.spark.session.sql(f"SELECT {', '.join(map(compiler.visit, literals))}") for compiler in (PLAIN, CASTS)
    )
    assert [field.dataType for field in plain.schema] == [field.dataType for field in casts.schema]
    assert repr(plain.collect()[0][:]) == repr(casts.collect()[0][:])  # -0.0 differs from 0.0, and NaN equals itself


@pytest.mark.parametrize("kind", [kind for kind in COLUMN_TYPES if kind not in (STRING, BINARY)], ids=type_text)
def test_some_value_of_every_type_has_a_plain_literal(kind: SqlType) -> None:
    assert any(plain_literal(kind, value) is not None for value in domain(kind))


def test_a_plain_literal_is_one_before_any_rule_ran(harness: Harness) -> None:
    def parsed(compiler: SparkCompiler) -> str:
        return str(harness.spark.described(f"SELECT {compiler.visit(Lit(INT, 1))} AS x").plan)

    assert "cast(" not in parsed(PLAIN)
    assert "cast(" in parsed(CASTS)
