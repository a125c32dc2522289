"""The base of engines over a stock Spark session: no switch, no injected rules, no tables in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from oracles.engines.protocol import Described, Engine, Stage
from strategies.ir import Database, Settings


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

    @contextmanager
    def stage(
        self: Engine,
        database: Database,
        settings: Settings,
        *,
        fast: bool = False,
        in_driver: bool = True,
        others: Sequence[Database] = (),
    ) -> Iterator[Stage]:
        """Load ``database`` from the source in ``settings``, not in memory, while the context lasts; no ``others``."""
        tables = self.loaded(
            database, settings.source, statistics=settings.statistics, partitions=settings.table_partitions
        )
        with tables:
            yield Stage(engine=self, settings=settings, in_memory=False, in_driver=False)

    def described(self, text: str) -> Described:
        """Describe ``text`` over the loaded views; it has to be a query: a command would run."""
        frame = self.session.sql(f"SELECT * FROM (\n{text}\n) AS asked")
        return Described(text, [(field.name, field.dataType.simpleString()) for field in frame.schema.fields])
