"""Which sessions the JVM's optimizing compiler is worth its time for."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from assay.fuzz.state import FUZZ_CHECKS, fuzzing_seconds, mutants_seconds
from assay.session.options import By
from assay.session.session import Setup, lasting, mortal, optimizing
from oracles.engines.spark.java import find_java
from oracles.engines.spark.start import SparkOptions, driver_flags, huge_pages
from oracles.failures.failure import Subject

SETUP = Setup(SparkOptions(jars=(), jvm_flags=("-Xlog:disable",)), Subject(rules=(), jars=(), extensions=(), conf={}))


def flag(setup: Setup, name: str) -> str:
    """The value of a flag in a JVM of that setup's flags."""
    command = [find_java().java, *driver_flags(setup.spark, Path()).split(), "-XX:+PrintFlagsFinal", "-version"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return next(line.split()[3] for line in said.splitlines() if name in line)


def level(setup: Setup) -> str:
    """The highest level of compilation in a JVM of that setup's flags."""
    return flag(setup, "TieredStopAtLevel")


@pytest.mark.parametrize(
    ("setup", "expected"),
    [(SETUP, "1"), (optimizing(SETUP), "4"), (mortal(optimizing(SETUP)), "4"), (optimizing(mortal(SETUP)), "4")],
    ids=["by default", "optimizing", "then mortal", "mortal before"],
)
def test_what_a_setup_says_of_the_compiler_is_what_its_jvm_does(setup, expected):
    assert level(setup) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0, "1"), (90, "1"), (599, "1"), (600, "4"), (8 * 3600, "4")],
)
def test_sessions_of_ten_minutes_and_more_are_optimized(seconds, expected):
    assert level(lasting(SETUP, seconds)) == expected


@pytest.mark.parametrize(
    ("setup", "expected"),
    [
        pytest.param(SETUP, "325", id="short"),
        pytest.param(lasting(SETUP, 600), "30", id="ten minutes"),
        pytest.param(lasting(SETUP, 3_600), "30", id="an hour"),
        pytest.param(lasting(SETUP, 8 * 3_600), "325", id="a night"),
        pytest.param(optimizing(SETUP), "325", id="large tables"),
    ],
)
def test_a_session_of_small_queries_inlines_little_up_to_an_hour(setup, expected):
    assert flag(setup, "FreqInlineSize") == expected


@pytest.mark.parametrize(
    ("profile", "workers", "optimized"),
    [("ci", 1, False), ("dev", 2, False), ("nightly", 2, True), ("nightly", 8, False)],
)
def test_a_fuzz_run_is_as_long_as_the_checks_of_each_worker(profile, workers, optimized):
    setup = lasting(SETUP, fuzzing_seconds(FUZZ_CHECKS[profile], workers))
    assert (setup != SETUP) == optimized


@pytest.mark.parametrize(("by", "optimized"), [("shape", False), ("general", True), ("both", True)])
def test_a_search_for_mutants_is_long_by_general_queries(by: By, optimized: bool) -> None:
    assert (lasting(SETUP, mutants_seconds(by)) != SETUP) == optimized


HUGE = ("-XX:+UseTransparentHugePages",)


@pytest.mark.parametrize(
    ("said", "expected"),
    [("[always] madvise never\n", HUGE), ("always [madvise] never\n", HUGE), ("always madvise [never]\n", ())],
    ids=["always", "where asked", "never"],
)
def test_large_pages_are_asked_for_where_the_kernel_has_them(tmp_path, said, expected):
    (tmp_path / "enabled").write_text(said)
    assert huge_pages(tmp_path / "enabled") == expected


def test_on_a_system_that_says_nothing_of_large_pages_none_are_asked_for(tmp_path):
    assert huge_pages(tmp_path / "enabled") == ()


def test_a_jvm_starts_with_the_least_memory_that_spark_takes():
    command = [find_java().java, *driver_flags(SETUP.spark, Path()).split(), "-Xmx450m", "-version"]
    told = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "warning" not in told.stdout + told.stderr
