"""The Spark of ``--spark-home``: its own Python in place of the installed pyspark, and the release that runs.

A pyspark speaks to the JVM of its own release: another one looks for classes that aren't there. A distribution and a
built source tree bring theirs in their folder ``python``.
"""

from __future__ import annotations

import importlib
import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from jars.build import Compiler, find_spark_jars


class UnfitHome(ValueError):
    """No pyspark speaks to the Spark of a folder; the message is one line."""


_used: Path | None = None


def use(home: Path) -> None:
    """Import pyspark from ``home`` from now on, unless the installed one is of the same version.

    :raises UnfitHome: ``home`` has no pyspark, and the installed one is of another version.
    :raises jars.build.BuildError: ``home`` is no Spark.
    """
    global _used  # noqa: PLW0603  # as sys.path, it is the process's
    release = _release_of(home)
    if release == installed():
        return
    paths = python_of(home)
    if not paths:
        raise UnfitHome(
            f"{home} is Spark {release} without pyspark (no python/pyspark, no python/lib/pyspark.zip), "
            f"and the installed pyspark is {installed() or 'none'}: it speaks to no other release"
        )
    if _used == home:
        return
    if "pyspark" in sys.modules:
        raise RuntimeError(f"pyspark was imported before that of {home} could be")
    _used = home
    sys.path[:0] = map(str, paths)
    importlib.invalidate_caches()


def python_of(home: Path) -> tuple[Path, ...]:
    """The entries of ``sys.path`` with the pyspark and py4j of ``home``; () if it has none."""
    folder = home / "python"
    archives = sorted(folder.glob("lib/pyspark.zip"))
    own = [folder] if (folder / "pyspark" / "__init__.py").is_file() else archives
    return (*own, *sorted(folder.glob("lib/py4j-*-src.zip"))) if own else ()


def python_path(home: Path | None) -> tuple[Path, ...]:
    """The entries of PYTHONPATH for a process that runs the Spark of ``home``: () where the installed pyspark does."""
    return () if home is None or _release_of(home) == installed() else python_of(home)


def environment_of(home: Path) -> dict[str, str]:
    """The variables with which any Python runs the Spark of ``home``; its own pyspark is left out if it has none."""
    paths = python_of(home)
    return {"SPARK_HOME": str(home), **({"PYTHONPATH": os.pathsep.join(map(str, paths))} if paths else {})}


def installed() -> str:
    """The installed pyspark's version; '' if none is installed."""
    try:
        return version("pyspark")
    except PackageNotFoundError:
        return ""


def release() -> str:
    """The release of the Spark that this process runs, as in ``4.3.0``; '' if there is none."""
    return installed() if _used is None else _release_of(_used)


def _release_of(home: Path) -> str:
    return Compiler(Path(), find_spark_jars(home)).release
