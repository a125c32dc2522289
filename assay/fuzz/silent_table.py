"""The table of silent entries: how many checks of a run each of them could have excused, and how many it did."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table

from assay.session.console import table


def silent_table(fits: Mapping[str, int], fitting: int, excused: Mapping[str, int], checks: int) -> Table:
    """One row for each silent entry that fits the case of a check, and one for all of them together.

    :param fits: checks whose case an entry fits, by its id.
    :param fitting: checks whose case at least one of them fits.
    :param excused: checks that known divergences excused, silent or not.
    :param checks: all checks.
    """

    def row(name: str, count: int, taken: int) -> tuple[str, ...]:
        return name, str(count), f"{100 * count / max(1, checks):.2f}", str(taken)

    by_entry = sorted(fits.items(), key=lambda each: (-each[1], each[0]))
    rows = [row(name, count, excused.get(name, 0)) for name, count in by_entry]
    together = row("all together", fitting, sum(excused.get(name, 0) for name in fits))
    return table("silent entries", ("silent entry", "fits", "%", "excused"), [*rows, together])
