"""Aims at one part each, with what a query has that has the part."""

from __future__ import annotations

from collections.abc import Callable

from strategies.draw.group_fits import Fits
from strategies.draw.statements import KINDS
from strategies.edits.aim import Aim
from strategies.edits.aimed_expressions import EXPRESSIONS
from strategies.edits.aimed_joins import JOINS_THAT_FIT
from strategies.edits.aimed_operators import OPERATORS
from strategies.ir import (
    BINARY,
    BOOLEAN,
    COMPARE_OPS,
    DATE,
    DOUBLE,
    JOIN_KINDS,
    STRING,
    TIMESTAMP,
    Agg,
    AggFunction,
    Aggregate,
    AnyLimit,
    Arith,
    ArithOp,
    Array,
    Call,
    Case,
    CaseWhen,
    Cast,
    Compare,
    Exists,
    Expr,
    InSubquery,
    Join,
    Limit,
    Lit,
    Node,
    RandomColumn,
    RandomTest,
    RankFunction,
    Ranking,
    RowNumbers,
    ScalarSubquery,
    SetOp,
    TryArith,
    TryCast,
    Typed,
    UserCall,
    Values,
    walk,
)

Holds = Callable[[Node], bool]


def is_a(*kinds: type[Node]) -> Holds:
    """Whether a node is one of these."""
    return lambda node: isinstance(node, kinds)


def _named(node_type: type[Node], /, **values: object) -> Holds:
    """Whether a node is of this type and has these fields."""
    return lambda node: (
        isinstance(node, node_type) and all(getattr(node, name) == value for name, value in values.items())
    )


def _fitting(fits: Fits) -> Holds:
    return lambda node: isinstance(node, Join) and fits(node)


def _arithmetic(op: ArithOp) -> Holds:
    return lambda node: isinstance(node, (Arith, TryArith)) and node.op == op


_CLASSES: dict[str, Holds] = {
    **{name: _fitting(fits) for fits, name in JOINS_THAT_FIT.items()},
    "Limit": is_a(Limit, AnyLimit),
    "Union": _named(SetOp, kind="union"),
    "Except": _named(SetOp, kind="except"),
    "Intersect": _named(SetOp, kind="intersect"),
    "Values": is_a(Values),
    "AtRandom": is_a(RandomColumn, RandomTest, RowNumbers),
    "Subquery": is_a(Exists, InSubquery, ScalarSubquery),
    "ScalarSubquery": is_a(Exists, InSubquery, ScalarSubquery),
    "If": is_a(CaseWhen),
    "Cast": is_a(Cast, TryCast),
    "Arith": is_a(Arith, TryArith),
    "Add": _arithmetic("+"),
    "Subtract": _arithmetic("-"),
    "Multiply": _arithmetic("*"),
    "Aggregate": is_a(Aggregate),
    "Typed": is_a(Typed),
    "PythonCall": lambda node: isinstance(node, UserCall) and node.is_python,
}
_FUNCTIONS = (
    "substring",
    "array_contains",
    "year",
    "greatest",
    "like",
    "shift_left",
    "truncated",
    "is_nan",
    "date_add",
)
_AGGREGATES: tuple[AggFunction, ...] = ("count", "sum", "every", "percentile", "max_by", "collect_set", "listagg")
RANKS: tuple[RankFunction, ...] = ("rank", "row_number", "cume_dist", "ntile")
_TYPES = (BINARY, DATE, TIMESTAMP, STRING, DOUBLE, Array(STRING))


def _by_name(name: str) -> Holds:
    return _CLASSES.get(name, lambda node: type(node).__name__ == name)


AIMS: dict[str, tuple[Aim, Holds]] = {
    **{f"operator {name}": (Aim(operators=(name,)), _by_name(name)) for name in OPERATORS},
    **{f"join {kind}": (Aim(joins=(kind,)), _named(Join, kind=kind)) for kind in JOIN_KINDS},
    **{f"expression {name}": (Aim(expressions=(name,)), _by_name(name)) for name in EXPRESSIONS},
    **{f"comparison {op}": (Aim(comparisons=(op,)), _named(Compare, op=op)) for op in COMPARE_OPS},
    **{f"function {name}": (Aim(functions=(name,)), _named(Call, function=name)) for name in _FUNCTIONS},
    **{f"aggregate {name}": (Aim(aggregates=(name,)), _named(Agg, function=name)) for name in _AGGREGATES},
    **{f"rank {name}": (Aim(operators=("Window",), ranks=(name,)), _named(Ranking, function=name)) for name in RANKS},
    **{
        f"type {kind!r}": (
            Aim(types=(kind,)),
            lambda node, kind=kind: isinstance(node, Expr) and not isinstance(node, Lit) and node.type == kind,
        )
        for kind in _TYPES
    },
    **{
        f"constant {value}": (Aim(constants=(value,)), lambda node, value=value: node == Lit(BOOLEAN, value))
        for value in (True, False)
    },
    **{f"statement {name}": (Aim(statements=(name,)), _by_name(name)) for name in KINDS},
}
"""By name, an aim at one part, and whether a node is that part."""


def share(cases: list[Case], holds: Holds) -> float:
    """The share of ``cases`` with a node that ``holds``."""
    return count(cases, holds) / len(cases)


def count(cases: list[Case], holds: Holds) -> int:
    """How many of ``cases`` have a node that ``holds``."""
    return sum(any(map(holds, walk(case.query))) for case in cases)
