"""Prepare a process for draws: they depend on the seed alone, and Python's garbage collector lets them be."""

from __future__ import annotations

import gc

from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

_COLLECTED_AFTER = (20_000, 10, 10)
"""Thresholds of Python's cyclic garbage collector: a draw makes a thousand objects that die with it, and to collect
after every 700 took a fifth of its time."""


def collect_seldom() -> None:
    """Let Python's cyclic garbage collector run more seldom than by default."""
    gc.set_threshold(*_COLLECTED_AFTER)


def ignore_local_constants() -> None:
    """Keep Hypothesis from drawing numbers and texts that it finds in the source of local modules.

    Hypothesis has no setting for it. With these constants, a seed draws other cases once another local module has been
    imported or edited, and in a checkout below a folder called ``tests``, whose modules Hypothesis doesn't read.
    """
    providers._get_local_constants = Constants
