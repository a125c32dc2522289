"""``--spark-master``: parse and check the text that says where Spark runs, before any Spark starts."""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping

_LOCAL = re.compile(r"local(\[(\d+|\*)(\s*,\s*\d+)?\])?")
_LOCAL_CLUSTER = re.compile(r"local-cluster\[\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\]")
_STANDALONE = "spark://"
_LOOPBACK = "127.0.0.1"
_SMALLEST = 512
"""The least megabytes of an executor; Spark's own limit is a little lower."""

EXECUTORS = 2
"""Executors of one process of a run by default: more than one, so that rows are shuffled between machines, and few, so
that several processes have room on a cluster."""

_CONF: Mapping[str, str] = {
    "spark.executor.memory": "1g",
    "spark.executor.cores": "1",
    "spark.cores.max": str(EXECUTORS),
    # Tables are a few rows: one partition more than there are executors, so that one executor has two.
    "spark.default.parallelism": str(EXECUTORS + 1),
    # Without this, adaptive execution reads a small shuffle in one task.
    "spark.sql.adaptive.coalescePartitions.minPartitionSize": "1b",
    # Recompute a lost executor's shuffle files soon: waiting for the executor uses up a leg's time.
    "spark.shuffle.io.retryWait": "1s",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


class UnknownMaster(ValueError):
    """The text names no place where Spark can run; the message is one line."""


def require_master(text: str) -> None:
    """Raise UnknownMaster unless ``text`` is local, local[n], local-cluster[n,c,m] or spark://host:port[,host:port]."""
    if _LOCAL.fullmatch(text):
        return
    if sizes := _LOCAL_CLUSTER.fullmatch(text):
        workers, cores, memory = map(int, sizes.groups())
        if not workers or not cores:
            raise UnknownMaster(f"{text}: needs at least one worker with at least one core")
        if memory < _SMALLEST:
            raise UnknownMaster(f"{text}: a worker needs {_SMALLEST} MB or more")
        return
    if not text.startswith(_STANDALONE):
        raise UnknownMaster(f"{text}: needs local, local[n], local-cluster[workers,cores,MB] or spark://host:port")
    for address in text.removeprefix(_STANDALONE).split(","):
        host, _, port = address.rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) < 65_536:
            raise UnknownMaster(f"{text}: {address or 'nothing'} is no host:port (a master's port is 7077 by default)")


def is_cluster(text: str) -> bool:
    """Whether tasks run in other processes than the driver, without access to its memory."""
    return not _LOCAL.fullmatch(text)


def addresses(text: str) -> list[tuple[str, int]]:
    """Host and port of each master of a standalone cluster; none for other places."""
    if not text.startswith(_STANDALONE):
        return []
    parts = (address.rpartition(":") for address in text.removeprefix(_STANDALONE).split(","))
    return [(host.strip("[]"), int(port)) for host, _, port in parts]


def cluster_conf(text: str) -> dict[str, str]:
    """Additional configuration of a session on a cluster; empty for a local session."""
    if not is_cluster(text):
        return {}
    own = {}
    if sizes := _LOCAL_CLUSTER.fullmatch(text):
        workers, cores, memory = map(int, sizes.groups())
        # All resources: no other application shares these workers.
        own = {
            "spark.executor.memory": f"{memory}m",
            "spark.executor.cores": str(cores),
            "spark.cores.max": str(workers * cores),
            "spark.default.parallelism": str(workers * cores + 1),
        }
    address = own_address(text)
    return {**_CONF, "spark.driver.host": address, "spark.driver.bindAddress": address, **own}


def own_address(text: str) -> str:
    """This machine's address for the cluster's workers: the local end of the route to the first reachable master."""
    for host, port in addresses(text):
        try:
            # Connecting a datagram socket sends nothing: it only looks up the route.
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
                way.connect((host, port))
                return str(way.getsockname()[0])
        except OSError:
            continue
    return _LOOPBACK
