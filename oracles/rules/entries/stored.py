"""Entries of the rules that ask tables what they can do themselves. None can be turned off: a table can't be read
without them.
"""

from __future__ import annotations

from oracles.rules.rule import Rule

_PACKAGE = "org.apache.spark.sql.execution.datasources.v2."
_EARLY = "Early Filter and Projection Push-Down"


def _of_tables(name: str, law: str, *conditions: str) -> Rule:
    return Rule(
        name=name, rule_name=_PACKAGE + name, batch=_EARLY, switch=None, law=law, conditions=conditions, seeds=("002",)
    )


STORED: tuple[Rule, ...] = (
    _of_tables(
        "V2ScanRelationPushDown",
        "filters, joins, aggregates, limits, offsets and columns of tables of a data source = what the source makes of "
        "them, if it accepts them",
        "a condition that the source refuses, or goes by only roughly, is asked again above the scan",
        "what is computed for each part of the table is put together above the scan: counts are added up",
        "a limit that each part of the table has by itself stays above the scan, with its order",
        "a limit and an aggregate are offered only if nothing stays between them and the scan",
        "a column of a join that the source computes is that of its side, though both sides may have one of that name",
    ),
)
