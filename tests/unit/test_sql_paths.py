"""The text of queries over tables in a VARIANT: fields are read from the files where they are needed."""

from __future__ import annotations

import pytest

from oracles.sql import DataFrameCompiler, DuckdbCompiler, SparkCompiler, compiler_of, spark_text
from strategies.ir import (
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    Col,
    Column,
    Compare,
    Exists,
    Filter,
    Generate,
    Item,
    Join,
    Limit,
    Lit,
    MakeArray,
    Map,
    Outer,
    Over,
    Project,
    Relation,
    Scan,
    Settings,
    Sort,
    SortKey,
    Window,
)

T0 = Scan("t0", (Column("a", INT), Column("m", Map(INT, INT))))
T1 = Scan("t1", (Column("a", INT), Column("b", STRING)))
OUTSIDE = Scan("t2", T0.columns[1:])
A, B, M, ZERO = Col("a", INT), Col("b", STRING), Col("m", Map(INT, INT)), Lit(INT, 0)
JOIN = Join(T0, Alias(T1, "s"), "left", Compare("=", Col("a", INT, "t0"), Col("a", INT, "s")))
READ = "variant_get(`t0`.`t0_variant`, '$.a', 'INT')"
ON = f"`t0_stored` AS `t0` LEFT OUTER JOIN `t1_stored` AS `s` ON ({READ} = variant_get(`s`.`t1_variant`, '$.a', 'INT'))"
BY_PATH: dict[str, tuple[Relation, str]] = {
    "a list": (Project(T0, (Item("a", A),)), f"SELECT {READ} AS `a` FROM `t0_stored` AS `t0`"),
    "a column outside": (
        Project(T0, (Item("m", M),)),
        "SELECT `t0`.`m` FROM `t0_stored` AS `t0`",
    ),
    "groups with a condition": (
        Aggregate(T0, (Item("a", A),), (Item("n", Agg("max", A)),), Compare(">", Col("n", INT), ZERO)),
        f"SELECT {READ} AS `a`, max({READ}) AS `n` FROM `t0_stored` AS `t0` GROUP BY {READ} HAVING (max({READ}) > 0)",
    ),
    "below a condition": (
        Aggregate(Filter(T0, Compare(">", A, ZERO)), (), (Item("n", Agg("max", A)),)),
        f"SELECT max({READ}) AS `n` FROM `t0_stored` AS `t0` WHERE ({READ} > 0)",
    ),
    "a join": (
        Project(JOIN, (Item("p", B), Item("q", Col("a", INT, "t0")))),
        f"SELECT variant_get(`s`.`t1_variant`, '$.b', 'STRING') AS `p`, {READ} AS `q` FROM {ON}",
    ),
    "an order": (
        Limit(T0, (SortKey(A), SortKey(M)), 2),
        f"SELECT {READ} AS `a`, `t0`.`m` FROM `t0_stored` AS `t0` "
        f"ORDER BY {READ} ASC NULLS FIRST, `t0`.`m` ASC NULLS FIRST LIMIT 2",
    ),
    "a window": (
        Window(T0, (Over("w", Agg("max", A)),), (A,)),
        f"SELECT {READ} AS `a`, `t0`.`m`, max({READ}) OVER (PARTITION BY {READ}) AS `w` FROM `t0_stored` AS `t0`",
    ),
    "a table joined with a query": (
        Project(Join(T0, Alias(Filter(T1, Compare("=", A, ZERO)), "s"), "cross"), (Item("b", B),)),
        "SELECT `s`.`b` FROM `t0_stored` AS `t0` CROSS JOIN (SELECT * FROM `t1` WHERE (`a` = 0)) AS `s`",
    ),
}
EXISTS = Exists(Filter(T1, Compare("=", A, Outer("a", INT, "t0"))))
TWICE = Generate(T1, MakeArray(INT, (A,)), "a")
BY_VIEW: dict[str, Relation] = {
    "a name that stands twice beside the table": Sort(Join(T0, TWICE, "cross"), (SortKey(ZERO),)),
    "the table": T0,
    "a condition alone": Filter(T0, Compare(">", A, ZERO)),
    "a subquery that names the table": Project(Filter(T0, EXISTS), (Item("a", A),)),
    "a table without a column that is kept": Project(OUTSIDE, (Item("n", ZERO),)),
}


@pytest.mark.parametrize(("query", "text"), BY_PATH.values(), ids=BY_PATH)
def test_fields_are_read_by_path(query: Relation, text: str) -> None:
    assert spark_text(query, Settings("variant")) == text


@pytest.mark.parametrize("query", BY_VIEW.values(), ids=BY_VIEW)
def test_the_view_is_read(query: Relation) -> None:
    assert spark_text(query, Settings("variant")) == SparkCompiler().compile(query)


@pytest.mark.parametrize(("query", "_"), BY_PATH.values(), ids=BY_PATH)
def test_other_tables_and_programs_have_no_paths(query: Relation, _: str) -> None:
    assert "variant" not in compiler_of(Settings()).compile(query)
    assert "variant" not in DuckdbCompiler().compile(query)
    assert "variant" not in DataFrameCompiler().compile(query)
