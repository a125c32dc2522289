"""Ctrl-C ends check-rule at once: no process is left, and what was found out before is told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from tests.cli.assay import ROOT

_LIMIT = 300


def _running(*options, cwd):
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "TOX_"))}
    environ.update(PYTHONPATH=str(ROOT), COLUMNS="200", PYTHONUNBUFFERED="1")
    command = [sys.executable, "-m", "assay", "check-rule", *map(str, options)]
    # A shell starts what is in its background deaf to SIGINT, and its children inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            command, cwd=cwd, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    finally:
        signal.signal(signal.SIGINT, before)


def _sparks_jvms(process):
    """The JVMs of sessions below ``process``; a process that ends meanwhile is none."""
    found = []
    for each in psutil.Process(process.pid).children(recursive=True):
        try:
            if "assay-spark-" in " ".join(each.cmdline()) and "java" in each.name():
                found.append(each)
        except psutil.Error:
            pass
    return found


def _runs(process):
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


@pytest.mark.slow
def test_an_interrupted_start_leaves_no_jvm(tmp_path):
    process = _running("--rule", "CombineFilters", cwd=tmp_path)
    until = time.monotonic() + _LIMIT
    while not (jvms := _sparks_jvms(process)):
        assert time.monotonic() < until
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate(timeout=_LIMIT)
    assert not any(map(_runs, jvms))
    assert (process.returncode, text.splitlines()[-1]) == (4, "stopped"), text


@pytest.mark.slow
def test_the_verdicts_before_an_interruption_are_written(tmp_path):
    options = ("--rule", "CombineFilters", "--rule", "ColumnPruning", "--max-examples", 5, "--verify", "0s")
    process = _running(*options, "--scale", 0, "--summary-json", "s.json", "--html", "p.html", cwd=tmp_path)
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "ColumnPruning: on trial" in line:
            break
    time.sleep(0.5)  # amid a leg, most probably
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=_LIMIT)
    text = "".join(lines) + rest
    assert "stopped after 1 of 2 rules" in text, text
    assert (process.returncode, "Traceback" in text, "ERROR" in text) == (4, False, False), text
    told = json.loads((tmp_path / "s.json").read_text())
    assert (told["stopped"], list(told["rules"])) == ("after 1 of 2 rules", ["CombineFilters"])
    assert "stopped after 1 of 2 rules" in (tmp_path / "p.html").read_text(encoding="utf-8")
