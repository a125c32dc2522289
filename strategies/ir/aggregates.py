"""Aggregate expressions: typed, and checked by their constructors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from strategies.ir.expressions import And, Arith, Between, Call, CaseWhen, Compare, Expr, Lit, Or, When
from strategies.ir.node import Node
from strategies.ir.signatures import is_plain
from strategies.ir.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    INTEGERS,
    SMALLINT,
    STRING,
    TINYINT,
    WHOLE,
    Array,
    Decimal,
    InvalidQuery,
    Map,
    SqlType,
    type_text,
)

AggFunction = Literal[
    "count",
    "sum",
    "avg",
    "min",
    "max",
    "every",
    "some",
    "count_if",
    "bit_and_agg",
    "bit_or_agg",
    "bit_xor_agg",
    "percentile",
    "percentile_approx",
    "mode",
    "max_by",
    "min_by",
    "collect_list",
    "collect_set",
    "listagg",
    "regr_count",
]
AGG_FUNCTIONS: tuple[AggFunction, ...] = get_args(AggFunction)
DISTINCT_AGGREGATES: tuple[AggFunction, ...] = ("count", "sum", "avg", "min", "max", "every", "some", "listagg")
"""Functions that allow DISTINCT."""
WINDOW_AGGREGATES: tuple[AggFunction, ...] = ("count", "sum", "avg", "min", "max", "every", "some")
"""Functions that may be used over a window: with one operand, and avg not for decimals."""
OF_SEVERAL: tuple[AggFunction, ...] = ("percentile", "percentile_approx", "listagg", "max_by", "min_by", "regr_count")
"""Functions that need more than their operand."""


def is_number(kind: SqlType) -> bool:
    """Whether ``kind`` is one of the types that sum and avg are about."""
    return kind in (*WHOLE, DOUBLE) or isinstance(kind, Decimal)


@dataclass(frozen=True, slots=True)
class Agg(Node):
    """``function([DISTINCT] operand[, others]) [FILTER (WHERE where)]``; no operand is ``count(*)``.

    sum and avg take integers, DOUBLE and decimals; who sums BIGINT keeps it small. ``others``: any
    number of more expressions for count, the constant share of the percentiles and separator of listagg, the other
    number of regr_count, the key of max_by and min_by (of equal keys the greater or lesser operand decides). Lists are
    sorted, NULLs left out. percentile_approx is the first value that is no less than its share of the values, because
    no group has as many rows as its sketch keeps. mode is the least of the most frequent values, 0.0 for both zeros.
    """

    function: AggFunction
    operand: Expr | None = None
    distinct: bool = False
    where: Expr | None = None
    others: tuple[Expr, ...] = ()
    type: SqlType = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.function not in AGG_FUNCTIONS:
            raise InvalidQuery(f"Agg: no function {self.function!r}")
        if self.operand is None and (self.function != "count" or self.distinct or self.others):
            raise InvalidQuery(f"Agg: {self.function} needs an operand")
        if self.distinct and not self.can_be_distinct:
            raise InvalidQuery(f"Agg: {self.function} has no DISTINCT")
        if self.where is not None and self.where.type != BOOLEAN:
            raise InvalidQuery(f"Agg: FILTER needs BOOLEAN, got {type_text(self.where.type)}")
        result = aggregate_type(self.function, self.operand.type if self.operand else None)
        if result is None:
            shown = type_text(self.operand.type) if self.operand else "*"
            raise InvalidQuery(f"Agg: no {self.function}({shown})")
        if not _others_fit(self.function, self.others):
            raise InvalidQuery(f"Agg: {self.function} doesn't take {self.others}")
        object.__setattr__(self, "type", result)

    @property
    def can_be_distinct(self) -> bool:
        """Whether there is this aggregate with DISTINCT, which compares no maps."""
        compared = self.operand is not None and not isinstance(self.operand.type, Map)
        return self.function in DISTINCT_AGGREGATES and compared


def _others_fit(function: AggFunction, others: tuple[Expr, ...]) -> bool:
    match function, others:
        case "count", _:
            return True
        case (("percentile" | "percentile_approx"), (Lit(kind=kind, value=str(share)),)):
            return kind == DOUBLE and 0 <= float.fromhex(share) <= 1
        case "listagg", (Lit(kind=kind, value=str()),):
            return kind == STRING
        case "regr_count", (other,):
            return is_number(other.type)
        case (("max_by" | "min_by"), (_,)):
            return True
    return not others and function not in OF_SEVERAL


def aggregate_type(function: AggFunction, operand: SqlType | None) -> SqlType | None:
    """Spark's result type of ``function`` over ``operand`` (None for ``*``), or None where there is none."""
    if function == "count":
        return BIGINT
    if operand is None:
        return None
    if function in ("min", "max", "max_by", "min_by"):
        return operand
    if function in ("every", "some", "count_if"):
        return (BIGINT if function == "count_if" else BOOLEAN) if operand == BOOLEAN else None
    if function in ("bit_and_agg", "bit_or_agg", "bit_xor_agg"):
        return operand if operand in INTEGERS else None
    if function == "mode":
        return operand if is_plain(operand) else None
    if function in ("collect_list", "collect_set"):
        return Array(operand) if is_plain(operand) else None
    if function == "regr_count":
        return BIGINT if is_number(operand) else None
    if function == "listagg":
        return STRING if operand == STRING else None
    if function == "percentile":
        return DOUBLE if operand in (TINYINT, SMALLINT, INT, DOUBLE) else None
    if function == "percentile_approx":
        return operand if _is_exact_as_double(operand) else None
    return _sum_type(function, operand)


def _is_exact_as_double(kind: SqlType) -> bool:
    """Whether each value of ``kind`` has a double of its own, as which percentile_approx keeps it, and one zero."""
    return kind in (TINYINT, SMALLINT, INT, DATE) or (isinstance(kind, Decimal) and kind.precision <= 15)


def _sum_type(function: AggFunction, operand: SqlType) -> SqlType | None:
    if operand in WHOLE:
        return DOUBLE if function == "avg" else BIGINT
    if operand == DOUBLE:
        return DOUBLE
    if not isinstance(operand, Decimal):
        return None
    if function == "avg":
        return Decimal(operand.precision + 4, operand.scale + 4) if operand.precision <= 18 else None
    return Decimal(operand.precision + 10, operand.scale) if operand.precision <= 28 else None


_EIGHT, _MOST = Lit(DOUBLE, (8.0).hex()), (100_000.0).hex()


def interpolated(operand: Expr) -> Expr:
    """The operand of percentile as it is asked: a DOUBLE only where it is NaN or one of the smaller eighths.

    Between any others the last digit, and what is between an infinity and a number, is another in each release.
    """
    if operand.type != DOUBLE:
        return operand
    eighths = Arith("*", operand, _EIGHT)
    is_small = Between(operand, Lit(DOUBLE, f"-{_MOST}"), Lit(DOUBLE, _MOST))
    is_exact = And(is_small, Compare("=", eighths, Call("round", (eighths,))))
    return CaseWhen((When(Or(Call("is_nan", (operand,)), is_exact), operand),))
