"""Ctrl-C beside Spark: a start that is cut short leaves no JVM, and pyspark doesn't take the signal for itself."""

from __future__ import annotations

import logging
import signal
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

import psutil

_SECONDS = 10


@contextmanager
def own_ctrl_c() -> Iterator[None]:
    """Put back the handler of Ctrl-C afterwards, a quiet one for Python's own: pyspark's calls the JVM amid another
    call to it, and logs the mess.
    """
    if threading.current_thread() is not threading.main_thread():  # pyspark sets none, and nobody may
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, _interrupt if before in (None, signal.default_int_handler) else before)


def _interrupt(number: int, frame: object) -> NoReturn:
    logging.disable(logging.CRITICAL)  # py4j logs the call that is cut short, and those after it
    raise KeyboardInterrupt


def was_interrupted(error: BaseException | None) -> bool:
    """Whether ``error`` was raised while Ctrl-C was on its way up: calls that tidy up fail in a session cut short.

    Errors may be each other's cause and context: one that is raised anew out of the error that carried it is.
    """
    seen: list[BaseException] = []
    while error is not None and not isinstance(error, KeyboardInterrupt) and error not in seen:
        seen.append(error)
        error = error.__cause__ or error.__context__
    return isinstance(error, KeyboardInterrupt)


@contextmanager
def silent_loss() -> Iterator[None]:
    """Keep py4j and pyspark from telling that the JVM is gone, where it was killed on purpose."""
    logger = logging.getLogger("py4j")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def end_started(mark: str) -> None:
    """Kill the processes below this one that have ``mark`` in their command lines."""
    started = [each for each in psutil.Process().children(recursive=True) if _is_marked(each, mark)]
    for each in started:
        with suppress(psutil.NoSuchProcess):
            each.kill()
    psutil.wait_procs(started, timeout=_SECONDS)


def _is_marked(process: psutil.Process, mark: str) -> bool:
    try:
        return any(mark in word for word in process.cmdline())
    except psutil.Error:
        return False
