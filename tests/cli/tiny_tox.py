"""The repository's own tox.ini over packages of a few bytes: its environments take seconds, and run what tests say."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path
from zipfile import ZipFile

import tomllib

ROOT = Path(__file__).resolve().parents[2]
TOX = [os.environ["ASSAY_TOX_PYTHON"], "-m", "tox"] if "ASSAY_TOX_PYTHON" in os.environ else ["tox"]
"""The tox that runs these tests; without one, the caller's."""

SIX = ("tests", "cli", "fuzz", "check-rule", "replay", "nightly")
"""Environments of one Spark, and so of one folder."""

# The run of an environment: it leaves a mark in the folder and in the report, prints that it has started, and goes on
# until the test ends it; then both marks must still be there, and a new process must find the package.
STARTED = "started with tiny"
_RUN = """
import os, subprocess, sys, tiny
from pathlib import Path

report, fifo = Path(sys.argv[2]), sys.argv[3]  # after --junitxml
mark, own = Path(sys.prefix, f"mark-{os.getpid()}"), str(os.getpid())
report.parent.mkdir(parents=True, exist_ok=True)
for path in (mark, report):
    path.write_text(own)
with open(fifo, "rb") as end:
    print("started with tiny", tiny.VERSION, flush=True)
    end.read(1)
again = subprocess.run([sys.executable, "-c", "import tiny; print(tiny.VERSION)"], capture_output=True, text=True)
if again.stdout.strip() != str(tiny.VERSION) or not mark.exists():
    sys.exit(f"{sys.prefix} was rebuilt under a run")
if report.read_text() != own:
    sys.exit(f"{report} was overwritten by another run")
print("ended well")
"""


class TinyProject:
    """A folder with the repository's tox.ini and what that needs, and every dependency group cut down to ``tiny``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        _tox_ini(folder)
        if (ROOT / "toxfile.py").exists():
            shutil.copy(ROOT / "toxfile.py", folder)
        shutil.copytree(ROOT / ".ci", folder / ".ci")
        (folder / "run.py").write_text(_RUN)
        for name, version in (("tiny", 1), ("tiny", 2), ("other", 1)):
            _wheel(folder, name, version)
        self.depend("tiny==1")
        self._started: list[Started] = []

    def depend(self, *requirements: str) -> None:
        """Make all dependency groups these requirements."""
        groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
        lines = [f"{name} = {list(requirements)!r}" for name in groups]
        (self.folder / "pyproject.toml").write_text("\n".join(["[dependency-groups]", *lines, ""]))

    def start(self, environment: str, *options: str) -> Started:
        """Start ``tox run -e environment``, which runs until it is ended."""
        started = Started(self.folder, environment, options)
        self._started.append(started)
        return started

    def end_all(self) -> None:
        """Let everything end that a failed test has left running."""
        while self._started:
            self._started.pop().end()

    def make(self, environment: str = "tests") -> None:
        """Have the folder of ``environment`` made, and nothing run."""
        assert self.start(environment, "--notest").end()[0] == 0


class Started:
    """A tox process that a test has started."""

    def __init__(self, folder: Path, environment: str, options: tuple[str, ...]) -> None:
        number = len(list(folder.glob("*.fifo")))
        fifo = folder / f"{number}.fifo"
        os.mkfifo(fifo)
        self._fifo = os.open(fifo, os.O_RDWR)
        # A shell starts what is in its background deaf to SIGINT, and these tests with it: tox would inherit that.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            self._process = subprocess.Popen(
                [*TOX, "run", "-e", environment, *options, "--", str(fifo)],
                cwd=folder,
                env=_environ(folder),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        finally:
            signal.signal(signal.SIGINT, before)
        self.pid = self._process.pid
        self.text = ""

    def until(self, words: str) -> bool:
        """Wait for a line with ``words``; False where the command started or the process ended without one."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.text += line
            if words in line or STARTED in line:
                return words in line
        return False

    def started(self) -> bool:
        """Wait until the environment's command runs; False where it never came to that."""
        return self.until(STARTED)

    def end(self) -> tuple[int, str]:
        """Let the command end; tox's exit code, and all that was printed."""
        if self._process.returncode is not None:
            return self._process.returncode, self.text
        os.write(self._fifo, b".")
        self.text += self._process.communicate()[0]
        return self._process.returncode, self.text

    def send(self, number: signal.Signals) -> None:
        """A signal for tox alone, not for what it runs."""
        self._process.send_signal(number)


def _tox_ini(folder: Path) -> None:
    """Copy tox.ini, with one and the same command in every environment."""
    tox = ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini")
    for name in tox.sections():
        if "commands" in tox[name]:
            tox[name]["commands"] = "python run.py {[pytest-workers]reports} {posargs}"
    with (folder / "tox.ini").open("w") as file:
        tox.write(file)


def callers_environ() -> dict[str, str]:
    """The environment variables of whoever started the tests, without those of tox and pytest."""
    ours = ("TOX_", "PYTEST_", "VIRTUAL_ENV", "ASSAY_")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    python = str(Path(sys.executable).parent)
    path = os.pathsep.join(each for each in environ["PATH"].split(os.pathsep) if each != python)
    return {**environ, "PATH": path}


def _environ(folder: Path) -> dict[str, str]:
    others = {name: value for name, value in callers_environ().items() if not name.startswith("PIP_")}
    return {**others, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder), "PIP_CONFIG_FILE": os.devnull}


def _wheel(folder: Path, name: str, version: int) -> None:
    """A wheel of one module that knows its version."""
    about = f"{name}-{version}.dist-info"
    with ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}.py", f"VERSION = {version}\n")
        wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
