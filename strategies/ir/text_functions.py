"""Functions of strings and binary."""

from __future__ import annotations

import re

from strategies.ir.signatures import ANY, Signature
from strategies.ir.types import BINARY, BOOLEAN, INT, STRING, Array, Collated, SqlType

_TRIM = Signature((STRING, STRING), STRING, (1,), lambda letters: len(letters) == 1)
_PAD = Signature((STRING, INT, STRING), STRING, (1, 2), lambda size, pad: size <= 50 and pad != "")
_PATTERN_SIGNS = set("^$[]()|.*+?{}\\")


def _is_pattern(pattern: str) -> bool:
    """Whether ``pattern`` is valid for LIKE: the escape sign ``$`` occurs only before ``$``, ``%`` or ``_``."""
    return re.fullmatch(r"([^$]|[$][$%_])*", pattern, re.DOTALL) is not None


def _is_text(kind: SqlType) -> bool:
    """Whether ``kind`` is a text that is searched for another one: spaces at the end count there."""
    return kind in (STRING, Collated("UTF8_LCASE"))


def _are_plain(*patterns: str) -> bool:
    """Whether no pattern has the escape sign of LIKE or LIKE ALL."""
    return not any(sign in pattern for pattern in patterns for sign in "$\\")


_PART = Signature((ANY, ANY), BOOLEAN, over=_is_text)
_LIKE_SEVERAL = Signature((STRING, STRING, STRING), BOOLEAN, (1, 2), _are_plain)

TEXT_FUNCTIONS: dict[str, Signature] = {
    "upper": Signature((STRING,), STRING),
    "lower": Signature((STRING,), STRING),
    "length": Signature((STRING,), INT),
    "octet_length": Signature((STRING,), INT),
    "bit_length": Signature((STRING,), INT),
    "trim": Signature((STRING,), STRING),
    "ltrim": Signature((STRING,), STRING),
    "rtrim": Signature((STRING,), STRING),
    "trim_both": _TRIM,
    "trim_leading": _TRIM,
    "trim_trailing": _TRIM,
    "concat": Signature((STRING, STRING), STRING),
    "concat_ws": Signature((STRING, STRING, STRING), STRING, (0,)),
    "replace": Signature((STRING, STRING, STRING), STRING),
    "translate": Signature((STRING, STRING, STRING), STRING, (1, 2), lambda old, _: len(set(old)) == len(old)),
    "repeat": Signature((STRING, INT), STRING, (1,), lambda times: times <= 5),
    "reverse": Signature((STRING,), STRING),
    "starts_with": _PART,
    "ends_with": _PART,
    "contains": _PART,
    "position": Signature((STRING, STRING), INT),
    "substring": Signature((STRING, INT, INT), STRING, (1, 2), lambda start, size: start != 0 and size >= 0),
    "left": Signature((STRING, INT), STRING, (1,), lambda size: size >= 0),
    "right": Signature((STRING, INT), STRING, (1,), lambda size: size >= 0),
    "lpad": _PAD,
    "rpad": _PAD,
    "split_part": Signature((STRING, STRING, INT), STRING, (1, 2), lambda sign, place: sign != "" and place != 0),
    "split": Signature((STRING, STRING), Array(STRING), (1,), lambda s: len(s) == 1 and s not in _PATTERN_SIGNS),
    "like": Signature((ANY, ANY), BOOLEAN, (1,), _is_pattern, _is_text),
    "ilike": Signature((STRING, STRING), BOOLEAN, (1,), _is_pattern),
    "like_all": _LIKE_SEVERAL,
    "like_any": _LIKE_SEVERAL,
    "not_like_all": _LIKE_SEVERAL,
    "not_like_any": _LIKE_SEVERAL,
    "rlike": Signature((STRING, STRING), BOOLEAN, (1,)),
    "regexp_replace": Signature((STRING, STRING, STRING), STRING, (1, 2)),
    "regexp_extract": Signature((STRING, STRING, INT), STRING, (1, 2)),
    "ascii": Signature((STRING,), INT),
    "chr": Signature((INT,), STRING, (0,), lambda code: 32 <= code <= 126),
    "levenshtein": Signature((STRING, STRING), INT),
    "md5": Signature((STRING,), STRING),
    "sha256": Signature((STRING,), STRING),
    "binary_length": Signature((BINARY,), INT),
    "binary_concat": Signature((BINARY, BINARY), BINARY),
    "hex": Signature((BINARY,), STRING),
    "base64": Signature((BINARY,), STRING),
}
"""``split`` and the trims need one letter; regular expressions must have the same meaning in Java and in RE2."""
