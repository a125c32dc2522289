"""Tables as the bytes from which the jar makes in-memory ones: one Arrow IPC stream after the other."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from oracles.engines.arrow import arrow_table
from strategies.ir import Table


def streams(tables: Iterable[Table]) -> bytes:
    """An Arrow IPC stream for each of ``tables``, in their order."""
    sink = pa.BufferOutputStream()
    for table in tables:
        rows = arrow_table(table)
        with pa.ipc.new_stream(sink, rows.schema) as stream:
            stream.write_table(rows)
    data: bytes = sink.getvalue().to_pybytes()
    return data
