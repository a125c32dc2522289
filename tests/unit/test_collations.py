"""Texts under a collation: where the query algebra has them, how they are drawn and reduced, and who supports them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis.strategies import DrawFn, SearchStrategy, composite

from oracles.patterns.unsupported import runs
from oracles.reductions.reducer import reduce
from oracles.sql.dialect import UnsupportedNode
from oracles.sql.duckdb import DuckdbCompiler
from oracles.sql.spark import SparkCompiler
from oracles.sql.sqlite.compiler import SqliteCompiler
from strategies.draw.aggregates import aggregates
from strategies.draw.collated import collated_condition
from strategies.draw.exprs import predicates
from strategies.draw.joins import join_conditions
from strategies.draw.queries import queries
from strategies.draw.windows import windows
from strategies.ir import (
    COLLATIONS,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    Between,
    Call,
    Case,
    Cast,
    Col,
    Collate,
    Collated,
    Collation,
    Column,
    Compare,
    Database,
    Distinct,
    Expr,
    Filter,
    InList,
    InSubquery,
    InvalidQuery,
    IsNull,
    Item,
    Join,
    Lit,
    MakeArray,
    Node,
    Over,
    Project,
    Scan,
    SqlType,
    Table,
    Window,
    type_from_text,
    type_text,
    walk,
)
from tests.unit.sample_tables import DATABASE, T0, T1, A, B
from tests.unit.strategy_asserts import find_any, minimal

LCASE = Collated("UTF8_LCASE")
TEXT = Collate(B, "UTF8_LCASE")
_TEXTS = Project(T1, (Item("b", B),))
_NO_COLUMNS = "cast them to STRING"
_STORED = Scan("t", (Column("x", LCASE),))
_X = Col("x", LCASE)

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "no text": (lambda: Collate(A, "UTF8_LCASE"), "Collate: needs STRING, got INT"),
    "twice": (lambda: Collate(TEXT, "UTF8_LCASE"), "got STRING COLLATE UTF8_LCASE"),
    "unknown": (lambda: Collate(B, "UNICODE"), "no collation 'UNICODE'"),
    "another one": (lambda: Compare("=", TEXT, Collate(B, "UTF8_BINARY_RTRIM")), "UTF8_LCASE = STRING COLLATE"),
    "compared with a plain text": (lambda: Compare("=", TEXT, B), "STRING COLLATE UTF8_LCASE = STRING"),
    "listed with a plain text": (lambda: InList(TEXT, (Lit(STRING, "a"),)), "needs operands of one type"),
    "cast": (lambda: Cast(TEXT, STRING), "columns alone are cast"),
    "cast to a number": (lambda: Cast(_X, INT), "may fail or differ"),
    "stored, in a column": (lambda: Project(_STORED, (Item("x", _X),)), _NO_COLUMNS),
    "stored, under DISTINCT": (lambda: Distinct(_STORED), _NO_COLUMNS),
    "stored, under an alias": (lambda: Alias(_STORED, "s"), _NO_COLUMNS),
    "stored, above a filter": (lambda: Distinct(Filter(_STORED, IsNull(_X))), _NO_COLUMNS),
    "stored, in a join": (lambda: Join(_STORED, T0, "cross"), _NO_COLUMNS),
    "function of the text itself": (lambda: Call("length", (TEXT,)), "length takes"),
    "search that spaces decide": (
        lambda: Call("contains", (Collate(B, "UTF8_BINARY_RTRIM"),) * 2),
        "contains takes",
    ),
    "number": (lambda: Lit(LCASE, 1), "1 is not the plain value of a STRING COLLATE UTF8_LCASE"),
    "column": (lambda: Project(T0, (Item("x", TEXT),)), _NO_COLUMNS),
    "element of a column": (lambda: Project(T0, (Item("x", MakeArray(LCASE, (TEXT,))),)), _NO_COLUMNS),
    "key of groups": (lambda: Aggregate(T0, (Item("x", TEXT),), ()), _NO_COLUMNS),
    "least text": (lambda: Aggregate(T0, (), (Item("x", Agg("min", TEXT)),)), _NO_COLUMNS),
    "greatest text of a window": (lambda: Window(T0, (Over("x", Agg("max", TEXT)),)), _NO_COLUMNS),
    "IN numbers": (lambda: InSubquery((TEXT,), Project(T1, (Item("a", A),))), "in a query of"),
    "IN beside another": (
        lambda: InSubquery((TEXT, A), Project(T1, (Item("b", B), Item("a", A)))),
        "in a query of",
    ),
}


@pytest.mark.parametrize(("build", "message"), REFUSED.values(), ids=REFUSED)
def test_a_text_whose_choice_the_engine_has_is_refused(build: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidQuery, match=message):
        build()


ALLOWED: dict[str, Callable[[], Node]] = {
    "comparison": lambda: Filter(T0, Compare("<", TEXT, Lit(LCASE, None))),
    "search": lambda: Filter(T0, Call("like", (TEXT, Lit(LCASE, "A%")))),
    "IN": lambda: Filter(T0, InSubquery((TEXT,), _TEXTS, negated=True)),
    "count": lambda: Aggregate(T0, (), (Item("n", Agg("count", TEXT, distinct=True)),)),
    "partition": lambda: Window(T0, (Over("n", Agg("count")),), (TEXT,)),
}


@pytest.mark.parametrize("build", ALLOWED.values(), ids=ALLOWED)
def test_a_text_that_is_only_compared_is_valid(build: Callable[[], Node]) -> None:
    build()


@pytest.mark.parametrize("kind", [*map(Collated, COLLATIONS), MakeArray(LCASE).type], ids=type_text)
def test_types_are_read_from_their_texts(kind: SqlType) -> None:
    assert type_from_text(type_text(kind)) == kind


def test_duckdb_compares_texts_that_stand_for_all_equal_ones() -> None:
    text, constant = Collate(B, "UTF8_LCASE_RTRIM"), Lit(Collated("UTF8_LCASE_RTRIM"), "A")
    query = Project(T0, (Item("x", Compare("=", text, constant)),))
    assert "(rtrim(lower(\"b\"), ' ') = rtrim(lower('A'), ' '))" in DuckdbCompiler().compile(query)
    assert "((`b` COLLATE UTF8_LCASE_RTRIM) = ('A' COLLATE UTF8_LCASE_RTRIM))" in SparkCompiler().compile(query)


def test_duckdb_compares_all_rows_of_a_subquery_so() -> None:
    text = DuckdbCompiler().compile(Filter(T0, InSubquery((TEXT,), _TEXTS, negated=True)))
    assert 'lower("b") NOT IN (SELECT lower("b") FROM (SELECT "b" FROM' in text


TEXTS = Alias(Project(T0, (Item("b", B), Item("c", B))), "l")
FIELDS = TEXTS.fields
_CONDITIONS = predicates(FIELDS, depth=0)

_OF_TEXTS = Database(tuple(Table(name, (Column("a", STRING), Column("b", STRING))) for name in ("t0", "t1")))

Drawn = tuple[SearchStrategy[Any], Callable[[Any], bool]]
DRAWN: dict[str, Drawn] = {
    **{
        collation: (_CONDITIONS, lambda node, collation=collation: getattr(node, "operand", None) == _text(collation))
        for collation in COLLATIONS
    },
    "a comparison with a constant": (
        _CONDITIONS,
        lambda node: isinstance(node, Compare) and isinstance(node.left, Collate) and isinstance(node.right, Lit),
    ),
    "a comparison of two columns": (
        _CONDITIONS,
        lambda node: isinstance(node, Compare) and isinstance(node.left, Collate) and isinstance(node.right, Collate),
    ),
    "a list": (_CONDITIONS, lambda node: isinstance(node, InList) and isinstance(node.operand, Collate)),
    "a range": (_CONDITIONS, lambda node: isinstance(node, Between) and isinstance(node.operand, Collate)),
    "a pattern": (_CONDITIONS, lambda node: isinstance(node, Call) and _searches(node, "like")),
    "a search": (_CONDITIONS, lambda node: isinstance(node, Call) and _searches(node, "contains")),
    "a join": (
        join_conditions(TEXTS, replace(TEXTS, name="r")),
        lambda node: isinstance(node, Compare) and isinstance(node.left, Collate) and isinstance(node.right, Collate),
    ),
    "a subquery": (
        queries(_OF_TEXTS, max_operators=5),
        lambda query: any(isinstance(n, InSubquery) and isinstance(n.operands[0], Collate) for n in walk(query)),
    ),
    "a count": (aggregates(FIELDS), lambda node: node.distinct and isinstance(node.operand, Collate)),
    "a partition": (windows(TEXTS), lambda node: any(isinstance(key, Collate) for key in node.partition)),
    "an order": (windows(TEXTS), lambda node: any(isinstance(key.value, Collate) for key in node.order)),
}


def _text(collation: Collation) -> Collate:
    return Collate(Col("b", STRING, "l"), collation)


def _searches(node: Call, function: str) -> bool:
    return node.function == function and isinstance(node.arguments[0], Collate)


@pytest.mark.parametrize(("strategy", "holds"), DRAWN.values(), ids=DRAWN)
def test_collations_are_drawn_at_each_place(strategy: SearchStrategy[Any], holds: Callable[[Any], bool]) -> None:
    find_any(strategy, holds, within=5_000)


def test_conditions_shrink_to_a_comparison_with_the_empty_text() -> None:
    least = minimal(collated(), lambda node: isinstance(node, Compare))
    assert least == Compare("=", _text("UTF8_LCASE"), Lit(LCASE, ""))


@composite
def collated(draw: DrawFn) -> Expr:
    return collated_condition(draw, FIELDS, STRING, 0)


PLAIN = Filter(T0, Compare("=", B, Lit(STRING, "a")))


def test_a_collation_that_does_not_matter_is_left_out() -> None:
    case = Case(Filter(T0, Compare("=", TEXT, Lit(LCASE, "a"))), DATABASE)
    reduction = reduce(case, lambda found: any(isinstance(n, Compare) for n in walk(found.query)), deadline_seconds=60)
    assert not any(isinstance(node, Collate) for node in walk(reduction.case.query))


def test_a_collation_that_matters_is_kept() -> None:
    case = Case(Filter(T0, Compare("=", TEXT, Lit(LCASE, "a"))), DATABASE)
    reduction = reduce(case, lambda found: any(isinstance(n, Collate) for n in walk(found.query)), deadline_seconds=60)
    assert any(isinstance(node, Collate) for node in walk(reduction.case.query))


@pytest.mark.parametrize("text", [TEXT, Lit(LCASE, "a")], ids=["a column", "a constant"])
def test_sqlite_has_no_collations(text: Expr) -> None:
    with pytest.raises(UnsupportedNode):
        SqliteCompiler().compile(Filter(T0, IsNull(text)))


@pytest.mark.parametrize(("release", "is_run"), [("3.5.9", False), ("4.0.0", True)])
def test_releases_before_4_0_have_no_collations(release: str, is_run: bool) -> None:
    assert runs(release, Case(Filter(T0, Compare("=", TEXT, TEXT)), DATABASE)) == is_run
    assert runs(release, Case(PLAIN, DATABASE))
