"""Compile the Scala sources under ``jars/src`` with the compiler that pyspark ships.

``python jars/build.py`` prints the paths of the jars. A jar's name carries the Spark release and a hash of everything
that decides its content, so an unchanged tree is never compiled twice. Only a Java runtime is needed, no JDK:
``scala.tools.nsc.Main`` is in ``pyspark/jars``.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent
MAIN_SOURCES = ROOT / "src" / "main" / "scala"
SHIM_SOURCES = ROOT / "src" / "shims"
MUTANT_SOURCES = ROOT / "src" / "mutants" / "scala"
EXAMPLE_SOURCES = ROOT / "src" / "examples" / "scala"
SOUND_SOURCES = ROOT / "src" / "sound" / "scala"

#: Our own code compiles without a warning on every supported release; a user's rule may warn.
OWN_FLAGS = ("-deprecation", "-feature", "-unchecked", "-Xlint", "-Xfatal-warnings")
USER_FLAGS = ("-deprecation", "-feature", "-unchecked")

NO_SPARK = f"{sys.executable} has no pyspark: install Assay with the extra of a release, spark35 to spark43"

_SINCE = re.compile(r"^\s*\*\s*@since (\d+\.\d+)\s*$", re.MULTILINE)
_MESSAGE = re.compile(r"^(?P<file>\S[^:]*\.scala):(?P<line>\d+): (?P<text>.*)$")


def digest(parts: Iterable[str], sources: Iterable[Path], base: Path) -> str:
    """16 hex digits over ``parts`` and over the relative path and the content of each source."""
    total = hashlib.sha256()
    for part in parts:
        total.update(part.encode() + b"\0")
    for source in sources:
        total.update(str(source.relative_to(base)).encode() + b"\0" + source.read_bytes() + b"\0")
    return total.hexdigest()[:16]


def is_checkout(root: Path = ROOT) -> bool:
    """Whether the folder ``root`` is part of a checkout: an installed one has no project around it."""
    return (root.parent / "tox.ini").is_file()


def user_cache(environ: Mapping[str, str] | None = None) -> Path:
    """The user's cache folder for Assay, which need not exist yet: below XDG_CACHE_HOME, or else HOME's ``.cache``."""
    environ = os.environ if environ is None else environ
    return Path(environ.get("XDG_CACHE_HOME") or Path(environ.get("HOME") or Path.home(), ".cache")) / "assay"


def jar_folder(root: Path = ROOT, environ: Mapping[str, str] | None = None) -> Path:
    """The folder for the compiled jars of the sources in ``root``: beside them in a checkout, else in the user's cache.

    In the cache the folder is named after the content of all sources: two versions of Assay, of which each removes the
    jars that it doesn't need any more, have nothing in common there.
    """
    if is_checkout(root):
        return root / "target"
    return user_cache(environ) / "jars" / digest((), scala_sources(root / "src"), root)


class BuildError(Exception):
    """The jars cannot be built; the message is one line that says what is missing."""


class CompileError(BuildError):
    """The Scala compiler refused the sources.

    ``messages`` holds one ``file:line: text`` for each complaint, in the compiler's order.
    """

    def __init__(self, messages: Sequence[str], output: str) -> None:
        super().__init__("\n".join(messages))
        self.messages = tuple(messages)
        self.output = output


@dataclass(frozen=True, slots=True)
class Jars:
    """The compiled jars; ``mutants`` is None while there are no mutant sources."""

    main: Path
    mutants: Path | None

    @property
    def class_path(self) -> str:
        """Both jars as one value for ``spark.driver.extraClassPath``."""
        return os.pathsep.join(str(jar) for jar in (self.main, self.mutants) if jar is not None)


@dataclass(frozen=True, slots=True)
class Compiler:
    """One Java executable and one folder of Spark's jars."""

    java: Path
    spark_jars: Path

    @property
    def release(self) -> str:
        """The Spark release as its catalyst jar is named, for example ``4.3.0``."""
        names = [jar.name for jar in self.spark_jars.glob("spark-catalyst_*.jar")]
        if not names:
            raise BuildError(f"{self.spark_jars} holds no spark-catalyst jar: not a Spark distribution")
        return names[0].removesuffix(".jar").split("-", 2)[2]

    def identity(self) -> Iterator[str]:
        """The jars that decide the compiled classes, by name and size; a snapshot's size represents its content."""
        for pattern in ("spark-*.jar", "scala-*.jar"):
            for jar in sorted(self.spark_jars.glob(pattern)):
                yield f"{jar.name} {jar.stat().st_size}"

    def compile(self, sources: Sequence[Path], jar: Path, flags: Sequence[str], extra_cp: Iterable[Path] = ()) -> None:
        """Compile ``sources`` into ``jar``, which appears whole or not at all.

        :raises CompileError: the compiler found errors, or warnings where the flags make them errors.
        :raises BuildError: the compiler did not run.
        """
        jar.parent.mkdir(parents=True, exist_ok=True)
        class_path = os.pathsep.join(str(path) for path in [*extra_cp, *sorted(self.spark_jars.glob("*.jar"))])
        with tempfile.TemporaryDirectory(prefix=".compile-", dir=jar.parent) as scratch:
            fresh = Path(scratch) / jar.name
            command = [
                str(self.java),
                "-Xss8m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                str(self.spark_jars / "*"),
                "scala.tools.nsc.Main",
                "-nobootcp",
                "-cp",
                class_path,
                *flags,
                "-d",
                str(fresh),
                *map(str, sources),
            ]
            try:
                run = subprocess.run(command, capture_output=True, text=True, check=False)
            except OSError as error:
                raise BuildError(f"{self.java} can't be run: {error.strerror}") from error
            if run.returncode != 0:
                raise _failure(run.stdout + run.stderr)
            fresh.replace(jar)


def _failure(output: str) -> BuildError:
    """The compiler's complaints, or the first line of whatever stopped it."""
    found = [match for match in map(_MESSAGE.match, output.splitlines()) if match is not None]
    if found:
        return CompileError([f"{found_['file']}:{found_['line']}: {found_['text']}" for found_ in found], output)
    first = next((line for line in output.splitlines() if line.strip()), "no output")
    return BuildError(f"the Scala compiler did not run: {first}")


def java_of_environment() -> Path:
    """The ``java`` of JAVA_HOME, else the first on PATH."""
    home = os.environ.get("JAVA_HOME")
    if home:
        java = Path(home) / "bin" / "java"
        if java.is_file():
            return java
        raise BuildError(f"JAVA_HOME is {home}, but there is no {java}")
    found = shutil.which("java")
    if found is None:
        raise BuildError("no Java found: set JAVA_HOME or put java 17 to 25 on PATH")
    return Path(found)


def find_spark_jars(spark_home: Path | None = None) -> Path:
    """The folder of Spark's jars: of a distribution, of a built source tree, or of the installed pyspark."""
    if spark_home is not None:
        folders = [spark_home / "jars", *sorted(spark_home.glob("assembly/target/scala-*/jars"))]
        for folder in folders:
            if any(folder.glob("spark-catalyst_*.jar")):
                return folder
        raise BuildError(f"{spark_home} is neither a Spark distribution nor a built source tree: no jars in it")
    spec = importlib.util.find_spec("pyspark")
    if spec is None or not spec.submodule_search_locations:
        raise BuildError(NO_SPARK)
    return Path(spec.submodule_search_locations[0]) / "jars"


def find_compiler(java: Path | None = None, spark_home: Path | None = None) -> Compiler:
    """The compiler for ``java`` (default: JAVA_HOME, PATH) and ``spark_home`` (default: the installed pyspark)."""
    return Compiler(java or java_of_environment(), find_spark_jars(spark_home))


def feature_release(text: str) -> tuple[int, ...]:
    """``(4, 3)`` of ``4.3.0`` and of ``4.3.1-SNAPSHOT``: what decides which sources are compiled.

    :raises BuildError: there is no number in it.
    """
    found = re.match(r"(\d+)\.(\d+)", text)
    if found is None:
        raise BuildError(f"{text} is no release of Spark")
    return int(found[1]), int(found[2])


def since(source: Path) -> tuple[int, ...]:
    """The first release of Spark that a Scala file compiles with, as its header says in ``@since``; () where all do."""
    found = _SINCE.search(source.read_text(encoding="utf-8"))
    return feature_release(found[1]) if found else ()


def scala_sources(folder: Path, release: str | None = None) -> list[Path]:
    """All Scala files under ``folder``, in a fixed order; none where the folder does not exist.

    With a Spark ``release``, without those that are for later ones.
    """
    found = sorted(folder.rglob("*.scala"))
    return found if release is None else [path for path in found if since(path) <= feature_release(release)]


def shim_sources(folder: Path, release: str) -> list[Path]:
    """The sources that hide the differences between releases: of each file the version for ``release``.

    A folder below ``folder`` is called after the first release that its files are for; they stand until a later
    folder has a file of the same name.

    :raises BuildError: ``folder`` has shims, and none for so old a release.
    """
    versions = sorted((feature_release(each.name), each) for each in folder.iterdir()) if folder.is_dir() else []
    fitting = [each for first, each in versions if first <= feature_release(release)]
    if versions and not fitting:
        raise BuildError(f"Spark {release} is too old: Assay has been made for {versions[0][1].name} and later")
    chosen = {path.relative_to(each): path for each in fitting for path in each.rglob("*.scala")}
    return sorted(chosen.values())


TARGET = jar_folder()


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Wait until no other process builds in ``folder``; the lock dies with its process.

    :raises BuildError: the folder can't be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
    except OSError as error:
        hint = "" if is_checkout() else "; set XDG_CACHE_HOME to a folder that can be written"
        raise BuildError(f"can't compile into {folder}: {error.strerror}{hint}") from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _up_to_date(
    compiler: Compiler,
    prefix: str,
    sources: Path,
    target: Path,
    *,
    shims: Sequence[Path] = (),
    extra_cp: Sequence[Path],
) -> Path:
    """The jar of ``sources``, compiled if it is not there yet; older jars of the same release are removed."""
    files = scala_sources(sources, compiler.release)
    parts = [*compiler.identity(), *OWN_FLAGS, *(path.name for path in extra_cp), *map(Path.read_text, shims)]
    stem = f"{prefix}-{compiler.release}"
    jar = target / f"{stem}-{digest(parts, files, sources)}.jar"
    files += shims
    if not jar.exists():
        compiler.compile(files, jar, OWN_FLAGS, extra_cp)
        for old in target.glob(f"{stem}-{'[0-9a-f]' * 16}.jar"):
            if old != jar:
                old.unlink(missing_ok=True)
    return jar


def build(
    java: Path | None = None,
    spark_home: Path | None = None,
    *,
    main_sources: Path = MAIN_SOURCES,
    mutant_sources: Path = MUTANT_SOURCES,
    shims: Path = SHIM_SOURCES,
    target: Path = TARGET,
) -> Jars:
    """Compile what has changed and return the jars; safe to call from several processes at once.

    :raises CompileError: the sources do not compile.
    :raises BuildError: there is no Java or no Spark.
    """
    compiler = find_compiler(java, spark_home)
    with only_one(target):
        fitting = shim_sources(shims, compiler.release)
        main = _up_to_date(compiler, "assay", main_sources, target, shims=fitting, extra_cp=())
        mutants = None
        if scala_sources(mutant_sources):
            mutants = _up_to_date(compiler, "assay-mutants", mutant_sources, target, extra_cp=(main,))
    return Jars(main, mutants)


def build_examples(
    java: Path | None = None,
    spark_home: Path | None = None,
    *,
    sources: Path = EXAMPLE_SOURCES,
    target: Path = TARGET,
) -> Path:
    """The jar of the example rules, which need nothing but Spark: each also compiles as a user's own file.

    :raises CompileError: the sources do not compile.
    :raises BuildError: there is no Java or no Spark.
    """
    return _build_apart("assay-examples", sources, java, spark_home, target)


def build_sound(java: Path | None = None, spark_home: Path | None = None, *, target: Path = TARGET) -> Path:
    """The jar of the sound rules, which need nothing but Spark. Raises as :func:`build_examples` does."""
    return _build_apart("assay-sound", SOUND_SOURCES, java, spark_home, target)


def _build_apart(prefix: str, sources: Path, java: Path | None, spark_home: Path | None, target: Path) -> Path:
    compiler = find_compiler(java, spark_home)
    with only_one(target):
        return _up_to_date(compiler, prefix, sources, target, extra_cp=())


def compile_rule(
    source: Path,
    out_dir: Path,
    extra_cp: Iterable[Path] = (),
    *,
    java: Path | None = None,
    spark_home: Path | None = None,
) -> Path:
    """Compile a user's single Scala file into a jar in ``out_dir``, named after the file and its content.

    :raises CompileError: with one ``file:line: text`` for each complaint.
    :raises BuildError: the file cannot be read, or there is no Java or no Spark.
    """
    if not source.is_file():
        raise BuildError(f"{source} is not a file")
    compiler = find_compiler(java, spark_home)
    extra = tuple(extra_cp)
    parts = [*compiler.identity(), *USER_FLAGS, *map(str, extra)]
    jar = out_dir / f"{source.stem}-{compiler.release}-{digest(parts, [source], source.parent)}.jar"
    with only_one(out_dir):
        if not jar.exists():
            compiler.compile([source], jar, USER_FLAGS, extra)
    return jar


def main(arguments: Sequence[str] | None = None) -> int:
    """Build and print the jars; 0 when they are there, 2 with the reason on stderr when they cannot be."""
    parser = argparse.ArgumentParser(description="Compile the Scala sources with the compiler that pyspark ships.")
    parser.add_argument("--java", type=Path, help="the java executable (default: JAVA_HOME, then PATH)")
    parser.add_argument("--spark-home", type=Path, help="a distribution or a built source tree (default: pyspark)")
    options = parser.parse_args(arguments)
    try:
        jars = build(options.java, options.spark_home)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 2
    for jar in (jars.main, jars.mutants):
        if jar is not None:
            print(jar)
    return 0


if __name__ == "__main__":
    sys.exit(main())
