"""Filters of two conditions that some rows meet, for rules about AND: the plan is another, and the answer has rows."""

from __future__ import annotations

from tests.cli import many_kinds


def filters_of_two_conditions():
    """``t0 WHERE b < n AND a >= m``, and such."""
    return many_kinds.filters_of_two_conditions()
