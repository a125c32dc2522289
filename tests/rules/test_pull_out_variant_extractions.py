"""PullOutVariantExtractions by hand: fields of a VARIANT that an operator reads become columns of a projection below
it, which the file's reader makes, and nothing else changes.
"""

from __future__ import annotations

from collections import Counter

import pytest

from strategies.ir import (
    INT,
    STRING,
    Agg,
    Aggregate,
    Col,
    Column,
    Database,
    Item,
    Join,
    Limit,
    Table,
    walk,
)
from tests.rules.expected import T0, Expected, holds, joins
from tests.rules.stock import answer

RULE = "PullOutVariantExtractions"
EXPECTED = Expected(
    holds(Aggregate, Join, Limit),
    frozenset({"sql"}),
    Aggregate(T0, (), (Item("n", Agg("min", Col("a", INT))),)),
    {
        "a join": holds(Join),
        "a join that keeps rows without partners": joins("left", "right", "full"),
        "a semi join": joins("semi"),
        "an order": holds(Limit),
        "groups": lambda query: any(isinstance(node, Aggregate) and node.keys for node in walk(query)),
        "a function of some rows": lambda query: any(
            isinstance(node, Agg) and node.where is not None for node in walk(query)
        ),
    },
    source="variant",
)
PAIR = (Column("a", INT), Column("b", STRING))
TABLES = Database(
    (Table("t", PAIR, ((1, "x"), (2, None), (None, "y"), (2, "x"))), Table("u", PAIR, ((2, "z"), (None, "x"))))
)
# Spark 4.3.0 can't interpret the casts of a VARIANT's fields.
GENERATED = {"spark.sql.codegen.factoryMode": "FALLBACK"}
APART = {
    **GENERATED,
    "spark.sql.optimizer.excludedRules": f"org.apache.spark.sql.execution.datasources.{RULE}",
}
A, B = "variant_get(t_variant, '$.a', 'INT')", "variant_get(t_variant, '$.b', 'STRING')"
C, D = A.replace("t_variant", "u_variant"), B.replace("t_variant", "u_variant")
T_AND_U = f"t_stored %s JOIN u_stored ON {A} = {C}"
PULLED_OUT = {
    "a function": (f"SELECT sum({A}) FROM t_stored", {(5,): 1}),
    "functions of two fields": (f"SELECT max({A}), min({B}) FROM t_stored", {(2, "x"): 1}),
    "a function of groups": (
        f"SELECT {B}, max({A}) FROM t_stored GROUP BY {B}",
        {("x", 2): 1, (None, 2): 1, ("y", None): 1},
    ),
    "a function of some rows": (
        f"SELECT count(*) FILTER (WHERE {B} = 'x'), count(*) FROM t_stored WHERE {A} > 0",
        {(2, 3): 1},
    ),
    "both sides of a join": (f"SELECT {B}, {D} FROM {T_AND_U % ''}", {(None, "z"): 1, ("x", "z"): 1}),
    "a side that is padded": (
        f"SELECT {B}, {D} FROM {T_AND_U % 'LEFT'}",
        {("x", None): 1, (None, "z"): 1, ("y", None): 1, ("x", "z"): 1},
    ),
    "the left side of an anti join": (f"SELECT {B} FROM {T_AND_U % 'LEFT ANTI'}", {("x",): 1, ("y",): 1}),
    "a function of a join": (f"SELECT max({D}), count({B}) FROM {T_AND_U % 'FULL'}", {("z", 3): 1}),
    "an order": (f"SELECT {A} AS a FROM t_stored ORDER BY {B} DESC NULLS LAST, a LIMIT 2", {(None,): 1, (1,): 1}),
}
LEFT_ALONE = {
    "a list right above the file": f"SELECT {A}, {B} FROM t_stored WHERE {A} > 0",
    "a grouping key": f"SELECT {A}, count(*) FROM t_stored GROUP BY {A}",
    "a window": f"SELECT max({A}) OVER (PARTITION BY {B}) FROM t_stored",
    "a field of the view": "SELECT max(a) FROM t",
    "a path that is a VARIANT": "SELECT count(variant_get(t_variant, '$.a')) FROM t_stored",
    "a VARIANT that is parsed": "SELECT max(variant_get(parse_json('{\"a\": 1}'), '$.a', 'INT')) FROM t",
}


@pytest.fixture(autouse=True)
def tables(harness):
    with harness.spark.loaded(TABLES, "variant"):
        yield


@pytest.mark.parametrize(("query", "rows"), PULLED_OUT.values(), ids=PULLED_OUT)
def test_the_fields_become_columns_of_the_file_and_the_answer_is_the_same(spark, query, rows):
    got, kept = (answer(spark, query, conf) for conf in (GENERATED, APART))
    assert RULE in got.rules
    assert RULE not in kept.rules
    assert "_ve0" in got.optimized
    assert "_ve0" not in kept.optimized
    assert got.rows == kept.rows == Counter(rows)


@pytest.mark.parametrize("query", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_what_another_rule_takes_care_of_or_nothing_can_stays(spark, query):
    got, kept = (answer(spark, query, conf) for conf in (GENERATED, APART))
    assert RULE not in got.rules
    assert got.rows == kept.rows
