"""The three renderings of a query: which nodes each can say, and in which words. tests/rules/test_semantics.py has
their meaning to the engines.
"""

from __future__ import annotations

import string
from dataclasses import dataclass, replace

import pytest

from oracles.answers.outcome import Rows, rows_from_arrow, type_text
from oracles.engines.arrow import arrow_table, arrow_type
from oracles.engines.duckdb import DuckdbEngine
from oracles.sql import Compiler, DataFrameCompiler, DuckdbCompiler, SparkCompiler, UnsupportedNode
from strategies.ir import (
    AGG_FUNCTIONS,
    BOOLEAN,
    DOUBLE,
    FUNCTIONS,
    INT,
    JOIN_KINDS,
    SET_KINDS,
    STRING,
    Agg,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Arith,
    Col,
    Column,
    Compare,
    Database,
    Deduplicate,
    Distinct,
    Expr,
    Filter,
    InSubquery,
    IsNull,
    Item,
    Join,
    Limit,
    Lit,
    Project,
    Relation,
    Repartition,
    Scan,
    SetOp,
    Sort,
    SortKey,
    Table,
    may_raise,
)
from tests.unit.ir_samples import DATABASE, ONE, RELATIONS, T0, A, B
from tests.unit.literal_samples import LITERALS
from tests.unit.node_kinds import NODES

SPARK, DUCKDB, DATAFRAME = SparkCompiler("cast"), DuckdbCompiler(), DataFrameCompiler("cast")
DIALECTS = pytest.mark.parametrize("dialect", [SPARK, DUCKDB], ids=["spark", "duckdb"])


@dataclass(frozen=True, slots=True)
class Sample(Relation):
    """A node that no dialect has heard of."""


# Nothing is left out.


@DIALECTS
@pytest.mark.parametrize("node", NODES, ids=lambda node: node.__name__)
def test_every_node_is_either_said_or_unsupported(dialect: Compiler, node: type) -> None:
    assert hasattr(dialect, f"visit_{node.__name__}") != (node.__name__ in dialect.UNSUPPORTED)


@pytest.mark.parametrize("node", [n for n in NODES if issubclass(n, Relation)], ids=lambda node: node.__name__)
def test_every_relation_has_a_program_or_is_unsupported(node: type) -> None:
    assert hasattr(DATAFRAME, f"visit_{node.__name__}") != (node.__name__ in DATAFRAME.UNSUPPORTED)


@pytest.mark.parametrize("dialect", [SPARK, DUCKDB, DATAFRAME], ids=["spark", "duckdb", "dataframe"])
def test_only_nodes_are_visited(dialect: object) -> None:
    visited = {name.removeprefix("visit_") for name in dir(dialect) if name.startswith("visit_")}
    assert visited <= {node.__name__ for node in NODES}


@pytest.mark.parametrize("dialect", [SPARK, DUCKDB, DATAFRAME], ids=["spark", "duckdb", "dataframe"])
def test_an_unknown_node_is_refused_by_name(dialect: Compiler | DataFrameCompiler) -> None:
    with pytest.raises(UnsupportedNode, match=f"{type(dialect).__name__} has no visit_Sample"):
        dialect.visit(Sample())


@DIALECTS
def test_each_function_has_one_template_in_each_dialect(dialect: Compiler) -> None:
    assert dialect.FUNCTIONS.keys() == FUNCTIONS.keys()


@DIALECTS
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_template_uses_each_argument(dialect: Compiler, name: str) -> None:
    fields = [field for _, field, _, _ in string.Formatter().parse(dialect.FUNCTIONS[name]) if field is not None]
    fields = [field for field in fields if field not in ("first", "result")]
    arity = len(FUNCTIONS[name].arguments)
    assert set(fields) == {str(position) for position in range(arity)} or fields == [""] * arity


@DIALECTS
def test_every_aggregate_and_join_has_a_word(dialect: Compiler) -> None:
    assert sorted((*dialect.AGGREGATES, *dialect.AGGREGATE_FORMS)) == sorted(AGG_FUNCTIONS)
    assert set(dialect.JOINS) == set(JOIN_KINDS)


def test_spark_sql_has_no_deduplicate() -> None:
    relation = Filter(RELATIONS["deduplicate"], Lit(BOOLEAN, True))
    assert not SPARK.supports(relation)
    with pytest.raises(UnsupportedNode, match="SparkCompiler has no visit_Deduplicate"):
        SPARK.compile(relation)
    assert DUCKDB.supports(relation)
    assert DATAFRAME.supports(relation)


@pytest.mark.parametrize(
    "relation",
    [Scan("class", T0.columns), Scan("t-0", T0.columns), Scan("F", T0.columns)],
    ids=["keyword", "no-identifier", "functions"],
)
def test_what_no_dataframe_program_can_say_is_refused(relation: Relation) -> None:
    assert not DATAFRAME.supports(Distinct(relation))
    with pytest.raises(UnsupportedNode, match="DataFrameCompiler"):
        DATAFRAME.compile(Distinct(relation))


# The words.

_L, _R = Alias(T0, "l"), Alias(T0, "r")
_LA, _RA = Col("a", INT, "l"), Col("a", INT, "r")
_JOIN = Join(_L, _R, "semi", Compare("<=>", _LA, _RA))
_AB = Project(T0, (Item("a", A), Item("x y", B)))
_Q0 = Alias(Filter(T0, IsNull(A)), "q0")

TEXTS: dict[str, tuple[Relation, str, str, str]] = {
    "scan": (T0, "SELECT * FROM `t0`", 'SELECT * FROM "t0"', "t0.alias('t0')"),
    "quoting": (
        Project(Alias(T0, 'x`"'), (Item('y`"', Col("a", INT, 'x`"')),)),
        'SELECT `x``"`.`a` AS `y``"` FROM `t0` AS `x``"`',
        'SELECT "x`"""."a" AS "y`""" FROM "t0" AS "x`"""',
        """t0.alias('x`"').select(F.expr('`x``"`.`a`').alias('y`"'))""",
    ),
    "one-block": (
        Project(Filter(_JOIN, IsNull(_LA)), (Item("a", _LA),)),
        "SELECT `l`.`a` FROM `t0` AS `l` LEFT SEMI JOIN `t0` AS `r` ON (`l`.`a` <=> `r`.`a`) WHERE (`l`.`a` IS NULL)",
        'SELECT "l"."a" FROM "t0" AS "l" SEMI JOIN "t0" AS "r" ON ("l"."a" IS NOT DISTINCT FROM "r"."a")'
        ' WHERE ("l"."a" IS NULL)',
        "t0.alias('l').join(t0.alias('r'), F.expr('(`l`.`a` <=> `r`.`a`)'), 'left_semi')"
        ".where('(`l`.`a` IS NULL)').select(F.expr('`l`.`a`'))",
    ),
    "nested-block": (
        Filter(Filter(T0, IsNull(A)), IsNull(B)),
        "SELECT * FROM (SELECT * FROM `t0` WHERE (`a` IS NULL)) AS `q0` WHERE (`b` IS NULL)",
        'SELECT * FROM (SELECT * FROM "t0" WHERE ("a" IS NULL)) AS "q0" WHERE ("b" IS NULL)',
        "t0.alias('t0').where('(`a` IS NULL)').where('(`b` IS NULL)')",
    ),
    "fresh-alias": (
        Join(_Q0, Distinct(T0), "cross"),
        "SELECT * FROM (SELECT * FROM `t0` WHERE (`a` IS NULL)) AS `q0`"
        " CROSS JOIN (SELECT DISTINCT * FROM `t0`) AS `q1`",
        'SELECT * FROM (SELECT * FROM "t0" WHERE ("a" IS NULL)) AS "q0"'
        ' CROSS JOIN (SELECT DISTINCT * FROM "t0") AS "q1"',
        "t0.alias('t0').where('(`a` IS NULL)').alias('q0').crossJoin(t0.alias('t0').distinct().alias('q1'))",
    ),
    "right-join-of-a-join": (
        Join(Scan("t1", T0.columns), Join(_L, _R, "cross"), "cross"),
        "SELECT * FROM `t1` CROSS JOIN (`t0` AS `l` CROSS JOIN `t0` AS `r`)",
        'SELECT * FROM "t1" CROSS JOIN ("t0" AS "l" CROSS JOIN "t0" AS "r")',
        "t1.alias('t1').crossJoin(t0.alias('l').crossJoin(t0.alias('r')))",
    ),
    "column-twice": (
        Distinct(Project(T0, (Item("a", A), Item("a", A)))),
        "SELECT DISTINCT `a`, `a` FROM `t0`",
        'SELECT DISTINCT "a", "a" FROM "t0"',
        "t0.alias('t0').select(F.expr('`a`'), F.expr('`a`')).distinct()",
    ),
    "distinct": (
        Distinct(_AB),
        "SELECT DISTINCT `a`, `b` AS `x y` FROM `t0`",
        'SELECT DISTINCT "a", "b" AS "x y" FROM "t0"',
        "t0.alias('t0').select(F.expr('`a`'), F.expr('`b`').alias('x y')).distinct()",
    ),
    "chain": (
        SetOp("except", SetOp("union", T0, T0), SetOp("intersect", T0, T0, all=True), all=True),
        "((SELECT * FROM `t0`) UNION (SELECT * FROM `t0`)) EXCEPT ALL"
        " ((SELECT * FROM `t0`) INTERSECT ALL (SELECT * FROM `t0`))",
        '((SELECT * FROM "t0") UNION (SELECT * FROM "t0")) EXCEPT ALL'
        ' ((SELECT * FROM "t0") INTERSECT ALL (SELECT * FROM "t0"))',
        "t0.alias('t0').unionAll(t0.alias('t0')).distinct().exceptAll(t0.alias('t0').intersectAll(t0.alias('t0')))",
    ),
    "limit": (
        Limit(_AB, (SortKey(Col("x y", STRING), True, False), SortKey(A)), 2, 1),
        "SELECT * FROM (SELECT `a`, `b` AS `x y` FROM `t0`) AS `q0`"
        " ORDER BY `x y` DESC NULLS LAST, `a` ASC NULLS FIRST LIMIT 2 OFFSET 1",
        'SELECT * FROM (SELECT "a", "b" AS "x y" FROM "t0") AS "q0"'
        ' ORDER BY "x y" DESC NULLS LAST, "a" ASC NULLS FIRST LIMIT 2 OFFSET 1',
        "t0.alias('t0').select(F.expr('`a`'), F.expr('`b`').alias('x y'))"
        ".orderBy(F.expr('`x y`').desc_nulls_last(), F.expr('`a`').asc_nulls_first()).offset(1).limit(2)",
    ),
    "sort": (
        Sort(_AB, (SortKey(A, True), SortKey(ONE))),
        "SELECT * FROM (SELECT `a`, `b` AS `x y` FROM `t0`) AS `q0`"
        " ORDER BY `a` DESC NULLS FIRST, CAST(1 AS INT) ASC NULLS FIRST",
        'SELECT * FROM (SELECT "a", "b" AS "x y" FROM "t0") AS "q0"'
        ' ORDER BY "a" DESC NULLS FIRST, CAST(1 AS INT) ASC NULLS FIRST',
        "t0.alias('t0').select(F.expr('`a`'), F.expr('`b`').alias('x y'))"
        ".orderBy(F.expr('`a`').desc_nulls_first(), F.expr('CAST(1 AS INT)').asc_nulls_first())",
    ),
    "sort-within": (
        Sort(Repartition(T0, "coalesce", 2), (SortKey(A),), within=True),
        "SELECT * FROM (SELECT /*+ COALESCE(2) */ * FROM `t0`) AS `q0` SORT BY `a` ASC NULLS FIRST",
        'SELECT * FROM (SELECT * FROM "t0") AS "q0" ORDER BY "a" ASC NULLS FIRST',
        "t0.alias('t0').coalesce(2).sortWithinPartitions(F.expr('`a`').asc_nulls_first())",
    ),
    "distribute-and-sort": (
        Sort(Repartition(T0, "distribute", None, (A,)), (SortKey(A, True),), within=True),
        "SELECT * FROM `t0` DISTRIBUTE BY `a` SORT BY `a` DESC NULLS FIRST",
        'SELECT * FROM (SELECT * FROM "t0") AS "q0" ORDER BY "a" DESC NULLS FIRST',
        "t0.alias('t0').repartition(F.expr('`a`')).sortWithinPartitions(F.expr('`a`').desc_nulls_first())",
    ),
    "cluster": (
        Sort(Repartition(T0, "distribute", None, (A, ONE)), (SortKey(A), SortKey(ONE)), within=True),
        "SELECT * FROM `t0` CLUSTER BY `a`, CAST(1 AS INT)",
        'SELECT * FROM (SELECT * FROM "t0") AS "q0" ORDER BY "a" ASC NULLS FIRST, CAST(1 AS INT) ASC NULLS FIRST',
        "t0.alias('t0').repartition(F.expr('`a`'), F.expr('CAST(1 AS INT)'))"
        ".sortWithinPartitions(F.expr('`a`').asc_nulls_first(), F.expr('CAST(1 AS INT)').asc_nulls_first())",
    ),
    "repartition": (
        Repartition(T0, "repartition", 2, (A,)),
        "SELECT /*+ REPARTITION(2, `a`) */ * FROM `t0`",
        'SELECT * FROM "t0"',
        "t0.alias('t0').repartition(2, F.expr('`a`'))",
    ),
    "range": (
        Repartition(T0, "range", None, (A,)),
        "SELECT /*+ REPARTITION_BY_RANGE(`a`) */ * FROM `t0`",
        'SELECT * FROM "t0"',
        "t0.alias('t0').repartitionByRange(F.expr('`a`'))",
    ),
    "rebalance": (
        Repartition(Repartition(T0, "rebalance"), "rebalance", 2, (A,)),
        "SELECT /*+ REBALANCE(2, `a`) */ * FROM (SELECT /*+ REBALANCE */ * FROM `t0`) AS `q0`",
        'SELECT * FROM (SELECT * FROM "t0") AS "q0"',
        "t0.alias('t0').hint('rebalance', ).hint('rebalance', 2, '`a`')",
    ),
    "no-offset": (
        AnyLimit(T0, 0),
        "SELECT * FROM `t0` LIMIT 0",
        'SELECT * FROM "t0" LIMIT 0',
        "t0.alias('t0').limit(0)",
    ),
    "having": (
        Aggregate(
            T0,
            (Item("k", ONE),),
            (Item("s", Agg("sum", A, distinct=True, where=IsNull(B))),),
            IsNull(Col("s", Agg("sum", A).type), negated=True),
        ),
        "SELECT CAST(1 AS INT) AS `k`, sum(DISTINCT `a`) FILTER (WHERE (`b` IS NULL)) AS `s` FROM `t0`"
        " GROUP BY CAST(1 AS INT) HAVING (sum(DISTINCT `a`) FILTER (WHERE (`b` IS NULL)) IS NOT NULL)",
        'SELECT CAST(1 AS INT) AS "k", CAST(sum(DISTINCT "a") FILTER (WHERE ("b" IS NULL)) AS BIGINT) AS "s" FROM "t0"'
        " GROUP BY CAST(1 AS INT)"
        ' HAVING (CAST(sum(DISTINCT "a") FILTER (WHERE ("b" IS NULL)) AS BIGINT) IS NOT NULL)',
        "t0.alias('t0').groupBy(F.expr('CAST(1 AS INT)').alias('k'))"
        ".agg(F.expr('sum(DISTINCT `a`) FILTER (WHERE (`b` IS NULL))').alias('s')).where('(`s` IS NOT NULL)')",
    ),
    "having-shadowed": (
        Aggregate(T0, (Item("a", B),), (Item("m", Agg("max", A)),), IsNull(Col("m", INT))),
        "SELECT * FROM (SELECT `b` AS `a`, max(`a`) AS `m` FROM `t0` GROUP BY `b`) AS `q0` WHERE (`m` IS NULL)",
        'SELECT * FROM (SELECT "b" AS "a", max("a") AS "m" FROM "t0" GROUP BY "b") AS "q0" WHERE ("m" IS NULL)',
        "t0.alias('t0').groupBy(F.expr('`b`').alias('a')).agg(F.expr('max(`a`)').alias('m')).where('(`m` IS NULL)')",
    ),
    "keys-alone": (
        Aggregate(T0, (Item("k", A),), (), IsNull(Col("k", INT))),
        "SELECT `a` AS `k` FROM `t0` GROUP BY `a` HAVING (`a` IS NULL)",
        'SELECT "a" AS "k" FROM "t0" GROUP BY "a" HAVING ("a" IS NULL)',
        "t0.alias('t0').groupBy(F.expr('`a`').alias('k')).agg(F.expr('count(*)').alias('__count')).drop('__count')"
        ".where('(`k` IS NULL)')",
    ),
    "join-on-one-side": (
        Join(_L, _R, "left", And(Compare("=", _RA, _RA), Compare("<", _LA, _LA))),
        "SELECT * FROM `t0` AS `l` LEFT OUTER JOIN `t0` AS `r` ON ((`r`.`a` = `r`.`a`) AND (`l`.`a` < `l`.`a`))",
        'SELECT * FROM "t0" AS "l" LEFT JOIN "t0" AS "r" ON (("r"."a" = "r"."a") AND ("l"."a" < "l"."a"))',
        "t0.alias('l').join(t0.alias('r'), F.expr('((`r`.`a` = coalesce(`r`.`a`)) AND (`l`.`a` < `l`.`a`))'),"
        " 'left_outer')",
    ),
    "duplicate-names": (
        Distinct(Distinct(Join(_L, _R, "cross"))),
        "SELECT DISTINCT * FROM (SELECT DISTINCT * FROM `t0` AS `l` CROSS JOIN `t0` AS `r`) AS `q0`",
        'SELECT DISTINCT * FROM (SELECT DISTINCT * FROM "t0" AS "l" CROSS JOIN "t0" AS "r") AS "q0"'
        '("a#0", "b#1", "d#2", "n#3", "a#4", "b#5", "d#6", "n#7")',
        "t0.alias('l').crossJoin(t0.alias('r')).distinct().distinct()",
    ),
}


@pytest.mark.parametrize(("relation", "spark", "duckdb", "program"), TEXTS.values(), ids=TEXTS)
def test_one_query_in_all_dialects(relation: Relation, spark: str, duckdb: str, program: str) -> None:
    assert (SPARK.compile(relation), DUCKDB.compile(relation), DATAFRAME.compile(relation)) == (spark, duckdb, program)


@pytest.mark.parametrize(
    ("expression", "spark", "duckdb"),
    [
        (LITERALS["boolean"], "CAST(false AS BOOLEAN)", "CAST(false AS BOOLEAN)"),
        (LITERALS["bigint"], "CAST(-9223372036854775808 AS BIGINT)", "CAST(-9223372036854775808 AS BIGINT)"),
        (LITERALS["nan"], "CAST('nan' AS DOUBLE)", "CAST('nan' AS DOUBLE)"),
        (LITERALS["negative-zero"], "CAST('-0.0' AS DOUBLE)", "CAST('-0.0' AS DOUBLE)"),
        (LITERALS["binary"], "X'00ff5c27'", r"CAST('\x00\xff\x5c\x27' AS BLOB)"),
        (LITERALS["null"], "CAST(NULL AS DECIMAL(5,0))", "CAST(NULL AS DECIMAL(5,0))"),
        (Lit(STRING, r"it's \ "), r"'it\'s \\ '", r"'it''s \ '"),
        (Lit(STRING, "${x}\n\0."), r"'\u0024{x}\u000a\u0000.'", "('${x}\n' || chr(0) || '.')"),
        (Lit(STRING, "\0"), r"'\u0000'", "('' || chr(0) || '')"),
        (Arith("-", A, Lit(INT, -1)), "(`a` - CAST(-1 AS INT))", '("a" - CAST(-1 AS INT))'),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_constants_have_their_type_and_nothing_is_left_to_escape(expression: Expr, spark: str, duckdb: str) -> None:
    assert (SPARK.expression(expression), DUCKDB.expression(expression)) == (spark, duckdb)


@DIALECTS
def test_a_compiler_can_be_used_again(dialect: Compiler) -> None:
    relation = RELATIONS["filter-of-a-filter"]
    assert dialect.compile(relation) == dialect.compile(relation)


@pytest.mark.parametrize("kind", SET_KINDS)
@pytest.mark.parametrize("both", [True, False], ids=["all", "distinct"])
def test_every_set_operator_has_a_method(kind: str, both: bool) -> None:
    assert DATAFRAME.compile(SetOp(kind, T0, T0, all=both)).startswith("t0.alias('t0').")


# DuckDB takes the words, and answers in Spark's types.


@pytest.fixture(scope="module")
def engine():
    with DuckdbEngine() as duckdb:
        yield duckdb


NO_ROWS = Database(tuple(replace(table, rows=()) for table in DATABASE.tables))
ANSWERED = {name: (query, NO_ROWS if may_raise(query) else DATABASE) for name, query in RELATIONS.items()}


@pytest.mark.parametrize(("relation", "database"), ANSWERED.values(), ids=ANSWERED)
def test_duckdb_answers_in_the_types_of_the_query_algebra(
    engine: DuckdbEngine, relation: Relation, database: Database
) -> None:
    outcome = engine.run(relation, database)
    assert isinstance(outcome, Rows), outcome
    assert outcome.schema == tuple(type_text(arrow_type(field.type)) for field in relation.fields)


@pytest.mark.parametrize("literal", LITERALS.values(), ids=LITERALS)
def test_a_constant_is_the_value_that_a_table_would_hold(engine: DuckdbEngine, literal: Lit) -> None:
    cell = Table("cell", (Column("x", literal.kind),), ((literal.value,),))
    relation = Project(Scan("cell", cell.columns), (Item("x", literal),))
    assert engine.run(relation, Database((cell,))) == rows_from_arrow(arrow_table(cell))


def test_a_column_that_looks_like_a_numbered_duplicate_keeps_its_meaning(engine: DuckdbEngine) -> None:
    """DuckDB numbers the second ``a`` of a derived table ``a_1``, and would read that instead of the real one."""
    x = Table("x", (Column("a", DOUBLE),), (("0x1.0000000000000p+0",),))
    y = Table("y", (Column("a", DOUBLE), Column("a_1", DOUBLE)), (("0x1.0000000000000p+1", "0x1.8000000000000p+1"),))
    joined = Distinct(Join(Scan("x", x.columns), Scan("y", y.columns), "cross"))
    outcome = engine.run(Project(joined, (Item("r", Col("a_1", DOUBLE)),)), Database((x, y)))
    assert outcome == Rows(("double",), ((("double", "0x1.8000000000000p+1"),),))


def test_a_key_with_a_subquery_is_said_in_the_same_words_twice(engine: DuckdbEngine) -> None:
    """DuckDB takes the key in the select list for another expression if the subquery's aliases differ."""
    listed = Project(Repartition(Project(T0, (Item("x", A),)), "rebalance", 1), (Item("x", Col("x", INT)),))
    grouped = Aggregate(T0, (Item("k", InSubquery((A,), listed)),), (Item("n", Agg("count")),))
    assert isinstance(engine.run(grouped, DATABASE), Rows)


def test_deduplicate_without_keys_keeps_one_row_of_any_and_none_of_none(engine: DuckdbEngine) -> None:
    query = Deduplicate(Project(T0, (Item("x", ONE),)), ())
    none = Database(tuple(Table(table.name, table.columns) for table in DATABASE.tables))
    assert engine.run(query, DATABASE) == Rows(("int32",), ((("int32", 1),),))
    assert engine.run(query, none) == Rows(("int32",), ())


def test_a_random_text_of_a_dataframe_is_written_in_sql() -> None:
    """``pyspark.sql.functions.uuid`` came with 4.1."""
    text = DATAFRAME.visit(RELATIONS["random-text-column"])
    assert "F.expr('uuid()')" in text
    assert "F.uuid" not in text
