"""Shape of RowLevelOperationRuntimeGroupFiltering: statements over tables that leave out groups while they run."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.statements import changed, merge_of
from strategies.ir import (
    And,
    Between,
    Capability,
    Case,
    CaseWhen,
    Col,
    Compare,
    Database,
    Delete,
    Exists,
    IsNull,
    Lit,
    Merge,
    Node,
    Not,
    NullIf,
    Or,
    Relation,
    When,
    transform,
)
from strategies.shapes.written import deleted, emptied, miss, told, told_deleted, updated, written

RULE = "RowLevelOperationRuntimeGroupFiltering"
_LAYOUTS: tuple[tuple[Capability, ...], ...] = (
    ("runtime filters", "identity"),
    ("runtime filters", "identity", "splits"),
    ("runtime filters", "two keys"),
    ("filters", "runtime filters", "identity"),
    ("runtime filters",),
)


def _filtering(draw: DrawFn) -> tuple[Capability, ...]:
    return pick(draw, _LAYOUTS)


def _merged(draw: DrawFn, schema: Database) -> Merge:
    return merge_of(draw, schema, kinds=("matched",))


def _deleted(draw: DrawFn, schema: Database) -> Relation:
    """A DELETE with any condition, with BETWEEN and NULLIF of computed operands spelled out: the rule loses these."""
    made = transform(deleted(draw, schema), _spelled_out)
    assert isinstance(made, Relation)
    return made


def _spelled_out(node: Node) -> Node:
    match node:
        case Between(operand=operand, low=low, high=high, negated=negated) if not isinstance(operand, (Col, Lit)):
            within = And(Compare(">=", operand, low), Compare("<=", operand, high))
            return Not(within) if negated else within
        case NullIf(left=left, right=right) if not isinstance(left, (Col, Lit)):
            return CaseWhen((When(Compare("=", left, right), Lit(left.type, None)),), left)
    return node


_CHANGES: tuple[Callable[[DrawFn, Database], Relation], ...] = (told_deleted, updated, _merged, _deleted)


def _changed(draw: DrawFn, schema: Database) -> Relation:
    return pick(draw, _CHANGES)(draw, schema)


def fires() -> SearchStrategy[Case]:
    """A statement with a condition; shrinks to ``DELETE FROM t0 WHERE a = 0``."""
    return written(_changed, _filtering)


def _by_subquery(draw: DrawFn, schema: Database) -> Delete:
    target = changed(draw, schema)
    return Delete(target, And(told(draw, target), Exists(changed(draw, schema))))


def _merged_by_source(draw: DrawFn, schema: Database) -> Merge:
    """Rows that the source doesn't match are changed: all groups are read."""
    return merge_of(draw, schema, kinds=("not matched by source",))


def _or_null(draw: DrawFn, schema: Database) -> Delete:
    """Groups whose key is NULL are changed, too."""
    target = changed(draw, schema)
    return Delete(target, Or(IsNull(target.fields[0].column()), told(draw, target)))


NEAR_MISSES = (
    miss("without_them", told_deleted, "identity", fires=False),
    miss("of_all_rows", emptied, "identity", "runtime filters", fires=False),
    miss("by_source", _merged_by_source, "identity", "runtime filters", fires=False, weight=2),
    miss("by_subquery", _by_subquery, "identity", "runtime filters", fires=True),
    miss("or_null", _or_null, "identity", "runtime filters", fires=True, weight=2),
)
