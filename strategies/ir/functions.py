"""The scalar functions of the query algebra.

Only what both engines can be made to agree about is here; a function's rendering is each compiler's own.
All functions are total on the arguments that their ``check`` admits, those that ``GUARDED`` names aside, and NULL
for a NULL argument unless a compiler's words say otherwise.
"""

from __future__ import annotations

from strategies.ir.array_functions import ARRAY_FUNCTIONS
from strategies.ir.number_functions import NUMBER_FUNCTIONS
from strategies.ir.signatures import Signature
from strategies.ir.text_functions import TEXT_FUNCTIONS
from strategies.ir.time_functions import TIME_FUNCTIONS

FUNCTIONS: dict[str, Signature] = {**TEXT_FUNCTIONS, **TIME_FUNCTIONS, **NUMBER_FUNCTIONS, **ARRAY_FUNCTIONS}

MOVES = frozenset({"date_add", "add_months", "plus_days", "plus_hours", "plus_months"})
"""Functions that move a date or an instant: whoever calls them keeps it away from the ends of the calendar."""
OVERFLOWS = frozenset({"abs", "negative", "shift_left"})
"""Functions that overflow for an integer: whoever calls them keeps it small (for ``shift_left``: not negative)."""
