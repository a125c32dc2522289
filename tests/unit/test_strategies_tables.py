"""Schemas, pools of rows, databases: one family, shared rows, many NULLs, and small in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import SearchStrategy

from strategies.draw.draws import without_mutation
from strategies.draw.tables import (
    MAX_COLUMNS,
    MAX_ROWS,
    MAX_TABLES,
    databases,
    filled,
    pools,
    refilled,
    rows_for,
    schemas,
    tables,
)
from strategies.draw.values import COLUMN_TYPES
from strategies.ir import (
    BIGINT,
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    Column,
    Database,
    Row,
    SqlType,
    Table,
    common_type,
)
from tests.unit.strategy_asserts import assert_all_examples, drawn, find_any, minimal

ONE_INT = (Column("a", INT),)
TWO_ALIKE = Database((Table("t0", ONE_INT), Table("t1", ONE_INT)))


def types(table: Table) -> list[SqlType]:
    """Types of the columns, in order."""
    return [column.type for column in table.columns]


def names(table: Table) -> list[str]:
    """Names of the columns, in order."""
    return [column.name for column in table.columns]


def of_one_family(database: Database) -> bool:
    """Whether the columns at one place have a common type in all tables."""
    first = types(database.tables[0])
    return all(
        common_type(one, two) is not None
        for table in database.tables
        for one, two in zip(first, types(table), strict=False)
    )


def within_bounds(database: Database) -> bool:
    """Whether tables, columns and rows are as few as promised."""
    return 1 <= len(database.tables) <= MAX_TABLES and all(
        len(table.columns) <= MAX_COLUMNS and len(table.rows) <= MAX_ROWS for table in database.tables
    )


def cells(table: Table, place: int) -> list[object]:
    """The values of one column."""
    return [row[place] for row in table.rows]


def null_row_repeats(table: Table) -> bool:
    """Whether a row with a NULL is there twice."""
    return any(None in row and copies > 1 for row, copies in table.counted().items())


def copies_in_two(database: Database) -> list[tuple[int, int]]:
    """For each row, how often the first two tables have it."""
    left, right = (Counter(table.rows) for table in database.tables[:2])
    return [(left[row], right[row]) for row in left | right]


@pytest.fixture(scope="module")
def some_schemas() -> list[Database]:
    """Schemas enough for each kind to be among them."""
    return drawn(without_mutation(schemas()), count=1_000)


@pytest.fixture(scope="module")
def some_tables() -> list[Table]:
    """Tables enough for each kind to be among them."""
    return drawn(without_mutation(tables()), count=400)


# Promise.


def test_tables_of_a_schema_are_empty() -> None:
    assert_all_examples(schemas(), lambda schema: schema.row_count == 0)


def test_tables_of_a_schema_are_numbered() -> None:
    assert_all_examples(
        schemas(), lambda schema: [table.name for table in schema.tables] == ["t0", "t1", "t2"][: len(schema.tables)]
    )


def test_tables_of_a_schema_are_of_one_family() -> None:
    assert_all_examples(schemas(), of_one_family)


def test_databases_are_within_bounds() -> None:
    assert_all_examples(databases(), within_bounds)


@pytest.mark.parametrize("bound", [1, 2, 3])
def test_schemas_obey_their_bounds(bound: int) -> None:
    assert_all_examples(schemas(max_tables=bound), lambda schema: len(schema.tables) <= bound)
    assert_all_examples(schemas(max_tables=1, max_columns=bound), lambda schema: len(names(schema.tables[0])) <= bound)


@pytest.mark.parametrize("bound", [0, 1, 5])
def test_tables_have_no_more_rows_than_asked_for(bound: int) -> None:
    assert_all_examples(tables(max_rows=bound), lambda table: len(table.rows) <= bound)


def test_rows_leave_the_schema_as_it_is() -> None:
    assert_all_examples(
        rows_for(TWO_ALIKE), lambda database: [table.columns for table in database.tables] == [ONE_INT, ONE_INT]
    )


def test_rows_stay_when_a_schema_loses_a_column() -> None:
    """So that a smaller query, which needs fewer columns, still fails on the same rows."""
    wide = Database((Table("t0", (Column("a", INT), Column("b", STRING))),))
    narrow = Database((Table("t0", ONE_INT),))
    assert_all_examples(
        pools(),
        lambda pool: (
            [row[:1] for row in filled(wide, pool).tables[0].rows] == list(filled(narrow, pool).tables[0].rows)
        ),
    )


def test_rows_stay_when_a_schema_loses_a_table() -> None:
    alone = Database(TWO_ALIKE.tables[:1])
    assert_all_examples(pools(), lambda pool: filled(TWO_ALIKE, pool).tables[0] == filled(alone, pool).tables[0])


def test_a_database_filled_again_has_the_same_tables_and_other_rows() -> None:
    for database in drawn(databases(), count=50):
        again = refilled(database, Random(1))
        assert [(table.name, table.columns) for table in again.tables] == [
            (table.name, table.columns) for table in database.tables
        ]
        assert max(len(table.rows) for table in again.tables) <= MAX_ROWS
        assert again == refilled(database, Random(1)) != refilled(database, Random(2))


def test_a_dense_database_has_few_nulls_and_as_many_rows() -> None:
    sparse, dense = ([refilled(TWO_ALIKE, Random(seed), dense=dense) for seed in range(100)] for dense in (False, True))

    def share(filled_again: list[Database]) -> float:
        cells = [value for each in filled_again for table in each.tables for row in table.rows for value in row]
        return cells.count(None) / len(cells)

    assert share(dense) < 0.12 < 0.2 < share(sparse)
    assert sum(len(each.tables[0].rows) for each in dense) > 0.9 * sum(len(each.tables[0].rows) for each in sparse)


def test_a_fifth_to_a_half_of_the_cells_are_null(some_tables: list[Table]) -> None:
    found = [value for table in some_tables for row in table.rows for value in row]
    assert 0.2 <= found.count(None) / len(found) <= 0.5


@pytest.mark.parametrize(
    "refused",
    [
        lambda: schemas(max_tables=0),
        lambda: schemas(max_tables=MAX_TABLES + 1),
        lambda: schemas(max_columns=0),
        lambda: schemas(max_columns=MAX_COLUMNS + 1),
        lambda: rows_for(TWO_ALIKE, max_rows=-1).example(),
    ],
    ids=["no table", "four tables", "no column", "five columns", "fewer than no rows"],
)
@pytest.mark.filterwarnings("ignore::hypothesis.errors.NonInteractiveExampleWarning")
def test_impossible_bounds_are_refused(refused: Callable[[], object]) -> None:
    with pytest.raises(InvalidArgument):
        refused()


@pytest.mark.parametrize(
    "schema",
    [
        Database(tuple(Table(f"t{number}", ONE_INT) for number in range(4))),
        Database((Table("t0", tuple(Column(name, INT) for name in "abcde")),)),
    ],
    ids=["four tables", "five columns"],
)
def test_a_pool_fills_no_schema_that_is_too_large(schema: Database) -> None:
    with pytest.raises(InvalidArgument):
        filled(schema, drawn(pools(), count=1)[0])


# Reach.


@pytest.mark.parametrize("kind", COLUMN_TYPES, ids=str)
def test_schemas_reach_every_type(kind: SqlType, some_schemas: list[Database]) -> None:
    assert any(kind in types(schema.tables[0]) for schema in some_schemas)


@pytest.mark.parametrize(
    "holds",
    [
        lambda schema: len(schema.tables) == 3,
        lambda schema: len(schema.tables) > 1 and schema.tables[0].columns == schema.tables[1].columns,
        lambda schema: len(schema.tables) > 1 and names(schema.tables[1]) == names(schema.tables[0])[::-1] != ["a"],
        lambda schema: (
            len(schema.tables) > 1 and (types(schema.tables[0]), types(schema.tables[1])) == ([INT], [BIGINT])
        ),
        lambda schema: (
            len(schema.tables) > 1 and (types(schema.tables[0])[0], types(schema.tables[1])[0]) == (SMALLINT, INT)
        ),
        lambda schema: len(schema.tables) > 1 and len(names(schema.tables[0])) < len(names(schema.tables[1])),
        lambda schema: len(names(schema.tables[0])) == MAX_COLUMNS,
    ],
    ids=["three tables", "alike", "names reversed", "INT and BIGINT", "SMALLINT and INT", "one column more", "widest"],
)
def test_schemas_reach_each_relative(holds: Callable[[Database], bool], some_schemas: list[Database]) -> None:
    assert any(map(holds, some_schemas))


@pytest.mark.parametrize(
    "holds",
    [
        lambda table: not table.rows,
        lambda table: len(table.rows) == 1,
        lambda table: len(table.rows) == MAX_ROWS,
        lambda table: len(table.rows) > 2 and set(cells(table, 0)) == {None},
        null_row_repeats,
        lambda table: any(set(row) == {None} for row in table.rows),
        lambda table: max(table.counted().values(), default=0) >= 5,
        lambda table: len(table.counted()) > 4,
    ],
    ids=["empty", "one row", "full", "all-NULL column", "NULL row twice", "all-NULL row", "many copies", "many rows"],
)
def test_tables_reach(holds: Callable[[Table], bool], some_tables: list[Table]) -> None:
    assert any(map(holds, some_tables))


@pytest.mark.parametrize("value", ["nan", "-0x0.0p+0", "inf"])
def test_tables_reach_doubles_that_break_engines(value: str) -> None:
    doubles = rows_for(Database((Table("t0", (Column("a", DOUBLE),)),)))
    assert find_any(doubles, lambda database: value in cells(database.tables[0], 0))


def test_one_column_has_both_zeros_more_often_than_by_chance() -> None:
    """Each is drawn in 15 % and 10 % of the cells that are not NULL (SPARK-54918 and others)."""
    zeros = {(0.0).hex(), (-0.0).hex()}
    doubles = drawn(rows_for(Database((Table("t0", (Column("a", DOUBLE),)),))), count=1_000)
    assert sum(zeros <= set(cells(database.tables[0], 0)) for database in doubles) > 150


@pytest.mark.parametrize(
    "relation",
    [
        lambda left, right: left > right > 0,
        lambda left, right: left == right > 1,
        lambda left, right: 0 < left < right,
        lambda left, right: left > right == 0,
        lambda left, right: right > left == 0,
    ],
    ids=["more on the left", "as many", "fewer on the left", "left alone", "right alone"],
)
def test_copies_of_a_row_reach(relation: Callable[[int, int], bool]) -> None:
    found = find_any(rows_for(TWO_ALIKE), lambda database: any(relation(*pair) for pair in copies_in_two(database)))
    assert found.row_count > 0


def test_one_table_can_be_empty_beside_another() -> None:
    assert find_any(
        rows_for(TWO_ALIKE), lambda found: sorted(bool(table.rows) for table in found.tables) == [False, True]
    )


# Minimum.


@pytest.mark.parametrize(
    ("strategy", "holds", "least"),
    [
        (schemas(), lambda _: True, Database((Table("t0", ONE_INT),))),
        (schemas(), lambda schema: len(schema.tables) == 2, TWO_ALIKE),
        (databases(), lambda _: True, Database((Table("t0", ONE_INT),))),
        (databases(max_tables=1), lambda found: found.row_count, Database((Table("t0", ONE_INT, ((0,),)),))),
        (tables(max_columns=1), lambda table: None in sum(table.rows, ()), Table("t0", ONE_INT, ((None,),))),
        (tables(max_columns=1), null_row_repeats, Table("t0", ONE_INT, ((None,), (None,)))),
        (
            rows_for(TWO_ALIKE),
            lambda found: any(left > right > 0 for left, right in copies_in_two(found)),
            Database((Table("t0", ONE_INT, ((0,), (0,))), Table("t1", ONE_INT, ((0,),)))),
        ),
    ],
    ids=["schema", "two tables", "database", "a row", "a NULL", "a NULL row twice", "more on the left"],
)
def test_shrinks_to(strategy: SearchStrategy[object], holds: Callable[[object], bool], least: object) -> None:
    assert minimal(strategy, holds) == least


def test_a_row_of_a_fixed_schema_shrinks_to_zeros() -> None:
    row: Row = ("", 0)
    schema = Database((Table("t0", (Column("a", STRING), Column("b", BIGINT))),))
    assert minimal(rows_for(schema), lambda found: found.row_count).tables[0].rows == (row,)
