"""A table with a column of every type and every hostile value, and the guards that expressions over it need."""

from __future__ import annotations

from itertools import zip_longest

import strategies.ir
from strategies.draw.values import COLUMN_TYPES, NESTED_TYPES, domain
from strategies.ir import (
    BIGINT,
    INT,
    INTEGERS,
    MOVES,
    OVERFLOWS,
    SMALLINT,
    TINYINT,
    Arith,
    Between,
    Call,
    CaseWhen,
    Cast,
    Column,
    Expr,
    Node,
    Row,
    Scan,
    SqlType,
    Value,
    children,
)

TYPES = (*COLUMN_TYPES, *NESTED_TYPES)
EVERYTHING = tuple(Column(f"c{place}", kind) for place, kind in enumerate(TYPES))
TABLE = Scan("t0", EVERYTHING)
FIELDS = TABLE.fields
NARROWER = {INT: {TINYINT, SMALLINT}, BIGINT: {TINYINT, SMALLINT, INT}}


def extremes() -> tuple[Row, ...]:
    """A row for each place of the domains, and one of NULLs: every column has its least and greatest value."""
    columns: list[tuple[Value, ...]] = [domain(kind) for kind in TYPES]
    return (*zip_longest(*columns), (None,) * len(columns))


def reads_back(node: Node) -> bool:
    """Whether a printed node pastes into a program."""
    return eval(repr(node), vars(strategies.ir)) == node


def widened(operand: Expr, kind: SqlType) -> bool:
    """Whether ``operand`` comes from a narrower integer type, of which even products fit into ``kind``."""
    return isinstance(operand, Cast) and operand.operand.type in NARROWER.get(kind, ())


def small_in(condition: Expr) -> list[Expr]:
    """The operand that ``condition`` keeps within bounds, if that is what it does."""
    return [condition.operand] if isinstance(condition, Between) and not condition.negated else []


def needs_guard(call: Call) -> bool:
    """Whether ``call`` raises, or leaves the calendar, for some values of its first argument."""
    return call.function in MOVES or (call.function in OVERFLOWS and call.arguments[0].type in INTEGERS)


def is_guarded(node: Node, small: tuple[Expr, ...] = ()) -> bool:
    """Whether all integer arithmetic is widened, or under a CASE that keeps the operand small."""
    if isinstance(node, Arith) and node.type in INTEGERS and node.left not in small:
        return widened(node.left, node.type) and widened(node.right, node.type)
    if isinstance(node, Call) and needs_guard(node) and node.arguments[0] not in small:
        return False
    if isinstance(node, CaseWhen):
        branches = [
            is_guarded(branch.condition, small) and is_guarded(branch.result, (*small, *small_in(branch.condition)))
            for branch in node.branches
        ]
        return all(branches) and (node.otherwise is None or is_guarded(node.otherwise, small))
    return all(is_guarded(child, small) for child in children(node))
