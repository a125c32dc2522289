"""Planted faults: comparators that are wrong in one thing, each with a law that was written against it.

Most of them read or compare too coarsely (two results that differ are equal to them), some too finely. What
they get wrong is in their names; many are faults that comparators of other tools have or had.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from oracles.answers.rows import diff, same
from tests.meta.comparator_faults import (
    Mutant,
    checksum,
    columns,
    compares,
    first_chunk,
    judges,
    reads,
    reschemed,
    surplus_of,
)
from tests.meta.comparator_laws import Comparator
from tests.meta.comparator_value_mutants import VALUE_MUTANTS

ALWAYS_SAME = judges("always the same", "any single edit is seen", lambda a, b: True)
NEVER_SAME = judges("never the same", "no shuffle is seen", lambda a, b: False)

MUTANTS = (
    # Nothing is compared
    ALWAYS_SAME,
    NEVER_SAME,
    # Multiplicities
    compares("counts ignored", "different: a row twice and once", lambda a, b: surplus_of(set(a.rows), set(b.rows))),
    judges(
        "sets and sizes",
        "different: aab and abb",
        lambda a, b: a.schema == b.schema and set(a.rows) == set(b.rows) and len(a.rows) == len(b.rows),
    ),
    judges("sizes only", "different: first column", lambda a, b: a.schema == b.schema and len(a.rows) == len(b.rows)),
    compares(
        "surplus of the first only",
        "different: one more on the right",
        lambda a, b: dict(Counter(a.rows) - Counter(b.rows)),
    ),
    compares(
        "surplus of the second only",
        "different: one more on the left",
        lambda a, b: {row: -copies for row, copies in (Counter(b.rows) - Counter(a.rows)).items()},
    ),
    compares(
        "surplus without sign",
        "every surplus copy is counted, with its sign",
        lambda a, b: {row: abs(copies) for row, copies in diff(a, b).items()},
    ),
    compares(
        "surplus capped at one copy",
        "every surplus copy is counted, with its sign",
        lambda a, b: {row: max(-1, min(1, copies)) for row, copies in diff(a, b).items()},
    ),
    compares(
        "rows beyond the shorter result ignored",
        "different: one more on the left",
        lambda a, b: surplus_of(*zip(*zip(a.rows, b.rows, strict=False), strict=True)) if a.rows and b.rows else {},
    ),
    compares(
        "an empty result equals any", "different: a row and none", lambda a, b: diff(a, b) if a.rows and b.rows else {}
    ),
    compares(
        "one row only",
        "any single edit is seen",
        lambda a, b: surplus_of(sorted(a.rows, key=repr)[:1], sorted(b.rows, key=repr)[:1]),
    ),
    judges(
        "checksums that cancel out",
        "different: two of a row and two of another",
        lambda a, b: a.schema == b.schema and checksum(a) == checksum(b),
    ),
    judges("empty results equal nothing", "equal: empty results of one type", lambda a, b: bool(a.rows) and same(a, b)),
    Mutant(Comparator("first chunk only", rows=first_chunk), "equal: one chunk and two"),
    # Columns
    reads("first column only", "different: last column", columns(slice(1))),
    reads("last column ignored", "different: last column", columns(slice(-1))),
    reads("first column ignored", "different: first column", columns(slice(1, None))),
    reads("first two columns only", "any single edit is seen", columns(slice(2))),
    compares(
        "columns compared one by one",
        "different: equal columns in other rows",
        lambda a, b: (
            {}
            if all(
                Counter(x) == Counter(y)
                for x, y in zip(zip(*a.rows, strict=True), zip(*b.rows, strict=True), strict=False)
            )
            and len(a.rows) == len(b.rows)
            else diff(a, b)
        ),
    ),
    compares(
        "order of columns ignored",
        "different: columns swapped",
        lambda a, b: surplus_of(*((tuple(sorted(row, key=repr)) for row in each.rows) for each in (a, b))),
    ),
    reschemed("column names count", "equal: column names", lambda field: f"{field.name}: {field.type}"),
    reschemed("metadata counts", "equal: metadata", lambda field: f"{field.type} {field.metadata}"),
    reschemed("nullability counts", "equal: nullability of a column", lambda field: f"{field.type} {field.nullable}"),
    reschemed("names of a list's child count", "equal: names of a list's child", lambda field: str(field.type)),
    reschemed("width of offsets counts", "equal: width of offsets", lambda field: str(field.type)),
    # Order
    judges(
        "order counts always", "equal: rows in another order", lambda a, b: a.schema == b.schema and a.rows == b.rows
    ),
    judges(
        "order counts where one is ordered",
        "equal: one order of two unordered results",
        lambda a, b: same(a, b) and (not (a.ordered or b.ordered) or a.rows == b.rows),
    ),
    judges(
        "order counts never",
        "different: order of two ordered results",
        lambda a, b: a.schema == b.schema and not diff(a, b),
    ),
    judges(
        "ordered results equal nothing",
        "equal: one order of two ordered results",
        lambda a, b: same(a, b) and not (a.ordered and b.ordered),
    ),
    judges(
        "only the first row's order counts",
        "different: order among repeats",
        lambda a, b: same(replace(a, ordered=False), b) and (not (a.ordered and b.ordered) or a.rows[:1] == b.rows[:1]),
    ),
    # Types and values
    *VALUE_MUTANTS,
)
