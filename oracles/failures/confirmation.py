"""What a finding's script showed on a session without Assay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Shown = Literal["confirmed", "assay-only", "impossible"]
SHOWN: tuple[Shown, ...] = get_args(Shown)

_TOLD: Mapping[Shown, str] = {
    "confirmed": "confirmed on stock Spark",
    "assay-only": "shows only in Assay's session",
    "impossible": "can't be shown on stock Spark",
}


@dataclass(frozen=True, slots=True)
class Stock:
    """``assay-only``: the script ran and showed nothing, though it should be able to. ``reason`` is a line, or ''."""

    shown: Shown
    reason: str = ""

    def __post_init__(self) -> None:
        if self.shown not in SHOWN:
            raise ValueError(f"no script shows {self.shown!r}: {', '.join(SHOWN)}")

    @property
    def told(self) -> str:
        """For a human reader."""
        return _TOLD[self.shown] + (f": {self.reason}" if self.reason else "")
