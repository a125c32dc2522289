"""Archive Spark's classes that every session needs in one file, which a JVM maps instead of reading 280 jars.

A start takes a third less processor time with the archive (dynamic class-data archives, JEP 350). Everything works
without it, too: an archive that can't be made costs only time.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from jars.build import TARGET, only_one
from oracles.checks.check import Harness
from oracles.checks.choices import all_that_changed
from oracles.engines.duckdb import DuckdbEngine
from oracles.engines.spark.engine import SparkEngine
from oracles.engines.spark.start import SparkOptions
from strategies.ir import (
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    IsNull,
    Item,
    Join,
    Scan,
    SetOp,
    Settings,
    Table,
)

_QUIET = "-Xlog:disable"
"""Silences the JVM's warning on standard output if it can't use the archive."""
_SECONDS = 300


def archive_flags(java: Path, main: Path) -> tuple[str, ...]:
    """The JVM's flags for sessions with the jar ``main``: with an archive, made now if it is the first such session
    here; none where it can't be made, or not in time: then the next session tries again.
    """
    archive = main.with_name(f"{main.stem}-{_identity(java, main)}.jsa")
    with only_one(TARGET):
        if not archive.exists():
            _make(main, archive)
    # An empty file stands for an archive that could not be made.
    made = archive.exists() and archive.stat().st_size
    return (f"-XX:SharedArchiveFile={archive}", _QUIET) if made else ()


def _identity(java: Path, main: Path) -> str:
    """Eight hex digits for a Java release and the place of the jar: an archive is valid only for its own class path."""
    home = java.resolve().parent.parent
    release = home / "release"
    told = release.read_bytes() if release.is_file() else str(home).encode()
    return hashlib.sha256(told + bytes(main.absolute())).hexdigest()[:8]


def superseded(main: Path) -> list[Path]:
    """The archives of earlier jars of the release that ``main`` is for; those of other releases are still in use."""
    name, _, digest = main.stem.rpartition("-")
    found = main.parent.glob(f"{name}-{'[0-9a-f]' * len(digest)}-{'[0-9a-f]' * 8}.jsa")
    return sorted(each for each in found if not each.name.startswith(f"{main.stem}-"))


def unfinished(folder: Path) -> list[Path]:
    """The files of archives that were never finished; to be asked while nobody else makes one in ``folder``."""
    return sorted(folder.glob(f"*-{'[0-9a-f]' * 8}.[0-9]*"))


def _make(main: Path, archive: Path) -> None:
    for old in (*superseded(main), *unfinished(main.parent)):
        old.unlink(missing_ok=True)
    drawn = archive.with_suffix(f".{os.getpid()}")
    try:
        run_alone([sys.executable, "-m", "assay.session.class_archive", str(main), str(drawn)], _SECONDS)
        drawn.replace(archive)
    except subprocess.TimeoutExpired:
        pass  # a busy machine may have time another day
    except (OSError, subprocess.SubprocessError):
        archive.touch()
    finally:
        drawn.unlink(missing_ok=True)


def run_alone(command: Sequence[str], seconds: float) -> None:
    """Run ``command`` in silence, in a session of its own: all its processes end with it if it is cut short.

    :raises subprocess.SubprocessError: it failed, or took more than so many seconds.
    """
    process = subprocess.Popen(
        command,
        cwd=Path(__file__).parents[2],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        code = process.wait(seconds)
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    if code:
        raise subprocess.CalledProcessError(code, command)


_COLUMNS = (Column("a", INT), Column("b", STRING))
_ROWS = ((1, "x"), (2, None), (None, "x"), (1, "x"))


def _usual() -> list[Case]:
    """Cases that make a session load what most do: joins, set operators, groups, over files and in memory."""
    database = Database((Table("t", _COLUMNS, _ROWS), Table("u", _COLUMNS, _ROWS[1:])))
    left, right = Alias(Scan("t", _COLUMNS), "l"), Alias(Scan("u", _COLUMNS), "r")
    joined = Join(left, right, "left", Compare("=", Col("a", INT, "l"), Col("a", INT, "r")))
    counted = Aggregate(joined, (Item("k", Col("b", STRING, "l")),), (Item("n", Agg("count")),))
    some = Filter(Scan("t", _COLUMNS), IsNull(Col("b", STRING), negated=True))
    queries = (counted, SetOp("except", Scan("t", _COLUMNS), some), SetOp("intersect", some, some, all=True))
    return [Case(query, database, Settings(codegen=codegen)) for query in queries for codegen in (False, True)]


def main() -> int:
    """Run some cases in a JVM that writes its classes into an archive as it ends."""
    jar, archive = map(Path, sys.argv[1:])
    spark = SparkOptions(jars=(jar,), jvm_flags=(f"-XX:ArchiveClassesAtExit={archive}", _QUIET))
    with Harness(SparkEngine(spark), DuckdbEngine()) as harness:
        for case in _usual():
            for fast in (False, True):
                harness.check(case, all_that_changed, fast=fast)
    return 0


if __name__ == "__main__":
    sys.exit(main())
