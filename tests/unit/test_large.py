"""Large tables and queries for them: what a seed makes, and that the hazards are there."""

from __future__ import annotations

from collections import Counter
from random import Random

import duckdb
import pytest

from assay.volume.fill import fill, mixes
from oracles.engines.duckdb import SETTINGS
from oracles.failures.scale import Scale
from oracles.sql import DuckdbCompiler, SparkCompiler
from strategies.draw.large import KEY, large_query, large_schema
from strategies.draw.values import COLUMN_TYPES, NESTED_TYPES, domain
from strategies.ir import DOUBLE, Aggregate, Column, Database, Distinct, Join, SetOp, Table, walk

COLUMNS = (KEY, *(Column(f"c{at}", kind) for at, kind in enumerate((*COLUMN_TYPES, *NESTED_TYPES))))
SCHEMA = Database((Table("t0", COLUMNS), Table("t1", COLUMNS)))
ROWS = 20_000


def filled(seed: int, rows: int = ROWS, schema: Database = SCHEMA) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for setting in SETTINGS:
        connection.execute(setting)
    fill(connection, schema, Scale(rows, seed))
    return connection


@pytest.fixture(scope="module")
def tables():
    with filled(7) as connection:
        yield connection


def figures(connection, query: str) -> tuple:
    [row] = connection.execute(query).fetchall()
    return row


def test_each_table_has_the_rows_asked_for(tables):
    assert [figures(tables, f"SELECT count(*) FROM {name}") for name in ("t0", "t1")] == [(ROWS,)] * 2


def test_columns_have_their_types(tables):
    compiler = DuckdbCompiler()
    made = dict(tables.execute("SELECT column_name, column_type FROM (DESCRIBE t0)").fetchall())
    wanted = {c.name: figures(tables, f"SELECT typeof(CAST(NULL AS {compiler.type_name(c.type)}))")[0] for c in COLUMNS}
    assert {name: kind.replace('"', "") for name, kind in made.items()} == {
        name: kind.replace('"', "") for name, kind in wanted.items()
    }


@pytest.mark.parametrize("seed", [7, 8])
def test_a_seed_gives_the_same_rows_again_and_another_gives_others(tables, seed):
    with filled(seed) as other:
        rows = [each.execute("SELECT CAST(t0 AS VARCHAR) FROM t0").fetchall() for each in (other, tables)]
    assert (rows[0] == rows[1]) == (seed == 7)


def test_rows_repeat_skewed_and_meet_in_both_tables(tables):
    distinct, most = figures(tables, "SELECT count(*), max(n) FROM (SELECT count(*) AS n FROM t0 GROUP BY t0)")
    assert 0.3 * ROWS < distinct < 0.7 * ROWS
    assert most > 200
    shared = "SELECT count(*) FROM (SELECT * FROM t0 INTERSECT SELECT * FROM t1)"
    assert figures(tables, shared)[0] > 0.1 * ROWS
    more = "SELECT count(*) FROM (SELECT * FROM {} EXCEPT ALL SELECT * FROM {})"
    assert min(figures(tables, more.format(*sides))[0] for sides in (("t0", "t1"), ("t1", "t0"))) > 0.1 * ROWS


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.name)
def test_each_column_has_nulls_and_every_hostile_value_in_some_database(column):
    """With any mix: of few seeds one has NULLs, and each has the hostile values of the type."""
    schema = Database((Table("t0", (KEY, Column("x", column.type))),))
    wanted = len({str(value) for value in domain(column.type)})
    nulls = []
    for seed in (1, 2, 3):
        with filled(seed, 4_000, schema) as connection:
            found, missing = figures(
                connection, "SELECT count(DISTINCT CAST(x AS VARCHAR)), count(*) - count(x) FROM t0"
            )
        assert found >= min(wanted, 2)
        nulls.append(missing)
    assert max(nulls) > 0


def test_doubles_have_nan_both_zeros_and_the_infinities():
    schema = Database((Table("t0", (KEY, Column("x", DOUBLE))),))
    with filled(1, 4_000, schema) as connection:
        found = {text for (text,) in connection.execute("SELECT DISTINCT CAST(x AS VARCHAR) FROM t0").fetchall()}
    assert found >= {"nan", "0.0", "-0.0", "inf", "-inf"}


def test_keys_go_over_all_rows_and_the_others_have_few_values_about_half_of_the_time():
    kinds = Counter(mix.nulls + mix.hostile == 1_000 for seed in range(200) for mix in mixes(COLUMNS[:4], seed)[1:])
    assert 0.35 < kinds[True] / kinds.total() < 0.65
    assert all(mixes(COLUMNS[:2], seed)[0].hostile < 100 for seed in range(20))


QUERIES = [large_query(large_schema(random), random) for random in (Random(f"query/{number}") for number in range(400))]


def test_queries_can_be_said_to_both_engines():
    assert all(SparkCompiler().compile(query) and DuckdbCompiler().compile(query) for query in QUERIES)


def test_queries_have_what_many_rows_are_hard_for():
    found = Counter(
        f"{node.kind} {'all' if node.all else ''}" if isinstance(node, SetOp) else getattr(node, "kind", type(node))
        for query in QUERIES
        for node in walk(query)
        if isinstance(node, (SetOp, Join, Distinct, Aggregate))
    )
    sets = {f"{kind} {all_}" for kind in ("except", "intersect", "union") for all_ in ("all", "")}
    assert {*sets, "inner", "left", "right", "full", "semi", "anti", Distinct, Aggregate} <= set(found)


def test_no_answer_grows_far_beyond_its_tables():
    """On 2,000 rows of skewed keys: a join of all with all would have 200,000 rows."""
    for number in range(12):
        random = Random(f"size/{number}")
        schema = large_schema(random)
        with filled(number, 2_000, schema) as connection:
            for _ in range(3):
                text = DuckdbCompiler().compile(large_query(schema, random))
                assert figures(connection, f"SELECT count(*) FROM ({text})")[0] <= 4 * 2_000, text
