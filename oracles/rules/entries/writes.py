"""Entries of the rules about statements that change tables."""

from __future__ import annotations

from oracles.rules.rule import Rule
from oracles.rules.switch import ByConf

_PACKAGE = "org.apache.spark.sql.execution."
_EARLY = "Early Filter and Projection Push-Down"


def _of_statements(name: str, package: str, batch: str, law: str, *conditions: str) -> Rule:
    """An entry; the two rules of the early batch can't be turned off, as no statement is planned without them."""
    full = f"{_PACKAGE}{package}.{name}"
    return Rule(name=name, rule_name=full, batch=batch, switch=None, law=law, conditions=conditions)


WRITES: tuple[Rule, ...] = (
    _of_statements(
        "OptimizeMetadataOnlyDeleteFromTable",
        "datasources.v2",
        "Pre CBO Rules",
        "DELETE of the rows for which a condition is true, by groups that are written anew = the same by the source",
        "the source can evaluate all parts of the condition",
        "no part of it has a subquery",
        "the statement is a DELETE",
    ),
    _of_statements(
        "GroupBasedRowLevelOperationScanPlanning",
        "datasources.v2",
        _EARLY,
        "the groups that a statement writes anew = those of the whole table, without groups for no row of which its "
        "condition is true",
        "groups are read whole: rows that stay are written, too",
        "rows are left out by the condition of the statement, not by that of the rows that stay",
        "a part of a MERGE's condition goes only if the source evaluates it for each row",
        "a MERGE that changes rows not matched by the source reads all groups",
    ),
    _of_statements(
        "RowLevelOperationRuntimeGroupFiltering",
        "dynamicpruning",
        "PartitionPruning",
        "the groups that a statement writes anew = those with a key that some row has for which its condition is true",
        "the keys are all of those rows' keys, of the columns that the source names",
        "the condition may have subqueries, and compare with a MERGE's source",
        "a MERGE that changes rows not matched by the source reads all groups",
    ),
    _of_statements(
        "V2Writes",
        "datasources.v2",
        _EARLY,
        "a statement's query = the same rows, dealt out and sorted as the table wants them written",
        "no row is lost or made: equal rows stay as many",
        "columns stay in the table's order",
        "an overwriting INSERT takes away all rows for which its condition is true, and no others",
    ),
    Rule(
        name="V1Writes",
        rule_name=f"{_PACKAGE}datasources.V1Writes",
        batch=_EARLY,
        switch=ByConf("spark.sql.optimizer.plannedWrite.enabled", "false"),
        law="a query whose rows are written to files = the same rows, sorted in each task by the columns that "
        "the table is partitioned by",
        conditions=(
            "no row is lost or made: equal rows stay as many",
            "rows without a value of such a column are a partition, too",
            "an overwriting INSERT takes away all rows, or those of the partitions that it writes, and no others",
        ),
    ),
)
