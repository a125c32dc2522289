"""Calls of user-defined functions: deterministic ones in Python and in Scala, each with its meaning in the algebra."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from strategies.ir.expressions import Call, CaseWhen, Coalesce, Compare, Expr, IsNull, Lit, Remainder, TryArith, When
from strategies.ir.types import BIGINT, BOOLEAN, INT, STRING, SqlType, type_text

Language = Literal["scala", "python", "translated"]
"""The languages of functions. "translated" is Python again, which a session translates to expressions if it can."""
LANGUAGES: tuple[Language, ...] = get_args(Language)


@dataclass(frozen=True, slots=True)
class UserFunction:
    """The types of a user-defined function, and ``meaning``: the expression that equals it over given operands."""

    arguments: tuple[SqlType, ...]
    result: SqlType
    meaning: Callable[..., Expr]


_ZERO, _NONE, _EMPTY = Lit(INT, 0), Lit(STRING, "none"), Lit(STRING, "")

USER_FUNCTIONS: dict[str, UserFunction] = {
    "add": UserFunction(
        (INT, INT), INT, lambda one, two: TryArith("+", Coalesce((one, _ZERO)), Coalesce((two, _ZERO)))
    ),
    "zero_if_null": UserFunction((BIGINT,), BIGINT, lambda one: Coalesce((one, Lit(BIGINT, 0)))),
    "mark": UserFunction(
        (STRING,),
        STRING,
        lambda one: CaseWhen((When(IsNull(one), _NONE),), Call("concat", (one, Lit(STRING, "!")))),
    ),
    "is_even": UserFunction((INT,), BOOLEAN, lambda one: Compare("=", Remainder(one, 2), _ZERO)),
    "same": UserFunction((STRING, STRING), BOOLEAN, lambda one, two: Compare("<=>", one, two)),
    "is_positive": UserFunction((INT,), BOOLEAN, lambda one: Coalesce((Compare(">", one, _ZERO), Lit(BOOLEAN, False)))),
    "first_filled": UserFunction(
        (STRING, STRING), STRING, lambda one, two: CaseWhen((When(Compare("<>", one, _EMPTY), one),), two)
    ),
    "compare": UserFunction(
        (INT, INT),
        INT,
        lambda one, two: CaseWhen(
            (
                When(Compare("<", one, two), Lit(INT, -1)),
                When(Compare("=", one, two), _ZERO),
                When(Compare(">", one, two), Lit(INT, 1)),
            )
        ),
    ),
    "seven": UserFunction((), INT, lambda: Lit(INT, 7)),
}
"""The functions, each in every language, with NULL handling of its own: ``add``, ``zero_if_null`` and ``mark`` make
values of NULL, for ``is_even`` and ``compare`` NULL stays NULL, ``same`` and ``is_positive`` are never NULL,
``first_filled`` takes NULL for an empty text, and ``seven`` takes nothing. None raises.
"""


@dataclass(frozen=True, slots=True)
class UserCall(Expr):
    """A call of the function of :data:`USER_FUNCTIONS` that is written in ``language``."""

    language: Language
    function: str
    operands: tuple[Expr, ...]

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            raise self._refuse(f"no language {self.language!r}")
        known = USER_FUNCTIONS.get(self.function)
        if known is None:
            raise self._refuse(f"no function {self.function!r}")
        types = tuple(operand.type for operand in self.operands)
        if types != known.arguments:
            needed, got = (", ".join(map(type_text, kinds)) for kinds in (known.arguments, types))
            raise self._refuse(f"{self.function} takes ({needed}), got ({got})")
        self._has_type(known.result)

    @property
    def name(self) -> str:
        """The name under which a Spark session has the function."""
        return f"{self.language}_{self.function}"

    @property
    def is_python(self) -> bool:
        """Whether the function is in Python, be it translated or not."""
        return self.language != "scala"

    @property
    def meaning(self) -> Expr:
        """The expression without a user-defined function that equals the call."""
        return USER_FUNCTIONS[self.function].meaning(*self.operands)
