"""Encode tables as bytes for the jar, which makes tables in memory of them: one Arrow IPC stream after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa

from oracles.engines.arrow import arrow_batch
from strategies.ir import Table


def streams(tables: Iterable[Sequence[Table]]) -> bytes:
    """An Arrow IPC stream for each table, in order, with a batch for each of the table's versions in ``tables``."""
    sink = pa.BufferOutputStream()
    for versions in tables:
        batches = [arrow_batch(version) for version in versions]
        with pa.ipc.new_stream(sink, batches[0].schema) as stream:
            for batch in batches:
                stream.write_batch(batch)
    data: bytes = sink.getvalue().to_pybytes()
    return data
