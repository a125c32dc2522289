"""Count which kinds of expressions stand at which positions of queries, and how many tables a query reads.

Where a position takes a value (a select list, an argument, a key), the kind of the whole expression counts; where it
takes a condition (WHERE, ON, HAVING), the kind of each part, as few kinds are conditions. A subquery has a position of
its own, and its parts don't count at the position at which it stands.

``python -m tests.unit.expression_places [NUMBER]`` prints the table of so many general cases.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import get_args

from hypothesis import HealthCheck, given, seed
from rich.console import Console
from rich.table import Table

import strategies.ir
from assay.fuzz.case_mix import general_cases
from assay.fuzz.drawing import generating
from strategies.ir import (
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Case,
    CaseWhen,
    Distinct,
    Element,
    Expr,
    Filter,
    GroupingSets,
    Join,
    Limit,
    Lit,
    Node,
    Outer,
    Peek,
    Pivot,
    Project,
    Raising,
    Relation,
    SetOp,
    Subquery,
    Window,
    children,
    columns_of,
    scans,
    walk,
)

POSITIONS = (
    "select list",
    "filter",
    "ON",
    "aggregate argument",
    "group key",
    "HAVING",
    "window partition",
    "window order",
    "window argument",
    "CASE branch",
    "subquery",
    "side of a set operator",
    "child of a limit",
)
NULL, RAISING = "Lit of NULL", "may raise"
_RAISING = get_args(Raising)
_NO_KINDS = (Expr, Subquery, Element, Outer, *_RAISING)
KINDS = (
    *sorted(
        kind.__name__
        for kind in vars(strategies.ir).values()
        if isinstance(kind, type) and issubclass(kind, Expr) and kind not in _NO_KINDS
    ),
    RAISING,
    NULL,
    "Agg",
)
"""All classes of expressions, but one kind for those that may raise, which one query in sixteen has.

An Element stands below a HigherOrder alone, an Outer in a subquery alone: test_frequencies_subqueries has it.
"""

Cell = tuple[str, str]
"""A kind and a position."""

FORBIDDEN: dict[Cell, str] = {
    **dict.fromkeys(
        (("Agg", "filter"), ("Agg", "ON"), ("Agg", "group key")), "SQL evaluates it before there are any groups"
    ),
    ("Agg", "aggregate argument"): "SQL has no aggregate of an aggregate in one SELECT",
    **dict.fromkeys(
        (("Agg", "window partition"), ("Agg", "window order"), ("Agg", "window argument"), ("Agg", "CASE branch")),
        "in the algebra an aggregate is a whole result: what uses it stands in an operator above, or in HAVING",
    ),
    **dict.fromkeys(
        (("Collate", "select list"), ("Collate", "CASE branch"), ("Collate", "group key")),
        "of texts that are equal under a collation an engine may choose one: the algebra compares them, and shows none",
    ),
    **dict.fromkeys(
        (("MakeMap", "group key"), ("MakeMap", "window partition"), ("MakeMap", "window order")),
        "SQL compares no maps: Spark has them in GROUP BY from 4.0 on, and nowhere else",
    ),
}
"""The cells that no query can fill, with the reason."""


def kind_of(node: Node) -> str:
    """The kind of an expression: the name of its class, except for a literal NULL and for what may raise."""
    if isinstance(node, _RAISING):
        return RAISING
    return NULL if isinstance(node, Lit) and node.value is None else type(node).__name__


def cells_of(query: Relation) -> frozenset[Cell]:
    """The cells that ``query`` fills."""
    found = ((kind_of(expression), position) for position, expression in _placed(query))
    return frozenset((kind, position) for kind, position in found if kind in KINDS)


def _placed(query: Relation) -> Iterator[tuple[str, Node]]:
    for node in walk(query):
        match node:
            case CaseWhen(branches=branches, otherwise=otherwise):
                results = [*(branch.result for branch in branches), otherwise]
                yield from (("CASE branch", result) for result in results if result is not None)
            case Subquery():
                inside: Node = node.query  # type: ignore[attr-defined]  # every subquery has one
                relations = (part for part in _within(inside) if isinstance(part, Relation))
                yield from (("subquery", part) for one in relations for _, part in _own(one))
            case SetOp(left=left, right=right):
                sides = (part for side in (left, right) for _, part in _own(_below_names(side)))
                yield from (("side of a set operator", part) for part in sides)
            case Limit(child=child) | AnyLimit(child=child):
                yield from (("child of a limit", part) for _, part in _own(_below_names(child)))
        if isinstance(node, Relation):
            yield from _own(node)


def _below_names(relation: Relation) -> Relation:
    """``relation`` without what leaves its expressions as they are."""
    while isinstance(relation, (Alias, Distinct)):
        relation = relation.child
    return relation


def _within(node: Node) -> Iterator[Node]:
    """``node`` and its parts, without those of subqueries in it."""
    yield node
    for child in children(node, apart_from=node.closed):
        yield from _within(child)


def _own(relation: Relation) -> Iterator[tuple[str, Node]]:
    """The expressions of one operator, with their positions."""
    match relation:
        case Project(items=items):
            yield from (("select list", item.value) for item in items)
        case Filter(condition=condition):
            yield from (("filter", part) for part in _within(condition))
        case Join(on=on) if on is not None:
            yield from (("ON", part) for part in _within(on))
        case Pivot(keys=keys, aggregate=aggregate):
            yield from (("group key", key.value) for key in keys)
            yield from (("aggregate argument", part) for part in _arguments(aggregate))
        case (
            Aggregate(keys=keys, aggregates=aggregates, having=having)
            | GroupingSets(keys=keys, aggregates=aggregates, having=having)
        ):
            yield from (("group key", key.value) for key in keys)
            yield from (("select list", item.value) for item in aggregates)
            yield from (("aggregate argument", part) for item in aggregates for part in _arguments(item.value))
            if having is not None:
                yield from (("HAVING", part) for part in _within(having))
                results = {item.name: item.value for item in aggregates}
                named = [results[column.name] for column in columns_of(having) if column.name in results]
                yield from (("HAVING", result) for result in named)
        case Window(columns=columns, partition=partition, order=order):
            yield from (("window partition", part) for part in partition)
            yield from (("window order", key.value) for key in order)
            yield from (("window argument", part) for over in columns for part in _arguments(over.function))


def _arguments(function: Node) -> tuple[Node, ...]:
    match function:
        case Agg(operand=Expr() as operand, others=others):
            return operand, *others
        case Peek(operand=operand):
            return (operand,)
    return ()


@dataclass(slots=True)
class Places:
    """How many of the counted queries fill each cell, and read each number of tables."""

    queries: int = 0
    cells: Counter[Cell] = field(default_factory=Counter)
    tables: Counter[int] = field(default_factory=Counter)

    def add(self, query: Relation) -> None:
        """Count ``query``."""
        self.queries += 1
        self.cells.update(cells_of(query))
        self.tables[tables_read(query)] += 1

    def empty(self) -> list[Cell]:
        """The cells that no query fills, although SQL allows it."""
        every = ((kind, position) for kind in KINDS for position in POSITIONS)
        return [cell for cell in every if not self.cells[cell] and cell not in FORBIDDEN]

    def share_of_tables(self, least: int, most: int | None = None) -> float:
        """The percentage of queries that read ``least`` to ``most`` tables."""
        counted = (count for number, count in self.tables.items() if least <= number <= (most or number))
        return 100 * sum(counted) / self.queries


def tables_read(query: Relation) -> int:
    """How many tables ``query`` reads, each of them once or more often."""
    return len({scan.table for scan in scans(query)})


def places_of(queries: Iterable[Relation]) -> Places:
    """Count ``queries``."""
    places = Places()
    for query in queries:
        places.add(query)
    return places


def table_of(places: Places) -> Table:
    """The table of kinds and positions; a forbidden cell has a dash."""
    table = Table("kind", *POSITIONS, title=f"Queries, of {places.queries:,}, with a kind of expression at a position")
    for kind in KINDS:
        shown = ("-" if (kind, at) in FORBIDDEN else str(places.cells[kind, at]) for at in POSITIONS)
        table.add_row(kind, *shown)
    return table


def main(count: int) -> None:
    """Print the table of ``count`` general cases, and how many tables they read."""
    places = Places()

    @seed(1)
    @generating(count, suppress_health_check=[HealthCheck.too_slow])
    @given(general_cases())
    def collect(case: Case) -> None:
        places.add(case.query)

    collect()
    console = Console(width=200)
    console.print(table_of(places))
    console.print(f"empty: {places.empty() or 'none'}")
    for number, found in sorted(places.tables.items()):
        console.print(f"{number} tables: {100 * found / count:.1f} %")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
