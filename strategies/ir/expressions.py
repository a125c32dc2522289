"""Scalar and aggregate expressions: typed, checked where they are built, SQL's three-valued logic.

Arithmetic that can raise isn't refused here: whoever builds ``Arith`` sees to it that operands fit (the
strategies widen them, or use ``TryArith``). Casts are: only those of ``can_cast`` exist.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from strategies.ir.functions import FUNCTIONS
from strategies.ir.node import Node
from strategies.ir.types import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    INTEGERS,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Decimal,
    InvalidQuery,
    SqlType,
    Value,
    check_value,
    common_type,
    type_text,
)

CompareOp = Literal["=", "<>", "<", "<=", ">", ">=", "<=>"]
COMPARE_OPS: tuple[CompareOp, ...] = ("=", "<>", "<", "<=", ">", ">=", "<=>")
ArithOp = Literal["+", "-", "*"]
ARITH_OPS: tuple[ArithOp, ...] = ("+", "-", "*")


@dataclass(frozen=True, slots=True)
class Expr(Node):
    """An expression over the columns of one relation; ``type`` is worked out when it is built."""

    type: SqlType = field(init=False, repr=False, compare=False)

    def _has_type(self, kind: SqlType) -> None:
        object.__setattr__(self, "type", kind)

    def _refuse(self, why: str) -> InvalidQuery:
        return InvalidQuery(f"{type(self).__name__}: {why}")

    def _boolean(self, *operands: Expr) -> None:
        for operand in operands:
            if operand.type != BOOLEAN:
                raise self._refuse(f"needs BOOLEAN, got {type_text(operand.type)}")
        self._has_type(BOOLEAN)

    def _unify(self, *operands: Expr) -> SqlType:
        kinds = {operand.type for operand in operands}
        if len(kinds) != 1:
            raise self._refuse(f"needs operands of one type, got {sorted(map(type_text, kinds))}")
        return operands[0].type


@dataclass(frozen=True, slots=True)
class Lit(Expr):
    """A typed constant; ``value`` is plain data as in :mod:`strategies.ir.types`."""

    kind: SqlType
    value: Value

    def __post_init__(self) -> None:
        check_value(self.kind, self.value)
        self._has_type(self.kind)


@dataclass(frozen=True, slots=True)
class Col(Expr):
    """A column of the relation below, by name; ``qualifier`` where the name alone is ambiguous."""

    name: str
    kind: SqlType
    qualifier: str | None = None

    def __post_init__(self) -> None:
        self._has_type(self.kind)


@dataclass(frozen=True, slots=True)
class Compare(Expr):
    """``left op right`` over types that have a common one; ``<=>`` is null-safe equality."""

    op: CompareOp
    left: Expr
    right: Expr

    def __post_init__(self) -> None:
        if self.op not in COMPARE_OPS:
            raise self._refuse(f"no operator {self.op!r}")
        if common_type(self.left.type, self.right.type) is None:
            raise self._refuse(f"{type_text(self.left.type)} {self.op} {type_text(self.right.type)}")
        self._has_type(BOOLEAN)


@dataclass(frozen=True, slots=True)
class And(Expr):
    """SQL's AND: FALSE beats NULL."""

    left: Expr
    right: Expr

    def __post_init__(self) -> None:
        self._boolean(self.left, self.right)


@dataclass(frozen=True, slots=True)
class Or(Expr):
    """SQL's OR: TRUE beats NULL."""

    left: Expr
    right: Expr

    def __post_init__(self) -> None:
        self._boolean(self.left, self.right)


@dataclass(frozen=True, slots=True)
class Not(Expr):
    """SQL's NOT: NULL stays NULL."""

    operand: Expr

    def __post_init__(self) -> None:
        self._boolean(self.operand)


@dataclass(frozen=True, slots=True)
class IsNull(Expr):
    """``operand IS [NOT] NULL``, never NULL itself."""

    operand: Expr
    negated: bool = False

    def __post_init__(self) -> None:
        self._has_type(BOOLEAN)


@dataclass(frozen=True, slots=True)
class InList(Expr):
    """``operand [NOT] IN (items)``; a NULL item makes a miss NULL."""

    operand: Expr
    items: tuple[Expr, ...]
    negated: bool = False

    def __post_init__(self) -> None:
        if not self.items:
            raise self._refuse("needs at least one item")
        self._unify(self.operand, *self.items)
        self._has_type(BOOLEAN)


@dataclass(frozen=True, slots=True)
class Between(Expr):
    """``operand [NOT] BETWEEN low AND high``, both ends included."""

    operand: Expr
    low: Expr
    high: Expr
    negated: bool = False

    def __post_init__(self) -> None:
        self._unify(self.operand, self.low, self.high)
        self._has_type(BOOLEAN)


@dataclass(frozen=True, slots=True)
class When(Node):
    """One branch of a CASE."""

    condition: Expr
    result: Expr


@dataclass(frozen=True, slots=True)
class CaseWhen(Expr):
    """``CASE WHEN … THEN … ELSE … END``; without ``otherwise`` a row that no branch takes is NULL."""

    branches: tuple[When, ...]
    otherwise: Expr | None = None

    def __post_init__(self) -> None:
        if not self.branches:
            raise self._refuse("needs at least one branch")
        self._boolean(*(branch.condition for branch in self.branches))
        results = [branch.result for branch in self.branches]
        self._has_type(self._unify(*results, *([self.otherwise] if self.otherwise else [])))


@dataclass(frozen=True, slots=True)
class Coalesce(Expr):
    """The first operand that isn't NULL."""

    operands: tuple[Expr, ...]

    def __post_init__(self) -> None:
        if not self.operands:
            raise self._refuse("needs at least one operand")
        self._has_type(self._unify(*self.operands))


@dataclass(frozen=True, slots=True)
class NullIf(Expr):
    """``left``, or NULL where it equals ``right``."""

    left: Expr
    right: Expr

    def __post_init__(self) -> None:
        self._has_type(self._unify(self.left, self.right))


@dataclass(frozen=True, slots=True)
class Arith(Expr):
    """``left op right`` of one integer type or DOUBLE; integers raise on overflow."""

    op: ArithOp
    left: Expr
    right: Expr

    def __post_init__(self) -> None:
        self._has_type(_arithmetic_type(self))


@dataclass(frozen=True, slots=True)
class TryArith(Expr):
    """As :class:`Arith`, but NULL on overflow."""

    op: ArithOp
    left: Expr
    right: Expr

    def __post_init__(self) -> None:
        self._has_type(_arithmetic_type(self))


def _arithmetic_type(node: Arith | TryArith) -> SqlType:
    if node.op not in ARITH_OPS:
        raise node._refuse(f"no operator {node.op!r}")
    kind = node._unify(node.left, node.right)
    if kind not in (*INTEGERS, DOUBLE):
        raise node._refuse(f"{type_text(kind)} has no {node.op}")
    return kind


@dataclass(frozen=True, slots=True)
class Remainder(Expr):
    """``left % divisor``, sign of the dividend; the divisor is a constant other than 0 and -1.

    (-1 is left out: DuckDB raises for the least integer.)
    """

    left: Expr
    divisor: int

    def __post_init__(self) -> None:
        if self.divisor in (0, -1):
            raise self._refuse("the divisor must not be 0 or -1")
        if self.left.type not in INTEGERS:
            raise self._refuse(f"needs an integer, got {type_text(self.left.type)}")
        check_value(self.left.type, self.divisor)
        self._has_type(self.left.type)


@dataclass(frozen=True, slots=True)
class Cast(Expr):
    """A cast that can't fail for any value; see :func:`can_cast`."""

    operand: Expr
    to: SqlType

    def __post_init__(self) -> None:
        if not can_cast(self.operand.type, self.to):
            raise self._refuse(f"{type_text(self.operand.type)} to {type_text(self.to)} may fail or differ")
        self._has_type(self.to)


_SAFE_CASTS: frozenset[tuple[SqlType, SqlType]] = frozenset(
    {
        (SMALLINT, INT),
        (SMALLINT, BIGINT),
        (INT, BIGINT),
        (SMALLINT, DOUBLE),
        (INT, DOUBLE),
        (BIGINT, DOUBLE),
        (BOOLEAN, INT),
        (INT, BOOLEAN),
        (BOOLEAN, STRING),
        (SMALLINT, STRING),
        (INT, STRING),
        (BIGINT, STRING),
        (DATE, STRING),
        (DATE, TIMESTAMP_NTZ),
        (DATE, TIMESTAMP),
        (TIMESTAMP_NTZ, DATE),
        (TIMESTAMP, DATE),
        (STRING, BINARY),
    }
)
_WHOLE_DIGITS: dict[SqlType, int] = {SMALLINT: 5, INT: 10, BIGINT: 19}


def can_cast(source: SqlType, target: SqlType) -> bool:
    """Whether every value of ``source`` casts to ``target``, with one result on both engines."""
    if source == target or (source, target) in _SAFE_CASTS:
        return True
    if not isinstance(target, Decimal):
        # With more digits after the point Spark writes 1E-7, unless in ANSI mode.
        return isinstance(source, Decimal) and target == STRING and source.scale <= 6
    room = target.precision - target.scale
    if isinstance(source, Decimal):
        return room >= source.precision - source.scale and target.scale >= source.scale
    return room >= _WHOLE_DIGITS.get(source, 39)


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """A function of :data:`strategies.ir.functions.FUNCTIONS`."""

    function: str
    arguments: tuple[Expr, ...]

    def __post_init__(self) -> None:
        signature = FUNCTIONS.get(self.function)
        if signature is None:
            raise self._refuse(f"no function {self.function!r}")
        if tuple(argument.type for argument in self.arguments) != signature.arguments:
            got = ", ".join(type_text(argument.type) for argument in self.arguments)
            raise self._refuse(f"{self.function} takes {signature.arguments}, got ({got})")
        constants = [self.arguments[position] for position in signature.constants]
        values = [constant.value for constant in constants if isinstance(constant, Lit)]
        if len(values) != len(constants) or None in values or not signature.check(*values):
            raise self._refuse(f"{self.function}: arguments {signature.constants} must be literals in its range")
        self._has_type(signature.result)


AggFunction = Literal["count", "sum", "avg", "min", "max", "every", "some"]
AGG_FUNCTIONS: tuple[AggFunction, ...] = ("count", "sum", "avg", "min", "max", "every", "some")


@dataclass(frozen=True, slots=True)
class Agg(Node):
    """``function([DISTINCT] operand) [FILTER (WHERE where)]``; no operand is ``count(*)``.

    sum and avg take SMALLINT, INT or BIGINT, DOUBLE, and sum a decimal; who sums BIGINT keeps it small.
    """

    function: AggFunction
    operand: Expr | None = None
    distinct: bool = False
    where: Expr | None = None
    type: SqlType = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.function not in AGG_FUNCTIONS:
            raise InvalidQuery(f"Agg: no function {self.function!r}")
        if self.operand is None and (self.function != "count" or self.distinct):
            raise InvalidQuery(f"Agg: {self.function} needs an operand")
        if self.where is not None and self.where.type != BOOLEAN:
            raise InvalidQuery(f"Agg: FILTER needs BOOLEAN, got {type_text(self.where.type)}")
        result = aggregate_type(self.function, self.operand.type if self.operand else None)
        if result is None:
            shown = type_text(self.operand.type) if self.operand else "*"
            raise InvalidQuery(f"Agg: no {self.function}({shown})")
        object.__setattr__(self, "type", result)


def aggregate_type(function: AggFunction, operand: SqlType | None) -> SqlType | None:
    """Spark's result type of ``function`` over ``operand`` (None for ``*``), or None where there is none."""
    if function == "count":
        return BIGINT
    if operand is None:
        return None
    if function in ("min", "max"):
        return operand
    if function in ("every", "some"):
        return BOOLEAN if operand == BOOLEAN else None
    if operand in INTEGERS:
        return DOUBLE if function == "avg" else BIGINT
    if operand == DOUBLE:
        return DOUBLE
    if function == "sum" and isinstance(operand, Decimal) and operand.precision <= 28:
        return Decimal(operand.precision + 10, operand.scale)
    return None
