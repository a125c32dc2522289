"""Reductions of a failing case. Each is a search (see ``search``) over well-typed cases, whatever the failure."""

from oracles.reductions.columns import columns, earlier_columns
from oracles.reductions.constants import constants
from oracles.reductions.expressions import expressions
from oracles.reductions.hazards import names, types
from oracles.reductions.operators import operators
from oracles.reductions.partition import partition
from oracles.reductions.rows import rows
from oracles.reductions.search import Search, Step
from oracles.reductions.settings import default_settings, single_settings
from oracles.reductions.size import Size, size

STEPS: tuple[Step, ...] = (
    default_settings,
    partition,
    operators,
    rows,
    expressions,
    columns,
    earlier_columns,
    types,
    constants,
    names,
    single_settings,
)
"""The reductions in the order of their expected gain per try: an early one removes most targets of later ones."""

__all__ = ["STEPS", "Search", "Size", "Step", "size"]
