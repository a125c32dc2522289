"""Texts under a collation are compared alike in both engines, wherever the query algebra lets them be compared."""

from __future__ import annotations

from importlib.metadata import version
from itertools import product

import pytest

from oracles.answers.outcome import Rows
from oracles.answers.rows import diff
from oracles.checks.check import Harness
from oracles.rules.releases import is_among
from strategies.ir import (
    COLLATIONS,
    COMPARE_OPS,
    JOIN_KINDS,
    STRING,
    Agg,
    Aggregate,
    Alias,
    Between,
    Call,
    CaseWhen,
    Coalesce,
    Col,
    Collate,
    Collated,
    Collation,
    Column,
    Compare,
    Database,
    Expr,
    Filter,
    InList,
    InSubquery,
    IsNull,
    Item,
    Join,
    Lit,
    Over,
    Project,
    Ranking,
    Relation,
    Scan,
    Settings,
    SortKey,
    Table,
    When,
    Window,
)

pytestmark = pytest.mark.skipif(is_among(version("pyspark"), "<4.0"), reason="Spark has collations since 4.0")

_TEXTS = (None, "", "a", "A", "a ", "A  ", "b", "B", "ab", "aB ", " a", "é", "É", "a\0", "%a")
_COLUMNS = (Column("x", STRING), Column("y", STRING))
PAIRS = Scan("pairs", _COLUMNS)
DATABASE = Database((Table("pairs", _COLUMNS, tuple(product(_TEXTS, _TEXTS))),))
X, Y = Col("x", STRING), Col("y", STRING)
_LEFT, _RIGHT = Alias(PAIRS, "l"), Alias(Filter(PAIRS, Compare("=", Y, Lit(STRING, "b"))), "r")


def _values(collation: Collation) -> dict[str, Expr]:
    x, y, a = Collate(X, collation), Collate(Y, collation), Lit(Collated(collation), "A")
    null = Lit(Collated(collation), None)
    return {
        **{f"x {op} y": Compare(op, x, y) for op in COMPARE_OPS},
        **{f"x {op} A": Compare(op, x, a) for op in COMPARE_OPS},
        "in": InList(x, (a, y)),
        "not in with NULL": InList(x, (a, null), negated=True),
        "between": Between(x, a, y),
        "is null": IsNull(x),
        "case": Compare("=", CaseWhen((When(IsNull(X), a),), y), x),
        "coalesce": Compare("=", Coalesce((x, a)), y),
        "greatest": Compare("=", Call("greatest", (x, y)), x),
    }


def _searches() -> dict[str, Expr]:
    collated = Collated("UTF8_LCASE")
    x, y = Collate(X, "UTF8_LCASE"), Collate(Y, "UTF8_LCASE")
    patterns = ("a%", "%B", "%", "", "_", "A%a", "$%a", "%a%")
    return {
        **{f"{name} y": Call(name, (x, y)) for name in ("starts_with", "ends_with", "contains")},
        **{f"like {pattern}": Call("like", (x, Lit(collated, pattern))) for pattern in patterns},
    }


VALUES = {**{collation: _values(collation) for collation in COLLATIONS}, "searches": _searches()}


def _queries(collation: Collation) -> dict[str, Relation]:
    x, y = Collate(X, collation), Collate(Y, collation)
    sides = Collate(Col("x", STRING, "l"), collation), Collate(Col("x", STRING, "r"), collation)
    some = Project(Filter(PAIRS, Compare("<", X, Lit(STRING, "B"))), (Item("v", X),))
    order = (SortKey(y, descending=True),)
    counts = (Item("n", Agg("count", x, distinct=True)), Item("m", Agg("count", x, others=(y,), distinct=True)))
    return {
        **{kind: Join(_LEFT, _RIGHT, kind, Compare("=", *sides)) for kind in JOIN_KINDS if kind != "cross"},
        "in": Filter(PAIRS, InSubquery((x,), some)),
        "not in": Filter(PAIRS, InSubquery((x,), Filter(some, IsNull(Col("v", STRING), negated=True)), negated=True)),
        "counts": Aggregate(PAIRS, (Item("k", Y),), counts),
        "counts of all": Aggregate(PAIRS, (), counts),
        "window": Window(PAIRS, (Over("r", Ranking("rank")), Over("n", Agg("count"))), (x,), order),
    }


QUERIES = {f"{collation} {name}": query for collation in COLLATIONS for name, query in _queries(collation).items()}
_WAYS = (Settings(), Settings(codegen=True), Settings(source="orc"), Settings(form="dataframe"))


def _ids(settings: Settings) -> str:
    return f"{settings.source} {settings.form}{' with codegen' if settings.codegen else ''}"


@pytest.mark.parametrize("settings", _WAYS, ids=_ids)
@pytest.mark.parametrize("named", VALUES.values(), ids=VALUES)
def test_conditions_have_one_value_on_every_pair(harness: Harness, named: dict[str, Expr], settings: Settings) -> None:
    items = (Item(f"c{place}", value) for place, value in enumerate(named.values()))
    _agree(harness, Project(PAIRS, (Item("x", X), Item("y", Y), *items)), settings)


@pytest.mark.parametrize("settings", _WAYS[:2], ids=_ids)
@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_joins_counts_and_windows_have_one_answer(harness: Harness, query: Relation, settings: Settings) -> None:
    _agree(harness, query, settings)


def _agree(harness: Harness, query: Relation, settings: Settings) -> None:
    with harness.spark.loaded(DATABASE, settings.source), harness.spark.leg(query, settings, {}) as leg:
        spark = leg.run().outcome
    duckdb = harness.duckdb.run(query, DATABASE)
    assert isinstance(spark, Rows), spark
    assert isinstance(duckdb, Rows), duckdb
    assert not diff(spark, duckdb)
    assert spark.schema == duckdb.schema
    assert duckdb.rows


def test_a_collation_changes_what_is_equal(harness: Harness) -> None:
    counts = tuple(Item(c, Agg("count", Collate(X, c), distinct=True)) for c in COLLATIONS)
    query = Aggregate(PAIRS, (), (*counts, Item("plain", Agg("count", X, distinct=True))))
    answer = harness.duckdb.run(query, DATABASE)
    assert isinstance(answer, Rows)
    assert [cell[1] for cell in answer.rows[0] if cell] == [11, 12, 8, 14]
