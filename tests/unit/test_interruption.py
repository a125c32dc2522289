"""An interrupted start ends its own processes alone, and the handler of Ctrl-C stays whose it was."""

from __future__ import annotations

import logging
import signal
import subprocess
import sys

import pytest

from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.interruption import end_started, own_ctrl_c
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
