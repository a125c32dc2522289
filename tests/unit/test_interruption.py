"""An interrupted start ends its own processes alone, and the handler of Ctrl-C stays whose it was."""

from __future__ import annotations

import logging
import signal
import subprocess
import sys

import pytest

from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.interruption import end_started, own_ctrl_c, was_interrupted
from oracles.engines.spark.start import SparkOptions

SLEEP = "import time; time.sleep(60)"


def test_only_the_processes_that_name_the_mark_end() -> None:
    mine = subprocess.Popen([sys.executable, "-c", SLEEP, "--folder=/tmp/assay-spark-mine"])
    other = subprocess.Popen([sys.executable, "-c", SLEEP, "--folder=/tmp/assay-spark-other"])
    try:
        end_started("/tmp/assay-spark-mine")
        assert mine.poll() is not None
        assert other.poll() is None
    finally:
        mine.kill()
        other.kill()


def _pysparks(number: int, frame: object) -> None:
    pytest.fail("this handler was to go")


def test_ctrl_c_is_pythons_again_after_a_start() -> None:
    found = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with own_ctrl_c():
            signal.signal(signal.SIGINT, _pysparks)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        logging.disable(logging.NOTSET)
        signal.signal(signal.SIGINT, found)


def test_whoever_was_deaf_to_ctrl_c_is_so_after_a_start() -> None:
    found = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with own_ctrl_c():
            signal.signal(signal.SIGINT, _pysparks)
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, found)


class Carrier(BaseException):
    """Carries an error past whoever would handle it."""


def carried(error: Exception) -> Exception:
    """``error``, raised anew out of the carrier that it caused: each is in the other's chain."""
    try:
        try:
            raise Carrier from error
        except Carrier:
            raise error from None
    except ValueError as again:
        return again


def interrupted() -> Exception:
    """An error that was raised while Ctrl-C was on its way up."""
    try:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            raise ValueError  # noqa: B904 - the context, and no cause, is what tidying up leaves
    except ValueError as error:
        return error


def test_an_error_that_was_carried_is_no_interruption() -> None:
    error = carried(ValueError())
    assert error.__context__ is not None
    assert error.__context__.__cause__ is error
    assert not was_interrupted(error)


def test_an_error_amid_an_interruption_is_one() -> None:
    assert was_interrupted(interrupted())
    assert not was_interrupted(ValueError())
    assert not was_interrupted(None)


def test_an_error_of_a_session_that_was_interrupted_is_an_interruption_and_no_lost_jvm() -> None:
    engine = SparkEngine(SparkOptions(jars=()))
    try:
        try:
            raise KeyboardInterrupt
        finally:
            raise ConnectionError("while tidying up")
    except ConnectionError as error:
        with pytest.raises(KeyboardInterrupt):
            engine.lost(error)
    assert engine.lost(ConnectionError()) is None
