"""The reference operators: what Spark's rules make of a set operator, Distinct or Deduplicate, without those rules."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pyarrow as pa
import pytest

ALL_KINDS = "Except,ExceptAll,Intersect,IntersectAll,Distinct,Deduplicate"

REPLACING = {
    "ReplaceExceptWithFilter",
    "ReplaceExceptWithAntiJoin",
    "ReplaceIntersectWithSemiJoin",
    "ReplaceDistinctWithAggregate",
    "ReplaceDeduplicateWithAggregate",
    "RewriteExceptAll",
    "RewriteIntersectAll",
}

#: Spark computes a query over VALUES while it plans it; the tests want it run. Classes made for it would take longer.
BASE = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.planChangeValidation": "true",
    "spark.sql.optimizer.excludedRules": "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation",
}

LEFT = """
(1, double('NaN'), 'x'), (1, double('NaN'), 'x'), (1, double('NaN'), 'x'), (2, -0.0D, 'y'), (2, 0.0D, 'y'),
(NULL, NULL, NULL), (NULL, NULL, NULL), (3, NULL, ''), (3, 1.5D, 'z'), (4, double('infinity'), NULL)"""
RIGHT = """
(1, double('NaN'), 'x'), (2, 0.0D, 'y'), (NULL, NULL, NULL), (NULL, NULL, NULL), (NULL, NULL, NULL),
(3, 1.5D, 'zz'), (5, -0.0D, NULL)"""

OPERATORS = {
    "Except": "SELECT k, d, s FROM ref_l EXCEPT SELECT k, d, s FROM ref_r",
    "ExceptAll": "SELECT k, d, s FROM ref_l EXCEPT ALL SELECT k, d, s FROM ref_r",
    "Intersect": "SELECT k, d, s FROM ref_l INTERSECT SELECT k, d, s FROM ref_r",
    "IntersectAll": "SELECT k, d, s FROM ref_l INTERSECT ALL SELECT k, d, s FROM ref_r",
    "Distinct": "SELECT DISTINCT k, d, s FROM ref_l",
    "Deduplicate": "SELECT k, d, s FROM ref_dedup",
}

#: Where an operator may stand; {q} is the operator's query.
PLACES = {
    "at the top": "{q}",
    "nested": "SELECT * FROM ({q}) EXCEPT ALL SELECT * FROM (SELECT DISTINCT * FROM ({q}) WHERE k = 1)",
    "below a union": "SELECT * FROM ({q}) UNION SELECT * FROM ref_r",
    "in a view": "SELECT * FROM ref_view",
    "in a CTE used twice": "WITH c AS ({q}) SELECT x.k, y.s FROM c x JOIN c y ON x.k <=> y.k",
    "in a CTE used twice that is not inlined": "WITH c AS (SELECT *, rand() < 2 AS t FROM ({q})) "
    "SELECT x.k, y.s FROM c x JOIN c y ON x.k <=> y.k AND x.t = y.t",
    "in an IN subquery": "SELECT * FROM ref_l WHERE k IN (SELECT k FROM ({q}))",
    "in a NOT IN subquery": "SELECT * FROM ref_l WHERE k NOT IN (SELECT k FROM ({q}) WHERE k IS NOT NULL)",
    "in a scalar subquery": "SELECT k, (SELECT count(*) FROM ({q})) AS n FROM ref_l",
    "under a correlated EXISTS": "SELECT * FROM ref_l l WHERE EXISTS (SELECT 1 FROM ({q}) e WHERE e.k = l.k)",
    "under a correlated scalar subquery": "SELECT k, (SELECT count(*) FROM ({q}) e WHERE e.k = l.k) n FROM ref_l l",
    "below a projection of one column": "SELECT s FROM ({q})",
    "below a projection of no column": "SELECT 1 AS one FROM ({q})",
    "below count(*)": "SELECT count(*) FROM ({q})",
    "below a filter": "SELECT * FROM ({q}) WHERE k > 1 OR s IS NULL",
    "below an aggregate": "SELECT s, count(*), max(d) FROM ({q}) GROUP BY s",
    "below a join": "SELECT e.k, r.s FROM ({q}) e LEFT JOIN ref_r r ON e.k = r.k",
}

#: The places at which adaptive execution plans anew what it was given.
WITHOUT_AQE = (
    "at the top",
    "in a view",
    "in a CTE used twice",
    "in an IN subquery",
    "under a correlated EXISTS",
)


@pytest.fixture(scope="module")
def views(spark):
    """Temporary views with every hazard of row equality, and one that holds a Deduplicate."""
    spark.sql(f"SELECT * FROM VALUES {LEFT} t(k, d, s)").createOrReplaceTempView("ref_l")
    spark.sql(f"SELECT * FROM VALUES {RIGHT} t(k, d, s)").createOrReplaceTempView("ref_r")
    spark.table("ref_l").dropDuplicates(["k", "d", "s"]).createOrReplaceTempView("ref_dedup")
    yield spark
    for view in ("ref_l", "ref_r", "ref_dedup", "ref_view"):
        spark.catalog.dropTempView(view)


class Leg:
    """One run of a query: its rows as a multiset, its column types, the rules that changed its plan, and its error."""

    def __init__(self, spark, sql: str, conf: dict[str, str]) -> None:
        runner = spark._jvm.org.apache.spark.sql.assay.LegRunner
        report = runner.sql(spark._jsparkSession, json.dumps({**BASE, **conf}), sql, 60_000, True)
        facts = json.loads(report.facts())
        self.error = facts["error"]
        self.rules = {name.rsplit(".", 1)[-1] for name, (_, changed_plan) in facts["rules"].items() if changed_plan}
        self.optimized = report.optimizedPlan()
        data = report.arrow()
        table = None if data is None else pa.ipc.open_stream(data).read_all()
        self.types = None if table is None else [(field.name, field.type) for field in table.schema]
        self.rows = None if table is None else _multiset(table)


def _multiset(table: pa.Table) -> Counter[str]:
    return Counter(repr(row) for row in zip(*(column.to_pylist() for column in table.columns), strict=True))


def both(spark, sql: str, kinds: str = ALL_KINDS, **conf: str) -> tuple[Leg, Leg]:
    """The query on stock Spark, and with the reference operators."""
    return Leg(spark, sql, conf), Leg(spark, sql, {**conf, "spark.assay.reference": kinds})


def _standing() -> Iterator[object]:
    """Every operator in every place."""
    for place, aqe in [*((place, "true") for place in PLACES), *((place, "false") for place in WITHOUT_AQE)]:
        for operator in OPERATORS:
            name = f"{operator}-{place}" + ("" if aqe == "true" else ", no aqe")
            yield pytest.param(operator, place, aqe, id=name)


@pytest.mark.one_in(17)  # no divisor of the number of operators, so that each of them has its turn
@pytest.mark.parametrize(("operator", "place", "aqe"), list(_standing()))
def test_the_reference_answers_as_spark_does_without_its_rules(views, operator, place, aqe):
    query = OPERATORS[operator]
    views.sql(f"CREATE OR REPLACE TEMP VIEW ref_view AS {query}")
    stock, reference = both(views, PLACES[place].format(q=query), **{"spark.sql.adaptive.enabled": aqe})
    assert (stock.error, reference.error) == (None, None)
    assert reference.types == stock.types
    assert reference.rows == stock.rows
    assert reference.rules & REPLACING == set()
    assert stock.rules & REPLACING


@pytest.mark.parametrize("operator", OPERATORS)
def test_an_operator_that_is_not_listed_is_left_to_spark(views, operator):
    others = ",".join(kind for kind in OPERATORS if kind != operator)
    stock, reference = both(views, OPERATORS[operator], others)
    assert reference.rules & REPLACING == stock.rules & REPLACING
    assert "ReferenceOperator" not in reference.optimized


@pytest.mark.parametrize("left", range(4))
@pytest.mark.parametrize("right", range(4))
@pytest.mark.parametrize(
    ("operator", "copies"),
    [
        ("EXCEPT", lambda left, right: int(left > 0 and right == 0)),
        ("EXCEPT ALL", lambda left, right: max(0, left - right)),
        ("INTERSECT", lambda left, right: int(left > 0 and right > 0)),
        ("INTERSECT ALL", min),
    ],
    ids=["except", "except all", "intersect", "intersect all"],
)
def test_copies_of_a_row_follow_the_definition(spark, operator, copies, left, right):
    sql = f"SELECT NULL a, 1 b FROM range({left}) {operator} SELECT NULL a, 1 b FROM range({right})"
    reference = Leg(spark, sql, {"spark.assay.reference": ALL_KINDS})
    assert reference.rows == Counter({"(None, 1)": copies(left, right)}) + Counter()


CORRELATED = {
    "except": "SELECT r.s FROM ref_r r WHERE r.k = l.k EXCEPT SELECT s FROM ref_r WHERE k > 2",
    "intersect": "SELECT r.s FROM ref_r r WHERE r.k = l.k INTERSECT SELECT s FROM ref_r WHERE k > 2",
    "distinct": "SELECT DISTINCT r.s FROM ref_r r WHERE r.k = l.k",
}


@pytest.mark.parametrize("query", CORRELATED.values(), ids=CORRELATED)
def test_an_operator_that_holds_an_outer_reference_is_left_to_spark(views, query):
    stock, reference = both(views, f"SELECT * FROM ref_l l WHERE EXISTS ({query})")
    assert reference.error is None
    assert reference.rows == stock.rows
    assert "ReferenceOperator" not in reference.optimized


def test_an_operator_beside_one_with_an_outer_reference_is_replaced(views):
    free = OPERATORS["Distinct"]
    query = f"SELECT DISTINCT r.s FROM ref_r r JOIN ({free}) f ON r.k = f.k WHERE r.k = l.k"
    stock, reference = both(views, f"SELECT * FROM ref_l l WHERE EXISTS ({query})")
    assert reference.rows == stock.rows
    assert reference.optimized.count("ReferenceOperator") == 1


VALUES_OF_TYPE = {
    "boolean": ("true", "false"),
    "smallint": ("1S", "2S"),
    "bigint": ("1L", "2L"),
    "float": ("float('NaN')", "float(1)"),
    "decimal": ("CAST('1.50' AS DECIMAL(10,2))", "CAST('1.51' AS DECIMAL(10,2))"),
    "wide decimal": ("CAST('1.50' AS DECIMAL(38,2))", "CAST('1.51' AS DECIMAL(38,2))"),
    "string": ("'a'", "'A'"),
    "trailing space": ("'a'", "'a '"),
    "binary": ("X'00FF'", "X'00FE'"),
    "date": ("DATE'2024-02-29'", "DATE'2024-03-01'"),
    "timestamp": ("TIMESTAMP'2024-02-29 01:02:03.000001'", "TIMESTAMP'2024-02-29 01:02:03.000002'"),
    "timestamp_ntz": ("TIMESTAMP_NTZ'2024-02-29 01:02:03.000001'", "TIMESTAMP_NTZ'2024-02-29 01:02:03'"),
    "array": ("array(1, NULL)", "array(1)"),
    "array of doubles": ("array(-0.0D, double('NaN'))", "array(1D, double('NaN'))"),
    "struct": ("named_struct('a', NULL, 'b', 'x')", "named_struct('a', 1, 'b', 'x')"),
    "array of structs": ("array(named_struct('a', 0.0D))", "array(named_struct('a', 1D))"),
}


@pytest.mark.parametrize(("same", "other"), VALUES_OF_TYPE.values(), ids=VALUES_OF_TYPE)
def test_rows_of_every_type_are_compared_by_value(spark, same, other):
    sql = (
        f"SELECT v FROM VALUES ({same}), ({same}), ({other}), (NULL) l(v) "
        f"EXCEPT ALL SELECT v FROM VALUES ({same}), (NULL) r(v)"
    )
    stock, reference = both(spark, sql)
    assert reference.rows == stock.rows
    assert reference.rows.total() == 2
    assert "ReferenceOperator" in reference.optimized


@pytest.mark.parametrize("zero", ["-0.0D", "float('-0.0')"], ids=["double", "float"])
@pytest.mark.parametrize("wrap", ["{0}", "array({0})", "named_struct('f', {0})"], ids=["plain", "array", "struct"])
def test_zeros_of_both_signs_are_one_value_that_comes_out_positive(spark, zero, wrap):
    negative = wrap.format(zero)
    sql = f"SELECT CAST(v AS STRING) FROM (SELECT DISTINCT v FROM VALUES ({negative}), ({wrap.format('0')}) t(v))"
    stock, reference = both(spark, sql)
    assert reference.rows == stock.rows
    assert reference.rows.total() == 1


@pytest.mark.parametrize(
    "value",
    ["s COLLATE UTF8_LCASE", "array(s COLLATE UTF8_LCASE)", "named_struct('f', s COLLATE UTF8_LCASE)"],
    ids=["string", "array", "struct"],
)
def test_columns_with_a_collation_have_no_row_key_and_are_left_to_spark(spark, value):
    stock, reference = both(spark, f"SELECT DISTINCT {value} IS NULL, {value} FROM VALUES ('a'), ('A'), ('b') t(s)")
    assert "ReferenceOperator" not in reference.optimized
    assert reference.error is None
    assert reference.rows.total() == stock.rows.total() == 2


INTERSECT = "SELECT k, s FROM ref_l INTERSECT SELECT id, 'x' FROM (SELECT CAST(id AS INT) id FROM range(3))"


def test_an_intersection_is_nullable_where_both_sides_are(views):
    """Spark's own rewrite takes the left side's nullability, which this validation refuses."""
    strict = {"spark.sql.planChangeValidation.nullability": "true"}
    stock, reference = both(views, f"SELECT k IS NULL, s IS NULL FROM ({INTERSECT})", **strict)
    assert stock.error["invalidPlan"]
    assert reference.error is None
    assert reference.rows == Counter({"(False, False)": 1})


@pytest.mark.parametrize("keys", [["k"], ["k", "s"], ["s"]], ids=" ".join)
def test_one_row_is_left_for_each_key_of_a_deduplicate(views, keys):
    views.table("ref_l").select("k", "s").dropDuplicates(keys).createOrReplaceTempView("ref_view")
    stock, reference = both(views, f"SELECT {', '.join(keys)} FROM ref_view")
    assert reference.rows == stock.rows
    assert "ReferenceOperator Deduplicate" in reference.optimized


@pytest.mark.parametrize(("rows", "left"), [(0, 0), (3, 1)], ids=["no row", "three rows"])
def test_without_keys_a_deduplicate_leaves_at_most_one_row(spark, rows, left):
    spark.range(rows).select().dropDuplicates([]).createOrReplaceTempView("ref_no_keys")
    reference = Leg(spark, "SELECT count(*) FROM ref_no_keys", {"spark.assay.reference": ALL_KINDS})
    assert reference.rows == Counter([f"({left},)"])


def test_a_name_that_is_no_operator_is_an_error_that_says_so(spark):
    leg = Leg(spark, "SELECT 1", {"spark.assay.reference": "Except,Union"})
    assert "spark.assay.reference: no Union among Except, ExceptAll" in leg.error["message"]


@pytest.mark.parametrize(
    ("form", "is_all", "rows"),
    [
        ("except", False, [(1,)]),
        ("except", True, [(1,), (1,)]),
        ("intersect", False, [(2,)]),
        ("intersect", True, [(2,)]),
    ],
    ids=["except", "except all", "intersect", "intersect all"],
)
@pytest.mark.parametrize("kinds", ["", ALL_KINDS], ids=["stock", "reference"])
def test_the_catalyst_dsl_form(spark, form, is_all, rows, kinds):
    """``table("a").except(table("b"), isAll = false)``: neither parsed nor of the DataFrame API."""
    spark.sql("SELECT * FROM VALUES (1), (1), (2) t(v)").createOrReplaceTempView("dsl_a")
    spark.sql("SELECT * FROM VALUES (2), (3) t(v)").createOrReplaceTempView("dsl_b")
    runner, jsession = spark._jvm.org.apache.spark.sql.assay.LegRunner, spark._jsparkSession
    frame = getattr(spark._jvm.assay.DslForms, form)(jsession, "dsl_a", "dsl_b", is_all)
    runner.configure(jsession, json.dumps({**BASE, "spark.assay.reference": kinds}))
    report = runner.run(frame, 60_000)
    runner.restore(jsession)
    assert pa.ipc.open_stream(report.arrow()).read_all().column("v").to_pylist() == [value for (value,) in rows]
