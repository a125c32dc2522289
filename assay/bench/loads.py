"""The loads of the benchmark: the cases of a fuzz run, and queries of a given size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Literal

from hypothesis import strategies as st

from assay.evaluation.scaled_tables import grown
from assay.fuzz.case_mix import fuzz_cases
from strategies.draw.draws import without_mutation
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    SET_KINDS,
    STRING,
    Case,
    Coalesce,
    Col,
    Column,
    Database,
    Distinct,
    Expr,
    Filter,
    IsNull,
    Item,
    Not,
    Project,
    Relation,
    Scan,
    SetOp,
    Table,
)
from strategies.shapes import load_shapes

Kind = Literal["quick", "as drawn", "rows", "operators", "columns"]


@dataclass(frozen=True, slots=True)
class Load:
    """The kind of cases that a harness checks, and their size.

    ``quick``: cases of a fuzz run with default settings, which the fast path accepts; ``as drawn``: cases of a fuzz run
    with the settings that they were drawn with. The other kinds are queries with ``size`` rows a table, operators or
    columns, and small default sizes otherwise.
    """

    kind: Kind
    size: int = 0

    @property
    def name(self) -> str:
        """The name of the load in seeds and tables."""
        return f"{self.kind} {self.size}" if self.size else self.kind


QUICK, AS_DRAWN = Load("quick"), Load("as drawn")
GROWTH: tuple[Load, ...] = (
    *(Load("rows", size) for size in (1, 10, 100, 1_000, 10_000)),
    *(Load("operators", size) for size in (1, 2, 5, 10, 20, 40)),
    *(Load("columns", size) for size in (1, 2, 5, 10, 20, 40)),
)
_ROWS, _OPERATORS, _COLUMNS = 10, 4, 3
"""The default sizes of a query; the load replaces the one that it grows."""


def cases_of(load: Load) -> st.SearchStrategy[Case]:
    """Cases of ``load``, each drawn anew; none is a statement, which the naive harness can't run."""
    if load.kind in ("quick", "as drawn"):
        drawn = fuzz_cases(load_shapes(), []).filter(lambda case: not case.query.is_statement)
        return drawn.map(made_quick) if load.kind == "quick" else drawn
    sizes = {"rows": _ROWS, "operators": _OPERATORS, "columns": _COLUMNS, load.kind: load.size}
    return without_mutation(st.integers(0, 2**32 - 1).map(partial(case_of_size, **sizes)))


def made_quick(case: Case) -> Case:
    """``case`` with the settings of the fast path."""
    return replace(case, settings=case.settings.quickened())


_TYPES = (INT, STRING, BIGINT, DATE, DOUBLE, BOOLEAN)


def case_of_size(number: int, *, rows: int, operators: int, columns: int) -> Case:
    """The case of that ``number``: a chain of ``operators`` over two tables, none of which makes more rows than it has.

    The sizes are exact: rows of each table, operators other than scans, columns of each of them.
    """
    random = Random(number)
    header = tuple(Column(f"c{place}", _TYPES[place % len(_TYPES)]) for place in range(columns))
    tables = tuple(Table(name, header) for name in ("t0", "t1"))
    query: Relation = Scan("t0", header)
    for _ in range(operators):
        query = random.choice(_STEPS)(query, header, random)
    read = {"t0"} | ({"t1"} if "Scan(table='t1'" in repr(query) else set())
    database = Database(tuple(table for table in tables if table.name in read))
    return Case(query, grown(database, rows, number))


def _column(header: tuple[Column, ...], random: Random) -> Col:
    column = random.choice(header)
    return Col(column.name, column.type)


def _filter(query: Relation, header: tuple[Column, ...], random: Random) -> Relation:
    missing: Expr = IsNull(_column(header, random))
    return Filter(query, missing if random.random() < 0.2 else Not(missing))


def _project(query: Relation, header: tuple[Column, ...], random: Random) -> Relation:
    filled = random.choice(header).name

    def value(column: Column) -> Expr:
        like = [other for other in header if other.type == column.type]
        own = Col(column.name, column.type)
        return Coalesce((own, _column(tuple(like), random))) if column.name == filled else own

    return Project(query, tuple(Item(column.name, value(column)) for column in header))


def _distinct(query: Relation, header: tuple[Column, ...], random: Random) -> Relation:
    return Distinct(query)


def _set(query: Relation, header: tuple[Column, ...], random: Random) -> Relation:
    kind = random.choice(SET_KINDS)
    return SetOp(kind, query, Scan(random.choice(("t0", "t1")), header), all=kind != "union" and random.random() < 0.5)


_Step = Callable[[Relation, tuple[Column, ...], Random], Relation]
_STEPS: tuple[_Step, ...] = (_filter, _filter, _project, _project, _distinct, _set)
