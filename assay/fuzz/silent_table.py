"""The table of silent entries: how many checks of a run each of them could have excused, and how many it did."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table


def silent_table(fits: Mapping[str, int], fitting: int, excused: Mapping[str, int], checks: int) -> Table:
    """One row for each silent entry that fits the case of a check, and one for all of them together.

    :param fits: checks whose case an entry fits, by its id.
    :param fitting: checks whose case at least one of them fits.
    :param excused: checks that known divergences excused, silent or not.
    :param checks: all checks.
    """
    table = Table("silent entry", "fits", "%", "excused", title="silent entries")
    for column in table.columns[1:]:
        column.justify = "right"

    def add(name: str, count: int, taken: int) -> None:
        table.add_row(name, str(count), f"{100 * count / max(1, checks):.2f}", str(taken))

    for name, count in sorted(fits.items(), key=lambda each: (-each[1], each[0])):
        add(name, count, excused.get(name, 0))
    add("all together", fitting, sum(excused.get(name, 0) for name in fits))
    return table
