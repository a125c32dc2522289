"""SQLite's SQL for window functions."""

from __future__ import annotations

from collections.abc import Sequence

from oracles.sql.dialect import UnsupportedNode
from oracles.sql.sqlite.scalars import Scope, SqliteScalars
from oracles.sql.sqlite.values import MICROS_OF_A_DAY
from strategies.ir import (
    DATE,
    INTEGERS,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Field,
    Frame,
    Over,
    Peek,
    PeekFunction,
    Ranking,
    Relation,
    Window,
    type_text,
)

_OPPOSITE: dict[PeekFunction, PeekFunction] = {"lag": "lead", "lead": "lag"}


class SqliteWindows(SqliteScalars):
    """The part of the compiler for windows: a select list of the input's columns and the functions with OVER."""

    def item(self, relation: Relation, outer: Scope | None) -> tuple[str, str]:
        """``relation`` as a FROM item, and its alias; the compiler defines it."""
        raise NotImplementedError

    def columns(self, fields: Sequence[Field], alias: str, start: int = 0) -> tuple[tuple[Field, str], ...]:
        """``fields`` as the columns of the FROM item ``alias``; the compiler defines it."""
        raise NotImplementedError

    def visit_Window(self, node: Window, outer: Scope | None) -> str:
        child, alias = self.item(node.child, outer)
        scope = Scope(self.columns(node.child.fields, alias), outer)
        rows = []
        if node.partition:
            rows.append(f"PARTITION BY {', '.join(self.visit(part, scope) for part in node.partition)}")
        if node.order:
            rows.append(f"ORDER BY {', '.join(self.visit(key, scope) for key in node.order)}")
        texts = [text for _, text in scope.columns]
        texts += [self._over(over, node, rows, scope) for over in node.columns]
        return f"SELECT {', '.join(f'{text} AS c{place}' for place, text in enumerate(texts))} FROM {child}"

    def _over(self, over: Over, node: Window, rows: Sequence[str], scope: Scope) -> str:
        parts = [*rows, *([] if over.frame is None else [_frame(over.frame, node)])]
        call = self.visit(over.function, scope)
        if call.startswith("assay_"):  # Python's aggregate functions can't be used over windows: it can crash (3.11.7)
            raise UnsupportedNode(f"{type(self).__name__} has no {over.function.function} of DOUBLE over a window")
        return f"{call} OVER ({' '.join(parts)})"

    def visit_Ranking(self, node: Ranking, scope: Scope) -> str:
        return f"{node.function}({'' if node.buckets is None else node.buckets})"

    def visit_Peek(self, node: Peek, scope: Scope) -> str:
        if node.ignore_nulls:
            raise UnsupportedNode(f"{type(self).__name__} has no {node.function} that ignores NULLs")
        function, arguments, offset = node.function, [self.visit(node.operand, scope)], node.offset
        if offset is not None and offset < 0:
            function, offset = _OPPOSITE[function], -offset
        if offset is not None:
            arguments.append(str(offset))
        if node.default is not None:
            arguments.append(self.visit(node.default, scope))
        return f"{function}({', '.join(arguments)})"


def _frame(frame: Frame, node: Window) -> str:
    unit = 1
    if frame.unit == "range" and frame.has_offset:
        kind = node.order[0].value.type
        if kind not in (*INTEGERS, DATE, TIMESTAMP, TIMESTAMP_NTZ):
            raise UnsupportedNode(f"SqliteCompiler has no RANGE of {type_text(kind)}")
        unit = MICROS_OF_A_DAY if kind in (TIMESTAMP, TIMESTAMP_NTZ) else 1
    low, high = _bound(frame.low, "PRECEDING", unit), _bound(frame.high, "FOLLOWING", unit)
    return f"{frame.unit.upper()} BETWEEN {low} AND {high}"


def _bound(offset: int | None, side: str, unit: int) -> str:
    if offset is None:
        return f"UNBOUNDED {side}"
    if offset == 0:
        return "CURRENT ROW"
    return f"{abs(offset) * unit} {'PRECEDING' if offset < 0 else 'FOLLOWING'}"
