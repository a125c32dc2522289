"""Scalar expressions: typed, checked by their constructors, with SQL's three-valued logic.

``Arith`` may overflow: its constructor doesn't check that; the strategies widen the operands, or use ``TryArith``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from strategies.ir.functions import FUNCTIONS, UNDRAWN
from strategies.ir.node import Node
from strategies.ir.types import (
    BOOLEAN,
    DOUBLE,
    INTEGERS,
    Decimal,
    InvalidQuery,
    Map,
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
    """An expression over the columns of one relation; its constructor derives ``type``."""

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
    """A column of the input relation, by name, with ``qualifier`` if the name alone is ambiguous."""

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


def conjuncts(condition: Expr) -> tuple[Expr, ...]:
    """The parts of ``condition`` that are all asked for: its own parts below AND, or itself."""
    if isinstance(condition, And):
        return (*conjuncts(condition.left), *conjuncts(condition.right))
    return (condition,)


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
    """``CASE WHEN … THEN … ELSE … END``; NULL if no branch matches and there is no ``otherwise``."""

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
    """``left``, or NULL if it equals ``right``."""

    left: Expr
    right: Expr

    def __post_init__(self) -> None:
        if isinstance(self.left.type, Map):
            raise self._refuse("compares no maps")
        self._has_type(self._unify(self.left, self.right))


@dataclass(frozen=True, slots=True)
class Arith(Expr):
    """``left op right`` of one integer type, DOUBLE, or two decimals; integers raise on overflow.

    The result type of decimals holds every value, and must have no more than 38 digits.
    """

    op: ArithOp
    left: Expr
    right: Expr

    def __post_init__(self) -> None:
        exact = decimal_type(self.op, self.left.type, self.right.type)
        self._has_type(exact or _arithmetic_type(self))


@dataclass(frozen=True, slots=True)
class TryArith(Expr):
    """As :class:`Arith`, but NULL on overflow."""

    op: ArithOp
    left: Expr
    right: Expr

    def __post_init__(self) -> None:
        self._has_type(_arithmetic_type(self))


def decimal_type(op: ArithOp, left: SqlType, right: SqlType) -> Decimal | None:
    """Spark's type of ``left op right`` if both are decimals and the result needs no rounding; else None."""
    if not isinstance(left, Decimal) or not isinstance(right, Decimal):
        return None
    scale = left.scale + right.scale if op == "*" else max(left.scale, right.scale)
    whole = max(left.precision - left.scale, right.precision - right.scale) + 1
    precision = left.precision + right.precision + 1 if op == "*" else whole + scale
    return Decimal(precision, scale) if precision <= 38 else None


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

    (-1 is excluded because DuckDB raises for the least integer.)
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
class Call(Expr):
    """A function of :data:`strategies.ir.functions.FUNCTIONS`."""

    function: str
    arguments: tuple[Expr, ...]

    def __post_init__(self) -> None:
        signature = FUNCTIONS.get(self.function)
        if signature is None:
            raise self._refuse(f"no function {self.function!r}")
        types = tuple(argument.type for argument in self.arguments)
        variable = signature.variable(types)
        if variable is None:
            got = ", ".join(map(type_text, types))
            raise self._refuse(f"{self.function} takes {signature.arguments}, got ({got})")
        constants = [self.arguments[position] for position in signature.constants]
        values = [constant.value for constant in constants if isinstance(constant, Lit)]
        if len(values) != len(constants) or None in values or not signature.check(*values):
            raise self._refuse(f"{self.function}: arguments {signature.constants} must be literals in its range")
        self._has_type(signature.gives(variable, *values))

    @property
    def is_undrawn(self) -> bool:
        """Whether the function is one that drawn queries don't call."""
        return self.function in UNDRAWN
