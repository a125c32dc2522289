"""Draw the capabilities of tables of the source "v2": how they are laid out, and which parts of a query they accept."""

from __future__ import annotations

from itertools import product

from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.ir import CAPABILITIES, Capability

_Capabilities = tuple[Capability, ...]

LAYOUTS: tuple[_Capabilities, ...] = (
    (),
    ("identity",),
    ("buckets",),
    ("two keys",),
    ("ordering",),
    ("identity", "splits"),
    ("identity", "some tables"),
    ("identity", "ordering"),
    ("identity", "runtime filters"),
    ("buckets", "splits"),
    ("buckets", "other buckets"),
    ("two keys", "splits"),
    ("two keys", "some tables"),
    ("identity", "splits", "ordering"),
    ("buckets", "splits", "ordering"),
    ("two keys", "runtime filters"),
)
"""The layouts that are drawn, the simplest first."""

_FILTERS: tuple[_Capabilities, ...] = (
    (),
    ("filters",),
    ("weak filters",),
    ("filters", "weak filters"),
    ("filters", "joins"),
)
"""Spark offers a join where no condition of its inputs is left above them, so joins are accepted with filters."""
_ROWS: tuple[_Capabilities, ...] = (
    (),
    ("aggregates",),
    ("weak aggregates",),
    ("limits", "offsets"),
    ("weak limits",),
    ("top n", "offsets"),
    ("weak top n",),
    ("aggregates", "limits", "top n", "offsets"),
    ("weak aggregates", "weak limits", "weak top n"),
)
_COLUMNS: tuple[_Capabilities, ...] = ((), ("columns",))
ACCEPTED: tuple[_Capabilities, ...] = tuple(
    (*columns, *filters, *rows) for columns, filters, rows in product(_COLUMNS, _FILTERS, _ROWS)
)
"""The parts of a query that are accepted together, the fewest first."""


def draw_capabilities(draw: DrawFn, *, to_write: bool = False) -> tuple[Capability, ...]:
    """Capabilities of all tables of a case, in the order of :data:`CAPABILITIES`; shrinks to none.

    :param to_write: the tables may also delete rows themselves.
    """
    chosen: set[Capability] = {*pick(draw, ACCEPTED), *pick(draw, LAYOUTS)}
    if to_write and one_in(draw, 3):
        chosen.add("deletes")
    return tuple(each for each in CAPABILITIES if each in chosen)
