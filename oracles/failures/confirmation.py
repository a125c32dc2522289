"""The result of a finding's script on stock Spark, a session without Assay."""

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
    """The result. ``assay-only``: the script ran and showed no difference. ``reason`` is one line, or ''."""

    shown: Shown
    reason: str = ""

    def __post_init__(self) -> None:
        if self.shown not in SHOWN:
            raise ValueError(f"no script shows {self.shown!r}: {', '.join(SHOWN)}")

    @property
    def told(self) -> str:
        """The result as a message for a person."""
        return _TOLD[self.shown] + (f": {self.reason}" if self.reason else "")
