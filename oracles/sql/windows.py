"""SQL for window functions."""

from __future__ import annotations

from oracles.sql.scalars import Scalars
from oracles.sql.selects import Selects
from strategies.ir import DATE, INT, TIMESTAMP, TIMESTAMP_NTZ, Agg, Frame, Lit, Over, Peek, Ranking, Window

_DAYS = (DATE, TIMESTAMP, TIMESTAMP_NTZ)


class Windows(Selects, Scalars):
    """The part of a compiler for windows: a select list of ``*`` and the functions with OVER."""

    _window: Window
    """The window whose column is being compiled."""

    def visit_Window(self, node: Window) -> str:
        return f"SELECT *, {self.named_windows(node)} {self.source(node.child)}"

    def named_windows(self, node: Window) -> str:
        """The functions of ``node`` as items of a select list."""
        columns = zip(self.windowed(node), node.columns, strict=True)
        return ", ".join(f"{text} AS {self.quote(over.name)}" for text, over in columns)

    def windowed(self, node: Window) -> list[str]:
        """The texts of the functions of ``node``, each with its OVER."""
        texts = []
        for column in node.columns:
            self._window = node  # each time: an expression in the last column may have a window of its own
            texts.append(self.visit(column))
        return texts

    def visit_Over(self, node: Over) -> str:
        window, function = self._window, node.function
        parts = []
        if window.partition:
            parts.append(f"PARTITION BY {', '.join(map(self.visit, window.partition))}")
        if window.order:
            parts.append(f"ORDER BY {', '.join(map(self.visit, window.order))}")
        if node.frame is not None:
            self._window = window
            parts.append(self.visit(node.frame))
        call = self.aggregate(function) if isinstance(function, Agg) else self.visit(function)
        return self.in_spark_type(function, f"{call} OVER ({' '.join(parts)})")

    def visit_Ranking(self, node: Ranking) -> str:
        return f"{node.function}({'' if node.buckets is None else node.buckets})"

    def visit_Peek(self, node: Peek) -> str:
        arguments = [self.visit(node.operand)]
        if node.offset is not None:
            arguments.append(self.visit(Lit(INT, node.offset)))
        if node.default is not None:
            arguments.append(self.visit(node.default))
        template = self.IGNORE_NULLS if node.ignore_nulls else "{}({})"
        return template.format(node.function, ", ".join(arguments))

    def visit_Frame(self, node: Frame) -> str:
        order = self._window.order
        in_days = node.unit == "range" and bool(order) and order[0].value.type in _DAYS
        low, high = _bound(node.low, "PRECEDING", in_days), _bound(node.high, "FOLLOWING", in_days)
        return f"{node.unit.upper()} BETWEEN {low} AND {high}"


def _bound(offset: int | None, side: str, in_days: bool) -> str:
    if offset is None:
        return f"UNBOUNDED {side}"
    if offset == 0:
        return "CURRENT ROW"
    distance = f"INTERVAL '{abs(offset)}' DAY" if in_days else str(abs(offset))
    return f"{distance} {'PRECEDING' if offset < 0 else 'FOLLOWING'}"
