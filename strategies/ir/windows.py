"""Window functions: values of a row computed from the rows around it.

The engine may order peers in any way. So a function that depends on the position of a row, and not only on its peers
(:attr:`Over.needs_total_order`), needs an order in which peers are equal rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from strategies.ir.aggregates import WINDOW_AGGREGATES, Agg
from strategies.ir.bags import SortKey, names_every_column
from strategies.ir.expressions import Expr
from strategies.ir.node import Node
from strategies.ir.relations import Field, Relation
from strategies.ir.types import (
    DATE,
    DOUBLE,
    INT,
    INTEGERS,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Decimal,
    InvalidQuery,
    SqlType,
    type_text,
)

RankFunction = Literal["row_number", "rank", "dense_rank", "ntile", "percent_rank", "cume_dist"]
RANK_FUNCTIONS: tuple[RankFunction, ...] = (
    "row_number",
    "rank",
    "dense_rank",
    "ntile",
    "percent_rank",
    "cume_dist",
)
PeekFunction = Literal["lag", "lead", "first_value", "last_value", "nth_value"]
PEEK_FUNCTIONS: tuple[PeekFunction, ...] = ("lag", "lead", "first_value", "last_value", "nth_value")
FrameUnit = Literal["rows", "range"]
FRAME_UNITS: tuple[FrameUnit, ...] = ("rows", "range")

_SHIFTS = ("lag", "lead")
_DAYS = (DATE, TIMESTAMP, TIMESTAMP_NTZ)


@dataclass(frozen=True, slots=True)
class Frame(Node):
    """``ROWS | RANGE BETWEEN low AND high``: offsets from the current row, negative ones precede it.

    None is unbounded. A RANGE offset is in units of the order's one key, in days for a date or a timestamp; the sum of
    key and offset has to fit into the key's type, which the constructor doesn't check.
    """

    unit: FrameUnit
    low: int | None
    high: int | None

    def __post_init__(self) -> None:
        if self.unit not in FRAME_UNITS:
            raise InvalidQuery(f"Frame: no unit {self.unit!r}")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise InvalidQuery(f"Frame: ends at {self.high}, before it begins at {self.low}")

    @property
    def is_whole(self) -> bool:
        """Whether the frame is the whole partition."""
        return self.low is None and self.high is None

    @property
    def has_offset(self) -> bool:
        """Whether a bound is a number of rows or units away."""
        return bool(self.low) or bool(self.high)


@dataclass(frozen=True, slots=True)
class Ranking(Node):
    """The rank of a row in its partition; ``buckets`` is the argument of ntile, and only of ntile."""

    function: RankFunction
    buckets: int | None = None

    def __post_init__(self) -> None:
        if self.function not in RANK_FUNCTIONS:
            raise InvalidQuery(f"Ranking: no function {self.function!r}")
        if (self.buckets is not None) != (self.function == "ntile") or (self.buckets is not None and self.buckets < 1):
            raise InvalidQuery(f"Ranking: {self.function} of {self.buckets} buckets")

    @property
    def type(self) -> SqlType:
        """Spark's type: INT, or DOUBLE for the two functions that return shares."""
        return DOUBLE if self.function in ("percent_rank", "cume_dist") else INT


@dataclass(frozen=True, slots=True)
class Peek(Node):
    """The value of ``operand`` in another row of the partition (lag, lead) or of the frame.

    ``offset`` is the distance in rows (lag, lead; may be 0 or negative), or the row's number (nth_value, from 1);
    ``default`` is the value of lag and lead if there is no such row. With ``ignore_nulls`` rows with a NULL ``operand``
    don't count.
    """

    function: PeekFunction
    operand: Expr
    offset: int | None = None
    default: Expr | None = None
    ignore_nulls: bool = False

    def __post_init__(self) -> None:
        if self.function not in PEEK_FUNCTIONS:
            raise InvalidQuery(f"Peek: no function {self.function!r}")
        counts = self.function in (*_SHIFTS, "nth_value")
        if (self.offset is not None) != counts or (self.function == "nth_value" and (self.offset or 0) < 1):
            raise InvalidQuery(f"Peek: {self.function} with the offset {self.offset}")
        if self.default is not None and (self.function not in _SHIFTS or self.default.type != self.operand.type):
            raise InvalidQuery(
                f"Peek: {self.function} of {type_text(self.operand.type)} with a default of "
                f"{type_text(self.default.type)}"
            )

    @property
    def type(self) -> SqlType:
        """The operand's type."""
        return self.operand.type


@dataclass(frozen=True, slots=True)
class Over(Node):
    """``function OVER (… frame) AS name``.

    The default frame of an aggregate, first_value, last_value and nth_value is the rows up to the current one and its
    peers, or all rows if there is no order. The other functions have no frame.
    """

    name: str
    function: Ranking | Peek | Agg
    frame: Frame | None = None

    def __post_init__(self) -> None:
        named = self.function.function
        if self.frame is not None and (isinstance(self.function, Ranking) or named in _SHIFTS):
            raise InvalidQuery(f"Over: {named} has no frame")
        if isinstance(self.function, Agg) and self.function.distinct:
            raise InvalidQuery(f"Over: no {named}(DISTINCT …) in a window")
        if isinstance(self.function, Agg) and not _may_be_windowed(self.function):
            raise InvalidQuery(f"Over: no {named} of {self.function.operand!r} in a window")

    @property
    def type(self) -> SqlType:
        """The type of its column."""
        return self.function.type

    @property
    def needs_order(self) -> bool:
        """Whether it needs ORDER BY."""
        if isinstance(self.function, Agg):
            return self.frame is not None and not self.frame.is_whole
        return True

    @property
    def needs_total_order(self) -> bool:
        """Whether its value differs between peers, or depends on their order."""
        if isinstance(self.function, Agg):
            return self.frame is not None and self.frame.unit == "rows" and not self.frame.is_whole
        return not isinstance(self.function, Ranking) or self.function.function in ("row_number", "ntile")


def _may_be_windowed(function: Agg) -> bool:
    """Whether DuckDB computes ``function`` over a window in one call."""
    exact = function.function == "avg" and function.operand is not None and isinstance(function.operand.type, Decimal)
    return function.function in WINDOW_AGGREGATES and not function.others and not exact


@dataclass(frozen=True, slots=True)
class Window(Relation):
    """``SELECT *, columns FROM child WINDOW (PARTITION BY partition ORDER BY order)``: one more column for each."""

    child: Relation
    columns: tuple[Over, ...]
    partition: tuple[Expr, ...] = ()
    order: tuple[SortKey, ...] = ()

    def __post_init__(self) -> None:
        self._determined(self.child)
        names = [column.name for column in self.columns]
        if not names or len(set(names)) != len(names):
            raise self._refuse(f"needs at least one function and no name twice, got {names}")
        for part in (*self.columns, *self.partition, *self.order):
            self._resolve(part, self.child.fields)
        for column in self.columns:
            self._check_order(column)
        self._outputs((*self._unqualified(self.child.fields), *(Field(over.name, over.type) for over in self.columns)))

    def _check_order(self, over: Over) -> None:
        if over.needs_order and not self.order:
            raise self._refuse(f"{over.name} needs an order")
        if over.needs_total_order and not self.is_total:
            raise self._refuse(f"{over.name} needs an order that names every column, or its value is up to the engine")
        if over.frame is not None and over.frame.unit == "range" and over.frame.has_offset:
            kinds = [key.value.type for key in self.order]
            furthest = max(abs(over.frame.low or 0), abs(over.frame.high or 0))
            if len(kinds) != 1 or not can_be_moved(kinds[0], furthest):
                shown = ", ".join(map(type_text, kinds))
                raise self._refuse(f"{over.name} needs one key that can be added to, got ({shown})")

    @property
    def is_total(self) -> bool:
        """Whether peers in a partition are equal rows."""
        return names_every_column((*self.partition, *(key.value for key in self.order)), self.child.fields)


def can_be_moved(kind: SqlType, offset: int) -> bool:
    """Whether a RANGE frame can have ``offset`` from a key of ``kind``: ``offset`` fits into the type."""
    if isinstance(kind, Decimal):
        return len(str(abs(offset))) <= kind.precision - kind.scale
    return kind in (*INTEGERS, DOUBLE, *_DAYS)
