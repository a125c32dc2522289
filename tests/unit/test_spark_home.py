"""The Spark of ``--spark-home``: whose pyspark speaks to it, and one line where none does."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest

from jars.build import BuildError
from oracles.engines.spark import home

INSTALLED = version("pyspark")
OTHER = "9.9.0-SNAPSHOT"


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The changes that a folder makes to the process end with its test; another one may have imported pyspark."""
    monkeypatch.setattr(home, "_used", None)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "pyspark", raising=False)


def spark(folder: Path, release: str, *files: str) -> Path:
    """A folder with the jar that names ``release``, and the empty ``files``."""
    for name in (f"jars/spark-catalyst_2.13-{release}.jar", *files):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


PY4J = "python/lib/py4j-0.10.9.9-src.zip"
SOURCES = "python/pyspark/__init__.py"
ARCHIVE = "python/lib/pyspark.zip"
OWN = {
    "a source tree": ((SOURCES, PY4J), ("python", PY4J)),
    "a distribution": ((SOURCES, ARCHIVE, PY4J), ("python", PY4J)),
    "an installed pyspark": (("python/pyspark/shell.py", ARCHIVE, PY4J), (ARCHIVE, PY4J)),
    "a distribution without Python": ((), ()),
    "py4j alone": ((PY4J,), ()),
}


@pytest.mark.parametrize(("files", "paths"), OWN.values(), ids=OWN)
def test_the_python_of_a_folder(tmp_path: Path, files: tuple[str, ...], paths: tuple[str, ...]) -> None:
    spark(tmp_path, OTHER, *files)
    assert home.python_of(tmp_path) == home.python_path(tmp_path) == tuple(tmp_path / each for each in paths)


def test_another_release_is_spoken_to_by_its_own_pyspark(tmp_path: Path) -> None:
    spark(tmp_path, OTHER, PY4J)
    with ZipFile(tmp_path / ARCHIVE, "w") as archive:
        archive.writestr("pyspark/__init__.py", "OF_THIS_FOLDER = True")
    assert home.release() == INSTALLED
    home.use(tmp_path)
    home.use(tmp_path)
    assert home.release() == OTHER
    assert sys.path[:2] == [str(tmp_path / ARCHIVE), str(tmp_path / PY4J)]
    assert sys.path.count(str(tmp_path / ARCHIVE)) == 1
    assert getattr(__import__("pyspark"), "OF_THIS_FOLDER")  # noqa: B009  # no attribute of the installed one
    sys.modules.pop("pyspark")


def test_the_installed_pyspark_speaks_to_its_own_release(tmp_path: Path) -> None:
    before = [*sys.path]
    home.use(spark(tmp_path, INSTALLED, SOURCES, PY4J))
    assert (sys.path, home.release(), home.python_path(tmp_path)) == (before, INSTALLED, ())


def test_another_release_without_python_is_refused_in_one_line(tmp_path: Path) -> None:
    spark(tmp_path, OTHER)
    with pytest.raises(home.UnfitHome) as refused:
        home.use(tmp_path)
    assert str(refused.value).startswith(f"{tmp_path} is Spark {OTHER} without pyspark")
    assert f"the installed pyspark is {INSTALLED}" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_folder_without_jars_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"is neither a Spark distribution nor a built source tree"):
        home.use(tmp_path)


def test_a_pyspark_that_is_there_already_is_not_replaced_in_silence(tmp_path: Path) -> None:
    sys.modules["pyspark"] = sys
    with pytest.raises(RuntimeError, match="pyspark was imported before"):
        home.use(spark(tmp_path, OTHER, SOURCES, PY4J))
