"""PushVariantIntoScan and PullOutVariantExtractions over tables in a VARIANT: the files are read by path alone."""

from __future__ import annotations

import pytest

from oracles.checks.choices import fixed
from strategies.ir import (
    INT,
    STRING,
    Agg,
    Aggregate,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Item,
    Join,
    Lit,
    Relation,
    Scan,
    Settings,
    Table,
)

PUSHES, PULLS = "PushVariantIntoScan", "PullOutVariantExtractions"
COLUMNS = (Column("a", INT), Column("b", STRING))
TABLES = Database(
    (
        Table("t0", COLUMNS, ((1, "x"), (2, None), (None, "y"), (2, "x"))),
        Table("t1", COLUMNS, ((2, "z"), (None, "x"))),
    )
)
T, U = (Scan(table.name, COLUMNS) for table in TABLES.tables)
A, C = Col("a", INT, "t0"), Col("a", INT, "t1")
SUM = Item("n", Agg("sum", Col("a", INT)))
QUERIES: dict[str, Relation] = {
    "all columns": T,
    "a filter": Filter(T, Compare("=", Col("a", INT), Lit(INT, 2))),
    "a join": Join(T, U, "inner", Compare("=", A, C)),
    "a semi join": Join(T, U, "semi", Compare("=", A, C)),
    "a sum": Aggregate(T, (), (SUM,)),
    "a sum of groups": Aggregate(T, (Item("b", Col("b", STRING)),), (SUM,)),
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_a_query_over_a_variant_reads_the_paths_that_it_needs(harness, query):
    """The answer is DuckDB's, with the rules and without them."""
    rules = [harness.catalogue.rule(name) for name in (PUSHES, PULLS)]
    checked = harness.check(Case(query, TABLES, Settings("variant")), fixed(rules))
    assert (checked.verdict.kind, checked.has_rows) == (None, True)
    assert PUSHES in checked.fired


def test_what_an_aggregate_reads_is_pulled_out_and_what_a_view_extracts_is_not(harness):
    rules = [harness.catalogue.rule(name) for name in (PUSHES, PULLS)]
    pulled = {
        name
        for name, query in QUERIES.items()
        if PULLS in harness.check(Case(query, TABLES, Settings("variant")), fixed(rules)).fired
    }
    assert pulled == {"a sum", "a sum of groups"}


def test_a_table_without_a_variant_is_read_as_before(harness):
    rules = [harness.catalogue.rule(name) for name in (PUSHES, PULLS)]
    checked = harness.check(Case(T, TABLES, Settings("parquet")), fixed(rules))
    assert not {PUSHES, PULLS} & set(checked.fired)
