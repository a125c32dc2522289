"""Texts under a collation in a table's column, and maps, are read alike from each source, and as DuckDB reads them."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from oracles.answers.outcome import Raised, Rows
from oracles.answers.rows import same
from oracles.checks.check import Harness
from oracles.patterns.unsupported import runs
from strategies.draw.read_columns import Reads
from strategies.ir import (
    COLLATIONS,
    INT,
    STRING,
    And,
    Between,
    Case,
    Cast,
    Col,
    Collated,
    Column,
    Compare,
    Database,
    Expr,
    InList,
    IsNull,
    Lit,
    Map,
    MapRead,
    Scan,
    Settings,
    Source,
    Table,
)

_TEXTS = ("a", "A", "a ", "", " ", "b", "é", "É", None)
_PLAIN = Table("t0", (Column("a", INT), Column("c", STRING)), tuple(enumerate(_TEXTS)))
_SCAN = Scan("t0", _PLAIN.columns)
_SOURCES: tuple[Source, ...] = ("parquet", "csv", "cached", "local", "partitioned", "v2", "variant")
_RELEASE = version("pyspark")


def _conditions(stored: Col) -> dict[str, Expr | None]:
    plain = Cast(stored, STRING)
    return {
        "none": None,
        "equal": Compare("=", stored, Lit(stored.type, "A")),
        "equal, and a text": And(Compare("=", stored, Lit(stored.type, "A")), Compare("=", plain, Lit(STRING, "a"))),
        "less": Compare("<", stored, Lit(stored.type, "B")),
        "between": Between(stored, Lit(stored.type, ""), Lit(stored.type, "a"), negated=True),
        "in one": InList(stored, (Lit(stored.type, "A "),)),
        "null": IsNull(stored),
    }


def _collated(collation: str, condition: str) -> Case:
    kind = Collated(collation)  # type: ignore[arg-type]  # of the names that there are
    stored = Col("c", kind)
    table = Table("t0", (_PLAIN.columns[0], Column("c", kind)), _PLAIN.rows)
    reads = Reads(table, {"c": Cast(stored, STRING)}, _conditions(stored)[condition])
    _, query = reads.in_place((Database((_PLAIN,)), _SCAN))
    return Case(query, Database((table,)))


CASES = {
    f"{condition} under {collation}": _collated(collation, condition)
    for collation in COLLATIONS
    for condition in _conditions(Col("c", Collated(collation)))
}
_HERE = {name: case for name, case in CASES.items() if runs(_RELEASE, case)}


def _same(harness: Harness, case: Case, source: Source, *, fast: bool = False) -> bool:
    settings = Settings(source)
    with harness.spark.stage(case.database, settings, fast=fast) as stage, stage.leg(case.query, {}) as leg:
        found = leg.run().outcome
    wanted = harness.duckdb.run(case.query, case.database)
    assert isinstance(found, Rows), found
    assert isinstance(wanted, Rows), wanted
    return same(found, wanted)


@pytest.mark.parametrize("case", _HERE.values(), ids=_HERE)
def test_texts_under_a_collation_are_compared_alike(harness: Harness, case: Case) -> None:
    assert _same(harness, case, "parquet", fast=True)


@pytest.mark.parametrize("source", _SOURCES)
@pytest.mark.parametrize("collation", COLLATIONS)
def test_each_source_gives_back_the_texts_as_they_are(harness: Harness, source: Source, collation: str) -> None:
    if f"none under {collation}" not in _HERE:
        pytest.skip(f"Spark {_RELEASE} has no collations")
    for condition in ("none", "equal, and a text"):
        assert _same(harness, CASES[f"{condition} under {collation}"], source)


_LCASE = Collated("UTF8_LCASE")
_C = Col("c", _LCASE)
_UNREADABLE: dict[str, tuple[Source, Expr | None, str]] = {
    "a column in ORC": ("orc", None, "Can't parse category"),
    "a list in CSV": ("csv", InList(_C, (Lit(_LCASE, "A"), Lit(_LCASE, "b"))), "reduceLeft"),
}


@pytest.mark.parametrize(("source", "condition", "raised"), _UNREADABLE.values(), ids=_UNREADABLE)
def test_known_divergences_of_columns_with_a_collation_are_there(
    harness: Harness, source: Source, condition: Expr | None, raised: str
) -> None:
    if not _HERE:
        pytest.skip(f"Spark {_RELEASE} has no collations")
    table = Table("t0", (_PLAIN.columns[0], Column("c", _LCASE)), _PLAIN.rows)
    _, query = Reads(table, {"c": Cast(_C, STRING)}, condition).in_place((Database((_PLAIN,)), _SCAN))
    with (
        harness.spark.stage(Database((table,)), Settings(source), fast=False) as stage,
        stage.leg(query, {}) as leg,
    ):
        found = leg.run().outcome
    assert isinstance(found, Raised)
    assert raised in found.message


@pytest.mark.parametrize("source", [*_SOURCES, "orc"])
def test_each_source_gives_back_maps(harness: Harness, source: Source) -> None:
    kinds = (Map(INT, STRING), Map(STRING, INT))
    rows = ((((0, "a"), (1, None)), (("", 1),)), ((), None), (None, (("", None), ("a", 2))))
    table = Table("t0", (Column("a", kinds[0]), Column("c", kinds[1])), rows)
    plain = Table("t0", (Column("a", STRING), Column("c", INT)))
    for key, other in ((0, ""), (1, "a"), (7, "b")):
        values = {
            "a": MapRead(Col("a", kinds[0]), Lit(INT, key)),
            "c": MapRead(Col("c", kinds[1]), Lit(STRING, other)),
        }
        _, query = Reads(table, values).in_place((Database((plain,)), Scan("t0", plain.columns)))
        assert _same(harness, Case(query, Database((table,))), source)
