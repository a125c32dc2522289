"""Statements as nodes, as texts, as DuckDB runs them, and as the reducer makes them smaller."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

import strategies.ir as ir
from oracles.answers.outcome import Raised, Rows
from oracles.engines.duckdb import DuckdbEngine
from oracles.reductions.reducer import reduce
from oracles.sql import DuckdbCompiler, SparkCompiler
from strategies.ir import (
    BIGINT,
    INT,
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Assignment,
    Case,
    Cast,
    Col,
    Column,
    Compare,
    Database,
    Delete,
    Exists,
    Filter,
    Insert,
    InvalidQuery,
    IsNull,
    Item,
    Lit,
    Merge,
    MergeClause,
    Overwrite,
    OverwritePartitions,
    Project,
    Scan,
    Settings,
    Statement,
    Table,
    Update,
    from_plain,
    operators,
    to_plain,
)
from tests.unit.write_samples import (
    A_IS_ONE,
    COLUMNS,
    INSERTED,
    KEYS,
    ONE,
    SAME,
    STATEMENTS,
    TABLES,
    UPDATED,
    A,
    B,
    K,
    S,
    T,
    U,
    V,
)

EACH = pytest.mark.parametrize(("statement", "rows"), STATEMENTS.values(), ids=STATEMENTS)


@pytest.fixture(scope="module")
def duckdb() -> Iterator[DuckdbEngine]:
    with DuckdbEngine() as engine:
        yield engine


SOURCES: dict[type[ir.Relation], Settings] = {OverwritePartitions: Settings("partitioned")}
"""Settings of statements that need another source than v2."""


def case_of(statement: ir.Relation, database: Database = TABLES) -> Case:
    return Case(statement, database, SOURCES.get(type(statement), Settings("v2")))


# The algebra.


@EACH
def test_a_statement_can_be_pasted_and_kept_in_a_file(statement: Statement, rows: object) -> None:
    assert eval(repr(statement), vars(ir)) == statement
    assert from_plain(to_plain(case_of(statement))) == case_of(statement)


@EACH
def test_a_statement_has_the_columns_of_its_table(statement: Statement, rows: object) -> None:
    assert [(field.name, field.type, field.qualifier) for field in statement.fields] == [
        ("a", INT, None),
        ("b", INT, None),
    ]


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "another source": (lambda: Case(Delete(T), TABLES), "only tables of the sources v2, partitioned"),
    "a deletion in files": (lambda: Case(Delete(T), TABLES, Settings("partitioned")), "only tables of the source v2"),
    "some rows of files": (
        lambda: Case(Overwrite(T, U, A_IS_ONE), TABLES, Settings("partitioned")),
        "only tables of the source v2",
    ),
    "files that it reads": (
        lambda: Case(Overwrite(T, Filter(T, A_IS_ONE)), TABLES, Settings("partitioned")),
        "only tables of the source v2",
    ),
    "files that a subquery reads": (
        lambda: Case(Overwrite(T, Filter(U, Exists(T))), TABLES, Settings("partitioned")),
        "only tables of the source v2",
    ),
    "partitions of another source": (lambda: Case(OverwritePartitions(T, U), TABLES, Settings("v2")), "no partitions"),
    "partitions of a cached table": (
        lambda: Case(OverwritePartitions(T, U), TABLES, Settings("cached")),
        "no partitions",
    ),
    "no partitions": (
        lambda: OverwritePartitions(Scan("t", COLUMNS[:1]), KEYS),
        "no column to partition it by",
    ),
    "below a filter": (lambda: Filter(Delete(T), IsNull(Col("a", INT))), "always a whole query"),
    "below a count": (lambda: Aggregate(Delete(T), (), (Item("n", Agg("count")),)), "always a whole query"),
    "below EXISTS": (lambda: Exists(Delete(T)), "always a whole query"),
    "below a statement": (lambda: Insert(T, Delete(T)), "always a whole query"),
    "no table": (lambda: Delete(S), "only a base table"),  # type: ignore[arg-type]
    "a column twice": (lambda: Delete(Scan("t", (*COLUMNS, COLUMNS[0]))), "has a column twice"),
    "no condition": (lambda: Delete(T, A), "must be BOOLEAN"),
    "an unknown column": (lambda: Delete(T, IsNull(K)), "no column"),
    "no assignment": (lambda: Update(T, ()), "at least one column"),
    "assigned twice": (lambda: Update(T, (Assignment("a", ONE), Assignment("a", B))), "no name twice"),
    "assigned to nothing": (lambda: Update(T, (Assignment("z", ONE),)), "has no column z"),
    "another type": (lambda: Update(T, (Assignment("a", Cast(B, BIGINT)),)), "a is INT, not BIGINT"),
    "an assigned subquery": (
        lambda: Update(
            T, (Assignment("a", ir.ScalarSubquery(Aggregate(KEYS, (), (Item("m", Agg("max", Col("a", INT))),)))),)
        ),
        "must have no subquery",
    ),
    "too few columns": (lambda: Insert(T, KEYS), "needs columns of"),
    "any rows": (lambda: Insert(T, AnyLimit(U, 1)), "AnyLimit may stand"),
    "a subquery chooses": (lambda: Overwrite(T, U, Exists(U)), "must have no subquery"),
    "no clause": (lambda: Merge(T, S, SAME, ()), "needs a clause"),
    "a source without a name": (lambda: Merge(T, U, SAME, (UPDATED,)), "alias it"),  # type: ignore[arg-type]
    "a source of the table's name": (lambda: Merge(T, Alias(U, "t"), A_IS_ONE, (UPDATED,)), "alias it"),
    "a clause too late": (lambda: Merge(T, S, SAME, (UPDATED, MergeClause("matched", "delete"))), "never acts"),
    "an insert of some columns": (
        lambda: Merge(T, S, SAME, (MergeClause("not matched", "insert", (Assignment("a", K),)),)),
        "assigns every column",
    ),
    "an insert of the table's columns": (
        lambda: Merge(T, S, SAME, (replace(INSERTED, condition=IsNull(A)),)),
        "no column",
    ),
    "the source where it has no row": (
        lambda: Merge(T, S, SAME, (MergeClause("not matched by source", "delete", (), IsNull(K)),)),
        "no column",
    ),
    "an insert of matched rows": (
        lambda: MergeClause("matched", "insert", (Assignment("a", K),)),
        "WHEN matched takes no insert",
    ),
    "a deletion with values": (lambda: MergeClause("matched", "delete", (Assignment("a", K),)), "1 assignments"),
    "an update without": (lambda: MergeClause("matched", "update"), "0 assignments"),
    "an unknown clause": (lambda: MergeClause("seen", "update", (Assignment("a", K),)), "no clause"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("build", "why"), REFUSED.values(), ids=REFUSED)
def test_what_no_statement_means_is_refused(build: Callable[[], object], why: str) -> None:
    with pytest.raises(InvalidQuery, match=why):
        build()


# The texts.


@EACH
def test_duckdb_leaves_these_rows(
    duckdb: DuckdbEngine, statement: Statement, rows: list[tuple[int | None, int | None]]
) -> None:
    outcome = duckdb.run(statement, TABLES)
    assert isinstance(outcome, Rows), outcome
    found = [tuple(value and value[1] for value in row) for row in outcome.rows]
    assert sorted(found, key=repr) == sorted(rows, key=repr)


MET_TWICE = Database((TABLES.tables[0], Table("u", COLUMNS, ((1, 10), (1, 11)))))


def test_a_row_that_is_met_twice_makes_a_merge_raise(duckdb: DuckdbEngine) -> None:
    raised = duckdb.run(Merge(T, S, SAME, (UPDATED,)), MET_TWICE)
    assert isinstance(raised, Raised)
    assert (raised.kind, "several rows of the source" in raised.message) == ("user", True)


@pytest.mark.parametrize("clause", [MergeClause("matched", "delete"), INSERTED], ids=["deleted", "not changed"])
def test_a_row_that_is_met_twice_may_be_deleted_or_stay(duckdb: DuckdbEngine, clause: MergeClause) -> None:
    assert isinstance(duckdb.run(Merge(T, S, SAME, (clause,)), MET_TWICE), Rows)


def test_each_run_on_duckdb_begins_with_the_same_table(duckdb: DuckdbEngine) -> None:
    insert = STATEMENTS["insert"][0]
    assert duckdb.run(insert, TABLES) == duckdb.run(insert, TABLES)


TEXTS = {
    "delete": "DELETE FROM assay.`t` WHERE (`t`.`a` > 1)",
    "update": "UPDATE assay.`t` SET `b` = `t`.`a`, `a` = `t`.`b` WHERE (`t`.`a` IS NULL)",
    "insert": "INSERT INTO assay.`t` SELECT * FROM `u`",
    "overwrite": "INSERT OVERWRITE TABLE assay.`t` SELECT * FROM `t` WHERE (`t`.`a` = 1)",
    "overwrite-some": "INSERT INTO assay.`t` REPLACE WHERE (`a` = 1) SELECT * FROM `u`",
    "merge": (
        "MERGE INTO assay.`t` USING `u` AS `s` ON (`t`.`a` = `s`.`a`) WHEN MATCHED THEN UPDATE SET `b` = `s`.`b`"
        " WHEN NOT MATCHED AND (`s`.`b` > 20) THEN INSERT (`a`, `b`) VALUES (`s`.`a`, `s`.`b`)"
        " WHEN NOT MATCHED BY SOURCE AND (`t`.`b` = 2) THEN DELETE"
    ),
}


@pytest.mark.parametrize(("name", "text"), TEXTS.items(), ids=TEXTS)
def test_spark_changes_the_table_in_its_catalog(name: str, text: str) -> None:
    assert SparkCompiler().compile(STATEMENTS[name][0]) == text


_LISTED = Project(U, (Item("x", Col("b", INT, "u")), Item("y", Col("a", INT, "u"))))
BY_NAME = {
    "insert": (Insert(T, _LISTED), "INSERT INTO assay.`t` BY NAME SELECT `u`.`a` AS `b`, `u`.`b` AS `a` FROM `u`"),
    "overwrite": (
        Overwrite(T, _LISTED),
        "INSERT OVERWRITE TABLE assay.`t` BY NAME SELECT `u`.`a` AS `b`, `u`.`b` AS `a` FROM `u`",
    ),
    "overwrite-some": (
        Overwrite(T, _LISTED, Compare("=", A, ONE)),
        "INSERT INTO assay.`t` REPLACE WHERE (`a` = 1) SELECT `u`.`b` AS `x`, `u`.`a` AS `y` FROM `u`",
    ),
    "all columns": (Insert(T, U), "INSERT INTO assay.`t` SELECT * FROM `u`"),
}


@pytest.mark.parametrize(("statement", "text"), BY_NAME.values(), ids=BY_NAME)
def test_merged_clauses_give_listed_columns_by_name(statement: Statement, text: str) -> None:
    assert SparkCompiler(clauses="merged").compile(statement) == text


IN_FILES = {
    "insert": "INSERT INTO `t_stored` (`a`, `b`) SELECT * FROM `u`",
    "overwrite": "INSERT OVERWRITE TABLE `t_stored` (`a`, `b`) SELECT * FROM `t` WHERE (`t`.`a` = 1)",
    "overwrite-partitions": "INSERT OVERWRITE TABLE `t_stored` (`a`, `b`) SELECT * FROM `u`",
}


@pytest.mark.parametrize(("name", "text"), IN_FILES.items(), ids=IN_FILES)
def test_spark_gets_the_columns_of_a_table_in_files_in_the_order_of_the_query(name: str, text: str) -> None:
    assert SparkCompiler(stored=True).compile(STATEMENTS[name][0]) == text


def test_duckdb_is_asked_for_the_table_afterwards() -> None:
    assert DuckdbCompiler().compile(Delete(T)) == 'DELETE FROM "t"; SELECT * FROM "t"'


# The reducer.


def smallest(case: Case, fails: Callable[[Case], bool]) -> Case:
    found = reduce(case, fails, deadline_seconds=60)
    assert found.complete
    return found.case


@EACH
def test_a_statement_is_made_as_small_as_one_of_its_kind(statement: Statement, rows: object) -> None:
    found = smallest(case_of(statement), lambda case: isinstance(case.query, type(statement)))
    assert operators(found.query) == 1
    assert found.database.row_count == 0
    assert found.settings == case_of(statement).settings


def test_a_merge_keeps_the_clause_that_fails() -> None:
    merge = STATEMENTS["merge"][0]

    def fails(case: Case) -> bool:
        return isinstance(case.query, Merge) and any(clause.action == "update" for clause in case.query.clauses)

    found = smallest(case_of(merge), fails).query
    assert isinstance(found, Merge)
    assert [(clause.when, clause.condition) for clause in found.clauses] == [("matched", None)]
    assert len(found.target.columns) == 1


def test_a_written_query_becomes_the_case_where_it_fails_alone() -> None:
    inserted = Insert(T, Project(Filter(U, IsNull(Col("b", INT, "u"))), (Item("x", ONE), Item("y", ONE))))
    found = smallest(case_of(inserted), lambda case: any(isinstance(node, Filter) for node in ir.walk(case.query)))
    assert isinstance(found.query, Filter)
    assert found.settings == Settings()


def test_only_what_the_failure_needs_is_left_of_a_condition() -> None:
    condition = ir.And(Compare("=", A, ONE), IsNull(B))
    found = smallest(
        case_of(Delete(T, condition)),
        lambda case: isinstance(case.query, Delete) and any(isinstance(node, IsNull) for node in ir.walk(case.query)),
    )
    table = Scan("t", (Column("b", INT),))
    assert found.query == Delete(table, IsNull(Col("b", INT, "t")))
    assert found.database == Database((Table("t", table.columns),))


def test_a_clause_needs_no_condition_and_no_values() -> None:
    merge = Merge(T, S, SAME, (replace(UPDATED, condition=Compare(">", V, Lit(INT, 3))),))
    found = smallest(case_of(merge), lambda case: isinstance(case.query, Merge)).query
    assert isinstance(found, Merge)
    assert found.clauses == (MergeClause("matched", "delete"),)
