"""Processes that share work out among themselves, each with a Spark session of its own."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait
from threading import Thread


def worker_processes(count: int) -> ProcessPoolExecutor:
    """A pool of ``count`` fresh interpreters, which end when this process does, however it ends.

    Without that, a worker of a killed process waits for ever for its next job, with a JVM of a gigabyte. (A forked one
    would share a JVM's sockets, and threads that it hasn't.)
    """
    return ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), initializer=_end_with_parent)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None  # a worker has one
    Thread(target=_end_after, args=(parent.sentinel,), name="assay-end-with-parent", daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    # The JVM ends when its standard input does; nothing else of a worker is for anyone any more.
    os._exit(1)
