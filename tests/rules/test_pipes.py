"""A chain of pipe operators has the answer of one SELECT for each operator."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import version

import pytest

from oracles.answers.outcome import Raised, Rows
from oracles.answers.rows import diff
from oracles.checks.check import Harness
from oracles.patterns.unsupported import runs
from oracles.sql import SparkCompiler, spark_text
from strategies.ir import (
    BIGINT,
    INT,
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Case,
    Col,
    Compare,
    Distinct,
    Exists,
    Filter,
    Insert,
    InSubquery,
    Item,
    Join,
    Lateral,
    Limit,
    Lit,
    Outer,
    Over,
    Project,
    Ranking,
    Relation,
    SetOp,
    Settings,
    Sort,
    SortKey,
    Window,
    suits_mode,
    walk,
)
from tests.unit.ir_samples import RELATIONS
from tests.unit.sample_tables import DATABASE, ONE, T0, T1, A, B

PIPED = Settings(clauses="piped")
_N = Col("n", BIGINT)
_ONES = Filter(T0, Compare("=", Col("a", INT, "t0"), ONE))
_GROUPS = Aggregate(T0, (Item("b", B),), (Item("n", Agg("count", A)),), Compare(">", _N, Lit(BIGINT, 0)))
_TOP = Limit(T0, tuple(SortKey(field.column()) for field in T0.fields), 2, 1)
_EQUAL = Compare("=", Col("a", INT, "t0"), Col("a", INT, "t1"))
_INNER = Filter(T1, Compare("=", Col("a", INT, "t1"), Outer("a", INT, "t0")))

CHAINS: dict[str, tuple[Relation, str]] = {
    "filter and projection": (
        Project(_ONES, (Item("x", B),)),
        "FROM `t0` |> WHERE (`t0`.`a` = 1) |> SELECT `b` AS `x`",
    ),
    "distinct": (Distinct(_ONES), "FROM `t0` |> WHERE (`t0`.`a` = 1) |> SELECT DISTINCT *"),
    "distinct projection": (Distinct(Project(T0, (Item("x", B),))), "FROM `t0` |> SELECT DISTINCT `b` AS `x`"),
    "groups": (_GROUPS, "FROM `t0` |> AGGREGATE count(`a`) AS `n` GROUP BY `b` |> WHERE (`n` > 0L)"),
    "keys alone": (Aggregate(T0, (Item("b", B),), ()), "FROM `t0` |> AGGREGATE GROUP BY `b`"),
    "one group": (Aggregate(T0, (), (Item("n", Agg("count")),)), "FROM `t0` |> AGGREGATE count(*) AS `n`"),
    "window": (
        Window(T0, (Over("r", Ranking("rank")),), (B,), (SortKey(A),)),
        "FROM `t0` |> EXTEND rank() OVER (PARTITION BY `b` ORDER BY `a` ASC NULLS FIRST) AS `r`",
    ),
    "join": (
        Project(Join(T0, T1, "left", _EQUAL), (Item("x", Col("a", INT, "t0")),)),
        "FROM `t0` |> LEFT OUTER JOIN `t1` ON (`t0`.`a` = `t1`.`a`) |> SELECT `t0`.`a` AS `x`",
    ),
    "alias": (
        Filter(Alias(Project(T0, (Item("x", A),)), "s"), Compare("=", Col("x", INT, "s"), ONE)),
        "FROM `t0` |> SELECT `a` AS `x` |> AS `s` |> WHERE (`s`.`x` = 1)",
    ),
    "set operator": (
        SetOp("except", Project(T0, (Item("a", A),)), Project(T1, (Item("a", A),)), all=True),
        "FROM `t0` |> SELECT `a` |> EXCEPT ALL (FROM `t1` |> SELECT `a`)",
    ),
    "order": (Sort(T0, (SortKey(A),)), "FROM `t0` |> ORDER BY `a` ASC NULLS FIRST"),
    "any rows": (AnyLimit(_ONES, 3), "FROM `t0` |> WHERE (`t0`.`a` = 1) |> LIMIT 3"),
    "a part of an order": (
        Project(_TOP, (Item("x", A),)),
        f"FROM `t0` |> ORDER BY {SparkCompiler().keys_of(_TOP.order)} |> OFFSET 1 |> LIMIT 2 |> SELECT `a` AS `x`",
    ),
    "a subquery of its own": (
        Filter(T0, InSubquery((A,), Project(T1, (Item("a", A),)))),
        "FROM `t0` |> WHERE (`a` IN (FROM `t1` |> SELECT `a`))",
    ),
    "a subquery of an outer row": (
        Filter(T0, Exists(_INNER)),
        "FROM `t0` |> WHERE (EXISTS (SELECT * FROM `t1` WHERE (`t1`.`a` = `t0`.`a`)))",
    ),
    "a lateral join of an outer row": (
        Project(Lateral(T0, Alias(_INNER, "s"), "cross"), (Item("x", Col("a", INT, "s")),)),
        "FROM `t0` CROSS JOIN LATERAL (SELECT * FROM `t1` WHERE (`t1`.`a` = `t0`.`a`)) AS `s` |> SELECT `s`.`a` AS `x`",
    ),
    "a join of a derived table": (
        Join(_ONES, T0, "cross"),
        "SELECT * FROM (FROM `t0` |> WHERE (`t0`.`a` = 1)) AS `q0` CROSS JOIN `t0`",
    ),
}


_RELEASE = version("pyspark")
_ALIKE = {
    name: query
    for name, query in {**RELATIONS, **{name: query for name, (query, _) in CHAINS.items()}}.items()
    if not any(relation.up_to_engine for relation in walk(query) if isinstance(relation, Relation))
    and not query.is_statement
    and SparkCompiler().supports(query)
    and suits_mode(query, ansi=PIPED.ansi)
    and runs(_RELEASE, Case(query, DATABASE, PIPED))
}


@pytest.mark.parametrize("query", _ALIKE.values(), ids=_ALIKE)
def test_chains_have_the_answer_of_nested_selects(harness: Harness, query: Relation) -> None:
    answers = []
    with harness.spark.loaded(DATABASE, "parquet"):
        for settings in (Settings(), PIPED):
            with harness.spark.leg(query, settings, {}) as leg:
                answers.append(leg.run().outcome)
    nested, piped = answers
    if isinstance(nested, Raised) and isinstance(piped, Raised):
        assert nested.condition == piped.condition
        return
    assert isinstance(nested, Rows)
    assert isinstance(piped, Rows)
    assert not diff(nested, piped)
    assert nested.schema == piped.schema


@pytest.mark.parametrize(("query", "text"), CHAINS.values(), ids=CHAINS)
def test_each_operator_follows_its_input(query: Relation, text: str) -> None:
    assert SparkCompiler(clauses="piped").compile(query) == text


def test_a_statement_is_no_chain() -> None:
    assert SparkCompiler(clauses="piped").compile(Insert(T0, _ONES)) == SparkCompiler().compile(Insert(T0, _ONES))


def test_queries_over_tables_in_a_variant_are_no_chains() -> None:
    of_variants = Settings("variant", clauses="piped")
    assert spark_text(_ONES, of_variants) == spark_text(_ONES, replace(of_variants, clauses="nested"))
