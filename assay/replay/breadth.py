"""Measure the share of drawn cases that a pattern fits: a pattern that fits many would excuse other bugs, too."""

from __future__ import annotations

from collections import Counter
from functools import cache

from assay.fuzz.draws import fuzz_draws
from oracles.patterns.features import listed, typed_parts

WIDEST = 0.2
"""The largest share of the draws that an entry's pattern may fit, in percent."""


def breadth(pattern: str) -> float:
    """The percentage of the draws that have all parts that ``pattern`` ("made of: …") lists."""
    needed, draws = listed(pattern), _parts_of_draws()
    return 100 * sum(needed <= parts for parts in draws) / len(draws)


def too_wide(pattern: str) -> str:
    """One line that says why ``pattern`` is too wide for an entry, and what to narrow; '' if it fits few draws."""
    share, draws = breadth(pattern), _parts_of_draws()
    if share <= WIDEST:
        return ""
    alone = Counter(part for parts in draws for part in parts)
    each = ", ".join(f"{part} {100 * alone[part] / len(draws):.1f} %" for part in sorted(listed(pattern)))
    return (
        f'"{pattern}" fits {share:.1f} % of {len(draws):,} draws, more than {WIDEST} %{f" ({each})" if each else ""}: '
        "write the entry by hand, with a pattern of its own (oracles/patterns/queries.py) that names what the bug needs"
    )


@cache
def _parts_of_draws() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(typed_parts(case)) for case in fuzz_draws())
