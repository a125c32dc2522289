"""An EXCEPT that some rows are left of, for rules about EXCEPT: the plan is another, and the answer has rows."""

from __future__ import annotations

from tests.cli import many_kinds


def excepts_with_rows():
    """``t0 WHERE a < n EXCEPT t0 WHERE b > m``, and such."""
    return many_kinds.excepts_with_rows()
