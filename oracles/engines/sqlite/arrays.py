"""Functions of arrays to install in SQLite. The first argument of each is the text of its array's type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter

from oracles.sql.sqlite.values import ARRAY_END, Raw, packed, sortable, unpacked
from strategies.ir import Array, SqlType, type_from_text


def _changed(change: Callable[[SqlType, list[Raw]], Sequence[Raw]]) -> Callable[[str, bytes], Raw]:
    """A function from an array to an array of the same type, made of a function of its elements."""

    def call(kind: str, blob: bytes) -> Raw:
        array = type_from_text(kind)
        assert isinstance(array, Array)
        return packed(array, change(array.element, unpacked(array, blob)))

    return call


def _elements(kind: str, blob: bytes) -> list[Raw]:
    return unpacked(type_from_text(kind), blob)


def _sorted(element: SqlType, parts: Sequence[Raw]) -> list[Raw]:
    """The elements in order, without NULLs."""
    return sorted((part for part in parts if part is not None), key=lambda part: sortable(element, part))


def _nulls(parts: Sequence[Raw]) -> list[Raw]:
    return [part for part in parts if part is None]


def _extreme(place: int) -> Callable[[str, bytes], Raw]:
    def call(kind: str, blob: bytes) -> Raw:
        array = type_from_text(kind)
        assert isinstance(array, Array)
        return _at(_sorted(array.element, unpacked(array, blob)), place)

    return call


def _distinct(element: SqlType, parts: list[Raw]) -> Sequence[Raw]:
    each = {sortable(element, part): part for part in parts if part is not None}
    return [*map(itemgetter(1), sorted(each.items(), key=itemgetter(0))), *_nulls(parts)[:1]]


def _at(parts: Sequence[Raw], place: int) -> Raw:
    """The element at ``place``, from 0, or from -1 backwards; NULL if there is none."""
    return parts[place] if -len(parts) <= place < len(parts) else None


def _contains(kind: str, blob: bytes, element: Raw) -> Raw:
    parts = _elements(kind, blob)
    return 1 if element in parts else None if None in parts else 0


def _position(kind: str, blob: bytes, element: Raw) -> Raw:
    parts = _elements(kind, blob)
    return parts.index(element) + 1 if element in parts else 0


def _with_element(kind: str, blob: bytes | None, element: Raw, *, first: bool) -> Raw:
    if blob is None:
        return None
    parts = _elements(kind, blob)
    return packed(type_from_text(kind), [element, *parts] if first else [*parts, element])


def _slice(kind: str, blob: bytes, start: int, size: int) -> Raw:
    return packed(type_from_text(kind), _elements(kind, blob)[start - 1 : start - 1 + size])


def _remove(kind: str, blob: bytes, element: Raw) -> Raw:
    return packed(type_from_text(kind), [part for part in _elements(kind, blob) if part != element])


def _union(kind: str, one: bytes, other: bytes) -> Raw:
    return packed(type_from_text(kind), [*dict.fromkeys((*_elements(kind, one), *_elements(kind, other)))])


def _of_both(*, kept: bool) -> Callable[[str, bytes, bytes], Raw]:
    """A function to the distinct elements of an array, in order, that are (``kept``) or aren't in another."""

    def call(kind: str, one: bytes, other: bytes) -> Raw:
        others = _elements(kind, other)
        each = dict.fromkeys(_elements(kind, one))
        return packed(type_from_text(kind), [part for part in each if (part in others) == kept])

    return call


def _overlap(kind: str, one: bytes, other: bytes) -> Raw:
    left, right = _elements(kind, one), _elements(kind, other)
    if (set(left) & set(right)) - {None}:
        return 1
    return None if left and right and None in (*left, *right) else 0


def _join(kind: str, blob: bytes, separator: str) -> Raw:
    return separator.join(part for part in _elements(kind, blob) if isinstance(part, str))


ARRAY_FUNCTIONS_OF_NULL: dict[str, Callable[..., Raw]] = {
    "array_append": lambda kind, blob, element: _with_element(kind, blob, element, first=False),
    "array_prepend": lambda kind, blob, element: _with_element(kind, blob, element, first=True),
}
"""Functions that take NULL as a value."""

ARRAY_FUNCTIONS: dict[str, Callable[..., Raw]] = {
    "size": lambda kind, blob: len(_elements(kind, blob)),
    "array_get": lambda kind, blob, place: _at(_elements(kind, blob), place),
    "array_at": lambda kind, blob, place: _at(_elements(kind, blob), place - 1 if place > 0 else place),
    "array_contains": _contains,
    "array_position": _position,
    "array_min": _extreme(0),
    "array_max": _extreme(-1),
    "array_sort": _changed(lambda element, parts: [*_sorted(element, parts), *_nulls(parts)]),
    "sort_array": _changed(lambda element, parts: [*_nulls(parts), *_sorted(element, parts)]),
    "sort_array_desc": _changed(lambda element, parts: [*reversed(_sorted(element, parts)), *_nulls(parts)]),
    "array_distinct": _changed(_distinct),
    "array_reverse": _changed(lambda _, parts: parts[::-1]),
    "array_compact": _changed(lambda _, parts: [part for part in parts if part is not None]),
    "array_concat": lambda _, one, other: one[: -len(ARRAY_END)] + other,
    "array_union": _union,
    "array_except": _of_both(kept=False),
    "array_intersect": _of_both(kept=True),
    "arrays_overlap": _overlap,
    "array_remove": _remove,
    "slice": _slice,
    "array_join": _join,
}
