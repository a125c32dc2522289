"""Open a session with a Connect server: check the packages that it needs, connect, and set its base configuration."""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from oracles.engines.spark.start import SparkUnusable, quiet_query_errors

_NEEDED = ("pandas", "grpc", "grpc_status", "google.rpc", "zstandard")
_ANSWER_SECONDS = 5.0
_PORT = 15002
_CONF = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.planChangeValidation": "true",
    "spark.sql.legacy.sizeOfNull": "false",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.int96RebaseModeInRead": "CORRECTED",
}


def address_of(url: str) -> tuple[str, int]:
    """The host and the port of ``sc://host:port``, whose port may be left out; ValueError for anything else."""
    address = urlsplit(url)
    if address.scheme != "sc" or not address.hostname or address.port == 0:
        raise ValueError(f"{url}: no address of a Connect server")
    return address.hostname, address.port or _PORT


def connected(url: str, conf: Mapping[str, str]) -> Any:
    """A session of the server at ``url``; raises SparkUnusable, with one line, within seconds if there can't be one."""
    try:
        where = address_of(url)
    except ValueError as error:
        raise SparkUnusable(f"--connect {url}: needs sc://host:port") from error
    if missing := [name for name in _NEEDED if not _is_there(name)]:
        raise SparkUnusable(f"--connect: {', '.join(missing)} isn't installed here: tox run -e queries-connect has it")
    try:
        socket.create_connection(where, timeout=_ANSWER_SECONDS).close()
    except OSError as error:
        raise SparkUnusable(f"--connect {url}: no server answers ({error})") from error
    quiet_query_errors()
    from pyspark.errors import PySparkException
    from pyspark.sql.connect.session import SparkSession

    try:
        session = SparkSession(connection=url)
        # Fail at once: pyspark would retry for minutes if another server than Spark listens there.
        session.client.set_retry_policies([])
        _ = session.version
        for key, value in {**_CONF, **conf}.items():
            session.conf.set(key, value)
    except PySparkException as error:
        raise SparkUnusable(f"--connect {url}: {str(error).strip().splitlines()[0][:200]}") from error
    return session


def _is_there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False
