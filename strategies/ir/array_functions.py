"""Functions of arrays."""

from __future__ import annotations

from strategies.ir.signatures import ANY, ANY_ARRAY, Signature, is_plain
from strategies.ir.types import BIGINT, BOOLEAN, INT, STRING, Array

MAX_BUILT = 4
"""The most elements of an array that is built from a number."""

_CHANGE = Signature((ANY_ARRAY,), ANY_ARRAY)
_SORT = Signature((ANY_ARRAY,), ANY_ARRAY, over=is_plain)
_OF_SETS = Signature((ANY_ARRAY, ANY_ARRAY), ANY_ARRAY, over=is_plain)
_WITH_ELEMENT = Signature((ANY_ARRAY, ANY), ANY_ARRAY)

ARRAY_FUNCTIONS: dict[str, Signature] = {
    "size": Signature((ANY_ARRAY,), INT),
    "array_get": Signature((ANY_ARRAY, INT), ANY, (1,), lambda index: index >= 0),
    "array_at": Signature((ANY_ARRAY, INT), ANY, (1,), lambda place: place != 0),
    "array_contains": Signature((ANY_ARRAY, ANY), BOOLEAN),
    "array_position": Signature((ANY_ARRAY, ANY), BIGINT),
    "array_min": Signature((ANY_ARRAY,), ANY, over=is_plain),
    "array_max": Signature((ANY_ARRAY,), ANY, over=is_plain),
    "array_sort": _SORT,
    "sort_array": _SORT,
    "sort_array_desc": _SORT,
    "array_distinct": _SORT,
    "array_reverse": _CHANGE,
    "array_compact": _CHANGE,
    "array_concat": Signature((ANY_ARRAY, ANY_ARRAY), ANY_ARRAY),
    "array_union": _OF_SETS,
    "array_except": _OF_SETS,
    "array_intersect": _OF_SETS,
    "arrays_overlap": Signature((ANY_ARRAY, ANY_ARRAY), BOOLEAN, over=is_plain),
    "array_append": _WITH_ELEMENT,
    "array_prepend": _WITH_ELEMENT,
    "array_remove": _WITH_ELEMENT,
    "slice": Signature((ANY_ARRAY, INT, INT), ANY_ARRAY, (1, 2), lambda start, size: start > 0 and size >= 0),
    "array_repeat": Signature((ANY, INT), ANY_ARRAY, (1,), lambda times: 0 <= times <= MAX_BUILT),
    "sequence": Signature((INT, INT), Array(INT), (0, 1), lambda low, high: low <= high < low + MAX_BUILT),
    "array_join": Signature((Array(STRING), STRING), STRING, (1,)),
}
"""``array_sort`` has NULLs last, ``sort_array`` first; ``array_distinct`` is sorted, NULLs last; ``array_get`` counts
from 0, ``array_at`` from 1 or backwards from -1, and both are NULL beyond the ends. ``array_union``, ``array_except``
and ``array_intersect`` keep of equal elements the first one, in its place; to them, NULL is an element as any other.
"""
