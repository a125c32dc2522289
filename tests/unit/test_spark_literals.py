"""Constants as users write them: which have such a literal, and where NULL, a key of a group or a case needs a cast."""

from __future__ import annotations

import pytest

from oracles.sql import DataFrameCompiler, SparkCompiler, spark_text
from strategies.draw.cases import cases
from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Agg,
    Aggregate,
    And,
    Array,
    Between,
    CaseWhen,
    Coalesce,
    Compare,
    Decimal,
    Expr,
    Filter,
    GroupingId,
    GroupingSets,
    InList,
    Item,
    Lit,
    Not,
    NullIf,
    Settings,
    When,
    from_plain,
    to_plain,
)
from tests.unit.ir_samples import T0, A
from tests.unit.strategy_asserts import drawn, minimal

PLAIN, CASTS = SparkCompiler("plain"), SparkCompiler("cast")
NOTHING, ONE = Lit(INT, None), Lit(INT, 1)

LITERALS: dict[str, tuple[Lit, str]] = {
    "boolean": (Lit(BOOLEAN, True), "TRUE"),
    "smallint": (Lit(SMALLINT, -1), "-1S"),
    "int": (ONE, "1"),
    "least int": (Lit(INT, -(2**31)), "-2147483648"),
    "bigint": (Lit(BIGINT, 2**63 - 1), "9223372036854775807L"),
    "double": (Lit(DOUBLE, (1.5).hex()), "1.5D"),
    "negative zero": (Lit(DOUBLE, (-0.0).hex()), "-0.0D"),
    "decimal": (Lit(Decimal(2, 1), "1.5"), "1.5"),
    "decimal below one": (Lit(Decimal(2, 2), "-0.05"), "-0.05"),
    "whole decimal": (Lit(Decimal(3, 0), "123"), "123BD"),
    "string": (Lit(STRING, "a"), "'a'"),
    "binary": (Lit(BINARY, "00ff"), "X'00ff'"),
    "date": (Lit(DATE, "2024-02-29"), "DATE '2024-02-29'"),
    "timestamp": (Lit(TIMESTAMP, "2024-02-29 00:00:00.000000"), "TIMESTAMP '2024-02-29 00:00:00.000000'"),
    "zoneless": (Lit(TIMESTAMP_NTZ, "2024-02-29 00:00:00.000000"), "TIMESTAMP_NTZ '2024-02-29 00:00:00.000000'"),
    "array": (Lit(Array(INT), (1, None)), "array(1, CAST(NULL AS INT))"),
}
CAST: dict[str, tuple[Lit, str]] = {
    "decimal of fewer digits than its type": (Lit(Decimal(9, 2), "1.50"), "CAST('1.50' AS DECIMAL(9,2))"),
    "not a number": (Lit(DOUBLE, "nan"), "CAST('nan' AS DOUBLE)"),
    "infinity": (Lit(DOUBLE, "-inf"), "CAST('-inf' AS DOUBLE)"),
    "null": (NOTHING, "CAST(NULL AS INT)"),
}


@pytest.mark.parametrize(("literal", "text"), [*LITERALS.values(), *CAST.values()], ids=[*LITERALS, *CAST])
def test_a_constant_is_written_as_users_write_it_if_that_has_its_type(literal: Lit, text: str) -> None:
    assert PLAIN.expression(literal) == text


@pytest.mark.parametrize("literal", [literal for literal, _ in CAST.values()], ids=CAST)
def test_what_has_no_literal_of_its_type_is_a_cast_either_way(literal: Lit) -> None:
    assert PLAIN.expression(literal) == CASTS.expression(literal)


ALIKE: dict[str, tuple[Expr, str]] = {
    "comparison": (Compare("=", A, NOTHING), "(`a` = NULL)"),
    "logic": (And(Lit(BOOLEAN, None), Compare("<=>", NOTHING, A)), "(NULL AND (NULL <=> `a`))"),
    "list": (InList(A, (ONE, NOTHING)), "(`a` IN (1, NULL))"),
    "range": (Between(A, NOTHING, ONE), "(`a` BETWEEN NULL AND 1)"),
    "coalesce": (Coalesce((NOTHING, A)), "coalesce(NULL, `a`)"),
    "nullif": (NullIf(A, NOTHING), "nullif(`a`, NULL)"),
    "case": (
        CaseWhen((When(Lit(BOOLEAN, True), NOTHING),), A),
        "CASE WHEN TRUE THEN NULL ELSE `a` END",
    ),
}
ALONE: dict[str, tuple[Expr, str]] = {
    "comparison": (Compare("=", NOTHING, NOTHING), "(CAST(NULL AS INT) = CAST(NULL AS INT))"),
    "nullif": (NullIf(NOTHING, ONE), "nullif(CAST(NULL AS INT), 1)"),  # its type is that of its left side
    "not": (Not(Lit(BOOLEAN, None)), "(NOT CAST(NULL AS BOOLEAN))"),
    "case": (
        CaseWhen((When(Lit(BOOLEAN, None), NOTHING),)),
        "CASE WHEN CAST(NULL AS BOOLEAN) THEN CAST(NULL AS INT) END",
    ),
}


@pytest.mark.parametrize(("expression", "text"), ALIKE.values(), ids=ALIKE)
def test_null_is_plain_where_what_stands_beside_it_says_its_type(expression: Expr, text: str) -> None:
    assert PLAIN.expression(expression) == text
    assert "NULL AS" in CASTS.expression(expression)


@pytest.mark.parametrize(("expression", "text"), ALONE.values(), ids=ALONE)
def test_null_is_a_cast_where_nothing_else_says_its_type(expression: Expr, text: str) -> None:
    assert PLAIN.expression(expression) == text


def test_a_constant_key_is_a_cast_as_a_plain_number_would_be_a_place_in_the_select_list() -> None:
    grouped = Aggregate(T0, (Item("x", ONE),), (Item("n", Agg("max", ONE)),))
    assert PLAIN.compile(grouped) == "SELECT CAST(1 AS INT) AS `x`, max(1) AS `n` FROM `t0` GROUP BY CAST(1 AS INT)"
    assert "groupBy(F.expr('CAST(1 AS INT)')" in DataFrameCompiler("plain").compile(grouped)
    sets = GroupingSets(T0, "rollup", (Item("x", ONE),), (), (GroupingId("g", (ONE,)),))
    assert PLAIN.compile(sets).count("CAST(1 AS INT)") == 3


def test_a_part_of_a_key_is_plain() -> None:
    grouped = Aggregate(T0, (Item("x", Coalesce((A, ONE))),), ())
    assert PLAIN.compile(grouped) == "SELECT coalesce(`a`, 1) AS `x` FROM `t0` GROUP BY coalesce(`a`, 1)"


@pytest.mark.parametrize("form", ["sql", "dataframe"])
def test_a_case_says_how_its_constants_are_written(form: str) -> None:
    query = Filter(T0, Compare("=", A, ONE))
    plain, casts = (from_plain({**to_plain(Settings()), "form": form, "literals": way}) for way in ("plain", "cast"))
    assert "(`a` = 1)" in spark_text(query, plain)
    assert "(`a` = CAST(1 AS INT))" in spark_text(query, casts)


def test_at_least_half_of_the_cases_have_plain_literals_and_many_have_casts() -> None:
    sample = drawn(cases(), count=300)
    plain = sum(case.settings.literals == "plain" for case in sample)
    assert 0.5 * len(sample) <= plain <= 0.8 * len(sample)


def test_a_case_shrinks_to_plain_literals() -> None:
    assert minimal(cases()).settings.literals == "plain"
    assert minimal(cases(), lambda case: case.settings.literals == "cast").settings == Settings(literals="cast")


def test_a_file_of_a_version_without_the_setting_means_casts() -> None:
    """Its finding was found with casts, and may show with casts alone."""
    earlier = {name: value for name, value in to_plain(Settings()).items() if name != "literals"}
    assert from_plain(earlier) == Settings(literals="cast")
    assert from_plain(to_plain(Settings())) == Settings()
