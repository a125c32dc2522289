"""The choices for literal arguments of functions, simplest first."""

from __future__ import annotations

from itertools import product

from strategies.ir import Value

_SIZES = (1, 0, 2, 9)
_UNITS = ("MONTH", "YEAR", "QUARTER", "WEEK")
_TOKENS = ("a", "%", "_")
_PATTERNS = ("".join(tokens) for length in (1, 2, 3) for tokens in product(_TOKENS, repeat=length))
_LIKE = tuple(dict.fromkeys(("a%", "%", "", "_", "%b", "A_", "_%_", "\\%", "$_", "%$%", *_PATTERNS)))
_PLAIN = ("a%", "%b", "%a%", "a", "a%b", "%", "", "_%", "b_")
_MONTHS = (1, 0, -1, 13, -400)

CONSTANTS: dict[str, tuple[tuple[Value, ...], ...]] = {
    "trim_both": (("a", " ", "b"),),
    "trim_leading": (("a", " ", "b"),),
    "trim_trailing": (("a", " ", "b"),),
    "concat_ws": (("-", "", "ab"),),
    "translate": (("a", "ab", ""), ("b", "", "xy")),
    "repeat": ((1, 2, 0, -1),),
    "substring": ((1, 2, -1, -3, 4), _SIZES),
    "left": (_SIZES,),
    "right": (_SIZES,),
    "lpad": ((1, 0, 3), ("a", "xy")),
    "rpad": ((1, 0, 3), ("a", "xy")),
    "split_part": (("a", " ", "b"), (1, 2, -1, 3)),
    "split": (("a", " ", "b"),),
    "like": (_LIKE,),
    "ilike": (_LIKE,),
    "like_all": (_PLAIN, _PLAIN),
    "like_any": (_PLAIN, _PLAIN),
    "not_like_all": (_PLAIN, _PLAIN),
    "not_like_any": (_PLAIN, _PLAIN),
    "rlike": (("a", "^a", "b$", "[0-9]+", "^$", "a|b", "A."),),
    "regexp_replace": (("a", "[ab]", "^a", "[0-9]+"), ("b", "", "xy")),
    "regexp_extract": (("(a)(b)", "(.)(.)", "([0-9])()"), (1, 0, 2)),
    "chr": ((97, 32, 65),),
    "start_of": (_UNITS,),
    "truncated": (("DAY", "HOUR", *_UNITS),),
    "make_date": ((1, 2, 12), (1, 28)),
    "date_add": ((1, 0, -1, 31, -400, 10_000),),
    "add_months": (_MONTHS,),
    "plus_days": ((1, 0, -1, 31, -400),),
    "plus_hours": ((1, 0, -1, 25, -1_000),),
    "plus_months": (_MONTHS,),
    "plus_interval": ((1_000_000, 0, -1, 90_000_000_000, -800_000_000_000_000),),
    "plus_month_interval": (_MONTHS,),
    "conv": ((-2, 16, 2, -16),),
    "positive_modulo": ((2, 3, 1, 10),),
    "shift_left": ((1, 0, 2, 10),),
    "shift_right": ((1, 0, 2, 31),),
    "decimal_round": ((1, 0, 2),),
    "integer_power": ((2, 0, 1, 3),),
    "array_get": ((0, 1, 2),),
    "array_at": ((1, 2, -1, -3),),
    "slice": ((1, 2), (1, 2, 0)),
    "array_repeat": ((1, 2, 0, 3),),
    "sequence": ((1, 0, -1), (1, 2)),
    "array_join": (("-", ""),),
}
"""By function, the choices for each of its constants."""
