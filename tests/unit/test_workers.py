"""Workers end with the process that started them, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from assay.session.workers import worker_processes

ROOT = Path(__file__).parents[2]
STARTS_A_WORKER = """
import os, time
from assay.session.workers import worker_processes
if __name__ == "__main__":
    with worker_processes(1) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        time.sleep(600)
"""
_PATIENCE_SECONDS = 20


def test_a_worker_is_another_process():
    with worker_processes(1) as pool:
        assert pool.submit(os.getpid).result() != os.getpid()


def runs(process: psutil.Process) -> bool:
    """Whether it does; one that has ended stays a zombie where nobody asks how it ended."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "terminated"])
def test_a_worker_ends_with_the_process_that_started_it(how, tmp_path):
    program = tmp_path / "starts_a_worker.py"
    program.write_text(STARTS_A_WORKER)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        worker = psutil.Process(int(parent.stdout.readline()))
        parent.send_signal(how)
        parent.wait()
    started = time.monotonic()
    while runs(worker) and time.monotonic() - started < _PATIENCE_SECONDS:
        time.sleep(0.05)
    assert not runs(worker)
