"""Make Hypothesis's draws depend on the seed alone, and not on the checkout's path or on imported modules."""

from __future__ import annotations

from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants


def ignore_local_constants() -> None:
    """Keep Hypothesis from drawing numbers and texts that it finds in the source of local modules.

    Hypothesis has no setting for it. With these constants, a seed draws other cases once another local module has been
    imported or edited, and in a checkout below a folder called ``tests``, whose modules Hypothesis doesn't read.
    """
    providers._get_local_constants = Constants
