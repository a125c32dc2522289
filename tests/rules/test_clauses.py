"""A SELECT with the clauses of several operators has the answer of one SELECT for each."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from oracles.answers.outcome import Rows
from oracles.answers.rows import diff
from oracles.checks.check import Harness
from oracles.patterns.unsupported import runs
from oracles.sql import SparkCompiler
from strategies.ir import (
    BIGINT,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    And,
    Arith,
    Case,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Compare,
    Filter,
    Generate,
    GroupingSets,
    InSubquery,
    IsNull,
    Item,
    Join,
    JoinKind,
    Lit,
    MakeArray,
    Over,
    Project,
    Ranking,
    Relation,
    Settings,
    SortKey,
    UserCall,
    When,
    Window,
)
from tests.unit.sample_tables import DATABASE, ONE, T0, T1, A, B, D

N, M, K = Col("n", BIGINT), Col("m", INT), Col("k", STRING)
_TWO, _SOME = Lit(BIGINT, 2), Lit(BIGINT, 0)
_AGGREGATES = (Item("n", Agg("count", A)), Item("m", Agg("max", A)))
_BY_TEXT = (Item("k", Coalesce((B, Lit(STRING, "none")))),)
_RANKED = Window(T0, (Over("r", Ranking("rank")), Over("c", Agg("count"))), (B,), (SortKey(A, True),))

_ARRAY = MakeArray(INT, (A, ONE))
_A0, _A1, _B0, _B1 = (Col(name, kind, table) for name, kind in (("a", INT), ("b", STRING)) for table in ("t0", "t1"))
_SAME_A, _SAME_B = Compare("=", _A0, _A1), Compare("=", _B1, _B0)
_LEFT, _RIGHT = (("x", _A0), ("y", _B0)), (("z", _A1), ("u", _B1))
_BOTH_SIDES: tuple[JoinKind, ...] = ("inner", "left", "right", "full")
_NAMED = Alias(Project(T0, (Item("a", A), Item("k", B))), "m")


def _groups(having: Compare | IsNull | None = None, *, keys: tuple[Item, ...] = _BY_TEXT) -> Aggregate:
    return Aggregate(T0, keys, _AGGREGATES, having)


def _of(child: Relation, *values: tuple[str, Col | Arith | Cast | CaseWhen | InSubquery | UserCall]) -> Project:
    return Project(child, tuple(Item(name, value) for name, value in values))


QUERIES: dict[str, Relation] = {
    "expressions over aggregates": _of(_groups(), ("x", Arith("+", N, _TWO)), ("k", K)),
    "an expression of two": _of(_groups(), ("x", Arith("*", N, Cast(M, BIGINT)))),
    "an expression of a key": _of(_groups(), ("x", CaseWhen((When(IsNull(K), ONE),), M))),
    "one group": _of(_groups(keys=()), ("x", Arith("-", N, _TWO))),
    "one group or none": _of(_groups(Compare(">", N, Lit(BIGINT, 99)), keys=()), ("m", M)),
    "hidden in HAVING": _of(_groups(Compare(">", N, _SOME)), ("m", M)),
    "a constant of one group": _of(_groups(keys=()), ("x", ONE)),
    "a constant of one group or none": _of(_groups(Compare(">", N, _SOME), keys=()), ("x", ONE)),
    "a constant of groups": _of(_groups(), ("x", ONE)),
    "only the key": _of(_groups(IsNull(M, negated=True)), ("k", K)),
    "a name of a column below": _of(_groups(Compare(">", N, _SOME)), ("a", K)),
    "a name of a column in HAVING": _of(_groups(Compare("<", K, Lit(STRING, "n"))), ("b", M)),
    "an aggregate IN a subquery": _of(_groups(), ("x", InSubquery((M,), Project(T1, (Item("a", A),))))),
    "a function in Python": _of(_groups(), ("x", UserCall("python", "add", (M, ONE)))),
    "cube": _of(GroupingSets(T0, "cube", (Item("a", A), Item("b", B)), _AGGREGATES), ("b", B), ("n", N)),
    "cube with HAVING": _of(
        GroupingSets(T0, "cube", (Item("a", A), Item("b", B)), _AGGREGATES, having=Compare(">", N, _SOME)), ("b", B)
    ),
    "cube of a constant": _of(
        GroupingSets(T0, "cube", (Item("k", Lit(STRING, "x")), Item("b", B)), _AGGREGATES), ("k", K), ("n", N)
    ),
    "cube with HAVING of a renamed key": _of(
        GroupingSets(T0, "cube", (Item("k", B),), _AGGREGATES, having=IsNull(K)), ("n", N)
    ),
    "groups of all": Aggregate(T0, (Item("a", A), Item("k", Coalesce((B, Lit(STRING, ""))))), _AGGREGATES),
    "groups of a constant": Aggregate(T0, (Item("k", Lit(STRING, "x")),), _AGGREGATES),
    "filter of a rank": Filter(_RANKED, Compare("=", Col("r", INT), ONE)),
    "filter of a rank and a column": Filter(_RANKED, And(Compare("=", Col("r", INT), ONE), IsNull(B, negated=True))),
    "projection of a filter of a count": _of(Filter(_RANKED, Compare(">", Col("c", BIGINT), _SOME)), ("d", D)),
    "groups of a filter of a rank": Aggregate(Filter(_RANKED, Compare("=", Col("r", INT), ONE)), (), _AGGREGATES),
    "windows beside a generator": Window(
        Generate(T0, _ARRAY, "x", "p"), (Over("r", Ranking("rank")),), (B,), (SortKey(A),)
    ),
    "windows beside an outer generator": Window(
        Generate(Filter(T0, IsNull(B)), _ARRAY, "x", outer=True), (Over("c", Agg("count")),)
    ),
    "windows of what a generator makes": Window(
        Generate(T0, _ARRAY, "x"), (Over("r", Ranking("rank")),), (), (SortKey(Col("x", INT)),)
    ),
    "filter of windows beside a generator": Filter(
        Window(Generate(T0, _ARRAY, "x"), (Over("r", Ranking("rank")),), (), (SortKey(A),)),
        Compare("=", Col("r", INT), ONE),
    ),
    **{f"{kind} join by a name": _of(Join(T0, T1, kind, _SAME_A), *_LEFT, *_RIGHT) for kind in _BOTH_SIDES},
    "semi join by a name": _of(Join(T0, T1, "semi", _SAME_A), *_LEFT),
    "anti join by two names": _of(Join(T0, T1, "anti", And(_SAME_A, _SAME_B)), *_LEFT),
    "filter of a join by a name": _of(
        Filter(Join(T0, T1, "right", _SAME_A), And(IsNull(_A0), IsNull(_A1, negated=True))), *_LEFT, *_RIGHT
    ),
    "join by all names": _of(Join(_NAMED, T1, "full", Compare("=", _A1, Col("a", INT, "m"))), ("x", _A1)),
    "join by a name and more": _of(Join(T0, T1, "left", And(_SAME_A, IsNull(_A1))), *_LEFT),
    "join by names of one side": _of(Join(T0, T1, "left", Compare("=", _A0, _A0)), *_LEFT),
}
MERGED = Settings(clauses="merged")
_HERE = {name: query for name, query in QUERIES.items() if runs(version("pyspark"), Case(query, DATABASE, MERGED))}


@pytest.mark.parametrize("query", _HERE.values(), ids=_HERE)
def test_merged_clauses_have_the_answer_of_nested_ones(harness: Harness, query: Relation) -> None:
    answers = []
    with harness.spark.loaded(DATABASE, "parquet"):
        for settings in (Settings(), MERGED):
            with harness.spark.leg(query, settings, {}) as leg:
                answers.append(leg.run().outcome)
    nested, merged = answers
    assert isinstance(nested, Rows)
    assert isinstance(merged, Rows)
    assert not diff(nested, merged)
    assert nested.schema == merged.schema


ONE_SELECT: dict[str, tuple[str, str]] = {
    "expressions over aggregates": (
        "expressions over aggregates",
        "SELECT (count(`a`) + 2L) AS `x`, coalesce(`b`, 'none') AS `k` FROM `t0` GROUP BY coalesce(`b`, 'none')",
    ),
    "hidden in HAVING": (
        "hidden in HAVING",
        "SELECT max(`a`) AS `m` FROM `t0` GROUP BY coalesce(`b`, 'none') HAVING (count(`a`) > 0L)",
    ),
    "cube": (
        "cube with HAVING",
        "SELECT `b` FROM `t0` GROUP BY CUBE (`a`, `b`) HAVING (count(`a`) > 0L)",
    ),
    "windows beside a generator": (
        "windows beside a generator",
        "SELECT *, posexplode(array(`a`, 1)) AS (`p`, `x`), "
        "rank() OVER (PARTITION BY `b` ORDER BY `a` ASC NULLS FIRST) AS `r` FROM `t0`",
    ),
    "an outer generator of filtered rows": (
        "windows beside an outer generator",
        "SELECT *, explode_outer(array(`a`, 1)) AS `x`, count(*) OVER () AS `c` FROM `t0` WHERE (`b` IS NULL)",
    ),
    "using": (
        "anti join by two names",
        "SELECT `t0`.`a` AS `x`, `t0`.`b` AS `y` FROM `t0` LEFT ANTI JOIN `t1` USING (`a`, `b`)",
    ),
    "natural": (
        "join by all names",
        "SELECT `t1`.`a` AS `x` FROM (SELECT `a`, `b` AS `k` FROM `t0`) AS `m` NATURAL FULL OUTER JOIN `t1`",
    ),
    "using in a filter": (
        "filter of a join by a name",
        "SELECT `t0`.`a` AS `x`, `t0`.`b` AS `y`, `t1`.`a` AS `z`, `t1`.`b` AS `u` FROM `t0` RIGHT OUTER JOIN `t1` "
        "USING (`a`) WHERE ((`t0`.`a` IS NULL) AND (`t1`.`a` IS NOT NULL))",
    ),
    "all": (
        "groups of all",
        "SELECT `a`, coalesce(`b`, '') AS `k`, count(`a`) AS `n`, max(`a`) AS `m` FROM `t0` GROUP BY ALL",
    ),
}


@pytest.mark.parametrize(("name", "text"), ONE_SELECT.values(), ids=ONE_SELECT)
def test_merged_clauses_stand_in_one_select(name: str, text: str) -> None:
    assert SparkCompiler(clauses="merged").compile(QUERIES[name]) == text
    assert SparkCompiler().compile(QUERIES[name]) != text


NESTED = (
    "a constant of one group",
    "a constant of one group or none",
    "a name of a column in HAVING",
    "groups of a constant",
    "cube of a constant",
    "cube with HAVING of a renamed key",
    "windows of what a generator makes",
    "join by a name and more",
    "join by names of one side",
)


@pytest.mark.parametrize("name", NESTED)
def test_where_a_clause_would_mean_something_else_each_operator_has_its_select(name: str) -> None:
    assert SparkCompiler(clauses="merged").compile(QUERIES[name]) == SparkCompiler().compile(QUERIES[name])


def test_a_filter_of_a_window_is_qualify() -> None:
    text = SparkCompiler(clauses="merged").compile(QUERIES["filter of a rank"])
    assert text.startswith("SELECT *, rank() OVER")
    assert text.endswith("FROM `t0` QUALIFY (`r` = 1)")


def test_a_window_beside_a_generator_takes_no_qualify() -> None:
    text = SparkCompiler(clauses="merged").compile(QUERIES["filter of windows beside a generator"])
    assert "explode(array(`a`, 1)) AS `x`, rank() OVER" in text
    assert text.endswith(" WHERE (`r` = 1)")


@pytest.mark.parametrize(("release", "is_run"), [("4.1.0", False), ("4.2.0", True)])
def test_releases_before_4_2_have_no_qualify(release: str, is_run: bool) -> None:
    query = QUERIES["filter of a rank"]
    assert runs(release, Case(query, DATABASE, MERGED)) == is_run
    assert runs(release, Case(query, DATABASE))
