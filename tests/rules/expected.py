"""The promises of a rule's test module about its shape, to which tests hold every shape without an engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from strategies.ir import (
    INT,
    Alias,
    Col,
    Column,
    Compare,
    Join,
    JoinKind,
    Lit,
    Node,
    Relation,
    SetKind,
    SetOp,
    Source,
    Table,
    walk,
)
from strategies.shapes.sides import scan

ANY_FORM = frozenset({"sql", "dataframe"})
EMPTY = Table("t0", (Column("a", INT),))
T0 = scan(EMPTY)
"""The table that all shapes shrink to scans of: one column, no row."""
A_IS_ZERO = Compare("=", Col("a", INT), Lit(INT, 0))
S0 = Alias(T0, "s0")
"""The same table a second time."""
LEFT_A, RIGHT_A = Col("a", INT, "t0"), Col("a", INT, "s0")
SAME_A = Compare("=", LEFT_A, RIGHT_A)


@dataclass(frozen=True)
class Expected:
    """Every firing case of a rule ``holds`` this, is in one of the ``forms``, and shrinks to the ``least`` query (over
    ``EMPTY``), which is read from ``source`` under ``others`` of the settings; ``reaches`` names the further features
    that must be drawn sooner or later.
    """

    holds: Callable[[Relation], bool]
    forms: frozenset[str]
    least: Relation
    reaches: Mapping[str, Callable[[Relation], bool]] = field(default_factory=dict)
    source: Source = "parquet"
    others: Mapping[str, Any] = field(default_factory=dict)


def snake(name: str) -> str:
    """``eliminate_outer_join`` of EliminateOuterJoin."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def holds(*kinds: type[Node]) -> Callable[[Relation], bool]:
    """Whether a query holds a node of one of these kinds."""
    return lambda query: any(isinstance(node, kinds) for node in walk(query))


def set_ops(kind: SetKind, *, keeps_all: bool) -> Callable[[Relation], bool]:
    """Whether a query holds this set operator."""
    return lambda query: any(
        isinstance(node, SetOp) and (node.kind, node.all) == (kind, keeps_all) for node in walk(query)
    )


def joins(*kinds: JoinKind) -> Callable[[Relation], bool]:
    """Whether a query holds a join of one of these kinds."""
    return lambda query: any(isinstance(node, Join) and node.kind in kinds for node in walk(query))
