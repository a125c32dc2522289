"""A naive interpreter of the query algebra, and wrong versions of its operators: failures to reduce, without an engine.

Values are compared as they are written, so tables hold no DOUBLE.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping
from functools import singledispatch
from itertools import product
from typing import Any

from strategies import ir

Rows = list[tuple[Any, ...]]
Faults = Mapping[type, Callable[..., Rows]]

_COMPARE = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITH = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def differs(case: ir.Case, faults: Faults) -> bool:
    """Whether the engine with ``faults`` gives another answer than the right one."""
    return Counter(run(case, {})) != Counter(run(case, faults))


def run(case: ir.Case, faults: Faults) -> Rows:
    """The answer to ``case``; ``faults`` take the place of operators, given the node and its inputs' rows."""
    return _rows(case.query, case.database, faults)


def _rows(node: ir.Relation, database: ir.Database, faults: Faults) -> Rows:
    if isinstance(node, ir.Scan):
        return list(database.table(node.table).rows)
    inputs = [_rows(child, database, faults) for child in ir.children(node) if isinstance(child, ir.Relation)]
    return faults.get(type(node), apply)(node, *inputs)


@singledispatch
def apply(node: Any, *inputs: Rows) -> Rows:
    """The rows of one operator over the rows of its inputs."""
    raise NotImplementedError(type(node).__name__)


@apply.register
def _(node: ir.Alias, rows: Rows) -> Rows:
    return rows


@apply.register
def _(node: ir.Project, rows: Rows) -> Rows:
    return [tuple(value(item.value, node.child.fields, row) for item in node.items) for row in rows]


@apply.register
def _(node: ir.Filter, rows: Rows) -> Rows:
    return [row for row in rows if value(node.condition, node.child.fields, row) is True]


@apply.register
def _(node: ir.Join, left: Rows, right: Rows) -> Rows:
    fields = ir.from_fields(node.left) + ir.from_fields(node.right)
    on = node.on or ir.Lit(ir.BOOLEAN, True)
    pairs = [
        (i, j) for i, j in product(range(len(left)), range(len(right))) if value(on, fields, left[i] + right[j]) is True
    ]
    matched, used = {i for i, _ in pairs}, {j for _, j in pairs}
    both = [left[i] + right[j] for i, j in pairs]
    left_only = [row + (None,) * len(node.right.fields) for i, row in enumerate(left) if i not in matched]
    right_only = [(None,) * len(node.left.fields) + row for j, row in enumerate(right) if j not in used]
    return {
        "inner": both,
        "cross": both,
        "left": both + left_only,
        "right": both + right_only,
        "full": both + left_only + right_only,
        "semi": [row for i, row in enumerate(left) if i in matched],
        "anti": [row for i, row in enumerate(left) if i not in matched],
    }[node.kind]


@apply.register
def _(node: ir.Aggregate, rows: Rows) -> Rows:
    fields = node.child.fields
    groups: dict[tuple[Any, ...], Rows] = {} if node.keys else {(): []}
    for row in rows:
        groups.setdefault(tuple(value(key.value, fields, row) for key in node.keys), []).append(row)
    answer = [
        (*key, *(_aggregate(item.value, fields, members) for item in node.aggregates))
        for key, members in groups.items()
    ]
    return [row for row in answer if node.having is None or value(node.having, node.fields, row) is True]


def _aggregate(agg: Any, fields: Any, rows: Rows) -> Any:
    rows = [row for row in rows if agg.where is None or value(agg.where, fields, row) is True]
    if agg.operand is None:
        return len(rows)
    values = [found for row in rows if (found := value(agg.operand, fields, row)) is not None]
    values = list(dict.fromkeys(values)) if agg.distinct else values
    if agg.function == "count":
        return len(values)
    return {"sum": sum, "min": min, "max": max}[agg.function](values) if values else None


@apply.register
def _(node: ir.Distinct, rows: Rows) -> Rows:
    return list(dict.fromkeys(rows))


@apply.register
def _(node: ir.SetOp, left: Rows, right: Rows) -> Rows:
    one, two = Counter(left), Counter(right)
    answer = {"union": one + two, "except": one - two, "intersect": one & two}[node.kind]
    if not node.all:
        answer = Counter({row for row in (one + two) if _stays(node.kind, one[row], two[row])})
    return list(answer.elements())


def _stays(kind: str, one: int, two: int) -> bool:
    return {"union": True, "except": one > 0 and not two, "intersect": one > 0 and two > 0}[kind]


@apply.register
def _(node: ir.Limit, rows: Rows) -> Rows:
    for key in reversed(node.order):
        rows = sorted(rows, key=lambda row: _sort_key(key, node.child.fields, row), reverse=key.descending)
    return rows[node.offset : node.offset + node.count]


def _sort_key(key: ir.SortKey, fields: Any, row: Any) -> Any:
    found = value(key.value, fields, row)
    nulls_low = key.nulls_first != key.descending
    return (found is not None) == nulls_low, (0 if found is None else found)


@singledispatch
def value(node: Any, fields: Any, row: Any) -> Any:
    """The value of an expression over one row: three-valued logic, NULL as None."""
    raise NotImplementedError(type(node).__name__)


@value.register
def _(node: ir.Lit, fields: Any, row: Any) -> Any:
    return node.value


@value.register
def _(node: ir.Col, fields: Any, row: Any) -> Any:
    (field,) = ir.resolve(node, fields)
    return row[next(at for at, candidate in enumerate(fields) if candidate is field)]


@value.register
def _(node: ir.Compare, fields: Any, row: Any) -> Any:
    one, two = value(node.left, fields, row), value(node.right, fields, row)
    if node.op == "<=>":
        return one == two
    return None if None in (one, two) else _COMPARE[node.op](one, two)


@value.register
def _(node: ir.And, fields: Any, row: Any) -> Any:
    sides = (value(node.left, fields, row), value(node.right, fields, row))
    return False if False in sides else None if None in sides else True


@value.register
def _(node: ir.Or, fields: Any, row: Any) -> Any:
    sides = (value(node.left, fields, row), value(node.right, fields, row))
    return True if True in sides else None if None in sides else False


@value.register
def _(node: ir.Not, fields: Any, row: Any) -> Any:
    found = value(node.operand, fields, row)
    return None if found is None else not found


@value.register
def _(node: ir.IsNull, fields: Any, row: Any) -> Any:
    return (value(node.operand, fields, row) is None) != node.negated


@value.register
def _(node: ir.InList, fields: Any, row: Any) -> Any:
    found, items = value(node.operand, fields, row), [value(item, fields, row) for item in node.items]
    answer = None if found is None or (None in items and found not in items) else found in items
    return answer if answer is None else answer != node.negated


@value.register
def _(node: ir.CaseWhen, fields: Any, row: Any) -> Any:
    for branch in node.branches:
        if value(branch.condition, fields, row) is True:
            return value(branch.result, fields, row)
    return None if node.otherwise is None else value(node.otherwise, fields, row)


@value.register
def _(node: ir.Coalesce, fields: Any, row: Any) -> Any:
    return next((found for operand in node.operands if (found := value(operand, fields, row)) is not None), None)


@value.register
def _(node: ir.Arith, fields: Any, row: Any) -> Any:
    one, two = value(node.left, fields, row), value(node.right, fields, row)
    return None if None in (one, two) else _ARITH[node.op](one, two)


@value.register
def _(node: ir.Cast, fields: Any, row: Any) -> Any:
    return value(node.operand, fields, row)  # integers alone are cast here


@value.register
def _(node: ir.Call, fields: Any, row: Any) -> Any:
    found = [value(argument, fields, row) for argument in node.arguments]
    return None if None in found else {"length": len, "upper": str.upper}[node.function](*found)
