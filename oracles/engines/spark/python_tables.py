"""The user-defined table functions in Python: the rows that a Generate makes of one row.

The text of each class is also that of a script for stock Spark: a class needs nothing but itself.
"""

from __future__ import annotations

from collections.abc import Iterator


class Elements:
    """A row for each element; with ``outer`` a row of NULL where there is none."""

    def eval(self, elements: list[object] | None, outer: bool) -> Iterator[tuple[object]]:
        """The rows of one row of the input."""
        for element in elements or ([None] if outer else []):
            yield (element,)


class Positions:
    """A row for each element, after its position from 0; with ``outer`` a row of NULLs where there is none."""

    def eval(self, elements: list[object] | None, outer: bool) -> Iterator[tuple[int | None, object]]:
        """The rows of one row of the input."""
        if not elements and outer:
            yield (None, None)
        yield from enumerate(elements or [])
