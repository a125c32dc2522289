"""The user-defined functions in Python, by their names in :data:`strategies.ir.USER_FUNCTIONS`.

The text of each is also that of a script for stock Spark: a function needs nothing but itself. Spark translates only
functions of one statement, so none of these has a docstring. ``add`` is one that Spark can't translate.
"""
# ruff: noqa: D103


def add(one: int | None, two: int | None) -> int | None:
    # The sum, with 0 for NULL; NULL if it is no INT.
    total = (one or 0) + (two or 0)
    return total if -(2**31) <= total < 2**31 else None


def zero_if_null(one: int | None) -> int:
    # The operand, or 0 for NULL.
    return 0 if one is None else one


def mark(one: str | None) -> str:
    # The text with a mark at its end, or 'none' for NULL.
    return "none" if one is None else one + "!"


def is_even(one: int | None) -> bool | None:
    # Whether the number is even; NULL for NULL.
    return None if one is None else one % 2 == 0


def same(one: str | None, two: str | None) -> bool:
    # Whether both texts are equal, or both are NULL.
    return one == two


def is_positive(one: int | None) -> bool:
    # Whether the number is above 0; false for NULL.
    return one is not None and one > 0


def first_filled(one: str | None, two: str | None) -> str | None:
    # The first text, or the second where the first is empty or NULL.
    return one if one else two  # noqa: FURB110 - Spark doesn't translate `or` of texts


def compare(one: int | None, two: int | None) -> int | None:
    # -1, 0 or 1, as the first number is below, equal to or above the second; NULL for NULL.
    if one is None or two is None:
        return None
    else:  # noqa: RET505 - without it there would be two statements
        return -1 if one < two else 1 if one > two else 0


def seven() -> int:
    # The number 7.
    return 7
