"""Let tox environments that share a folder run side by side; tox loads this file by itself.

Every environment of one Spark names the same folder (``env_dir`` in tox.ini): Spark takes half a gigabyte. Plain
tox records one environment as the folder's owner and rebuilds the folder for the next one, even while something runs in
it. Here no environment owns a folder, one process at a time sets a folder up, and nothing changes a folder in use: the
process that wants the change waits, and prints for whom it waits.
"""

from __future__ import annotations

import fcntl
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from tox.plugin import impl
from tox.tox_env.api import ToxEnv
from tox.tox_env.errors import Fail
from tox.tox_env.info import Info
from tox.tox_env.python.virtual_env.runner import VirtualEnvRunner
from tox.tox_env.register import ToxEnvRegister

_POLL_SECONDS = 0.2
_PATIENCE_SECONDS = 2.0
"""A process that waits longer than this for another one's set-up prints so: setting up a finished folder takes less."""


@impl
def tox_register_tox_env(register: ToxEnvRegister) -> None:
    """Make ``runner = shared-folder`` known to tox."""
    register.add_run_env(SharedFolderRunner)


class Lock:
    """A file that one process (or thread) holds at a time, with the holder's name in it; it ends with its process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def acquire(self, holder: str) -> bool:
        """Take the lock for ``holder``; False where it is taken."""
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        os.truncate(descriptor, 0)
        os.write(descriptor, holder.encode())
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        """Give the lock back; nothing happens where it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def holder(self) -> str | None:
        """The holder of the lock in another process or thread; None if the lock is free."""
        if not self.path.exists():
            return None
        descriptor = os.open(self.path, os.O_RDWR)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return os.read(descriptor, 1000).decode() or self.path.name
        finally:
            os.close(descriptor)
        return None


class _InUse(Exception):
    """The folder must be changed, but other processes run in it."""

    def __init__(self, change: str) -> None:
        super().__init__(change)
        self.change = change


class _Record(Info):
    """The record of tox about a folder, without an owner: the folder belongs to every environment that names it."""

    @contextmanager
    def compare(self, value: Any, section: str, sub_section: str | None = None) -> Iterator[tuple[bool, Any]]:
        if section == ToxEnv.__name__:
            yield True, value
            return
        with super().compare(value, section, sub_section) as found:
            yield found


class SharedFolderRunner(VirtualEnvRunner):
    """tox's own environment (virtualenv and pip) in a folder that other environments use at the same time."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._run_lock: Lock | None = None
        self._interrupted_waiting = threading.Event()
        super().__init__(*arguments, **named)

    @staticmethod
    def id() -> str:
        """The name of this kind of environment."""
        return "shared-folder"

    def register_config(self) -> None:
        """Declare the option of shared folders."""
        super().register_config()
        self.conf.add_constant(
            "run_name",
            "the environment's name, or NAME-2, NAME-3 ... while other runs of the same environment go on",
            lambda: self._run_lock.path.name if self._run_lock else self.conf.name,
        )

    @property
    def cache(self) -> Info:
        """The record of tox about the folder."""
        return _Record(self.env_dir)

    # Setting up

    def setup(self) -> None:
        """Set the folder up while no other process uses it."""
        while self._run_lock is None:
            try:
                with self._set_up_alone():
                    self._run_lock = self._new_run()
                    super().setup()
            except _InUse as busy:
                self._release()
                self._run_state["setup"] = False  # tox sets up once, and counts a failed attempt
                self._wait_until_unused(busy.change)

    def teardown(self) -> None:
        """Let others use the folder."""
        try:
            super().teardown()
        finally:
            self._release()

    def interrupt(self) -> None:
        """Wait no longer."""
        self._interrupted_waiting.set()
        super().interrupt()

    def _release(self) -> None:
        if self._run_lock is not None:
            self._run_lock.release()
            self._run_lock = None

    @property
    def _runs(self) -> Path:
        """The folder of locks: one for each run in ``env_dir``, and one for the process that sets ``env_dir`` up."""
        return self.env_dir.with_name(f"{self.env_dir.name}.runs")

    @contextmanager
    def _set_up_alone(self) -> Iterator[None]:
        self.env_dir.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # the mode that tox gives it
        self._runs.mkdir(exist_ok=True)
        lock, started, printed = Lock(self._runs / ".setup"), time.monotonic(), False
        while not lock.acquire(self._holder):
            if not printed and time.monotonic() - started > _PATIENCE_SECONDS:
                self._print(f"waits until {lock.holder() or 'another process'} has set up {self.env_dir}")
                printed = True
            self._pause()
        try:
            yield
        finally:
            lock.release()

    def _new_run(self) -> Lock:
        names = (self.conf.name if number == 1 else f"{self.conf.name}-{number}" for number in count(1))
        return next(lock for name in names if (lock := Lock(self._runs / name)).acquire(self._holder))

    @property
    def _holder(self) -> str:
        return f"{self.conf.name} (process {os.getpid()})"

    # Changing the folder: each way in which tox does that

    def _clean(self, *arguments: Any, **named: Any) -> None:
        self._require_unused("rebuilt")
        super()._clean(*arguments, **named)

    def create_python_env(self) -> None:
        """Make the environment where nothing uses it."""
        self._require_unused("made")
        super().create_python_env()

    def execute(self, *arguments: Any, run_id: str = "", **named: Any) -> Any:
        """Install only where nothing else uses the folder."""
        if run_id.startswith("install"):
            self._require_unused("given other packages")
        return super().execute(*arguments, run_id=run_id, **named)

    def _require_unused(self, change: str) -> None:
        if self._users():
            raise _InUse(change)

    def _users(self) -> list[str]:
        """The processes that run in the folder beside this environment."""
        own = self._run_lock.path.name if self._run_lock else None
        locks = (Lock(path) for path in sorted(self._runs.iterdir()) if path.name not in (own, ".setup"))
        return [holder for lock in locks if (holder := lock.holder())] or _orphans(self.env_dir)

    def _wait_until_unused(self, change: str) -> None:
        if users := self._users():
            self._print(
                f"{self.env_dir} has to be {change}, and is in use: waits for {', '.join(users)} "
                "(at once, in a folder of its own: tox run --workdir FOLDER)"
            )
        while self._users():
            self._pause()

    def _pause(self) -> None:
        if self._interrupted_waiting.wait(_POLL_SECONDS):
            raise Fail("an interrupt while it waited")

    def _print(self, text: str) -> None:
        # Not through tox's log: whoever waits is to see it with -q, too.
        print(f"{self.conf.name}: {text}", file=sys.stderr, flush=True)


def _orphans(env_dir: Path) -> list[str]:
    """Processes that a killed tox has left running in ``env_dir``, where the system shows them (/proc)."""
    here, found = f"TOX_ENV_DIR={env_dir}".encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environ = (process / "environ").read_bytes().split(b"\0")
        except OSError:  # it has ended, or is another user's
            continue
        if here in environ and process.name != str(os.getpid()):
            name = next((each[13:].decode() for each in environ if each.startswith(b"TOX_ENV_NAME=")), "a run")
            found.append(f"{name} (process {process.name})")
    return sorted(found)
