"""Spark's own standalone cluster on the loopback: a master and workers, of the classes that pyspark ships."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pyspark

from oracles.engines.spark.java import java_environment

HOME = Path(pyspark.__file__).parent
_LOCALHOST = "127.0.0.1"
_SECONDS = 90.0


class Standalone:
    """A master, and as many workers as were started; a context manager that leaves no process behind.

    Each worker is the head of a process group that its executors are in.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = _free_port()
        self.workers: list[subprocess.Popen[bytes]] = []
        self._started = 0
        self._master = self._start("master", "org.apache.spark.deploy.master.Master", "--port", str(self.port))
        self._until(lambda: "I have been elected leader" in self._log("master"))

    @property
    def url(self) -> str:
        """The address for ``--spark-master``."""
        return f"spark://{_LOCALHOST}:{self.port}"

    def add_worker(self, *, cores: int = 2, memory: str = "3g") -> subprocess.Popen[bytes]:
        """One more worker, known to the master when this returns."""
        self._started += 1
        name = f"worker-{self._started}"
        asked = ("--cores", str(cores), "--memory", memory, "--work-dir", str(self.folder / name))
        worker = self._start(name, "org.apache.spark.deploy.worker.Worker", *asked, self.url)
        self.workers.append(worker)
        self._until(lambda: "Successfully registered with master" in self._log(name))
        return worker

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """Kill -9 of a worker and all its executors, as when its machine is taken away."""
        self.workers.remove(worker)
        _kill(worker)

    def executors_of(self, worker: subprocess.Popen[bytes]) -> int:
        """How many executors run there now."""
        children = psutil.Process(worker.pid).children(recursive=True)
        return sum("CoarseGrainedExecutorBackend" in part for child in children for part in child.cmdline())

    def __enter__(self) -> Standalone:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.workers, self._master):
            _kill(process)

    def _start(self, name: str, main: str, *options: str) -> subprocess.Popen[bytes]:
        environ = {key: value for key, value in os.environ.items() if not key.startswith(("SPARK_", "PYSPARK_"))}
        environ |= {**java_environment(), "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": _LOCALHOST}
        command = [str(HOME / "bin" / "spark-class"), main, "--host", _LOCALHOST, "--webui-port", "0", *options]
        with (self.folder / f"{name}.log").open("wb") as log:
            return subprocess.Popen(
                command, env=environ, stdout=log, stderr=log, cwd=self.folder, start_new_session=True
            )

    def _log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def _until(self, happened: Callable[[], bool]) -> None:
        end = time.monotonic() + _SECONDS
        while not happened():
            assert time.monotonic() < end, [self._log(path.stem)[-500:] for path in self.folder.glob("*.log")]
            time.sleep(0.1)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_LOCALHOST, 0))
        port: int = probe.getsockname()[1]
        return port
