"""Reduce the predicate that partitions a query into three parts, or remove it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from oracles.reductions.fitting_partition import plain_columns
from oracles.reductions.search import Edit, Search, sweep
from oracles.reductions.size import simple_values
from strategies.ir import BOOLEAN, Case, Compare, Expr, IsNull, Lit, columns_to_partition_by


def partition(case: Case) -> Search:
    """Offer no predicate, as most failures don't need it, then ``IS NULL`` of a column, then its simplest value."""
    yield from sweep(case, _simpler)


def _simpler(case: Case) -> Iterator[Edit]:
    if case.partition is None:
        return
    columns = plain_columns(columns_to_partition_by(case.query))
    yield _with, (case, None)
    for column in columns:
        yield _with, (case, column if column.type == BOOLEAN else IsNull(column))
    for column in columns:
        yield _with, (case, Compare("=", column, Lit(column.type, simple_values(column.type)[0])))


def _with(case: Case, predicate: Expr | None) -> Case:
    return replace(case, partition=predicate)
