"""The jars are compiled once for what decides their content, appear whole, and say in one line why they cannot be."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jars import agent
from jars.build import (
    ROOT,
    BuildError,
    CompileError,
    build,
    compile_rule,
    digest,
    find_compiler,
    find_spark_jars,
    java_of_environment,
    scala_sources,
    shim_sources,
)
from oracles.engines.spark.java import java_environment

ONE = "package tiny\nobject One { def number: Int = 1 }\n"
TWO = "package tiny\nobject Two { def number: Int = One.number + 1 }\n"


@pytest.fixture(autouse=True)
def some_java(monkeypatch):
    for key, value in java_environment().items():
        monkeypatch.setenv(key, value)


@pytest.fixture
def tree(tmp_path):
    """A small source tree: one main class, one mutant that uses it."""
    main, mutants, shims = tmp_path / "main", tmp_path / "mutants", tmp_path / "shims"
    main.mkdir()
    mutants.mkdir()
    (main / "One.scala").write_text(ONE)
    (mutants / "Two.scala").write_text(TWO)
    return {"main_sources": main, "mutant_sources": mutants, "shims": shims, "target": tmp_path / "target"}


def jars_in(folder: Path) -> set[Path]:
    return set(folder.glob("**/*.jar"))


def classes_in(jar: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(jar).namelist() if name.endswith(".class")}


def test_sources_become_jars_and_old_ones_go(tree):
    """One test for the whole life of a tree: each compilation takes seconds."""
    first = build(**tree)
    assert jars_in(tree["target"]) == {first.main, first.mutants}
    assert classes_in(first.main) == {"tiny/One.class", "tiny/One$.class"}
    assert classes_in(first.mutants) == {"tiny/Two.class", "tiny/Two$.class"}
    written = first.main.stat().st_mtime_ns

    assert build(**tree) == first
    assert first.main.stat().st_mtime_ns == written

    (tree["mutant_sources"] / "Two.scala").write_text(TWO.replace("+ 1", "* 2"))
    second = build(**tree)
    assert (second.main, second.main.stat().st_mtime_ns) == (first.main, written)
    assert jars_in(tree["target"]) == {second.main, second.mutants} != {first.main, first.mutants}

    (tree["mutant_sources"] / "Two.scala").unlink()
    assert build(**tree).mutants is None


def test_callers_at_the_same_time_get_the_same_whole_jar(tree):
    (tree["mutant_sources"] / "Two.scala").unlink()
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda _: build(**tree), range(3)))
    assert len(set(found)) == 1
    assert jars_in(tree["target"]) == {found[0].main}
    assert zipfile.ZipFile(found[0].main).testzip() is None
    assert [entry.name for entry in tree["target"].iterdir() if entry.is_dir()] == []


@pytest.mark.slow  # as above
def test_a_warning_in_our_own_sources_stops_the_build(tree):
    (tree["main_sources"] / "One.scala").write_text("package tiny\nimport scala.util.Try\nobject One\n")
    with pytest.raises(CompileError) as raised:
        build(**tree)
    assert raised.value.messages == (f"{tree['main_sources'] / 'One.scala'}:2: warning: Unused import",)
    assert jars_in(tree["target"]) == set()


def test_a_users_rule_that_does_not_compile_is_told_line_by_line(tmp_path):
    source = tmp_path / "Wrong.scala"
    source.write_text('object Wrong {\n  val number: Int = "one"\n  missing()\n}\n')
    with pytest.raises(CompileError) as raised:
        compile_rule(source, tmp_path / "out")
    assert [message.split(": ")[:2] for message in raised.value.messages] == [
        [f"{source}:2", "error"],
        [f"{source}:3", "error"],
    ]
    assert jars_in(tmp_path / "out") == set()


def test_a_users_rule_may_warn_and_is_compiled_once(tmp_path):
    source = tmp_path / "Fine.scala"
    source.write_text("import scala.util.Try\nobject Fine { def one = 1 }\n")
    jar = compile_rule(source, tmp_path / "out")
    written = jar.stat().st_mtime_ns
    assert compile_rule(source, tmp_path / "out") == jar
    assert jar.stat().st_mtime_ns == written


def test_the_digest_covers_names_content_and_settings(tmp_path):
    one, two = tmp_path / "One.scala", tmp_path / "Two.scala"
    one.write_text("1")
    two.write_text("1")
    digests = [
        digest(["4.3.0"], [one], tmp_path),
        digest(["4.3.1"], [one], tmp_path),
        digest(["4.3.0", "-Xlint"], [one], tmp_path),
        digest(["4.3.0"], [two], tmp_path),
        digest(["4.3.0"], [one, two], tmp_path),
        digest(["4.3.0"], [], tmp_path),
    ]
    one.write_text("2")
    digests.append(digest(["4.3.0"], [one], tmp_path))
    assert len(set(digests)) == len(digests)


def test_the_digest_does_not_depend_on_where_the_tree_lies(tmp_path):
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        (folder / "One.scala").write_text(ONE)
    assert digest([], [tmp_path / "a" / "One.scala"], tmp_path / "a") == digest(
        [], [tmp_path / "b" / "One.scala"], tmp_path / "b"
    )


@pytest.fixture
def shims(tmp_path):
    """Two files that three releases have versions of; 4.10 comes after 4.3."""
    for place in ("3.5/A", "3.5/deep/B", "4.0/A", "4.10/deep/B"):
        path = tmp_path / f"{place}.scala"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path


@pytest.mark.parametrize(
    ("release", "places"),
    [
        ("3.5.9", ["3.5/A", "3.5/deep/B"]),
        ("4.0.0", ["3.5/deep/B", "4.0/A"]),
        ("4.3.1", ["3.5/deep/B", "4.0/A"]),
        ("4.10.0-SNAPSHOT", ["4.0/A", "4.10/deep/B"]),
    ],
)
def test_a_release_has_the_newest_shims_that_are_not_newer(shims, release, places):
    assert shim_sources(shims, release) == [shims / f"{place}.scala" for place in places]


def test_a_release_before_all_shims_is_refused_in_one_line(shims):
    with pytest.raises(BuildError, match=r"^Spark 3\.4\.2 is too old: Assay has been made for 3\.5 and later$"):
        shim_sources(shims, "3.4.2")


def test_a_source_for_later_releases_is_left_out(tmp_path):
    always, later = tmp_path / "Always.scala", tmp_path / "Later.scala"
    always.write_text("/** Law: one.\n *  @since no release\n */\nobject Always\n")
    later.write_text("/** Law: one.\n *\n *  @since 4.1\n */\nobject Later\n")
    found = {release: scala_sources(tmp_path, release) for release in ("4.0.9", "4.1.0", "4.10.0")}
    assert found == {"4.0.9": [always], "4.1.0": [always, later], "4.10.0": [always, later]}
    assert scala_sources(tmp_path) == [always, later]


@pytest.mark.slow  # as each that compiles, and others do
def test_the_shims_decide_the_jar(tree):
    (tree["mutant_sources"] / "Two.scala").unlink()
    plain = build(**tree).main
    shim = tree["shims"] / "3.5" / "Shim.scala"
    shim.parent.mkdir(parents=True)
    shim.write_text("package tiny\nobject Shim\n")
    with_shim = build(**tree).main
    assert with_shim != plain
    assert "tiny/Shim.class" in classes_in(with_shim)


def test_the_release_is_that_of_the_installed_spark():
    from importlib.metadata import version

    assert find_compiler().release == version("pyspark")


def test_no_java_at_all_is_one_line(monkeypatch):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BuildError, match=r"^no Java found: set JAVA_HOME or put java 17 to 25 on PATH$"):
        java_of_environment()


def test_a_wrong_java_home_is_one_line(monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(BuildError, match=r"^JAVA_HOME is .*, but there is no .*java$"):
        java_of_environment()


def test_a_java_that_does_not_start_is_one_line(tree, tmp_path):
    java = tmp_path / "java"
    java.write_text("#!/bin/sh\necho this is no Java >&2\nexit 1\n")
    java.chmod(0o755)
    with pytest.raises(BuildError, match=r"^the Scala compiler did not run: this is no Java$"):
        build(java, **tree)


def test_a_java_that_is_not_there_is_one_line(tree, tmp_path):
    with pytest.raises(BuildError, match=r"^.*java can't be run: No such file or directory$"):
        build(tmp_path / "java", **tree)


def test_a_folder_that_is_no_spark_is_one_line(tmp_path):
    with pytest.raises(BuildError, match=r"^.* is neither a Spark distribution nor a built source tree: no jars"):
        find_spark_jars(tmp_path)


@pytest.mark.parametrize("folder", ["jars", "assembly/target/scala-2.13/jars"], ids=["distribution", "source tree"])
def test_the_jars_of_a_spark_home_are_found(tmp_path, folder):
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "spark-catalyst_2.13-4.4.0-SNAPSHOT.jar").touch()
    assert find_spark_jars(tmp_path) == tmp_path / folder
    assert find_compiler(spark_home=tmp_path).release == "4.4.0-SNAPSHOT"


def test_a_rule_that_is_no_file_is_one_line(tmp_path):
    with pytest.raises(BuildError, match=r"Missing\.scala is not a file$"):
        compile_rule(tmp_path / "Missing.scala", tmp_path)


def test_the_command_prints_the_jars_of_this_tree():
    run = subprocess.run(
        [sys.executable, str(ROOT / "build.py")], capture_output=True, text=True, check=True, env=os.environ.copy()
    )
    assert [Path(line) for line in run.stdout.splitlines()] == [jar for jar in (build().main, build().mutants) if jar]


def test_the_command_ends_with_2_and_one_line_when_it_cannot(tmp_path):
    run = subprocess.run(
        [sys.executable, str(ROOT / "build.py"), "--spark-home", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1


def test_the_agents_jar_of_another_manifest_is_another_jar(tmp_path, monkeypatch):
    first = agent.agent_jar(tmp_path)
    assert agent.agent_jar(tmp_path) == first
    monkeypatch.setattr(agent, "_MANIFEST", agent._MANIFEST.replace("Agent\n", "OtherAgent\n"))
    other = agent.agent_jar(tmp_path)
    assert [_premain(jar) for jar in (first, other)] == [agent.AGENT_CLASS, agent.AGENT_CLASS[:-5] + "OtherAgent"]


def _premain(jar):
    manifest = zipfile.ZipFile(jar).read("META-INF/MANIFEST.MF").decode()
    return dict(line.split(": ") for line in manifest.splitlines() if line)["Premain-Class"]
