"""``--spark-master``: where Spark runs, as text that is told apart before any Spark is started."""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping

_LOCAL = re.compile(r"local(\[(\d+|\*)(\s*,\s*\d+)?\])?")
_LOCAL_CLUSTER = re.compile(r"local-cluster\[\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\]")
_STANDALONE = "spark://"
_LOOPBACK = "127.0.0.1"
_SMALLEST = 512
"""Megabytes: what Spark itself refuses to start an executor with is a little less."""

EXECUTORS = 2
"""Of one process of a run, unless it is told otherwise: more than one, so that rows travel; few, so that several
processes find room beside each other."""

_CONF: Mapping[str, str] = {
    "spark.executor.memory": "1g",
    "spark.executor.cores": "1",
    "spark.cores.max": str(EXECUTORS),
    # Tables are a few rows: in as many parts as there are executors, and one more, so that one of them has two.
    "spark.default.parallelism": str(EXECUTORS + 1),
    # Else adaptive execution reads all that is shuffled in one task.
    "spark.sql.adaptive.coalescePartitions.minPartitionSize": "1b",
    # What a lost executor had shuffled is made anew; waiting for it to come back takes a leg's time.
    "spark.shuffle.io.retryWait": "1s",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


class UnknownMaster(ValueError):
    """No place that Spark can be run in; the message is one line."""


def require_master(text: str) -> None:
    """UnknownMaster unless ``text`` is one: local, local[n], local-cluster[n,c,m] or spark://host:port[,host:port]."""
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
    """Whether tasks run in processes of their own: then nothing may be left in the driver's memory for them."""
    return not _LOCAL.fullmatch(text)


def addresses(text: str) -> list[tuple[str, int]]:
    """Host and port of each of a standalone cluster's masters; none for other places."""
    if not text.startswith(_STANDALONE):
        return []
    parts = (address.rpartition(":") for address in text.removeprefix(_STANDALONE).split(","))
    return [(host.strip("[]"), int(port)) for host, _, port in parts]


def cluster_conf(text: str) -> dict[str, str]:
    """What a session on a cluster is configured with beside what all sessions are; nothing for one that is none."""
    if not is_cluster(text):
        return {}
    own = {}
    if sizes := _LOCAL_CLUSTER.fullmatch(text):
        workers, cores, memory = map(int, sizes.groups())
        # All of it: nobody else has a part in these workers.
        own = {
            "spark.executor.memory": f"{memory}m",
            "spark.executor.cores": str(cores),
            "spark.cores.max": str(workers * cores),
            "spark.default.parallelism": str(workers * cores + 1),
        }
    address = own_address(text)
    return {**_CONF, "spark.driver.host": address, "spark.driver.bindAddress": address, **own}


def own_address(text: str) -> str:
    """This machine's address as the cluster's workers can reach it: the one from which its first master is reached."""
    for host, port in addresses(text):
        try:
            # Nothing is sent: connecting a datagram socket only looks up the way.
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
                way.connect((host, port))
                return str(way.getsockname()[0])
        except OSError:
            continue
    return _LOOPBACK
