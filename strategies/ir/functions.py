"""The scalar functions of the query algebra.

There are only functions on which both engines can be made to agree; each compiler has its own templates for them.
All functions except those in ``GUARDED`` are total on the arguments that their ``check`` admits, and return NULL for
a NULL argument unless a compiler's template says otherwise.
"""

from __future__ import annotations

from strategies.ir.array_functions import ARRAY_FUNCTIONS
from strategies.ir.number_functions import NUMBER_FUNCTIONS
from strategies.ir.signatures import Signature
from strategies.ir.text_functions import TEXT_FUNCTIONS
from strategies.ir.time_functions import TIME_FUNCTIONS

FUNCTIONS: dict[str, Signature] = {**TEXT_FUNCTIONS, **TIME_FUNCTIONS, **NUMBER_FUNCTIONS, **ARRAY_FUNCTIONS}

MOVES = frozenset(
    {"date_add", "add_months", "plus_days", "plus_hours", "plus_months", "plus_interval", "plus_month_interval"}
)
"""Functions that move a date or an instant, which the caller keeps away from the ends of the calendar."""
OVERFLOWS = frozenset({"abs", "negative", "shift_left"})
"""Functions that may overflow, so that the caller keeps the integer small (for ``shift_left``, not negative)."""

UNDRAWN = frozenset({"zero_text"})
"""Functions of which engines have one value in some queries alone; see :func:`strategies.edits.shown.with_signs`."""
