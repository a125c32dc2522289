"""The first queries of each kind on which a rule on trial makes other plans run over many databases."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import strategies as st

from oracles.checks.extra_databases import refills
from strategies.ir import INT, And, Case, Col, Column, Compare, Database, Filter, Join, Lit, Scan, Settings, Table
from tests.rules.sound_evaluations import evaluator_of
from tests.rules.sound_sources import load_sound

COLUMNS = (Column("a", INT), Column("b", INT))
DATABASE = Database((Table("t0", COLUMNS, ((1, 2), (3, None), (7, 7))),))
A, B = (Col(column.name, column.type) for column in COLUMNS)
(AND_AS_OR,) = (rule for rule in load_sound() if rule.name == "WritesAndAsOr")
QUERIES = 10


def filtered(least: int) -> Case:
    return Case(
        Filter(Scan("t0", COLUMNS), And(Compare(">", A, Lit(INT, least)), Compare("<", B, Lit(INT, 9)))), DATABASE
    )


ONE_KIND = st.integers(0, 99).map(filtered)
"""Queries of one kind, since constants don't count."""


@pytest.mark.parametrize(("databases", "later"), [(4, 3), (1, 0)], ids=["four", "one"])
def test_the_first_three_of_a_kind_run_over_twenty_four_databases(harness, tmp_path, databases, later):
    evaluator = replace(evaluator_of(harness, AND_AS_OR, tmp_path), databases=databases)
    stats = evaluator.evaluate(harness.catalogue.rule(AND_AS_OR.name), ONE_KIND, QUERIES).stats
    assert (stats.count.differed, stats.agreed) == (QUERIES, QUERIES)
    assert stats.databases == 3 * 23 + (QUERIES - 3) * later


def test_a_case_that_says_how_it_is_run_has_its_own_database_alone(harness, tmp_path):
    case = replace(filtered(0), settings=Settings(source="parquet", codegen=True))
    stats = (
        evaluator_of(harness, AND_AS_OR, tmp_path)
        .evaluate(harness.catalogue.rule(AND_AS_OR.name), st.just(case), 1)
        .stats
    )
    assert (stats.count.differed, stats.databases) == (1, 0)


def test_many_databases_hold_small_ones_and_empty_tables_and_begin_with_those_of_few():
    two = Database((DATABASE.tables[0], replace(DATABASE.tables[0], name="t1")))
    case = Case(Join(Scan("t0", COLUMNS), Scan("t1", COLUMNS), "cross"), two)
    many = refills(case, 2_000)
    assert many[:3] == refills(case, 3)
    sizes = [tuple(len(table.rows) for table in database.tables) for database in many]
    assert {(0, 0), (1, 0), (0, 1), (1, 1), (2, 1)} <= set(sizes)
    assert all(min(size) > 0 for size in sizes[:3])
