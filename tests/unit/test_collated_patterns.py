"""Patterns of known divergences about columns with a collation."""

from __future__ import annotations

import pytest

from oracles.patterns.queries import PATTERNS
from strategies.ir import (
    STRING,
    Alias,
    Case,
    Cast,
    Col,
    Collate,
    Collated,
    Column,
    Compare,
    Database,
    Expr,
    Filter,
    InList,
    Item,
    Lit,
    Not,
    Project,
    Relation,
    Scan,
    Settings,
    Source,
    Table,
)

KIND = Collated("UTF8_LCASE")
C, PLAIN = Col("c", KIND), Col("c", STRING)
ONE, TWO = Lit(KIND, "a"), Lit(KIND, "b")


def case(kind: Collated | None, condition: Expr | None, source: Source) -> Case:
    columns = (Column("c", kind or STRING),)
    rows: Relation = Scan("t0", columns)
    rows = rows if condition is None else Filter(rows, condition)
    read = Project(rows, (Item("c", Cast(C, STRING) if kind else PLAIN),))
    return Case(Alias(read, "t0"), Database((Table("t0", columns),)), Settings(source))


@pytest.mark.parametrize(
    ("kind", "source", "fits"), [(KIND, "orc", True), (None, "orc", False), (KIND, "parquet", False)]
)
def test_a_column_in_orc(kind: Collated | None, source: Source, fits: bool) -> None:
    assert PATTERNS["collated_column_in_orc"](case(kind, None, source)) == fits


LISTS: dict[str, tuple[Collated | None, Expr, Source, bool]] = {
    "a list": (KIND, InList(C, (ONE, TWO)), "csv", True),
    "a negated list": (KIND, InList(C, (ONE, TWO), negated=True), "csv", True),
    "a list below NOT": (KIND, Not(InList(C, (ONE, TWO))), "csv", True),
    "one constant": (KIND, InList(C, (ONE,)), "csv", False),
    "an equality": (KIND, Compare("=", C, ONE), "csv", False),
    "other files": (KIND, InList(C, (ONE, TWO)), "parquet", False),
    "a list of plain texts": (None, InList(PLAIN, (Lit(STRING, "a"), Lit(STRING, "b"))), "csv", False),
}


@pytest.mark.parametrize(("kind", "condition", "source", "fits"), LISTS.values(), ids=LISTS)
def test_a_list_in_csv(kind: Collated | None, condition: Expr, source: Source, fits: bool) -> None:
    assert PATTERNS["collated_list_in_csv"](case(kind, condition, source)) == fits


def test_a_list_of_texts_that_a_query_collates_is_not_pushed() -> None:
    condition = InList(Collate(PLAIN, KIND.collation), (ONE, TWO))
    assert not PATTERNS["collated_list_in_csv"](case(None, condition, "csv"))
