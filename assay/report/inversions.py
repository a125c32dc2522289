"""The inverted conditionals on the page: a sentence, and a table by rule."""

from __future__ import annotations

from collections import Counter

from assay.coverage.inverted import FATES, SEEN, Fate
from assay.coverage.report import percent
from assay.report.fates import Fates
from assay.report.tables import Cell, Table, table_of


def told(fates: Fates) -> str:
    """How many inverted conditionals a check sees, and how many of those that change a plan alone give wrong rows."""
    total = _total(fates)
    tried = total.total() - total["never run"]
    changed = total["wrong rows"] + total["another plan"]
    return (
        f"{tried:,} conditionals of the optimizer were inverted, one at a time: a check sees "
        f"{percent(sum(total[fate] for fate in SEEN), tried, 0)}. Of those that change a plan without an error, "
        f"{percent(total['wrong rows'], changed, 0)} give wrong rows"
    )


def inverted(fates: Fates) -> Table:
    """The fates by rule, those with the most survivors first, below a line for all."""
    rules = sorted(fates.items(), key=lambda each: (-each[1].get("another plan", 0), each[0]))
    rows = [("all", _total(fates), ""), *((name, Counter(counts), "code") for name, counts in rules)] if fates else []
    return table_of(
        "inverted",
        ("rule", *FATES),
        [(Cell(name, look=look), *(_count(fate, counts[fate]) for fate in FATES)) for name, counts, look in rows],
        range(1, len(FATES) + 1),
    )


def _count(fate: Fate, count: int) -> Cell:
    return Cell(f"{count:,}" if count else "", look="bad" if count and fate == "another plan" else "")


def _total(fates: Fates) -> Counter[Fate]:
    return sum((Counter(counts) for counts in fates.values()), Counter[Fate]())
