"""The size and the seed of generated tables."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """The number of ``rows`` per table and the ``seed`` of their values, which a failure stores instead of the rows."""

    rows: int
    seed: int
