"""The base of engines over a stock Spark session: no switch, no injected rules, no tables in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from oracles.engines.protocol import Described


class StockEngine(ABC):
    """The parts of :class:`oracles.engines.protocol.Engine` that are the same for all stock sessions."""

    @property
    @abstractmethod
    def session(self) -> Any:
        """The session."""

    @property
    def injected(self) -> dict[str, str]:
        """None: the session has no switch."""
        return {}

    @property
    def points(self) -> dict[str, str]:
        """None, as for ``injected``."""
        return {}

    @property
    def brought(self) -> list[str]:
        """None, as for ``injected``."""
        return []

    @property
    def analyzing(self) -> frozenset[str]:
        """None, as for ``injected``."""
        return frozenset()

    def described(self, text: str) -> Described:
        """Describe ``text`` over the loaded views; it has to be a query: a command would run."""
        frame = self.session.sql(f"SELECT * FROM (\n{text}\n) AS asked")
        return Described(text, [(field.name, field.dataType.simpleString()) for field in frame.schema.fields])
