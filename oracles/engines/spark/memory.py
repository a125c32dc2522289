"""Tables as the bytes from which the jar makes in-memory ones: one Arrow IPC stream after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa

from oracles.engines.arrow import arrow_batch
from strategies.ir import Table


def streams(tables: Iterable[Sequence[Table]]) -> bytes:
    """An Arrow IPC stream for each of ``tables``, in their order: a batch for each of its versions, the same schema."""
    sink = pa.BufferOutputStream()
    for versions in tables:
        batches = [arrow_batch(version) for version in versions]
        with pa.ipc.new_stream(sink, batches[0].schema) as stream:
            for batch in batches:
                stream.write_batch(batch)
    data: bytes = sink.getvalue().to_pybytes()
    return data
