"""How large tables are, and what they are made from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """``rows`` of each table, and the ``seed`` of what is in them: what a failure keeps instead of millions of rows."""

    rows: int
    seed: int
