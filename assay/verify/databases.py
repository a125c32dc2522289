"""All databases up to a bound, the smallest first, without those for which another one stands.

A table's versions are its contents: sequences of at most so many rows, the shorter ones first. A database is a choice
of a version for each table. Two symmetries spare databases, each only where neither plan can tell the difference:

* **The order of rows**: one sequence stands for all that are the same bag, the one in order.
* **The names of values**: the values of a type that are not NULL are renamed by a permutation, in all tables at once;
  one database stands for all that such renamings make of it. A renamed database has as many rows in each table.

The plans decide which symmetry holds: see the jar's PlanTraits, which has the argument. The first database of a class,
in the order of :func:`databases`, stands for it, so that the first difference is one over a smallest database.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations, product

from assay.verify.vocabulary import VALUES, domain
from strategies.ir import INT, STRING, Row, SqlType, Value

RENAMED = (INT, STRING)
"""The types whose values can be renamed. DOUBLE has NaN and zeros among its own, and BOOLEAN has TRUE and FALSE."""

Choice = tuple[int, ...]
"""A database: the number of the version of each table."""


@dataclass(frozen=True)
class Versions:
    """The versions of each table of one schema, and which of them stand for others.

    :param most_rows: the rows of the longest version.
    :param values: the values beside NULL, see :func:`~assay.verify.vocabulary.domain`.
    """

    types: tuple[SqlType, ...]
    most_rows: int
    values: int = VALUES

    @cached_property
    def rows(self) -> list[Row]:
        """All rows, in the order of their values."""
        return list(product(*(domain(kind, self.values) for kind in self.types)))

    @cached_property
    def contents(self) -> list[tuple[Row, ...]]:
        """All versions, the shorter ones first; number 0 is the empty table."""
        return [content for count in range(self.most_rows + 1) for content in product(self.rows, repeat=count)]

    @cached_property
    def numbers(self) -> Mapping[tuple[Row, ...], int]:
        """The number of each version."""
        return {content: number for number, content in enumerate(self.contents)}

    @cached_property
    def _rank(self) -> Mapping[Row, int]:
        return {row: place for place, row in enumerate(self.rows)}

    def in_order(self, content: tuple[Row, ...]) -> tuple[Row, ...]:
        """The same bag of rows, in the order of :attr:`rows`."""
        return tuple(sorted(content, key=self._rank.__getitem__))

    @cached_property
    def bags(self) -> list[int]:
        """The numbers of the versions whose rows are in order: one for each bag."""
        return [number for number, content in enumerate(self.contents) if self.in_order(content) == content]

    @cached_property
    def renamings(self) -> Sequence[Mapping[SqlType, Mapping[Value, Value]]]:
        """The permutations of the values of each renamed type that is there, but for the one that changes nothing."""
        kinds: list[SqlType] = [kind for kind in RENAMED if kind in self.types]
        each = [list(_permutations(domain(kind, self.values)[1:])) for kind in kinds]
        return [dict(zip(kinds, chosen, strict=True)) for chosen in product(*each)][1:]

    def renamed(self, number: int, renaming: Mapping[SqlType, Mapping[Value, Value]], *, ordered: bool) -> int:
        """The number of the version that ``renaming`` makes of version ``number``; its bag's, unless ``ordered``."""
        content = tuple(
            tuple(renaming.get(kind, {}).get(value, value) for kind, value in zip(self.types, row, strict=True))
            for row in self.contents[number]
        )
        return self.numbers[content if ordered else self.in_order(content)]


def _permutations(values: Sequence[Value]) -> Iterator[Mapping[Value, Value]]:
    return (dict(zip(values, turned, strict=True)) for turned in permutations(values))


@lru_cache(maxsize=64)
def databases(every: Versions, tables: int, *, ordered: bool, named: bool) -> tuple[Choice, ...]:
    """The databases of ``tables`` tables, those with fewer rows first.

    :param ordered: the order of a table's rows counts; else one database stands for all orders.
    :param named: the values' names count; else one database stands for all that are the same but for these.
    """
    return tuple(_databases(every, tables, ordered=ordered, named=named))


def _databases(every: Versions, tables: int, *, ordered: bool, named: bool) -> Iterator[Choice]:
    numbers = range(len(every.contents)) if ordered else every.bags
    renamings = [] if named else every.renamings
    images = [{n: every.renamed(n, renaming, ordered=ordered) for n in numbers} for renaming in renamings]
    for choice in sorted(product(numbers, repeat=tables), key=lambda choice: (row_count(every, choice), choice)):
        if all(choice <= tuple(image[number] for number in choice) for image in images):
            yield choice


def row_count(every: Versions, choice: Choice) -> int:
    """The rows of all tables together."""
    return sum(len(every.contents[number]) for number in choice)


def packed(choices: Sequence[Choice]) -> bytes:
    """``choices`` as the JVM reads them: two bytes for each version, the high one first."""
    numbers = array("H", [number for choice in choices for number in choice])
    numbers.byteswap()
    return numbers.tobytes()
