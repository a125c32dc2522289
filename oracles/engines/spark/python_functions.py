"""The user-defined functions in Python, by their names in :data:`strategies.ir.USER_FUNCTIONS`.

The text of each is also that of a script for stock Spark: a function needs nothing but itself.
"""


def add(one: int | None, two: int | None) -> int | None:
    """The sum, with 0 for NULL; NULL if it is no INT."""
    total = (one or 0) + (two or 0)
    return total if -(2**31) <= total < 2**31 else None


def zero_if_null(one: int | None) -> int:
    """The operand, or 0 for NULL."""
    return 0 if one is None else one


def mark(one: str | None) -> str:
    """The text with a mark at its end, or 'none' for NULL."""
    return "none" if one is None else one + "!"


def is_even(one: int | None) -> bool | None:
    """Whether the number is even; NULL for NULL."""
    return None if one is None else one % 2 == 0


def same(one: str | None, two: str | None) -> bool:
    """Whether both texts are equal, or both are NULL."""
    return one == two


def seven() -> int:
    """The number 7."""
    return 7
